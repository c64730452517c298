//! Exact numbers in plain integers: what the staged model computes with.

use vectors::Format;
use vectors::isa::Rounding;

/// `±significand × 2^exponent`; zero keeps its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    pub negative: bool,
    pub significand: u128,
    pub exponent: i32,
}

/// A datum of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Datum {
    /// A NaN, by its bits.
    Nan(u64),
    /// ±∞; `true` is negative.
    Infinity(bool),
    Finite(Number),
}

/// Bits that an aligned sum may take: enough that what is shifted out beyond them, kept as a sticky
/// bit, lies far below any rounding.
const SUM_BITS: u32 = 120;

impl Datum {
    pub fn decode(format: &Format, bits: u64) -> Datum {
        let negative = format.is_negative(bits);
        match format.decode(bits) {
            Some((significand, exponent)) => {
                Datum::Finite(Number { negative, significand: significand.into(), exponent })
            }
            None if format.is_nan(bits) => Datum::Nan(bits),
            None => Datum::Infinity(negative),
        }
    }
}

/// Shifts right; what falls off is kept as a sticky lowest bit.
fn shift_right_sticky(significand: u128, by: u32) -> u128 {
    match significand.checked_shr(by) {
        Some(shifted) => shifted | u128::from(shifted << by != significand),
        None => u128::from(significand != 0),
    }
}

impl Number {
    /// The exact product, of significands of at most 64 bits.
    pub fn times(self, other: Number) -> Number {
        Number {
            negative: self.negative != other.negative,
            significand: self.significand * other.significand,
            exponent: self.exponent + other.exponent,
        }
    }

    /// The sum, exact down to a sticky bit far below its leading one. An exact zero from opposite
    /// signs is negative if `zero_is_negative`.
    pub fn plus(self, other: Number, zero_is_negative: bool) -> Number {
        if other.significand == 0 && self.significand == 0 {
            let negative = match self.negative == other.negative {
                true => self.negative,
                false => zero_is_negative,
            };
            return Number { negative, ..self };
        }
        let (high, low) = match (self.significand, other.significand) {
            (0, _) => return other,
            (_, 0) => return self,
            _ if self.exponent >= other.exponent => (self, other),
            _ => (other, self),
        };
        let gap = (high.exponent - low.exponent) as u32;
        let room = high.significand.leading_zeros() - (u128::BITS - SUM_BITS);
        let up = gap.min(room);
        let high_significand = high.significand << up;
        let low_significand = shift_right_sticky(low.significand, gap - up);
        let exponent = high.exponent - up as i32;
        let (negative, significand) = if high.negative == low.negative {
            (high.negative, high_significand + low_significand)
        } else if high_significand >= low_significand {
            (high.negative, high_significand - low_significand)
        } else {
            (low.negative, low_significand - high_significand)
        };
        let negative = if significand == 0 { zero_is_negative } else { negative };
        Number { negative, significand, exponent }
    }

    /// Exponent of the leading bit; `None` for zero.
    pub fn leading(self) -> Option<i32> {
        let bits = u128::BITS - self.significand.leading_zeros();
        (bits > 0).then(|| self.exponent + bits as i32 - 1)
    }

    /// Rounds to `precision` bits, but to no bit below `2^unit`. `tie` decides halves, given whether
    /// the truncated significand is odd and the value negative.
    pub fn round(self, precision: u32, unit: i32, rounding: Rounding, tie: fn(bool) -> bool) -> Number {
        let Some(leading) = self.leading() else { return self };
        let unit = unit.max(leading - precision as i32 + 1);
        if unit <= self.exponent {
            return self;
        }
        let drop = (unit - self.exponent) as u32;
        let kept = self.significand.checked_shr(drop).unwrap_or(0);
        let rest = self.significand - kept.checked_shl(drop).unwrap_or(0);
        let half = 1u128.checked_shl(drop - 1).unwrap_or(u128::MAX);
        let up = match rounding {
            Rounding::NearestEven => rest > half || rest == half && tie(kept & 1 == 1),
            Rounding::TowardZero => false,
            Rounding::Down => self.negative && rest != 0,
            Rounding::Up => !self.negative && rest != 0,
            rounding => unreachable!("{rounding:?}"),
        };
        Number { significand: kept + u128::from(up), exponent: unit, ..self }
    }

    /// The bits of a number that has been rounded to `format` and is not too large for it.
    pub fn encode(self, format: &Format) -> u64 {
        let sign = if self.negative { format.sign_mask() } else { 0 };
        let Some(leading) = self.leading() else { return sign };
        let exponent = leading.max(format.exponent_min());
        let unit = exponent - format.trailing_bits as i32;
        let significand = match self.exponent >= unit {
            true => self.significand << (self.exponent - unit),
            false => self.significand >> (unit - self.exponent),
        } as u64;
        // The leading bit of a normal number adds one to the field of the exponent below.
        let field = (exponent - format.exponent_min()) as u64;
        sign | ((field << format.trailing_bits) + significand)
    }
}
