//! Reading and writing report files.

use std::io;
use std::mem::discriminant;
use std::path::{Path, PathBuf};

use serde_json::{Value, error::Category};
use thiserror::Error;

use crate::checksum::{is_altered, sealed};
use crate::compilers::CompilerReport;
pub use crate::document::Document;
use crate::files::read_at_most;
pub use crate::files::{SaveError, folder_of, write_atomically};
use crate::model::Report;
use crate::text::printable;
use crate::unknown::UnknownFields;

/// A report is at most so large, in MiB. Of all variants, each with every kind of mismatch, it takes some
/// 300.
pub const LARGEST: u64 = 1024;

/// A report of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyReport {
    /// Of an implementation.
    Implementation(Box<Report>),
    /// Of a compiler.
    Compiler(Box<CompilerReport>),
}

/// Why a report was not read.
#[derive(Debug, Error)]
pub enum LoadError {
    /// There is no such file.
    #[error("there is no report at `{}`: give the path of one, or run `cargo xtask conformance` to make one", .0.display())]
    Missing(PathBuf),
    /// The file cannot be read.
    #[error("cannot read `{}`: {cause}; give the path of a report file", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        cause: io::Error,
    },
    /// The file ends in the middle of the JSON text.
    #[error("`{}` is cut short: it ends at line {line}, column {column}; copy it again or make it anew", .path.display())]
    CutShort {
        /// The file.
        path: PathBuf,
        /// Where it ends.
        line: usize,
        /// Where it ends.
        column: usize,
    },
    /// The file is not JSON.
    #[error("`{}` is not JSON: {what} at line {line}, column {column}; give the path of a report file", .path.display())]
    NotJson {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
        /// Where.
        line: usize,
        /// Where.
        column: usize,
    },
    /// The file is JSON, but not a report.
    #[error("`{}` is not a report: it has no `schema` of `{due}`; give the path of a report file", .path.display())]
    NotAReport {
        /// The file.
        path: PathBuf,
        /// The schema that is read.
        due: &'static str,
    },
    /// It is a report of something else.
    #[error("`{}` is a report of the form `{found}`, and this takes those of `{due}`: give another", .path.display())]
    OtherKind {
        /// The file.
        path: PathBuf,
        /// The schema that the report names.
        found: String,
        /// The schema that is read.
        due: &'static str,
    },
    /// The report has another form than this build reads.
    #[error("`{}` has the schema `{found}`, and this build reads `{due}`: use the release of the suite that wrote it", .path.display())]
    OtherSchema {
        /// The file.
        path: PathBuf,
        /// The schema that the report names.
        found: String,
        /// The schema that is read.
        due: &'static str,
    },
    /// The report claims this form, and has something else in one place.
    #[error("`{}` breaks the schema `{due}`: what stands at `{place}` is of another kind; correct it or make it anew", .path.display())]
    OtherForm {
        /// The file.
        path: PathBuf,
        /// Which place, as a JSON pointer.
        place: String,
        /// The schema.
        due: &'static str,
    },
    /// The report has its form and says another thing than when it was written.
    #[error("`{}` is not what was written: its checksum is of another content; copy it again, or make it anew", .0.display())]
    Altered(PathBuf),
    /// The report claims this form and does not keep to it.
    #[error("`{}` breaks the schema `{due}`: {what} at line {line}, column {column}; correct it or make it anew", .path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
        /// Where.
        line: usize,
        /// Where.
        column: usize,
        /// The schema.
        due: &'static str,
    },
}

/// Writes a report as indented JSON, atomically.
pub fn save<D: Document>(report: &D, path: &Path) -> Result<(), SaveError> {
    let bytes = to_json(report).map_err(|error| SaveError {
        path: path.to_owned(),
        doing: "turning the report into JSON",
        cause: error.into(),
    })?;
    write_atomically(path, &bytes)
}

/// A report as the text of its file, with the checksum that it has.
pub fn to_json<D: Document>(report: &D) -> serde_json::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(&sealed(report.clone()))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Reads a report of an implementation.
pub fn load(path: &Path) -> Result<Report, LoadError> {
    read(&bytes_of(path)?, path)
}

