//! Every combination of operands.

use super::fill::{Job, write};
use super::shape::Shape;
use super::{Length, Sweep};
use crate::column::Column;

pub const SWEEP: Sweep = Sweep {
    name: "exhaustive",
    hunts: "Anything at all: every combination of a lane's operands, once.",
    length,
    fill,
};

/// Most operand bits of a lane that are worth enumerating: 2^32 vectors take minutes.
const OPERAND_BITS_MAX: u32 = 32;

fn length(shape: &Shape) -> Length {
    match shape.operand_bits() {
        bits @ 0..=OPERAND_BITS_MAX => Length::Finite(1 << bits),
        _ => Length::None,
    }
}

/// Multiplier and increment of the bijection that gives a lane its own order: the digits of the
/// golden ratio and of √2, the multiplier odd for every lane.
const STEP: u64 = 0x9e37_79b8;
const START: u64 = 0x6a09_e667;

/// The combination that `lane` has in vector `index`, before reduction to the operand bits. Of two
/// lanes each has its own order; four are a quarter of the space apart, so that together they have
/// seen all of it after a quarter of the vectors.
#[inline]
const fn combination(index: u64, lane: u64, lanes: usize, bits: u32) -> u64 {
    if lanes > 2 {
        return index.wrapping_add(lane << (bits - 2));
    }
    index.wrapping_mul(1 + lane * STEP).wrapping_add(lane * START)
}

fn fill(job: &Job, columns: &mut [Column]) {
    let shape = &job.shape;
    if !job.layout.is_direct || shape.shared_bits() > 0 {
        return spread(job, columns);
    }
    let bits = shape.operand_bits();
    let mut shift = bits;
    for (number, (column, format)) in columns.iter_mut().zip(shape.operands()).enumerate() {
        shift -= format.width();
        let (rows, mask) = (column.rows(), format.mask());
        let part = |row: usize, lane: usize| {
            let index = job.first.wrapping_add(row as u64);
            let part = combination(index, lane as u64, shape.lanes, bits) >> shift & mask;
            part << job.layout.places[lane][number].shift
        };
        match shape.lanes {
            1 => write(column, 0, rows, |row| part(row, 0)),
            2 => write(column, 0, rows, |row| part(row, 0) | part(row, 1)),
            lanes => {
                let all = |row| (0..lanes).fold(0, |word, lane| word | part(row, lane));
                write(column, 0, rows, all);
            }
        }
    }
}

/// The same lane by lane. What all lanes share is the low bits of the number, and each has its own
/// order of the rest.
fn spread(job: &Job, columns: &mut [Column]) {
    let (operands, shared) = (job.shape.operands(), job.shape.shared_bits());
    let own_bits = job.shape.operand_bits() - shared;
    job.numbered_lanes(columns, |number, index| {
        let own = combination(index >> shared, number as u64, job.shape.lanes, own_bits);
        let mut bits = own << shared | index & ((1 << shared) - 1);
        let mut lane = [0; 3];
        for (operand, format) in lane.iter_mut().zip(operands).rev() {
            *operand = bits & format.mask();
            bits >>= format.width();
        }
        lane
    });
}
