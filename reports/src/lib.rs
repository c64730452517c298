#![doc = include_str!("../README.md")]
//!
//! ## How it is made
//!
//! The reports of conformance runs, which say what was found: their form, their files, and their text for readers.
//!
//! [`model`] is the report itself, [`compilers`] that of a compiler, [`schema`] the JSON Schema derived from it.
//! [`store`] reads and writes report files, and [`sealed`] gives them checksums. [`causes`] groups classes of
//! mismatches by their cause, [`compare`] says what changed between two reports, and [`Report::contradictions`]
//! where a report does not agree with itself. [`terminal`] tells a person what a report says, and [`html`] a
//! browser; [`observed_answers`] says what devices were seen to do. [`upstream`] writes down one class of wrong results for
//! the makers of the software, and [`published`] has the findings of the suite's own reports. The crate knows neither the instruction table nor
//! the oracle: decoded values reach it as text. [`printable`] is for programs that print texts from outside.

pub mod causes;
mod checksum;
mod compact;
pub mod compare;
pub mod compilers;
mod consistency;
mod document;
mod files;
pub mod html;
pub mod model;
pub mod observed_answers;
pub mod published;
pub mod schema;
pub mod store;
pub mod terminal;
mod text;
mod unknown;
pub mod upstream;

pub use checksum::{doubts, sealed};
pub use compilers::CompilerReport;
pub use document::{Document, harmless};
pub use files::SaveError;
pub use model::*;
pub use schema::SCHEMA_JSON;
pub use store::{AnyReport, LoadError, load, load_any, save};
pub use terminal::{Style, compiler_summary, summary, verdict_of};
pub use text::{printable, printable_json, printable_lines};
pub use unknown::UnknownFields;

// Public for sister crates, which keep other files in the same way, and whose messages look like reports.
#[doc(hidden)]
pub use files::{folder_of, is_named_pipe, read_at_most, write_atomically, write_atomically_with};
#[doc(hidden)]
pub use text::{counted, excerpt, quoted, thousands, without_commands, wrapped};
