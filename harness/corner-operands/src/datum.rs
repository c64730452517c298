//! Random data for one operand: any bits, a boundary, or few bits set in an exponent of some kind.

use formats::{Format, Scale};
use sweeps::CounterRng;

use crate::{boundary, edge_exponents, pick};

/// Draws a datum of any kind: any bits, a boundary, or few bits set in an exponent of some kind.
pub fn datum(random: &mut CounterRng, format: &Format) -> u64 {
    match random.below(8) {
        0 => random.next() & format.mask(),
        1 | 2 => boundary(random, format),
        _ if format.is_fixed() => integer(random, format),
        kind => {
            let field = match kind {
                // Exponents near that of 1, where sums and products of several operands meet.
                3 | 4 => {
                    let reach = (format.trailing_bits as i32 + 3).min(format.bias - 1);
                    (format.bias + random.between(-reach, reach)) as u64
                }
                5 => pick(random, &edge_exponents(format)) >> format.trailing_bits,
                _ => random.next() & format.exponent_mask() >> format.trailing_bits,
            };
            sparse(random, format, field, format)
        }
    }
}

/// Draws a number of a fixed-point format: a magnitude of any length, few bits, or a neighbour of a power of
/// two.
pub fn integer(random: &mut CounterRng, format: &Format) -> u64 {
    let bit = |random: &mut CounterRng| 1u64 << random.below(64);
    let magnitude = (random.next() & format.mask()) >> random.below(format.width() as i32);
    let chosen = match random.below(4) {
        0 | 1 => magnitude,
        2 => {
            let power = magnitude.checked_next_power_of_two().unwrap_or(0);
            power.wrapping_add_signed(random.between(-1, 1).into())
        }
        _ => bit(random) | bit(random) | bit(random),
    };
    let negative = format.signed && random.flag();
    (if negative { chosen.wrapping_neg() } else { chosen }) & format.mask()
}

/// Draws a number whose exponent field is `field`, of either sign. It has few bits set below the exponent, or
/// few clear, or is near a tie between two numbers of `result`, the format that it is going to be rounded to.
pub fn sparse(random: &mut CounterRng, format: &Format, field: u64, result: &Format) -> u64 {
    let sign = random.next() & format.sign_mask();
    let field = (field << format.trailing_bits) & format.magnitude_mask();
    if format.scale == Scale::Power {
        return field;
    }
    let width = format.trailing_bits.max(1);
    let one = |random: &mut CounterRng| 1u64 << random.below(width as i32);
    let tie = width.saturating_sub(result.trailing_bits + random.below(2) as u32);
    let trailing = match random.below(10) {
        0 => 0,
        1 => one(random),
        2 => one(random) | one(random),
        3 => !one(random),
        4 => !(one(random) | one(random)),
        5 => one(random) - 1,
        6 => one(random).wrapping_sub(one(random)),
        7 => random.next() << tie,
        8 => (random.next() << tie).wrapping_add_signed(random.between(-1, 1).into()),
        _ => random.next(),
    };
    sign | field | trailing & format.trailing_mask()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use formats::{BF16, F16, F64, FormatId};

    use super::*;

    fn drawn(format: &Format, count: usize) -> HashSet<u64> {
        let mut random = CounterRng::new(2, 0);
        (0..count).map(|_| datum(&mut random, format)).collect()
    }

    #[test]
    fn data_have_no_bits_beside_their_formats() {
        for id in FormatId::ALL {
            let format = id.format();
            assert!(
                drawn(format, 2_000).iter().all(|bits| bits & !format.mask() == 0),
                "{}",
                format.name
            );
        }
    }

    /// Draws every exponent of a narrow format, with each single bit, each run up from the last, and each
    /// missing bit.
    #[test]
    fn every_exponent_comes_with_few_bits() {
        for format in [&F16, &BF16] {
            let drawn = drawn(format, 1 << 21);
            for field in 0..=format.exponent_mask() >> format.trailing_bits {
                let singles = (0..format.trailing_bits).map(|bit| 1u64 << bit);
                let few = singles.flat_map(|bit| [bit, bit - 1, !bit & format.trailing_mask()]);
                for trailing in few {
                    let bits = field << format.trailing_bits | trailing;
                    assert!(drawn.contains(&bits), "{} {bits:#x}", format.name);
                }
            }
        }
    }

    /// Draws numbers halfway between two of the result's format, and their neighbours.
    #[test]
    fn ties_of_the_result_are_reached() {
        let (mut random, one) = (CounterRng::new(3, 0), F64.bias as u64);
        let below = F64.trailing_bits - F16.trailing_bits;
        let rests: HashSet<u64> =
            (0..10_000).map(|_| sparse(&mut random, &F64, one, &F16) & ((1 << below) - 1)).collect();
        let half = 1 << (below - 1);
        assert!([0, 1, half - 1, half, half + 1].iter().all(|rest| rests.contains(rest)));
    }
}
