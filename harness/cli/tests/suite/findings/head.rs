//! The head of a published finding, which programs read.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use reports::AnyReport;
use reports::compilers::Standing;
use reports::published::PublishedFinding;
pub use reports::published::{FoundIn, Head, OneOrMore, Record, Shown, Status};
use serde::Serialize;
use wildmatch::WildMatch;

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
    let head: Head = toml::from_str(head).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file = path.file_stem().unwrap().to_str().unwrap().to_owned();
    let (rule, reproduction) = (section(body, "Rule"), section(body, "Reproduce without the suite"));
    let (cause, vectors) = (section(body, "Why it happens"), vectors(&head));
    let published =
        PublishedFinding { title: title.to_owned(), head, vectors, rule, cause, reproduction };
    Finding { published, body: body.to_owned(), file }
}

/// A class of a report that fails: its name, how many vectors have it, and the tested ones of its variant or source.
type Class = (String, u64, u64);

/// Returns the classes of a published report, each variant by itself; none of what is no report.
fn classes(path: &Path) -> Arc<Vec<Vec<Class>>> {
    static READ: Mutex<BTreeMap<PathBuf, Arc<Vec<Vec<Class>>>>> = Mutex::new(BTreeMap::new());
    let mut read = READ.lock().unwrap();
    if let Some(classes) = read.get(path) {
        return classes.clone();
    }
    let classes = match reports::load_any(path) {
        Ok(AnyReport::Implementation(report)) => {
            let each = report.variants.into_iter().map(|variant| {
                let of = |class: reports::Class| (class.id, class.count, variant.vectors);
                variant.classes.into_iter().map(of).collect()
            });
            each.collect()
        }
        Ok(AnyReport::Compiler(report)) => {
            let fails = report.findings.into_iter().filter(|of| of.status == Standing::Fail);
            fails.map(|of| vec![(of.class, of.mismatches, of.vectors)]).collect()
        }
        Err(_) => Vec::new(),
    };
    read.entry(path.to_owned()).or_insert(Arc::new(classes)).clone()
}

/// Returns the number of vectors of the variants that a finding's mismatches are of; `None` if the reports do not say
/// which these are.
fn vectors(head: &Head) -> Option<u64> {
    let mismatches = head.mismatches?;
    let of = |record: &Record| {
        let patterns: Vec<WildMatch> = record.classes.iter().map(|text| WildMatch::new(text)).collect();
        let (mut counts, mut vectors) = (0, 0);
        for variant in classes(&published(&record.path)).iter() {
            let is_own = |(id, ..): &&Class| patterns.iter().any(|pattern| pattern.matches(id));
            let own: Vec<&Class> = variant.iter().filter(is_own).collect();
            counts += own.iter().map(|(_, count, _)| count).sum::<u64>();
            vectors += own.first().map_or(0, |(.., vectors)| *vectors);
        }
        (counts, vectors)
    };
    let is_report = |record: &&Record| record.path.ends_with(".json") && !record.classes.is_empty();
    let mut each: Vec<(u64, u64)> = head.report.iter().filter(is_report).map(of).collect();
    each.push(each.iter().fold((0, 0), |(a, b), (counts, vectors)| (a + counts, b + vectors)));
    let own = each.iter().find(|(counts, _)| *counts == mismatches);
    own.map(|(_, vectors)| *vectors).filter(|vectors| *vectors >= mismatches)
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
