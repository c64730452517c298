//! Vectors that were found and not made: a sweep that is a list.

use formats::{Column, RowBits, column};
use isa::Variant;

/// Vectors of a variant, in the place of a sweep's.
#[derive(Debug)]
pub struct Given {
    /// The variant.
    pub variant: &'static Variant,
    /// The operands of each vector, which has its place here for a number.
    pub rows: Vec<Vec<RowBits>>,
}

impl Given {
    /// What reports call the sweep.
    pub const SWEEP: &'static str = "fuzz";

    /// Writes vectors from number `first` on into operand columns.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn fill(&self, first: u64, columns: &mut [Column]) {
        for row in 0..columns[0].rows() {
            column::set_row_bits(columns, row, &self.rows[first as usize + row]);
        }
    }
}
