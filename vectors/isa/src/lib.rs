#![doc = include_str!("../README.md")]
//!
//! ## Words
//!
//! | word | what it is |
//! | --- | --- |
//! | form | a row of the table: a line of the manual's syntax, with its choices |
//! | variant | one choice of types and modifiers: the instruction that is tested |
//! | register, lane | what an operand or result is held in, and one of the numbers packed in it |
//! | vector | the operands of one execution |

mod choices;
mod instruction;
mod lanes;
pub mod limits;
pub mod matrix;
mod own;
mod slip;
mod spelling;
mod table;

pub use choices::{Choice, InterpretationMeaning, Relaxation, choices};
pub use instruction::{
    Accuracy, Bound, Clamp, ClassMask, Combination, Comparison, Contract, Conversion, Extremum, Family,
    Features, Flush, Form, GROSS, LaneData, LaneSignature, LaneSlot, Meaning, Minimum, Modifier,
    NanRule, Op, OperandList, Operation, ParseError, PtxVersion, RandomBits, RandomFields, Range,
    Register, Relation, Rounding, Scaling, Since, Site, Slot, Target, Type, Variant, sm,
};
pub use lanes::{columns_for, results_for};
pub use own::define_formats;
pub use spelling::SpellingError;
pub use table::forms;
