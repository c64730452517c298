//! The pieces of what a report says, for renderings that take as many of them as there is room for.

use super::classes::text as class_text;
use super::compilers;
use super::page::Page;
use super::{Style, heading, limits, replay_of, verdict};
use crate::causes::groups;
use crate::compilers::Finding;
use crate::document::harmless;
use crate::text::counted;
use crate::{AnyReport, Report, Status, Verdict};

/// The pieces of what a report says, as text without colour whose lines are ended.
pub(super) struct ReportPieces {
    /// The verdict on the report.
    pub verdict: Verdict,
    /// The heading: what was tested, and everything that makes the run less than the whole.
    pub heading: String,
    /// The verdict in a sentence.
    pub last: String,
    /// The instructions, each with the number of its variants that have each status of [`STATUSES`]. A compiler has
    /// none.
    pub instructions: Vec<(String, [u64; 5])>,
    /// The failures: a line about each, and all about it.
    pub failures: Vec<(String, String)>,
}

/// The statuses that variants are counted by, and the words for them.
pub(crate) const STATUSES: [(Status, &str); 5] = [
    (Status::Pass, "agree"),
    (Status::Fail, "disagree"),
    (Status::Waived, "waived"),
    (Status::Unsupported, "unsupported"),
    (Status::Incomplete, "incomplete"),
];

/// Returns the pieces of what a report says.
pub(super) fn pieces_of(report: &AnyReport, style: &Style) -> ReportPieces {
    let page = Page::new(false, None);
    match report {
        AnyReport::Implementation(report) => {
            let (outcome, report) = (report.verdict(), &harmless(&**report));
            let replay = replay_of(style);
            let instructions = by_instruction(report);
            let mut failures = Vec::new();
            for group in groups(&report.variants) {
                let variants = counted(group.variants() as u64, "variant");
                let mismatches = counted(group.mismatches(), "mismatch");
                let title = format!("{}: {variants}, {mismatches}", group.words());
                failures.push((title, class_text(&group, replay.as_ref(), page)));
            }
            // A variant that fails for another cause has no class.
            for variant in &report.variants {
                if variant.status == Status::Fail && variant.classes.is_empty() {
                    let reason = variant.reason.as_deref().unwrap_or_default();
                    failures
                        .push((format!("{}: {reason}", variant.variant), page.wrapped(reason, 0, 0)));
                }
            }
            let heading = heading(report, page) + &limits(report, page);
            let last = verdict(report, page);
            ReportPieces { verdict: outcome, heading, last, instructions, failures }
        }
        AnyReport::Compiler(report) => {
            let clean = harmless(&**report);
            let texts = compilers::failures(report, &clean, style, page);
            let titled = |(finding, text): (&Finding, Option<String>)| {
                let title = format!("{}: {}", finding.class, counted(finding.cells, "cell"));
                text.map(|text| (title, text))
            };
            let failing = clean.findings.iter().zip(texts).filter_map(titled);
            let mut failures: Vec<(String, String)> = failing.collect();
            failures.extend(clean.stale.iter().map(|stale| (stale.clone(), page.wrapped(stale, 0, 0))));
            let heading = compilers::heading(&clean, page) + &compilers::limits(&clean, page);
            let last = compilers::verdict(&clean, page);
            ReportPieces { verdict: report.verdict(), heading, last, instructions: Vec::new(), failures }
        }
    }
}

/// Counts, for each instruction in the order of the report, how many of its variants have each status of
/// [`STATUSES`].
pub(crate) fn by_instruction(report: &Report) -> Vec<(String, [u64; 5])> {
    let mut instructions: Vec<(String, [u64; 5])> = Vec::new();
    for variant in &report.variants {
        let name = variant.instruction();
        let place = instructions.iter().position(|(known, _)| known == name);
        let place = place.unwrap_or_else(|| {
            instructions.push((name.to_owned(), [0; 5]));
            instructions.len() - 1
        });
        let counts = instructions[place].1.iter_mut().zip(STATUSES);
        counts.for_each(|(count, (status, _))| *count += u64::from(status == variant.status));
    }
    instructions
}
