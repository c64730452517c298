//! Operations that choose among their operands or say something about them. MPFR compares.

use std::cmp::Ordering;

use judge::{Accepted, Alternative, Interpretation, OpenPoints};
use vectors::isa::{Combination, Comparison, Extremum, NanRule, Op, Relation, Relaxation};
use vectors::limits::OUTPUTS_MAX;
use vectors::{Format, Variant};

use super::arithmetic::flush;
use super::engine::{Elements, alternatives};
use super::formats;
use super::order::Order;

/// What the results of one variant take, made once.
pub struct Compare {
    op: Op,
    nan: NanRule,
    formats: [&'static Format; 3],
    arity: usize,
    result: &'static Format,
    flushed: [bool; 3],
    order: Order,
    /// What is open in the variant.
    declared: OpenPoints,
}

impl Compare {
    /// For a variant that compares, chooses or tests, with a way to say how data compare.
    pub fn new(variant: &Variant, order: Order) -> Compare {
        let meaning = variant.meaning();
        Compare {
            op: meaning.op,
            nan: meaning.nan,
            formats: formats(variant),
            arity: variant.inputs().len(),
            result: variant.outputs()[0].format,
            flushed: meaning.flush.inputs,
            order,
            declared: OpenPoints::declared(variant),
        }
    }

    /// The results of a lane: the second is the other predicate of `setp`.
    fn lane(&mut self, [a, b, c]: [u64; 3]) -> (u64, u64) {
        let format = self.formats[0];
        let (sign, magnitude) = (format.sign_mask(), format.magnitude_mask());
        let one = match self.op {
            Op::Abs | Op::Neg if self.nan == NanRule::Canonical && format.is_nan(a) => {
                format.canonical_nan()
            }
            Op::Abs if self.nan == NanRule::Unchanged && format.is_nan(a) => a,
            Op::Abs => a & magnitude,
            Op::Neg => a ^ sign,
            Op::Copysign => b & magnitude | a & sign,
            Op::Test(classes) => u64::from(classes.contains(format.class(a))),
            Op::Extremum(extremum) => self.extremum(extremum, [a, b, c]),
            Op::Select => match self.order.of(self.formats[2], c, 0) {
                Some(Ordering::Greater | Ordering::Equal) => a,
                _ => b,
            },
            Op::Compare(Comparison { relation, combination }) => {
                let truth = holds(relation, self.order.of(format, a, b));
                let [yes, no] = [truth, !truth].map(|truth| combined(combination, truth, c != 0));
                let all = if self.result.is_fixed() { self.result.mask() } else { self.result.one() };
                return (if yes { all } else { 0 }, u64::from(no));
            }
            op => unreachable!("{op:?} computes"),
        };
        (one, 0)
    }

    /// A NaN with its sign, and without it.
    fn nan_signs(&self, element: usize, nan: u64, alternatives: &mut Vec<Alternative>) {
        let mut open = OpenPoints::default();
        open.insert(Relaxation::NanSign);
        for (cleared, bits) in [nan, nan & self.result.magnitude_mask()].into_iter().enumerate() {
            let mut interpretation = Interpretation::default();
            interpretation[Relaxation::NanSign as usize] = cleared as u8;
            alternatives.push(Alternative { element, bits, interpretation, open });
        }
    }

    /// What the smaller or larger of two is in memory, where the manual does not say.
    fn in_memory(
        &self,
        element: usize,
        [a, b, _]: [u64; 3],
        first: u64,
    ) -> impl Iterator<Item = Alternative> + use<> {
        let format = self.formats[0];
        let (zeros, nans) = (
            [a, b].map(|bits| bits & format.magnitude_mask() == 0),
            [a, b].map(|bits| format.is_nan(bits)),
        );
        let mut open = OpenPoints::default();
        if nans[0] != nans[1] {
            open.insert(Relaxation::MemoryNan);
        }
        if zeros == [true; 2] && a != b {
            open.insert(Relaxation::MemoryZero);
        }
        let open = open.and(self.declared);
        let of = move |interpretation: Interpretation| {
            let read = |relaxation: Relaxation| interpretation[relaxation as usize];
            let bits = match (read(Relaxation::MemoryNan), read(Relaxation::MemoryZero)) {
                (1, _) => format.canonical_nan(),
                (_, 1) => a,
                (_, 2) => b,
                _ => first,
            };
            Alternative { element, bits, interpretation, open }
        };
        let all = (!open.is_empty()).then(|| open.interpretations().map(of));
        all.into_iter().flatten()
    }

    /// The smaller or larger of two or three: three are taken two by two (9.7.3.11, 9.7.3.12).
    fn extremum(&mut self, extremum: Extremum, mut bits: [u64; 3]) -> u64 {
        let (sign, magnitude) = (self.formats[0].sign_mask(), self.formats[0].magnitude_mask());
        let signs = (bits[0] ^ bits[1]) & sign;
        if extremum.of_magnitudes {
            bits = bits.map(|bits| bits & magnitude);
        }
        let [a, b, c] = bits;
        let mut result = self.of_two(extremum, a, b);
        if self.arity == 3 {
            result = self.of_two(extremum, result, c);
        }
        let signed = extremum.with_product_of_signs && !self.formats[0].is_nan(result);
        if signed { result | signs } else { result }
    }

    fn of_two(&mut self, extremum: Extremum, a: u64, b: u64) -> u64 {
        let format = self.formats[0];
        let Some(order) = self.order.of(format, a, b) else {
            return match (format.is_nan(a), format.is_nan(b)) {
                (true, false) if !extremum.propagates_nan => b,
                (false, true) if !extremum.propagates_nan => a,
                _ => format.canonical_nan(),
            };
        };
        let first = match order {
            Ordering::Less => !extremum.largest,
            Ordering::Greater => extremum.largest,
            // "+0.0 > -0.0".
            Ordering::Equal => format.is_negative(a) != extremum.largest,
        };
        if first { a } else { b }
    }
}

impl Elements for Compare {
    fn expect(
        &mut self,
        inputs: [&[u64]; 3],
        [first, second]: [&mut [u64]; OUTPUTS_MAX],
        first_element: usize,
        accepted: &mut Accepted,
    ) {
        for at in 0..first.len() {
            let bits: [u64; 3] = std::array::from_fn(|input| match self.flushed[input] {
                true => flush(self.formats[input], inputs[input][at]),
                false => inputs[input][at],
            });
            (first[at], second[at]) = self.lane(bits);
            if !self.declared.is_empty() {
                alternatives(accepted).extend(self.in_memory(first_element + at, bits, first[at]));
            }
            if self.nan == NanRule::Unchanged && self.result.is_nan(first[at]) {
                self.nan_signs(first_element + at, first[at], alternatives(accepted));
            }
        }
    }
}

/// Whether a relation holds between two data that compare so.
fn holds(relation: Relation, order: Option<Ordering>) -> bool {
    // A table, because which of two numbers is less no processor foresees.
    let ordered = [relation.less, relation.equal, relation.greater];
    order.map_or(relation.unordered, |order| ordered[(order as i8 + 1) as usize])
}

fn combined(combination: Option<Combination>, truth: bool, predicate: bool) -> bool {
    match combination {
        Some(Combination::And) => truth && predicate,
        Some(Combination::Or) => truth || predicate,
        Some(Combination::Xor) => truth != predicate,
        None => truth,
    }
}
