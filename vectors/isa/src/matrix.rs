//! Matrix multiply-accumulate: the table of its forms, their names, and what one element of a result is
//! computed from.
//!
//! A form is a line of the manual's syntax. Its names are PTX text, followed in parentheses by what only operands say
//! and yet decides a result: `wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16(a-regs)`. The numbers of rows and
//! columns, their layout and who executes the instruction are words of a name like any other.

mod controls;
mod dot;
mod form;
mod lowering;
mod mma;
mod notation;
mod operands;
mod refusal;
mod relaxation;
mod tcgen05;
mod tile;
mod unit;
mod variant;
mod wgmma;
mod wmma;

use std::sync::OnceLock;

use formats::Column;

use crate::Operation;
use crate::slip::slip_cost;

pub use controls::Controls;
pub use dot::{Dot, Scales, Sparsity, without_tf32_padding};
pub use form::MatrixForm;
pub use lowering::Lowering;
pub use operands::{DotData, DotOperand, Role};
pub use refusal::Refusal;
pub use relaxation::SumRelaxation;
pub use tile::Tile;
pub use unit::{Generation, SCALED_GROUP, Unit, UnitRounding};
pub use variant::MatrixVariant;

// Public for `ptx` and `legality`, which take names and notation apart.
#[doc(hidden)]
pub use dot::matrices;
#[doc(hidden)]
pub use notation::expand;
#[doc(hidden)]
pub use variant::shape;

/// Returns the first words of all names, in the manual's order.
pub fn mnemonics() -> &'static [&'static str] {
    static MNEMONICS: OnceLock<Vec<&str>> = OnceLock::new();
    MNEMONICS.get_or_init(|| {
        let mut all: Vec<&str> = Vec::new();
        for mnemonic in forms().iter().filter_map(|form| form.syntax.split('.').next()) {
            if !all.contains(&mnemonic) {
                all.push(mnemonic);
            }
        }
        all
    })
}

/// Returns the matrix mnemonic that a text begins with, exactly or nearly; `None` where none is near, or where another
/// instruction's mnemonic is as near or nearer.
pub(crate) fn mnemonic_of(text: &str) -> Option<&'static str> {
    let mut words = text.split('.');
    let given = words.next().unwrap_or_default().trim();
    let cost = |legal: &str| slip_cost(given, legal);
    // `tcgen05.ld` and `tcgen05.mma` begin alike.
    let loads = words.next() == Some("ld");
    let lanes = Operation::ALL.iter().filter(|operation| **operation != Operation::Tcgen05 || loads);
    let lane = lanes.filter_map(|operation| cost(operation.mnemonic())).min();
    let near = mnemonics().iter().filter_map(|mnemonic| Some((cost(mnemonic)?, *mnemonic))).min()?;
    lane.is_none_or(|lane| near.0 < lane).then_some(near.1)
}

/// Whether a text begins like a matrix instruction.
pub fn is_matrix(text: &str) -> bool {
    mnemonic_of(text).is_some()
}

/// Returns every row, in the manual's order.
pub fn forms() -> &'static [MatrixForm] {
    static FORMS: OnceLock<Vec<MatrixForm>> = OnceLock::new();
    FORMS.get_or_init(|| [wmma::rows(), mma::rows(), wgmma::rows(), tcgen05::rows()].concat())
}

/// Returns columns for the operands of a variant, of `rows` rows each.
pub fn columns_for(variant: &MatrixVariant, rows: usize) -> Vec<Column> {
    variant.operands().iter().map(|operand| Column::new(operand.row_bytes(), rows)).collect()
}

/// Returns columns for the result of a variant, of `rows` rows.
pub fn results_for(variant: &MatrixVariant, rows: usize) -> Vec<Column> {
    vec![Column::new(variant.result().row_bytes(), rows)]
}
