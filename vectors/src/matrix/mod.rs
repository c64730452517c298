//! Matrix multiply-accumulate: the table of its forms, their names, and what one element of a result is
//! computed from.
//!
//! A form is a line of the manual's syntax. Its names are PTX text, and behind that in parentheses what only
//! operands say and yet decides a result: `wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16(a-regs)`. How many
//! rows and columns there are, how they are laid out and who executes them are words of a name like any other.

mod controls;
mod dot;
mod form;
mod lowering;
mod mma;
mod notation;
mod operands;
mod refusal;
mod relaxation;
pub mod sweep;
mod tcgen05;
mod tile;
mod unit;
mod variant;
mod wgmma;
mod wmma;

use std::sync::OnceLock;

pub use controls::Controls;
pub use dot::{Dot, Scales, Sparsity, datum};
pub use form::MatrixForm;
pub use lowering::Lowering;
pub use notation::expand;
pub use operands::{DotData, DotOperand, Role};
pub use refusal::Refusal;
pub use relaxation::SumRelaxation;
pub use tile::Tile;
pub use unit::{Generation, Multiplicands, SCALED_GROUP, Unit, UnitRounding};
pub use variant::{MatrixVariant, shape};

/// Every row, in the manual's order.
pub fn forms() -> &'static [MatrixForm] {
    static FORMS: OnceLock<Vec<MatrixForm>> = OnceLock::new();
    FORMS.get_or_init(|| [wmma::rows(), mma::rows(), wgmma::rows(), tcgen05::rows()].concat())
}
