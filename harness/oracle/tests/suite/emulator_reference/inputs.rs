//! Inputs of lanes that reach the corners.

use formats::{Format, Scale};
use isa::Variant;
use sweeps::CounterRng;

/// The inputs of one lane.
pub fn lane(random: &mut CounterRng, variant: &Variant) -> Vec<u64> {
    let result = variant.outputs()[0].format;
    let formats: Vec<&Format> = variant.inputs().iter().map(|input| input.format).collect();
    let kind = random.below(8);
    // An exponent that numbers of the lane share, more or less.
    let around = random.between(result.exponent_min(), result.exponent_max());
    let near_one = random.below(3) == 0;
    let around = if near_one { random.between(-3, 3) } else { around };
    let any = |random: &mut CounterRng, f: &&Format| match kind {
        0 | 1 => random.next() & f.mask(),
        2 | 3 => boundary(random, f),
        _ if f.is_fixed() => integer(random, f),
        _ => {
            let reach = [1, 4, result.precision() as i32 + 3][random.below(3) as usize];
            let exponent = around + random.between(-reach, reach);
            sparse(random, f, exponent, result)
        }
    };
    formats.iter().map(|f| any(random, f)).collect()
}

/// A value at the end of a range.
fn boundary(random: &mut CounterRng, f: &Format) -> u64 {
    let ends = [
        0,
        f.min_normal(),
        f.one(),
        f.max_finite(),
        f.infinity().unwrap_or(f.max_finite()),
        f.nan().unwrap_or(0),
        f.sign_mask(),
        f.magnitude_mask(),
        0x7ff7 & f.mask(),
    ];
    let end = ends[random.below(ends.len() as i32) as usize];
    let offset = random.between(-2, 2) as u64;
    (end.wrapping_add(offset) ^ random.next() & f.sign_mask()) & f.mask()
}

fn integer(random: &mut CounterRng, f: &Format) -> u64 {
    let magnitude = (random.next() & f.mask()) >> random.below(f.width() as i32);
    let near =
        magnitude.checked_next_power_of_two().unwrap_or(0).wrapping_add(random.between(-1, 1) as u64);
    let chosen = if random.below(2) == 0 { magnitude } else { near };
    let negative = f.signed && random.below(2) == 0;
    (if negative { chosen.wrapping_neg() } else { chosen }) & f.mask()
}

/// A number of about that exponent, with few bits set, or clear, or a tie of the result's format.
fn sparse(random: &mut CounterRng, f: &Format, exponent: i32, result: &Format) -> u64 {
    let last = (f.max_finite() >> f.trailing_bits) as i32;
    let field = (exponent + f.bias).clamp(0, last) as u64;
    let sign = random.next() & f.sign_mask();
    if f.scale == Scale::Power {
        return field;
    }
    let width = f.trailing_bits.max(1);
    let one = |random: &mut CounterRng| 1u64 << random.below(width as i32);
    let tie = width.saturating_sub(result.trailing_bits + random.below(2) as u32);
    let trailing = match random.below(7) {
        0 => one(random),
        1 => one(random) | one(random),
        2 => !one(random),
        3 => one(random).wrapping_sub(one(random)),
        4 => random.next() << tie,
        5 => (random.next() << tie).wrapping_add(random.between(-1, 1) as u64),
        _ => random.next(),
    };
    sign | field << f.trailing_bits | trailing & f.trailing_mask()
}
