//! The lanes of a row: from their inputs to their results.

use isa::Op;
use isa::limits::{INPUTS_MAX, OUTPUTS_MAX};

use super::{Choose, Convert, Operate, Order};

pub trait Lanes: Operate + Convert + Choose + Order {
    /// Computes the results of a row's lanes, each from its own inputs.
    fn row(&self, inputs: &[[u64; INPUTS_MAX]], results: &mut [[u64; OUTPUTS_MAX]]) {
        let count = self.variant().inputs().len();
        for (lane, (inputs, result)) in inputs.iter().zip(results).enumerate() {
            *result = self.lane(lane, &inputs[..count]);
        }
    }

    /// Computes the results of one lane; most operations have one.
    fn lane(&self, lane: usize, inputs: &[u64]) -> [u64; OUTPUTS_MAX] {
        let result = match self.meaning().op {
            _ if self.out_of_bounds(inputs) => 0,
            Op::Compare(comparison) => return self.compare(comparison, inputs),
            Op::Extremum(extremum) => self.extremum(extremum, inputs),
            Op::Abs | Op::Neg => self.signed(self.flushed(0, inputs[0])),
            Op::Copysign => self.copysign(inputs[0], inputs[1]),
            Op::Test(classes) => self.is_of(classes, inputs[0]).into(),
            Op::Select => self.select(inputs),
            Op::Convert(conversion) => self.convert(conversion, lane, inputs),
            _ => self.finish(self.exact(inputs), Default::default()),
        };
        // A second result is the word in memory as it was.
        [result, inputs[0]]
    }

    /// Whether a multiplicand is the out-of-bounds NaN, of either sign, where that counts.
    fn out_of_bounds(&self, inputs: &[u64]) -> bool {
        let multiplicands = &inputs[..inputs.len() - 1];
        self.meaning().out_of_bounds && multiplicands.iter().any(|bits| bits & 0x7fff == 0x7ff7)
    }
}
