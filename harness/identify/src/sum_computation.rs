//! The ways to compute a sum that an implementation is held against.

use emulator::dot::DotKernel;
use formats::{Class, Column, Format};
use isa::matrix::{Lowering, MatrixVariant, results_for};
use oracle::dot::Sums;

/// A way to compute a sum that an implementation may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumComputation {
    /// The way of tensor cores: as they compute sums, or might.
    Lowered(Lowering),
    /// The exact sum, rounded once to nearest even, as references in wide or exact arithmetic have it. This way leaves
    /// open which NaN a NaN is, and which sign a zero has.
    RoundedOnce,
}

/// A calculator of one variant's sums in one way.
pub struct Reckoner {
    d: &'static Format,
    by: By,
}

enum By {
    Kernel(Box<DotKernel>),
    Exact(Box<Sums>),
}

impl Reckoner {
    /// Makes the calculator of a variant; returns `None` where the variant cannot be computed in this way.
    pub fn new(variant: &MatrixVariant, way: SumComputation) -> Option<Reckoner> {
        let by = match way {
            SumComputation::Lowered(lowering) => {
                By::Kernel(Box::new(DotKernel::with_lowering(variant, lowering)?))
            }
            SumComputation::RoundedOnce => By::Exact(Box::new(Sums::new(variant))),
        };
        Some(Reckoner { d: variant.dot().d, by })
    }

    /// Returns the results of rows of operands.
    pub fn results(&mut self, variant: &MatrixVariant, operands: &[Column]) -> Vec<u64> {
        let rows = operands.first().map_or(0, Column::rows);
        match &mut self.by {
            By::Kernel(kernel) => {
                let mut results = results_for(variant, rows);
                kernel.run(operands, &mut results);
                (0..rows).map(|row| results[0].get(row)).collect()
            }
            By::Exact(sums) => {
                let mut truths = Vec::new();
                sums.expect(operands, &mut truths);
                truths.iter().map(|truth| truth.expected(self.d)).collect()
            }
        }
    }

    /// Whether an implementation's answer agrees with this way's result.
    pub fn gives(&self, result: u64, answer: u64) -> bool {
        let class = self.d.class(result);
        let open = matches!(self.by, By::Exact(_)) && matches!(class, Class::Nan | Class::Zero);
        result == answer || open && class == self.d.class(answer)
    }
}
