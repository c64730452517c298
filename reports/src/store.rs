//! Reads and writes report files.

use std::io;
use std::mem::discriminant;
use std::path::{Path, PathBuf};

use serde_json::{Value, error::Category};
use thiserror::Error;

use crate::checksum::{is_altered, sealed};
use crate::compilers::CompilerReport;
use crate::document::Document;
use crate::files::{SaveError, read_at_most, write_atomically};
use crate::model::Report;
use crate::text::printable;
use crate::unknown::UnknownFields;

/// Largest size of a report's file, in MiB. A report of all variants, each with every kind of mismatch, takes some 300.
pub const LARGEST: u64 = 1024;

/// A report of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyReport {
    /// The report of an implementation.
    Implementation(Box<Report>),
    /// The report of a compiler.
    Compiler(Box<CompilerReport>),
}

/// The reason why a report was not read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// There is no file at the given path.
    #[error("there is no report at `{}`: give the path of one; the command `conformance` makes one", .0.display())]
    Missing(PathBuf),
    /// The file cannot be read.
    #[error("cannot read `{}`: {cause}; give the path of a report file", .path.display())]
    Unreadable {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        cause: io::Error,
    },
    /// The file ends in the middle of the JSON text.
    #[error("`{}` is cut short: it ends at line {line}, column {column}; copy it again, or make the \
             report again", .path.display())]
    CutShort {
        /// The path of the file.
        path: PathBuf,
        /// The line where the file ends.
        line: usize,
        /// The column where the file ends.
        column: usize,
    },
    /// The file is not JSON.
    #[error("`{}` is not JSON: {what} at line {line}, column {column}; give the path of a report file", .path.display())]
    NotJson {
        /// The path of the file.
        path: PathBuf,
        /// The description of what is wrong.
        what: String,
        /// The line where it is wrong.
        line: usize,
        /// The column where it is wrong.
        column: usize,
    },
    /// The file is JSON, but not a report.
    #[error("`{}` is not a report: it has no `schema` of `{due}`; give the path of a report file", .path.display())]
    NotAReport {
        /// The path of the file.
        path: PathBuf,
        /// The schema that a report of the wanted kind names.
        due: &'static str,
    },
    /// The file is a report of another kind: of a compiler in place of an implementation, or the reverse.
    #[error("`{}` is a report with the schema `{found}`, and `{due}` is needed here: give another \
             report", .path.display())]
    OtherKind {
        /// The path of the file.
        path: PathBuf,
        /// The schema that the report names.
        found: String,
        /// The schema that a report of the wanted kind names.
        due: &'static str,
    },
    /// The report has another version of its form than this build reads.
    #[error("`{}` has the schema `{found}`, and this build reads `{due}`: use the release of the suite \
             that wrote the report", .path.display())]
    OtherSchema {
        /// The path of the file.
        path: PathBuf,
        /// The schema that the report names.
        found: String,
        /// The schema that this build reads.
        due: &'static str,
    },
    /// The report claims the form that this build reads, and has something of another kind in one place.
    #[error("`{}` breaks the schema `{due}`: the value at `{place}` has the wrong type; correct it, or \
             make the report again", .path.display())]
    OtherForm {
        /// The path of the file.
        path: PathBuf,
        /// The place in the report, as a JSON pointer.
        place: String,
        /// The schema that the report claims and breaks.
        due: &'static str,
    },
    /// The report has the form that this build reads, but was changed after it was written: its checksum does not match its content.
    #[error("`{}` was changed after it was written: its checksum does not match its content; copy it \
             again, or make the report again", .0.display())]
    Altered(PathBuf),
    /// The report claims the form that this build reads, and does not keep to it.
    #[error("`{}` breaks the schema `{due}`: {what} at line {line}, column {column}; correct it, or \
             make the report again", .path.display())]
    Invalid {
        /// The path of the file.
        path: PathBuf,
        /// The description of what is wrong.
        what: String,
        /// The line where it is wrong.
        line: usize,
        /// The column where it is wrong.
        column: usize,
        /// The schema that the report claims and breaks.
        due: &'static str,
    },
}

