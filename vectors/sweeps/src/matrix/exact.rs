//! The sweep `exact`, data for the exactness law: integers times a quantum, whose every partial sum is exact in every
//! order.

use formats::{Format, FormatId, Scale};

use super::term::ExponentRange;
use super::{DotSweep, Length, Maker};
use crate::ExactNumber;

pub const SWEEP: DotSweep = DotSweep {
    name: "exact",
    targets: "A wrong element, place, scale or sign, where every order of adding gives one sum.",
    length: |_| Length::Endless,
    make,
};

/// Makes a vector whose terms are small integers, or integers of all lengths.
pub(super) fn make(maker: &mut Maker) {
    match maker.draws.flag() {
        true => small(maker),
        false => write_all_lengths(maker),
    }
}

/// Writes terms that are ±1, ±2 or ±3 times a quantum, and an addend of up to 255 quanta. Together they are at most
/// 2^10 quanta, which half precision holds.
pub(super) fn small(maker: &mut Maker) {
    let terms = maker.terms();
    if maker.dot.scales.is_some() {
        let exponent = maker.draws.between(-2, 2);
        maker.scale_all(exponent);
    }
    let Maker { dot, draws, a, b, c, .. } = maker;
    for k in 0..terms {
        let small = [1, 1, 1, 2, 3][draws.below(5) as usize];
        a[k] = integer(dot.a, small, draws.flag());
        b[k] = integer(dot.b, 1, draws.flag());
    }
    *c = integer(dot.c, draws.bits(8), draws.flag());
}

/// Encodes a small integer in a format that has it.
fn integer(format: &Format, magnitude: u64, negative: bool) -> u64 {
    debug_assert_eq!(format.scale, Scale::Floating);
    let sign = if negative { format.sign_mask() } else { 0 };
    if magnitude == 0 {
        return sign;
    }
    let exponent = magnitude.ilog2();
    // The bits below the leading one fill the trailing field from its top.
    let trailing = (magnitude ^ 1 << exponent) << (format.trailing_bits - exponent);
    sign | (format.one() + (u64::from(exponent) << format.trailing_bits) + trailing)
}

/// Returns the number of quanta that the magnitudes of all terms add up to at most, as a power of two. A partial sum
/// has room for so many.
pub(super) fn magnitude_room(maker: &Maker) -> i32 {
    let dot = &maker.dot;
    match dot.d.id {
        // The precisions of f64 and f16, a bit less than that of short accumulators, and the precision of f32.
        FormatId::F64 => 53,
        _ if dot.d.id == FormatId::F16 || dot.c.id == FormatId::F16 => 11,
        _ if maker.may_be_short() => 13,
        _ => 24,
    }
}

/// Writes terms of all lengths: half of the room is the addend's, a quarter one term's, and a quarter the others'.
fn write_all_lengths(maker: &mut Maker) {
    let (terms, room) = (maker.terms(), magnitude_room(maker));
    let favoured = maker.pick(terms);
    let spare = scales(maker);
    // A quarter of the room, divided among the terms, less the bits that scales of 1.5 add.
    let each = room - 2 - terms.next_power_of_two().ilog2() as i32 - spare;
    let formats = [maker.dot.a, maker.dot.b];
    let low: i32 = formats.iter().map(|format| format.exponent_min()).sum();
    let high: i32 = formats.iter().map(|format| format.exponent_max() - 1).sum();
    let shifts = (0..terms).map(|term| last(maker, term));
    let (least, most) = shifts.fold((i32::MAX, i32::MIN), |(l, h), shift| (l.min(shift), h.max(shift)));
    let [pa, pb] = maker.precisions();
    let lowest = low + most - (pa + pb - 2).min(each - 2);
    let sums = [maker.dot.c, maker.dot.d];
    let floor = sums.iter().map(|format| format.exponent_min()).max().unwrap_or(0);
    let top = maker.top() - room;
    let quantum = maker.draws.common(&[(floor, top), (lowest, lowest.max(high + least - each))]);

    for term in 0..terms {
        let length = if term == favoured { room - 2 - spare } else { each };
        let first = maker.draws.between(1, pa.min(length - 1));
        let second = maker.draws.between(1, pb.min(length - first));
        let (a, b) = (maker.draws.significand(first), maker.draws.significand(second));
        // The exponent of the factors, if the product's last bit is the quantum.
        let exponent = quantum - last(maker, term) + first + second - 2;
        let high =
            ExponentRange::of(formats[0], a.into()).high + ExponentRange::of(formats[1], b.into()).high;
        let (s, t) = ((low - exponent).max(0), (length - first - second).min(high - exponent));
        // Where no factors of these lengths end at the quantum, the term stays zero.
        if s <= t {
            let exponent = exponent + maker.draws.between(s, t) + maker.shift(term);
            let negative = maker.draws.flag();
            maker.put(term, a, b, exponent, negative);
        }
    }
    let width = maker.draws.between(0, room - 1);
    let magnitude = match maker.draws.flag() {
        true => maker.draws.significand(room - 1),
        false => maker.draws.bits(width),
    };
    let negative = maker.draws.flag();
    maker.c = ExactNumber::new(negative, magnitude.into(), quantum).truncate(maker.dot.c);
}

/// Draws scales of a small range, powers of two; where the format has them, a quarter are 1.5 times a power of two.
/// Returns by how many bits a product of integers grows.
fn scales(maker: &mut Maker) -> i32 {
    let Some(scales) = maker.dot.scales else { return 0 };
    let powers = scales.format.scale == Scale::Power;
    let base = if powers { maker.draws.between(-8, 8) } else { maker.draws.between(-2, 2) };
    for block in 0..maker.scales[0].len() {
        let exponent = base + maker.draws.between(-1, 1);
        maker.scale(block, exponent);
        for side in 0..2 {
            if !powers && maker.draws.bits(2) == 0 {
                maker.scales[side][block] |= scales.format.quiet_bit();
            }
        }
    }
    // Two scales of 3 halves are 9 quarters: four bits more.
    if powers { 0 } else { 4 }
}

/// Returns the exponent of the last bit of a term's scales.
fn last(maker: &Maker, term: usize) -> i32 {
    let Some(scales) = maker.dot.scales else { return 0 };
    let block = maker.block(term);
    let halves = maker.scales.iter().filter(|side| side[block] & scales.format.trailing_mask() > 0);
    maker.shift(term) - halves.count() as i32
}
