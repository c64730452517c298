//! Roundings that MPFR has no mode for: to multiples of a fixed unit, ties away, and by random bits.
//! MPFR still does the cutting: each takes an integral part of the operand scaled by a power of two.

use std::cmp::Ordering;

use formats::{Format, Scale};
use gmp_mpfr_sys::mpfr::{self, rnd_t};
use isa::{RandomBits, RandomFields, Rounding};
use rug::Float;
use rug::float::Round;
use rug::ops::AssignRound;

use super::operand::Operand;
use super::rounded::{Rounded, exponent, significand};

/// Rounds a number to an integer, in place.
pub fn to_integer(value: &mut Float, rounding: Rounding) {
    let round = match rounding {
        Rounding::NearestEven => rnd_t::RNDN,
        Rounding::TowardZero => rnd_t::RNDZ,
        Rounding::Down => rnd_t::RNDD,
        Rounding::Up => rnd_t::RNDU,
        Rounding::NearestAway | Rounding::Stochastic => unreachable!("not a rounding to integers"),
    };
    let value = value.as_raw_mut();
    // SAFETY: the number is initialised, and MPFR's results may take the place of operands. (`rug` has
    // functions for all this, but each of them allocates.)
    unsafe { mpfr::rint(value, value, round) };
}

/// Returns the integer that a number is, without its sign; `None` from 2^64 on.
fn magnitude(value: &Float) -> Option<u64> {
    if value.is_zero() {
        return Some(0);
    }
    let leading = exponent(value).filter(|&leading| leading < 64)?;
    Some(significand(value) >> (63 - leading))
}

/// Rounding of conversions to an integer or another fixed-point format.
pub struct Fixed {
    /// The destination's format.
    pub result: &'static Format,
    /// The bits that NaN becomes in the destination.
    pub nan: u64,
}

impl Fixed {
    /// Returns the operand times `2^power`, rounded to the destination's unit and clamped to its range. Signed fixed
    /// point reaches below its smallest symmetric number only if `to_minimum`.
    pub fn round(
        &self,
        scratch: &mut Float,
        operand: &Operand,
        power: i32,
        rounding: Rounding,
        to_minimum: bool,
    ) -> Rounded {
        let value = operand.get();
        if value.is_nan() {
            return Rounded::exact(self.nan);
        }
        // Exact: a power of two, at a precision that holds the operand.
        scratch.assign_round(&*value << (power + self.result.bias), Round::Zero);
        to_integer(scratch, rounding);
        let size = magnitude(scratch).map_or(i128::MAX, i128::from);
        let integer = if scratch.is_sign_negative() { -size } else { size };
        // Integers reach down to −2^(n−1); for fixed point "sign-preserved MAX_NORM" is the limit.
        let highest = i128::from(self.result.max_finite());
        let lowest = if self.result.signed { -highest - 1 } else { 0 };
        let symmetric = self.result.bias != 0;
        let below_minimum = symmetric && integer <= lowest;
        let lowest = if symmetric && !to_minimum { lowest + 1 } else { lowest };
        let bits = integer.clamp(lowest, highest) as u64 & self.result.mask();
        Rounded { below_minimum, ..Rounded::exact(bits) }
    }
}

/// Rounding that adds something to the discarded bits of an operand: it goes away from zero if they carry.
pub struct GuardBits {
    /// The number of discarded bits that take part.
    pub count: u32,
    /// The number that is added to the discarded bits.
    pub added: u64,
    /// The position of the bits that take part among the discarded ones.
    pub alignment: Alignment,
}

