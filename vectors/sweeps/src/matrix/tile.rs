//! The sweep `tile`, of whole tiles: consecutive vectors are the elements of one tile, row after row, so that they
//! share rows and columns.

use formats::{Format, FormatId};
use isa::matrix::Tile;

use super::term::{number, ordinary};
use super::{DotSweep, Length, Maker};
use crate::{CounterRng, ExactNumber};

pub const SWEEP: DotSweep = DotSweep {
    name: "tile",
    targets: "An element of another row or column, where an implementation computes tiles: layouts, lanes, and \
              tiles that are transposed.",
    length: |_| Length::Endless,
    make,
};

/// The lanes of draws that elements of a tile share: those of a row, of a column, and of the whole tile.
const ROWS: usize = 1;
const COLUMNS: usize = 2;
const TILES: usize = 3;

/// Makes the element of a tile that the number of the vector stands for.
fn make(maker: &mut Maker) {
    let Tile { rows: height, columns: width } = maker.tile();
    let [height, width] = [height as u64, width as u64];
    let tile = maker.index / (height * width);
    let (i, j) = (maker.index / width % height, maker.index % width);
    let mut shared = maker.draws_in(TILES, tile);
    let mut row = maker.draws_in(ROWS, tile * height + i);
    let mut column = maker.draws_in(COLUMNS, tile * width + j);

    // The maker's methods use its own draws, so those of the row and of the tile take their place for a while.
    let own = std::mem::replace(&mut maker.draws, row);
    maker.draw_metadata();
    row = std::mem::replace(&mut maker.draws, shared);
    maker.draw_controls();
    if maker.dot.scaled_addend {
        // No addend of a tile is too large for the scale that all addends of the tile share.
        let most = if maker.dot.c.id == FormatId::F16 { 6 } else { 15 };
        maker.addend_scale = Some(maker.draw_addend_scale().min(most));
    }
    shared = std::mem::replace(&mut maker.draws, own);

    let any = shared.below(4) == 0;
    // A row's number has 6 bits at most, a column's 8. The masks give other tiles other elements.
    let masks = [shared.bits(6), shared.bits(8)];
    match any {
        true => ordinary_elements(maker, &mut row, &mut column),
        false => integers(maker, (&mut row, i ^ masks[0]), (&mut column, j ^ masks[1])),
    }
}

/// Writes ±1 and ±3, and one ±2 of A, so that every sum of products is odd; and an even addend. Numbers of rows and of
/// columns are in their first elements.
fn integers(maker: &mut Maker, (row, i): (&mut CounterRng, u64), (column, j): (&mut CounterRng, u64)) {
    let (terms, blocks) = (maker.terms(), maker.scales[0].len());
    let length = terms / blocks.max(1);
    let lowest = [scales(maker, 0, row, (1, 2)), scales(maker, 1, column, (0, 1))];
    // Behind the first three elements, which have the row's number.
    let even = 3 + row.below(length as i32 - 3) as usize;
    for k in 0..terms {
        let digit = if k < 3 { i >> (2 * k) & 3 } else { row.bits(2) };
        let magnitude = if k == even { 2 } else { 1 + 2 * (digit & 1) };
        maker.a[k] = integer(maker.dot.a, magnitude, digit >= 2);
    }
    let elements = (0..maker.dot.k as usize).map(|k| {
        let digit = if k < 4 { j >> (2 * k) & 3 } else { column.bits(2) };
        integer(maker.dot.b, 1 + 2 * (digit & 1), digit >= 2)
    });
    maker.column = Some(elements.collect());
    let (magnitude, negative) = (2 * maker.draws.bits(9), maker.draws.flag());
    maker.c = ExactNumber::new(negative, magnitude.into(), lowest[0] + lowest[1]).truncate(maker.dot.c);
}

/// Writes powers of two as scales, the first block's the smallest; returns that one's exponent.
fn scales(maker: &mut Maker, side: usize, draws: &mut CounterRng, more: (i32, i32)) -> i32 {
    let Some(scales) = maker.dot.scales else { return 0 };
    let lowest = draws.between(-1, 1);
    for (block, bits) in maker.scales[side].iter_mut().enumerate() {
        let exponent = if block == 0 { lowest } else { lowest + draws.between(more.0, more.1) };
        *bits = number(scales.format, false, 1, exponent);
    }
    lowest
}

fn integer(format: &Format, magnitude: u64, negative: bool) -> u64 {
    ExactNumber::new(negative, magnitude.into(), 0).truncate(format)
}

/// Writes ordinary numbers and scales.
fn ordinary_elements(maker: &mut Maker, row: &mut CounterRng, column: &mut CounterRng) {
    if let Some(scales) = maker.dot.scales {
        for (side, draws) in [&mut *row, &mut *column].into_iter().enumerate() {
            for bits in &mut maker.scales[side] {
                let exponent = draws.between(-3, 3);
                let significand = draws.significand(scales.format.precision() as i32);
                *bits = number(scales.format, false, significand.into(), exponent);
            }
        }
    }
    let (a, b, c) = (maker.dot.a, maker.dot.b, maker.dot.c);
    maker.a.iter_mut().for_each(|bits| *bits = ordinary(a, row));
    maker.column = Some((0..maker.dot.k).map(|_| ordinary(b, column)).collect());
    maker.c = ordinary(c, &mut maker.draws);
}
