//! The head of a published finding, which programs read.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A page of `reports/published/findings`.
#[derive(Serialize)]
pub struct Finding {
    /// The page's title.
    pub title: String,
    /// The fields of the page's block of TOML.
    #[serde(flatten)]
    pub head: Head,
    /// The prose behind the head.
    #[serde(skip)]
    pub body: String,
    /// The name of the page's file, without `.md`.
    #[serde(skip)]
    pub file: String,
}

/// What a page says for programs. A field that is not known is left out.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Head {
    /// The name of the page's file.
    pub id: String,
    /// The anchor that the finding had on the single page of before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// What has become of the finding.
    pub status: Status,
    /// What kind of software or hardware it is about.
    pub kind: Kind,
    /// The day of the record, as 2026-11-24.
    pub checked: String,
    /// The PTX variants that are concerned, or patterns of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<String>,
    /// The section of the PTX ISA manual that one of the variants has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// How many mismatches the reports count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mismatches: Option<u64>,
    /// Addresses of reports and changes upstream.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub upstream: Vec<String>,
    /// Why it is no finding any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub withdrawn: Option<String>,
    /// Why nothing of it can be judged here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
    /// What it was found in.
    pub found_in: Vec<FoundIn>,
    /// The published records that have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub report: Vec<Record>,
    /// Vectors that show it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<Shown>,
}

/// What has become of a finding, the strongest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// A document is contradicted, and nobody upstream has said so.
    Defect,
    /// Upstream has said so.
    Known,
    /// A later version was tried and is right.
    Fixed,
    /// The documents leave it open.
    OpenPoint,
    /// It is worth knowing, and no defect.
    Note,
    /// It was no finding.
    Withdrawn,
}

/// What kind of thing a finding is about, the strongest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Gpu,
    Assembler,
    Compiler,
    Processor,
    Emulator,
    Library,
    Model,
}

/// A piece of software or hardware, with the versions that were tried.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FoundIn {
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

/// A published record.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Record {
    /// Its path in `reports/published`.
    pub path: String,
    /// The classes of it that are the finding, with `*` for any text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
}

/// A vector with a wrong result.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Shown {
    /// The PTX variant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// What a source means in PTX, as `add.rn.f32(mul.rn.f32(a, b), c)`: one of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub means: Option<OneOrMore>,
    /// The row of what compilers promise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// The number of a random program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compiler: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The target of the compiler; of a matrix instruction the one whose bits are expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operands: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<OneOrMore>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<OneOrMore>,
    /// Why the vector cannot be judged here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
}

/// A text, or a list of texts.
#[derive(Deserialize, Serialize)]
#[serde(untagged)]
pub enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    /// Returns all of them.
    pub fn all(&self) -> &[String] {
        match self {
            OneOrMore::One(text) => std::slice::from_ref(text),
            OneOrMore::More(texts) => texts,
        }
    }
}

/// Returns the path of something in `reports/published`.
pub fn published(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports/published").join(name)
}

/// Reads every published finding, the strongest first.
pub fn findings() -> Vec<Finding> {
    let entries = std::fs::read_dir(published("findings")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let pages = paths.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let mut all: Vec<Finding> = pages.map(|path| read(&path)).collect();
    all.sort_by(|a, b| {
        let key = |of: &Finding| (of.head.status, of.head.kind, of.head.id.clone());
        key(a).cmp(&key(b))
    });
    all
}

/// Reads a page: a title, the head between fences, and prose.
fn read(path: &Path) -> Finding {
    let text = std::fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    let parts = text.strip_prefix("# ").and_then(|text| text.split_once("\n\n```toml\n"));
    let parts = parts.and_then(|(title, rest)| Some((title, rest.split_once("\n```\n\n")?)));
    let (title, (head, body)) =
        parts.unwrap_or_else(|| panic!("{}: a title, a block of TOML, and prose", path.display()));
    let head = toml::from_str(head).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file = path.file_stem().unwrap().to_str().unwrap().to_owned();
    Finding { title: title.to_owned(), head, body: body.to_owned(), file }
}
