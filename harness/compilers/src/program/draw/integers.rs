//! Random programs that convert a number to an integer and back.

use sweeps::{CounterRng, stream_key};

use super::DrawPlan;
use crate::program::{Node, Program, ProgramOperation};

/// The number of programs of which each one more is drawn that has a conversion to an integer.
const INTEGERS: u64 = 8;

impl DrawPlan {
    /// Draws the programs of a number: program number `index`, and for some numbers another one, with a conversion to
    /// an integer and back.
    pub fn programs(&self, seed: u64, index: u64) -> Vec<Program> {
        let with_integer = || self.with_integer(seed, index);
        let is_more = index.is_multiple_of(INTEGERS) && !self.integers.is_empty();
        [self.program(seed, index)].into_iter().chain(is_more.then(with_integer)).collect()
    }

    /// Draws a program that converts a parameter, or the result of an operation, to an integer and back.
    fn with_integer(&self, seed: u64, index: u64) -> Program {
        let mut draws = CounterRng::new(stream_key(seed, "programs of integers", 0), index);
        let integer = self.integers[draws.below(self.integers.len() as i32) as usize];
        let ty = self.types[draws.below(self.types.len() as i32) as usize];
        let mut values = Vec::new();
        match draws.flag() {
            true => values.push((ty, Node::Parameter)),
            false => {
                self.value(&mut values, ty, 1, &mut draws);
            }
        }
        let last = values.len() - 1;
        values.push((ty, Node::Apply(ProgramOperation::Integer(integer), vec![last])));
        Program::new(values)
    }
}
