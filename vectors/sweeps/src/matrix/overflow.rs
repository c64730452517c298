//! The sweep `overflow`: sums beyond the largest number, on the way or at the end.

use super::{DotSweep, Length, Maker};
use crate::ExactNumber;

pub const SWEEP: DotSweep = DotSweep {
    name: "overflow",
    targets: "Overflow where only part of the sum is too large, at the last bit, and in the wrong direction; an \
              accumulator as narrow as the addend.",
    length: |_| Length::Endless,
    make,
};

/// Makes a vector by one of four ways in which a sum, or a part of it, overflows.
fn make(maker: &mut Maker) {
    let terms = maker.terms();
    let largest = maker.top();
    let base = largest - 4;
    maker.scale_all(base);
    let negative = maker.draws.flag();
    let [a, b] = maker.precisions().map(|precision| (1 << precision) - 1);
    // Where no product comes near the largest number, the addend does.
    let small = maker.reach(0, a, b).1 < largest;
    let [first, second, third, fourth] = four(maker);
    match maker.draws.below(4) {
        0 => {
            // Where products reach that far, each sign's part of the sum overflows, and the whole does not.
            for (place, negative) in
                [(first, negative), (second, negative), (third, !negative), (fourth, !negative)]
            {
                maker.put(place, a, b, largest, negative);
            }
            if small {
                addend(maker, 0, negative);
            }
        }
        1 => {
            // About half of the largest number's last bit.
            let precision = maker.narrower().precision() as i32;
            let exponent = largest - precision + maker.draws.between(-2, 1);
            let (a, b) = if maker.draws.flag() { (1, 1) } else { (a, b) };
            let lower = u64::from(maker.draws.bits(2) == 0);
            addend(maker, lower, negative);
            let place = first % terms;
            maker.put(place, a, b, exponent, negative);
            if maker.draws.flag() {
                let (distance, flip) = (maker.draws.between(1, 30), maker.draws.flag());
                maker.put((place + 1) % terms, 1, 1, exponent - distance, negative != flip);
            }
        }
        2 => {
            let lower = maker.draws.between(0, 7);
            let (a, b) = maker.pattern();
            let exponent = largest - lower;
            for place in 0..terms {
                maker.put(place, a, b, exponent, negative);
            }
            if small {
                addend(maker, 0, negative);
            }
        }
        _ => {
            // A product beyond on its own, and an addend that would bring it back.
            let beyond = maker.draws.between(0, 2);
            let place = first % terms;
            maker.put(place, a, b, largest + beyond, negative);
            addend(maker, 0, !negative);
            if maker.draws.flag() {
                maker.put((place + 1) % terms, a, b, largest, negative);
            }
        }
    }
}

/// Draws four different places.
fn four(maker: &mut Maker) -> [usize; 4] {
    let places = maker.places();
    let (start, step) = (maker.pick(places), 1 + maker.pick((places - 1) / 3));
    [0, 1, 2, 3].map(|number| (start + number * step) % places)
}

/// Writes as addend the number that is `lower` encodings below the largest one.
fn addend(maker: &mut Maker, lower: u64, negative: bool) {
    maker.controls.accumulate = true;
    // The controls negate products only, so the sign of the addend changes with them.
    let negative = negative ^ maker.controls.negate_a ^ maker.controls.negate_b;
    let format = maker.narrower();
    let (significand, exponent) = format.decode(format.max_finite() - lower).expect("a number");
    maker.c = ExactNumber::new(negative, significand.into(), exponent).truncate(maker.dot.c);
}