/// The choice of which of the bits that an operand loses take part in a rounding.
#[derive(Clone, Copy)]
pub enum Alignment {
    /// The highest bits.
    Highest,
    /// The lowest bits, of an operand of this format.
    Lowest(&'static Format),
    /// The bits that would be the highest ones if the result were normal, even where it is not, of an operand of this
    /// format.
    AsOfNormal(&'static Format),
}

impl GuardBits {
    /// Returns the rounding to nearest, ties away, which adds half a unit.
    pub fn half() -> GuardBits {
        GuardBits { count: 1, added: 1, alignment: Alignment::Highest }
    }

    /// Returns the operand rounded to a binary floating-point format, where NaN becomes `nan`.
    pub fn round(
        &self,
        scratch: &mut Float,
        format: &'static Format,
        nan: u64,
        operand: &Operand,
    ) -> Rounded {
        let value = operand.get();
        let negative = value.is_sign_negative();
        let sign = if negative { format.sign_mask() } else { 0 };
        let Some(leading) = exponent(&value) else {
            return match (value.is_nan(), value.is_zero()) {
                (true, _) => Rounded::nan(nan),
                (_, true) => Rounded { zero: true, ..Rounded::exact(sign) },
                _ => Rounded::overflowed(format, negative),
            };
        };
        let unit = (leading - format.trailing_bits as i32).max(format.exponent_of_lsb());
        let count = match self.alignment {
            // At most 24 + 16 bits remain above the point.
            Alignment::Highest => self.count,
            // All that is lost; at most 24 bits remain above it.
            Alignment::Lowest(from) => {
                let last = (leading - from.trailing_bits as i32).max(from.exponent_of_lsb());
                (unit - last) as u32
            }
            // These bits move with the operand's significand, which moves no further where the operand is subnormal.
            Alignment::AsOfNormal(from) => {
                let normal = leading.max(from.exponent_min()) - format.trailing_bits as i32;
                self.count + (unit - normal).max(0) as u32
            }
        };
        scratch.assign_round(&*value << (count as i32 - unit), Round::Zero);
        to_integer(scratch, Rounding::TowardZero);
        let kept = magnitude(scratch).expect("at most 40 bits");
        let significand = (kept + self.added).checked_shr(count).unwrap_or(0);
        // The leading digit of a power of two is no part of its encoding, which begins with the smallest power.
        let powers = format.scale == Scale::Power;
        let significand = if powers { significand.saturating_sub(1) } else { significand };
        // The implicit bit adds one to the exponent field, and so does a carry.
        let field = (unit - format.exponent_of_lsb()) as u64;
        let magnitude = (field << format.trailing_bits) + significand;
        if magnitude > format.max_finite() {
            let carries = (kept + self.added) >> count != kept >> count;
            return Rounded { too_large_inwards: !carries, ..Rounded::too_large(format, negative) };
        }
        let mut largest = Operand::new(format.precision());
        let beyond = magnitude == format.max_finite() && {
            largest.set(format, magnitude);
            value.cmp_abs(&largest.get()).is_some_and(Ordering::is_gt)
        };
        let tiny_exact = leading < format.exponent_min();
        Rounded { negative, beyond, tiny_exact, ..Rounded::exact(sign | magnitude) }
    }
}

/// Returns the random bits of a lane (PTX ISA 9.7.10.24). The manual says which half serves which operand. That the
/// first of a pair reads its half in reverse was measured on sm_100a.
pub fn random_field(bits: RandomBits, lane: usize, random: u64, reversed: bool) -> u64 {
    let [low, high] = [random & 0xffff, random >> 16 & 0xffff];
    // Lanes 3 and 2 are a and b, 1 and 0 are e and f.
    let first_pair = lane >= 2;
    let field = match bits.fields {
        RandomFields::Halves => {
            let half = if lane == 1 { high } else { low };
            return half & ((1 << bits.count) - 1);
        }
        RandomFields::PairsOfHalves if first_pair => high,
        RandomFields::PairsOfHalves => low,
        RandomFields::PairsOfBytes => {
            let byte = |half: u64| if first_pair { half >> 8 } else { half & 0xff };
            byte(high) << 8 | byte(low)
        }
    };
    if lane % 2 == 1 && reversed { u64::from((field as u16).reverse_bits()) } else { field }
}

#[cfg(test)]
mod tests {
    use isa::{Conversion, Op, Variant};

    use super::*;

    /// Checks the fields that were measured for rbits = 0x12345678 (catalogue, 6.3).
    #[test]
    fn random_fields_are_those_that_were_measured() {
        let field = |text: &str, lane, random| {
            let variant: Variant = text.parse().unwrap();
            let Op::Convert(Conversion::Stochastic(bits)) = variant.meaning().op else {
                panic!("{text}")
            };
            random_field(bits, lane, random, true)
        };
        let fields = |text: &str| [3, 2, 1, 0].map(|lane| field(text, lane, 0x1234_5678));
        assert_eq!(fields("cvt.rs.satfinite.e4m3x4.f32"), [0x2c48, 0x1234, 0x1e6a, 0x5678]);
        assert_eq!(fields("cvt.rs.satfinite.e2m1x4.f32"), [0x6a48, 0x1256, 0x1e2c, 0x3478]);
        assert_eq!(field("cvt.rs.f16x2.f32", 1, 0xffff_0000), 0x1fff);
    }
}
