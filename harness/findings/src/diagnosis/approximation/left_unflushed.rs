//! Explains right results of which something is left that should not be: subnormal numbers in spite of `.ftz`, or the
//! lower half of f64 where the manual zeroes it.

use faults::LocalizedFault;
use formats::{Class, Column, Format};
use judge::MismatchKind;
use reports::Flaw;

use super::Explanation;
use crate::diagnosis::evidence::{Evidence, Rerun};

/// Explains a class of which so many mismatches and right results were tried, by `Unflushed`, by `LowerHalf` or by
/// both. The first of these wins that makes all results of the class right once it is mended.
pub fn explain(
    rerun: &Rerun,
    evidence: &[Evidence],
    kind: MismatchKind,
    (mismatches, agreeing): (u64, u64),
) -> Option<Explanation> {
    use LocalizedFault::{LowerHalf, Unflushed};
    let meaning = rerun.variant.meaning();
    let sets: [&[LocalizedFault]; 3] = [&[Unflushed], &[LowerHalf], &[Unflushed, LowerHalf]];
    let concerned = |set: &&[LocalizedFault]| {
        set.iter().all(|fault| match fault {
            LowerHalf => meaning.upper_half,
            _ => meaning.flush.result,
        })
    };
    let found = sets.into_iter().filter(concerned).find(|set| {
        evidence.iter().all(|batch| {
            let mended = mended(rerun, &batch.results, set);
            let wrong = rerun.judge.wrong_rows(&batch.truth, batch.batch(&mended));
            let mut of_kind = batch.mismatches.iter().filter(|(_, of)| *of == kind);
            of_kind.all(|(row, _)| wrong.binary_search(row).is_err())
        })
    })?;
    let parts = found.iter().map(|fault| Flaw::new(fault.id(), fault.words())).collect();
    Some(Explanation { mismatches, agreeing, ..Explanation::of(parts) })
}

/// Returns results without what the faults have left in them.
fn mended(rerun: &Rerun, results: &[Column], faults: &[LocalizedFault]) -> Vec<Column> {
    let (variant, mut mended) = (rerun.variant, results.to_vec());
    let output = &variant.outputs()[0];
    let (rows, lanes) = (results[0].rows(), variant.lanes());
    let mut elements = vec![0u64; rows * lanes];
    output.gather(variant.results(), results, 0..rows, &mut elements);
    for bits in &mut elements {
        for fault in faults {
            *bits = match fault {
                // PTX ISA 9.7.3.14 and 9.7.3.17: the low 32 bits of the result are zero.
                LocalizedFault::LowerHalf => *bits & !0 << 32,
                _ => flushed(output.format, *bits),
            };
        }
    }
    // `scatter` leaves bits alone that hold no lane, and these must be zero.
    mended.iter_mut().for_each(|column| column.bytes_mut().fill(0));
    output.scatter(variant.results(), &elements, 0..rows, &mut mended);
    mended
}

/// Replaces a subnormal number by the zero of its sign; returns other bits as they are.
fn flushed(format: &Format, bits: u64) -> u64 {
    if format.class(bits) == Class::Subnormal { bits & format.sign_mask() } else { bits }
}
