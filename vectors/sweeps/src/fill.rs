//! The loops that write generated lanes into columns.

use formats::{Column, Element, of_width};
use isa::LaneSlot;
use isa::limits::{INPUTS_MAX, LANES_MAX, OPERANDS_MAX};

use super::random::{CounterRng, key};
use super::shape::{Lane, Shape};

/// A range of a sweep that is being generated.
pub struct FillJob {
    /// The operation and the formats to generate lanes for.
    pub shape: Shape,
    /// The places of lanes in the operands' registers, by lane and input.
    pub slots: [[LaneSlot; INPUTS_MAX]; LANES_MAX],
    /// Whether every input has the register of its own number.
    pub is_direct: bool,
    /// The sweep's name, part of the key of its streams.
    pub sweep: &'static str,
    /// The user's seed.
    pub seed: u64,
    /// Number of the first vector.
    pub first: u64,
}

/// Number of rows generated before they are written: small enough for the first-level cache.
const BLOCK_ROWS: usize = 256;

/// Writes `bits(0)`, `bits(1)` … into the rows from `start` to `end`.
#[inline]
pub fn write(column: &mut Column, start: usize, end: usize, bits: impl Fn(usize) -> u64) {
    #[inline]
    fn into<T: Element>(rows: &mut [T], bits: impl Fn(usize) -> u64) {
        for (row, slot) in rows.iter_mut().enumerate() {
            *slot = T::of(bits(row));
        }
    }
    of_width!(column, elements_mut, rows => into(&mut rows[start..end], bits));
}

impl FillJob {
    /// Makes the job of generating a sweep's vectors from number `first` on, under a seed.
    pub fn new(
        shape: Shape,
        slots: [[LaneSlot; INPUTS_MAX]; LANES_MAX],
        (sweep, seed): (&'static str, u64),
        first: u64,
    ) -> FillJob {
        let direct = |(input, slot): (usize, &LaneSlot)| slot.mask == 0 || slot.register == input;
        let is_direct = slots.iter().all(|lane| lane.iter().enumerate().all(direct));
        FillJob { shape, slots, is_direct, sweep, seed, first }
    }

    /// Returns the keys of the lanes' streams.
    fn keys(&self) -> [u64; LANES_MAX] {
        std::array::from_fn(|lane| key(self.seed, self.sweep, lane))
    }

    /// Generates row by row; a row is one word for each of the first `N` registers.
    #[inline]
    fn words<const N: usize>(&self, columns: &mut [Column], row: impl Fn(u64) -> [u64; N]) {
        let rows = columns[0].rows();
        let mut block = [[0; BLOCK_ROWS]; N];
        for start in (0..rows).step_by(BLOCK_ROWS) {
            let end = rows.min(start + BLOCK_ROWS);
            for at in 0..end - start {
                // An endless sweep has every 64-bit number: behind the last one it goes on with the first.
                let words = row(self.first.wrapping_add((start + at) as u64));
                for (column, word) in block.iter_mut().zip(words) {
                    column[at] = word;
                }
            }
            for (column, words) in columns.iter_mut().zip(&block) {
                write(column, start, end, |at| words[at]);
            }
        }
    }

    /// Generates each lane from its number and the vector's.
    #[inline]
    pub fn numbered_lanes(&self, columns: &mut [Column], lane: impl Fn(usize, u64) -> Lane) {
        let slots = &self.slots[..self.shape.lanes];
        if self.is_direct {
            // Input n is in register n, so no register has to be looked up.
            self.words::<INPUTS_MAX>(columns, |index| {
                let mut row = [0; INPUTS_MAX];
                for (number, slots) in slots.iter().enumerate() {
                    let made = lane(number, index);
                    for input in 0..INPUTS_MAX {
                        row[input] |= slots[input].put(made[input]);
                    }
                }
                row
            });
        } else {
            // Lanes of one input may lie in several registers, so there are more of these than inputs.
            self.words::<OPERANDS_MAX>(columns, |index| {
                let mut row = [0; OPERANDS_MAX];
                for (number, slots) in slots.iter().enumerate() {
                    let made = lane(number, index);
                    for (slot, bits) in slots.iter().zip(made) {
                        row[slot.register] |= slot.put(bits);
                    }
                }
                row
            });
        }
    }

    /// Generates each lane from its key and the vector's number.
    #[inline]
    pub fn keyed_lanes(&self, columns: &mut [Column], lane: impl Fn(u64, u64) -> Lane) {
        let keys = self.keys();
        self.numbered_lanes(columns, |number, index| lane(keys[number], index));
    }

    /// Generates each lane from its own draws and the vector's number.
    #[inline]
    pub fn lanes(&self, columns: &mut [Column], lane: impl Fn(&mut CounterRng, u64) -> Lane) {
        self.keyed_lanes(columns, |key, index| lane(&mut CounterRng::new(key, index), index));
    }

    /// Generates the lanes of a row together, from the keys of their streams.
    #[inline]
    pub fn rows(
        &self,
        columns: &mut [Column],
        row: impl Fn(&[u64; LANES_MAX], u64) -> [Lane; LANES_MAX],
    ) {
        let keys = self.keys();
        self.words::<OPERANDS_MAX>(columns, |index| {
            let made = row(&keys, index);
            let mut words = [0; OPERANDS_MAX];
            for (slots, made) in self.slots[..self.shape.lanes].iter().zip(made) {
                for (slot, bits) in slots.iter().zip(made) {
                    words[slot.register] |= slot.put(bits);
                }
            }
            words
        });
    }
}
