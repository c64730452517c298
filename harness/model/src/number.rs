//! Exact numbers in plain integers, and what a rounding needs to know of them.

use std::cmp::Ordering;

use formats::{Format, Scale, Specials};

/// `±significand × 2^exponent`; zero keeps its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    pub negative: bool,
    pub significand: u128,
    pub exponent: i32,
}

/// The number of bits that an aligned sum may take: enough that what is shifted out beyond them, kept as a sticky
/// bit, lies far below any rounding.
const SUM_BITS: u32 = 120;

/// The facts that a rounding goes by: the sign, the last bit that is kept, and all bits that are cut off.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// Whether the number is negative.
    pub negative: bool,
    /// Whether the truncated significand is odd.
    pub odd: bool,
    rest: u128,
    /// How many bits `rest` has.
    width: u32,
}

impl Cut {
    /// Describes a cut behind the significand `kept`, where `rest`, of `width` bits, is cut off.
    pub fn new(negative: bool, kept: u128, rest: u128, width: u32) -> Cut {
        Cut { negative, odd: kept & 1 == 1, rest, width }
    }

    /// Whether nothing but zeros is cut off.
    pub fn is_exact(&self) -> bool {
        self.rest == 0
    }

    /// Compares what is cut off with half a unit of the last place.
    pub fn against_half(&self) -> Ordering {
        // Half of so many places is more than 128 bits of `rest` can be.
        match 1u128.checked_shl(self.width - 1) {
            Some(half) => self.rest.cmp(&half),
            None => Ordering::Less,
        }
    }

    /// Whether rounding to nearest, ties to even, makes the magnitude one unit larger.
    pub fn is_nearer_above(&self) -> bool {
        match self.against_half() {
            Ordering::Less => false,
            Ordering::Equal => self.odd,
            Ordering::Greater => true,
        }
    }

    /// Whether bits carry that are added to the `count` highest ones of what is cut off, the last to the last.
    pub fn carries_with(&self, bits: u64, count: u32) -> bool {
        (self.first_bits(count) + u128::from(bits)) >> count != 0
    }

    /// Whether bits carry that are added to the lowest ones of what is cut off.
    pub fn carries_with_lowest(&self, bits: u64) -> bool {
        // The sum has a bit more than either, so that it cannot reach so high a place.
        self.width < u128::BITS && (self.rest + u128::from(bits)) >> self.width != 0
    }

