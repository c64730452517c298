//! The first screen: what was tested, what that does not prove, and why it disagrees.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::table::word;
use super::variant::Details;
use super::{prose, scrolled};
use crate::causes::{Group, groups};
use crate::terminal::{STATUSES, by_instruction, counted, elided, families, thousands};
use crate::{Inconsistency, Report, RuleReport, Status};

/// How many characters of a text from the report are told …
const TEXT: usize = 1_000;
/// … and how many of a list.
const SHOWN: usize = 50;
/// How many causes are told.
const CAUSES: usize = 20;
/// How many variants are named of each.
const NAMED: usize = 6;
/// How many open points with more than one answer are told.
const POINTS: usize = 20;

/// All of it.
pub fn front(report: &Report, details: &Details) -> Markup {
    html! {
        (facts(report))
        (limits(report))
        (tiles(report))
        (causes(report, details))
        (inconsistencies(&report.inconsistencies))
        (rules(&report.rules))
    }
}

/// What ran against what, where and when.
fn facts(report: &Report) -> Markup {
    let (tested, suite, oracle) = (&report.implementation, &report.suite, &report.oracle);
    let (plan, machine, times) = (&report.plan, &report.environment, &report.times);
    let mut facts: Vec<(&str, String)> = Vec::new();
    facts.push(("Tested", format!("{} {}", tested.name, tested.version)));
    facts.extend(tested.device.as_ref().map(|device| ("Device", device.clone())));
    facts.extend(tested.driver.as_ref().map(|driver| ("Driver", driver.clone())));
    let details: Vec<String> =
        tested.details.iter().take(SHOWN).map(|(name, value)| format!("{name}: {value}")).collect();
    facts.extend((!details.is_empty()).then(|| ("Its state", details.join("; "))));
    facts.push((
        "Against",
        match &plan.model {
            Some(model) => format!("the model of {model}, and {} {}", oracle.name, oracle.mpfr),
            None => format!("{} {} on GMP {}", oracle.name, oracle.mpfr, oracle.gmp),
        },
    ));
    let mut asked = format!("{} tier, seed {}", plan.tier, plan.seed);
    asked += &plan.target.as_ref().map(|target| format!(", target {target}")).unwrap_or_default();
    asked += &plan.shard.map(|of| format!(", shard {}/{}", of.index, of.count)).unwrap_or_default();
    facts.push(("Plan", asked));
    let revision = suite.revision.as_deref().map(|of| format!(", revision {of}")).unwrap_or_default();
    facts.push(("Suite", format!("{}{revision}", suite.version)));
    let resumed = match times.resumed {
        0 => String::new(),
        count => format!(", resumed {}", counted(count, "time")),
    };
    facts.push(("When", format!("{}, for {:.1} s{resumed}", times.started, times.seconds)));
    let threads = counted(machine.threads, "thread");
    facts.push(("Machine", format!("{} {}, {}, {threads}", machine.os, machine.arch, machine.cpu)));
    html! { dl.facts { @for (name, value) in facts { div { dt { (name) } dd { (elided(&value, TEXT)) } } } } }
}

/// What the run does not prove.
fn limits(report: &Report) -> Markup {
    let (totals, plan) = (&report.totals, &report.plan);
    let mut limits = report.reduced.clone();
    if !report.complete {
        let (tested, planned) = (thousands(totals.vectors), thousands(plan.vectors));
        limits.push(format!(
            "The run did not reach its end: {tested} of {planned} planned vectors were tested."
        ));
    }
    if totals.unsupported > 0 {
        let variants = counted(totals.unsupported, "variant");
        limits.push(format!("Nothing is known of {variants}, which the implementation does not offer."));
    }
    if totals.unanswered > 0 && report.reduced.is_empty() {
        limits.push(format!(
            "{} had no result, and were not judged.",
            counted(totals.unanswered, "vector")
        ));
    }
    if plan.floor > 0 {
        limits.push(format!(
            "Of variants whose inputs are too many to try all, a sample was tried: {} at least.",
            counted(plan.floor, "vector")
        ));
    }
    html! {
        section { h2 { "What this run does not prove" }
            ul { @for limit in limits.iter().take(SHOWN) { li { (prose(&elided(limit, TEXT))) } }
                @if limits.len() > SHOWN { li { (thousands((limits.len() - SHOWN) as u64)) " more in the report." } } }
        }
    }
}

