//! The sweep `cancellation`: two large terms that cancel, at every pair of places, above small ones.

use super::{DotSweep, Length, Maker};

pub const SWEEP: DotSweep = DotSweep {
    name: "cancellation",
    targets: "Short alignment, and an order of adding: what is left of small terms when large ones have cancelled.",
    length: |_| Length::Endless,
    make,
};

/// Returns the lowest and the highest distance of the small terms from the cancelling pair: about as many bits as
/// units keep. Units that add products of operands of 8 bits and fewer may keep less, and units that scale blocks of
/// 4-bit operands keep more.
fn ladder(maker: &Maker) -> (i32, i32) {
    let lowest = if maker.may_be_short() { 10 } else { 20 };
    let highest = if maker.scales[0].len() > 1 { 48 } else { 40 };
    (lowest + maker.further(), highest + maker.further())
}

/// Makes a vector with two terms that cancel, at places that the number of the vector counts through.
fn make(maker: &mut Maker) {
    let places = maker.places();
    let number = (maker.index % (places * (places - 1)) as u64) as usize;
    let (i, j) = (number / (places - 1), number % (places - 1));
    let j = j + usize::from(j >= i);
    // Where the pair includes the addend, it must be added.
    maker.controls.accumulate |= i.max(j) == maker.terms();
    let (lowest, highest) = ladder(maker);
    let depth = maker.draws.between(lowest, highest);
    let exponent = maker.cancelling([i, j], depth);

    let (a, b) = maker.pattern();
    let kind = maker.draws.below(4);
    let (only, alike) = (maker.pick(places - 2), maker.draws.flag());
    let nearest = maker.draws.flag();
    for (number, place) in (0..places).filter(|place| ![i, j].contains(place)).enumerate() {
        let distance = match kind {
            0 if number != only => continue,
            0 | 1 => depth,
            2 => depth + (number % 8) as i32,
            _ => maker.draws.between(lowest, highest),
        };
        let negative = if kind == 1 { alike } else { maker.draws.flag() };
        maker.put_low(place, a, b, exponent - distance, negative, nearest);
    }
}
