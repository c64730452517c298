//! Vectors that were found, not made by a sweep: a list of them takes the sweep's place.

use formats::{Column, RowBits, column};
use isa::Variant;

/// A list of vectors of a variant, in the place of those that a sweep makes.
#[derive(Debug)]
pub struct VectorList {
    /// The variant to which the vectors are given.
    pub variant: &'static Variant,
    /// The operands of each vector; the number of a vector is its place in this list.
    pub rows: Vec<Vec<RowBits>>,
    /// The name that reports have in the place of a sweep's.
    pub name: &'static str,
}

impl VectorList {
    /// The name of a list of vectors that a fuzzer found.
    pub const FUZZ: &'static str = "fuzz";

    /// Writes vectors from number `first` on into operand columns.
    ///
    /// # Panics
    /// If the list has fewer vectors than the columns have rows to fill.
    pub fn fill(&self, first: u64, columns: &mut [Column]) {
        for row in 0..columns[0].rows() {
            column::set_row_bits(columns, row, &self.rows[first as usize + row]);
        }
    }
}
