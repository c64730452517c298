//! The one rounding of an exact result: MPFR rounds once, to as many bits as the format has at that magnitude.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use formats::{Format, Scale};
use isa::Rounding;
use rug::Float;
use rug::float::Round;
use rug::ops::AssignRound;

/// Returns MPFR's name for a rounding; toward zero, where MPFR lacks it.
fn mpfr_round(rounding: Rounding) -> Round {
    match rounding {
        Rounding::NearestEven => Round::Nearest,
        Rounding::Down => Round::Down,
        Rounding::Up => Round::Up,
        Rounding::TowardZero | Rounding::NearestAway | Rounding::Stochastic => Round::Zero,
    }
}

/// A correctly rounded result, and what later stages have to know about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rounded {
    /// The result as IEEE 754 has it: gradual underflow, overflow by rounding, canonical NaN.
    pub bits: u64,
    /// Whether the number is below zero, where it is beyond the largest finite number or was rounded to that.
    pub negative: bool,
    /// Whether the result is NaN, and not because it is too large for a format without infinity.
    pub nan: bool,
    /// Whether the result is infinite, or was rounded to something beyond the largest finite number.
    pub overflowed: bool,
    /// Whether the exact result is finite, and beyond the largest finite number.
    pub beyond: bool,
    /// Whether the result is the largest finite number, but would be beyond that if it were rounded as if the
    /// exponent had no upper limit.
    pub beyond_without_limit: bool,
    /// Whether the result is too large, and random bits say that it is rounded toward zero.
    pub too_large_inwards: bool,
    /// Whether the exact result is zero.
    pub zero: bool,
    /// Whether the exact result is not zero, and below the smallest normal number in magnitude.
    pub tiny_exact: bool,
    /// Whether the result is below the smallest normal number, once rounded at full precision as if the exponent had
    /// no lower limit.
    pub tiny_unbounded: bool,
    /// Whether a fixed-point result lies below the symmetric range.
    pub below_minimum: bool,
}

impl Rounded {
    /// Makes a result that needs no further stage's attention.
    #[inline]
    pub fn exact(bits: u64) -> Rounded {
        Rounded { bits, ..Rounded::default() }
    }

    /// Makes a result that is not a number, with these bits in its place.
    #[inline]
    pub fn nan(bits: u64) -> Rounded {
        Rounded { bits, nan: true, ..Rounded::default() }
    }

    /// Makes the result for what lies beyond the largest finite number: infinity; without one, NaN; without either,
    /// the largest number.
    #[inline]
    pub fn overflowed(format: &Format, negative: bool) -> Rounded {
        let sign = if negative { format.sign_mask() } else { 0 };
        let bits = match (format.infinity(), format.nan()) {
            (Some(infinity), _) => sign | infinity,
            (None, Some(nan)) => nan,
            (None, None) => sign | format.max_finite(),
        };
        Rounded { bits, negative, overflowed: true, ..Rounded::default() }
    }

    /// Makes the result for a finite number beyond the largest one: as [`Rounded::overflowed`], with `beyond` set.
    #[inline]
    pub fn too_large(format: &Format, negative: bool) -> Rounded {
        Rounded { beyond: true, ..Rounded::overflowed(format, negative) }
    }
}

/// The place of a rounded result in a format.
enum Magnitude {
    /// A normal number: the exact value is one, and it was rounded to these bits of magnitude.
    Normal(u64),
    /// A result whose exact value is below the smallest normal number, and has its leading bit at `exponent`.
    Tiny {
        exponent: i32,
        rounds_to_normal: bool,
    },
    Zero,
    /// A result that was rounded to something finite beyond the largest number.
    TooLarge,
    Infinite,
    Nan,
}

impl Magnitude {
    /// Returns the place of a result that was rounded at the format's precision; `ordering` is how it compares with
    /// the exact one.
    #[inline(always)] // it never comes to be in memory then
    fn of(value: &Float, ordering: Ordering, format: &Format) -> Magnitude {
        let Some(exponent) = exponent(value) else {
            return match (value.is_nan(), value.is_zero()) {
                (true, _) => Magnitude::Nan,
                (_, true) => Magnitude::Zero,
                _ => Magnitude::Infinite,
            };
        };
        if exponent > format.exponent_max() {
            return Magnitude::TooLarge;
        }
        let top = significand(value);
        // Where rounding reached a power of two from below, the exact result is in the binade under.
        let grew = if value.is_sign_negative() { Ordering::Less } else { Ordering::Greater };
        let exact_exponent = exponent - i32::from(top == LEADING && ordering == grew);
        if exact_exponent < format.exponent_min() {
            let rounds_to_normal = exponent >= format.exponent_min();
            return Magnitude::Tiny { exponent: exact_exponent, rounds_to_normal };
        }
        let field = (exponent + format.bias) as u64;
        let trailing = (top & !LEADING) >> (63 - format.trailing_bits);
        let bits = field << format.trailing_bits | trailing;
        // A format may end before its last binade does, as E4M3 does.
        if bits > format.max_finite() { Magnitude::TooLarge } else { Magnitude::Normal(bits) }
    }
}

