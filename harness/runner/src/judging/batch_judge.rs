//! Judges of batches: each is an oracle that knows the truth about a batch of lanes, or of sums of products, with the
//! judge that judges by it.

use emulator::dot::DotKernel;
use formats::Column;
use isa::matrix::{MatrixVariant, results_for};
use isa::{Target, Variant};
use judge::{Batch, Judge, SumJudge, SumTruth, Tally, Truth};
use oracle::Oracle;
use oracle::dot::Sums;

use crate::meaning::MeaningJudge;
use crate::request::Judging;

/// The oracle of a subject with what it said last, and the judge of the subject's results.
pub enum BatchJudge {
    /// A judge of variants that compute lanes.
    Lanes(Box<LaneJudge>),
    /// A judge of dot products, held to the contract.
    Dots(Box<DotJudge>),
    /// A judge of dot products, held bit for bit to what a target computes.
    Model(Box<ModelJudge>),
    /// A judge of lanes, held to a meaning of the user's.
    Meaning(Box<dyn MeaningJudge>),
}

/// The oracle and the judge of a variant that computes lanes.
pub struct LaneJudge {
    pub variant: Variant,
    pub oracle: Oracle,
    pub truth: Truth,
    pub judge: Judge,
}

/// The oracle and the judge of a dot product, held to the contract.
pub struct DotJudge {
    pub variant: MatrixVariant,
    sums: Sums,
    truths: Vec<SumTruth>,
    judge: SumJudge,
    /// The results expected under the first interpretation; where there is a bound, the nearest results.
    expected: Vec<Column>,
}

/// The model and the judge of a dot product, held to what a target computes.
pub struct ModelJudge {
    kernel: DotKernel,
    judge: SumJudge,
    expected: Vec<Column>,
}

impl BatchJudge {
    /// Creates the judge of a variant that computes lanes.
    pub fn lanes(variant: &Variant, judging: Judging) -> BatchJudge {
        let oracle = match judging {
            Judging::Screened | Judging::Mpfr => Oracle::new(variant),
            Judging::Runs => Oracle::by_runs(variant),
        };
        let truth = Truth::new(variant);
        let judge = Judge::new(variant);
        BatchJudge::Lanes(Box::new(LaneJudge { variant: variant.clone(), oracle, truth, judge }))
    }

    /// Creates the judge of a matrix instruction, held to the contract.
    pub fn dots(variant: &MatrixVariant) -> BatchJudge {
        BatchJudge::Dots(Box::new(DotJudge {
            variant: variant.clone(),
            sums: Sums::new(variant),
            truths: Vec::new(),
            judge: SumJudge::new(variant),
            expected: results_for(variant, 0),
        }))
    }

    /// Creates the judge of a matrix instruction, held to what a target computes; `None` where the target lacks the
    /// instruction.
    pub fn model(variant: &MatrixVariant, target: Target) -> Option<BatchJudge> {
        let kernel = DotKernel::of(variant, target)?;
        let judge = SumJudge::new(variant);
        Some(BatchJudge::Model(Box::new(ModelJudge {
            kernel,
            judge,
            expected: results_for(variant, 0),
        })))
    }

    /// Has MPFR, or the model, compute what these operands should give.
    pub fn expect(&mut self, operands: &[Column]) {
        match self {
            BatchJudge::Lanes(judge) => judge.oracle.expect(operands, &mut judge.truth),
            BatchJudge::Dots(judge) => {
                judge.sums.expect(operands, &mut judge.truths);
                let d = judge.variant.dot().d;
                judge.expected[0].resize(judge.truths.len());
                for (row, truth) in judge.truths.iter().enumerate() {
                    judge.expected[0].set(row, truth.expected(d));
                }
            }
            BatchJudge::Model(judge) => {
                judge.expected[0].resize(operands[0].rows());
                judge.kernel.run(operands, &mut judge.expected);
            }
            BatchJudge::Meaning(judge) => judge.expect(operands),
        }
    }

    /// Whether the last batch was left because the run is to end.
    pub fn is_interrupted(&self) -> bool {
        matches!(self, BatchJudge::Meaning(judge) if judge.is_interrupted())
    }

    /// Returns the results that were expected, under the first interpretation of every open point; where there is a
    /// bound, the nearest results.
    pub fn expected(&self) -> &[Column] {
        match self {
            BatchJudge::Lanes(judge) => &judge.truth.results,
            BatchJudge::Dots(judge) => &judge.expected,
            BatchJudge::Model(judge) => &judge.expected,
            BatchJudge::Meaning(judge) => judge.expected(),
        }
    }

    /// Judges a batch, whose operands are those that [`BatchJudge::expect`] was given last, and adds to the tally.
    pub fn judge(&mut self, batch: Batch, tally: &mut Tally) {
        match self {
            BatchJudge::Lanes(judge) => judge.judge.judge(&judge.truth, batch, tally),
            BatchJudge::Dots(judge) => judge.judge.judge(&judge.truths, batch, tally),
            BatchJudge::Model(judge) => judge.judge.compare(&judge.expected, batch, tally),
            BatchJudge::Meaning(judge) => judge.judge(batch, tally),
        }
    }
}
