//! The batch that is judged: vectors, with an implementation's results of them.

use formats::Column;

/// A batch of vectors to judge, with what an implementation made of them.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    /// Number of the first row in its sweep.
    pub first: u64,
    /// Distance of each row's number from that of the first row; `None` where the rows follow each other.
    pub offsets: Option<&'a [u64]>,
    /// The operands' columns.
    pub operands: &'a [Column],
    /// The implementation's results.
    pub results: &'a [Column],
}

impl<'a> Batch<'a> {
    /// Makes a batch of vectors that follow each other from number 0.
    pub fn new(operands: &'a [Column], results: &'a [Column]) -> Batch<'a> {
        Batch { first: 0, offsets: None, operands, results }
    }

    /// Returns the number of a row in its sweep.
    pub fn number(&self, row: usize) -> u64 {
        self.first + self.offsets.map_or(row as u64, |offsets| offsets[row])
    }
}
