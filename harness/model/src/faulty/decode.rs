//! The stages with faults of decoding.

use formats::{F64, Format, Scale, Specials};

use super::Faulty;
use crate::Fault;
use crate::datum::Datum;
use crate::fault::top_exponent_is_finite;
use crate::number::{Cut, Number};
use crate::stages::{Decode, VariantFacts};

impl Decode for Faulty<'_> {
    fn flushed(&self, index: usize, bits: u64) -> u64 {
        let flushed = self.plain.flushed(index, bits);
        if flushed != bits && self.has(Fault::InputFlushLosesSign) { 0 } else { flushed }
    }

    fn read(&self, format: &Format, bits: u64) -> Datum {
        if let (Some(width), None) = (self.integral_width, format.decode(bits)) {
            let negative = format.is_negative(bits) && !format.is_nan(bits);
            return Datum::Finite(self.integer_beyond(width, negative));
        }
        let word_lost = self.has(Fault::LowWordLost) && *format == F64;
        let bits = if word_lost { bits & !u64::from(u32::MAX) } else { bits };
        if let Some(datum) = self.misread_special(format, bits) {
            return datum;
        }
        let magnitude = bits & format.magnitude_mask();
        let subnormal = || format.has_subnormals() && magnitude < format.min_normal();
        match Datum::decode(format, bits) {
            Datum::Nan(negative) if self.has(Fault::NanIsInfinity) && format.infinity().is_some() => {
                Datum::Infinity(negative)
            }
            Datum::Finite(number) if format.scale == Scale::Fixed => {
                Datum::Finite(self.integer_read(format, bits, number))
            }
            Datum::Nan(negative) if self.nan_is_cut(format) => self.cut_nan(format, bits, negative),
            Datum::Finite(number) if self.has(Fault::SubnormalMisscaled) && subnormal() => {
                Datum::Finite(number.scaled(-1))
            }
            Datum::Finite(number) if self.has(Fault::SubnormalDoubled) && subnormal() => {
                Datum::Finite(number.scaled(1))
            }
            Datum::Finite(number)
                if self.has(Fault::SubnormalAsNormal) && subnormal() && magnitude != 0 =>
            {
                let significand = number.significand | 1 << format.trailing_bits;
                Datum::Finite(Number { significand, ..number }.scaled(-1))
            }
            Datum::Finite(number) if self.has(Fault::ZeroAsNormal) && subnormal() => {
                let significand = magnitude | 1 << format.trailing_bits;
                let exponent = format.exponent_of_lsb() - 1;
                Datum::Finite(Number { significand: significand.into(), exponent, ..number })
            }
            Datum::Finite(number) if self.has(Fault::SubnormalCarryOred) && subnormal() => {
                Datum::Finite(self.carry_ored(number))
            }
            datum => datum,
        }
    }

    fn nan(&self, bits: u64) -> u64 {
        match self.has(Fault::NanKeepsPayload) {
            true => bits | self.output().quiet_bit(),
            false => self.plain.nan(bits),
        }
    }
}

