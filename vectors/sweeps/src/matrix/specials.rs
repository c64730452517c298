//! The sweep `specials`: NaN, infinities and zeros at every place of every operand.

use formats::{Format, Specials};

use super::term::ordinary;
use super::{DotSweep, Length, Maker, Role};
use crate::CounterRng;

pub const SWEEP: DotSweep = DotSweep {
    name: "specials",
    targets: "NaN and infinity that are overlooked, made or given another sign, and the signs of zeros.",
    length: |_| Length::Endless,
    make,
};

/// Number of special values that the element in turn becomes.
const KINDS: u64 = 10;

fn make(maker: &mut Maker) {
    let terms = maker.terms();
    let blocks = maker.scales[0].len();
    let elements = 2 * terms + 1 + 2 * blocks;
    let element = (maker.index % elements as u64) as usize;
    let kind = maker.index / elements as u64 % KINDS;
    if kind == 8 {
        return zeros(maker);
    }
    if kind != 9 {
        let Maker { dot, draws, a, b, c, .. } = maker;
        for k in 0..a.len() {
            (a[k], b[k]) = (ordinary(dot.a, draws), ordinary(dot.b, draws));
        }
        *c = ordinary(dot.c, draws);
    }
    let role = match element {
        _ if element < terms => Role::A,
        _ if element < 2 * terms => Role::B,
        _ if element == 2 * terms => Role::C,
        _ if element < 2 * terms + 1 + blocks => Role::ScalesA,
        _ => Role::ScalesB,
    };
    let format = match role {
        Role::A => maker.dot.a,
        Role::B => maker.dot.b,
        Role::C => maker.dot.c,
        _ => maker.dot.scales.expect("scales have places").format,
    };
    let draws = &mut maker.draws;
    let bits = match kind {
        0 => nan(format) | sign(format, draws),
        1 => payload(format, draws) | sign(format, draws),
        2 => top(format),
        3 => top(format) | format.sign_mask(),
        4 => 0,
        5 => format.sign_mask(),
        6 | 7 => top(format) | sign(format, draws),
        _ if draws.flag() => nan(format) | sign(format, draws),
        _ => top(format) | sign(format, draws),
    };
    // A scale's partners are the elements of its block; an infinite addend has another term.
    let other = maker.pick(terms - 1);
    match role {
        Role::A => maker.a[element] = bits,
        Role::B => maker.b[element - terms] = bits,
        Role::C => maker.c = bits,
        Role::ScalesA => maker.scales[0][element - 2 * terms - 1] = bits,
        _ => maker.scales[1][element - 2 * terms - 1 - blocks] = bits,
    }
    let term = element % terms;
    if kind == 6 && element < 2 * terms {
        let zero = sign(if role == Role::A { maker.dot.b } else { maker.dot.a }, &mut maker.draws);
        let partner = if role == Role::A { &mut maker.b } else { &mut maker.a };
        partner[term] = zero;
    }
    if kind == 7 {
        let addend = maker.draws.flag() && role != Role::C;
        let format = if addend { maker.dot.c } else { maker.dot.a };
        let bits = top(format) | sign(format, &mut maker.draws);
        match addend {
            true => maker.c = bits,
            false => maker.a[(term + 1 + other) % terms] = bits,
        }
    }
}

/// Makes all terms zero, by one factor or the other or both, and the addend too.
fn zeros(maker: &mut Maker) {
    let Maker { dot, draws, a, b, c, .. } = maker;
    let full = draws.flag();
    for k in 0..a.len() {
        let which = draws.below(3);
        (a[k], b[k]) = (sign(dot.a, draws), sign(dot.b, draws));
        match which {
            1 if full => a[k] = ordinary(dot.a, draws),
            2 if full => b[k] = ordinary(dot.b, draws),
            _ => {}
        }
    }
    *c = sign(dot.c, draws);
}

fn sign(format: &Format, draws: &mut CounterRng) -> u64 {
    if draws.flag() { format.sign_mask() } else { 0 }
}

/// Returns the canonical NaN, or all ones where there is none.
fn nan(format: &Format) -> u64 {
    format.nan().unwrap_or(format.magnitude_mask())
}

/// Draws a NaN with any payload, signalling ones too.
fn payload(format: &Format, draws: &mut CounterRng) -> u64 {
    let trailing = draws.patterned(format.trailing_bits as i32).max(1);
    match format.specials {
        Specials::Ieee => format.exponent_mask() | trailing,
        _ => nan(format),
    }
}

/// Returns infinity, or the largest number where the format has no infinity.
fn top(format: &Format) -> u64 {
    format.infinity().unwrap_or(format.max_finite())
}
