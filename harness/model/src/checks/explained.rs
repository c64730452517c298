//! Tests that explanations lead to a vector's result: from the exact result to the rounded one by the bits that are
//! cut, and from the rounded one to the result by changes.

use formats::column;
use isa::{Variant, columns_for};

use super::{Model, Random};
use crate::datum::Datum;
use crate::explain::{Cutting, ExactValue, ExplainedStages};
use crate::number::Number;

/// The number of vectors of each variant.
const VECTORS: usize = 300;

/// Returns the value that an explanation of a rounding comes to.
fn told(explained: &ExplainedStages, exact: ExactValue) -> ExactValue {
    match (explained.cutting, exact) {
        (_, ExactValue::Finite { negative, .. }) if explained.result_flushed => {
            Datum::Finite(Number::zero(negative)).into()
        }
        (Some(Cutting { kept, unit, up, .. }), ExactValue::Finite { negative, .. }) => {
            let significand = kept + u128::from(up);
            Datum::Finite(Number { negative, significand, exponent: unit }).into()
        }
        _ => exact,
    }
}

/// Returns the inputs of each lane of a vector.
fn lanes(variant: &Variant, registers: &[u64]) -> Vec<Vec<u64>> {
    let mut columns = columns_for(variant, 1);
    column::set_row(&mut columns, 0, registers);
    let mut inputs = vec![Vec::new(); variant.lanes()];
    for data in variant.inputs() {
        let mut elements = vec![0; variant.lanes()];
        data.gather(variant.operands(), &columns, 0..1, &mut elements);
        inputs.iter_mut().zip(elements).for_each(|(of_lane, bits)| of_lane.push(bits));
    }
    inputs
}

/// Follows the explanation of a lane; returns the value that it ends at, or which step does not follow.
fn end(explained: &ExplainedStages, exact: ExactValue) -> Result<ExactValue, String> {
    let magnitude = match exact {
        ExactValue::Finite { significand, exponent, .. } if explained.unsigned => {
            ExactValue::Finite { negative: false, significand, exponent }
        }
        ExactValue::Infinity(_) if explained.unsigned => ExactValue::Infinity(false),
        _ => exact,
    };
    let mut now = told(explained, magnitude);
    if explained.rounded != Some(now) {
        return Err(format!("the lines about the rounding come to {now:?}"));
    }
    for change in &explained.changes {
        if change.from != now {
            return Err(format!("{change:?} does not begin at {now:?}"));
        }
        now = change.to;
    }
    Ok(now)
}

#[test]
fn every_step_from_the_exact_result_to_the_last_is_told() {
    let mut random = Random::new(7);
    let mut changed = 0;
    let computes = |variant: &&Variant| variant.is_arithmetic() || variant.converts();
    let explains = |variant: &&Variant| computes(variant) && variant.in_turn().is_none();
    for variant in Variant::all().iter().filter(|of| Model::covers(of)).filter(explains) {
        let (model, output) = (Model::new(variant, None), variant.outputs()[0].format);
        for vector in random.vectors(variant, VECTORS) {
            for (lane, inputs) in lanes(variant, &vector).iter().enumerate() {
                let explained = model.explain(lane, inputs);
                let Some(exact) = explained.exact else { continue };
                let result = ExactValue::from(Datum::decode(output, explained.results[0]));
                let ended = end(&explained, exact);
                // A fixed-point format has one zero.
                let zero = |of| matches!(of, ExactValue::Finite { significand: 0, .. });
                let same =
                    |of: ExactValue| of == result || output.is_fixed() && zero(of) && zero(result);
                assert!(
                    ended.clone().is_ok_and(same),
                    "{variant} {inputs:x?}: {ended:?}, {explained:x?}"
                );
                changed += explained.changes.len();
            }
        }
    }
    assert!(changed > 10_000, "{changed} changes");
}