/// A tile for each instruction, those that disagree first.
fn tiles(report: &Report) -> Markup {
    let mut instructions = by_instruction(report);
    let place = |status| STATUSES.iter().position(|(of, _)| *of == status).unwrap_or(0);
    instructions.sort_by_key(|(_, counts)| std::cmp::Reverse(counts[place(Status::Fail)] > 0));
    html! {
        section { h2 { "Instructions" }
            ul.tiles { @for (name, counts) in &instructions {
                @let fails = counts[place(Status::Fail)] > 0;
                li .bad[fails] {
                    a href={ "#is=" (name) } {
                        strong { (name) }
                        span.bar aria-hidden="true" { @for (count, (status, _)) in counts.iter().zip(STATUSES) {
                            @if *count > 0 { i class=(status.name()) style={ "flex:" (count) } {} }
                        } }
                        @for (count, (status, plural)) in counts.iter().zip(STATUSES) {
                            @if *count > 0 {
                                small { (thousands(*count)) " " (if *count == 1 { word(status) } else { plural }) } " "
                            }
                        }
                    }
                }
            } }
        }
    }
}

/// The causes of what fails, those of most variants first, each with one mismatch.
fn causes(report: &Report, details: &Details) -> Markup {
    let mut groups = groups(&report.variants);
    groups.sort_by_cached_key(|group| std::cmp::Reverse(group.variants()));
    let without: Vec<_> =
        report.variants.iter().filter(|of| of.status == Status::Fail && of.classes.is_empty()).collect();
    if groups.is_empty() && without.is_empty() {
        return html! {};
    }
    html! {
        section { h2 { "What is wrong" }
            @for (number, group) in groups.iter().take(CAUSES).enumerate() {
                details open[number == 0] {
                    summary { h3 { (prose(&elided(&group.words(), TEXT))) }
                        " " (counted(group.variants() as u64, "variant")) ", " (counted(group.mismatches(), "mismatch"))
                    }
                    p { "In " (variants(group)) "." }
                    (details.class(group.classes[0], true))
                }
            }
            @if groups.len() > CAUSES {
                p { (counted((groups.len() - CAUSES) as u64, "more cause")) " in the table below." }
            }
            @for variant in without.iter().take(CAUSES) {
                p { (link(&variant.variant)) ": " (variant.reason.as_deref().unwrap_or_default()) }
            }
        }
    }
}

/// The variants of a group by name, the first ones.
fn variants(group: &Group) -> Markup {
    let of = |id: &'_ str| id.rsplit_once('/').map_or(id.to_owned(), |(variant, _)| variant.to_owned());
    let mut names: Vec<String> = group.classes.iter().map(|class| of(&class.id)).collect();
    names.dedup();
    let more = names.len().saturating_sub(NAMED);
    html! {
        @for (number, name) in names.iter().take(NAMED).enumerate() {
            @if number > 0 { ", " }
            (link(name))
        }
        @if more > 0 { " and " (thousands(more as u64)) " more" }
    }
}

/// A link to a variant's page.
fn link(variant: &str) -> Markup {
    html! { a href={ "#/" (variant) } { code { (variant) } } }
}

fn inconsistencies(points: &[Inconsistency]) -> Markup {
    if points.is_empty() {
        return html! {};
    }
    html! {
        section { h2 { "Answered in more than one way" }
            p { "The manual leaves these open, and one reading should hold throughout." }
            @for point in points.iter().take(POINTS) {
                details {
                    summary { h3 { (point.relaxation) } " " (point.scope) }
                    ul { @for answer in &point.answers { li {
                        strong { (answer.answer) } ": " (link(&answer.variant)) ", "
                        (counted(answer.count, "result")) " like it"
                        (super::bits::accepted(&answer.example))
                    } } }
                }
            }
            @if points.len() > POINTS { p { (thousands((points.len() - POINTS) as u64)) " more in the report." } }
        }
    }
}

/// The matrix of rules and families.
fn rules(rules: &[RuleReport]) -> Markup {
    let families = families(rules);
    if families.is_empty() {
        return html! {};
    }
    let cells = |rule: &RuleReport| -> BTreeMap<String, (u64, u64)> {
        rule.families.iter().map(|of| (of.family.clone(), (of.variants, of.following))).collect()
    };
    let table = html! { table {
        thead { tr { th scope="col" { "rule" }
            @for family in &families { th.number scope="col" { (family) } } } }
        tbody { @for rule in rules {
            @let cells = cells(rule);
            tr { th scope="row" { (rule.rule) }
                @for family in &families { @match cells.get(*family) {
                    None | Some((0, _)) => td.number { "–" },
                    Some((all, following)) => td.number .actual[following < all] {
                        (thousands(*following)) "/" (thousands(*all))
                    },
                } }
            }
        } }
    } };
    html! {
        section { h2 { "Rules of PTX" }
            p { "In how many variants that a rule concerns nothing is against it." }
            (scrolled("rules by family of instructions", table))
        }
    }
}
