//! The C interface of `harness/protocol/ptx_conformance.h`, version 1, for libraries written in Rust.
//!
//! A wrapper crate says which variants a library computes, and with which of its functions:
//!
//! ```
//! use ptx_abi::{Compute, Library, binary, unary};
//!
//! fn find(variant: &str) -> Option<Compute> {
//!     Some(match variant {
//!         "sqrt.rn.f64" => unary(f64::sqrt),
//!         "mul.rn.f64" => binary(|a: f64, b: f64| a * b),
//!         _ => return None,
//!     })
//! }
//!
//! static LIBRARY: Library = Library {
//!     package: "mine",
//!     lock: "name = \"mine\"\nversion = \"1.2.3\"\n", // include_str!("../Cargo.lock")
//!     find,
//! };
//! ptx_abi::export!(LIBRARY);
//! # assert_eq!(LIBRARY.name(), "mine 1.2.3");
//! ```

mod compute;
mod export;
mod library;
pub mod testing;
mod words;

pub use compute::{Compute, Register, binary, ternary, unary};
pub use export::{VERSION, name, run, supports};
pub use library::Library;
pub use words::{comparison, words};