/// Writes a report with its checksum to a file as indented JSON, atomically.
pub fn save<D: Document>(report: &D, path: &Path) -> Result<(), SaveError> {
    let bytes = to_json(report).map_err(|error| SaveError {
        path: path.to_owned(),
        doing: "turning the report into JSON",
        cause: error.into(),
    })?;
    write_atomically(path, &bytes)
}

/// Returns the text of a report's file, with the checksum of its content.
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

/// Reads the bytes of a report's file, or tells why it has none.
fn bytes_of(path: &Path) -> Result<Vec<u8>, LoadError> {
    read_at_most(path, LARGEST).map_err(|cause| match cause.kind() {
        io::ErrorKind::NotFound => LoadError::Missing(path.to_owned()),
        _ => LoadError::Unreadable { path: path.to_owned(), cause },
    })
}

/// Reads the report of any kind that a file at `path` holds. A file that does not claim to be a compiler's report is
/// read as an implementation's.
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

/// Returns the kind of reports that a schema's name stands for: all of the name but the version.
fn kind(schema: &str) -> Option<&str> {
    schema.split('/').next()
}

/// Reads the report of one kind that a file at `path` holds.
///
/// Fields that this build does not know are ignored, and named in what is returned ([`Document::unknown`]).
pub fn read_as<D: Document>(bytes: &[u8], path: &Path) -> Result<D, LoadError> {
    // What this suite has written needs no second tree of the whole file to be checked, which takes much memory.
    if let Some(report) = as_written::<D>(bytes) {
        let path = path.to_owned();
        return if is_altered(&report, bytes) { Err(LoadError::Altered(path)) } else { Ok(report) };
    }
    let (due, explain) = (D::SCHEMA, |error| explain(path, D::SCHEMA, &error));
    let path = path.to_owned();
    // The schema is asked first: a report of another version must be called that, whatever else has changed with it.
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
    // The report is read from the text again and not from the value, which has forgotten lines and columns.
    let mut report: D = serde_json::from_slice(bytes).map_err(explain)?;
    let own = serde_json::to_value(&report).map_err(explain)?;
    if let Some(place) = departure(&value, &own) {
        return Err(LoadError::OtherForm { path, place, due });
    }
    *report.unknown_mut() = UnknownFields::of(&value, &own);
    if is_altered(&report, bytes) { Err(LoadError::Altered(path)) } else { Ok(report) }
}

/// Returns the report of a file that has exactly the bytes which this build writes for it, so that it has no unknown
/// fields and departs from its form nowhere; `None` for any other file.
fn as_written<D: Document>(bytes: &[u8]) -> Option<D> {
    // The schema is the first field that is written.
    let (indented, dense) =
        (format!("{{\n  \"schema\": \"{}\",", D::SCHEMA), format!("{{\"schema\":\"{}\",", D::SCHEMA));
    let is_indented = bytes.starts_with(indented.as_bytes());
    if !is_indented && !bytes.starts_with(dense.as_bytes()) {
        return None;
    }
    let report: D = serde_json::from_slice(bytes).ok()?;
    let mut due = Due(bytes);
    match is_indented {
        true => serde_json::to_writer_pretty(&mut due, &report).ok()?,
        false => serde_json::to_writer(&mut due, &report).ok()?,
    }
    matches!(due.0, b"" | b"\n").then_some(report)
}

/// The bytes that are still to be written: a writer that takes these and no others.
struct Due<'a>(&'a [u8]);

impl io::Write for Due<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.strip_prefix(bytes).ok_or(io::ErrorKind::InvalidData)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the place where a report has another form than it would be written in, as a JSON pointer: a list in the
/// place of an object, say, which serde takes, too. Fields that the report has beside those that would be written are
/// no departure.
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

/// Turns serde_json's error into what it means for a report file.
fn explain(path: &Path, due: &'static str, error: &serde_json::Error) -> LoadError {
    let (path, line, column) = (path.to_owned(), error.line(), error.column());
    let text = error.to_string();
    let place = format!(" at line {line} column {column}");
    // The error's text quotes what stands in the file.
    let what = printable(text.strip_suffix(&place).unwrap_or(&text));
    match error.classify() {
        Category::Eof => LoadError::CutShort { path, line, column },
        Category::Data => LoadError::Invalid { path, what, line, column, due },
        Category::Syntax | Category::Io => LoadError::NotJson { path, what, line, column },
    }
}