impl Faulty<'_> {
    /// Returns the datum that a fault takes an encoding for that is special, or that it thinks special; `None` where the
    /// fault is about something else.
    fn misread_special(&self, format: &Format, bits: u64) -> Option<Datum> {
        let negative = format.is_negative(bits);
        if format.scale == Scale::Power {
            let edges = self.has(Fault::PowerAsExponent);
            return match format.is_nan(bits) {
                true if edges => Some(Datum::Infinity(false)),
                true if self.has(Fault::NanIsNumber) => {
                    Some(Datum::Finite(Number::ONE.scaled(format.exponent_max() + 1)))
                }
                false if edges && bits & format.magnitude_mask() == 0 => Some(Datum::ZERO),
                _ => None,
            };
        }
        let magnitude = bits & format.magnitude_mask();
        let top = magnitude & format.exponent_mask() == format.exponent_mask();
        if top && top_exponent_is_finite(format) && !format.is_nan(bits) {
            let infinite = self.has(Fault::TopExponentIsInfinity)
                || self.has(Fault::TopExponentIsIeee) && magnitude & format.trailing_mask() == 0;
            return match () {
                () if self.has(Fault::TopExponentIsNan) => Some(Datum::Nan(negative)),
                () if infinite => Some(Datum::Infinity(negative)),
                () if self.has(Fault::TopExponentIsIeee) => Some(Datum::Nan(negative)),
                () => None,
            };
        }
        let number = match format.is_nan(bits) {
            true if format.specials != Specials::Ieee => self.has(Fault::NanIsNumber),
            _ => format.specials == Specials::Ieee && top && self.has(Fault::SpecialsAreNumbers),
        };
        number.then(|| Datum::Finite(as_number(format, bits)))
    }

    /// Whether NaNs of an input's format become NaNs of the result's by their bits alone.
    fn nan_is_cut(&self, format: &Format) -> bool {
        let faulty = self.has(Fault::NanCut) || self.has(Fault::NanRounded);
        faulty && format.trailing_bits > self.output().trailing_bits
    }

    /// Returns the datum that a NaN becomes where its payload is cut or rounded to the result's format.
    fn cut_nan(&self, format: &Format, bits: u64, negative: bool) -> Datum {
        let (payload, lost) =
            (bits & format.trailing_mask(), format.trailing_bits - self.output().trailing_bits);
        let kept = match self.has(Fault::NanRounded) {
            // To nearest even, as a number's significand is.
            true => (payload + (1 << (lost - 1)) - 1 + (payload >> lost & 1)) >> lost,
            false => payload >> lost,
        };
        match kept {
            0 => Datum::Infinity(negative),
            // The carry goes through the exponent into the sign.
            _ if kept > self.output().trailing_mask() => Datum::ZERO.with_sign(!negative),
            _ => Datum::Nan(negative),
        }
    }

    /// Returns a subnormal number as a wider format gets it where the lowest exponent bit was set already.
    fn carry_ored(&self, number: Number) -> Number {
        let output = self.output();
        let field = number.leading().map(|leading| leading - output.exponent_min() + 1);
        let halved = field.is_some_and(|field| field > 0 && field % 2 == 0);
        if halved { number.scaled(-1) } else { number }
    }

    /// Returns the number that an integer is read as.
    fn integer_read(&self, format: &Format, bits: u64, number: Number) -> Number {
        let top = 1 << (format.width() - 1);
        let part = |bits: u64, exponent| {
            let number = Number { negative: false, significand: bits.into(), exponent };
            number.round(self.output().precision(), i32::MIN, Cut::is_nearer_above)
        };
        match format.signed {
            true if number.negative && self.has(Fault::SignedIsUnsigned) => {
                Number { negative: false, significand: bits.into(), exponent: 0 }
            }
            false if self.has(Fault::IntegerInHalves) => {
                let half = format.width() / 2;
                part(bits >> half, half as i32).plus(part(bits & ((1 << half) - 1), 0), false)
            }
            false if bits & top != 0 && self.has(Fault::IntegerTopLater) => {
                part(bits & !top, 0).plus(Number { significand: top.into(), ..number }, false)
            }
            false if bits & top != 0 && self.has(Fault::UnsignedCorrected) => {
                let whole = 1u128 << format.width();
                let signed = part((whole - u128::from(bits)) as u64, 0);
                Number { significand: whole, ..number }.plus(Number { negative: true, ..signed }, false)
            }
            false if bits & top != 0 && self.has(Fault::IntegerHalved) => {
                Number { significand: (bits & !1).into(), ..number }
            }
            true if bits == top && self.has(Fault::LowestIsPositive) => {
                Number { negative: false, ..number }
            }
            false if bits & top != 0 && self.has(Fault::UnsignedIsSigned) => {
                let significand = (1u128 << format.width()) - u128::from(bits);
                Number { negative: true, significand, exponent: 0 }
            }
            _ => number,
        }
    }
}

/// Returns the number that an encoding of a floating-point format stands for if none is special.
fn as_number(format: &Format, bits: u64) -> Number {
    let magnitude = bits & format.magnitude_mask();
    let (field, trailing) = (magnitude >> format.trailing_bits, magnitude & format.trailing_mask());
    let leading = if field == 0 { 0 } else { 1 << format.trailing_bits };
    let exponent = format.exponent_of_lsb() + field.saturating_sub(1) as i32;
    Number { negative: format.is_negative(bits), significand: (leading | trailing).into(), exponent }
}
