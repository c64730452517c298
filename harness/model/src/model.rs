//! The model of a variant: it takes batches apart into lanes, runs the stages, and puts the results together.

use formats::Column;
use isa::Variant;
use isa::limits::{INPUTS_MAX, OUTPUTS_MAX};

use super::faulty::Faulty;
use super::stages::{Lanes, Plain};
use super::{Fault, Faults};

/// A model of one variant, right or faulty.
#[derive(Clone, Debug)]
pub struct Model {
    variant: Variant,
    faults: Faults,
}

impl Model {
    /// Returns the model of `variant` with these faults.
    pub fn new(variant: &Variant, faults: impl Into<Faults>) -> Model {
        Model { variant: variant.clone(), faults: faults.into() }
    }

    /// Whether a variant has a model. Approximations have none, since only a bound is promised of them.
    pub fn covers(variant: &Variant) -> bool {
        variant.is_exact()
    }

    /// Returns the stages without any fault.
    pub(super) fn plain(&self) -> Plain<'_> {
        Plain::new(&self.variant, *self.variant.meaning())
    }

    /// Computes every row of `results`.
    pub fn run(&self, operands: &[Column], results: &mut [Column]) {
        if let Some(one) = self.variant.in_turn().filter(|_| self.variant.is_of_two_threads()) {
            return self.run_in_turn(&Model::new(one, self.faults), operands, results);
        }
        match self.faults.is_empty() {
            true => run(&self.variant, &self.plain(), operands, results),
            false => run(&self.variant, &Faulty::new(&self.variant, self.faults), operands, results),
        }
    }

    /// Executes `one` in two threads, one after the other, unless a fault loses what one of them did.
    fn run_in_turn(&self, one: &Model, operands: &[Column], results: &mut [Column]) {
        let [word, first, second] = operands else { unreachable!("a word and two operands") };
        let lost = |fault| self.faults.has(fault);
        if lost(Fault::FirstUpdateLost) {
            return one.run(&[word.clone(), second.clone()], results);
        }
        one.run(&[word.clone(), first.clone()], results);
        if !lost(Fault::SecondUpdateLost) {
            one.run(&[results[0].clone(), second.clone()], results);
        }
    }
}

/// Runs the stages of a variant on every row of operands.
fn run(variant: &Variant, stages: &impl Lanes, operands: &[Column], results: &mut [Column]) {
    let (inputs, outputs) = (variant.inputs(), variant.outputs());
    let (rows, lanes) = (operands[0].rows(), variant.lanes());
    let gathered = inputs.iter().map(|data| {
        let mut elements = vec![0u64; rows * lanes];
        data.gather(variant.operands(), operands, 0..rows, &mut elements);
        elements
    });
    let gathered: Vec<Vec<u64>> = gathered.collect();
    let mut computed = vec![vec![0u64; rows * lanes]; outputs.len()];
    let (mut of_row, mut given) = (vec![[0; INPUTS_MAX]; lanes], vec![[0; OUTPUTS_MAX]; lanes]);
    for first in (0..rows).map(|row| row * lanes) {
        for (lane, of_lane) in of_row.iter_mut().enumerate() {
            of_lane.iter_mut().zip(&gathered).for_each(|(input, all)| *input = all[first + lane]);
        }
        stages.row(&of_row, &mut given);
        for (lane, of_lane) in given.iter().enumerate() {
            computed.iter_mut().zip(of_lane).for_each(|(all, &bits)| all[first + lane] = bits);
        }
    }
    // Bits that hold no lane are zero, whatever was there before.
    results.iter_mut().for_each(|column| column.bytes_mut().fill(0));
    for (data, elements) in outputs.iter().zip(&computed) {
        data.scatter(variant.results(), elements, 0..rows, results);
    }
}
