//! Tells a person in what the report of a compiler differs from an earlier one.

use crate::UnknownFields;
use crate::compare::Ends;
use crate::compilers::{ClassChange, CompilerComparison, CompilerReport, RunChange};
use crate::text::{counted, printable, thousands};

/// Returns the text of a comparison: the two compilers, how many classes differ, what differs of the runs, and each
/// of the classes on a line of its own.
pub fn compilers(reports: [&CompilerReport; 2], comparison: &CompilerComparison) -> String {
    let [before, after] = reports.map(name);
    let verb = if comparison.classes.len() == 1 { "differs" } else { "differ" };
    let classes = counted(comparison.classes.len() as u64, "class");
    let mut text = format!("{before} → {after}: {classes} {verb}\n");
    if let Some(sentence) = UnknownFields::not_compared(reports.map(|report| &report.unknown)) {
        text += &format!("  {sentence}\n");
    }
    for change in &comparison.run {
        text += &format!("  {}\n", of_run(change));
    }
    for change in &comparison.classes {
        text += &format!("  {}\n", of_class(change));
    }
    text
}

/// Returns the name of a compiler and its version.
pub fn name(report: &CompilerReport) -> String {
    printable(&format!("{} {}", report.compiler.name, report.compiler.version))
}

/// Says which of two runs reached its end, where the other did not.
pub fn ends(ends: Ends) -> &'static str {
    match ends.after {
        true => "The later run reached its end, and the earlier one did not",
        false => "The later run did not reach its end, and the earlier one did",
    }
}

/// Returns a difference between two runs in words.
fn of_run(change: &RunChange) -> String {
    match change {
        RunChange::Complete(of) => ends(*of).into(),
        RunChange::Count { of, before, after } => {
            format!("{of}: {} → {}", thousands(*before), thousands(*after))
        }
        RunChange::Stale { went, came } => {
            let told = |waivers: &[String], end: &str| {
                let told = waivers.iter().map(|waiver| format!("{}{end}", printable(waiver)));
                told.collect::<Vec<_>>()
            };
            [told(went, " (no more)"), told(came, " (new)")].concat().join("; ")
        }
    }
}

/// Returns how a class differs, in words.
fn of_class(change: &ClassChange) -> String {
    let ClassChange { class, before, after, results, status, places, instructions } = change;
    let mut text = format!("{}: {} → {} cells", printable(class), thousands(*before), thousands(*after));
    match status {
        Some([one, two]) if one == two => text += ", other statuses",
        Some([one, two]) => text += &format!(", {} → {}", one.name(), two.name()),
        None => {}
    }
    for (is_so, words) in
        [(results, "other results"), (places, "other places"), (instructions, "other instructions")]
    {
        if *is_so {
            text += &format!(", {words}");
        }
    }
    text
}
