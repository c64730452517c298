//! The counts of results: how many are wrong, in what way, and by how much.

use formats::Format;
use oracle::FunctionValue;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::table::Limit;
use super::truth::{Truths, power, value};

/// The counts of the results of one function under one way of approximating.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// How many inputs there were.
    pub inputs: u64,
    /// Results that are not the correctly rounded ones. Those that `nan`, `infinite`, `zero_sign` and `exceeding` count
    /// are among them.
    pub wrong: u64,
    /// Results that are NaN where the correctly rounded one is not, and the reverse.
    pub nan: u64,
    /// Results that are infinite where the correctly rounded one is a number, and the reverse.
    pub infinite: u64,
    /// Results that are a zero of the wrong sign.
    pub zero_sign: u64,
    /// Results that were flushed where flushing is permitted, which are not wrong.
    pub flushed: u64,
    /// Results beyond the documented maximum.
    pub exceeding: u64,
    /// The digest of all results with their inputs, whatever their order: two equal digests stand for the same results,
    /// where each NaN counts as any other. Absent where it was not taken.
    #[serde(default, skip_serializing_if = "Digest::is_absent")]
    pub digest: Digest,
    /// The input with the largest error.
    pub worst: Option<Example>,
    /// The first input with a result beyond the documented maximum.
    pub first: Option<Example>,
}

/// A sum of hashes, of 64 bits; it is written in hexadecimal digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest(u64);

impl Digest {
    /// Whether no digest was taken.
    fn is_absent(&self) -> bool {
        self.0 == 0
    }

    #[inline]
    fn add(&mut self, operands: [u64; 2], result: u64) {
        let mut words = [0; 24];
        for (to, word) in words.chunks_exact_mut(8).zip([operands[0], operands[1], result]) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        self.0 = self.0.wrapping_add(xxh3_64(&words));
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> String {
        format!("{:#018x}", digest.0)
    }
}

impl TryFrom<String> for Digest {
    type Error = String;

    fn try_from(text: String) -> Result<Digest, String> {
        let digits = text.strip_prefix("0x").filter(|digits| digits.len() == 16);
        let read = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        read.map(Digest).ok_or_else(|| "a digest is 0x and 16 hexadecimal digits".into())
    }
}

/// An input with its result and its error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The operands' bits; the second is 0 for a function of one operand.
    pub operands: [u64; 2],
    /// The bits of the result.
    pub result: u64,
    /// The bits of the correctly rounded result.
    pub nearest: u64,
    /// How many numbers lie between the result and the correctly rounded one, and one more: what the guide counts.
    pub distance: u64,
    /// The distance of the result from the exact value, in units of the last place there.
    pub error: f64,
}

/// The rules by which results of a function are counted.
pub struct Counting {
    /// The format of operands and results.
    pub format: &'static Format,
    /// The documented maximum, if there is one.
    pub limit: Option<fn(f64) -> Limit>,
    /// Whether subnormal operands and results may be flushed.
    pub flush: bool,
    /// The correctly rounded results of +0 and of −0, in bits.
    pub of_zero: [u64; 2],
}

impl Tally {
    /// Adds a result.
    #[inline]
    pub fn add(&mut self, counting: &Counting, operands: [u64; 2], known: FunctionValue, result: u64) {
        self.inputs += 1;
        let one_nan = counting.format.canonical_nan();
        self.digest.add(operands, if counting.format.is_nan(result) { one_nan } else { result });
        if result != known.nearest {
            self.count_difference(counting, operands, known, result);
        }
    }

