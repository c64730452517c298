//! The sweep `subnormal`: subnormal factors, addends and sums.

use formats::{Format, FormatId};

use super::term::ordinary;
use super::{DotSweep, Length, Maker};
use crate::{CounterRng, ExactNumber};

pub const SWEEP: DotSweep = DotSweep {
    name: "subnormal",
    targets: "Subnormal operands flushed or aligned as if they were normal, sums near the smallest number, and the \
              exponent that zeros have.",
    length: |_| Length::Endless,
    make,
};

/// Makes a vector with subnormal factors, addends or sums.
fn make(maker: &mut Maker) {
    maker.compensated = false;
    match maker.draws.below(8) {
        kind @ 0..=2 => factors(maker, kind),
        3 => addends(maker),
        4 => edge(maker),
        _ => tipped(maker),
    }
}

/// Draws a subnormal number; where a format has one bit of trailing significand, that is the smallest number.
pub(super) fn subnormal(format: &Format, draws: &mut CounterRng) -> u64 {
    let negative = draws.flag();
    let width = draws.between(1, format.trailing_bits as i32);
    let significand = draws.significand(width);
    ExactNumber::new(negative, significand.into(), format.exponent_of_lsb()).truncate(format)
}

/// Writes subnormal factors, each beside an ordinary factor, a huge one, or another subnormal one. They are factors of
/// one product that stands alone, of all products, or of some.
fn factors(maker: &mut Maker, kind: i32) {
    let first = maker.pick(maker.terms());
    let others = maker.draws.below(3);
    let Maker { dot, draws, a, b, c, .. } = maker;
    for k in 0..a.len() {
        if k != first && (others == 0 || others == 2 && draws.flag()) {
            continue;
        }
        (a[k], b[k]) = (ordinary(dot.a, draws), ordinary(dot.b, draws));
        if k != first && draws.flag() {
            continue;
        }
        let swap = draws.flag();
        let (small, large) = if swap { (&mut b[k], &mut a[k]) } else { (&mut a[k], &mut b[k]) };
        let (format, other) = if swap { (dot.b, dot.a) } else { (dot.a, dot.b) };
        *small = subnormal(format, draws);
        match kind {
            0 => {}
            1 => *large = *large & other.sign_mask() | (other.max_finite() - draws.below(2) as u64),
            _ => *large = subnormal(other, draws),
        }
    }
    if draws.flag() {
        *c = subnormal(dot.c, draws);
    }
}

/// Writes a subnormal addend, and products about as large.
fn addends(maker: &mut Maker) {
    maker.controls.accumulate = true;
    let lowest = maker.dot.c.exponent_of_lsb();
    maker.scale_all(lowest);
    let terms = maker.terms();
    let precision = maker.addend_precision();
    let (a, b) = maker.pattern();
    let count = 1 + maker.pick(terms);
    for place in 0..count {
        let exponent = lowest + maker.draws.between(-3, precision + 2);
        let negative = maker.draws.flag();
        maker.put(place, a, b, exponent, negative);
    }
    maker.c = subnormal(maker.dot.c, &mut maker.draws);
}

/// Writes a sum of the smallest normal number, more or less.
fn edge(maker: &mut Maker) {
    maker.controls.accumulate = true;
    let (format, lowest) = (maker.dot.d, maker.dot.d.exponent_of_lsb());
    maker.scale_all(lowest);
    let negative = maker.draws.flag();
    let magnitude = format.min_normal() - 2 + maker.draws.below(5) as u64;
    let (significand, exponent) = format.decode(magnitude).expect("a number");
    maker.c = ExactNumber::new(negative, significand.into(), exponent).truncate(maker.dot.c);
    let place = maker.pick(maker.terms());
    let (a, b) = maker.pattern();
    let (exponent, negative) = (lowest + maker.draws.between(-3, 2), maker.draws.flag());
    maker.put(place, a, b, exponent, negative);
}

/// Writes two terms only: one decides between zero and the smallest number, and one far below it tips that decision,
/// unless alignment to the exponent of zeros has lost it.
fn tipped(maker: &mut Maker) {
    let (lowest, normal) = (maker.dot.d.exponent_of_lsb(), maker.dot.d.exponent_min());
    maker.scale_all(lowest - 4);
    let terms = maker.terms();
    let first = maker.pick(terms);
    let second = (first + 1 + maker.pick(terms - 1)) % terms;
    let (exponent, flip, below) = floor(maker, 0);
    let negative = maker.draws.flag();
    // Where no product is so small, the addend is.
    let product = maker.dot.a.exponent_of_lsb() + maker.dot.b.exponent_of_lsb() + maker.shift(first);
    let small = product <= exponent;
    maker.put(if small { first } else { terms }, 1, 1, exponent, negative);
    maker.put(second, 1, 1, normal - below, negative != flip);
}

/// Draws how a term decides between zero and the smallest number, and how another one tips that decision. Returns the
/// exponent of the deciding term, whether the tipping term has the other sign, and how far the tipping term lies below
/// the smallest normal number.
pub(super) fn floor(maker: &mut Maker, blocks: usize) -> (i32, bool, i32) {
    let format = maker.dot.d;
    // To nearest, a half and a little more; toward zero, the smallest number and a little less.
    let (nearest, other) = (format.id == FormatId::F16, maker.draws.below(4) == 0);
    let exponent = format.exponent_of_lsb() - i32::from(nearest != other);
    let flip = (maker.draws.below(4) == 0) == nearest;
    // Zeros have the exponent of 5 to 13 below the smallest normal number, and units keep 13, 23 to 25, or 35 bits:
    // 25 of terms that are scaled, 35 where there are several scales.
    let below = match blocks {
        0 => match maker.draws.below(4) {
            0 => maker.draws.between(17, 22),
            1 => maker.draws.between(45, 50),
            _ => maker.draws.between(26, 34),
        },
        1 => maker.draws.between(31, 34),
        _ => maker.draws.between(47, 50),
    };
    (exponent, flip, below)
}
