//! What is sent and answered, a line of JSON each.

use implementations::bundled::compilers::Want;
pub use implementations::process::Failure;
use serde::{Deserialize, Serialize};

/// The version of the protocol that is spoken.
pub const PROTOCOL: &str = "ptx-compiler 1";
/// How much is shown of what is wrong with a line.
const WHY: usize = 200;

/// The suite's first message.
#[derive(Serialize)]
pub struct Greeting {
    /// The version of the protocol.
    pub protocol: &'static str,
}

/// What a client says of its compiler.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Introduction {
    /// The version of the protocol.
    pub protocol: String,
    /// The compiler's name.
    pub name: String,
    /// The compiler's version.
    pub version: String,
    /// The languages that it compiles.
    pub languages: Vec<String>,
    /// The targets that it is known to have; it may have others.
    pub targets: Vec<Target>,
    /// The options that its makers document and that matter here; it may have others.
    pub options: Vec<Opt>,
}

/// A target, such as `compute_90`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// As requests have it.
    pub name: String,
    /// What compiles for it, where several compilers are in one.
    pub compiler: String,
}

/// An option.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opt {
    /// As requests have it, with alternatives in braces: `--ftz={true|false}`.
    pub name: String,
    /// What it is.
    pub what: String,
}

/// What is to be compiled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Request {
    /// One of the compiler's languages.
    pub language: String,
    /// The text of a module.
    pub source: String,
    /// Options, as the compiler spells them.
    pub options: Vec<String>,
    /// The target, as the compiler spells it.
    pub target: String,
    /// What is asked for.
    pub want: Want,
}

/// A request with the number that its answer has.
#[derive(Serialize)]
pub struct Numbered<'a> {
    /// The number.
    pub id: usize,
    /// The request.
    #[serde(flatten)]
    pub request: &'a Request,
}

/// What becomes of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// PTX.
    Ptx(String),
    /// Machine code, as text.
    Code(String),
    /// The compiler does not take it, in its words.
    Refused(String),
    /// The compiler ended of it, or did not end in time: how, in words.
    Died(String),
}

/// An answer as it comes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    id: usize,
    ptx: Option<String>,
    code: Option<String>,
    refused: Option<String>,
    died: Option<String>,
}

/// The number and the outcome of an answer.
///
/// # Errors
/// If the line is none, or the client has not what was asked for.
pub fn answer(line: &str) -> Result<(usize, Outcome), Failure> {
    let due = "{\"id\": N} with one of ptx, code, refused and died";
    let Answer { id, ptx, code, refused, died } = read(line, due)?;
    let outcomes = [
        ptx.map(Outcome::Ptx),
        code.map(Outcome::Code),
        refused.map(Outcome::Refused),
        died.map(Outcome::Died),
    ];
    let mut outcomes = outcomes.into_iter().flatten();
    match (outcomes.next(), outcomes.next()) {
        (Some(outcome), None) => Ok((id, outcome)),
        _ => Err(instead(line, due)),
    }
}

/// What a client says of its compiler.
///
/// # Errors
/// If the line does not, or is of another version.
pub fn introduction(line: &str) -> Result<Introduction, Failure> {
    let due = "an introduction of ptx-compiler 1";
    let introduction: Introduction = read(line, due)?;
    match introduction.protocol == PROTOCOL {
        true => Ok(introduction),
        false => Err(instead(line, due)),
    }
}

fn read<'a, T: Deserialize<'a>>(line: &'a str, due: &str) -> Result<T, Failure> {
    serde_json::from_str(line).map_err(|error| {
        let failure = instead(line, due);
        // It quotes what it does not know, however long that is.
        let why: String = error.to_string().chars().take(WHY).collect();
        Failure { words: format!("{} ({why})", failure.words), ..failure }
    })
}

fn instead(line: &str, due: &str) -> Failure {
    Failure::nonsense(format!("it answered {} instead of {due}", implementations::process::quoted(line)))
}
