//! Renders a report as text for a person at a terminal, or in the log of a CI job.

use std::collections::BTreeMap;

use crate::document::harmless;
use crate::text::{FIRM, counted, printable, thousands};
use crate::{Judge, Report, Status, VariantReport, Verdict, total};

pub mod annotations;
mod campaign;
mod classes;
pub mod compare;
mod compilers;
mod inconsistencies;
pub mod junit;
pub mod markdown;
mod page;
mod report_pieces;
mod rules;
mod table;

pub(crate) use campaign::counts;
pub(crate) use classes::{Replay, explain_command, explained, replay_command};
pub use compilers::summary as compiler_summary;
use page::Page;
pub(crate) use report_pieces::{STATUSES, by_instruction};
pub(crate) use rules::families;

/// The options of printing a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Whether to use ANSI colours.
    pub color: bool,
    /// The path of the report's file, for the commands that replay a mismatch. Without it no such commands are
    /// printed.
    pub replay: Option<String>,
    /// The number of columns of the terminal, where there is one. Lines are no wider, if it has 20 at least.
    pub columns: Option<usize>,
    /// The name of the implementation, or of the compiler, where the commands that replay a mismatch have to give
    /// it: `replay` takes few implementations from a report.
    pub implementation: Option<String>,
    /// Whether unsupported variants are listed, and not only counted.
    pub unsupported: bool,
    /// The words before the commands that a person is told to type; without them those of [`XTASK`].
    pub program: Option<&'static str>,
}

/// The words before a command in texts that do not depend on how the suite was called, such as pages that are kept.
pub const XTASK: &str = "cargo xtask";

impl Style {
    /// Returns the words before the commands that a person is told to type.
    pub(crate) fn program(&self) -> &'static str {
        self.program.unwrap_or(XTASK)
    }
}

/// Returns the verdict on a report, in one sentence and the colours of a style.
pub fn verdict_of(report: &Report, style: &Style) -> String {
    verdict(&harmless(report), Page::new(style.color, style.columns))
}

/// Returns what a report says: the variants, the choices that the contract left, the first mismatch of each class,
/// what the run left out, and in the last line the verdict.
pub fn summary(report: &Report, style: &Style) -> String {
    let page = Page::new(style.color, style.columns);
    let report = &harmless(report);
    let replay = replay_of(style);
    let sections = [
        heading(report, page),
        classes::causes(&report.variants, page),
        table::variants(report, style, page),
        depth(report, page),
        relaxations(&report.variants, page),
        classes::classes(&report.variants, replay.as_ref(), page),
        inconsistencies::inconsistencies(&report.inconsistencies, page),
        campaign::campaign(report.campaign.as_ref(), page),
        limits(report, page),
        verdict(report, page),
    ];
    let sections: Vec<String> = sections.into_iter().filter(|section| !section.is_empty()).collect();
    // Each section ends its last line, so this leaves an empty line between them.
    sections.join("\n")
}

/// Returns what the commands that replay a class have to name, or `None` where they are not printed.
pub(crate) fn replay_of(style: &Style) -> Option<Replay> {
    let implementation = style.implementation.as_deref().map(printable);
    let path = style.replay.as_deref().map(printable);
    path.map(|path| Replay { program: style.program(), path, implementation })
}

/// Returns the matrix of rules that the implementation follows, family by family, or a sentence where the report
/// has no such matrix.
pub fn rules(report: &Report, style: &Style) -> String {
    let page = Page::new(style.color, style.columns);
    let report = &harmless(report);
    match rules::rules(&report.rules, page) {
        none if none.is_empty() => page.wrapped("The report says nothing about rules.", 0, 0),
        text => heading(report, page) + "\n" + &text,
    }
}

/// Returns the heading, which says what was tested, against which reference, and on which vectors.
fn heading(report: &Report, page: Page) -> String {
    let tested = &report.implementation;
    let mut name = format!("{} {}", tested.name, tested.version);
    let extras: Vec<String> =
        [tested.device.clone(), tested.driver.as_ref().map(|driver| format!("driver {driver}"))]
            .into_iter()
            .flatten()
            .collect();
    if !extras.is_empty() {
        name += &format!(" ({})", extras.join(", "));
    }
    let (oracle, plan) = (&report.oracle, &report.plan);
    let reference = match &plan.model {
        Some(model) => format!("the model of {model}"),
        // Where another function is the reference, there is no version of MPFR.
        None if oracle.mpfr.is_empty() => oracle.name.clone(),
        None => format!("{} {}", oracle.name, oracle.mpfr),
    };
    let seconds = report.times.seconds;
    let text = format!(
        "{name} against {reference}, {}, seed {}, {seconds:.1}{FIRM}s",
        asked(report),
        plan.seed
    );
    page.sentence(Page::bold, &text)
}

