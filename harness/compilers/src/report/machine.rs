//! Makes the report of the rows of machine code: what breaks a promise, and what was chosen where a row is open.

use std::collections::BTreeMap;

use reports::compilers::{CompilerReport, CompilerWork, Finding, Sequence, Sources, Standing};

use super::{Started, add, blank};
use crate::Compiler;
use crate::machine::{Compilation, MachineCell, Source, Verdict, setting};
use crate::promises::PromiseSelection;

/// Makes the report of cells of machine code, which is read and not executed.
pub fn of_machine(
    compiler: &Compiler,
    source: Source,
    options: &PromiseSelection,
    cells: &[MachineCell],
    started: Started,
) -> CompilerReport {
    let mut targets: Vec<String> = cells.iter().map(|cell| cell.target.to_owned()).collect();
    targets.sort_unstable();
    targets.dedup();
    let mut names: Vec<&str> = cells.iter().map(|cell| &*cell.row.name).collect();
    names.sort_unstable();
    names.dedup();
    let words = |options: &str| options.split_whitespace().map(str::to_owned).collect();
    let settings = cells.iter().map(|cell| (setting(cell.options).to_owned(), words(cell.options)));
    let work = CompilerWork {
        sources: Sources::Rows,
        count: names.len() as u64,
        targets,
        settings: settings.collect(),
        vectors: 0,
        seed: None,
        first: 0,
    };
    let mut report = blank(compiler, source.name(), work, started);
    report.reduced = options.reductions();
    let mut choices = Choices::new();
    cells.iter().for_each(|cell| count(&mut report, &mut choices, cell));
    report.findings.extend(choices.into_values());
    report.findings.sort_by(|a, b| (a.status, &a.class).cmp(&(b.status, &b.class)));
    report
}

/// Notes on rows that leave a choice, by what was chosen and the first part of the rows' names.
type Choices = BTreeMap<String, Finding>;

/// Counts a row in the totals, and adds a finding, or a note on a choice, where there is one.
fn count(report: &mut CompilerReport, choices: &mut Choices, cell: &MachineCell) {
    let totals = &mut report.totals;
    totals.cells += 1;
    let kind = match cell.verdict() {
        Verdict::Kept(choice) => {
            (totals.right, totals.selected) = (totals.right + 1, totals.selected + 1);
            if cell.row.due.is_open() {
                let group = cell.row.name.rsplit_once('/').map_or("", |(group, _)| group);
                // The first choice is what a document says that a compiler may do.
                let what = if choice == 0 { "taken" } else { "left" };
                let new = || Finding::new(format!("{what}/{group}"), Standing::Note);
                choices.entry(format!("{what}/{group}")).or_insert_with(new).cells += 1;
            }
            return;
        }
        Verdict::Died => {
            totals.died += 1;
            "died"
        }
        Verdict::Selected => "selected",
        Verdict::Accepted => "accepted",
        Verdict::Refused => "refused",
    };
    // A compiler that died has its own count.
    totals.wrong += u64::from(kind != "died");
    let (instructions, words): (Vec<String>, _) = match &cell.compilation {
        Compilation::Code(operations) => (operations.iter().map(ToString::to_string).collect(), None),
        Compilation::Refused(words) | Compilation::Died(words) => (Vec::new(), Some(words.clone())),
    };
    let class = format!("{kind}/{}", cell.row.name);
    let same = |known: &Finding| {
        let told = (&known.class, &known.words, &known.sequences[0].instructions);
        told == (&class, &words, &instructions)
    };
    let found = match report.findings.iter().position(same) {
        Some(at) => &mut report.findings[at],
        None => {
            let source = Some(cell.row.kernel("f", cell.target));
            report.findings.push(Finding {
                expression: Some(cell.row.text.clone()),
                promised: Some(cell.row.due_text.clone()),
                document: Some(cell.row.source.to_owned()),
                sequences: vec![Sequence { source, instructions, ..Sequence::default() }],
                words,
                ..Finding::new(class, Standing::Fail)
            });
            report.findings.last_mut().expect("it was added")
        }
    };
    found.cells += 1;
    add(&mut found.sequences[0], cell.target, setting(cell.options));
}
