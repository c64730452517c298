//! The interface between the oracle and every kind of mathematics, and the adapter that takes elements out of
//! registers for mathematics that handles one element at a time.

use formats::Column;
use isa::Variant;
use isa::limits::{INPUTS_MAX, OUTPUTS_MAX};
use judge::{Accepted, Alternative, Interval, Truth};

/// A kind of mathematics, made ready for one variant.
pub trait Engine: Send {
    /// Computes what all rows of `operands` should give.
    fn expect(&mut self, operands: &[Column], truth: &mut Truth);
}

/// Mathematics that computes one element at a time.
pub trait Elements: Send {
    /// Computes the results of some elements into `outputs`, and adds to `accepted` what else is right. `first` is
    /// the number of the first element in its batch. Inputs and outputs that the variant lacks are never looked at.
    fn expect(
        &mut self,
        inputs: [&[u64]; INPUTS_MAX],
        outputs: [&mut [u64]; OUTPUTS_MAX],
        first: usize,
        accepted: &mut Accepted,
    );
}

/// Number of rows that are computed before their results go to registers: few enough for the nearest cache.
const ROWS: usize = 1024;

/// An engine that takes elements out of registers, lets `mathematics` compute them, and puts the results into other
/// registers.
pub struct Elementwise<E> {
    variant: Variant,
    mathematics: E,
    /// Elements of each input and of each output, for at most [`ROWS`] rows.
    inputs: [Vec<u64>; INPUTS_MAX],
    outputs: [Vec<u64>; OUTPUTS_MAX],
}

impl<E: Elements> Elementwise<E> {
    /// Makes the engine for the elements of `variant`.
    pub fn new(variant: &Variant, mathematics: E) -> Elementwise<E> {
        let elements = vec![0; ROWS * variant.lanes()];
        Elementwise {
            variant: variant.clone(),
            mathematics,
            inputs: [(); INPUTS_MAX].map(|()| elements.clone()),
            outputs: [(); OUTPUTS_MAX].map(|()| elements.clone()),
        }
    }
}

impl<E: Elements> Engine for Elementwise<E> {
    fn expect(&mut self, operands: &[Column], truth: &mut Truth) {
        let Elementwise { variant, mathematics, inputs, outputs } = self;
        let Truth { results, accepted } = truth;
        let (rows, lanes) = (operands[0].rows(), variant.lanes());
        for column in results.iter_mut() {
            column.resize(rows);
            column.bytes_mut().fill(0);
        }
        accepted.clear();
        for start in (0..rows).step_by(ROWS) {
            let range = start..rows.min(start + ROWS);
            let count = range.len() * lanes;
            for (data, elements) in variant.inputs().iter().zip(&mut *inputs) {
                data.gather(variant.operands(), operands, range.clone(), elements);
            }
            mathematics.expect(
                inputs.each_ref().map(|elements| &elements[..count]),
                outputs.each_mut().map(|elements| &mut elements[..count]),
                start * lanes,
                accepted,
            );
            if let Some(original) = variant.lane_signature().original() {
                outputs[original][..count].copy_from_slice(&inputs[0][..count]);
            }
            for (data, elements) in variant.outputs().iter().zip(&*outputs) {
                data.scatter(variant.results(), elements, range.clone(), results);
            }
        }
    }
}

/// Returns the alternatives of a truth about bits.
///
/// # Panics
/// If the truth is about a bound: it was made for another variant.
pub fn alternatives(accepted: &mut Accepted) -> &mut Vec<Alternative> {
    match accepted {
        Accepted::Exact(alternatives) => alternatives,
        Accepted::Within(_) => panic!("the truth of a variant with a bound"),
    }
}

/// Returns the intervals of a truth about a bound.
///
/// # Panics
/// If the truth is about bits: it was made for another variant.
pub fn intervals(accepted: &mut Accepted) -> &mut Vec<Interval> {
    match accepted {
        Accepted::Within(intervals) => intervals,
        Accepted::Exact(_) => panic!("the truth of a variant without a bound"),
    }
}
