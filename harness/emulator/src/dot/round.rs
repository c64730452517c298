//! The single rounding that a unit of a tensor core does behind its sum.

use formats::Format;
use isa::matrix::UnitRounding;

/// The number of fraction bits that are left of f32's 23 where a unit has a short accumulator.
const SHORT: u32 = 13;

/// Rounds `units × 2^exponent` to a format, as a unit rounds; a sum of zero is +0.
#[inline]
pub fn round(units: i64, exponent: i32, rounding: UnitRounding, format: &Format) -> u64 {
    if units == 0 {
        return 0;
    }
    let magnitude = units.unsigned_abs();
    let leading = exponent + 63 - magnitude.leading_zeros() as i32;
    let kept = if rounding == UnitRounding::TowardZero13 { SHORT } else { format.trailing_bits };
    // The unit that is rounded to: that of the number's binade, or of the subnormal numbers.
    let unit = leading.max(format.exponent_min()) - kept as i32;
    let shift = unit - exponent;
    let significand = match shift {
        ..=0 => magnitude << -shift,
        64.. => 0,
        _ => {
            let (truncated, rest) = (magnitude >> shift, magnitude & ((1 << shift) - 1));
            let half = 1 << (shift - 1);
            let up = rounding == UnitRounding::NearestEven
                && (rest > half || rest == half && truncated & 1 == 1);
            truncated + u64::from(up)
        }
    };
    // As many units of the format itself: a carry goes on into the exponent.
    let places = unit - (leading.max(format.exponent_min()) - format.trailing_bits as i32);
    let field = leading.max(format.exponent_min()) - format.exponent_min();
    let bits = ((field as u64) << format.trailing_bits) + (significand << places);
    // Beyond the largest number there is infinity, or what a format has in its place.
    let end = format.infinity().or(format.nan()).unwrap_or(format.max_finite());
    let sign = if units < 0 { format.sign_mask() } else { 0 };
    sign | bits.min(end)
}
