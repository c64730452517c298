//! `cargo xtask qualify --compare`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use reports::{Report, VariantReport, harmless, printable};

use super::record;
use crate::command::{AGREE, Ending, MISMATCH, print};

/// Runs the command.
pub fn run(one: &Path, other: &Path) -> Ending {
    let ((first, probed), (second, probed_too)) = (record::open(one)?, record::open(other)?);
    // Each of their texts, and each path, is one line.
    let (first, second) = (harmless(&first), harmless(&second));
    let [shown, shown_too] = [one, other].map(|path| printable(&path.display().to_string()));
    let mut text = format!("- {shown}: {}\n+ {shown_too}: {}\n", who(&first), who(&second));
    let mut differences = variants(&first, &second);
    let answers = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    let (before, after) = (answers(&probed), answers(&probed_too));
    differences
        .extend(before.iter().filter(|line| !after.contains(line)).map(|line| format!("-{line}")));
    differences
        .extend(after.iter().filter(|line| !before.contains(line)).map(|line| format!("+{line}")));
    if differences.is_empty() {
        text += "No difference in what was found.\n";
    }
    differences.iter().for_each(|line| text += &format!("{line}\n"));
    print(&text)?;
    Ok(ExitCode::from(if differences.is_empty() { AGREE } else { MISMATCH }))
}

/// Whom and how a record is about, on a line.
fn who(Report { implementation, suite, plan, .. }: &Report) -> String {
    let known =
        [Some(&implementation.name), implementation.device.as_ref(), implementation.driver.as_ref()];
    let known: Vec<&str> = known.into_iter().flatten().map(String::as_str).collect();
    format!(
        "{}; suite {}, {}, tier {}, seed {}",
        known.join(", "),
        suite.version,
        suite.revision.as_deref().unwrap_or("revision unknown"),
        plan.tier,
        plan.seed
    )
}

/// A line for each variant of which different things were found.
fn variants(first: &Report, second: &Report) -> Vec<String> {
    let by_name = |report: &'_ Report| -> BTreeMap<String, VariantReport> {
        report.variants.iter().map(|variant| (variant.variant.clone(), variant.clone())).collect()
    };
    let (mut before, mut after) = (by_name(first), by_name(second));
    let names: std::collections::BTreeSet<String> = before.keys().chain(after.keys()).cloned().collect();
    let lines = names.into_iter().filter_map(|name| {
        let what = match (before.remove(&name), after.remove(&name)) {
            (Some(one), Some(other)) => difference(&one, &other)?,
            (Some(_), None) => "only in the first".into(),
            _ => "only in the second".into(),
        };
        Some(format!("{name}: {what}"))
    });
    lines.collect()
}

/// In what two findings about a variant differ.
fn difference(one: &VariantReport, other: &VariantReport) -> Option<String> {
    let mut parts = Vec::new();
    if one.status != other.status {
        parts.push(format!("{} and {}", one.status.name(), other.status.name()));
    }
    if one.mismatches != other.mismatches {
        parts.push(format!("{} and {} mismatches", one.mismatches, other.mismatches));
    }
    let same_questions: Vec<_> = one
        .sweeps
        .iter()
        .filter_map(|sweep| Some((sweep, other.sweeps.iter().find(|two| two.name == sweep.name)?)))
        .filter(|(sweep, two)| sweep.inputs == two.inputs)
        .collect();
    let apart: Vec<&str> = same_questions
        .iter()
        .filter(|(sweep, two)| sweep.results != two.results)
        .map(|(sweep, _)| sweep.name.as_str())
        .collect();
    if !apart.is_empty() {
        parts.push(format!("other answers to the same vectors ({})", apart.join(", ")));
    }
    if let (Some(worst), Some(worst_too)) = (one.max_ulp, other.max_ulp)
        && (worst - worst_too).abs() > 1e-9
    {
        parts.push(format!("{worst:.3} and {worst_too:.3} ulp at most"));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}
