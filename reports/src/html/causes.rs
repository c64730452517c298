//! The table of all causes of what fails.

use std::collections::HashMap;

use maud::{Markup, html};

use super::front::TEXT;
use super::glossary::word;
use super::prose;
use super::variant::Details;
use crate::causes::{CauseGroup, groups};
use crate::text::{counted, elided, thousands};
use crate::{Report, Status, VariantReport};

/// The largest number of causes that there is room for; whoever wrote a report may have written any number.
const CAUSES: usize = 500;
/// The number of causes, from the first on, for which a mismatch is shown.
const SHOWN: usize = 20;
/// The number of variants of a cause that are named at once.
const NAMED: usize = 3;
/// The largest number of further variants of a cause that are named: the table of variants has the others.
const LISTED: usize = 100;
/// The largest number of further variants that are named of all causes together.
const LISTED_OF_ALL: usize = 2_000;

/// The columns of the table: a heading, and whether the column is of numbers.
const COLUMNS: [(&str, bool); 5] = [
    ("cause", false),
    ("variants", true),
    ("mismatches", true),
    ("worst variant", true),
    ("where", false),
];

/// Returns the causes of what fails, those of most mismatches first, [`CAUSES`] at most.
pub fn sorted(report: &Report) -> Vec<CauseGroup<'_>> {
    let mut groups = groups(&report.variants);
    groups.sort_by_cached_key(|group| std::cmp::Reverse(group.mismatches()));
    groups.truncate(CAUSES);
    groups
}

/// Returns the section of all causes, and of the variants that fail without a class.
pub fn causes(report: &Report, details: &Details) -> Markup {
    let groups = details.causes();
    let is_without = |of: &&VariantReport| of.status == Status::Fail && of.classes.is_empty();
    let without: Vec<_> = report.variants.iter().filter(is_without).take(CAUSES).collect();
    if groups.is_empty() && without.is_empty() {
        return html! {};
    }
    let vectors: HashMap<&str, u64> =
        report.variants.iter().map(|variant| (&*variant.variant, variant.vectors)).collect();
    // Where there are many causes, the first ones use up the room for names.
    let mut left = LISTED_OF_ALL;
    let mut listed = |group: &CauseGroup| {
        let listed = group.variants().saturating_sub(NAMED).min(LISTED).min(left);
        left -= listed;
        listed
    };
    html! {
        section { h2 { "What is wrong" }
            @if !groups.is_empty() {
                form.filter role="search" aria-label="causes" {
                    label { "Find a cause " input #find type="search" autocomplete="off" spellcheck="false"; }
                }
                p.small { "Each " (word("cause", "cause")) ", the " (word("variant", "variants")) " that have it, their \
                    mismatches, and the largest share of the " (word("vector", "vectors")) " of one variant that it makes wrong." }
                table #causes {
                    thead { tr { @for (heading, is_number) in COLUMNS {
                        th scope="col" .number[is_number] { button type="button" { (heading) } }
                    } } }
                    tbody { @for (number, group) in groups.iter().enumerate() {
                        (row(number, group, listed(group), &vectors, details))
                    } }
                }
                @if groups.len() == CAUSES { p { "Shown are the " (CAUSES) " causes of most mismatches." } }
            }
            @for variant in without {
                p { (link(&variant.variant)) ": " (elided(variant.reason.as_deref().unwrap_or_default(), TEXT)) }
            }
        }
    }
}

/// Returns the row of one cause: its words and a mismatch, its counts, and its variants, `listed` of them behind the
/// first ones.
fn row(
    number: usize,
    group: &CauseGroup,
    listed: usize,
    vectors: &HashMap<&str, u64>,
    details: &Details,
) -> Markup {
    // Whoever has one cause alone wants to see its mismatch.
    let is_only = details.causes().len() == 1;
    let names = group.names();
    let (first, rest) = names.split_at(names.len().min(NAMED));
    html! { tr {
        td { (prose(&elided(&group.words(), TEXT)))
            @if number < SHOWN {
                details open[is_only] { summary { "One mismatch" span.hidden { " of this cause" } }
                    p { "Of " (link(first.first().unwrap_or(&""))) ":" }
                    (details.class(group.classes[0], true))
                }
            }
        }
        td.number { (thousands(names.len() as u64)) }
        td.number { (thousands(group.mismatches())) }
        td.number { (share(worst(group, vectors))) }
        td {
            @for name in first { (link(name)) " " }
            @if !rest.is_empty() {
                details { summary { (thousands(rest.len() as u64)) " more" }
                    @for name in rest.iter().take(listed) { (link(name)) " " }
                    a href={ "#cause=" (number) } { "all " (counted(names.len() as u64, "variant")) " in the table" }
                }
            }
        }
    } }
}

/// Returns the largest part of a variant's vectors that a cause makes wrong, from 0 to 1.
fn worst(group: &CauseGroup, vectors: &HashMap<&str, u64>) -> f64 {
    let mut wrong: HashMap<&str, u64> = HashMap::new();
    for class in &group.classes {
        let variant = class.id.rsplit_once('/').map_or(&*class.id, |(variant, _)| variant);
        let sum = wrong.entry(variant).or_default();
        *sum = sum.saturating_add(class.count);
    }
    let share = |(name, wrong): (&str, u64)| {
        let all = vectors.get(name).copied().unwrap_or(0).max(1);
        (wrong as f64 / all as f64).min(1.0)
    };
    wrong.into_iter().map(share).fold(0.0, f64::max)
}

/// Formats a part as a percentage, never more than it is.
fn share(part: f64) -> String {
    // Rounded down to a tenth of a percent, so that 100 % means all.
    match (part * 1000.0).floor() / 10.0 {
        0.0 => "< 0.1 %".into(),
        percent => format!("{percent:.1} %"),
    }
}

/// Returns a link to a variant's page.
pub fn link(variant: &str) -> Markup {
    html! { a href={ "#/" (variant) } { code { (variant) } } }
}
