//! `redux.sync`: one result of what all threads of a warp have.

use super::{Execute, Problem, Source, Tested, Values, WARP};

/// An instruction that makes one result of what the threads have.
#[derive(Debug)]
pub struct Reduction {
    /// What the unit under test is asked, with three threads' operands at a time.
    pub tested: Tested,
    /// The register that has the result in all threads.
    pub into: usize,
    /// The operands.
    pub from: Source,
}

impl Reduction {
    /// What all threads are given: three by three, until one is left. The last of them stands in for any
    /// that lack, as it changes nothing.
    ///
    /// # Errors
    /// If the unit under test has no such result.
    pub fn run(&self, mut values: Values, execute: &mut Execute) -> Result<Values, Problem> {
        let mut left = WARP;
        while left > 1 {
            let last = left - 1;
            let operand = |number: usize| -> Values {
                std::array::from_fn(|row| {
                    values.get((3 * row + number).min(last)).copied().unwrap_or_default()
                })
            };
            let sources = [operand(0), operand(1), operand(2)];
            let results = execute(&self.tested, &sources).map_err(Problem::Tested)?;
            let [results] = results.as_slice() else {
                return Err(Problem::Tested(format!("`{}` has other results", self.tested.spelling)));
            };
            values = *results;
            left = left.div_ceil(3);
        }
        let [value, ..] = values;
        Ok([value; WARP])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thread_counts() {
        let tested = Tested { spelling: "max".into(), variant: None, matrix: None, in_place: false };
        let reduction = Reduction { tested, into: 0, from: Source::Constant(0) };
        let mut largest = |_: &Tested, sources: &[Values]| {
            let largest = |row: usize| sources.iter().map(|values| values[row]).max().unwrap_or(0);
            Ok(vec![std::array::from_fn(largest)])
        };
        for thread in 0..WARP {
            let values = std::array::from_fn(|other| if other == thread { 7 } else { 3 });
            assert_eq!(reduction.run(values, &mut largest), Ok([7; WARP]), "{thread}");
        }
        let mut none = |_: &Tested, _: &[Values]| Ok(Vec::new());
        assert!(reduction.run([0; WARP], &mut none).is_err());
    }
}
