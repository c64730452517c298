//! What is made of the heads of findings: an index for programs, and tables for people.

use std::collections::{BTreeMap, BTreeSet};

use isa::Variant;
use isa::matrix::MatrixVariant;
use wildmatch::WildMatch;

use super::head::{Finding, FoundIn, Status};

/// Where findings lie, seen from `docs/results`.
const PAGES: &str = "../../reports/published/findings";

/// Makes the index, which has all heads.
pub fn index(findings: &[Finding]) -> String {
    serde_json::to_string_pretty(findings).unwrap() + "\n"
}

/// Makes the tables of all findings, by their status.
pub fn by_status(findings: &[Finding]) -> String {
    let mut text = String::new();
    for (status, heading, words) in STATUSES {
        let own: Vec<&Finding> =
            findings.iter().filter(|finding| finding.head.status == status).collect();
        text += &format!("\n## {heading}: {}\n\n{words}\n\n", own.len());
        let rows = own.iter().map(|finding| [link(finding), seen_in(finding)]);
        // These findings do not say that the software is wrong.
        let is_defect = matches!(status, Status::Defect | Status::Known | Status::Fixed);
        text += &table(["finding", if is_defect { "wrong in" } else { "seen in" }], rows);
    }
    text
}

/// Statuses, the strongest first, with the heading and the explanation of each.
const STATUSES: [(Status, &str, &str); 6] = [
    (
        Status::Defect,
        "Defects",
        "The software contradicts a document that it claims to follow. We found no public report of the defect to the \
         makers of the software.",
    ),
    (
        Status::Known,
        "Known defects",
        "The makers have a public report of the defect, or a change that corrects it. For at least one of the named \
         products, no corrected version was tried; there may be none yet.",
    ),
    (Status::Fixed, "Fixed defects", "A later version was tried, and it is right."),
    (
        Status::OpenPoint,
        "Open points",
        "The software differs from the suite. The documents do not say which of the two is right.",
    ),
    (Status::Note, "Notes", "The behaviour may surprise, but contradicts no document."),
    (Status::Withdrawn, "Withdrawn", "These were published as findings. They were not defects."),
];

/// Makes the page of findings by the software that they are about.
pub fn by_library(findings: &[Finding]) -> String {
    let mut text = String::from(
        "# Which findings concern the software that I use?\n\nThis page has a section for each piece of software and \
         hardware. [The overview](README.md) explains each status.\n\n\
         - The columns **wrong versions** and **right versions** have the versions that were tried. For an open point \
         or a note, the column *wrong versions* has the versions that show the behaviour. The column **not tried** has \
         the versions that occur in other findings about the same software, but not in this finding. The page of a \
         finding may say more about versions that were not tried, for example from their source code.\n\
         - If the cell *wrong versions* of a line is empty, the software of this section was tried for the finding, \
         and is right. The finding is then about different software, or it was withdrawn.\n\
         - The column **variants** has the number of PTX [variants](../build/glossary.md) that the finding concerns. \
         The cell is empty if a finding concerns no variant.\n\
         - The column **targets** has the GPU targets that the line is about. The cell is empty if the line is not \
         limited to some targets.\n\
         - To *fold* an operation is to compute it at compile time, because its operands are constants.\n",
    );
    let all: BTreeSet<(String, &str)> = findings
        .iter()
        .flat_map(|finding| &finding.head.found_in)
        .map(|found| (found.name.to_lowercase(), &*found.name))
        .collect();
    for (_, name) in all {
        text += &format!("\n## {name}\n\n");
        let known = &versions(findings, name);
        let rows = findings.iter().flat_map(|finding| {
            let own = finding.head.found_in.iter().filter(|found| found.name == name);
            own.map(move |found| {
                let targets = found.targets.clone().unwrap_or_default();
                let untried: Vec<&str> =
                    known.iter().copied().filter(|version| !is_tried(found, version)).collect();
                [
                    link(finding),
                    word(finding),
                    found.bad.join(", "),
                    found.good.join(", "),
                    untried.join(", "),
                    concerned(finding),
                    targets,
                ]
            })
        });
        let heads = [
            "finding",
            "status",
            "wrong versions",
            "right versions",
            "not tried",
            "variants",
            "targets",
        ];
        text += &table(heads, rows);
    }
    text
}

