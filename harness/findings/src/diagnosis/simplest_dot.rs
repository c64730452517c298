//! Searches for the simplest dot product of a class: with the fewest terms, then the fewest bits set in all
//! significands together, then the exponents nearest to that of 1, then the fewest negative numbers. The search goes
//! step by step from a mismatch; every step makes one element simpler, or two that are multiplied.

use anyhow::Result;
use formats::{Column, Format, RowBits, column};
use implementations::Worker;
use isa::matrix::{DotData, DotOperand, MatrixVariant, Role};
use judge::{Mismatch, MismatchKind};
use runner::BlockJudge;

use super::descent::{Descent, descend};

/// A measure of how far a dot product is from being simple: elements that are not zero, bits, exponents, signs.
type Key = (usize, u32, u64, u32);

/// Searches for the simplest dot product that can be reached from a mismatch and is one of the same kind. An
/// implementation that takes `most` vectors of a sweep is given no more than that.
pub fn search(
    variant: &MatrixVariant,
    judge: &mut BlockJudge,
    worker: &mut dyn Worker,
    kind: MismatchKind,
    from: &Mismatch,
    most: Option<u64>,
) -> Result<Mismatch> {
    descend(from, most, DotShrinker { variant, judge, worker, kind })
}

/// The dot products of one matrix instruction, run and judged in one batch for each step.
struct DotShrinker<'a> {
    variant: &'a MatrixVariant,
    judge: &'a mut BlockJudge,
    worker: &'a mut dyn Worker,
    kind: MismatchKind,
}

impl Descent for DotShrinker<'_> {
    type Key = Key;

    /// The most steps of a search. Each takes a term away, or simplifies a number, of which there are some hundred.
    const STEPS: usize = 256;

    fn key(&self, operands: &[RowBits]) -> Key {
        key(self.variant, operands)
    }

    fn steps(&self, operands: &[RowBits]) -> Vec<Vec<RowBits>> {
        steps(self.variant, operands)
    }

    fn first(&mut self, vectors: &[Vec<RowBits>]) -> Result<Option<Mismatch>> {
        let tally = self.judge.run_rows(vectors, 0, self.worker)?;
        // A class keeps its first mismatches, in the order of the rows.
        Ok(tally.classes.get(&self.kind).and_then(|class| class.examples.first().cloned()))
    }
}

/// Returns how far the operands of a dot product are from being simple; scales are simplest as 1, other elements as
/// zero.
pub fn key(variant: &MatrixVariant, operands: &[RowBits]) -> Key {
    let mut key = (0, 0, 0, 0);
    for (operand, bits) in variant.operands().iter().zip(operands) {
        // Metadata and controls are bits without a format, and do not count.
        let Some(format) = operand.format else { continue };
        let row = bits.to_bytes(operand.row_bytes());
        let is_scale = matches!(operand.role, Role::ScalesA | Role::ScalesB);
        for element in 0..operand.elements as usize {
            let bits = operand.get(&row, element);
            let magnitude = bits & format.magnitude_mask();
            let one = format.one() >> format.trailing_bits;
            // The simplest scale is 1.
            key.0 += usize::from(if is_scale { bits != format.one() } else { bits != 0 });
            // Zero has no exponent. A scale has one whatever its bits are.
            if magnitude != 0 || is_scale {
                key.1 += (magnitude & format.trailing_mask()).count_ones();
                key.2 += (magnitude >> format.trailing_bits).abs_diff(one);
            }
            key.3 += u32::from(format.is_negative(bits));
        }
    }
    key
}

/// Returns operands that are simpler in one place: with terms taken away, or with one element simpler.
fn steps(variant: &MatrixVariant, operands: &[RowBits]) -> Vec<Vec<RowBits>> {
    let rows: Vec<Vec<u8>> = variant
        .operands()
        .iter()
        .zip(operands)
        .map(|(operand, bits)| bits.to_bytes(operand.row_bytes()))
        .collect();
    let mut all = Vec::new();
    let mut with = |changes: &[(usize, usize, u64)]| {
        let mut rows = rows.clone();
        for &(at, element, bits) in changes {
            set(&variant.operands()[at], &mut rows[at], element, bits);
        }
        all.push(rows.iter().map(|row| RowBits::from_bytes(row)).collect());
    };
    let (mut data, dot) = (DotData::new(variant.dot()), variant.dot());
    let columns: Vec<Column> = variant
        .operands()
        .iter()
        .zip(operands)
        .map(|(operand, bits)| {
            let mut column = Column::new(operand.row_bytes(), 1);
            column::set_row_bits(std::slice::from_mut(&mut column), 0, std::slice::from_ref(bits));
            column
        })
        .collect();
    data.read(dot, variant.operands(), &columns, 0);
    // Whole terms, all of them, halves of them, and so on: A's elements are the first column, B's the second.
    let mut size = data.places.len();
    while size > 0 {
        for first in (0..data.places.len()).step_by(size) {
            let terms = first..data.places.len().min(first + size);
            // Element `at` of A is multiplied by the element of B in place `places[at]`.
            let zeros = terms.flat_map(|at| [(0, at, 0), (1, data.places[at], 0)]);
            with(&zeros.collect::<Vec<_>>());
        }
        size /= 2;
    }
    // The elements of B that a sparse A's zeros are multiplied by.
    let unused = (0..data.b.len()).filter(|place| !data.places.contains(place));
    with(&unused.map(|place| (1, place, 0)).collect::<Vec<_>>());
    for (at, operand) in variant.operands().iter().enumerate() {
        let Some(format) = operand.format else { continue };
        for element in 0..operand.elements as usize {
            let bits = operand.get(&rows[at], element);
            for simple in simpler(format, bits) {
                with(&[(at, element, simple)]);
            }
        }
    }
    all
}

