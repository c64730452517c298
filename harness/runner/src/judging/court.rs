//! Courts: a court is an oracle that knows the truth about a batch of lanes, or of sums of products, with the judge
//! that judges by it.

use emulator::dot::DotKernel;
use formats::Column;
use isa::matrix::{MatrixVariant, results_for};
use isa::{Target, Variant};
use judge::{Batch, Judge, SumJudge, SumTruth, Tally, Truth};
use oracle::Oracle;
use oracle::dot::Sums;

use crate::request::Judging;

/// The oracle of a subject with what it said last, and the judge of the subject's results.
pub enum Court {
    /// A court of variants that compute lanes.
    Lanes(Box<LaneCourt>),
    /// A court of dot products, held to the contract.
    Dots(Box<DotCourt>),
    /// A court of dot products, held bit for bit to what a target computes.
    Model(Box<ModelCourt>),
}

/// The oracle and the judge of a variant that computes lanes.
pub struct LaneCourt {
    pub variant: Variant,
    pub oracle: Oracle,
    pub truth: Truth,
    pub judge: Judge,
}

/// The oracle and the judge of a dot product, held to the contract.
pub struct DotCourt {
    pub variant: MatrixVariant,
    sums: Sums,
    truths: Vec<SumTruth>,
    judge: SumJudge,
    /// The results expected under the first interpretation; where there is a bound, the nearest results.
    expected: Vec<Column>,
}

/// The model and the judge of a dot product, held to what a target computes.
pub struct ModelCourt {
    kernel: DotKernel,
    judge: SumJudge,
    expected: Vec<Column>,
}

impl Court {
    /// Creates the court of a variant that computes lanes.
    pub fn lanes(variant: &Variant, judging: Judging) -> Court {
        let oracle = match judging {
            Judging::Screened | Judging::Mpfr => Oracle::new(variant),
            Judging::Runs => Oracle::by_runs(variant),
        };
        let truth = Truth::new(variant);
        let judge = Judge::new(variant);
        Court::Lanes(Box::new(LaneCourt { variant: variant.clone(), oracle, truth, judge }))
    }

    /// Creates the court of a matrix instruction, held to the contract.
    pub fn dots(variant: &MatrixVariant) -> Court {
        Court::Dots(Box::new(DotCourt {
            variant: variant.clone(),
            sums: Sums::new(variant),
            truths: Vec::new(),
            judge: SumJudge::new(variant),
            expected: results_for(variant, 0),
        }))
    }

    /// Creates the court of a matrix instruction, held to what a target computes; `None` where the target lacks the
    /// instruction.
    pub fn model(variant: &MatrixVariant, target: Target) -> Option<Court> {
        let kernel = DotKernel::of(variant, target)?;
        let judge = SumJudge::new(variant);
        Some(Court::Model(Box::new(ModelCourt { kernel, judge, expected: results_for(variant, 0) })))
    }

    /// Has MPFR, or the model, compute what these operands should give.
    pub fn expect(&mut self, operands: &[Column]) {
        match self {
            Court::Lanes(court) => court.oracle.expect(operands, &mut court.truth),
            Court::Dots(court) => {
                court.sums.expect(operands, &mut court.truths);
                let d = court.variant.dot().d;
                court.expected[0].resize(court.truths.len());
                for (row, truth) in court.truths.iter().enumerate() {
                    court.expected[0].set(row, truth.expected(d));
                }
            }
            Court::Model(court) => {
                court.expected[0].resize(operands[0].rows());
                court.kernel.run(operands, &mut court.expected);
            }
        }
    }

    /// Returns the results that were expected, under the first interpretation of every open point; where there is a
    /// bound, the nearest results.
    pub fn expected(&self) -> &[Column] {
        match self {
            Court::Lanes(court) => &court.truth.results,
            Court::Dots(court) => &court.expected,
            Court::Model(court) => &court.expected,
        }
    }

    /// Judges a batch, whose operands are those that [`Court::expect`] was given last, and adds to the tally.
    pub fn judge(&self, batch: Batch, tally: &mut Tally) {
        match self {
            Court::Lanes(court) => court.judge.judge(&court.truth, batch, tally),
            Court::Dots(court) => court.judge.judge(&court.truths, batch, tally),
            Court::Model(court) => court.judge.compare(&court.expected, batch, tally),
        }
    }
}
