//! What was found of a compiler, for people and for programs.

use std::collections::BTreeMap;
use std::fmt::Write;

use reports::Class;
use serde::Serialize;

use super::cells::{Cell, Compilation};
use super::trial::Computed;
use crate::compilers::judged::is_illegal;
use crate::compilers::program::Language;

/// What was found of one compiler.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The name that it was connected by.
    pub compiler: String,
    /// Its version.
    pub version: String,
    /// Rows under a setting for a target.
    pub cells: usize,
    /// Those whose function computes what is promised …
    pub computed: usize,
    /// … and of these, those that are the promised instruction alone.
    pub selected: usize,
    /// Those whose function does not.
    pub wrong: usize,
    /// Those that were refused.
    pub refused: usize,
    /// Those that the compiler died of.
    pub died: usize,
    /// Instructions that PTX does not have, with how many cells have them.
    pub illegal: BTreeMap<String, usize>,
    /// What was not executed, with how many cells have it.
    pub unexecuted: BTreeMap<String, usize>,
    /// What is wrong.
    pub findings: Vec<Finding>,
}

/// A promise that is broken, by one sequence of instructions.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// `computed/ROW`, or `died/ROW`.
    pub class: String,
    /// The expression in the compiler's language.
    pub source: String,
    /// The instruction that computes what is promised.
    pub expected: String,
    /// The instructions that there are.
    pub instructions: Vec<String>,
    /// Where the promise stands.
    pub promise: &'static str,
    /// Where it is broken.
    pub places: Vec<Place>,
    /// Of so many vectors …
    pub vectors: u64,
    /// … so many have a wrong result.
    pub mismatches: u64,
    /// What is wrong, kind by kind, each with its simplest vector.
    pub classes: Vec<Class>,
    /// How the compiler died.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

/// A target under a setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The target.
    pub target: String,
    /// What is not as usual.
    pub setting: String,
}

impl Summary {
    /// Of cells that were tried.
    pub fn of(
        compiler: &str,
        version: &str,
        language: Language,
        cells: &[Cell],
        computed: &Computed,
    ) -> Summary {
        let mut summary = Summary {
            compiler: compiler.to_owned(),
            version: version.to_owned(),
            cells: cells.len(),
            computed: 0,
            selected: 0,
            wrong: 0,
            refused: 0,
            died: 0,
            illegal: BTreeMap::new(),
            unexecuted: BTreeMap::new(),
            findings: Vec::new(),
        };
        for cell in cells {
            summary.count(language, cell, computed);
        }
        summary
    }

    fn count(&mut self, language: Language, cell: &Cell, computed: &Computed) {
        match &cell.compilation {
            Compilation::Refused(_) if cell.promise.is_refusal() => self.computed += 1,
            Compilation::Refused(_) => self.refused += 1,
            Compilation::Function(_, body) if cell.promise.is_refusal() => {
                self.wrong += 1;
                let instructions = body.opcodes.clone();
                self.add(Finding { instructions, ..finding("accepted", language, cell) });
            }
            Compilation::Died(words) => {
                self.died += 1;
                let finding = Finding { words: Some(words.clone()), ..finding("died", language, cell) };
                self.add(finding);
            }
            Compilation::Unexecuted(names) => {
                for name in names {
                    let counts = if is_illegal(name) { &mut self.illegal } else { &mut self.unexecuted };
                    *counts.entry(name.clone()).or_default() += 1;
                }
            }
            Compilation::Function(_, body) => match cell.computed(computed) {
                // A run that was stopped has not come to it.
                None => {}
                Some(report) if report.mismatches == 0 => {
                    self.computed += 1;
                    self.selected += usize::from(cell.promise.is_selected(&body.opcodes));
                }
                Some(report) => {
                    self.wrong += 1;
                    let finding = Finding {
                        expected: report.variant.clone(),
                        instructions: body.opcodes.clone(),
                        vectors: report.vectors,
                        mismatches: report.mismatches,
                        classes: report.classes.clone(),
                        ..finding("computed", language, cell)
                    };
                    self.add(finding);
                }
            },
        }
    }

    /// Adds a finding, to one that is the same elsewhere.
    fn add(&mut self, mut finding: Finding) {
        let same = |known: &&mut Finding| {
            known.class == finding.class
                && known.instructions == finding.instructions
                && known.expected == finding.expected
                && known.mismatches == finding.mismatches
                && known.words == finding.words
        };
        match self.findings.iter_mut().find(same) {
            Some(known) => known.places.append(&mut finding.places),
            None => self.findings.push(finding),
        }
    }

