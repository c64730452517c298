//! Makes mismatches of functions, and keeps the simplest of them.

use findings::diagnosis::simplicity;
use formats::{Column, column};
use isa::Variant;
use judge::Mismatch;

/// The simplest mismatch that was seen so far, with the name of its sweep.
pub(super) type Simplest = Option<(&'static str, Mismatch)>;

/// Makes the mismatch of a row with one result where another is due; `index` is the row's number in its sweep.
pub(super) fn mismatch(index: u64, operands: &[Column], row: usize, [due, came]: [u64; 2]) -> Mismatch {
    Mismatch {
        index,
        operands: column::row_bits(operands, row),
        expected: vec![due.into()],
        accepted: Vec::new(),
        actual: vec![came.into()],
        words: None,
    }
}

/// Keeps a mismatch if it is simpler than the one that was kept; `shape` is the instruction that has the operands.
pub(super) fn keep_simpler(
    kept: &mut Simplest,
    shape: &Variant,
    sweep: &'static str,
    mismatch: &Mismatch,
) {
    let key = |of: &Mismatch| simplicity(shape, &of.operands);
    if kept.as_ref().is_none_or(|(_, best)| key(mismatch) < key(best)) {
        *kept = Some((sweep, mismatch.clone()));
    }
}
