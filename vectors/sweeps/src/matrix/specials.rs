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

/// A change that a vector makes to its element in turn, or to all terms. The largest number takes the place of infinity
/// in a format without one, and all bits but the sign that of NaN.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The element is the canonical NaN, of either sign.
    CanonicalNan,
    /// The element is a NaN with any payload, of either sign.
    AnyNan,
    /// The element is +∞.
    PositiveInfinity,
    /// The element is −∞.
    NegativeInfinity,
    /// The element is +0.
    PositiveZero,
    /// The element is −0.
    NegativeZero,
    /// The element is infinite, and the other factor of its term zero.
    InfinityTimesZero,
    /// The element is infinite, and so is the addend or another term.
    TwoInfinities,
    /// All terms and the addend are zero, and there is no element in turn.
    Zeros,
    /// The element is a NaN or infinite, and all other factors and the addend are +0. Scales that are not the
    /// element stay 1.
    Alone,
}

/// The kinds in the order in which vectors have them, as `MATRIX_SWEEPS.md` numbers them.
const KINDS: [Kind; 10] = [
    Kind::CanonicalNan,
    Kind::AnyNan,
    Kind::PositiveInfinity,
    Kind::NegativeInfinity,
    Kind::PositiveZero,
    Kind::NegativeZero,
    Kind::InfinityTimesZero,
    Kind::TwoInfinities,
    Kind::Zeros,
    Kind::Alone,
];

/// Makes a vector: ordinary numbers, of which one element after the other becomes special, in each kind.
fn make(maker: &mut Maker) {
    let terms = maker.terms();
    let blocks = maker.scales[0].len();
    // A's elements, B's, the addend, A's scales, B's scales: in this order.
    let elements = 2 * terms + 1 + 2 * blocks;
    let element = (maker.index % elements as u64) as usize;
    let kind = KINDS[(maker.index / elements as u64 % KINDS.len() as u64) as usize];
    if kind == Kind::Zeros {
        return zeros(maker);
    }
    // When a vector is begun all factors and the addend are +0, and all scales 1.
    if kind != Kind::Alone {
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
        _ => maker.dot.scales.expect("an element behind the addend is a scale").format,
    };
    let draws = &mut maker.draws;
    let bits = match kind {
        Kind::CanonicalNan => nan(format) | sign(format, draws),
        Kind::AnyNan => payload(format, draws) | sign(format, draws),
        Kind::PositiveInfinity => top(format),
        Kind::NegativeInfinity => top(format) | format.sign_mask(),
        Kind::PositiveZero => 0,
        Kind::NegativeZero => format.sign_mask(),
        Kind::InfinityTimesZero | Kind::TwoInfinities => top(format) | sign(format, draws),
        // `Zeros` was made above.
        Kind::Alone | Kind::Zeros if draws.flag() => nan(format) | sign(format, draws),
        Kind::Alone | Kind::Zeros => top(format) | sign(format, draws),
    };
    // Only `TwoInfinities` needs this draw, but `MATRIX_SWEEPS.md` has it in every kind.
    let other = maker.pick(terms - 1);
    match role {
        Role::A => maker.a[element] = bits,
        Role::B => maker.b[element - terms] = bits,
        Role::C => maker.c = bits,
        Role::ScalesA => maker.scales[0][element - 2 * terms - 1] = bits,
        _ => maker.scales[1][element - 2 * terms - 1 - blocks] = bits,
    }
    // An element of A or B is in this term; for the addend and for scales it is some term.
    let term = element % terms;
    // Neither a scale nor the addend has a single other factor, so these stay without a zero.
    if kind == Kind::InfinityTimesZero && element < 2 * terms {
        let zero = sign(if role == Role::A { maker.dot.b } else { maker.dot.a }, &mut maker.draws);
        let partner = if role == Role::A { &mut maker.b } else { &mut maker.a };
        partner[term] = zero;
    }
    if kind == Kind::TwoInfinities {
        // The second infinity is the addend, or else in another term: where the addend is the first, always in a term.
        let addend = maker.draws.flag() && role != Role::C;
        let format = if addend { maker.dot.c } else { maker.dot.a };
        let bits = top(format) | sign(format, &mut maker.draws);
        match addend {
            true => maker.c = bits,
            false => maker.a[(term + 1 + other) % terms] = bits,
        }
    }
}

/// Makes all terms zero, and the addend too, with signs of their own. In half of the vectors both factors of all terms
/// are zero; in the others one or both are.
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

/// Draws a sign: the sign bit of a format, or 0.
fn sign(format: &Format, draws: &mut CounterRng) -> u64 {
    if draws.flag() { format.sign_mask() } else { 0 }
}

/// Returns the canonical NaN, or all bits but the sign where the format has no NaN.
fn nan(format: &Format) -> u64 {
    format.nan().unwrap_or(format.magnitude_mask())
}

/// Draws a NaN of a format. In an IEEE format it has any payload, and may be signalling; in a format with a single NaN
/// it is that one, and in one without NaN all bits but the sign. The payload is drawn even where it is not used.
fn payload(format: &Format, draws: &mut CounterRng) -> u64 {
    // A payload of 0 would be an infinity.
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
