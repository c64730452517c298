//! Units in the last place (ulp): the definition that stated bounds, measured errors and counts share.
//!
//! The unit of a number is the distance from one number of its binade to the next: 2^(e − t) for a number of at least
//! 2^e and less than 2^(e + 1) in a format with t trailing bits. Subnormal numbers and zero have the unit of the lowest
//! binade. The exponent has no upper limit here: infinity stands for the power of two behind the largest number, and has
//! the unit that this power would have.
//!
//! Documents say "difference in ulps between the result and the correctly rounded one". Where both lie in one binade,
//! that is one number. Where a power of two lies between them it is not, and [`UlpReading`] names the readings.

use crate::Format;

/// A reading of "the difference in ulps between a result and the correctly rounded result".
///
/// In f32, `3f7ffffc` is 2 ulp from `3f800000` (1.0) by the first reading and 4 by the second. In the other direction,
/// `40000001` is 3 ulp from `3fffffff` by the first reading and 2 by the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UlpReading {
    /// The distance as a real number, divided by the unit of the correctly rounded result. Bounds of instructions are
    /// read so, as are maxima of library functions: both documents state them from that result.
    CorrectlyRounded,
    /// The steps from one number of the format to the next, whatever their size.
    Numbers,
}

impl UlpReading {
    /// Returns the distance of a result from the correctly rounded one, by this reading; NaN if one of them is NaN. It
    /// is exact up to 2^52 units.
    #[inline]
    pub fn distance(self, format: &Format, result: u64, correctly_rounded: u64) -> f64 {
        if format.is_nan(result) || format.is_nan(correctly_rounded) {
            return f64::NAN;
        }
        let same_binade = (result ^ correctly_rounded) & !format.trailing_mask() & format.mask() == 0;
        if self == UlpReading::Numbers || same_binade {
            return format.numbers_between(result, correctly_rounded) as f64;
        }
        let (significand, exponent) = finite(format, correctly_rounded);
        let unit = match significand {
            0 => format.exponent_of_lsb(),
            _ => format.ulp_exponent(significand.ilog2() as i32 + exponent),
        };
        let in_units = |bits: u64| {
            let (significand, exponent) = finite(format, bits);
            let size = significand as f64 * 2f64.powi(exponent - unit);
            if format.is_negative(bits) { -size } else { size }
        };
        (in_units(result) - in_units(correctly_rounded)).abs()
    }
}

impl Format {
    /// Returns the exponent of the unit in the last place of a number whose leading bit has the exponent `leading`.
    #[inline(always)]
    pub const fn ulp_exponent(&self, leading: i32) -> i32 {
        let lowest = self.exponent_min();
        (if leading > lowest { leading } else { lowest }) - self.trailing_bits as i32
    }

    /// Returns the number of steps from one datum of a signed floating-point format to another, where infinity is the
    /// step behind the largest number and both zeros are one. Neither may be NaN.
    #[inline]
    pub fn numbers_between(&self, one: u64, other: u64) -> u64 {
        let place = |bits: u64| {
            let size = (bits & self.magnitude_mask()) as i64;
            if self.is_negative(bits) { -size } else { size }
        };
        place(one).abs_diff(place(other))
    }
}

/// Returns the significand and exponent of a datum, with the power of two behind the largest number for infinity.
fn finite(format: &Format, bits: u64) -> (u64, i32) {
    format.decode(bits).unwrap_or((1, format.exponent_max() + 1))
}

