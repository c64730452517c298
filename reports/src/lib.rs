//! What was found: the report of a conformance run.
//!
//! [`model`] is the report itself, [`schema`] the JSON Schema derived from it, [`store`] reads and
//! writes report files, [`causes`] puts classes together, [`terminal`] tells a person what a report
//! says. The crate knows neither the instruction table nor the oracle: decoded values reach it as text.

pub mod causes;
mod compact;
pub mod model;
pub mod schema;
pub mod store;
pub mod terminal;

pub use model::*;
pub use schema::SCHEMA_JSON;
pub use store::{LoadError, SaveError, load, save, write_atomically};
pub use terminal::{Style, counted, printable, summary};
