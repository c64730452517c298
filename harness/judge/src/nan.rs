//! NaN results, where the manual leaves open which NaN.

use formats::Format;
use isa::Relaxation;

use super::batch::Batch;
use super::judge::Judge;
use super::tally::Tally;

/// Counts of NaN results by the set of interpretations that they followed; bit `n` of an index is interpretation `n`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NanAnswers(pub [u64; 8]);

/// The set of the first interpretation alone: a canonical NaN.
pub(super) const CANONICAL: usize = 1;
/// The set of the second interpretation alone, of three: the payload of an operand.
pub(super) const OPERAND: usize = 2;
/// The set of the third interpretation alone: another payload.
pub(super) const OTHER_PAYLOAD: usize = 4;
/// The set of the second interpretation alone, of two: another NaN.
pub(super) const OTHER: usize = 2;

impl NanAnswers {
    /// Adds the counts to a tally, as answers to `relaxation`; without one nothing is added.
    pub(super) fn count(self, relaxation: Option<Relaxation>, tally: &mut Tally) {
        if let Some(relaxation) = relaxation {
            tally.agreement(relaxation, &self.0);
        }
    }
}

impl Judge {
    /// Returns the set of interpretations that a NaN result agrees with, as bits, where NaN was expected.
    pub(super) fn nan_answer(
        &self,
        format: &Format,
        batch: Batch,
        element: usize,
        (expected, actual): (u64, u64),
    ) -> usize {
        if self.nan != Some(Relaxation::NanPayload) {
            return if expected == actual { CANONICAL } else { OTHER };
        }
        let lanes = self.variant.lanes();
        let (row, lane) = (element / lanes, element % lanes);
        let given = payload(format, actual);
        let of_operand = self.variant.inputs().iter().any(|input| {
            let slot = &input.slots[lane];
            let bits = slot.take(batch.operands[slot.register].get(row));
            input.format.is_nan(bits) && payload(input.format, bits) == given
        });
        match (given == 0 || actual == self.variant.nan(), of_operand) {
            (true, true) => CANONICAL | OPERAND,
            (true, false) => CANONICAL,
            (false, true) => OPERAND,
            (false, false) => OTHER_PAYLOAD,
        }
    }
}

/// Returns the payload of a NaN, from the top of a word down, without the bit that says whether it is quiet.
fn payload(format: &Format, bits: u64) -> u64 {
    // The first shift brings the bit that says "quiet" to the top, and the second one drops it. A format of exponents
    // alone has no such bits.
    (bits & format.trailing_mask()).checked_shl(64 - format.trailing_bits).unwrap_or(0) << 1
}