/// The leading bit of a significand, as [`significand`] returns it.
const LEADING: u64 = 1 << 63;

/// Rounding of results into a format, in one direction. A rounder owns a number of every precision it may need.
pub struct Rounder {
    format: &'static Format,
    rounding: Rounding,
    round: Round,
    /// The bits of a result that is not a number.
    nan: u64,
    /// MPFR's scratch numbers: `numbers[n - 1]` has a precision of `n` bits.
    numbers: Vec<Float>,
}

impl Rounder {
    /// Makes a rounder into `format`, where what is not a number becomes `nan`.
    pub fn new(format: &'static Format, rounding: Rounding, nan: u64) -> Rounder {
        let numbers = (1..=format.precision()).map(Float::new).collect();
        Rounder { format, rounding, round: mpfr_round(rounding), nan, numbers }
    }

    /// Rounds what `operate` computes. `operate` stores its exact result in the number given, rounded as told, and
    /// returns how the stored number compares with the exact one: one call of an MPFR function. It is called again
    /// where the result turns out to have fewer bits, and was not exact.
    #[inline]
    pub fn round(&mut self, operate: impl Fn(&mut Float, Round) -> Ordering) -> Rounded {
        let format = self.format;
        let value = self.numbers.last_mut().expect("precisions start at 1");
        let ordering = operate(value, self.round);
        let negative = value.is_sign_negative();
        let sign = if negative { format.sign_mask() } else { 0 };
        match Magnitude::of(value, ordering, format) {
            Magnitude::Normal(bits) => {
                let inwards = if negative { Ordering::Greater } else { Ordering::Less };
                let beyond = bits == format.max_finite() && ordering == inwards;
                Rounded { bits: sign | bits, negative, beyond, ..Rounded::default() }
            }
            Magnitude::Tiny { exponent, rounds_to_normal } => {
                let bits = sign | self.subnormal(operate, exponent, ordering, negative);
                let tiny_unbounded = !rounds_to_normal;
                Rounded { bits, tiny_exact: true, tiny_unbounded, ..Rounded::default() }
            }
            Magnitude::Zero => Rounded { zero: true, ..Rounded::exact(sign) },
            Magnitude::TooLarge => {
                if self.outwards(negative) {
                    return Rounded::too_large(format, negative);
                }
                let (bits, beyond) = (sign | format.max_finite(), true);
                Rounded { bits, negative, beyond, beyond_without_limit: true, ..Rounded::default() }
            }
            Magnitude::Infinite => Rounded::overflowed(format, negative),
            Magnitude::Nan => Rounded::nan(self.nan),
        }
    }

    /// Returns the magnitude of a result whose exact value is below the smallest normal number. Such a result is a
    /// multiple of the smallest subnormal number, so the lower its exponent, the fewer bits it is rounded to.
    fn subnormal(
        &mut self,
        operate: impl Fn(&mut Float, Round) -> Ordering,
        exponent: i32,
        ordering: Ordering,
        negative: bool,
    ) -> u64 {
        if self.format.scale == Scale::Power {
            // There is nothing below the smallest power.
            return 0;
        }
        let unit = self.format.exponent_of_lsb();
        let bits = exponent - unit + 1;
        let (value, narrower) = self.numbers.split_last_mut().expect("precisions start at 1");
        if bits < 1 {
            // Below the smallest subnormal: zero or that one, by direction or by half.
            let half = ordering.is_eq() && significand(value) == LEADING;
            let above_half = bits == 0 && !half;
            let nearest = self.rounding == Rounding::NearestEven;
            return u64::from(above_half && nearest || self.outwards(negative) && !nearest);
        }
        let number = &mut narrower[bits as usize - 1];
        match ordering {
            // What was exact is as good as the operands.
            Ordering::Equal => number.assign_round(&*value, self.round),
            Ordering::Less | Ordering::Greater => operate(number, self.round),
        };
        let rounded =
            self::exponent(number).expect("rounding at any precision leaves a non-zero result");
        significand(number) >> (63 - (rounded - unit))
    }

    /// Whether a number that has no upper neighbour in the format is rounded away from zero all the same.
    fn outwards(&self, negative: bool) -> bool {
        match self.rounding {
            Rounding::NearestEven | Rounding::NearestAway => true,
            Rounding::TowardZero | Rounding::Stochastic => false,
            Rounding::Down => negative,
            Rounding::Up => !negative,
        }
    }
}

/// Returns the exponent of a regular number's leading bit (MPFR counts from one above); `None` of any other number.
#[inline]
pub fn exponent(value: &Float) -> Option<i32> {
    value.get_exp().map(|exponent| exponent - 1)
}

/// Returns the significand of a regular number, its leading bit in the top bit.
#[inline]
pub fn significand(value: &Float) -> u64 {
    value.get_significand().expect("a regular number").to_u64_wrapping()
}
