//! What was found of machine code, for people and for programs.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use super::code::Operations;
use super::{Cell, Compilation, Verdict};

/// What was found of one compiler.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The name that it was connected by.
    pub compiler: String,
    /// Its version.
    pub version: String,
    /// Rows for a target, under options.
    pub cells: usize,
    /// Those whose promise is kept.
    pub kept: usize,
    /// Of rows that leave a choice, by the first part of their names: cells, and how many of them do what they may.
    pub choices: BTreeMap<String, Choice>,
    /// What is wrong.
    pub findings: Vec<Finding>,
}

/// What a compiler did where it had a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// So many times it had one …
    pub cells: usize,
    /// … and so many times it did what it may.
    pub taken: usize,
}

/// A promise that is broken.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// `selected/ROW`, `accepted/ROW`, `refused/ROW` or `died/ROW`.
    pub class: String,
    /// The source.
    pub source: String,
    /// What must stand there.
    pub due: String,
    /// Where that is promised.
    pub promise: &'static str,
    /// What stands there, or the compiler's words.
    pub found: String,
    /// Where: targets, with options.
    pub places: Vec<String>,
}

impl Summary {
    /// Of cells.
    pub fn of(compiler: &str, version: &str, cells: &[Cell]) -> Summary {
        let mut summary = Summary {
            compiler: compiler.to_owned(),
            version: version.to_owned(),
            cells: cells.len(),
            kept: 0,
            choices: BTreeMap::new(),
            findings: Vec::new(),
        };
        for cell in cells {
            let class = match cell.verdict() {
                Verdict::Kept(choice) => {
                    summary.keep(cell, choice);
                    continue;
                }
                Verdict::Selected => "selected",
                Verdict::Accepted => "accepted",
                Verdict::Refused => "refused",
                Verdict::Died => "died",
            };
            summary.add(finding(class, cell));
        }
        summary
    }

    fn keep(&mut self, cell: &Cell, choice: usize) {
        self.kept += 1;
        if cell.row.due.is_open() {
            let group = cell.row.name.rsplit_once('/').map_or("", |(group, _)| group);
            let counted = self.choices.entry(group.to_owned()).or_default();
            counted.cells += 1;
            counted.taken += usize::from(choice == 0);
        }
    }

    /// Adds a finding, to one that is the same elsewhere.
    fn add(&mut self, mut finding: Finding) {
        let same = |known: &&mut Finding| known.class == finding.class && known.found == finding.found;
        match self.findings.iter_mut().find(same) {
            Some(known) => known.places.append(&mut finding.places),
            None => self.findings.push(finding),
        }
    }

    /// Whether nothing is wrong.
    pub fn is_right(&self) -> bool {
        self.findings.is_empty()
    }

    /// Some lines about it.
    pub fn text(&self) -> String {
        let Summary { compiler, version, cells, kept, .. } = self;
        let mut text =
            format!("{compiler} {version}: {cells} cells of machine code, {kept} as promised\n");
        for (group, Choice { cells, taken }) in &self.choices {
            let _ = writeln!(text, "  {group}: {taken} of {cells} do what they may, and need not");
        }
        for Finding { class, source, due, promise, found, places } in &self.findings {
            let _ = writeln!(text, "\n{class}");
            let promised = format!("{due}: {promise}");
            for (name, rest) in [
                ("source", source),
                ("promised", &promised),
                ("compiled", found),
                ("where", &places.join(", ")),
            ] {
                let _ = writeln!(text, "  {name:10}{rest}");
            }
        }
        text
    }
}

fn finding(class: &str, cell: &Cell) -> Finding {
    let row = cell.row;
    Finding {
        class: format!("{class}/{}", row.name),
        source: row.text.clone(),
        due: row.due_text.clone(),
        promise: row.source,
        found: match &cell.compilation {
            Compilation::Code(operations) => shown(operations),
            Compilation::Refused(words) | Compilation::Died(words) => words.clone(),
        },
        places: vec![format!("{} {}", cell.target, cell.options).trim_end().to_owned()],
    }
}

fn shown(operations: &Operations) -> String {
    let all: Vec<String> = operations.iter().map(ToString::to_string).collect();
    if all.is_empty() { "no floating-point operation".into() } else { all.join(" ") }
}
