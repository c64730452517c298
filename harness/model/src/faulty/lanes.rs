//! The stages with faults between lanes, also as elements of a word in memory: about which inputs a lane has, and
//! which NaN comes out.

use formats::Class;
use isa::limits::{INPUTS_MAX, OUTPUTS_MAX};
use isa::{Clamp, Op};

use super::Faulty;
use crate::Fault;
use crate::stages::{Lanes, VariantFacts};

impl Lanes for Faulty<'_> {
    fn row(&self, inputs: &[[u64; INPUTS_MAX]], results: &mut [[u64; OUTPUTS_MAX]]) {
        let variant = self.variant();
        let whole = variant.inputs().len();
        let third_ignored =
            self.has(Fault::ThirdIgnored) && matches!(self.meaning().op, Op::Extremum(_));
        let first_lost = self.has(Fault::FirstCopyLost);
        let one_lost = third_ignored || first_lost || self.has(Fault::ThirdCopyLost);
        // What is lost is cut off at the end; a first input is brought there below.
        let count = if one_lost { whole.min(2) } else { whole };
        let alike = whole > 1 && self.input(0) == self.input(1);
        for (lane, (of_lane, result)) in inputs.iter().zip(results.iter_mut()).enumerate() {
            let mut of_lane = *of_lane;
            if self.has(Fault::FirstLaneEverywhere) {
                of_lane[0] = inputs[0][0];
            }
            if first_lost {
                of_lane.rotate_left(1);
            }
            if self.has(Fault::OperandHalvesExchanged) {
                of_lane[1] = inputs[(lane + inputs.len() / 2) % inputs.len()][1];
            }
            if alike && self.has(Fault::OperandsExchanged) {
                of_lane.swap(0, 1);
            }
            *result = self.lane(lane, &of_lane[..count]);
            result[0] = self.with_payload(result[0], &of_lane[..count]);
            for (copy, fault) in [Fault::FirstCopyOnly, Fault::SecondCopyOnly].into_iter().enumerate() {
                if self.has(fault) {
                    result[0] = of_lane[copy];
                }
            }
            if variant.lane_signature().original().is_some() {
                result[1] = self.original(&of_lane, result[0]);
            }
        }
        let out_of_bounds = |of_lane: &[u64; INPUTS_MAX]| self.out_of_bounds(&of_lane[..whole]);
        if self.has(Fault::OobAllLanes) && inputs.iter().any(out_of_bounds) {
            results.fill([0; OUTPUTS_MAX]);
        }
        if variant.is_of_memory() {
            self.word(inputs, results);
        }
        if self.has(Fault::LanesSwapped) {
            results.reverse();
        }
        if self.has(Fault::LowestLaneOnly) {
            results[1..].fill([0; OUTPUTS_MAX]);
        }
        if self.has(Fault::LaneNanSpreads) {
            // In ascending order, so that NaN spreads through all lanes above it.
            for lane in 1..results.len() {
                if self.output().is_nan(results[lane - 1][0]) {
                    results[lane][0] = self.output().canonical_nan();
                }
            }
        }
    }

    fn out_of_bounds(&self, inputs: &[u64]) -> bool {
        if !self.meaning().out_of_bounds {
            return false;
        }
        let mask = if self.has(Fault::OobPositiveOnly) { 0xffff } else { 0x7fff };
        let pattern = if self.has(Fault::OobCanonical) { 0x7fff } else { 0x7ff7 };
        let looked_at = match () {
            () if self.has(Fault::OobFirstOnly) => 1,
            () if self.has(Fault::OobAddendToo) => inputs.len(),
            () => inputs.len() - 1,
        };
        inputs[..looked_at].iter().any(|bits| match self.has(Fault::OobAnyNan) {
            true => self.output().is_nan(*bits),
            false => bits & mask == pattern,
        })
    }
}

impl Faulty<'_> {
    /// Applies the faults of a word in memory as a whole, to the word afterwards and to the one that is given.
    fn word(&self, inputs: &[[u64; INPUTS_MAX]], results: &mut [[u64; OUTPUTS_MAX]]) {
        const MEMORY: usize = 0;
        const GIVEN: usize = 1;
        let (whole, half) = (results.len(), results.len() / 2);
        let mut exchange = |of: usize, with: &dyn Fn(usize) -> usize| {
            let before: Vec<u64> = results.iter().map(|lane| lane[of]).collect();
            results.iter_mut().enumerate().for_each(|(lane, result)| result[of] = before[with(lane)]);
        };
        for (of, reversed, halves) in [
            (MEMORY, Fault::WordReversed, Fault::WordHalvesExchanged),
            (GIVEN, Fault::OriginalReversed, Fault::OriginalHalvesExchanged),
        ] {
            if self.has(reversed) {
                exchange(of, &|lane| whole - 1 - lane);
            }
            if self.has(halves) {
                exchange(of, &|lane| (lane + half) % whole);
            }
        }
        if self.has(Fault::WordUpperHalfCopied) {
            exchange(MEMORY, &|lane| lane % half);
        }
        for lane in 0..whole {
            let kept = self.has(Fault::WordKept)
                || lane < half && self.has(Fault::WordLowerHalfKept)
                || lane >= half && self.has(Fault::WordUpperHalfKept)
                || lane == 0 && self.has(Fault::WordFirstKept)
                || lane == whole - 1 && self.has(Fault::WordLastKept);
            if kept {
                results[lane][MEMORY] = inputs[lane][0];
            }
            if self.has(Fault::WordIsOperand) {
                results[lane][MEMORY] = inputs[lane][1];
            }
        }
        for result in &mut results[half..] {
            if self.has(Fault::WordUpperHalfZero) {
                result[MEMORY] = 0;
            }
            if self.has(Fault::OriginalUpperHalfZero) {
                result[GIVEN] = 0;
            }
        }
    }

    /// Returns a lane's element of the word in memory as it was, for these inputs and this result.
    fn original(&self, inputs: &[u64], result: u64) -> u64 {
        let (format, word) = (self.output(), inputs[0]);
        match () {
            () if self.has(Fault::OriginalIsNew) => result,
            () if self.has(Fault::OriginalIsOperand) => inputs[1],
            () if self.has(Fault::OriginalFlushed) && format.class(word) == Class::Subnormal => {
                word & format.sign_mask()
            }
            () if self.has(Fault::OriginalNanCanonical) && format.is_nan(word) => format.canonical_nan(),
            () => word,
        }
    }

    /// Returns a result of rounding, or the NaN operand that it comes from where a fault keeps that.
    fn with_payload(&self, result: u64, inputs: &[u64]) -> u64 {
        let (variant, format) = (self.variant(), self.output());
        let relu = self.has(Fault::ReluKeepsPayload) && self.meaning().clamp == Clamp::Positive;
        if !(relu || self.has(Fault::NanKeepsPayload)) || !format.is_nan(result) {
            return result;
        }
        let inputs = match variant.is_arithmetic() {
            true => inputs,
            false if variant.converts() => &inputs[..1],
            false => return result,
        };
        let nan = |(index, bits): &(usize, &u64)| self.input(*index).is_nan(**bits);
        match inputs.iter().enumerate().find(nan) {
            Some((_, bits)) if relu => *bits,
            Some((index, bits)) if self.input(index) == format => bits | format.quiet_bit(),
            _ => result,
        }
    }
}
