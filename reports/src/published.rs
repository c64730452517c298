//! The published findings: what their pages say for programs, as the index of all findings has it.

use serde::{Deserialize, Serialize};

/// The index of all published findings, which is made of their pages.
const INDEX: &str = include_str!("../published/findings/index.json");

/// A published finding: the head of its page, and the parts of its prose that a report to others is made of.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct PublishedFinding {
    /// The page's title, in Markdown.
    pub title: String,
    /// The fields of the page's block of TOML.
    #[serde(flatten)]
    pub head: Head,
    /// Number of vectors of the variants that the mismatches are of, in the same reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vectors: Option<u64>,
    /// The page's section *Rule* in Markdown, without links into the repository: which document says what is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The page's section *Why it happens* in Markdown: the cause, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// The page's section *Reproduce without the suite* in Markdown: source, commands of public tools, and their output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reproduction: Option<String>,
}

/// The head of a finding's page. A field that is not known is left out.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Head {
    /// The name of the page's file, without `.md`.
    pub id: String,
    /// The anchor that the finding had when all findings were one page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// The status: what has become of the finding.
    pub status: Status,
    /// The kind of software or hardware that the finding is about.
    pub kind: Kind,
    /// The day of the record, as 2026-11-24.
    pub checked: String,
    /// The PTX variants that are concerned, or patterns of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<String>,
    /// The section of the PTX ISA manual that one of the variants has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Number of mismatches that the reports count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mismatches: Option<u64>,
    /// Addresses of reports and changes upstream.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub upstream: Vec<String>,
    /// The reason why the finding is none any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub withdrawn: Option<String>,
    /// The reason why the suite can judge no vector of the finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
    /// The software or hardware that was tried.
    pub found_in: Vec<FoundIn>,
    /// The published records that have the finding.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub report: Vec<Record>,
    /// Vectors that show the finding, the clearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<Shown>,
}

/// The status of a finding, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// A document is contradicted, and nobody upstream has said so.
    Defect,
    /// Upstream has said that a document is contradicted.
    Known,
    /// A later version was tried and is right.
    Fixed,
    /// The documents leave it open.
    OpenPoint,
    /// The behaviour is worth knowing, and no defect.
    Note,
    /// A former finding that turned out to be none.
    Withdrawn,
}

/// The kind of software or hardware that a finding is about, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A graphics processor.
    Gpu,
    /// An assembler of PTX.
    Assembler,
    /// A compiler.
    Compiler,
    /// A processor that is no GPU.
    Processor,
    /// A program that executes PTX.
    Emulator,
    /// A library.
    Library,
    /// A model of hardware.
    Model,
}

/// A piece of software or hardware, with the versions that were tried.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FoundIn {
    /// The name of the software or hardware.
    pub name: String,
    /// The targets that are concerned, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub targets: Option<String>,
    /// Versions that were tried and are wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bad: Vec<String>,
    /// Versions that were tried and are right.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub good: Vec<String>,
}

/// A published record that has a finding.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Record {
    /// The record's path in `reports/published`.
    pub path: String,
    /// The classes of the record that are the finding, with `*` for any text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
}

/// A vector with a wrong result.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Shown {
    /// The PTX variant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The meaning of a source in PTX, as `add.rn.f32(mul.rn.f32(a, b), c)`: one of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub means: Option<OneOrMore>,
    /// The row of the promises that compilers make.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// The number of a random program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The compiler.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compiler: Option<String>,
    /// The source in short, in the compiler's language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The target of the compiler; for a matrix instruction the target whose bits are expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The options of the compiler.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<String>,
    /// The bits of the operands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operands: Vec<String>,
    /// The bits of the right result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<OneOrMore>,
    /// The bits of the wrong result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<OneOrMore>,
    /// The reason why the suite cannot judge the vector.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
}

/// A text, or a list of texts.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged)]
pub enum OneOrMore {
    /// A single text.
    One(String),
    /// A list of texts.
    More(Vec<String>),
}

impl OneOrMore {
    /// Returns all texts.
    pub fn all(&self) -> &[String] {
        match self {
            OneOrMore::One(text) => std::slice::from_ref(text),
            OneOrMore::More(texts) => texts,
        }
    }
}

/// Returns all published findings, the strongest first.
///
/// # Errors
/// If the index that this program was built with has another form than this program reads.
pub fn findings() -> Result<Vec<PublishedFinding>, serde_json::Error> {
    serde_json::from_str(INDEX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_is_read_as_it_is_written() {
        let all = findings().expect("the index is read");
        assert!(all.len() > 50, "{}", all.len());
        let written = serde_json::to_string_pretty(&all).expect("JSON") + "\n";
        assert!(written == INDEX.replace("\r\n", "\n"), "a field is lost");
    }
}
