//! The sweep `unselected`: elements of B that meet the zeros of a sparse A, where they are no numbers.

use super::{DotSweep, Length, Maker, exact, random};

pub const SWEEP: DotSweep = DotSweep {
    name: "unselected",
    targets: "Elements of B that meet the zeros of a sparse A, and are read all the same: NaN, infinities, and \
              the largest number.",
    length: |variant| {
        let dot = variant.dot();
        let special = dot.b.nan().is_some() || dot.b.infinity().is_some();
        if dot.sparsity.is_some() && special { Length::Endless } else { Length::None }
    },
    make,
};

/// Makes a vector of exact or of random sums, beside elements that are no numbers and not selected.
fn make(maker: &mut Maker) {
    maker.unselected = true;
    match maker.draws.flag() {
        true => exact::make(maker),
        false => random::make(maker),
    }
}
