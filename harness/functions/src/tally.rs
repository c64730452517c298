//! The counts of results: how many are wrong, in what way, and by how much.

use formats::{Format, UlpReading};
use oracle::FunctionValue;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::table::Limit;
use super::truth::{Truths, power, value};

/// The counts of the results of one function under one way of approximating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Results beyond the documented maximum, if a unit is a step from one number to the next
    /// ([`UlpReading::Numbers`]).
    pub exceeding: u64,
    /// Results beyond the documented maximum, in units of the last place of the correctly rounded result. `None` in records
    /// that are older than this count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_units: Option<BeyondInUnits>,
    /// The digest of all results with their inputs, whatever their order: two equal digests stand for the same results,
    /// where each NaN counts as any other. Absent where it was not taken.
    #[serde(default, skip_serializing_if = "Digest::is_absent")]
    pub digest: Digest,
    /// The input with the largest error.
    pub worst: Option<Example>,
    /// The first input with a result beyond the documented maximum, among those that `exceeding` counts.
    pub first: Option<Example>,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally {
            inputs: 0,
            wrong: 0,
            nan: 0,
            infinite: 0,
            zero_sign: 0,
            flushed: 0,
            exceeding: 0,
            in_units: Some(BeyondInUnits::default()),
            digest: Digest::default(),
            worst: None,
            first: None,
        }
    }
}

/// The results beyond the documented maximum, in units of the last place of the correctly rounded result
/// ([`UlpReading::CorrectlyRounded`]).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BeyondInUnits {
    /// The number of these results.
    pub exceeding: u64,
    /// The first input with such a result.
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
    /// How many numbers lie between the result and the correctly rounded one, and one more: [`UlpReading::Numbers`].
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
        let distance = format.numbers_between(result, nearest);
        if distance == 0 {
            self.zero_sign += 1;
            return;
        }
        let [is, should] = [result, nearest].map(|bits| value(format, bits).is_infinite());
        self.infinite += u64::from(is != should);
        let (off, error) = errors(format, result, exact);
        let example = || Example { operands, result, nearest, distance, error };
        if let Some(limit) = counting.limit.map(|limit| limit(value(format, operands[0]))) {
            if limit.is_exceeded(distance as f64, off, exact) {
                self.exceeding += 1;
                self.first.get_or_insert_with(example);
            }
            let distance = UlpReading::CorrectlyRounded.distance(format, result, nearest);
            if let Some(beyond) = &mut self.in_units
                && limit.is_exceeded(distance, off, exact)
            {
                beyond.exceeding += 1;
                beyond.first.get_or_insert_with(example);
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
        self.in_units = self.in_units.take().zip(later.in_units.as_ref()).map(|(one, later)| {
            let exceeding = one.exceeding + later.exceeding;
            BeyondInUnits { exceeding, first: one.first.or_else(|| later.first.clone()) }
        });
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
        let in_units = self.in_units.as_mut().and_then(|beyond| beyond.first.as_mut());
        let examples = [&mut self.worst, &mut self.first].into_iter().flatten().chain(in_units);
        for example in examples {
            let known = truths.exact(example.operands.map(|bits| value(format, bits)));
            example.error = errors(format, example.result, known.value).1;
        }
    }
}

/// Returns the distance of a result from the exact value, and the same in units of the last place of the exact value.
/// Beyond the largest number comes the next power of two, which stands for all that overflows.
pub fn errors(format: &Format, result: u64, exact: f64) -> (f64, f64) {
    let end = power(format.exponent_max() + 1);
    let exact = exact.clamp(-end, end);
    let off = (value(format, result).clamp(-end, end) - exact).abs();
    let leading = (exact.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    (off, off / power(format.ulp_exponent(leading)))
}

#[cfg(test)]
mod tests;
