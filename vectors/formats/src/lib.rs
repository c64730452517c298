#![doc = include_str!("../README.md")]
//!
//! ## Words
//!
//! | word | what it is |
//! | --- | --- |
//! | format | how bits encode numbers: `f16`, `bf16`, `e4m3`; integers and predicates as well |
//! | datum | the bits of one number, in a format |
//! | column, row | the values of one register over many vectors, and one of them |
//! | element | one number of a row: a lane of it, or one of a dot product's operands |

pub mod column;
pub mod digests;
mod element;
mod format;
mod row;
mod ulp;

pub use column::Column;
pub use element::Element;
pub use format::*;
pub use row::{RowBits, RowError};
pub use ulp::{UlpReading, numbers_within};

// Public for `of_width!`, whose code stands where it is called.
#[doc(hidden)]
pub use element::no_width;
