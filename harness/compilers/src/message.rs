//! Defines the messages that are sent to a compiler's client and that it answers, each a line of JSON.

use implementations::bundled::compilers::Want;
pub use implementations::process::Failure;
use serde::{Deserialize, Serialize};

/// The version of the protocol that is spoken.
pub const PROTOCOL: &str = "ptx-compiler 1";
/// The largest number of characters that are shown of what is wrong with a line.
const WHY: usize = 200;

/// The suite's first message.
#[derive(Serialize)]
pub struct Greeting {
    /// The version of the protocol.
    pub protocol: &'static str,
}

/// A client's introduction of its compiler.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Introduction {
    /// The version of the protocol.
    pub protocol: String,
    /// The compiler's name.
    pub name: String,
    /// The compiler's version.
    pub version: String,
    /// The languages that the compiler takes.
    pub languages: Vec<String>,
    /// The targets that the compiler is known to have; it may have others.
    pub targets: Vec<CompilerTarget>,
    /// The options that the compiler's makers document and that matter here; it may have others.
    pub options: Vec<Opt>,
}

/// A target of a compiler, such as `compute_90`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompilerTarget {
    /// The target's name, as requests have it.
    pub name: String,
    /// The compiler that serves the target, since a client may have several.
    pub compiler: String,
}

/// An option of a compiler.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opt {
    /// The option as requests have it, with alternatives in braces: `--ftz={true|false}`.
    pub name: String,
    /// A description of the option.
    pub what: String,
}

/// A request to compile a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CompileRequest {
    /// The language of the source, which is one of the compiler's.
    pub language: String,
    /// The text of a module.
    pub source: String,
    /// Options, as the compiler spells them.
    pub options: Vec<String>,
    /// The target, as the compiler spells it.
    pub target: String,
    /// The kind of output that is asked for.
    pub want: Want,
}

/// A request with the number that its answer has.
#[derive(Serialize)]
pub struct NumberedRequest<'a> {
    /// The number that the answer has to have.
    pub id: usize,
    /// The request.
    #[serde(flatten)]
    pub request: &'a CompileRequest,
}

/// The outcome of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompileOutcome {
    /// The PTX that the source was compiled to.
    Ptx(String),
    /// The machine code that the source was compiled to, as text.
    Code(String),
    /// The compiler does not take the source, in its words.
    Refused(String),
    /// The compiler's process ended over the source, or did not end in time: how, in words.
    Died(String),
}

/// An answer as the client writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClientAnswer {
    id: usize,
    ptx: Option<String>,
    code: Option<String>,
    refused: Option<String>,
    died: Option<String>,
}

/// Reads an answer, and returns its number and outcome.
///
/// # Errors
/// If the line is no answer, or does not have exactly one outcome.
pub fn answer(line: &str) -> Result<(usize, CompileOutcome), Failure> {
    let due = "{\"id\": N} with one of ptx, code, refused and died";
    let ClientAnswer { id, ptx, code, refused, died } = read(line, due)?;
    let outcomes = [
        ptx.map(CompileOutcome::Ptx),
        code.map(CompileOutcome::Code),
        refused.map(CompileOutcome::Refused),
        died.map(CompileOutcome::Died),
    ];
    let mut outcomes = outcomes.into_iter().flatten();
    match (outcomes.next(), outcomes.next()) {
        (Some(outcome), None) => Ok((id, outcome)),
        _ => Err(instead(line, due)),
    }
}

/// Reads a client's introduction of its compiler.
///
/// # Errors
/// If the line is no introduction, or is of another version of the protocol.
pub fn introduction(line: &str) -> Result<Introduction, Failure> {
    let due = "an introduction of ptx-compiler 1";
    let introduction: Introduction = read(line, due)?;
    match introduction.protocol == PROTOCOL {
        true => Ok(introduction),
        false => Err(instead(line, due)),
    }
}

/// Reads a line of JSON; where it is something else, says what was due.
fn read<'a, T: Deserialize<'a>>(line: &'a str, due: &str) -> Result<T, Failure> {
    serde_json::from_str(line).map_err(|error| {
        let failure = instead(line, due);
        // The error quotes what it does not know, however long that is.
        let why: String = error.to_string().chars().take(WHY).collect();
        Failure { words: format!("{} ({why})", failure.words), ..failure }
    })
}

/// Returns the failure of a client that wrote this line where something else was due.
fn instead(line: &str, due: &str) -> Failure {
    Failure::nonsense(format!("it answered {} instead of {due}", implementations::process::quoted(line)))
}
