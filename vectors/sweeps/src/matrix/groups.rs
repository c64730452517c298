//! The sweep `groups`: two large terms that cancel, within a group of terms or across its edge, and small ones on
//! either side.

use super::{DotSweep, Length, Maker};

pub const SWEEP: DotSweep = DotSweep {
    name: "groups",
    targets: "How many terms are added at once, and which: what is lost in one group is not lost in the next.",
    length: |_| Length::Endless,
    make,
};

/// Sizes of the groups that units have, and half of the smallest one.
const SIZES: [usize; 5] = [2, 4, 8, 16, 32];
/// Numbers of fraction bits that units keep.
const WIDTHS: [i32; 6] = [10, 13, 23, 24, 25, 35];

/// Makes a vector with a pair that cancels, within a group or across its edge, and small terms on a drawn side.
fn make(maker: &mut Maker) {
    let terms = maker.terms();
    // A group as large as the whole sum has no edge in it.
    let sizes = SIZES.iter().filter(|&&size| size < terms).count();
    let size = SIZES[maker.pick(sizes)];
    let edge = size * (1 + maker.pick((terms - 1) / size));
    let behind = size.min(terms - edge);
    let kind = maker.draws.below(5);
    let (i, j) = match kind {
        // The pair lies across the edge.
        0 | 1 => (edge - size + maker.pick(size), edge + maker.pick(behind)),
        // The pair lies within the group before the edge, or behind it.
        2 => draw_two_places(maker, edge - size, size),
        3 if behind > 1 => draw_two_places(maker, edge, behind),
        // A group of one term behind the edge has no pair of its own.
        3 => (edge - size, edge),
        // 8-bit operands through f16: places 0 and 1 of four first, then the others.
        _ => {
            let quarters = terms / 4;
            let first = 4 * maker.pick(quarters) + maker.pick(2);
            (first, 4 * maker.pick(quarters) + 2 + maker.pick(2))
        }
    };
    let depth = WIDTHS[maker.pick(WIDTHS.len())] + maker.draws.between(-2, 2) + maker.further();
    let exponent = maker.cancelling([i, j], depth);

    let (a, b) = maker.pattern();
    let side = maker.draws.below(4);
    let (added, alike) = (maker.draws.flag(), maker.draws.flag());
    let nearest = maker.draws.flag();
    for place in (0..maker.places()).filter(|place| ![i, j].contains(place)) {
        let first = if kind == 4 { place % 4 < 2 } else { place < edge };
        let chosen = match side {
            _ if place == terms => added,
            0 => first,
            1 => !first,
            2 => true,
            _ => place + 1 == edge || place == edge,
        };
        if chosen {
            maker.put_low(place, a, b, exponent - depth, alike, nearest);
        }
    }
}

/// Draws two different places of a group.
fn draw_two_places(maker: &mut Maker, start: usize, size: usize) -> (usize, usize) {
    let (i, step) = (maker.pick(size), 1 + maker.pick(size - 1));
    (start + i, start + (i + step) % size)
}
