//! The tables of the sweep `boundary`: special values of formats, and of conversions between them.

use formats::{Format, FormatId};

use super::data::{largest_subnormal, nan, step, top};
use super::exact::{ExactNumber, length};
use super::shape::Shape;

/// Random bits of stochastic rounding: none, all, halves, bytes, single ones, alternating ones, and the example that
/// was measured.
#[rustfmt::skip] // a table
pub const RANDOM: [u64; 28] = [
    0, 1, 2, 0xfff, 0x1000, 0x1fff, 0x2000, 0x7fff, 0x8000, 0xffff, 0x1_0000, 0x00ff_00ff,
    0x0fff_0fff, 0x1000_1000, 0x1234_5678, 0x1fff_1fff, 0x2000_2000, 0x3333_3333, 0x5555_5555,
    0x7fff_7fff, 0x7fff_ffff, 0x8000_0000, 0x8000_8000, 0xaaaa_aaaa, 0xcccc_cccc, 0xff00_ff00,
    0xffff_0000, 0xffff_ffff,
];

/// Biased exponents of powers of two that a conversion scales by.
pub const SCALES: [u64; 13] = [0, 1, 2, 7, 64, 126, 127, 128, 190, 247, 253, 254, 255];

/// The NaN patterns that mark an element outside a tensor, or might be taken for it.
const OOB_MAGNITUDES: [u64; 4] = [0x7ff7, 0x7ff6, 0x7ff8, 0x7eff];

/// Returns the special magnitudes of `format`, ascending, with the limits of the narrower format `narrow` if given.
pub fn magnitudes(format: &Format, narrow: Option<&Format>) -> Vec<u64> {
    let p = format.precision() as i32;
    let unit = format.exponent_min() - p + 1;
    let power = |exponent: i32| ExactNumber::power(false, exponent).truncate(format);
    let (min_normal, one, max) = (format.min_normal(), format.one(), format.max_finite());
    // The squares of the next three are the smallest subnormal, the smallest normal number, and out of range.
    let to_subnormal = power(unit.div_euclid(2));
    let to_normal = power(format.exponent_min().div_euclid(2));
    let to_overflow = power((format.exponent_max() + 2).div_euclid(2));
    let mut table = vec![0, 1, 2, min_normal / 2];
    table.extend([min_normal - 2, min_normal - 1, min_normal, min_normal + 1]);
    table.extend([power(-p), power(1 - p), power(-1), one - 1, one, one + 1, power(1)]);
    table.extend([power(p) - 1, power(p)]);
    table.extend([power(unit.div_euclid(2) - 1), to_subnormal, to_subnormal + 1]);
    table.extend([to_normal - 1, to_normal]);
    table.extend([to_overflow - 1, to_overflow, to_overflow + 1, max - 1, max]);
    if let Some(infinity) = format.infinity() {
        let quiet = infinity | 1 << (format.trailing_bits - 1);
        table.extend([infinity, infinity + 1, quiet]);
    }
    table.push(format.magnitude_mask());
    if matches!(format.id, FormatId::F16 | FormatId::Bf16) {
        table.extend(OOB_MAGNITUDES);
    }
    if let Some(narrow) = narrow {
        for limit in [1, narrow.min_normal(), narrow.max_finite()] {
            let (significand, exponent) = narrow.decode(limit).expect("limits are finite");
            let wide = ExactNumber::new(false, significand.into(), exponent).truncate(format);
            table.extend([wide, wide + 1]);
        }
    }
    // In narrow formats some of these encodings have more bits than a magnitude.
    table.retain(|&magnitude| magnitude <= format.magnitude_mask());
    table.sort_unstable();
    table.dedup();
    table
}

/// Returns the fewest magnitudes of `format` that include one of every kind.
pub fn landmarks(format: &Format) -> Vec<u64> {
    let (max, all) = (format.max_finite(), format.magnitude_mask());
    vec![0, 1, largest_subnormal(format), format.min_normal(), format.one(), max, top(format), all]
}

/// Returns the values in a conversion's destination where rounding and range decide, and those halfway between. They
/// lie around zero, the smallest normal number, one and the largest number.
pub fn points(shape: &Shape) -> Vec<ExactNumber> {
    let (span, result) = (shape.destination, shape.result);
    let (largest, exponent) = result.decode(result.max_finite()).expect("finite");
    let at = |magnitude: i128, exponent| ExactNumber::new(false, magnitude.unsigned_abs(), exponent);
    let p = span.precision;
    let zero = (1..=6).map(|halves| at(halves, span.unit - 1));
    let normal = (-3..=3).map(|halves| at((1 << p) + halves, span.unit - 1));
    let above_one = (1..=3).map(|halves| at((1 << p) + halves, -p));
    let below_one = (1..=3).map(|halves| at((2 << p) - halves, -p - 1));
    let top = (-3..=4).map(|halves| at(2 * i128::from(largest) + halves, exponent - 1));
    zero.chain(normal).chain(above_one).chain(below_one).chain(top).collect()
}

