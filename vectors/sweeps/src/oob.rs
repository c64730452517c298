//! The sweep `oob`: the out-of-bounds NaN and its neighbours.

use formats::{Column, Format};

use super::data::{ordinary, sign, top};
use super::fill::FillJob;
use super::random::CounterRng;
use super::shape::{Lane, Shape};
use super::{Length, Sweep};

pub const SWEEP: Sweep = Sweep {
    name: "oob",
    targets: "`.oob`: which patterns count as out of bounds, in which operands, against which others.",
    length: |shape| if shape.oob { Length::Endless } else { Length::None },
    fill,
};

/// The out-of-bounds pattern that hardware was seen to use, without its sign.
pub const PATTERN: u64 = 0x7ff7;
/// Other patterns: one that CUTLASS's software path for f16 uses, and the ordinary NaN.
const OTHERS: [u64; 2] = [0x7eff, 0x7fff];

fn fill(job: &FillJob, columns: &mut [Column]) {
    let shape = job.shape;
    job.lanes(columns, |draws, _| lane(&shape, draws));
}

/// Draws a lane in which a drawn set of operands is out of bounds, or nearly.
fn lane(shape: &Shape, draws: &mut CounterRng) -> Lane {
    // Any set of operands, each set as likely as every other: none, one, a pair, all.
    let chosen = draws.below(1 << shape.arity);
    let mut lane = Lane::default();
    for (number, (operand, format)) in lane.iter_mut().zip(shape.operands()).enumerate() {
        *operand = if chosen >> number & 1 == 1 { pattern(format, draws) } else { other(format, draws) };
    }
    lane
}

/// Draws the out-of-bounds pattern of either sign; or the pattern with a single bit changed; or one of [`OTHERS`].
fn pattern(format: &Format, draws: &mut CounterRng) -> u64 {
    let sign = sign(format, draws);
    let pattern = match draws.below(8) {
        0..=4 => PATTERN,
        5 | 6 => PATTERN ^ 1 << draws.below(16),
        _ => OTHERS[draws.below(2) as usize],
    };
    (pattern ^ sign) & format.mask()
}

/// Draws a number of ordinary size, mostly; else a zero, an infinity or an ordinary NaN.
fn other(format: &Format, draws: &mut CounterRng) -> u64 {
    let sign = sign(format, draws);
    let magnitude = match draws.below(8) {
        0 => 0,
        1 => top(format),
        2 => format.canonical_nan(),
        _ => ordinary(format, draws),
    };
    sign | magnitude
}
