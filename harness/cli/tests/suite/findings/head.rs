//! The head of a published finding, which programs read.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use reports::published::PublishedFinding;
pub use reports::published::{FoundIn, Head, OneOrMore, Record, Shown, Status};
use serde::Serialize;

/// A page of `reports/published/findings`.
#[derive(Serialize)]
pub struct Finding {
    /// The finding, as the index has it.
    #[serde(flatten)]
    pub published: PublishedFinding,
    /// The prose behind the head.
    #[serde(skip)]
    pub body: String,
    /// The name of the page's file, without `.md`.
    #[serde(skip)]
    pub file: String,
}

impl Deref for Finding {
    type Target = PublishedFinding;

    fn deref(&self) -> &PublishedFinding {
        &self.published
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
    let (rule, reproduction) = (section(body, "Rule"), section(body, "Reproduce without the suite"));
    let published = PublishedFinding { title: title.to_owned(), head, rule, reproduction };
    Finding { published, body: body.to_owned(), file }
}

/// Returns a section of a page without its heading. A link into the repository is only its text, so that the section can
/// be read elsewhere.
fn section(body: &str, heading: &str) -> Option<String> {
    let (_, rest) = body.split_once(&format!("## {heading}\n\n"))?;
    let text = rest.split("\n## ").next()?.trim();
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("](") {
        let (address, after) = behind.split_once(')')?;
        match address.starts_with("https://") {
            true => out += &format!("{before}]({address})"),
            false => {
                let (words, name) = before.rsplit_once('[')?;
                out += &format!("{words}{name}");
            }
        }
        rest = after;
    }
    Some(out + rest)
}
