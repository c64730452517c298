//! The sweep `largest`: which term decides the alignment, whether the addend, a product, or a product whose leading
//! bit is above its exponent.

use super::{DotSweep, Length, Maker};

pub const SWEEP: DotSweep = DotSweep {
    name: "largest",
    targets: "An addend that joins late or early, and products that are normalised before they are aligned.",
    length: |_| Length::Endless,
    make,
};

/// Makes a vector whose largest term is the addend, a product, or either beside the other.
fn make(maker: &mut Maker) {
    let terms = maker.terms();
    let widest = maker.widest();
    let depth = maker.draws.between(1, widest);
    maker.controls.accumulate = true;
    match maker.draws.below(5) {
        0 => write_addend_above(maker, depth),
        1 => write_addend_below(maker, depth),
        2 => {
            let last = if maker.draws.flag() { terms - 1 } else { maker.pick(terms) };
            maker.separate(&[last], depth);
            let (a, b) = maker.short();
            let exponent = maker.level(&[last, terms], a, b, depth);
            let negative = maker.draws.flag();
            maker.put(last, a, b, exponent, negative);
            maker.put(terms, a, b, exponent, !negative);
            tails(maker, &[last], exponent - depth);
        }
        kind => {
            let i = maker.pick(terms);
            let other = if kind == 3 { terms } else { (i + 1 + maker.pick(terms - 1)) % terms };
            maker.separate(&[i, other], depth);
            let [a, b] = maker.precisions().map(|precision| (1 << precision) - 1);
            let exponent = maker.level(&[i], a, b, depth);
            let negative = maker.draws.flag();
            let exponent = maker.put(i, a, b, exponent, negative);
            // The addend is as high as the product's leading bit, or next to it.
            let beside = exponent + maker.draws.between(0, 2);
            let same = maker.draws.flag();
            maker.put(other, 1, 1, beside, negative == same);
            // A product of all ones leads one above its exponent, and the distance counts from there.
            tails(maker, &[i, other], exponent + 1 - depth);
        }
    }
}

/// Writes an addend above all products.
fn write_addend_above(maker: &mut Maker, depth: i32) {
    let terms = maker.terms();
    maker.separate(&[], depth);
    let (a, b) = maker.pattern();
    let (low, high) = maker.reach(0, 1, 1);
    let (lowest, highest) = maker.reach(terms, a, b);
    let exponent =
        maker.draws.common(&[(lowest, highest.min(maker.top()) - 2), (low + depth, high + depth)]);
    let negative = maker.draws.flag();
    maker.put(terms, a, b, exponent, negative);
    tails(maker, &[], exponent - depth);
}

/// Writes an addend below all products.
fn write_addend_below(maker: &mut Maker, depth: i32) {
    let terms = maker.terms();
    maker.separate(&[], 0);
    let (a, b) = maker.pattern();
    let exponent = maker.level(&[0], a, b, depth);
    for place in 0..terms {
        let lower = maker.draws.between(0, 2);
        let negative = maker.draws.flag();
        maker.put(place, a, b, exponent - lower, negative);
    }
    let negative = maker.draws.flag();
    maker.put(terms, a, b, exponent - depth, negative);
}

/// Writes small products in all places but those of the large terms.
fn tails(maker: &mut Maker, large: &[usize], exponent: i32) {
    let (a, b) = maker.pattern();
    let (alike, sign) = (maker.draws.flag(), maker.draws.flag());
    for place in (0..maker.terms()).filter(|place| !large.contains(place)) {
        let negative = if alike { sign } else { maker.draws.flag() };
        maker.put(place, a, b, exponent, negative);
    }
}
