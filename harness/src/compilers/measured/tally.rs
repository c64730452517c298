//! What is counted of results.

use oracle::Known;
use serde::{Deserialize, Serialize};
use vectors::Format;

use super::table::Limit;
use super::truth::{Truths, value};

/// What was counted of the results of one function under one way of approximating.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// How many inputs there were.
    pub inputs: u64,
    /// Results that are not the correctly rounded ones, all of the following among them.
    pub wrong: u64,
    /// NaN where it is none, and none where it is NaN.
    pub nan: u64,
    /// Infinity where the correctly rounded result is a number, and the reverse.
    pub infinite: u64,
    /// Zero of the other sign.
    pub zero_sign: u64,
    /// Zeros where flushing is permitted, which are not wrong.
    pub flushed: u64,
    /// Results beyond the documented maximum.
    pub exceeding: u64,
    /// The input with the largest error.
    pub worst: Option<Example>,
    /// The first that exceeds the documented maximum.
    pub first: Option<Example>,
}

/// An input and its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The operands' bits; of a function of one, the second is 0.
    pub operands: [u64; 2],
    /// The result.
    pub result: u64,
    /// The correctly rounded one.
    pub nearest: u64,
    /// How many numbers lie between the two, and one more: what the guide counts.
    pub distance: u64,
    /// The distance of the result from the exact value, in units of the last place there.
    pub error: f64,
}

/// How results of a function are counted.
pub struct Counting {
    /// Of operands and results.
    pub format: &'static Format,
    /// The documented maximum, if there is one.
    pub limit: Option<fn(f64) -> Limit>,
    /// Whether subnormal operands and results may be flushed.
    pub flush: bool,
    /// What zeros give, positive and negative ones.
    pub of_zero: [u64; 2],
}

impl Tally {
    /// Adds a result.
    #[inline]
    pub fn add(&mut self, counting: &Counting, operands: [u64; 2], known: Known, result: u64) {
        self.inputs += 1;
        if result != known.nearest {
            self.unlike(counting, operands, known, result);
        }
    }

    fn unlike(&mut self, counting: &Counting, operands: [u64; 2], known: Known, result: u64) {
        let Counting { format, flush, .. } = *counting;
        let Known { nearest, value: exact } = known;
        let [is, should] = [result, nearest].map(|bits| format.is_nan(bits));
        if is && should {
            return;
        }
        let subnormal = |bits: u64| bits & format.magnitude_mask() < format.min_normal();
        if flush {
            let of_zero = counting.of_zero[usize::from(format.is_negative(operands[0]))];
            let smallest = 2f64.powi(format.exponent_min());
            let flushed = result & format.magnitude_mask() == 0
                && exact.abs() < smallest
                && format.is_negative(result) == format.is_negative(nearest);
            let by_operand =
                subnormal(operands[0]) && (result == of_zero || format.is_nan(of_zero) && is);
            if flushed || by_operand {
                self.flushed += 1;
                return;
            }
        }
        self.wrong += 1;
        if is || should {
            self.nan += 1;
            return;
        }
        let place = |bits: u64| {
            let size = (bits & format.magnitude_mask()) as i64;
            if format.is_negative(bits) { -size } else { size }
        };
        let distance = place(result).abs_diff(place(nearest));
        if distance == 0 {
            self.zero_sign += 1;
            return;
        }
        let [is, should] = [result, nearest].map(|bits| value(format, bits));
        self.infinite += u64::from(is.is_infinite() != should.is_infinite());
        // Beyond the largest number comes the next power of two.
        let end = 2f64.powi(format.exponent_max() + 1);
        let off = (is.clamp(-end, end) - exact.clamp(-end, end)).abs();
        let error = off / unit(format, exact);
        let example = || Example { operands, result, nearest, distance, error };
        if counting
            .limit
            .is_some_and(|limit| limit(value(format, operands[0])).is_exceeded(distance, off, exact))
        {
            self.exceeding += 1;
            if self.first.is_none() {
                self.first = Some(example());
            }
        }
        if self.worst.as_ref().is_none_or(|worst| (distance, error) > (worst.distance, worst.error)) {
            self.worst = Some(example());
        }
    }

    /// Adds what was counted of later inputs.
    pub fn merge(&mut self, later: &Tally) {
        for (sum, more) in [
            (&mut self.inputs, later.inputs),
            (&mut self.wrong, later.wrong),
            (&mut self.nan, later.nan),
            (&mut self.infinite, later.infinite),
            (&mut self.zero_sign, later.zero_sign),
            (&mut self.flushed, later.flushed),
            (&mut self.exceeding, later.exceeding),
        ] {
            *sum += more;
        }
        let rank = |worst: &Option<Example>| worst.as_ref().map(|one| (one.distance, one.error));
        if rank(&later.worst) > rank(&self.worst) {
            self.worst.clone_from(&later.worst);
        }
        if self.first.is_none() {
            self.first.clone_from(&later.first);
        }
    }

    /// Has MPFR say the errors of the examples.
    pub fn settle(&mut self, format: &'static Format, truths: &mut Truths) {
        for example in [&mut self.worst, &mut self.first].into_iter().flatten() {
            let known = truths.exact(example.operands.map(|bits| value(format, bits)));
            let end = 2f64.powi(format.exponent_max() + 1);
            let off = value(format, example.result).clamp(-end, end) - known.value.clamp(-end, end);
            example.error = off.abs() / unit(format, known.value);
        }
    }
}

/// A unit of the last place of a number of this size.
fn unit(format: &Format, exact: f64) -> f64 {
    let exponent = (exact.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    let exponent = exponent.clamp(format.exponent_min(), format.exponent_max());
    2f64.powi(exponent - format.trailing_bits as i32)
}
