//! Makes the report of a compiler's promises: rows of source lines, each compiled for targets and under settings, with
//! what was wrong, refused or not executed.

use anyhow::Result;
use reports::Class;
use reports::compilers::{CompilerReport, Finding, Sequence, Sources, Standing};

use super::{Started, add, blank, finished, work};
use crate::Compiler;
use crate::language::Language;
use crate::module::CompilableFunction;
use crate::program_verdict::is_illegal;
use crate::promises::{
    Compilation, Computed, FunctionDifference, PromiseCell, PromiseSelection, language,
};

/// Makes the report of cells that were tried, and of those that differ where the promise does not.
///
/// # Errors
/// If the compiler has no language that rows are in.
pub fn of_rows(
    compiler: &Compiler,
    options: &PromiseSelection,
    cells: &[PromiseCell],
    (computed, differences): (&Computed, &[FunctionDifference]),
    vectors: u64,
    started: Started,
) -> Result<CompilerReport> {
    let language = language(compiler)?;
    let mut targets: Vec<String> = Vec::new();
    for cell in cells {
        if !targets.contains(&cell.target) {
            targets.push(cell.target.clone());
        }
    }
    let mut names: Vec<&str> = cells.iter().map(|cell| &*cell.row.name).collect();
    names.sort_unstable();
    names.dedup();
    let mut work = work(Sources::Rows, language, &targets, cells.iter().map(|cell| &cell.setting));
    (work.count, work.vectors) = (names.len() as u64, vectors);
    let mut report = blank(compiler, language.name(), work, started);
    report.reduced = options.reductions();
    report.totals.cells = cells.len() as u64;
    let mut rows = CompilerRows { language, report };
    cells.iter().for_each(|cell| rows.count(cell, computed));
    differences.iter().for_each(|difference| rows.indifferent(difference));
    Ok(finished(rows.report))
}

/// The report while cells are counted.
struct CompilerRows {
    language: Language,
    report: CompilerReport,
}

impl CompilerRows {
    /// Counts a cell in the totals, and adds findings if its promise is not kept, or cannot be judged.
    fn count(&mut self, cell: &PromiseCell, computed: &Computed) {
        let totals = &mut self.report.totals;
        let refusal = cell.promise.is_refusal();
        match &cell.compilation {
            Compilation::Refused(_) if refusal => totals.right += 1,
            Compilation::Refused(words) => {
                totals.refused += 1;
                self.words("refused", Standing::Note, cell, words);
            }
            Compilation::Died(words) => {
                totals.died += 1;
                self.words("died", Standing::Fail, cell, words);
            }
            Compilation::Unexecuted(names) => {
                let illegal = names.iter().any(|name| is_illegal(name));
                *if illegal { &mut totals.illegal } else { &mut totals.unexecuted } += 1;
                for name in names {
                    match is_illegal(name) {
                        true => self.words("illegal", Standing::Fail, cell, name),
                        false => self.words("unexecuted", Standing::Note, cell, name),
                    }
                }
            }
            Compilation::Function(_, body, _) if refusal => {
                totals.wrong += 1;
                self.add("accepted", Standing::Fail, cell, &body.opcodes, |_| {});
            }
            Compilation::Function(_, body, _) => match cell.computed(computed) {
                // A run that was stopped has not come to this cell.
                None => self.report.complete = false,
                Some(found) if found.mismatches == 0 => {
                    totals.right += 1;
                    match cell.promise.is_selected(&body.opcodes) {
                        true => totals.selected += 1,
                        false => self.add("selected", Standing::Note, cell, &body.opcodes, |_| {}),
                    }
                }
                Some(found) => {
                    totals.wrong += 1;
                    self.add("computed", Standing::Fail, cell, &body.opcodes, |finding| {
                        finding.promised = Some(found.variant.clone());
                        finding.words.clone_from(&found.reason);
                        finding.vectors = found.vectors;
                        finding.mismatches = found.mismatches;
                        finding.classes.clone_from(&found.classes);
                    });
                }
            },
        }
    }

    /// Adds a finding about a cell that did not become a function, with the words that say why.
    fn words(&mut self, kind: &str, status: Standing, cell: &PromiseCell, words: &str) {
        self.add(kind, status, cell, &[], |finding| finding.words = Some(words.to_owned()));
    }

    /// Adds a finding, or adds its cell to a finding that is the same elsewhere.
    fn add(
        &mut self,
        kind: &str,
        status: Standing,
        cell: &PromiseCell,
        instructions: &[String],
        with: impl FnOnce(&mut Finding),
    ) {
        let mut new = self.finding_about(kind, status, cell);
        new.sequences.push(self.sequence(status, cell, instructions));
        with(&mut new);
        let same = |known: &Finding| {
            // The words with which a compiler refuses a row often name the line of the module.
            let words = kind == "refused" || known.words == new.words;
            let told = |of: &Finding| (of.promised.clone(), of.vectors, of.mismatches);
            known.class == new.class
                && known.sequences[0].instructions == instructions
                && told(known) == told(&new)
                && words
        };
        let found = &mut self.report.findings;
        let known = match found.iter().position(same) {
            Some(at) => &mut found[at],
            None => {
                found.push(new);
                found.last_mut().expect("it was added")
            }
        };
        known.cells += 1;
        add(&mut known.sequences[0], &cell.target, cell.setting);
    }

    /// Makes a finding about a cell.
    fn finding_about(&self, kind: &str, status: Standing, cell: &PromiseCell) -> Finding {
        Finding {
            expression: cell.row.expression(self.language).map(str::to_owned),
            promised: Some(cell.promise.text()),
            document: Some(cell.promise.source.to_owned()),
            ..Finding::new(cell.row.class(kind), status)
        }
    }

    /// Makes a sequence of the instructions that were made of a cell's row, with the source where it is needed.
    fn sequence(&self, status: Standing, cell: &PromiseCell, instructions: &[String]) -> Sequence {
        let source = || cell.row.source(self.language, cell.setting, "f");
        let source = (status == Standing::Fail || instructions.is_empty()).then(source);
        Sequence { source, instructions: instructions.to_vec(), ..Sequence::default() }
    }

    /// Adds a finding of right functions of one promise that differ. Where the document has several results for one
    /// expression, that is a choice.
    fn indifferent(&mut self, difference: &FunctionDifference) {
        let [one, other] = &difference.cells;
        let is_choice = one[0].promise.leaves_a_choice();
        let status = if is_choice { Standing::Note } else { Standing::Fail };
        let mut new = self.finding_about("indifferent", status, one[0]);
        for cells in [one, other] {
            let instructions = match &cells[0].compilation {
                Compilation::Function(_, body, _) => &body.opcodes[..],
                _ => &[],
            };
            let mut sequence = self.sequence(status, cells[0], instructions);
            cells.iter().for_each(|cell| add(&mut sequence, &cell.target, cell.setting));
            new.sequences.push(sequence);
            new.cells += cells.len() as u64;
        }
        (new.vectors, new.mismatches) = (difference.vectors, difference.differing);
        new.classes.push(Class {
            id: new.class.clone(),
            diagnosis: "an option on which the promise does not depend changes the result".into(),
            count: difference.differing,
            explanation: None,
            pattern: None,
            simplest: None,
            waiver: None,
            examples: vec![difference.example.clone()],
        });
        self.report.findings.push(new);
    }
}
