//! Operations that choose among their operands or say something about them, where MPFR compares.

use std::cmp::Ordering;

use formats::Format;
use isa::limits::OUTPUTS_MAX;
use isa::{Combination, Comparison, Extremum, NanRule, Op, Relation, Relaxation, Variant};
use judge::{Accepted, Alternative, FIRST, Interpretation, OpenPoints};

use super::engine::{Elements, alternatives};
use super::operand::{flush, formats};
use super::order::DatumComparer;
use super::runs::are_consecutive;

/// Comparison of one variant: everything that computing its results takes, made once.
pub struct Compare {
    op: Op,
    nan: NanRule,
    formats: [&'static Format; 3],
    arity: usize,
    result: &'static Format,
    flushed: [bool; 3],
    order: DatumComparer,
    /// Whether MPFR sees only the ends of runs of consecutive data.
    by_runs: bool,
    /// The points that are open in the variant because it works on memory.
    open_in_memory: OpenPoints,
}

impl Compare {
    /// Makes the comparison of a variant that compares, chooses or tests.
    pub fn new(variant: &Variant) -> Compare {
        let meaning = variant.meaning();
        let mut of_memory = OpenPoints::default();
        for point in [Relaxation::MemoryNan, Relaxation::MemoryZero] {
            of_memory.insert(point);
        }
        Compare {
            op: meaning.op,
            nan: meaning.nan,
            formats: formats(variant),
            arity: variant.inputs().len(),
            result: variant.outputs()[0].format,
            flushed: meaning.flush.inputs,
            order: DatumComparer::new(),
            by_runs: false,
            open_in_memory: OpenPoints::declared(variant).and(of_memory),
        }
    }

    /// Makes a comparison with the results of [`Compare::new`], in which MPFR sees less: where one datum comes again
    /// beside consecutive ones, only the ends of runs that compare alike with it. The variant must be one of which
    /// [`has_runs`](super::has_runs) is true.
    pub fn by_runs(variant: &Variant) -> Compare {
        let mut compare = Compare::new(variant);
        compare.by_runs = true;
        compare
    }

    /// Computes the results of a lane: the second is the other predicate of `setp`.
    fn lane(&mut self, bits: [u64; 3]) -> (u64, u64) {
        let Compare { op, nan, formats: [format, _, last], arity, result, order, .. } = self;
        let [a, b, c] = bits;
        let (sign, magnitude) = (format.sign_mask(), format.magnitude_mask());
        let one = match *op {
            Op::Abs | Op::Neg if *nan == NanRule::Canonical && format.is_nan(a) => {
                format.canonical_nan()
            }
            Op::Abs if *nan == NanRule::Unchanged && format.is_nan(a) => a,
            Op::Abs => a & magnitude,
            Op::Neg => a ^ sign,
            Op::Copysign => b & magnitude | a & sign,
            Op::Test(classes) => u64::from(classes.contains(format.class(a))),
            Op::Extremum(extremum) => {
                chosen(extremum, format, &bits[..*arity], |a, b| order.of(format, a, b))
            }
            Op::Select => match order.of(last, c, 0) {
                Some(Ordering::Greater | Ordering::Equal) => a,
                _ => b,
            },
            Op::Compare(comparison) => {
                return stated(comparison, order.of(format, a, b), c != 0, result);
            }
            op => unreachable!("{op:?} computes"),
        };
        (one, 0)
    }

    /// Returns a function that reads an input's bits: flushed where the variant flushes that input, or as they are.
    fn operand(&self, input: usize) -> impl Fn(u64) -> u64 + use<> {
        let (format, flushed) = (self.formats[input], self.flushed[input]);
        move |bits| if flushed { flush(format, bits) } else { bits }
    }

