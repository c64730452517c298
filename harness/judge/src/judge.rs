//! The judge of one variant: the facts that it keeps about the variant, and when two results are the same.

use formats::Format;
use isa::{Relaxation, Variant};

/// The judge of one variant's results. It holds nothing that judging changes, so threads may share it.
#[derive(Clone, Debug)]
pub struct Judge {
    pub(super) variant: Variant,
    /// The relaxation by which more than one NaN is right.
    pub(super) nan: Option<Relaxation>,
    /// Whether the implementation chooses the bits beside the lanes ([`Relaxation::Tf32Layout`]).
    pub(super) open_layout: bool,
    /// Masks of the bits that hold a lane, for each result register.
    pub(super) masks: Vec<u64>,
}

impl Judge {
    /// Makes the judge of `variant`.
    pub fn new(variant: &Variant) -> Judge {
        Judge {
            variant: variant.clone(),
            nan: relaxation_of_nan(variant),
            open_layout: variant.relaxations().any(|r| r == Relaxation::Tf32Layout),
            masks: variant.results().iter().map(|result| result.ty.mask()).collect(),
        }
    }

    /// Whether two rows of result registers are equal, treating NaNs as equal where any NaN is allowed.
    pub fn rows_agree(&self, a: &[u64], b: &[u64]) -> bool {
        if a == b || self.nan.is_none() {
            return a == b;
        }
        let original = self.variant.lane_signature().original();
        let outputs = self.variant.outputs().iter().enumerate();
        let mut lanes = outputs
            .flat_map(|(number, output)| output.slots.iter().map(move |at| (number, output.format, at)));
        lanes.all(|(number, format, at)| {
            let [a, b] = [a, b].map(|registers| at.take(registers[at.register]));
            // The word that memory held is only moved, and a NaN in it with all its bits.
            a == b || original != Some(number) && format.is_nan(a) && format.is_nan(b)
        })
    }

    /// Whether `actual` is right where `wanted` is: they are equal, or both are NaN and more than one NaN is right.
    pub(super) fn accepts(&self, format: &Format, wanted: u64, actual: u64) -> bool {
        wanted == actual || self.nan.is_some() && format.is_nan(wanted) && format.is_nan(actual)
    }

    /// Returns the elements of the first output in one row of result registers, lane by lane.
    pub(super) fn lanes_of(&self, registers: &[u64]) -> Vec<u64> {
        let places = self.variant.outputs()[0].slots.iter();
        places.map(|at| at.take(registers[at.register])).collect()
    }
}

/// Returns the relaxation that says which NaNs are right in a variant; `None` if only one is.
fn relaxation_of_nan(variant: &Variant) -> Option<Relaxation> {
    let of_nan = |r: &Relaxation| matches!(r, Relaxation::AnyNan | Relaxation::NanPayload);
    variant.relaxations().find(of_nan)
}
