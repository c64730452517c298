//! Rows that a kernel ran over and left as they were: they hold what they were filled with, and once more
//! when that is something else.

use formats::Column;

use super::{FailureKind, RowFailure};

/// What every byte of a result is before it is written, and at a second look.
pub const PATTERNS: [u8; 2] = [0xa5, 0x5a];

/// Has every byte be that of a pattern.
pub fn fill(results: &mut [Column], pattern: u8) {
    results.iter_mut().for_each(|column| column.bytes_mut().fill(pattern));
}

/// The rows that may have been left, after the first look.
pub fn suspected(results: &[Column]) -> Vec<usize> {
    let rows = results.first().map_or(0, Column::rows);
    (0..rows).filter(|&row| holds(results, row, PATTERNS[0])).collect()
}

/// Those of them that were left, after the second.
pub fn confirmed(suspected: Vec<usize>, again: &[Column]) -> impl Iterator<Item = RowFailure> {
    suspected.into_iter().filter(|&row| holds(again, row, PATTERNS[1])).map(|row| RowFailure {
        row,
        kind: FailureKind::Unwritten,
        words: "its kernel ran, and left the results as they were".into(),
    })
}

fn holds(results: &[Column], row: usize, pattern: u8) -> bool {
    results.iter().all(|column| column.bytes_of(row..row + 1).iter().all(|&byte| byte == pattern))
}
