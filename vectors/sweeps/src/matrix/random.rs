//! The sweep `random`: random numbers as users have them, of about one size, of all sizes, or with outliers.

use formats::Format;

use super::term::{ExponentRange, number};
use super::{DotSweep, Length, Maker};
use crate::CounterRng;

pub const SWEEP: DotSweep = DotSweep {
    name: "random",
    targets: "What ordinary data meet: the order of adding, and bits that are lost on the way.",
    length: |_| Length::Endless,
    make,
};

pub(super) fn make(maker: &mut Maker) {
    maker.compensated = false;
    scales(maker);
    elements(maker);
}

/// Writes everything but the scales: the elements and the addend.
pub(super) fn elements(maker: &mut Maker) {
    let kind = maker.draws.below(4);
    let top = maker.top() - 10;
    let Maker { dot, draws, a, b, c, .. } = maker;
    let [first, second] = [dot.a, dot.b].map(|format| ExponentRange::of(format, 1));
    let low = dot.d.exponent_min().max(first.normal + second.normal);
    let centre = draws.common(&[(first.normal, first.high), (-20, 20)]);
    let other = draws.common(&[(second.normal, second.high), (low - centre, top - centre)]);
    let mut largest = low;
    for k in 0..a.len() {
        let (mut x, mut y) = (centre, other);
        if kind == 2 {
            x = draws.between(first.normal, first.high);
            y = draws.common(&[(second.normal, second.high), (low - x, top - x)]);
        } else {
            x += draws.between(-3, 3);
            y += draws.between(-3, 3);
            // A few of the terms are far larger.
            if kind == 3 && draws.below(8) == 0 {
                x += draws.between(6, 10);
            }
        }
        (a[k], b[k]) = (draw_near_exponent(dot.a, draws, x), draw_near_exponent(dot.b, draws, y));
        // The addend is to be about as large as the largest product.
        largest = largest.max(x + y);
    }
    let exponent = largest + draws.between(-4, 3);
    *c = draw_near_exponent(dot.c, draws, exponent);
}

/// Draws a normal number of either sign with about this exponent; one in four has a sparse significand.
fn draw_near_exponent(format: &Format, draws: &mut CounterRng, exponent: i32) -> u64 {
    let negative = draws.flag();
    let precision = format.precision() as i32;
    let significand = match draws.bits(2) {
        0 => draws.significand(precision),
        _ => 1 << (precision - 1) | draws.bits(precision - 1),
    };
    let ExponentRange { normal, high, .. } = ExponentRange::of(format, significand.into());
    number(format, negative, significand.into(), exponent.clamp(normal, high))
}

/// Writes scales about 1, with any significand.
fn scales(maker: &mut Maker) {
    let Some(scales) = maker.dot.scales else { return };
    for bits in maker.scales.iter_mut().flatten() {
        let exponent = maker.draws.between(-3, 3);
        let significand = maker.draws.significand(scales.format.precision() as i32);
        *bits = number(scales.format, false, significand.into(), exponent);
    }
}
