#![doc = include_str!("../README.md")]

pub mod builder;
mod caller;
mod constants;
pub mod device;
mod dots;
mod function;
mod history;
mod instruction;
pub mod kernel;
pub mod lookup;
mod matrix;
mod memory;
mod module;
mod numbered;
mod parser;
mod program;
pub mod row;
mod screen;
pub mod syntax;
mod warp;

pub use caller::caller;
pub use constants::{constants, has_constants, is_fatal};
pub use device::{Device, Header, Unavailable, has_kernel};
pub use dots::{DotKernel, Fragment, Fragments, LaunchShape, Placement, SIDE as FRAGMENT_SIDE};
pub use function::function;
pub use history::VersionHistory;
pub use instruction::instruction;
pub use kernel::{kernel, name};
pub use matrix::{DECLARATIONS as MATRIX_DECLARATIONS, matrix};
pub use module::{Listing, Printed, bisect};
pub use numbered::RegisterNumbers;
pub use parser::ParseError;
pub use program::program;
pub use screen::{ROWS_EACH, SCREENS_SINCE, SUMS, TRIPLES_OF_WARP, screen};
pub use warp::WARP;
