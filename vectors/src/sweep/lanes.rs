//! Lanes of a packed type that could disturb each other.

use super::fill::Job;
use super::oob::{PATTERN, ordinary};
use super::random::Draws;
use super::shape::{Lane, Shape};
use super::{Length, Sweep};
use crate::column::Column;

pub const SWEEP: Sweep = Sweep {
    name: "lanes",
    hunts: "Leaks between the lanes of a packed type: one lane special beside an ordinary one, both \
            equal, and both exchanged in the next vector.",
    length: |shape| if shape.lanes == 2 { Length::Endless } else { Length::None },
    fill,
};

fn fill(job: &Job, columns: &mut [Column]) {
    let shape = job.shape;
    // Vectors 2n and 2n + 1 are the same pair of lanes, exchanged in the second.
    job.rows_of_lanes(columns, |key, index| {
        let [first, second] = pair(&shape, &mut Draws::new(key, index / 2));
        if index % 2 == 0 { [first, second] } else { [second, first] }
    });
}

fn pair(shape: &Shape, draws: &mut Draws) -> [Lane; 2] {
    let mut plain = [[0; 3]; 2];
    for lane in &mut plain {
        for (operand, format) in lane.iter_mut().zip(shape.operands()) {
            let sign = if draws.flag() { format.sign_mask() } else { 0 };
            *operand = sign | ordinary(format, draws);
        }
    }
    match draws.below(8) {
        0 => [plain[0]; 2],
        1 => plain,
        2 => {
            let lane = special(shape, draws, plain[0]);
            [lane; 2]
        }
        _ => [plain[0], special(shape, draws, plain[1])],
    }
}

/// The lane with one operand special, or all of them huge or tiny; signs stay.
fn special(shape: &Shape, draws: &mut Draws, mut lane: Lane) -> Lane {
    let kind = draws.below(8);
    let which = draws.below(shape.arity as i32) as usize;
    for (number, (operand, format)) in lane.iter_mut().zip(shape.operands()).enumerate() {
        let magnitude = match kind {
            0 => format.canonical_nan(),
            1 => format.infinity().unwrap_or(format.max_finite()),
            2 => 0,
            3 => PATTERN & format.magnitude_mask(),
            4 => format.infinity().map_or(format.magnitude_mask(), |infinity| infinity + 1),
            5 => format.max_finite(),
            6 => 1,
            _ => format.min_normal() - 1,
        };
        if kind >= 5 || number == which {
            *operand = *operand & format.sign_mask() | magnitude;
        }
    }
    lane
}
