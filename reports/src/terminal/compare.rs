//! Tells a person what changed from one report to another.

mod compilers;

use super::Style;
use super::page::Page;
use crate::compare::{Change, Comparison, VariantChange};
use crate::text::{counted, printable, thousands};
use crate::{Report, Status, UnknownFields};

pub use compilers::{compilers, name};

/// Returns the text of a comparison: the two reports, whether only one is whole, how many variants changed, and
/// each of these on a line of its own, for `grep`. What got worse comes first.
pub fn changes(
    reports: [&Report; 2],
    names: [&str; 2],
    comparison: &Comparison,
    style: &Style,
) -> String {
    let page = Page::new(style.color, style.columns);
    let mut text = String::new();
    for ((sign, report), name) in ["-", "+"].into_iter().zip(reports).zip(names) {
        text += &page.wrapped(&format!("{sign} {}: {}", printable(name), describe_report(report)), 0, 2);
    }
    if let Some(sentence) = UnknownFields::not_compared(reports.map(|report| &report.unknown)) {
        text += &page.wrapped(&sentence, 0, 2);
    }
    let Comparison { complete, variants: changes } = comparison;
    if let Some(ends) = complete {
        let color = if ends.after { Page::bold } else { Page::red };
        text += &page.sentence(color, &format!("{}.", compilers::ends(*ends)));
    }
    if changes.is_empty() {
        return text + "No variant differs.\n";
    }
    let worse = changes.iter().filter(|change| change.worse).count() as u64;
    let line = format!(
        "{}, {} for the worse.",
        counted(changes.len() as u64, "variant")
            + if changes.len() == 1 { " differs" } else { " differ" },
        if worse == 0 { "none".to_owned() } else { thousands(worse) },
    );
    text += &page.wrapped(&line, 0, 0);
    for (is_worse, color) in
        [(true, Page::red as fn(Page, &str) -> String), (false, |_, text| text.to_owned())]
    {
        for VariantChange { variant, changes, .. } in changes.iter().filter(|of| of.worse == is_worse) {
            let words: Vec<String> = changes.iter().map(|change| words(variant, change)).collect();
            let shown = color(page, &printable(variant));
            text += &format!("{shown}: {}\n", words.join("; "));
        }
    }
    text
}

/// Says what a report is about, and how it was made.
fn describe_report(Report { implementation, suite, plan, .. }: &Report) -> String {
    let known =
        [Some(&implementation.name), implementation.device.as_ref(), implementation.driver.as_ref()];
    let known: Vec<String> = known.into_iter().flatten().map(|text| printable(text)).collect();
    format!(
        "{}; suite {}, {}, tier {}, seed {}",
        known.join(", "),
        printable(&suite.version),
        suite.revision.as_deref().map_or("revision unknown".into(), printable),
        printable(&plan.tier),
        plan.seed
    )
}

/// Returns a change of a variant in words. The name of a class is what stands behind the variant's in its whole
/// name.
fn words(variant: &str, change: &Change) -> String {
    let status = |status: &Option<Status>| status.map_or("not tested", Status::name);
    let ulp = |error: &Option<f64>| error.map_or("infinite".into(), |ulp| format!("{ulp:.3}"));
    let of = |range: &Option<String>| {
        range.as_ref().map(|range| format!(" for {}", printable(range))).unwrap_or_default()
    };
    let list = |texts: &[String]| {
        let texts: Vec<String> = texts.iter().map(|text| printable(text)).collect();
        if texts.is_empty() { "nothing".into() } else { texts.join(", ") }
    };
    let in_sweeps = |texts: &[String]| {
        format!("{} {}", if texts.len() == 1 { "sweep" } else { "sweeps" }, list(texts))
    };
    // The line begins with the variant already.
    let class = |id: &str| {
        let name = id.strip_prefix(variant).and_then(|rest| rest.strip_prefix('/'));
        printable(name.unwrap_or(id))
    };
    match change {
        Change::Status { before, after } => format!("{} → {}", status(before), status(after)),
        Change::Vectors { before, after } => match after.checked_sub(*before) {
            Some(more) => format!("{} more", counted(more, "vector")),
            None => format!("{} fewer", counted(before - after, "vector")),
        },
        Change::Sweep { sweep, before, after } => {
            format!(
                "sweep {}: {} → {}",
                printable(sweep),
                counted(*before, "vector"),
                counted(*after, "vector")
            )
        }
        Change::Mismatches { sweep, before, after } => format!(
            "sweep {}: {} → {}",
            printable(sweep),
            counted(*before, "mismatch"),
            counted(*after, "mismatch")
        ),
        Change::Class { id, before: 0, after } => {
            format!("new class {} with {}", class(id), counted(*after, "mismatch"))
        }
        Change::Class { id, before, after: 0 } => {
            format!("class {} is gone, which had {}", class(id), counted(*before, "mismatch"))
        }
        Change::Class { id, before, after } => {
            format!("{}: {} → {}", class(id), counted(*before, "mismatch"), counted(*after, "mismatch"))
        }
        Change::Cause { id, before, after } => {
            let cause =
                |words: &Option<String>| words.as_deref().map_or("unexplained".into(), printable);
            format!("{} has another cause: {} → {}", class(id), cause(before), cause(after))
        }
        Change::Choice { relaxation, before, after } => {
            format!("{} answered with {} → {}", printable(relaxation), list(before), list(after))
        }
        Change::Error { range, before, after } => {
            let told = match [ulp(before), ulp(after)] {
                [before, after] if before != after => format!("{before} → {after}"),
                // The errors differ in later digits.
                _ => format!("{} → {}", before.unwrap_or_default(), after.unwrap_or_default()),
            };
            format!("largest error{} {told} ulp", of(range))
        }
        Change::Given { range, after: true } => format!("largest error{} is given now", of(range)),
        Change::Given { range, after: false } => {
            format!("largest error{} is no longer given", of(range))
        }
        Change::Histogram { range, above, before, after } => format!(
            "results for {} off by more than {above} ulp: {} → {}",
            printable(range),
            thousands(*before),
            thousands(*after)
        ),
        Change::Results { sweeps, right: true } => {
            format!(
                "different results for the same vectors, all of them right, in {}",
                in_sweeps(sweeps)
            )
        }
        Change::Results { sweeps, right: false } => {
            format!("different results for the same vectors, in {}", in_sweeps(sweeps))
        }
    }
}
