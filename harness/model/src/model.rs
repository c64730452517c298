//! The staged model: batches to lanes, one lane at a time, lanes to batches.

use vectors::isa::{Modifier, Operation};
use vectors::{Column, Format, Variant};

use super::{Deviation, Deviations};

/// A model of one variant, right or deviating.
#[derive(Clone, Debug)]
pub struct Model {
    pub(super) variant: Variant,
    pub(super) deviations: Deviations,
}

/// No instruction has more inputs a lane, or more results.
const INPUTS: usize = 3;
const OUTPUTS: usize = 2;

impl Model {
    /// The model of `variant` with these deviations.
    pub fn new(variant: &Variant, deviations: impl Into<Deviations>) -> Model {
        Model { variant: variant.clone(), deviations: deviations.into() }
    }

    /// Whether it has a model: not the approximations, of which only a bound is promised.
    pub fn covers(variant: &Variant) -> bool {
        use Operation::*;
        let approximate = matches!(variant.operation(), Rsqrt | Sin | Cos | Lg2 | Ex2 | Tanh)
            || variant.has(Modifier::Approx)
            || variant.has(Modifier::Full);
        !approximate
    }

    pub(super) fn deviates(&self, deviation: Deviation) -> bool {
        self.deviations.has(deviation)
    }

    pub(super) fn has(&self, modifier: Modifier) -> bool {
        self.variant.has(modifier)
    }

    /// Encoding of a lane's result.
    pub(super) fn output(&self) -> &'static Format {
        self.variant.outputs()[0].format
    }

    /// Encoding of one of a lane's inputs.
    pub(super) fn input(&self, index: usize) -> &'static Format {
        self.variant.inputs()[index].format
    }

    /// Computes every row of `results`.
    pub fn run(&self, operands: &[Column], results: &mut [Column]) {
        let (inputs, outputs) = (self.variant.inputs(), self.variant.outputs());
        let (rows, lanes) = (operands[0].rows(), self.variant.lanes());
        let gathered = inputs.iter().map(|stream| {
            let mut elements = vec![0u64; rows * lanes];
            stream.gather(self.variant.operands(), operands, 0..rows, &mut elements);
            elements
        });
        let gathered: Vec<Vec<u64>> = gathered.collect();
        let mut computed = vec![vec![0u64; rows * lanes]; outputs.len()];
        let mut of_lanes = vec![[0; INPUTS]; lanes];
        for row in 0..rows {
            for (lane, of_lane) in of_lanes.iter_mut().enumerate() {
                for (input, elements) in of_lane.iter_mut().zip(&gathered) {
                    *input = elements[row * lanes + lane];
                }
            }
            for (lane, result) in self.row(&of_lanes).into_iter().enumerate() {
                for (elements, bits) in computed.iter_mut().zip(result) {
                    elements[row * lanes + lane] = bits;
                }
            }
        }
        for column in results.iter_mut() {
            column.bytes_mut().fill(0);
        }
        for (stream, elements) in outputs.iter().zip(&computed) {
            stream.scatter(self.variant.results(), elements, 0..rows, results);
        }
    }

    /// The results of a row's lanes.
    fn row(&self, of_lanes: &[[u64; INPUTS]]) -> Vec<[u64; OUTPUTS]> {
        let count = self.variant.inputs().len();
        let first = of_lanes[0][0];
        let lane = |(lane, mut inputs): (usize, [u64; INPUTS])| {
            if self.deviates(Deviation::FirstLaneEverywhere) {
                inputs[0] = first;
            }
            self.lane(lane, &self.exchanged(inputs)[..count])
        };
        let mut results: Vec<_> = of_lanes.iter().copied().enumerate().map(lane).collect();
        let out_of_bounds = |inputs: &[u64; INPUTS]| self.out_of_bounds(&inputs[..count]);
        if self.deviates(Deviation::OobAllLanes) && of_lanes.iter().any(out_of_bounds) {
            results.fill([0; OUTPUTS]);
        }
        if self.deviates(Deviation::LanesSwapped) {
            results.reverse();
        }
        if self.deviates(Deviation::LaneNanSpreads) {
            let format = self.output();
            for lane in 1..results.len() {
                if format.is_nan(results[lane - 1][0]) {
                    results[lane][0] = format.canonical_nan();
                }
            }
        }
        results
    }

    /// A lane's inputs, exchanged if that is the deviation and they are of one kind.
    fn exchanged(&self, mut inputs: [u64; INPUTS]) -> [u64; INPUTS] {
        let alike = self.variant.inputs().len() > 1 && self.input(0) == self.input(1);
        if alike && self.deviates(Deviation::OperandsExchanged) {
            inputs.swap(0, 1);
        }
        inputs
    }

    /// The results of one lane.
    pub(super) fn lane(&self, lane: usize, inputs: &[u64]) -> [u64; OUTPUTS] {
        use Operation::*;
        let result = match self.variant.operation() {
            Setp => return self.predicates(inputs),
            _ if self.out_of_bounds(inputs) => 0,
            Set => self.truth(inputs),
            Min | Max => self.extremum(inputs),
            Abs | Neg => self.signed(inputs[0]),
            Copysign => self.copysign(inputs),
            Testp => self.testp(inputs[0]).into(),
            Slct => self.select(inputs),
            Cvt | Cast => self.convert(lane, inputs),
            _ => self.calculate(inputs),
        };
        [result, 0]
    }

    pub(super) fn out_of_bounds(&self, inputs: &[u64]) -> bool {
        let mask = if self.deviates(Deviation::OobPositiveOnly) { 0xffff } else { 0x7fff };
        let pattern = if self.deviates(Deviation::OobCanonical) { 0x7fff } else { 0x7ff7 };
        let looked_at = match () {
            () if !self.has(Modifier::Oob) || self.deviates(Deviation::OobIgnored) => 0,
            () if self.deviates(Deviation::OobFirstOnly) => 1,
            () if self.deviates(Deviation::OobAddendToo) => inputs.len(),
            () => inputs.len() - 1,
        };
        inputs[..looked_at].iter().any(|bits| match self.deviates(Deviation::OobAnyNan) {
            true => self.output().is_nan(*bits),
            false => bits & mask == pattern,
        })
    }
}