/// Names the vectors that were asked for: a tier, or what fuzzing kept.
pub(crate) fn asked(report: &Report) -> String {
    match report.campaign {
        Some(_) => "what fuzzing kept".into(),
        None => format!("{} tier", report.plan.tier),
    }
}

/// Names the reference that variants agree with: the oracle, the model of a target, or either.
fn truth(report: &Report) -> String {
    let by_model = report.variants.iter().filter(|variant| variant.judge == Judge::Model).count();
    let Some(model) = report.plan.model.as_deref().filter(|_| by_model > 0) else {
        return report.oracle.name.clone();
    };
    match by_model == report.variants.iter().filter(|variant| variant.vectors > 0).count() {
        true => format!("the model of {model}"),
        false => format!("{}, or the model of {model}", report.oracle.name),
    }
}

/// Says how deep the run went, and who judged where MPFR did not judge every result itself.
fn depth(report: &Report, page: Page) -> String {
    let mut out = String::new();
    if report.plan.floor > 0 {
        let floor = thousands(report.plan.floor);
        out += &page.wrapped(
            &format!(
                "At least {floor} vectors are planned for every variant, or all its inputs if it has fewer."
            ),
            0,
            2,
        );
    }
    out + &screening(&report.variants, page)
}

/// Returns a sentence for each judge beside MPFR: in how many variants it judged, and how much.
fn screening(variants: &[VariantReport], page: Page) -> String {
    let tested: Vec<&VariantReport> = variants.iter().filter(|variant| variant.vectors > 0).collect();
    let all = counted(tested.len() as u64, "tested variant");
    let line = |judge: Judge, how: fn(&str) -> String| {
        let some = tested.iter().filter(|variant| variant.judge == judge).count();
        let sweeps = variants.iter().flat_map(|variant| &variant.sweeps);
        let spared = sweeps
            .filter(|sweep| sweep.judge == judge)
            .map(|sweep| sweep.vectors.saturating_sub(sweep.confirmed));
        let text =
            format!("Judge: in {} of {all} {}", thousands(some as u64), how(&thousands(total(spared))));
        if some == 0 { String::new() } else { page.wrapped(&text, 0, 2) }
    };
    line(Judge::Screened, |spared| {
        format!(
            "the emulator, proven by MPFR on the same vectors, screened {spared} results; MPFR judged \
             those that differed from it, a sample, and everything else."
        )
    }) + &line(Judge::Device, |spared| {
        format!(
            "{spared} vectors were made and judged on the device, by a kernel whose results MPFR has proven \
             on the same vectors; MPFR judged what differed, a sample, and everything else."
        )
    }) + &line(Judge::Series, |spared| {
        format!(
            "series with a proven bound judged {spared} results; MPFR decided what they left open, and \
             judged a sample to the same effect."
        )
    }) + &line(Judge::Model, |spared| {
        format!(
            "{spared} results were compared bit for bit with what the model of a target computes, and not \
             with the contract."
        )
    })
}

/// Returns one line per relaxation: how often it left a choice, and what the implementation chose.
fn relaxations(variants: &[VariantReport], page: Page) -> String {
    let mut names: BTreeMap<&str, (u64, BTreeMap<&str, u64>)> = BTreeMap::new();
    for relaxation in variants.iter().flat_map(|variant| &variant.relaxations) {
        let (results, answers) = names.entry(&relaxation.name).or_default();
        *results = results.saturating_add(relaxation.results);
        for (answer, count) in &relaxation.answers {
            let sum = answers.entry(answer).or_default();
            *sum = sum.saturating_add(*count);
        }
    }
    names.retain(|_, (results, _)| *results > 0);
    if names.is_empty() {
        return String::new();
    }
    let mut out = page.sentence(Page::bold, "Where more than one result is accepted");
    let width = names.keys().map(|name| name.chars().count()).max().unwrap_or(0);
    let count_width = names.values().map(|(count, _)| thousands(*count).len()).max().unwrap_or(0);
    for (name, (results, answers)) in names {
        let noun = if results == 1 { "result" } else { "results" };
        let head = format!("  {name:width$}  {:>count_width$} {noun}", thousands(results));
        let mut answers: Vec<_> = answers.into_iter().collect();
        answers.sort_by_key(|&(answer, count)| (std::cmp::Reverse(count), answer));
        let answers: Vec<String> =
            answers.iter().map(|(answer, count)| format!("{answer} {}", thousands(*count))).collect();
        let more = |shown: usize| match answers.len() - shown {
            0 => String::new(),
            left => format!(", {left} more"),
        };
        let line = |shown: usize| format!("{head}: {}{}", answers[..shown].join(", "), more(shown));
        // As many answers as fit stand beside the name; where none fits, all stand below it.
        let fitting =
            (1..=answers.len()).rev().map(line).find(|line| line.chars().count() <= page.width);
        out += &match fitting {
            Some(line) => line + "\n",
            None => page.wrapped(&format!("{}: {}", head.trim(), answers.join(", ")), 2, 4),
        };
    }
    out
}

