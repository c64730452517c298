//! The instruction table: one row per form, as plain data, and the variants that follow from it.
//!
//! To add an instruction, add a row to the file of its manual section (or a file, to [`forms`]).

mod accuracy;
mod alternate;
mod bulk;
mod casts;
mod choices;
mod comparison;
mod contract;
mod conversion;
mod fabric;
mod facts;
mod floating_point;
mod form;
mod half_precision;
mod meaning;
mod memory;
mod mixed_precision;
mod modifier;
mod multimem;
mod nearest;
mod operands;
mod operation;
mod overflow;
mod relaxation;
mod signature;
pub(crate) mod slip;
mod spelling;
mod target;
mod tensor_memory;
mod texts;
mod types;
mod variant;
mod warp;

use std::sync::OnceLock;

pub use choices::{Choice, Settled, choices};
pub use contract::{Accuracy, Bound, Contract, GROSS, Minimum, Range};
pub use form::{Form, Slot};
pub use meaning::{
    Clamp, ClassMask, Combination, Comparison, Conversion, Extremum, Flush, Meaning, NanRule,
    RandomBits, RandomFields, Relation, Scaling,
};
pub use modifier::{Modifier, Rounding};
pub use operands::OperandList;
pub use operation::{Family, Op, Operation};
pub use relaxation::Relaxation;
pub use signature::{LaneData, LaneSignature, LaneSlot, Register};
pub use spelling::SpellingError;
pub use target::{Features, ParseError, PtxVersion, Since, Target, sm};
pub use types::Type;
pub use variant::Variant;

/// Every row, in the manual's order.
pub fn forms() -> &'static [Form] {
    static FORMS: OnceLock<Vec<Form>> = OnceLock::new();
    FORMS.get_or_init(|| {
        [
            floating_point::rows(),
            half_precision::rows(),
            mixed_precision::rows(),
            alternate::rows(),
            comparison::rows(),
            conversion::rows(),
            bulk::rows(),
            fabric::rows(),
            memory::rows(),
            multimem::rows(),
            warp::rows(),
            tensor_memory::rows(),
            casts::rows(),
        ]
        .concat()
    })
}
