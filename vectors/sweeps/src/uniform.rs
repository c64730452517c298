//! The sweep `uniform`: uniform random bits in every operand.

use formats::Column;

use super::fill::FillJob;
use super::random::nth;
use super::shape::Shape;
use super::{Length, Sweep};

pub const SWEEP: Sweep = Sweep {
    name: "uniform",
    targets: "What nobody thought of: uniform random bits in every operand.",
    length: |_| Length::Endless,
    fill,
};

/// Returns the number of 64-bit draws that a lane of one vector needs when no operand is split between two draws.
fn draws(shape: &Shape) -> u64 {
    let mut used = 0;
    let mut draws = 1;
    for format in shape.operands() {
        used += format.width();
        if used > 64 {
            (draws, used) = (draws + 1, format.width());
        }
    }
    draws
}

fn fill(job: &FillJob, columns: &mut [Column]) {
    let shape = &job.shape;
    let draws = draws(shape);
    let [w0, w1, w2] = std::array::from_fn(|n| shape.operands().get(n).map_or(0, |f| f.width()));
    let [m0, m1, m2] = std::array::from_fn(|n| shape.operands().get(n).map_or(0, |f| f.mask()));
    if draws == 1 {
        job.keyed_lanes(columns, |key, index| {
            let bits = nth(key, index);
            let rest = bits >> (w0 & 63);
            // A later operand is absent, or 64 bits are enough for it: the shift is below 64.
            [bits & m0, rest & m1, rest >> (w1 & 63) & m2]
        });
    } else {
        job.keyed_lanes(columns, |key, index| {
            let mut number = index.wrapping_mul(draws);
            let (mut bits, mut left) = (nth(key, number), 64);
            let mut take = |width: u32, mask: u64| {
                if width > left {
                    number = number.wrapping_add(1);
                    (bits, left) = (nth(key, number), 64);
                }
                let taken = bits & mask;
                bits = bits.checked_shr(width).unwrap_or(0);
                left -= width;
                taken
            };
            [take(w0, m0), take(w1, m1), take(w2, m2)]
        });
    }
}
