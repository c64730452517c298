//! An instruction's form, the variants it expands to, and what each of them means.

mod contract;
mod facts;
mod form;
mod meaning;
mod modifier;
mod operands;
mod operation;
mod overflow;
mod signature;
mod site;
mod target;
mod texts;
mod types;
mod variant;

pub use contract::{Accuracy, Bound, Contract, GROSS, Minimum, Range};
pub use form::{Form, Slot};
pub(crate) use form::{Ftz, group};
pub use meaning::{
    Clamp, ClassMask, Combination, Comparison, Conversion, Extremum, Flush, Meaning, NanRule,
    RandomBits, RandomFields, Relation, Scaling,
};
pub use modifier::{Modifier, Rounding};
pub use operands::OperandList;
pub use operation::{Family, Op, Operation};
pub use signature::{LaneData, LaneSignature, LaneSlot, Register};
pub use site::Site;
pub use target::{Features, ParseError, PtxVersion, Since, Target, sm};
pub(crate) use types::TYPES;
pub use types::Type;
pub use variant::Variant;
