//! Computes operations as if their registers held integers, as whoever does not know a type may do.

use formats::{Column, column};
use isa::{Combination, Op, Relation, Variant};

/// A way of taking whole registers for integers, signed or unsigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integers {
    signed: bool,
}

impl Integers {
    /// Returns both ways, unsigned and signed, where the variant's operation is one of integers as well; else none.
    pub fn of(variant: &Variant) -> Vec<Integers> {
        let known = matches!(
            variant.meaning().op,
            Op::Add | Op::Sub | Op::Mul | Op::Fma | Op::Abs | Op::Neg | Op::Extremum(_) | Op::Compare(_)
        );
        let signs = [false, true].map(|signed| Integers { signed });
        if known { signs.into() } else { vec![] }
    }

    /// Returns in words what is wrong where registers are taken so.
    pub fn words(self) -> &'static str {
        match self.signed {
            true => "registers are taken for signed integers",
            false => "registers are taken for unsigned integers",
        }
    }

    /// Computes every row of `results`, which are columns of `variant`, on integers.
    pub fn run(self, variant: &Variant, operands: &[Column], results: &mut [Column]) {
        let widths: Vec<u32> = variant.operands().iter().map(|register| register.ty.width()).collect();
        let masks: Vec<u64> = variant.results().iter().map(|register| register.ty.mask()).collect();
        for row in 0..operands[0].rows() {
            let values: Vec<i128> = column::row(operands, row)
                .into_iter()
                .zip(&widths)
                .map(|(bits, width)| self.value(bits, *width))
                .collect();
            let given = compute(variant, &values);
            let registers: Vec<u64> =
                masks.iter().zip(given).map(|(mask, bits)| bits as u64 & mask).collect();
            column::set_row(results, row, &registers);
        }
    }

    /// Returns the integer that the low `width` bits of a register stand for.
    fn value(self, bits: u64, width: u32) -> i128 {
        let unused = 128 - width;
        match self.signed {
            // The arithmetic shift back repeats the sign bit.
            true => (i128::from(bits) << unused) >> unused,
            false => bits.into(),
        }
    }
}

/// Computes the results of one row, of which only the low bits count.
fn compute(variant: &Variant, values: &[i128]) -> [i128; 2] {
    let result = match (variant.meaning().op, values) {
        (Op::Add, [a, b, ..]) => a + b,
        (Op::Sub, [a, b, ..]) => a - b,
        // The product of two unsigned numbers of 64 bits may not fit: only its low bits count.
        (Op::Mul, [a, b, ..]) => a.wrapping_mul(*b),
        (Op::Fma, [a, b, c, ..]) => a.wrapping_mul(*b).wrapping_add(*c),
        (Op::Abs, [a]) => a.abs(),
        (Op::Neg, [a]) => -a,
        (Op::Extremum(extremum), values) => {
            let ordered = values.iter().copied();
            let best = if extremum.largest { ordered.max() } else { ordered.min() };
            best.unwrap_or_default()
        }
        (Op::Compare(comparison), [a, b, rest @ ..]) => {
            let holds = holds(comparison.relation, a, b);
            let predicate = rest.first().is_some_and(|bits| bits & 1 == 1);
            let combined = |holds: bool| match comparison.combination {
                None => holds,
                Some(Combination::And) => holds & predicate,
                Some(Combination::Or) => holds | predicate,
                Some(Combination::Xor) => holds ^ predicate,
            };
            // A relation that holds sets all bits of an integer, or a predicate's only bit.
            return [holds, !holds].map(|holds| -i128::from(combined(holds)));
        }
        _ => 0,
    };
    [result, 0]
}

/// Whether a relation holds between two integers, which are never unordered.
fn holds(relation: Relation, a: &i128, b: &i128) -> bool {
    match a.cmp(b) {
        std::cmp::Ordering::Less => relation.less,
        std::cmp::Ordering::Equal => relation.equal,
        std::cmp::Ordering::Greater => relation.greater,
    }
}
