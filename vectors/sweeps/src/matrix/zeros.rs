//! The sweep `zeros`: sums that are zero, or next to zero. They are sums of zeros, of zeros and an addend, and of what
//! is left of two terms.

use super::subnormal::{floor, subnormal};
use super::term::{ExponentRange, ordinary};
use super::{DotSweep, Length, Maker};
use crate::ExactNumber;

pub const SWEEP: DotSweep = DotSweep {
    name: "zeros",
    targets: "The sign of sums of zeros, an addend beside products of zero, sums that cancel to a subnormal \
              number, and the exponent of zeros where many small terms are needed to reach that.",
    length: |_| Length::Endless,
    make,
};

/// Makes a vector whose sum is zero or next to zero, by an idea that the formats reach.
fn make(maker: &mut Maker) {
    let kind = maker.draws.below(8);
    let depth = maker.dot.d.exponent_min() - lowest(maker);
    match kind {
        0 | 1 => signed(maker),
        4 if depth >= 2 => cancelled(maker),
        // The nearest term that tips a decision lies 17 below the smallest normal number (`floor`).
        5..=7 if depth >= 17 => low(maker),
        _ => addend(maker),
    }
}

/// Returns the exponent of the smallest product that there is, scales included.
fn lowest(maker: &Maker) -> i32 {
    let scales = maker.dot.scales.map_or(0, |scales| 2 * ExponentRange::of(scales.format, 1).low);
    maker.dot.a.exponent_of_lsb() + maker.dot.b.exponent_of_lsb() + scales
}

/// Makes every term a zero of one sign, and the addend too.
fn signed(maker: &mut Maker) {
    maker.controls.accumulate = true;
    let negative = maker.draws.flag();
    let turned = negative ^ maker.controls.negate_a ^ maker.controls.negate_b;
    let Maker { dot, draws, a, b, c, .. } = maker;
    for k in 0..a.len() {
        let (which, first) = (draws.below(3), draws.flag());
        let [x, y] = [(dot.a, first), (dot.b, first ^ turned)];
        let sign =
            |(format, negative): (&formats::Format, bool)| if negative { format.sign_mask() } else { 0 };
        (a[k], b[k]) = (sign(x), sign(y));
        match which {
            1 => a[k] |= ordinary(dot.a, draws) & dot.a.magnitude_mask(),
            2 => b[k] |= ordinary(dot.b, draws) & dot.b.magnitude_mask(),
            _ => {}
        }
    }
    *c = if negative { dot.c.sign_mask() } else { 0 };
}

/// Writes products of zero, and an addend: mostly a subnormal one, of its own format or of the result's.
fn addend(maker: &mut Maker) {
    maker.controls.accumulate = true;
    let Maker { dot, draws, a, b, c, .. } = maker;
    for k in 0..a.len() {
        match draws.below(3) {
            1 => a[k] = ordinary(dot.a, draws),
            2 => b[k] = ordinary(dot.b, draws),
            _ => {}
        }
    }
    *c = match draws.below(4) {
        0 => ordinary(dot.c, draws),
        1 => {
            let bits = subnormal(dot.d, draws);
            let (significand, exponent) = dot.d.decode(bits).expect("a number");
            ExactNumber::new(dot.d.is_negative(bits), significand.into(), exponent).truncate(dot.c)
        }
        _ => subnormal(dot.c, draws),
    };
}

/// Writes two terms that differ in the last bit of one factor, and leave a subnormal number.
fn cancelled(maker: &mut Maker) {
    let (terms, format) = (maker.terms(), maker.dot.d);
    let width = maker.draws.between(2, maker.precisions()[0]);
    let rest = format.exponent_min() - maker.draws.between(1, format.trailing_bits as i32);
    let exponent = rest + width - 1;
    maker.scale_all(exponent);
    let first = maker.pick(terms);
    let second = (first + 1 + maker.pick(terms)) % (terms + 1);
    maker.controls.accumulate |= second == terms;
    let significand = maker.draws.odd(width);
    let negative = maker.draws.flag();
    let exponent = maker.put(first, significand, 1, exponent, negative);
    maker.put(second, significand - 1, 1, exponent, !negative);
}

/// Writes as many equal terms as make the smallest number, or half of it, and one term far below, in a block of its
/// own if there are several blocks.
fn low(maker: &mut Maker) {
    let (terms, blocks) = (maker.terms(), maker.scales[0].len());
    let (exponent, flip, below) = floor(maker, blocks);
    let last = maker.dot.d.exponent_min() - below;
    let small = maker.pick(terms);
    let apart = blocks > 1;
    let own = maker.block(small);
    for block in 0..blocks {
        let [a, b] = [maker.dot.a, maker.dot.b].map(|format| format.exponent_of_lsb());
        let scale = match () {
            () if !apart => last - a - b,
            () if block == own => last,
            () => exponent,
        };
        maker.scale(block, scale);
    }
    let others: Vec<usize> = (0..terms)
        .filter(|&place| if apart { maker.block(place) != own } else { place != small })
        .collect();
    let first = maker.pick(others.len());
    let each = exponent.min(maker.reach(others[first], 1, 1).1);
    // As many terms as together make 2^exponent; the limit only keeps the shift in range.
    let count = others.len().min(1 << (exponent - each).min(16));
    let negative = maker.draws.flag();
    for number in 0..count {
        maker.put(others[(first + number) % others.len()], 1, 1, each, negative);
    }
    maker.put(small, 1, 1, last, negative != flip);
}
