#![doc = include_str!("../README.md")]

pub mod compiler_report;
pub mod function_record;
pub mod implementation_report;
pub mod published_finding;

use reports::published::{Head, PublishedFinding, Record, Status};
use reports::upstream::Piece;
use wildmatch::WildMatch;

/// Returns the published finding that has a class of what was tested under this name, which may have a version behind
/// `@`.
pub fn matching<'a>(
    findings: &'a [PublishedFinding],
    tested: &str,
    class: &str,
) -> Option<&'a PublishedFinding> {
    let tested = tested.split('@').next().unwrap_or_default();
    let has = |record: &Record| {
        let file = record.path.rsplit('/').next().unwrap_or_default();
        // `programs` has two files for each compiler.
        let name = file.strip_suffix(".json").map(|name| name.strip_prefix("exact-").unwrap_or(name));
        name == Some(tested) && record.classes.iter().any(|text| WildMatch::new(text).matches(class))
    };
    findings.iter().find(|finding| finding.head.report.iter().any(has))
}

/// Returns a paragraph on the versions that were tried, for each piece of software of a finding.
fn versions(head: &Head) -> Vec<Piece> {
    let bad = match head.status {
        Status::Defect | Status::Known | Status::Fixed => "wrong",
        // These findings do not say that the software is wrong.
        Status::OpenPoint | Status::Note | Status::Withdrawn => "seen in",
    };
    let each = head.found_in.iter().map(|of| {
        let part = |word: &str, versions: &[String]| match versions {
            [] => String::new(),
            versions => format!(" {word}: {}.", versions.join(", ")),
        };
        let targets = of.targets.as_ref().map(|targets| format!(" Targets: {targets}."));
        let [wrong, right] = [part(bad, &of.bad), part("right", &of.good)];
        Piece::Markdown(format!("{}:{wrong}{right}{}", of.name, targets.unwrap_or_default()))
    });
    each.collect()
}

/// Returns the rule of a published finding: which document says what is right.
fn rule(finding: &PublishedFinding) -> Vec<Piece> {
    let Some(rule) = &finding.rule else { return Vec::new() };
    let manual = "Section numbers that begin with 9 are those of NVIDIA's PTX ISA manual, version 9.4.";
    let has_sections = rule.contains("section 9.") || rule.starts_with("Section 9.");
    let more = has_sections.then(|| Piece::Prose(manual.into()));
    [Piece::Markdown(rule.clone())].into_iter().chain(more).collect()
}

/// Returns the last line of a text: the suite and the report that it was made of.
fn reference(suite: &str, report: &str) -> String {
    format!("Found by the PTX floating-point conformance suite {suite}, {report}.")
}
