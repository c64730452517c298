//! Whether results of a variant can be too large for an 8-bit format, judged by the values its operands can have.

use formats::Format;

use super::operation::Op;
use super::variant::Variant;

/// The upper end of a format's numbers.
#[derive(Clone, Copy)]
struct UpperEnd {
    /// The largest number of the format.
    largest: f64,
    /// The value half a unit in the last place beyond the largest number.
    middle: f64,
}

impl UpperEnd {
    fn of(format: &Format) -> UpperEnd {
        let (significand, exponent) = format.decode(format.max_finite()).expect("a number");
        let unit = 2f64.powi(exponent);
        UpperEnd { largest: significand as f64 * unit, middle: (significand as f64 + 0.5) * unit }
    }
}

impl Variant {
    /// Whether an exact result can be greater than the largest number of the result's format.
    pub(crate) fn can_overflow(&self) -> bool {
        self.magnitude_beyond_largest().is_some()
    }

    /// Whether an exact result can be greater than the largest number and still be rounded to it. If a negative result
    /// is rounded up to that magnitude, its sign may be dropped afterwards.
    pub(crate) fn can_round_to_largest(&self) -> bool {
        let middle = UpperEnd::of(self.outputs()[0].format).middle;
        // Products are rounded to the nearest, and none is a tie that goes to the largest number.
        self.magnitude_beyond_largest().is_some_and(|value| value < middle)
    }

    /// Returns the value that the magnitudes of exact results beyond the largest number come down to; `None` where
    /// there are none. It is the least such product or integer, or the largest number itself where exact results are of
    /// a wider format, scaled, or sums.
    fn magnitude_beyond_largest(&self) -> Option<f64> {
        let end = UpperEnd::of(self.outputs()[0].format).largest;
        let (inputs, meaning) = (self.inputs(), self.meaning());
        match meaning.op {
            Op::Convert(_) if meaning.scale.is_none() => {
                let source = inputs[0].format;
                // Between two integers there is none that could be rounded.
                let next = if source.is_integer() { end.floor() + 1.0 } else { end };
                (UpperEnd::of(source).largest > end).then_some(next)
            }
            Op::Mul => {
                let [a, b] = [inputs[0].format, inputs[1].format];
                let products = (0..=a.max_finite()).filter_map(|bits| {
                    let factor = magnitude(a, bits)?;
                    product_beyond(factor, b, end)
                });
                products.reduce(f64::min)
            }
            // The result is one of the operands.
            Op::Extremum(_) => None,
            _ => Some(end),
        }
    }
}

/// Returns the least product of a factor and a number of `format` that is greater than `end`, or `None` where none is.
/// Both factors have at most 8 bits, so the product is exact.
fn product_beyond(factor: f64, format: &Format, end: f64) -> Option<f64> {
    // Magnitudes grow with their encodings.
    let (mut low, mut high) = (0, format.max_finite() + 1);
    while low < high {
        let middle = low.midpoint(high);
        match factor * magnitude(format, middle)? > end {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    let found = (low <= format.max_finite()).then_some(low)?;
    Some(factor * magnitude(format, found)?)
}

/// Returns the magnitude of a number of an 8-bit format, or `None` where the bits are no number.
fn magnitude(format: &Format, bits: u64) -> Option<f64> {
    let (significand, exponent) = format.decode(bits)?;
    Some(significand as f64 * 2f64.powi(exponent))
}

#[cfg(test)]
mod tests {
    use super::super::modifier::Rounding;
    use super::*;

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
            ("multimem.ld_reduce.add.e4m3x4", true, true),
            ("multimem.ld_reduce.max.e4m3x4", false, false),
            ("cast.rp.e4m3.f32",         true,  true),
            ("cvt.rp.ue5m3x2.f32",       true,  true),
            ("cvt.rn.ue5m3x2.f16x2",     false, false),
            ("cvt.rn.scaled::n1::ue8m0.ue5m3x2.f16x2", true, true),
            ("cast.rn.e5m2.f16",         true,  true),
            // 449 is rounded to 448, and no integer lies between 15.5 and 15.75.
            ("cast.rn.e4m3.s32",         true,  true),
            ("cast.rn.e4m3.u8",          false, false),
            ("cast.rn.e3m4.s8",          true,  false),
            // 31 is the tie, and goes away from 30 as an odd number.
            ("cast.rn.e4m3b11fnuz.u8",   true,  false),
        ];
        for (text, overflows, returns) in cases {
            let variant: Variant = text.parse().unwrap();
            let found = (variant.can_overflow(), variant.can_round_to_largest());
            assert_eq!(found, (overflows, returns), "{text}");
        }
    }

    /// Checks that no product is a tie that goes to the largest number. For products it is therefore enough to ask
    /// whether one is nearer to the largest number than half a unit.
    #[test]
    fn no_product_is_a_tie_that_goes_to_the_largest_number() {
        let is_narrow = |format: &Format| format.max_finite() < 256;
        let all = Variant::all().iter().filter(|one| one.meaning().op == Op::Mul);
        let mut seen = 0;
        for product in all.filter(|one| is_narrow(one.outputs()[0].format)) {
            let to = product.outputs()[0].format;
            assert_eq!(product.meaning().rounding, Rounding::NearestEven, "{product}");
            let is_tie =
                product.magnitude_beyond_largest().is_some_and(|least| least == UpperEnd::of(to).middle);
            assert!(!is_tie || !to.max_finite().is_multiple_of(2), "{product}");
            seen += 1;
        }
        assert!(seen > 0);
    }
}
