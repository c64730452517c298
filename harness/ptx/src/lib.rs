//! PTX as a syntax tree: the kernels that the suite is made of, the one way to text and back, and two
//! machines that run what such text says: [`interpreter`] kernels, a warp at a time, and [`functions`] what
//! compilers write, a batch of rows at a time. Names, operands and branches are looked up in one place for both.

pub mod builder;
mod caller;
#[cfg(test)]
mod checks;
mod constants;
mod device;
mod dots;
mod function;
pub mod functions;
mod history;
mod instruction;
mod integer;
pub mod interpreter;
mod kernel;
mod lookup;
mod lowering;
mod matrix;
mod memory;
mod module;
mod numbered;
mod parser;
mod problem;
mod program;
mod row;
mod screen;
pub mod syntax;
mod warp;

pub use caller::caller;
pub use constants::{constants, has_constants, is_fatal};
pub use device::{Device, Header, Unavailable, has_kernel};
pub use dots::{DotKernel, Group, Placement};
pub use function::function;
pub use history::VersionHistory;
pub use instruction::instruction;
pub use kernel::{kernel, name};
pub use matrix::{DECLARATIONS as MATRIX_DECLARATIONS, matrix};
pub use module::{Listing, Printed, bisect};
pub use numbered::Numbered;
pub use parser::ParseError;
pub use program::program;
pub use screen::{ROWS_EACH, SCREENS_SINCE, SUMS, TRIPLES_OF_WARP, screen};
pub use warp::WARP;
