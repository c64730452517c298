//! The sweep `overflow`: results at the upper end of the range.

use formats::Column;

use super::aim::aim;
use super::exact::ExactNumber;
use super::fill::FillJob;
use super::random::CounterRng;
use super::shape::Shape;
use super::{Length, Sweep};

pub const SWEEP: Sweep = Sweep {
    name: "overflow",
    targets: "The step to infinity in every rounding: results around the largest number, half a unit \
            above it, and products beyond it that the addend brings back.",
    length: |shape| if shape.has_terms() { Length::Endless } else { Length::None },
    fill,
};

fn fill(job: &FillJob, columns: &mut [Column]) {
    let shape = job.shape;
    job.lanes(columns, |draws, _| {
        let target = target(&shape, draws);
        aim(&shape, draws, target)
    });
}

/// Draws the largest number and up to two units of its last place more or less.
fn target(shape: &Shape, draws: &mut CounterRng) -> ExactNumber {
    let span = shape.destination;
    let (max, exponent) = shape.result.decode(shape.result.max_finite()).expect("finite");
    let fraction = (span.precision + 2).min(60);
    let unit = 1i128 << fraction;
    let off = match draws.below(8) {
        0 => 0,
        1..=3 => unit / 2,
        4 => unit,
        5 => unit / 4,
        6 => i128::from(draws.bits(fraction)),
        _ => unit * i128::from(draws.between(-2, 2)),
    };
    let beside = if draws.flag() { 0 } else { i128::from(draws.between(-1, 1)) };
    let magnitude = i128::from(max) * unit + off + beside;
    ExactNumber::new(draws.flag(), magnitude.unsigned_abs(), exponent - fraction)
}
