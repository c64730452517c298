//! Results of tensor cores that models leave open.

use formats::{Column, Format, FormatId};
use isa::matrix::{Controls, Dot, MatrixVariant, Role, SumRelaxation};

/// An answer to an open point of a sum: the relaxation, and which of its answers.
pub type SumAnswer = (SumRelaxation, &'static str);

/// The results of one variant for which nobody has published what hardware does, or for which sources differ:
///
/// - +0 where a model says −0, which is a negative sum that was rounded to zero (but in f64, whose sums are fused
///   operations);
/// - which NaN a NaN result of f64 is;
/// - sums to which an addend is added that `scale-input-d` made subnormal. The contract says what they are.
#[derive(Clone, Debug)]
pub struct Unpublished {
    dot: Dot,
    /// Places of the columns of addends and of controls; `None` unless operands may divide an addend.
    divided: Option<[usize; 2]>,
}

impl Unpublished {
    /// Returns the unpublished results of a variant.
    pub fn of(variant: &MatrixVariant) -> Unpublished {
        let dot = *variant.dot();
        let place = |role| variant.operands().iter().position(|operand| operand.role == role);
        let divided = || Some([place(Role::C)?, place(Role::Controls)?]);
        Unpublished { dot, divided: if dot.scaled_addend { divided() } else { None } }
    }

    /// Returns the answer that a result `came` counts as, which differs from the model's result `due`; `None` if the
    /// result is not open.
    pub fn answer(&self, operands: &[Column], row: usize, due: u64, came: u64) -> Option<SumAnswer> {
        let d: &Format = self.dot.d;
        match d.id {
            FormatId::F64 if d.is_nan(due) && d.is_nan(came) => Some((SumRelaxation::Nan, "other")),
            FormatId::F64 => None,
            _ if due == d.sign_mask() && came == 0 => Some((SumRelaxation::ZeroSign, "positive")),
            _ if self.is_divided_down(operands, row) => Some((SumRelaxation::Subnormal, "flushed")),
            _ => None,
        }
    }

    /// Whether a row's addend becomes subnormal by its division.
    fn is_divided_down(&self, operands: &[Column], row: usize) -> bool {
        let Some([c, controls]) = self.divided else { return false };
        let controls = Controls::from_bits(&self.dot, operands[controls].get(row));
        controls.accumulate && controls.makes_subnormal(self.dot.c, operands[c].get(row))
    }
}
