//! What is asked: formats, the instruction table, its variants, and the sweeps that generate their
//! input vectors. Plain Rust, no C: usable by an emulator's author without MPFR.

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