/// Returns data that may be simpler than a given one: zero, 1, a power of two, a bit less, an exponent nearer to that
/// of 1, the other sign.
fn simpler(format: &Format, bits: u64) -> Vec<u64> {
    let (sign, magnitude) = (bits & format.sign_mask(), bits & format.magnitude_mask());
    let trailing = magnitude & format.trailing_mask();
    // The smallest normal number has 1 in its exponent field and nothing else: adding its bits is one exponent up.
    let unit = format.min_normal();
    let nearer = match magnitude < format.one() {
        true => magnitude + unit,
        false => magnitude.saturating_sub(unit),
    };
    // Subtracting 1 and masking clears the lowest bit that is set.
    let lower = magnitude & magnitude.wrapping_sub(1) & format.trailing_mask() | magnitude & !trailing;
    let mut all =
        vec![0, sign | format.one(), sign | magnitude & !trailing, sign | lower, sign | nearer];
    all.push(magnitude);
    all.retain(|&other| other != bits);
    all
}

/// Sets an element of a row, and fills its padding with zeros.
fn set(operand: &DotOperand, row: &mut [u8], element: usize, bits: u64) {
    let all: Vec<u64> = (0..operand.elements as usize).map(|at| operand.register(row, at)).collect();
    row.fill(0);
    for (at, &register) in all.iter().enumerate() {
        match at == element {
            true => operand.set(row, at, bits),
            false => operand.set_register(row, at, register),
        }
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Result;
    use emulator::dot::DotKernel;
    use implementations::Worker;
    use judge::MismatchKind;
    use selection::subject::Subject;

    use super::*;

    /// A worker that leaves the addend out where it is not zero.
    struct Forgetful;

    impl Worker for Forgetful {
        fn run(&mut self, _: &isa::Variant, _: &[Column], _: &mut [Column]) -> Result<()> {
            unreachable!("only dot products are asked")
        }

        fn run_dots(
            &mut self,
            variant: &MatrixVariant,
            operands: &[Column],
            results: &mut [Column],
        ) -> Result<()> {
            let mut operands = operands.to_vec();
            operands[2].bytes_mut().fill(0);
            DotKernel::newest(variant).expect("there is one").1.run(&operands, results);
            Ok(())
        }
    }

    /// The search leaves only the operands that a mismatch takes: here the addend 1, which is lost.
    #[test]
    fn what_a_mismatch_takes_is_left_and_nothing_else() {
        let text = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
        let Ok(Subject::Matrix(variant)) = Subject::named(text) else { panic!("a matrix") };
        let mut judge = BlockJudge::new(Subject::Matrix(variant), runner::Judging::Mpfr);
        let exact = sweeps::matrix::DotSweep::named("exact").unwrap();
        let mut columns = Subject::Matrix(variant).operands(64);
        exact.fill(variant, 0, 0, &mut columns);
        let rows: Vec<Vec<RowBits>> = (0..64).map(|row| column::row_bits(&columns, row)).collect();
        let tally = judge.run_rows(&rows, 0, &mut Forgetful).unwrap();
        let (kind, class) = tally.classes.iter().next().expect("it forgets");
        let found =
            search(variant, &mut judge, &mut Forgetful, *kind, &class.examples[0], None).unwrap();
        let left = key(variant, &found.operands).0;
        assert!(left <= 3, "{kind:?}: {found:?}");
        let zero = tally.classes.get(&MismatchKind::ZeroAppeared).map(|class| &class.examples[0]);
        if let Some(first) = zero {
            let kind = MismatchKind::ZeroAppeared;
            let found = search(variant, &mut judge, &mut Forgetful, kind, first, None).unwrap();
            assert_eq!(key(variant, &found.operands), (1, 0, 0, 0), "c = 1 alone");
        }
    }
}
