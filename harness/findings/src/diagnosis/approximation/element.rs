//! Reads the evidence as elements: single lanes of single rows, as numbers.

use formats::Class;
use isa::Variant;
use isa::limits::INPUTS_MAX;
use judge::{MismatchKind, ordinal, ulps};

use crate::diagnosis::evidence::{Element, Evidence};

/// An element: one lane of one row, with its inputs, its results and its error.
#[derive(Clone, Copy, Debug)]
pub struct MeasuredElement {
    /// The bits of the inputs; the variant says how many of them there are.
    pub inputs: [u64; INPUTS_MAX],
    /// The exact result.
    pub exact: f64,
    /// The distance of the actual result from the exact one, in units of the exact one's last place; for the element
    /// that stands for a mismatch, the largest of all lanes that are wrong.
    pub error: f64,
    /// The bits of the right result.
    pub expected: u64,
    /// The bits of the actual result.
    pub actual: u64,
    /// The kind of the row's mismatch, if this lane stands for it.
    pub kind: Option<MismatchKind>,
}

impl MeasuredElement {
    /// Whether an input of the element is a subnormal number.
    pub fn has_subnormal(&self, variant: &Variant) -> bool {
        let mut inputs = variant.inputs().iter().zip(self.inputs);
        inputs.any(|(input, bits)| input.format.class(bits) == Class::Subnormal)
    }

    /// Whether flushing says anything of the element: an input is subnormal, or the actual result is, or may have
    /// been rounded from a subnormal number.
    pub fn is_small(&self, variant: &Variant) -> bool {
        let format = variant.outputs()[0].format;
        let magnitude = self.actual & format.magnitude_mask();
        self.has_subnormal(variant) || (1..=format.min_normal()).contains(&magnitude)
    }
}

/// Returns all elements of the evidence, in order.
pub fn all(variant: &Variant, evidence: &[Evidence]) -> Vec<MeasuredElement> {
    evidence.iter().flat_map(|batch| of_batch(variant, batch)).collect()
}

/// Returns the elements of the evidence that stand for mismatches of one class.
pub fn of_kind(variant: &Variant, evidence: &[Evidence], kind: MismatchKind) -> Vec<MeasuredElement> {
    all(variant, evidence).into_iter().filter(|element| element.kind == Some(kind)).collect()
}

/// Returns the elements of one batch, row by row, and marks the lane that stands for each mismatch.
fn of_batch(variant: &Variant, batch: &Evidence) -> Vec<MeasuredElement> {
    let lanes = variant.lanes();
    let output = &variant.outputs()[0];
    // Elements are gathered row by row: that of a lane is number `row * lanes + lane`.
    let mut elements: Vec<MeasuredElement> = (batch.elements(variant, 0).into_iter())
        .zip(batch.truth.intervals())
        .map(|(Element { inputs, expected, actual }, interval)| {
            let (exact, error) = (interval.exact, ulps(variant, interval, actual));
            MeasuredElement { inputs, exact, error, expected, actual, kind: None }
        })
        .collect();
    for &(row, kind) in &batch.mismatches {
        // The lane that is furthest from the right result stands for the row.
        let distance = |at: &usize| {
            let MeasuredElement { expected, actual, .. } = elements[*at];
            let [expected, actual] = [expected, actual].map(|bits| ordinal(output.format, bits));
            expected.abs_diff(actual)
        };
        let worst = (row * lanes..(row + 1) * lanes).max_by_key(distance).expect("lanes");
        elements[worst].kind = Some(kind);
        let outside = |at: &usize| {
            let (interval, place) =
                (&batch.truth.intervals()[*at], ordinal(output.format, elements[*at].actual));
            !(interval.low..=interval.high).contains(&place) && elements[*at].error.is_finite()
        };
        let errors = (row * lanes..(row + 1) * lanes).filter(outside).map(|at| elements[at].error);
        if let Some(most) = errors.reduce(f64::max).filter(|_| elements[worst].error.is_finite()) {
            elements[worst].error = most;
        }
    }
    elements
}
