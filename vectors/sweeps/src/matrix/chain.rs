//! The sweep `chain`: sequences whose sum depends on the order of fused operations and on their rounding.

use super::{DotSweep, Length, Maker};

pub const SWEEP: DotSweep = DotSweep {
    name: "chain",
    targets: "Another order than the ascending one, products that are rounded before they are added, and a \
              rounding other than the instruction's.",
    length: |variant| {
        // Other variants have the range for it, but add narrow products before they round.
        let wide = variant.dot().a.width() >= 16 && variant.dot().scales.is_none();
        if wide { Length::Endless } else { Length::None }
    },
    make,
};

/// Makes a vector by one of three ideas, with the addend added.
fn make(maker: &mut Maker) {
    maker.controls.accumulate = true;
    match maker.draws.below(3) {
        0 => pair(maker),
        1 => halves(maker),
        _ => fused(maker),
    }
}

/// Writes `2^p` and `-2^p` in two places, and in the others small odd numbers of quanta; the sums between lose the
/// last bit of these.
fn pair(maker: &mut Maker) {
    let (places, precision) = (maker.places(), maker.dot.d.precision() as i32);
    let i = maker.pick(places);
    let j = (i + 1 + maker.pick(places - 1)) % places;
    let exponent = maker.level(&[i, j], 1, 1, precision);
    let (negative, alike, sign) = (maker.draws.flag(), maker.draws.flag(), maker.draws.flag());
    maker.put(i, 1, 1, exponent, negative);
    maker.put(j, 1, 1, exponent, !negative);
    for place in (0..places).filter(|place| ![i, j].contains(place)) {
        // A 1 is half of the last place of `2^p`. 3 and 5 lead one place higher, and end in bits that are lost.
        let odd = [1, 1, 3, 5][maker.pick(4)];
        let negative = if alike { sign } else { maker.draws.flag() };
        maker.put(place, odd, 1, exponent - precision + (odd > 1) as i32, negative);
    }
}

/// Writes a number of full precision in one place, and halves of its last bit, or nearly, in the others.
fn halves(maker: &mut Maker) {
    let (places, precision) = (maker.places(), maker.dot.d.precision() as i32);
    let i = maker.pick(places);
    let [a, b] = maker.precisions();
    let first = maker.draws.between(1, a.min(precision - 1));
    // The lengths together are at most the precision, so that the product is a number of the result's format.
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

/// Writes a product of full precision, and an addend that leaves only what the product's rounding would lose.
fn fused(maker: &mut Maker) {
    let terms = maker.terms();
    let i = maker.pick(terms);
    let [a, b] = maker.precisions();
    let (a, b) = (maker.draws.odd(a), maker.draws.odd(b));
    let exponent = maker.level(&[i, terms], a, b, 2 * maker.addend_precision());
    let negative = maker.draws.flag();
    let exponent = maker.put(i, a, b, exponent, negative);
    maker.put(terms, a, b, exponent, !negative);
    // The addend is the product cut off; one encoding more leaves a rest of the other sign.
    if maker.draws.flag() {
        let step = maker.draws.below(2) as u64;
        let moved = maker.c & maker.dot.c.magnitude_mask();
        maker.c = maker.c & maker.dot.c.sign_mask() | (moved + step).min(maker.dot.c.max_finite());
    }
    // The third term is a power of two of an ulp, before the product or behind it.
    let place = (i + 1 + maker.pick(terms - 1)) % terms;
    let (distance, negative) = (maker.draws.between(0, 12), maker.draws.flag());
    let precision = maker.addend_precision();
    maker.put(place, 1, 1, exponent - precision - distance, negative);
}
