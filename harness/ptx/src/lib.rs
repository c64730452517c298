#![doc = include_str!("../README.md")]

pub mod builder;
mod caller;
mod constants;
pub mod contraction;
mod device;
mod dots;
mod function;
mod history;
mod instruction;
mod kernel;
mod lookup;
mod matrix;
mod memory;
mod module;
pub mod mutation;
mod numbered;
mod parser;
mod program;
mod row;
mod screen;
pub mod syntax;
mod warp;

pub use caller::{Handed, caller, caller_with};
pub use constants::{constants, has_constants};
pub use device::{Device, Header, Unavailable, has_kernel};
pub use dots::{DotKernel, LaunchShape, Placement};
pub use function::function;
pub use history::VersionHistory;
pub use instruction::instruction;
pub use kernel::{kernel, name};
pub use matrix::{DECLARATIONS as MATRIX_DECLARATIONS, matrix};
pub use module::{Listing, Printed};
pub use numbered::RegisterNumbers;
pub use parser::ParseError;
pub use program::program;
pub use row::parameter as column_parameter;
pub use warp::WARP;

// Public for sister crates alone, and free to change: `cuda` and `legality` compile kernels in parts and know which
// crash ptxas, `machines` looks up instructions and checks layouts, and `cuda` runs kernels that judge on the device.
#[doc(hidden)]
pub use constants::is_fatal;
#[doc(hidden)]
pub use dots::{Fragment, Fragments, SIDE as FRAGMENT_SIDE};
#[doc(hidden)]
pub use lookup::variant_of_registers;
#[doc(hidden)]
pub use module::bisect;
#[doc(hidden)]
pub use screen::{ROWS_EACH, SCREENS_SINCE, SUMS, TRIPLES_OF_WARP, screen};