/// Makes the page of findings by the PTX instruction that they are about.
pub fn by_instruction(findings: &[Finding]) -> String {
    let mut text = String::from(
        "# Which findings concern an instruction?\n\nThe first table has one line for each instruction of PTX and each \
         finding that concerns a [variant](../build/glossary.md) of it. The second table has the findings about options \
         and languages, which concern no single instruction. [The overview](README.md) explains each status. To *fold* \
         an operation is to compute it at compile time, because its operands are constants.\n\n",
    );
    let mut by_mnemonic: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        let variants = finding.head.variants.iter();
        let mnemonics: BTreeSet<&str> = variants
            .map(|text| text.split(['.', '*']).find(|word| !word.is_empty()).unwrap_or(text))
            .collect();
        mnemonics.into_iter().for_each(|name| by_mnemonic.entry(name).or_default().push(finding));
    }
    let rows = by_mnemonic.iter().flat_map(|(name, findings)| {
        findings.iter().map(move |finding| {
            [format!("`{name}`"), link(finding), word(finding), names(finding).join(", ")]
        })
    });
    text += &table(["instruction", "finding", "status", "software"], rows);
    text += "\n## Options and languages\n\n";
    let others = findings.iter().filter(|finding| finding.head.variants.is_empty());
    let rows = others.map(|finding| [link(finding), word(finding), names(finding).join(", ")]);
    text + &table(["finding", "status", "software"], rows)
}

/// Makes a table of Markdown.
fn table<const N: usize>(heads: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let mut text = format!("| {} |\n|{}\n", heads.join(" | "), " --- |".repeat(N));
    for row in rows {
        text += &format!("| {} |\n", row.map(|cell| cell.replace('|', "\\|")).join(" | "));
    }
    text
}

fn link(finding: &Finding) -> String {
    format!("[{}]({PAGES}/{}.md)", finding.title, finding.file)
}

fn word(finding: &Finding) -> String {
    let word = serde_json::to_value(finding.head.status).unwrap();
    word.as_str().unwrap().replace('-', " ")
}

/// Returns the names of what is wrong; of all that was asked, where nothing is.
fn names(finding: &Finding) -> Vec<&str> {
    let all = || finding.head.found_in.iter();
    let wrong: Vec<&str> =
        all().filter(|found| !found.bad.is_empty()).map(|found| &*found.name).collect();
    if wrong.is_empty() { all().map(|found| &*found.name).collect() } else { wrong }
}

/// Returns what is wrong, each with its versions; all that was tried, where nothing is wrong.
fn seen_in(finding: &Finding) -> String {
    let found_in = &finding.head.found_in;
    let is_right = found_in.iter().all(|found| found.bad.is_empty());
    let seen = found_in.iter().filter(|found| is_right || !found.bad.is_empty());
    let each: Vec<String> = seen
        .map(|found| {
            let versions = if is_right { &found.good } else { &found.bad };
            format!("{} {}", found.name, versions.join(", "))
        })
        .collect();
    each.join("; ")
}

/// Returns the versions of a piece of software that any finding names.
fn versions<'a>(findings: &'a [Finding], name: &str) -> BTreeSet<&'a str> {
    let all = findings.iter().flat_map(|finding| &finding.head.found_in);
    let own = all.filter(|found| found.name == name);
    own.flat_map(|found| found.bad.iter().chain(&found.good)).map(String::as_str).collect()
}

/// Whether a version was tried: it is named, or it has each word of a version that is. cuTile has versions of two
/// parts, and some findings name one of them.
fn is_tried(found: &FoundIn, version: &str) -> bool {
    let has = |one: &str, other: &str| {
        let words: Vec<&str> = one.split(' ').collect();
        other.split(' ').all(|word| words.contains(&word))
    };
    found.bad.iter().chain(&found.good).any(|tried| has(tried, version) || has(version, tried))
}

/// Returns how many variants a finding concerns; nothing where it concerns none.
fn concerned(finding: &Finding) -> String {
    let patterns: Vec<WildMatch> =
        finding.head.variants.iter().map(|text| WildMatch::new(text)).collect();
    let plain = Variant::all().iter().map(|variant| variant.text());
    let all = plain.chain(MatrixVariant::all().iter().map(|variant| variant.text()));
    let count = all.filter(|name| patterns.iter().any(|pattern| pattern.matches(name))).count();
    if count == 0 { String::new() } else { count.to_string() }
}
