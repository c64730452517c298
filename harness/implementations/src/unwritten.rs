//! Rows that a kernel ran over and left as they were: they hold the bytes that they were filled with, and do so
//! again when they are filled with others.

use formats::Column;

use super::{FailureKind, RowFailure};

/// Values that every byte of a result has before it is written, at the first and at a second look.
pub const PATTERNS: [u8; 2] = [0xa5, 0x5a];

/// Fills every byte of the results with a pattern.
pub fn fill(results: &mut [Column], pattern: u8) {
    results.iter_mut().for_each(|column| column.bytes_mut().fill(pattern));
}

/// Returns the rows that may have been left unwritten, after the first look.
pub fn suspected(results: &[Column]) -> Vec<usize> {
    let rows = results.first().map_or(0, Column::rows);
    (0..rows).filter(|&row| holds(results, row, PATTERNS[0])).collect()
}

/// Returns the failures of those suspected rows that were left unwritten, after the second look.
pub fn confirmed(suspected: Vec<usize>, again: &[Column]) -> impl Iterator<Item = RowFailure> {
    suspected.into_iter().filter(|&row| holds(again, row, PATTERNS[1])).map(|row| RowFailure {
        row,
        kind: FailureKind::Unwritten,
        words: "its kernel ran and did not write the result".into(),
    })
}

/// Whether every byte of a row has a pattern, in all results.
fn holds(results: &[Column], row: usize, pattern: u8) -> bool {
    results.iter().all(|column| column.bytes_of(row..row + 1).iter().all(|&byte| byte == pattern))
}
