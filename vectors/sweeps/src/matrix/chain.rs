//! Sequences whose sum depends on the order of fused operations and on their rounding.

use super::{DotSweep, Length, Maker};

pub const SWEEP: DotSweep = DotSweep {
    name: "chain",
    targets: "Another order than the ascending one, products that are rounded before they are added, and a \
              rounding other than the instruction's.",
    length: |variant| {
        // Others have the range for it, but add narrow products before they round.
        let wide = variant.dot().a.width() >= 16 && variant.dot().scales.is_none();
        if wide { Length::Endless } else { Length::None }
    },
    make,
};

fn make(maker: &mut Maker) {
    maker.controls.accumulate = true;
    match maker.draws.below(3) {
        0 => pair(maker),
        1 => halves(maker),
        _ => fused(maker),
    }
}

/// `2^p`, `-2^p` at other places, and small odd numbers of quanta, of which the sums between lose the last bit.
fn pair(maker: &mut Maker) {
    let (places, precision) = (maker.places(), maker.dot.d.precision() as i32);
    let i = maker.pick(places);
    let j = (i + 1 + maker.pick(places - 1)) % places;
    let exponent = maker.level(&[i, j], 1, 1, precision);
    let (negative, alike, sign) = (maker.draws.flag(), maker.draws.flag(), maker.draws.flag());
    maker.put(i, 1, 1, exponent, negative);
    maker.put(j, 1, 1, exponent, !negative);
    for place in (0..places).filter(|place| ![i, j].contains(place)) {
        let odd = [1, 1, 3, 5][maker.pick(4)];
        let negative = if alike { sign } else { maker.draws.flag() };
        maker.put(place, odd, 1, exponent - precision + (odd > 1) as i32, negative);
    }
}

/// A number of full precision at one place, and halves of its last bit, or nearly, at the others.
fn halves(maker: &mut Maker) {
    let (places, precision) = (maker.places(), maker.dot.d.precision() as i32);
    let i = maker.pick(places);
    let [a, b] = maker.precisions();
    let first = maker.draws.between(1, a.min(precision - 1));
    let (a, b) = (maker.draws.odd(first), maker.draws.odd(b.min(precision - first)));
    let exponent = maker.level(&[i], a, b, precision + 4);
    let negative = maker.draws.flag();
    let exponent = maker.put(i, a, b, exponent, negative);
    for place in (0..places).filter(|&place| place != i) {
        let lower = maker.draws.between(-1, 2);
        let negative = maker.draws.flag();
        maker.put(place, 1, 1, exponent - precision - lower, negative);
    }
}

/// A product of full precision and an addend that leaves only what its rounding would lose.
fn fused(maker: &mut Maker) {
    let terms = maker.terms();
    let i = maker.pick(terms);
    let [a, b] = maker.precisions();
    let (a, b) = (maker.draws.odd(a), maker.draws.odd(b));
    let exponent = maker.level(&[i, terms], a, b, 2 * maker.addend_precision());
    let negative = maker.draws.flag();
    let exponent = maker.put(i, a, b, exponent, negative);
    maker.put(terms, a, b, exponent, !negative);
    if maker.draws.flag() {
        let step = maker.draws.below(2) as u64;
        let moved = maker.c & maker.dot.c.magnitude_mask();
        maker.c = maker.c & maker.dot.c.sign_mask() | (moved + step).min(maker.dot.c.max_finite());
    }
    // A power of two of an ulp, before or behind.
    let place = (i + 1 + maker.pick(terms - 1)) % terms;
    let (distance, negative) = (maker.draws.between(0, 12), maker.draws.flag());
    let precision = maker.addend_precision();
    maker.put(place, 1, 1, exponent - precision - distance, negative);
}
