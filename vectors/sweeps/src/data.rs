//! Single data of any format: ordinary numbers, neighbours of a datum, and special values.

use formats::{Format, Scale, Specials};

use super::exact::ExactNumber;
use super::random::CounterRng;

/// Returns the datum `steps` encodings further from zero, or nearer to it where `steps` is negative. Steps lead across
/// the last finite number into infinity and NaN, and not below zero. Integers count up and down, and wrap.
#[inline]
pub fn step(format: &Format, bits: u64, steps: i32) -> u64 {
    if format.is_fixed() {
        return bits.wrapping_add(i64::from(steps) as u64) & format.mask();
    }
    let magnitude = bits & format.magnitude_mask();
    let moved = magnitude.saturating_add_signed(steps.into()).min(format.magnitude_mask());
    bits & format.sign_mask() | moved
}

/// Draws the sign bit, where the format has one: set in half of the cases.
#[inline]
pub fn sign(format: &Format, draws: &mut CounterRng) -> u64 {
    // The draw is made for formats without a sign as well (`SWEEPS.md`).
    if draws.flag() { format.sign_mask() } else { 0 }
}

/// Draws a positive number with its leading bit from 2^-3 to 2^3; in an integer format, any non-negative integer.
#[inline]
pub fn ordinary(format: &Format, draws: &mut CounterRng) -> u64 {
    if format.is_fixed() {
        return draws.patterned(format.trailing_bits as i32);
    }
    let exponent = draws.between(-3, 3);
    let significand = draws.significand(format.precision() as i32);
    ExactNumber::new(false, significand.into(), exponent - format.trailing_bits as i32).truncate(format)
}

/// Draws a datum with a uniform exponent field and a dense or sparse trailing significand. One in 64 is an infinity or
/// NaN, where an exponent field of all ones means them. In an integer format, draws an integer of uniform length.
#[inline]
pub fn datum(format: &Format, draws: &mut CounterRng) -> u64 {
    if format.is_fixed() {
        let length = draws.between(0, format.trailing_bits as i32);
        let magnitude = if length == 0 { 0 } else { draws.significand(length) };
        let negative = format.signed && draws.flag();
        return if negative { magnitude.wrapping_neg() & format.mask() } else { magnitude };
    }
    let (fields, trailing) = (1 << format.exponent_bits, format.trailing_bits as i32);
    let sign = sign(format, draws);
    // Every format makes the first draw (`SWEEPS.md`), though only IEEE formats have a use for it.
    let field = match (draws.below(64), format.specials) {
        (0, Specials::Ieee) => fields - 1,
        (_, Specials::Ieee) => draws.below(fields - 1),
        _ => draws.below(fields),
    };
    sign | (field as u64) << trailing | draws.patterned(trailing)
}

/// Draws a datum of any kind, special ones as likely as numbers.
#[inline]
pub fn draw_any_datum(format: &Format, draws: &mut CounterRng) -> u64 {
    if format.is_fixed() {
        return datum(format, draws);
    }
    let sign = sign(format, draws);
    let trailing = format.trailing_bits as i32;
    let magnitude = match draws.below(8) {
        0 => 0,
        1 => draws.patterned(trailing).max(1),
        2 => top(format),
        // The canonical NaN; or one with any payload, signalling ones too.
        3 => match format.infinity() {
            Some(infinity) if draws.below(4) != 0 => infinity | draws.patterned(trailing).max(1),
            _ => nan(format),
        },
        4 => {
            let limits =
                [1, largest_subnormal(format), format.min_normal(), format.one(), format.max_finite()];
            limits[draws.below(5) as usize]
        }
        // `datum` draws a sign of its own.
        _ => return datum(format, draws),
    };
    sign | magnitude
}

/// Returns the exponent of the leading bit. A zero has the exponent of the smallest number; infinities and NaN have
/// one more than that of the largest number.
#[inline]
pub fn exponent(format: &Format, bits: u64) -> i32 {
    match format.decode(bits) {
        Some((significand, exponent)) => {
            ExactNumber::new(false, u128::from(significand.max(1)), exponent).leading()
        }
        None => format.exponent_max() + 1,
    }
}

/// Returns a finite datum with its leading bit moved to `exponent`, or as near as the format's range allows;
/// infinities and NaN stay as they are.
#[inline]
pub fn moved(format: &Format, bits: u64, exponent: i32) -> u64 {
    match format.decode(bits) {
        Some((significand, _)) => {
            let value = ExactNumber::new(format.is_negative(bits), significand.into(), 0);
            ExactNumber { exponent: exponent - value.leading(), ..value }.truncate(format)
        }
        None => bits,
    }
}

/// Returns the datum of the largest magnitude that is not NaN.
#[inline]
pub const fn top(format: &Format) -> u64 {
    match format.infinity() {
        Some(infinity) => infinity,
        None => format.max_finite(),
    }
}

/// Returns the magnitude of the canonical NaN, or all ones where there is no NaN.
#[inline]
pub const fn nan(format: &Format) -> u64 {
    match format.nan() {
        Some(nan) => nan & format.mask(),
        None => format.magnitude_mask(),
    }
}

/// Returns the magnitude of the largest subnormal, or of the smallest number where the format has no subnormals.
#[inline]
pub const fn largest_subnormal(format: &Format) -> u64 {
    match format.scale {
        Scale::Floating => format.min_normal() - 1,
        Scale::Power | Scale::Fixed => 0,
    }
}

#[cfg(test)]
mod tests {
    use formats::{E4M3, F16, FIXED, FLOATS, S8, U8, UE8M0};

    use super::*;

    #[test]
    fn steps_are_neighbours() {
        assert_eq!([step(&F16, 0x8001, -1), step(&F16, 0x8000, -1)], [0x8000, 0x8000]);
        assert_eq!([step(&F16, 0x7bff, 1), step(&E4M3, 0xff, 1)], [0x7c00, 0xff]);
        assert_eq!([step(&S8, 0, -1), step(&U8, 255, 1), step(&UE8M0, 255, 2)], [255, 0, 255]);
    }

    #[test]
    fn data_fit_their_formats_and_reach_every_exponent() {
        for format in FLOATS.into_iter().chain(FIXED) {
            let mut seen = std::collections::HashSet::new();
            for index in 0..40_000 {
                let mut draws = CounterRng::new(5, index);
                let bits = datum(format, &mut draws);
                assert!(bits <= format.mask() && ordinary(format, &mut draws) <= format.mask());
                seen.insert(exponent(format, bits));
            }
            let least = (format.exponent_max() - format.exponent_min()) as usize;
            assert!(seen.len() >= least, "{format:?}: {}", seen.len());
        }
    }
}
