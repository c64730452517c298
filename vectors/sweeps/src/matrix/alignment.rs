//! The sweep `alignment`: one largest term, and others at every distance below it.

use super::{DotSweep, Length, Maker};

pub const SWEEP: DotSweep = DotSweep {
    name: "alignment",
    targets: "How many bits are kept below the largest term, and whether the others are cut off, floored, rounded \
              or remembered in a sticky bit.",
    length: |_| Length::Endless,
    make,
};

/// Makes a vector with one largest term, and others a given distance below it.
fn make(maker: &mut Maker) {
    let places = maker.places();
    // The vector's number counts through all distances, and then through the places of the largest term.
    let distances = maker.widest() as u64 + 1;
    let distance = (maker.index % distances) as i32;
    let largest = (maker.index / distances % places as u64) as usize;
    // The addend is a term only if it is added.
    maker.controls.accumulate |= largest == maker.terms();
    maker.separate(&[largest], distance);
    let (a, b) = maker.pattern();
    let exponent = maker.level(&[largest], a, b, distance);
    let negative = maker.draws.flag();
    let exponent = maker.put(largest, a, b, exponent, negative);

    // All ones lose most where bits are cut off.
    let [a, b] = match maker.draws.below(4) {
        0 => [1, 1],
        _ => maker.precisions().map(|precision| (1 << precision) - 1),
    };
    let kind = maker.draws.below(4);
    let (only, alike, sign) = (maker.pick(places - 1), maker.draws.flag(), maker.draws.flag());
    let nearest = maker.draws.flag();
    for (number, place) in (0..places).filter(|&place| place != largest).enumerate() {
        let chosen = match kind {
            0 => number == only,
            1 => number == only || number == (only + 1) % (places - 1),
            2 => true,
            _ => maker.draws.flag(),
        };
        if chosen {
            let negative = if alike { sign } else { maker.draws.flag() };
            maker.put_low(place, a, b, exponent - distance, negative, nearest);
        }
    }
}
