//! The loops that write generated lanes into columns.

use bytemuck::Pod;

use super::layout::{Layout, REGISTERS_MAX};
use super::random::{Draws, key};
use super::shape::{LANES_MAX, Lane, Shape};
use crate::column::Column;

/// A range of a sweep that is being generated.
pub struct Job {
    /// For which operation and formats.
    pub shape: Shape,
    /// Where lanes lie in the operands' registers.
    pub layout: Layout,
    /// The sweep's name, part of the key of its streams.
    pub sweep: &'static str,
    /// The user's seed.
    pub seed: u64,
    /// Number of the first vector.
    pub first: u64,
}

/// Rows generated before they are written: small enough for the first-level cache.
const BLOCK_ROWS: usize = 256;

/// An element as wide as a row.
trait Word: Pod {
    fn of(bits: u64) -> Self;
}

macro_rules! words {
    ($($word:ty)*) => {
        $(impl Word for $word {
            #[inline]
            fn of(bits: u64) -> Self {
                bits as $word
            }
        })*
    };
}
words!(u8 u16 u32 u64);

/// Writes `bits(0)`, `bits(1)` … into the rows from `start` to `end`.
#[inline]
pub fn write(column: &mut Column, start: usize, end: usize, bits: impl Fn(usize) -> u64) {
    #[inline]
    fn into<T: Word>(rows: &mut [T], bits: impl Fn(usize) -> u64) {
        for (row, slot) in rows.iter_mut().enumerate() {
            *slot = T::of(bits(row));
        }
    }
    match column.row_bytes() {
        1 => into(&mut column.elements_mut::<u8>()[start..end], bits),
        2 => into(&mut column.elements_mut::<u16>()[start..end], bits),
        4 => into(&mut column.elements_mut::<u32>()[start..end], bits),
        8 => into(&mut column.elements_mut::<u64>()[start..end], bits),
        width => unreachable!("no register of lanes has {width} bytes"),
    }
}

impl Job {
    /// The keys of the lanes' streams.
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
        let places = &self.layout.places[..self.shape.lanes];
        if self.layout.is_direct {
            self.words::<3>(columns, |index| {
                let mut row = [0; 3];
                for (number, places) in places.iter().enumerate() {
                    let made = lane(number, index);
                    for input in 0..3 {
                        row[input] |= (made[input] & places[input].mask) << places[input].shift;
                    }
                }
                row
            });
        } else {
            self.words::<REGISTERS_MAX>(columns, |index| {
                let mut row = [0; REGISTERS_MAX];
                for (number, places) in places.iter().enumerate() {
                    let made = lane(number, index);
                    for (place, bits) in places.iter().zip(made) {
                        row[place.register] |= (bits & place.mask) << place.shift;
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
    pub fn lanes(&self, columns: &mut [Column], lane: impl Fn(&mut Draws, u64) -> Lane) {
        self.keyed_lanes(columns, |key, index| lane(&mut Draws::new(key, index), index));
    }

    /// Generates the lanes of a row together, from the keys of their streams.
    #[inline]
    pub fn rows(
        &self,
        columns: &mut [Column],
        row: impl Fn(&[u64; LANES_MAX], u64) -> [Lane; LANES_MAX],
    ) {
        let keys = self.keys();
        self.words::<REGISTERS_MAX>(columns, |index| {
            let made = row(&keys, index);
            let mut words = [0; REGISTERS_MAX];
            for (places, made) in self.layout.places[..self.shape.lanes].iter().zip(made) {
                for (place, bits) in places.iter().zip(made) {
                    words[place.register] |= (bits & place.mask) << place.shift;
                }
            }
            words
        });
    }
}
