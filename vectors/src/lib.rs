//! What is asked: formats, the instruction table, its variants, and the sweeps that generate their
//! input vectors. Plain Rust, no C: usable by an emulator's author without MPFR.
//!
//! | word | what it is |
//! | --- | --- |
//! | form | a row of the table: a line of the manual's syntax, with its choices |
//! | variant | one choice of types and modifiers: the instruction that is tested |
//! | sweep | a sequence of vectors with a purpose; of random ones, by a seed |
//! | vector | the operands of one execution, and its number in a sweep |
//! | register, lane | what an operand or result is held in, and one of the numbers packed in it |
//! | column, row | the values of one register over many vectors, and one of them |
//! | element | one number of a row: a lane of it, or one of a dot product's operands |
//! | datum | the bits of one number, in a format |

pub mod column;
pub mod digests;
pub mod format;
pub mod isa;
pub mod lanes;
pub mod limits;
pub mod matrix;
pub mod row;
pub mod sweep;

pub use column::Column;
pub use format::Format;
pub use isa::Variant;
pub use row::RowBits;