    /// Counts a result whose bits are not those of the correctly rounded one.
    fn count_difference(
        &mut self,
        counting: &Counting,
        operands: [u64; 2],
        known: FunctionValue,
        result: u64,
    ) {
        let Counting { format, flush, .. } = *counting;
        let FunctionValue { nearest, value: exact } = known;
        let [is, should] = [result, nearest].map(|bits| format.is_nan(bits));
        if is && should {
            return;
        }
        let subnormal = |bits: u64| bits & format.magnitude_mask() < format.min_normal();
        if flush {
            let of_zero = counting.of_zero[usize::from(format.is_negative(operands[0]))];
            // A value that f64 cannot tell from the smallest normal number is below it, as that number's sine is.
            let flushed = result & format.magnitude_mask() == 0
                && exact.abs() <= power(format.exponent_min())
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
        let end = power(format.exponent_max() + 1);
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

    /// Adds the counts of later inputs.
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
        self.digest.0 = self.digest.0.wrapping_add(later.digest.0);
        let rank = |worst: &Option<Example>| worst.as_ref().map(|one| (one.distance, one.error));
        if rank(&later.worst) > rank(&self.worst) {
            self.worst.clone_from(&later.worst);
        }
        if self.first.is_none() {
            self.first.clone_from(&later.first);
        }
    }

    /// Has MPFR compute the errors of the examples.
    pub fn settle(&mut self, format: &'static Format, truths: &mut Truths) {
        for example in [&mut self.worst, &mut self.first].into_iter().flatten() {
            let known = truths.exact(example.operands.map(|bits| value(format, bits)));
            let end = power(format.exponent_max() + 1);
            let off = value(format, example.result).clamp(-end, end) - known.value.clamp(-end, end);
            example.error = off.abs() / unit(format, known.value);
        }
    }
}

/// Returns a unit of the last place of a number of this size.
fn unit(format: &Format, exact: f64) -> f64 {
    let exponent = (exact.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    // Subnormal numbers have the unit of the lowest binade, and what overflows has that of the highest.
    let exponent = exponent.clamp(format.exponent_min(), format.exponent_max());
    power(exponent - format.trailing_bits as i32)
}

#[cfg(test)]
mod tests {
    use formats::F32;

    use super::*;

    fn counted(limit: Limit, flush: bool, known: [f64; 2], result: f32) -> Tally {
        static LIMITS: [fn(f64) -> Limit; 2] = [|_| Limit::Ulp(1), |_| Limit::Absolute(1e-3)];
        let limit = LIMITS.into_iter().find(|own| own(0.0) == limit);
        let counting = Counting { format: &F32, limit, flush, of_zero: [0, 1 << 31] };
        let [operand, value] = known;
        let nearest = super::super::truth::nearest(&F32, value);
        let mut tally = Tally::default();
        let operand = (operand as f32).to_bits().into();
        tally.add(&counting, [operand, 0], FunctionValue { nearest, value }, result.to_bits().into());
        tally
    }

    #[test]
    fn distances_are_counted_in_numbers_and_errors_in_units() {
        // 1 + 0.3 units, whose nearest is 1; two numbers above it.
        let unit = f64::from(f32::EPSILON);
        let far = counted(Limit::Ulp(1), false, [3.0, 1.0 + 0.3 * unit], 1.0 + 2.0 * f32::EPSILON);
        let worst = far.worst.unwrap();
        assert_eq!((worst.distance, far.wrong, far.exceeding), (2, 1, 1));
        assert!((worst.error - 1.7).abs() < 1e-6);
        // Below 1 units are half as large.
        let below = counted(Limit::Ulp(1), false, [3.0, 1.0], 1f32.next_down()).worst.unwrap();
        assert_eq!((below.distance, below.error), (1, 0.5));
        let near = counted(Limit::Absolute(1e-3), false, [3.0, 1.0], 1.000_9);
        assert_eq!((near.wrong, near.exceeding), (1, 0));
        assert_eq!(counted(Limit::Absolute(1e-3), false, [3.0, 1.0], 1.002).exceeding, 1);
    }

    #[test]
    fn specials_are_counted_by_kind() {
        let of = |value: f64, result: f32| {
            let tally = counted(Limit::Ulp(1), false, [3.0, value], result);
            [tally.wrong, tally.nan, tally.infinite, tally.zero_sign, tally.exceeding]
        };
        assert_eq!(of(f64::NAN, f32::NAN), [0; 5]);
        assert_eq!(of(1.0, f32::NAN), [1, 1, 0, 0, 0]);
        assert_eq!(of(f64::NAN, 1.0), [1, 1, 0, 0, 0]);
        assert_eq!(of(0.0, -0.0), [1, 0, 0, 1, 0]);
        // Infinity is the number behind the largest.
        assert_eq!(of(f32::MAX.into(), f32::INFINITY), [1, 0, 1, 0, 0]);
        assert_eq!(of(1e60, f32::MAX), [1, 0, 1, 0, 0]);
        assert_eq!(of(1.0, f32::INFINITY), [1, 0, 1, 0, 1]);
    }

    #[test]
    fn subnormal_numbers_are_flushed_only_where_they_may_be() {
        let of = |flush, known, result| {
            let tally = counted(Limit::Ulp(1), flush, known, result);
            (tally.wrong, tally.flushed)
        };
        assert_eq!(of(true, [3.0, 1e-40], 0.0), (0, 1));
        assert_eq!(of(false, [3.0, 1e-40], 0.0), (1, 0));
        assert_eq!(of(true, [3.0, -1e-40], 0.0), (1, 0), "of the other sign");
        assert_eq!(of(true, [3.0, 1e-37], 0.0), (1, 0), "a normal number");
        // A subnormal operand counts as zero, of which this function gives zero.
        assert_eq!(of(true, [1e-40, 5.0], 0.0), (0, 1));
        assert_eq!(of(true, [1e-37, 5.0], 0.0), (1, 0));
    }

    #[test]
    fn the_worst_of_all_parts_is_kept_and_the_first_beyond() {
        let [one, two] = [2.0, 5.0]
            .map(|units| counted(Limit::Ulp(1), false, [units, 1.0], 1.0 + units as f32 * f32::EPSILON));
        let mut sum = one.clone();
        sum.merge(&two);
        sum.merge(&one);
        assert_eq!((sum.inputs, sum.wrong, sum.exceeding), (3, 3, 3));
        assert_eq!((sum.worst, sum.first), (two.worst, one.first));
    }
}