/// Returns how many numbers below a magnitude, and how many above it, lie within `count` of its units in the last place.
///
/// The magnitude is the bits of a number without its sign, in a format of `trailing_bits` trailing bits. From a power of
/// two on, numbers are twice as dense towards zero, and behind the last number of a binade half as dense. `count` must be
/// at most 2^trailing_bits. Numbers behind zero or infinity are left to the caller.
#[inline(always)]
pub fn numbers_within(magnitude: i32, trailing_bits: u32, count: i32) -> [i32; 2] {
    let binade = 1 << trailing_bits;
    let trailing = magnitude & (binade - 1);
    // Numbers below the second binade, subnormal ones included, have one unit.
    let to_lower = if magnitude < 2 * binade { count } else { count.min(trailing) };
    let to_upper = if magnitude < binade { count } else { count.min(binade - trailing) };
    [to_lower + 2 * (count - to_lower), to_upper + (count - to_upper) / 2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BF16, F16, F32, F64};

    /// Returns the distance by the correctly rounded result's unit, and in numbers.
    fn both(format: &Format, result: u64, correctly_rounded: u64) -> [f64; 2] {
        [UlpReading::CorrectlyRounded, UlpReading::Numbers]
            .map(|reading| reading.distance(format, result, correctly_rounded))
    }

    #[test]
    fn readings_differ_where_a_power_of_two_lies_between() {
        // The example of `ex2.approx.ftz.f32 0x33000000`.
        assert_eq!(both(&F32, 0x3f7f_fffc, 0x3f80_0000), [2.0, 4.0]);
        assert_eq!(both(&F32, 0x3f7f_ffff, 0x3f80_0000), [0.5, 1.0]);
        assert_eq!(both(&F32, 0xbf7f_fffc, 0xbf80_0000), [2.0, 4.0]);
        assert_eq!(both(&F32, 0x4000_0001, 0x3fff_ffff), [3.0, 2.0]);
        assert_eq!(both(&F32, 0x3f80_0002, 0x3f80_0000), [2.0, 2.0]);
        assert_eq!(both(&F64, 0x3fef_ffff_ffff_fffc, 0x3ff0_0000_0000_0000), [2.0, 4.0]);
    }

    #[test]
    fn infinity_stands_for_the_power_of_two_behind_the_largest_number() {
        assert_eq!(both(&F32, 0x7f7f_ffff, 0x7f80_0000), [0.5, 1.0]);
        assert_eq!(both(&F32, 0x7f80_0000, 0x7f7f_ffff), [1.0, 1.0]);
        assert_eq!(both(&F32, 0x7f7f_fffc, 0x7f80_0000), [2.0, 4.0]);
        assert_eq!(both(&F32, 0xff80_0000, 0xff80_0000), [0.0, 0.0]);
        let [units, numbers] = both(&F32, 0x7f80_0000, 0xff80_0000);
        assert_eq!((units, numbers), (2f64.powi(24), f64::from(0xff00_0000u32)));
        assert_eq!(both(&F64, f64::MAX.to_bits(), f64::INFINITY.to_bits()), [0.5, 1.0]);
        assert_eq!(both(&F64, 0, f64::INFINITY.to_bits())[0], 2f64.powi(52));
        assert!(both(&F32, 0x7fc0_0000, 0x7f80_0000).iter().all(|distance| distance.is_nan()));
        assert!(both(&F32, 0, 0xffff_ffff).iter().all(|distance| distance.is_nan()));
    }

    #[test]
    fn subnormal_numbers_and_zeros_have_the_unit_of_the_lowest_binade() {
        assert_eq!(both(&F32, 0x007f_fffe, 0x0080_0000), [2.0, 2.0]);
        assert_eq!(both(&F32, 0x0080_0001, 0x007f_ffff), [2.0, 2.0]);
        assert_eq!(both(&F32, 0x00ff_ffff, 0x0100_0000), [0.5, 1.0]);
        assert_eq!(both(&F32, 0x8000_0003, 0x0000_0002), [5.0, 5.0]);
        assert_eq!(both(&F32, 0x8000_0000, 0), [0.0, 0.0]);
        assert_eq!(both(&F32, 0x0080_0000, 0), [2f64.powi(23), 2f64.powi(23)]);
        assert_eq!(both(&F64, 1, 0), [1.0, 1.0]);
        assert_eq!(both(&F64, f64::MAX.to_bits(), 0)[0], f64::INFINITY);
    }

    /// Compares the numbers within a bound with the distances of numbers, for all of f16 and bf16.
    #[test]
    fn numbers_within_a_bound_are_those_at_no_larger_distance() {
        for format in [&F16, &BF16] {
            let infinity = format.infinity().unwrap();
            for nearest in 0..infinity {
                for count in 0..5 {
                    let [below, above] = numbers_within(nearest as i32, format.trailing_bits, count);
                    let is_within = |bits: u64| {
                        UlpReading::CorrectlyRounded.distance(format, bits, nearest) <= f64::from(count)
                    };
                    let below = nearest as i32 - below;
                    if let Some(lowest) = u64::try_from(below).ok().filter(|&lowest| lowest > 0) {
                        assert!(is_within(lowest) && !is_within(lowest - 1), "{nearest:x} {count}");
                    }
                    let highest = nearest + above as u64;
                    if highest < infinity {
                        assert!(is_within(highest) && !is_within(highest + 1), "{nearest:x} {count}");
                    }
                }
            }
        }
    }
}