/// Returns the magnitude of `format` next to a value on the side of zero, and its neighbours.
pub fn magnitudes_next_to(value: &ExactNumber, format: &Format) -> [u64; 3] {
    let magnitude = value.truncate(format);
    [-1, 0, 1]
        .map(|steps| if magnitude == 0 { steps.max(0) as u64 } else { step(format, magnitude, steps) })
}

/// Returns the magnitudes of integers that are converted: all powers of two, and what lies at the destination's
/// limits, each with its neighbours; and the first integers that a carry takes to the next power.
pub fn integers(format: &Format, shape: &Shape) -> Vec<u64> {
    let (width, p) = (format.trailing_bits as i32, shape.destination.precision);
    let largest = format.max_finite();
    let powers = (0..width).flat_map(|k| [(1u64 << k) - 1, 1 << k, (1 << k) + 1]);
    // Integers with one bit more than the destination, all ones: ties that round up.
    let carry = (p + 1..=width).map(|j| ((1u128 << j) - (1 << (j - p - 1))) as u64);
    let carry = carry.flat_map(|at| [at - 1, at, at.saturating_add(1)]);
    let ties = [1u128, 2, 3, 5, 6].map(|quarters| ExactNumber::new(false, (4 << p) + quarters, -1));
    let points = points(shape);
    let points = points.iter().chain(&ties).filter(|point| length(point.magnitude) + point.exponent > 0);
    let points = points.flat_map(|point| magnitudes_next_to(point, format));
    let mut table: Vec<u64> = powers.chain(carry).chain(points).chain([largest - 1, largest]).collect();
    // Two's complement has one magnitude more below zero; without a sign this is the largest again.
    table.push(largest.wrapping_add(format.signed.into()));
    table.retain(|&magnitude| magnitude <= largest || format.signed && magnitude == largest + 1);
    table
}

/// Returns the magnitudes of integers that are compared. Among them are those where an implementation with too few
/// bits would no longer tell two integers apart, or would find the sign elsewhere.
pub fn compared(format: &Format) -> Vec<u64> {
    let (width, largest) = (format.trailing_bits, format.max_finite());
    let powers = [7u32, 8, 15, 16, 24, 31, 32, 53, 63].into_iter().filter(|&k| k < width);
    let powers = powers.flat_map(|k| [(1u64 << k) - 1, 1 << k, (1 << k) + 1]);
    // Two's complement has one magnitude more below zero.
    let beyond = format.signed.then(|| largest + 1);
    [0, 1, 2, largest - 1, largest].into_iter().chain(powers).chain(beyond).collect()
}

/// Returns patterns that show whether and how a datum was moved, a NaN of every kind among them.
pub fn selected(format: &Format) -> Vec<u64> {
    let (mask, sign) = (format.mask(), 1u64 << (format.width() - 1));
    let signalling = format.infinity().map_or(0x7f7f, |infinity| infinity + 1);
    let mut table =
        vec![0, 1, sign - 1, sign, mask, mask / 3, mask / 3 * 2, nan(format), signalling | sign];
    table.sort_unstable();
    table.dedup();
    table
}

/// Returns every magnitude once, ascending, each positive and then negative where the format has a sign.
pub fn signed(format: &Format, magnitudes: &[u64]) -> Vec<u64> {
    let mut magnitudes = magnitudes.to_vec();
    magnitudes.sort_unstable();
    magnitudes.dedup();
    let with_sign = |&magnitude: &u64| {
        let negative = match (format.signed, format.is_fixed()) {
            (false, _) => None,
            (true, true) => Some(magnitude.wrapping_neg() & format.mask()),
            (true, false) => Some(magnitude | format.sign_mask()),
        };
        // Zero has no sign as an integer, and the largest magnitude is negative.
        let positive = (magnitude <= format.magnitude_mask()).then_some(magnitude);
        let negative = negative.filter(|&negative| positive != Some(negative));
        [positive, negative].into_iter().flatten()
    };
    magnitudes.iter().flat_map(with_sign).collect()
}
