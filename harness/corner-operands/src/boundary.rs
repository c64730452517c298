//! Boundary data, where something begins or ends: zero, the normal numbers, 1, overflow, kinds of NaN.

use formats::Format;
use sweeps::CounterRng;

use crate::{one_in, pick};

/// NaNs of 16 bits that are out of bounds for `.oob`, or look as if they were.
const OUT_OF_BOUNDS: [u64; 2] = [0x7ff7, 0x7eff];

/// Returns the magnitudes of a format's data where something begins or ends. A format that lacks a boundary has
/// another in its place: its largest number for infinity, all ones for NaN.
pub fn boundaries(format: &Format) -> [u64; 11] {
    [
        0,
        format.min_normal(),
        format.one(),
        format.max_finite(),
        format.infinity().unwrap_or(format.max_finite()),
        format.nan().unwrap_or(format.magnitude_mask()),
        format.magnitude_mask(),
        // The next two are NaNs: a signalling one, and a quiet one with an empty payload.
        format.exponent_mask() | 1,
        format.exponent_mask() | 1 << format.trailing_bits.saturating_sub(1),
        OUT_OF_BOUNDS[0],
        OUT_OF_BOUNDS[1],
    ]
    .map(|magnitude| magnitude & format.magnitude_mask())
}

/// Draws one of the [`boundaries`], or a neighbour at a distance of at most 2, of either sign.
pub fn boundary(random: &mut CounterRng, format: &Format) -> u64 {
    let boundary = pick(random, &boundaries(format));
    let offset = if one_in(random, 2) { 0 } else { random.between(-2, 2) };
    let sign = random.next() & format.sign_mask();
    (boundary.wrapping_add_signed(offset.into()) ^ sign) & format.mask()
}

/// Returns the exponent fields, in place, of a format's smallest and largest numbers, of 1, and of their
/// neighbours.
pub fn edge_exponents(format: &Format) -> [u64; 8] {
    let (mask, one) = (format.exponent_mask(), format.one() & format.exponent_mask());
    let unit = mask & mask.wrapping_neg();
    let [second, last_but_two] = [unit << 1, mask.wrapping_sub(unit << 1)];
    [0, unit, second & mask, one, one ^ unit, last_but_two & mask, mask ^ unit, mask]
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use formats::{F16, FormatId};

    use super::*;

    /// Draws all boundaries and their neighbours, of both signs, within as many draws as the shortest test
    /// takes.
    #[test]
    fn every_boundary_is_reached() {
        for id in FormatId::ALL {
            let (format, mut random) = (id.format(), CounterRng::new(1, 0));
            let drawn: HashSet<u64> = (0..2_000).map(|_| boundary(&mut random, format)).collect();
            for boundary in boundaries(format) {
                for offset in -2..=2 {
                    for sign in [0, format.sign_mask()] {
                        let bits = (boundary.wrapping_add_signed(offset) ^ sign) & format.mask();
                        assert!(drawn.contains(&bits), "{} {bits:#x}", format.name);
                    }
                }
            }
        }
    }

    #[test]
    fn boundaries_of_f16_are_these() {
        let specials =
            [0, 0x400, 0x3c00, 0x7bff, 0x7c00, 0x7fff, 0x7fff, 0x7c01, 0x7e00, 0x7ff7, 0x7eff];
        assert_eq!(boundaries(&F16), specials);
        let fields = [0, 0x400, 0x800, 0x3c00, 0x3800, 0x7400, 0x7800, 0x7c00];
        assert_eq!(edge_exponents(&F16), fields);
    }
}
