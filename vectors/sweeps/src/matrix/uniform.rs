//! The sweep `uniform`: uniform random bits in every element.

use super::{DotSweep, Length, Maker};

pub const SWEEP: DotSweep = DotSweep {
    name: "uniform",
    targets: "What nobody thought of: uniform random bits in every element.",
    length: |_| Length::Endless,
    make,
};

/// Makes a vector of uniform bits, scales included.
fn make(maker: &mut Maker) {
    maker.compensated = false;
    let Maker { dot, draws, a, b, c, .. } = maker;
    a.iter_mut().for_each(|bits| *bits = draws.bits(dot.a.width() as i32));
    b.iter_mut().for_each(|bits| *bits = draws.bits(dot.b.width() as i32));
    *c = draws.bits(dot.c.width() as i32);
    if let Some(scales) = dot.scales {
        let all = maker.scales.iter_mut().flatten();
        all.for_each(|bits| *bits = draws.bits(scales.format.width() as i32));
    }
}