    /// Whether nothing is wrong.
    pub fn is_right(&self) -> bool {
        self.findings.is_empty() && self.illegal.is_empty()
    }

    /// Some lines about it.
    pub fn text(&self) -> String {
        let Summary { compiler, version, cells, computed, selected, wrong, refused, died, .. } = self;
        let mut text = format!(
            "{compiler} {version}: {cells} cells, {computed} compute what is promised ({selected} by that \
             instruction alone), {wrong} do not, {refused} refused, {died} died\n"
        );
        for (name, count) in &self.illegal {
            let _ = writeln!(text, "  illegal: {name}, which PTX does not have, in {count} cells");
        }
        for (name, count) in &self.unexecuted {
            let _ = writeln!(text, "  unexecuted: {name}, in {count} cells");
        }
        for finding in &self.findings {
            text += &finding.text();
        }
        text
    }
}

fn finding(class: &str, language: Language, cell: &Cell) -> Finding {
    Finding {
        class: format!("{class}/{}", cell.row.name),
        source: cell.row.expression(language).unwrap_or_default().to_owned(),
        expected: cell.promise.text(),
        instructions: Vec::new(),
        promise: cell.promise.source,
        places: vec![Place { target: cell.target.clone(), setting: cell.setting.to_string() }],
        vectors: 0,
        mismatches: 0,
        classes: Vec::new(),
        words: None,
    }
}

/// Instructions that are printed of a sequence, at most.
const SHOWN: usize = 12;

impl Finding {
    fn text(&self) -> String {
        let mut text = format!("\n{}\n", self.class);
        let mut line = |name: &str, rest: &str| {
            let _ = writeln!(text, "  {name:10}{rest}");
        };
        line("source", &self.source);
        line("promised", &format!("{}: {}", self.expected, self.promise));
        if let Some(words) = &self.words {
            line("died", words);
        }
        if !self.instructions.is_empty() {
            let shown = self.instructions.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(" ");
            let more = self.instructions.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            line("compiled", &(shown + &more));
        }
        line("where", &places(&self.places));
        if self.vectors > 0 {
            line("wrong", &format!("{} of {} vectors", self.mismatches, self.vectors));
        }
        for class in &self.classes {
            let shown = |data: &[reports::Datum]| {
                data.iter().map(|datum| datum.bits.clone()).collect::<Vec<_>>().join(", ")
            };
            let explained =
                class.explanation.as_ref().map_or("unexplained", |explained| &explained.words);
            line("", &format!("{}, {} vectors: {explained}", class.diagnosis, class.count));
            if let Some(example) = class.simplest.as_ref().or(class.examples.first()) {
                let [operands, due, came] =
                    [&example.operands, &example.expected, &example.actual].map(|data| shown(data));
                line("", &format!("  {operands} gives {came}, expected {due}"));
            }
        }
        text
    }
}

/// Targets, each with the words that all of its settings have, and how many these are.
fn places(all: &[Place]) -> String {
    let mut targets: Vec<(&str, Vec<&str>, usize)> = Vec::new();
    for Place { target, setting } in all {
        let words: Vec<&str> = setting.split(' ').collect();
        match targets.iter_mut().find(|(known, ..)| known == target) {
            Some((_, common, count)) => {
                common.retain(|word| words.contains(word));
                *count += 1;
            }
            None => targets.push((target, words, 1)),
        }
    }
    let shown = targets.iter().map(|(target, common, count)| {
        let words = if common.is_empty() { String::new() } else { format!(" {}", common.join(" ")) };
        let settings = if *count == 1 { String::new() } else { format!(" ({count} settings)") };
        format!("{target}{words}{settings}")
    });
    shown.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_by_what_they_have_in_common() {
        let place =
            |target: &str, setting: &str| Place { target: target.into(), setting: setting.into() };
        let all = [
            place("sm_75", "ftz"),
            place("sm_75", "ftz !fma"),
            place("sm_80", "default"),
            place("sm_90", "default"),
            place("sm_90", "!fma"),
        ];
        assert_eq!(places(&all), "sm_75 ftz (2 settings), sm_80 default, sm_90 (2 settings)");
    }
}
