//! What was found: the report of a conformance run.
//!
//! [`model`] is the report itself, [`compilers`] that of a compiler, [`schema`] the JSON Schema
//! derived from it, [`store`] reads and writes report files, [`sealed`] gives them checksums, [`causes`] puts classes together,
//! [`compare`] says what changed, [`Report::contradictions`] where a report does not agree with itself, [`terminal`] tells a person what a report says, [`html`] a browser. The crate knows
//! neither the instruction table nor the oracle: decoded values reach it as text.

pub mod causes;
mod checksum;
mod compact;
pub mod compare;
pub mod compilers;
mod consistency;
mod files;
pub mod html;
pub mod model;
pub mod schema;
pub mod store;
pub mod terminal;
mod unknown;

pub use checksum::{doubts, sealed};
pub use compilers::CompilerReport;
pub use files::read_at_most;
pub use model::*;
pub use schema::SCHEMA_JSON;
pub use store::{
    AnyReport, Document, LoadError, SaveError, folder_of, load, load_any, save, write_atomically,
};
pub use terminal::{
    Style, compiler_summary, counted, excerpt, harmless, printable, printable_json, printable_lines,
    summary, thousands, verdict_of, wrapped,
};
pub use unknown::UnknownFields;
