//! Data for the exactness law: small integers times powers of two, whose every partial sum is exact.

use super::{DotSweep, Length, Maker};
use crate::format::{Format, Scale};

pub const SWEEP: DotSweep = DotSweep {
    name: "exact",
    targets: "A wrong element, place, scale or sign, where every order of adding gives one sum.",
    length: |_| Length::Endless,
    make,
};

/// Terms that are ±1, ±2 or ±3 times a quantum, and an addend of up to 255 quanta: at most 2^10 of them, which
/// half precision holds.
fn make(maker: &mut Maker) {
    let terms = maker.terms();
    let Maker { dot, draws, a, b, c, .. } = maker;
    for k in 0..terms {
        let small = [1, 1, 1, 2, 3][draws.below(5) as usize];
        a[k] = integer(dot.a, small, draws.flag());
        b[k] = integer(dot.b, 1, draws.flag());
    }
    *c = integer(dot.c, draws.bits(8), draws.flag());
}

/// A small integer in a format that has it.
fn integer(format: &Format, magnitude: u64, negative: bool) -> u64 {
    debug_assert_eq!(format.scale, Scale::Floating);
    let sign = if negative { format.sign_mask() } else { 0 };
    if magnitude == 0 {
        return sign;
    }
    let exponent = magnitude.ilog2();
    let trailing = (magnitude ^ 1 << exponent) << (format.trailing_bits - exponent);
    sign | (format.one() + (u64::from(exponent) << format.trailing_bits) + trailing)
}
