//! Who knows the truth about a batch, and who judges by it: of lanes, or of sums of products.

use emulator::dot::DotKernel;
use formats::Column;
use isa::matrix::{MatrixVariant, results_for};
use isa::{Target, Variant};
use judge::{Batch, Judge, SumJudge, SumTruth, Tally, Truth};
use oracle::Oracle;
use oracle::dot::Sums;

use crate::request::Judging;

/// The oracle of a subject with what it said last, and the judge.
pub enum Court {
    /// Of lanes.
    Lanes(Box<LaneCourt>),
    /// Of dot products, by the contract …
    Dots(Box<DotCourt>),
    /// … and bit for bit.
    Model(Box<ModelCourt>),
}

/// Of lanes.
pub struct LaneCourt {
    pub variant: Variant,
    pub oracle: Oracle,
    pub truth: Truth,
    pub judge: Judge,
}

/// Of dot products.
pub struct DotCourt {
    pub variant: MatrixVariant,
    sums: Sums,
    truths: Vec<SumTruth>,
    judge: SumJudge,
    /// What is expected first of all.
    expected: Vec<Column>,
}

/// Of dot products as a target computes them.
pub struct ModelCourt {
    kernel: DotKernel,
    judge: SumJudge,
    expected: Vec<Column>,
}

impl Court {
    /// Of a variant of lanes.
    pub fn lanes(variant: &Variant, judging: Judging) -> Court {
        let oracle = match judging {
            Judging::Screened | Judging::Mpfr => Oracle::new(variant),
            Judging::Runs => Oracle::by_runs(variant),
        };
        let truth = Truth::new(variant);
        let judge = Judge::new(variant);
        Court::Lanes(Box::new(LaneCourt { variant: variant.clone(), oracle, truth, judge }))
    }

    /// Of a matrix instruction.
    pub fn dots(variant: &MatrixVariant) -> Court {
        Court::Dots(Box::new(DotCourt {
            variant: variant.clone(),
            sums: Sums::new(variant),
            truths: Vec::new(),
            judge: SumJudge::new(variant),
            expected: results_for(variant, 0),
        }))
    }

    /// Of a matrix instruction as a target computes it; `None` where the target lacks it.
    pub fn model(variant: &MatrixVariant, target: Target) -> Option<Court> {
        let kernel = DotKernel::of(variant, target)?;
        let judge = SumJudge::new(variant);
        Some(Court::Model(Box::new(ModelCourt { kernel, judge, expected: results_for(variant, 0) })))
    }

    /// Has MPFR, or the model, say what these operands should give.
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

    /// The results that were expected, under the first interpretation of every open point; of a bound, the
    /// nearest.
    pub fn expected(&self) -> &[Column] {
        match self {
            Court::Lanes(court) => &court.truth.results,
            Court::Dots(court) => &court.expected,
            Court::Model(court) => &court.expected,
        }
    }

    /// Judges a batch of the operands that it was asked about last.
    pub fn judge(&self, batch: Batch, tally: &mut Tally) {
        match self {
            Court::Lanes(court) => court.judge.judge(&court.truth, batch, tally),
            Court::Dots(court) => court.judge.judge(&court.truths, batch, tally),
            Court::Model(court) => court.judge.compare(&court.expected, batch, tally),
        }
    }
}
