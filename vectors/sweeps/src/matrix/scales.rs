//! The sweep `scales`: extreme scales, different scales for each block and side, and products that tell which scale
//! was applied.

use formats::Scale;

use super::term::{ExponentRange, number, ordinary};
use super::{DotSweep, Length, Maker};

pub const SWEEP: DotSweep = DotSweep {
    name: "scales",
    targets: "The scale of another block or side, one applied to the sum, and the largest, smallest and NaN.",
    length: |variant| variant.dot().scales.map_or(Length::None, |_| Length::Endless),
    make,
};

/// Makes a vector by one of five ideas of what scales may do.
fn make(maker: &mut Maker) {
    match maker.draws.below(5) {
        0 => extremes(maker),
        1 => distinct(maker),
        2 => cancelling(maker),
        3 => ordinary_ones(maker),
        _ => write_extreme_scales(maker),
    }
}

/// Makes one scale, each in turn, the smallest, the one above, the largest, NaN, 1, or the smallest normal one.
fn extremes(maker: &mut Maker) {
    let Some(scales) = maker.dot.scales else { return };
    let (format, count) = (scales.format, u64::from(scales.count));
    let (block, side) = (maker.index % count, maker.index / count % 2);
    let bits = match maker.index / (2 * count) % 6 {
        0 => 0,
        1 => 1,
        2 => format.max_finite(),
        3 => format.canonical_nan(),
        4 => format.one(),
        _ => format.min_normal(),
    };
    maker.scales[side as usize][block as usize] = bits;
    elements(maker);
}

/// Writes scales that are powers of two in steps from block to block, with other steps on either side, and one product
/// in each block.
fn distinct(maker: &mut Maker) {
    let Some(scales) = maker.dot.scales else { return };
    let count = scales.count as usize;
    for side in 0..2 {
        let step = maker.draws.between(1, 2);
        let step = if maker.draws.flag() { step } else { -step };
        // The steps lie around 1, half of the blocks on either side.
        let base = maker.draws.between(-1, 1) - step * count as i32 / 2;
        for block in 0..count {
            let exponent = base + step * block as i32;
            let ExponentRange { low, high, .. } = ExponentRange::of(scales.format, 1);
            maker.scales[side][block] = number(scales.format, false, 1, exponent.clamp(low, high));
        }
    }
    let length = maker.terms() / count;
    for block in 0..count {
        let term = block * length + maker.pick(length);
        maker.a[term] = ordinary(maker.dot.a, &mut maker.draws);
        maker.b[term] = ordinary(maker.dot.b, &mut maker.draws);
    }
}

/// Writes a pair that cancels if each term has the scale of its own block, among small terms in both blocks. With a
/// single block, the pair is a product and the addend.
fn cancelling(maker: &mut Maker) {
    let (count, terms) = (maker.scales[0].len(), maker.terms());
    let base = maker.draws.between(-4, 4);
    for block in 0..count {
        let exponent = base + maker.draws.between(-1, 1);
        maker.scale(block, exponent);
    }
    let length = terms / count;
    let first = maker.pick(count);
    let i = first * length + maker.pick(length);
    let j = match count {
        1 => terms,
        _ => (first + 1 + maker.pick(count - 1)) % count * length + maker.pick(length),
    };
    maker.controls.accumulate |= j == terms;
    let (a, b) = maker.short();
    let exponent = maker.level(&[i, j], a, b, 0);
    let negative = maker.draws.flag();
    maker.put(i, a, b, exponent, negative);
    maker.put(j, a, b, exponent, !negative);
    let third = (i + 1 + maker.pick(terms - 1)) % terms;
    if third != j {
        let negative = maker.draws.flag();
        maker.put(third, 1, 1, exponent - 2, negative);
    }
}

/// Writes scales about 1 with any significand, and elements of all kinds.
fn ordinary_ones(maker: &mut Maker) {
    let Some(scales) = maker.dot.scales else { return };
    let format = scales.format;
    for side in 0..2 {
        for block in 0..maker.scales[side].len() {
            let exponent = match format.scale {
                Scale::Power => maker.draws.between(-12, 12),
                _ => maker.draws.between(-6, 7),
            };
            let significand = maker.draws.significand(format.precision() as i32);
            maker.scales[side][block] = number(format, false, significand.into(), exponent);
        }
    }
    elements(maker);
}

/// Makes both scales of a block the largest or the smallest, and writes a pair that cancels in that block.
fn write_extreme_scales(maker: &mut Maker) {
    let Some(scales) = maker.dot.scales else { return };
    let count = scales.count as usize;
    let block = maker.pick(count);
    let bits = if maker.draws.flag() { scales.format.max_finite() } else { maker.draws.bits(1) };
    maker.scales.iter_mut().for_each(|side| side[block] = bits);
    let length = maker.terms() / count;
    let first = maker.pick(length);
    let second = (first + 1 + maker.pick(length - 1)) % length;
    let [a, b] = [maker.dot.a, maker.dot.b].map(|format| ordinary(format, &mut maker.draws));
    for (place, sign) in [(first, 0), (second, maker.dot.a.sign_mask())] {
        let term = block * length + place;
        (maker.a[term], maker.b[term]) = (a ^ sign, b);
    }
    maker.c = ordinary(maker.dot.c, &mut maker.draws);
}

/// Writes ordinary elements everywhere.
fn elements(maker: &mut Maker) {
    let Maker { dot, draws, a, b, c, .. } = maker;
    for k in 0..a.len() {
        (a[k], b[k]) = (ordinary(dot.a, draws), ordinary(dot.b, draws));
    }
    *c = ordinary(dot.c, draws);
}