/// Returns everything that makes the run less than the whole, in lines.
fn limits(report: &Report, page: Page) -> String {
    let mut out = String::new();
    if !report.complete {
        let planned = thousands(report.plan.vectors);
        let text = format!(
            "NOT RUN TO THE END: {} of {planned} planned vectors were tested.",
            thousands(report.totals.vectors)
        );
        out += &page.sentence(Page::yellow, &text);
    }
    if !report.reduced.is_empty() {
        let text = match report.campaign {
            Some(_) => "REDUCED RUN: the vectors that fuzzing kept, not a tier.".into(),
            None => format!("REDUCED RUN: less than the whole {} tier.", report.plan.tier),
        };
        out += &page.sentence(Page::yellow, &text);
        for reason in &report.reduced {
            out += &page.wrapped(&format!("- {reason}"), 2, 4);
        }
    }
    out
}

/// Returns the verdict on a report as one line without colour.
pub(crate) fn verdict_line(report: &Report) -> String {
    joined(&verdict(report, Page::new(false, None)))
}

/// Returns the words of a text on one line.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the last line of a summary: the verdict in a coloured sentence.
fn verdict(report: &Report, page: Page) -> String {
    let totals = &report.totals;
    // A client of two variants is not told "of 6,766": only what it has can agree or disagree.
    let asked = counted(totals.variants.saturating_sub(totals.unsupported), "variant");
    let unsupported = match totals.unsupported {
        0 => String::new(),
        count => format!("; {} unsupported", thousands(count)),
    };
    let vectors = counted(totals.vectors, "vector");
    match report.verdict() {
        Verdict::Agree => {
            let agreeing = totals.passed.saturating_add(totals.waived);
            let verb = if agreeing == 1 { "agrees" } else { "agree" };
            let mut text = format!("{} {verb} with {}", counted(agreeing, "variant"), truth(report));
            text += &format!(" on {vectors}");
            text += &match totals.waived {
                0 => String::new(),
                1 if agreeing == 1 => ", apart from its waived mismatches".to_owned(),
                all if all == agreeing => ", apart from their waived mismatches".to_owned(),
                some => format!(", apart from the waived mismatches of {} of them", thousands(some)),
            };
            text += &unsupported;
            text += if report.reduced.is_empty() { "." } else { " (reduced run)." };
            page.sentence(Page::green, &text)
        }
        Verdict::Mismatches => {
            let failing = || report.variants.iter().filter(|variant| variant.status == Status::Fail);
            let mismatches = total(failing().map(|variant| variant.mismatches));
            let classes = failing().map(|variant| variant.classes.len() as u64).sum();
            let failed = thousands(totals.failed);
            let mut text = match (mismatches, totals.failed) {
                (0, 1) => format!("{failed} of {asked} fails"),
                (0, _) => format!("{failed} of {asked} fail"),
                (_, 1) => format!("{failed} of {asked} disagrees"),
                _ => format!("{failed} of {asked} disagree"),
            };
            if mismatches > 0 {
                text += &format!(": {}", counted(mismatches, "mismatch"));
            }
            if classes > 0 {
                text += &format!(" in {}", counted(classes, "class"));
            }
            text += &unsupported;
            text += if report.complete { "." } else { "; not run to the end." };
            page.sentence(Page::red, &text)
        }
        Verdict::Incomplete if report.unread() > 0 && totals.incomplete == 0 => {
            let unread = counted(report.unread(), "artifact");
            page.sentence(
                Page::yellow,
                &format!("No mismatch in {vectors}; {unread} could not be read."),
            )
        }
        Verdict::Incomplete => {
            let text = format!(
                "Not run to the end: no mismatch in {vectors} so far, {} of {asked} incomplete{unsupported}.",
                thousands(totals.incomplete)
            );
            page.sentence(Page::yellow, &text)
        }
        Verdict::Nothing => {
            let all = counted(totals.variants, "variant");
            let text = match totals.variants {
                0 => "Nothing was tested: no variant was selected.".to_owned(),
                count if count == totals.unsupported => {
                    format!("Nothing was tested: {} unsupported.", thousands(count) + " of " + &all)
                }
                _ => format!("Nothing was tested: no vector was planned for {all}."),
            };
            page.sentence(Page::yellow, &text)
        }
    }
}
