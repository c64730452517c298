//! What is made of the heads of findings: an index for programs, and tables for people.

use std::collections::{BTreeMap, BTreeSet};

use super::head::{Finding, Status};

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
        let rows = own.iter().map(|finding| [link(finding), wrong_in(finding)]);
        text += &table(["finding", "wrong in"], rows);
    }
    text
}

/// Statuses, the strongest first, with the heading and the explanation of each.
const STATUSES: [(Status, &str, &str); 6] = [
    (Status::Defect, "Defects", "A document is contradicted, and no report of it was found upstream."),
    (Status::Known, "Known defects", "Upstream has a report of it."),
    (Status::Fixed, "Fixed defects", "A later version was tried and is right."),
    (Status::OpenPoint, "Open points", "The documents leave open who is right."),
    (Status::Note, "Notes", "Worth knowing, and no defect."),
    (Status::Withdrawn, "Withdrawn", "What was called a finding and is none."),
];

/// Makes the page of findings by the software that they are about.
pub fn by_library(findings: &[Finding]) -> String {
    let mut text = String::from(
        "# Which findings concern the software that I use?\n\nA section for each piece of software and hardware. The \
         versions are those that were tried. [The overview](README.md) has the strongest findings first.\n",
    );
    let all: BTreeSet<(String, &str)> = findings
        .iter()
        .flat_map(|finding| &finding.head.found_in)
        .map(|found| (found.name.to_lowercase(), &*found.name))
        .collect();
    for (_, name) in all {
        text += &format!("\n## {name}\n\n");
        let rows = findings.iter().flat_map(|finding| {
            let own = finding.head.found_in.iter().filter(|found| found.name == name);
            own.map(move |found| {
                let targets = found.targets.clone().unwrap_or_default();
                [link(finding), word(finding), found.bad.join(", "), found.good.join(", "), targets]
            })
        });
        text += &table(["finding", "status", "wrong", "right", "targets"], rows);
    }
    text
}

/// Makes the page of findings by the PTX instruction that they are about.
pub fn by_instruction(findings: &[Finding]) -> String {
    let mut text = String::from(
        "# Which findings concern an instruction?\n\nA line for each instruction of PTX and each finding whose variants \
         it has. The last table has findings about options and languages, which concern no instruction of PTX \
         alone. [The overview](README.md) has the strongest findings first.\n\n",
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

/// Returns what is wrong, each with its versions.
fn wrong_in(finding: &Finding) -> String {
    let wrong = finding.head.found_in.iter().filter(|found| !found.bad.is_empty());
    let each: Vec<String> =
        wrong.map(|found| format!("{} {}", found.name, found.bad.join(", "))).collect();
    each.join("; ")
}
