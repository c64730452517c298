//! The model of a sum of products: it reads rows of operands, runs the stages, and stores the results.

use formats::Column;
use isa::Target;
use isa::matrix::{DotData, DotOperand, Lowering, MatrixVariant};

use super::DotFault;
use super::faulty::FaultyDot;
use super::stages::{Lower, Plain};

/// A model of a sum of products on a target, right or with a fault.
#[derive(Clone, Debug)]
pub struct DotModel {
    plain: Plain,
    fault: Option<DotFault>,
    operands: Box<[DotOperand]>,
}

impl DotModel {
    /// Returns the right model; `None` where the target lacks the variant.
    pub fn of(variant: &MatrixVariant, target: Target) -> Option<DotModel> {
        let plain = Plain { dot: *variant.dot(), lowering: Lowering::assumed(variant, target)? };
        Some(DotModel { plain, fault: None, operands: variant.operands().into() })
    }

    /// Returns a model with a fault; `None` where the target lacks the variant, or the variant has on this target
    /// nothing that the fault is about.
    pub fn with_fault(variant: &MatrixVariant, target: Target, fault: DotFault) -> Option<DotModel> {
        let right = DotModel::of(variant, target)?;
        let concerned = fault.concerns(variant, right.plain.lowering);
        concerned.then_some(DotModel { fault: Some(fault), ..right })
    }

    /// Computes the bits of one sum. Faults that depend on a row's number, or on bits of registers that no element has,
    /// show only in [`run`](Self::run).
    pub fn compute(&self, data: &DotData) -> u64 {
        match self.fault {
            None => self.plain.computed(data),
            Some(fault) => FaultyDot::new(self.plain, fault).computed(data),
        }
    }

    /// Computes every row of the variant's result column.
    pub fn run(&self, operands: &[Column], results: &mut [Column]) {
        match self.fault {
            None => self.each(&self.plain, operands, results),
            Some(fault) => self.each(&FaultyDot::new(self.plain, fault), operands, results),
        }
    }

    /// Computes every row of the result column by some stages.
    fn each(&self, stages: &impl Lower, operands: &[Column], results: &mut [Column]) {
        let mut data = DotData::new(stages.dot());
        for row in 0..results[0].rows() {
            stages.row(&mut data, &self.operands, operands, row);
            results[0].set(row, stages.stored(stages.computed(&data), row));
        }
    }
}
