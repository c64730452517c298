//! The sweep `lanes`: lanes of a packed type that could disturb each other.

use formats::Column;
use isa::limits::{INPUTS_MAX, LANES_MAX};

use super::data::{largest_subnormal, nan, ordinary, sign, top};
use super::fill::FillJob;
use super::oob::PATTERN;
use super::random::CounterRng;
use super::shape::{Lane, Shape};
use super::{Length, Sweep};

pub const SWEEP: Sweep = Sweep {
    name: "lanes",
    targets: "Leaks between the lanes of a packed type: one lane special beside an ordinary one, all \
            equal, and all moved on by one place in the next vector.",
    length: |shape| if shape.lanes > 1 { Length::Endless } else { Length::None },
    fill,
};

fn fill(job: &FillJob, columns: &mut [Column]) {
    let (shape, lanes) = (job.shape, job.shape.lanes);
    // Of two lanes, vectors 2n and 2n + 1 are the same pair, exchanged in the second.
    job.rows(columns, |keys, index| {
        let turn = (index % lanes as u64) as usize;
        // One stream for all lanes: they are chosen together, and only their places turn.
        let made = draw_together(&shape, &mut CounterRng::new(keys[0], index / lanes as u64));
        std::array::from_fn(
            |lane| if lane < lanes { made[(lane + turn) % lanes] } else { [0; INPUTS_MAX] },
        )
    });
}

/// Draws all lanes of a vector: alike, ordinary, special, or the last one special beside ordinary ones.
fn draw_together(shape: &Shape, draws: &mut CounterRng) -> [Lane; LANES_MAX] {
    let mut plain = [[0; INPUTS_MAX]; LANES_MAX];
    for lane in &mut plain[..shape.lanes] {
        for (operand, format) in lane.iter_mut().zip(shape.operands()) {
            *operand = sign(format, draws) | ordinary(format, draws);
        }
    }
    match draws.below(8) {
        0 => [plain[0]; LANES_MAX],
        1 => plain,
        2 => [special(shape, draws, plain[0]); LANES_MAX],
        _ => {
            // The turn brings the one special lane to every place in as many vectors.
            let last = &mut plain[shape.lanes - 1];
            *last = special(shape, draws, *last);
            plain
        }
    }
}

/// Makes one operand of the lane special, or all of them huge or tiny; signs stay.
fn special(shape: &Shape, draws: &mut CounterRng, mut lane: Lane) -> Lane {
    let kind = draws.below(8);
    let which = draws.below(shape.arity as i32) as usize;
    for (number, (operand, format)) in lane.iter_mut().zip(shape.operands()).enumerate() {
        let magnitude = match kind {
            0 => nan(format),
            1 => top(format),
            2 => 0,
            3 => PATTERN & format.magnitude_mask(),
            4 => format.infinity().map_or(format.magnitude_mask(), |infinity| infinity + 1),
            5 => format.max_finite(),
            6 => 1,
            _ => largest_subnormal(format),
        };
        if kind >= 5 || number == which {
            *operand = *operand & format.sign_mask() | magnitude;
        }
    }
    lane
}