    /// Computes the first results of lanes with one datum and consecutive other ones: MPFR compares at the ends of
    /// runs.
    fn consecutive(&mut self, datum: u64, others: &[u64], first: &mut [u64]) {
        let format = self.formats[0];
        let [a, b] = [0, 1].map(|input| self.operand(input));
        let datum = a(datum);
        match self.op {
            Op::Extremum(extremum) => {
                let compared = |bits| compared(extremum, format, bits);
                let read = |bits| compared(b(bits));
                for (run, order) in self.order.of_consecutive(format, compared(datum), others, read) {
                    for (other, result) in others[run.clone()].iter().zip(&mut first[run]) {
                        *result = chosen(extremum, format, &[datum, b(*other)], |_, _| order);
                    }
                }
            }
            Op::Compare(comparison) => {
                for (run, order) in self.order.of_consecutive(format, datum, others, b) {
                    first[run].fill(stated(comparison, order, false, self.result).0);
                }
            }
            op => unreachable!("{op:?} has no runs"),
        }
    }

    /// Adds the two alternatives of a result that is NaN: with its sign, and without it.
    fn nan_signs(&self, element: usize, nan: u64, alternatives: &mut Vec<Alternative>) {
        let mut open = OpenPoints::default();
        open.insert(Relaxation::NanSign);
        for (cleared, bits) in [nan, nan & self.result.magnitude_mask()].into_iter().enumerate() {
            let mut interpretation = FIRST;
            interpretation[Relaxation::NanSign as usize] = cleared as u8;
            alternatives.push(Alternative { element, bits, interpretation, open });
        }
    }

    /// Returns the alternatives of the smaller or larger of two data in memory, where the manual does not say which
    /// it is.
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
        let open = open.and(self.open_in_memory);
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
}

impl Elements for Compare {
    fn expect(
        &mut self,
        inputs: [&[u64]; 3],
        [first, second]: [&mut [u64]; OUTPUTS_MAX],
        first_element: usize,
        accepted: &mut Accepted,
    ) {
        let [datum, others, _] = inputs;
        let bits = |compare: &Compare, at: usize| -> [u64; 3] {
            std::array::from_fn(|input| compare.operand(input)(inputs[input][at]))
        };
        if self.by_runs && datum.iter().all(|bits| *bits == datum[0]) && are_consecutive(others) {
            self.consecutive(datum[0], others, first);
        } else {
            for at in 0..first.len() {
                (first[at], second[at]) = self.lane(bits(self, at));
            }
        }
        for (at, &first) in first.iter().enumerate() {
            if !self.open_in_memory.is_empty() {
                let bits = bits(self, at);
                alternatives(accepted).extend(self.in_memory(first_element + at, bits, first));
            }
            if self.nan == NanRule::Unchanged && self.result.is_nan(first) {
                self.nan_signs(first_element + at, first, alternatives(accepted));
            }
        }
    }
}

/// Returns the smaller or larger of two or three data; three are taken two by two (9.7.3.11, 9.7.3.12). `order` tells
/// how two data compare.
fn chosen(
    extremum: Extremum,
    format: &Format,
    bits: &[u64],
    mut order: impl FnMut(u64, u64) -> Option<Ordering>,
) -> u64 {
    let of_two = |a, b| of_two(extremum, format, [a, b], order(a, b));
    let compared = bits.iter().map(|&bits| compared(extremum, format, bits));
    let result = compared.reduce(of_two).expect("two or three");
    let signed = extremum.with_product_of_signs && !format.is_nan(result);
    if signed { result | (bits[0] ^ bits[1]) & format.sign_mask() } else { result }
}

/// Returns the part of a datum that is compared: its magnitude, where the operation is on magnitudes.
fn compared(extremum: Extremum, format: &Format, bits: u64) -> u64 {
    if extremum.of_magnitudes { bits & format.magnitude_mask() } else { bits }
}

/// Returns the smaller or larger of two data, whose order is given.
fn of_two(extremum: Extremum, format: &Format, [a, b]: [u64; 2], order: Option<Ordering>) -> u64 {
    let Some(order) = order else {
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

/// Returns what a comparison states about two data of this order, as a result and as the other predicate.
fn stated(
    Comparison { relation, combination }: Comparison,
    order: Option<Ordering>,
    predicate: bool,
    result: &Format,
) -> (u64, u64) {
    let truth = holds(relation, order);
    let [yes, no] = [truth, !truth].map(|truth| combined(combination, truth, predicate));
    let all = if result.is_fixed() { result.mask() } else { result.one() };
    (if yes { all } else { 0 }, u64::from(no))
}

/// Whether a relation holds between two data of this order.
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