    /// Returns the highest `count` bits of what is cut off.
    pub fn first_bits(&self, count: u32) -> u128 {
        match self.width.checked_sub(count) {
            Some(beyond) => self.rest.checked_shr(beyond).unwrap_or(0),
            None => self.rest << (count - self.width),
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
    /// Returns the zero of a sign.
    pub const fn zero(negative: bool) -> Number {
        Number { negative, significand: 0, exponent: 0 }
    }

    /// Returns the lowest signed integer of a width in bits.
    pub const fn lowest_integer(width: u32) -> Number {
        Number { negative: true, significand: 1, exponent: width as i32 - 1 }
    }

    /// The number 1.
    pub const ONE: Number = Number { negative: false, significand: 1, exponent: 0 };

    /// Multiplies the number by 2 to the power of `by`.
    pub fn scaled(self, by: i32) -> Number {
        Number { exponent: self.exponent + by, ..self }
    }

    /// Returns the exact product of numbers with significands of at most 64 bits.
    pub fn times(self, other: Number) -> Number {
        Number {
            negative: self.negative != other.negative,
            significand: self.significand * other.significand,
            exponent: self.exponent + other.exponent,
        }
    }

    /// Returns the quotient by a divisor that is not zero, of significands of at most 64 bits: at least 63
    /// bits of it, and the remainder as a sticky bit below them.
    pub fn divided_by(self, divisor: Number) -> Number {
        let negative = self.negative != divisor.negative;
        if self.significand == 0 {
            return Number::zero(negative);
        }
        // The leading bit to place 126, so that the quotient has room for one bit more.
        let up = self.significand.leading_zeros() - 1;
        let dividend = self.significand << up;
        let (quotient, remainder) = (dividend / divisor.significand, dividend % divisor.significand);
        Number {
            negative,
            significand: quotient << 1 | u128::from(remainder != 0),
            exponent: self.exponent - up as i32 - divisor.exponent - 1,
        }
    }

    /// Returns the square root of a number that is not negative: at least 62 bits of it, and the remainder as
    /// a sticky bit below them.
    pub fn root(self) -> Number {
        if self.significand == 0 {
            return self;
        }
        let up = self.significand.leading_zeros() - 1;
        // An odd exponent takes one bit less.
        let up = up - (self.exponent - up as i32).rem_euclid(2) as u32;
        let square = self.significand << up;
        let root = square.isqrt();
        Number {
            negative: false,
            significand: root << 1 | u128::from(root * root != square),
            exponent: (self.exponent - up as i32) / 2 - 1,
        }
    }

    /// Whether [`Number::plus`] keeps all bits of the sum.
    pub fn sum_is_whole(self, other: Number) -> bool {
        let (high, low) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        if high.significand == 0 || low.significand == 0 {
            return true;
        }
        let room = high.significand.leading_zeros() - (u128::BITS - SUM_BITS);
        let lost = high.exponent.abs_diff(low.exponent).saturating_sub(room);
        low.significand.trailing_zeros() >= lost
    }

    /// Returns the sum, exact down to a sticky bit far below its leading one. An exact zero from opposite
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

    /// Returns the number without its bits below `2^unit`, and with the lowest bit set if any of them was.
    pub fn jammed(self, unit: i32) -> Number {
        match u32::try_from(unit - self.exponent) {
            Ok(by) if by > 0 => {
                let significand = shift_right_sticky(self.significand, by);
                Number { significand, exponent: unit, ..self }
            }
            _ => self,
        }
    }

    /// Returns the exponent of the leading bit; `None` for zero.
    pub fn leading(self) -> Option<i32> {
        let bits = u128::BITS - self.significand.leading_zeros();
        (bits > 0).then(|| self.exponent + bits as i32 - 1)
    }

    /// Whether the magnitude of this number is larger than that of `other`.
    pub fn exceeds(self, other: Number) -> bool {
        let key = |number: Number| {
            let aligned = number.significand.checked_shl(number.significand.leading_zeros());
            (number.leading(), aligned)
        };
        key(self) > key(other)
    }

    /// Whether two numbers have the same value.
    pub fn equals(self, other: Number) -> bool {
        let signs = self.negative == other.negative || self.significand == 0;
        signs && !self.exceeds(other) && !other.exceeds(self)
    }

    /// Rounds to `precision` bits, but to no bit below `2^unit`. `away` decides whether what is cut
    /// off makes the magnitude one unit larger.
    pub fn round(self, precision: u32, unit: i32, away: impl Fn(&Cut) -> bool) -> Number {
        let Some(leading) = self.leading() else { return self };
        let unit = unit.max(leading - precision as i32 + 1);
        if unit <= self.exponent {
            return self;
        }
        let width = (unit - self.exponent) as u32;
        let kept = self.significand.checked_shr(width).unwrap_or(0);
        let rest = self.significand - kept.checked_shl(width).unwrap_or(0);
        let cut = Cut::new(self.negative, kept, rest, width);
        Number { significand: kept + u128::from(away(&cut)), exponent: unit, ..self }
    }

    /// Returns the power of two that is nearest in the logarithm.
    pub fn nearest_power(self) -> Number {
        let Some(leading) = self.leading() else { return self };
        let (one, half) = (Number::ONE.scaled(2 * leading), self.significand.trailing_zeros());
        // Squares are compared: the middle is an odd power of the root of two.
        let short = Number { significand: self.significand >> half, ..self }.scaled(half as i32);
        let up = short.significand < 1 << 64 && short.times(short).exceeds(one.scaled(1));
        Number { significand: 1, exponent: leading + i32::from(up), ..self }
    }

    /// Returns this number, which `exact` was rounded to, with an odd last place if it was not exact: one step up or down
    /// where it is even. The step has the direction that is right for a positive sum, whatever the sign is.
    pub fn nudged(self, exact: Number, precision: u32, lsb: i32) -> Number {
        let Some(leading) = self.leading() else { return self };
        let unit = lsb.max(leading - precision as i32 + 1);
        let Ok(up) = u32::try_from(self.exponent - unit) else { return self };
        let significand = self.significand << up;
        let (below, above) = (exact.exceeds(self), self.exceeds(exact));
        if significand & 1 == 1 || !below && !above {
            return self;
        }
        let significand = if below != self.negative { significand + 1 } else { significand - 1 };
        Number { significand, exponent: unit, ..self }
    }

    /// Encodes a number that has been rounded to `format` and is not too large for it. An integer that is too large
    /// becomes its low bits.
    pub fn encode(self, format: &Format) -> u64 {
        let (negative, leading) = (self.negative, self.leading());
        match format.scale {
            Scale::Fixed => {
                let magnitude = self.in_units(format.exponent_of_lsb());
                (if negative { magnitude.wrapping_neg() } else { magnitude }) & format.mask()
            }
            // No zero: what is too small is the smallest number.
            Scale::Power => leading.map_or(0, |l| (l - format.exponent_of_lsb()).max(0) as u64),
            Scale::Floating => {
                let sign = if negative { format.sign_mask() } else { 0 };
                let Some(leading) = leading else {
                    let unsigned = format.specials == Specials::NanNegativeZero;
                    return if unsigned { 0 } else { sign };
                };
                let exponent = leading.max(format.exponent_min());
                let significand = self.in_units(exponent - format.trailing_bits as i32);
                // The leading bit of a normal number adds one to the field of the exponent below.
                let field = (exponent - format.exponent_min()) as u64;
                sign | ((field << format.trailing_bits) + significand)
            }
        }
    }

    /// Returns the low 64 bits of the magnitude in units of `2^unit`.
    fn in_units(self, unit: i32) -> u64 {
        let by = self.exponent.abs_diff(unit);
        let shifted = match self.exponent >= unit {
            true => self.significand.checked_shl(by),
            false => self.significand.checked_shr(by),
        };
        shifted.unwrap_or(0) as u64
    }
}
