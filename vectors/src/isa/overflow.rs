//! Whether results of a variant can be too large for an 8-bit format, by what its operands can be.

use super::modifier::Rounding;
use super::operation::Op;
use super::variant::Variant;
use crate::format::Format;

/// Where a format ends.
#[derive(Clone, Copy)]
struct End {
    /// The largest number.
    largest: f64,
    /// Half a unit beyond it.
    middle: f64,
}

impl End {
    fn of(format: &Format) -> End {
        let (significand, exponent) = format.decode(format.max_finite()).expect("a number");
        let unit = 2f64.powi(exponent);
        End { largest: significand as f64 * unit, middle: (significand as f64 + 0.5) * unit }
    }
}

impl Variant {
    /// Whether an exact result can be greater than the largest number.
    pub(super) fn can_overflow(&self) -> bool {
        self.some_magnitude(|value, end| value > end.largest)
    }

    /// Whether one can, and be rounded to the largest number.
    pub(super) fn can_round_to_largest(&self) -> bool {
        let (to, rounding) = (self.outputs()[0].format, self.meaning().rounding);
        let even = to.max_finite().is_multiple_of(2) && rounding == Rounding::NearestEven;
        match rounding {
            // Nothing is negative without a sign.
            Rounding::Up => to.signed && self.can_overflow(),
            Rounding::TowardZero => self.can_overflow(),
            _ => self.some_magnitude(|value, end| {
                value > end.largest && (value < end.middle || even && value == end.middle)
            }),
        }
    }

    /// Whether something holds of a magnitude that an exact result can have near where its format ends.
    fn some_magnitude(&self, holds: impl Fn(f64, End) -> bool) -> bool {
        let end = End::of(self.outputs()[0].format);
        let (inputs, meaning) = (self.inputs(), self.meaning());
        match meaning.op {
            Op::Convert(_) if meaning.scale.is_none() => {
                // Whatever reaches beyond has a number just there, because it is wider.
                let beside = (end.largest + end.middle) / 2.0;
                holds(End::of(inputs[0].format).largest.min(beside), end)
            }
            Op::Mul => magnitudes(inputs[0].format).any(|a| {
                // Of at most 8 bits, so that products are exact.
                magnitudes(inputs[1].format).any(|b| holds(a * b, end))
            }),
            // Scales and addends reach everywhere.
            _ => true,
        }
    }
}

/// The magnitudes of an 8-bit format's numbers.
fn magnitudes(format: &'static Format) -> impl Iterator<Item = f64> {
    let numbers = (0..=format.max_finite()).filter_map(|bits| format.decode(bits));
    numbers.map(|(significand, exponent)| significand as f64 * 2f64.powi(exponent))
}

#[cfg(test)]
mod tests {
    use crate::Variant;

    #[test]
    fn products_overflow_where_their_factors_reach() {
        #[rustfmt::skip] // a table
        let cases = [
            // 1.5 × 1.25 is 1.875, which is the tie, and goes away from 1.75 as an odd number.
            ("mul.e5m2x4.e5m2x4.e5m2x4", true,  false),
            // 1.125 × 1.625 lies between.
            ("mul.e5m2x4.e4m3x4.e4m3x4", true,  true),
            // 448 × 28 is less than 57344.
            ("mul.e5m2x4.e4m3x4.e3m2x4", false, false),
            // 1.875 × 1.875 is 1.7578 × 2, between 448 and 464 of its binade.
            ("mul.e4m3x4.e4m3x4.e4m3x4", true,  true),
            ("mul.e4m3x4.e5m2x4.e5m2x4", true,  false),
            ("add.e5m2x4.e2m1x4",        true,  true),
            ("cast.rp.e4m3.f32",         true,  true),
            ("cvt.rp.ue5m3x2.f32",       true,  false),
            ("cvt.rn.ue5m3x2.f16x2",     false, false),
            ("cast.rn.e5m2.f16",         true,  true),
        ];
        for (text, overflows, returns) in cases {
            let variant: Variant = text.parse().unwrap();
            let found = (variant.can_overflow(), variant.can_round_to_largest());
            assert_eq!(found, (overflows, returns), "{text}");
        }
    }
}
