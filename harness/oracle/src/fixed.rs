//! Roundings that MPFR has no mode for: to multiples of a fixed unit, ties away, and by random bits.
//! MPFR still does the cutting: each takes an integral part of the operand scaled by a power of two.

use gmp_mpfr_sys::mpfr::{self, rnd_t};
use rug::Float;
use rug::float::Round;
use rug::ops::AssignRound;
use vectors::Format;
use vectors::isa::Rounding;

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

/// The integer that a number is, without its sign; `None` from 2^64 on.
fn magnitude(value: &Float) -> Option<u64> {
    if value.is_zero() {
        return Some(0);
    }
    let leading = exponent(value).filter(|&leading| leading < 64)?;
    Some(significand(value) >> (63 - leading))
}

/// A conversion to an integer or another fixed-point format.
pub struct Fixed {
    /// The operand's format.
    pub source: &'static Format,
    /// The destination.
    pub result: &'static Format,
}

impl Fixed {
    /// The operand times `2^power`, rounded to the destination's unit and clamped to its range;
    /// signed fixed point reaches below its smallest symmetric number only if `to_minimum`.
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
            return Rounded::exact(self.nan());
        }
        // Exact: a power of two, at a precision that holds the operand.
        scratch.assign_round(&*value << (power + self.result.bias), Round::Zero);
        to_integer(scratch, rounding);
        let size = magnitude(scratch).map_or(i128::MAX, i128::from);
        let integer = if scratch.is_sign_negative() { -size } else { size };
        // Integers reach down to −2^(n−1); of fixed point "sign-preserved MAX_NORM" is the limit.
        let highest = i128::from(self.result.max_finite());
        let lowest = if self.result.signed { -highest - 1 } else { 0 };
        let symmetric = self.result.bias != 0;
        let below_minimum = symmetric && integer <= lowest;
        let lowest = if symmetric && !to_minimum { lowest + 1 } else { lowest };
        let bits = integer.clamp(lowest, highest) as u64 & self.result.mask();
        Rounded { below_minimum, ..Rounded::exact(bits) }
    }

    /// "Zero if source is not .f64 and destination is not .s64, .u64; otherwise
    /// 1 << (BitWidth(dst) - 1)" (PTX ISA 9.7.10.24), and the largest number in fixed point.
    fn nan(&self) -> u64 {
        if self.result.bias != 0 {
            self.result.max_finite()
        } else if self.source.width() == 64 || self.result.width() == 64 {
            1 << (self.result.width() - 1)
        } else {
            0
        }
    }
}

/// A rounding that adds something to the discarded bits: it goes away from zero if they carry.
pub struct Discards {
    /// How many of the discarded bits take part.
    pub count: u32,
    /// What is added to them.
    pub added: u64,
}

impl Discards {
    /// Half a unit: nearest, ties away.
    pub fn half() -> Discards {
        Discards { count: 1, added: 1 }
    }

    /// The operand rounded to a binary floating-point format.
    pub fn round(&self, scratch: &mut Float, format: &'static Format, operand: &Operand) -> Rounded {
        let value = operand.get();
        let negative = value.is_sign_negative();
        let sign = if negative { format.sign_mask() } else { 0 };
        let Some(leading) = exponent(&value) else {
            return match (value.is_nan(), value.is_zero()) {
                (true, _) => Rounded::nan(format),
                (_, true) => Rounded { negative, ..Rounded::exact(sign) },
                _ => Rounded::beyond(format, negative),
            };
        };
        let unit = (leading - format.trailing_bits as i32).max(format.unit());
        // At most 24 + 16 bits remain above the point.
        scratch.assign_round(&*value << (self.count as i32 - unit), Round::Zero);
        to_integer(scratch, Rounding::TowardZero);
        let kept = magnitude(scratch).expect("at most 40 bits");
        let significand = (kept + self.added) >> self.count;
        // The implicit bit adds one to the exponent field, and so does a carry.
        let field = (unit - format.unit()) as u64;
        let magnitude = (field << format.trailing_bits) + significand;
        if magnitude > format.max_finite() {
            return Rounded::beyond(format, negative);
        }
        Rounded { negative, ..Rounded::exact(sign | magnitude) }
    }
}

/// The random bits of a lane (PTX ISA 9.7.10.24). Which half serves which operand is the manual's;
/// that the first of a pair reads its half in reverse was measured on sm_100a.
pub fn random_field(result: &Format, lane: usize, lanes: usize, random: u64, reversed: bool) -> u64 {
    let [low, high] = [random & 0xffff, random >> 16 & 0xffff];
    if lanes == 2 {
        let half = if lane == 1 { high } else { low };
        return if result.exponent_bits == 5 { half & 0x1fff } else { half };
    }
    // Lanes 3 and 2 are a and b, 1 and 0 are e and f.
    let first_pair = lane >= 2;
    let field = if result.width() == 4 {
        let byte = |half: u64| if first_pair { half >> 8 } else { half & 0xff };
        byte(high) << 8 | byte(low)
    } else if first_pair {
        high
    } else {
        low
    };
    if lane % 2 == 1 && reversed { u64::from((field as u16).reverse_bits()) } else { field }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vectors::format::{E2M1, E4M3, F16};

    /// The fields that were measured for rbits = 0x12345678 (catalogue, 6.3).
    #[test]
    fn random_fields_are_those_that_were_measured() {
        let fields = |format| [3, 2, 1, 0].map(|lane| random_field(format, lane, 4, 0x1234_5678, true));
        assert_eq!(fields(&E4M3), [0x2c48, 0x1234, 0x1e6a, 0x5678]);
        assert_eq!(fields(&E2M1), [0x6a48, 0x1256, 0x1e2c, 0x3478]);
        assert_eq!(random_field(&F16, 1, 2, 0xffff_0000, true), 0x1fff);
    }
}
