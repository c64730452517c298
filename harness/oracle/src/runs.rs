//! Conversions of many consecutive inputs to few results: MPFR is asked about the ends of runs. The same for
//! comparisons is in compare.rs.
//!
//! Rounding is monotone, and so is every stage behind it. Where two numbers of one sign give one
//! result, so does whatever lies between them.

use formats::Format;
use isa::limits::OUTPUTS_MAX;
use isa::{Op, Variant};
use judge::{Accepted, Alternative};

use super::arithmetic::{Arithmetic, ElementResult, looks_at_inputs};
use super::engine::{Elements, alternatives};

/// Whether inputs of `variant` come in runs that have one result, or that compare alike with one other input.
pub fn has_runs(variant: &Variant) -> bool {
    let inputs = match variant.meaning().op {
        // The scale of a scaled conversion is an input too, and so are random bits.
        Op::Convert(_) => 1,
        Op::Compare(_) | Op::Extremum(_) => 2,
        _ => return false,
    };
    let is_small = inputs == 1 || variant.inputs().iter().all(|input| input.format.width() <= 16);
    let is_single = variant.outputs().len() == 1 && variant.lanes() == 1;
    variant.inputs().len() == inputs && is_small && is_single
}

/// Whether some numbers, at least one, are consecutive: each is the one before plus one.
pub fn are_consecutive(inputs: &[u64]) -> bool {
    inputs.iter().zip(0..).all(|(&bits, at)| bits.wrapping_sub(inputs[0]) == at)
}

/// Conversions with the results of [`Arithmetic`], where MPFR sees the ends of runs. The variant must be one of
/// which [`has_runs`] is true.
pub struct Runs {
    arithmetic: Arithmetic,
    format: &'static Format,
}

impl Runs {
    /// Makes the engine of a conversion of which [`has_runs`] is true.
    pub fn new(variant: &Variant) -> Runs {
        Runs { arithmetic: Arithmetic::new(variant), format: variant.inputs()[0].format }
    }

    /// Computes the results of consecutive inputs.
    fn consecutive(
        &mut self,
        inputs: &[u64],
        output: &mut [u64],
        first: usize,
        alternatives: &mut Vec<Alternative>,
    ) {
        let Runs { arithmetic, format } = self;
        let known = alternatives.len();
        let mut ask = |at: usize, output: &mut [u64], alternatives: &mut Vec<Alternative>| {
            let from = alternatives.len();
            // Inputs that a conversion does not have are never looked at.
            let found = arithmetic.element([inputs[at], 0, 0], first + at, alternatives);
            output[at] = found.result;
            RunEnd { at, found, alternatives: (from, alternatives.len()) }
        };
        let low = ask(0, output, alternatives);
        if inputs.len() == 1 {
            return;
        }
        let high = ask(inputs.len() - 1, output, alternatives);
        // Halves whose inner elements are not known yet.
        let mut halves = vec![(low, high)];
        while let Some((low, high)) = halves.pop() {
            let kind = |end: RunEnd| (format.is_negative(inputs[end.at]), format.class(inputs[end.at]));
            let inferred = !looks_at_inputs(low.found.open);
            if inferred && low.found == high.found && kind(low) == kind(high) {
                let between = low.at + 1..high.at;
                output[between.clone()].fill(low.found.result);
                let (from, to) = low.alternatives;
                for at in between {
                    for place in from..to {
                        let alike = alternatives[place];
                        alternatives.push(Alternative { element: first + at, ..alike });
                    }
                }
            } else if high.at - low.at > 1 {
                let middle = ask(low.at.midpoint(high.at), output, alternatives);
                halves.extend([(low, middle), (middle, high)]);
            }
        }
        alternatives[known..].sort_by_key(|alternative| alternative.element);
    }
}

impl Elements for Runs {
    fn expect(
        &mut self,
        inputs: [&[u64]; 3],
        outputs: [&mut [u64]; OUTPUTS_MAX],
        first: usize,
        accepted: &mut Accepted,
    ) {
        if !are_consecutive(inputs[0]) {
            return self.arithmetic.expect(inputs, outputs, first, accepted);
        }
        let [output, _] = outputs;
        self.consecutive(inputs[0], output, first, alternatives(accepted));
    }
}

/// An input that MPFR was asked about, and what was found.
#[derive(Clone, Copy)]
struct RunEnd {
    at: usize,
    found: ElementResult,
    /// The range that its alternatives take up in the list of alternatives.
    alternatives: (usize, usize),
}

#[cfg(test)]
mod tests {
    use formats::Column;

    use super::*;
    use crate::Oracle;
    use judge::Truth;

    const ROWS: u64 = 1024;

    fn truth(oracle: &mut Oracle, variant: &Variant, first: u64) -> Truth {
        let mut column = Column::new(variant.operands()[0].ty.row_bytes(), ROWS as usize);
        (0..ROWS).for_each(|row| column.set(row as usize, first + row));
        let mut truth = Truth::new(variant);
        oracle.expect(&[column], &mut truth);
        truth
    }

    /// Returns starts of runs that hold every border of the format, and some between.
    fn starts(format: &Format) -> impl Iterator<Item = u64> {
        let last = format.mask() - ROWS + 1;
        let max = format.max_finite();
        let borders =
            [0, format.min_normal(), format.one(), max].map(|border| border.saturating_sub(ROWS / 2));
        let signs = [0, format.sign_mask()];
        let spread =
            (0..40).map(move |step: u64| step.wrapping_mul(0x9e37_79b9_7f4a_7c15) & format.mask());
        let borders = borders.into_iter().flat_map(move |border| signs.map(|sign| sign | border));
        borders.chain(spread).chain([last]).map(move |start| start.min(last))
    }

    #[test]
    fn what_lies_between_the_ends_of_a_run_is_what_mpfr_gives_there() {
        let mut inferred = 0;
        let converts = |variant: &&Variant| variant.inputs().len() == 1 && has_runs(variant);
        for variant in Variant::all().iter().filter(converts) {
            let format = variant.inputs()[0].format;
            if format.width() < 16 {
                continue;
            }
            let (mut runs, mut each) = (Oracle::by_runs(variant), Oracle::new(variant));
            for first in starts(format) {
                let (by_runs, by_each) =
                    (truth(&mut runs, variant, first), truth(&mut each, variant, first));
                assert_eq!(by_runs.results, by_each.results, "{variant} from {first:#x}");
                assert_eq!(by_runs.alternatives(), by_each.alternatives(), "{variant} from {first:#x}");
                let results = &by_each.results[0];
                inferred += u64::from((0..ROWS as usize).all(|row| results.get(row) == results.get(0)));
            }
        }
        assert!(inferred > 1000, "only {inferred} runs had one result");
    }

    #[test]
    fn conversions_of_one_number_and_comparisons_of_two_have_runs() {
        let has = |text: &str| has_runs(&text.parse().unwrap());
        assert!(has("cvt.rn.f16.f32") && has("cast.rz.e4m3.f32") && has("cvt.rzi.s32.f64"));
        assert!(
            has("set.lt.ftz.f16.f16")
                && has("min.NaN.bf16")
                && has("min.f16")
                && !has("min.f32")
                && !has("min.f16x2")
        );
        assert!(!has("rcp.rn.f32") && !has("cvt.rs.f16x2.f32") && !has("add.f16"));
        // The first has three operands, the second several lanes.
        assert!(!has("set.lt.and.bf16.f16") && !has("cvt.rn.f16x2.e4m3x2"));
    }
}