/// Reads a report of any kind.
pub fn load_any(path: &Path) -> Result<AnyReport, LoadError> {
    read_any(&bytes_of(path)?, path)
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, LoadError> {
    read_at_most(path, LARGEST).map_err(|cause| match cause.kind() {
        io::ErrorKind::NotFound => LoadError::Missing(path.to_owned()),
        _ => LoadError::Unreadable { path: path.to_owned(), cause },
    })
}

/// Reads the report of any kind that a file at `path` holds: as one of an implementation, if it says nothing else.
pub fn read_any(bytes: &[u8], path: &Path) -> Result<AnyReport, LoadError> {
    match read(bytes, path) {
        Err(LoadError::OtherKind { .. }) => read_as(bytes, path).map(Box::new).map(AnyReport::Compiler),
        other => other.map(Box::new).map(AnyReport::Implementation),
    }
}

/// Reads the report of an implementation that a file at `path` holds.
pub fn read(bytes: &[u8], path: &Path) -> Result<Report, LoadError> {
    read_as(bytes, path)
}

/// Of a schema, what its reports are of: all but the version.
fn kind(schema: &str) -> Option<&str> {
    schema.split('/').next()
}

/// Reads the report of one kind that a file at `path` holds. Fields that this build does not know are ignored, and named
/// in what is returned ([`Document::unknown`]).
pub fn read_as<D: Document>(bytes: &[u8], path: &Path) -> Result<D, LoadError> {
    let (due, explain) = (D::SCHEMA, |error| explain(path, D::SCHEMA, &error));
    let path = path.to_owned();
    // The schema is asked first: a report of another version must be called that, whatever else
    // has changed with it.
    let value: Value = serde_json::from_slice(bytes).map_err(explain)?;
    let schema = value.get("schema").and_then(Value::as_str);
    let kinds = [Report::SCHEMA, CompilerReport::SCHEMA];
    match schema {
        Some(found) if found == due => {}
        Some(found) if kind(found) == kind(due) => {
            return Err(LoadError::OtherSchema { path, found: printable(found), due });
        }
        Some(found) if kinds.into_iter().any(|known| kind(found) == kind(known)) => {
            return Err(LoadError::OtherKind { path, found: printable(found), due });
        }
        _ => return Err(LoadError::NotAReport { path, due }),
    }
    // From the text again and not from the value, which has forgotten lines and columns.
    let mut report: D = serde_json::from_slice(bytes).map_err(explain)?;
    let own = serde_json::to_value(&report).map_err(explain)?;
    if let Some(place) = departure(&value, &own) {
        return Err(LoadError::OtherForm { path, place, due });
    }
    *report.unknown_mut() = UnknownFields::of(&value, &own);
    if is_altered(&report, bytes) { Err(LoadError::Altered(path)) } else { Ok(report) }
}

/// Where a report has another form than it would be written in: a list in the place of an object, say,
/// which serde takes, too. What it has beside that is none of it.
fn departure(given: &Value, own: &Value) -> Option<String> {
    let within = |name: &str, place: String| format!("/{name}{place}");
    match (given, own) {
        (Value::Object(given), Value::Object(own)) => own.iter().find_map(|(name, own)| {
            let given = given.get(name).unwrap_or(&Value::Null);
            Some(within(name, departure(given, own)?))
        }),
        (Value::Array(given), Value::Array(own)) => {
            let mut pairs = given.iter().zip(own).enumerate();
            pairs.find_map(|(at, (given, own))| Some(within(&at.to_string(), departure(given, own)?)))
        }
        _ => (discriminant(given) != discriminant(own)).then(String::new),
    }
}

/// What serde_json's error means for a report file.
fn explain(path: &Path, due: &'static str, error: &serde_json::Error) -> LoadError {
    let (path, line, column) = (path.to_owned(), error.line(), error.column());
    let text = error.to_string();
    let place = format!(" at line {line} column {column}");
    // It quotes what stands in the file.
    let what = printable(text.strip_suffix(&place).unwrap_or(&text));
    match error.classify() {
        Category::Eof => LoadError::CutShort { path, line, column },
        Category::Data => LoadError::Invalid { path, what, line, column, due },
        Category::Syntax | Category::Io => LoadError::NotJson { path, what, line, column },
    }
}
