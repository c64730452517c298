//! The front page of a run: what was tested, what the run does not prove, and why the implementation disagrees.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::causes::{causes, link};
use super::glossary::word;
use super::limits::{judged, limits};
use super::scrolled;
use super::table::status_word;
use super::variant::Details;
use crate::terminal::{STATUSES, asked, by_instruction, counts, families};
use crate::text::{counted, elided, thousands};
use crate::{Inconsistency, Report, RuleReport, Status};

/// The largest number of characters that are shown of a text from the report.
pub const TEXT: usize = 1_000;
/// The largest number of items that are shown of a list from the report.
pub const SHOWN: usize = 50;
/// The largest number of open points with more than one answer that are shown.
const POINTS: usize = 20;

/// Returns the whole front page.
pub fn front(report: &Report, details: &Details) -> Markup {
    html! {
        (facts(report))
        (limits(report))
        (tiles(report))
        (causes(report, details))
        (inconsistencies(&report.inconsistencies))
        (rules(report))
    }
}

/// Returns the list of what was tested against what, where and when.
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
    facts.push(("Judged", judged(report)));
    let mut asked = format!("{}, seed {}", asked(report), plan.seed);
    asked += &plan.target.as_ref().map(|target| format!(", target {target}")).unwrap_or_default();
    asked += &plan.shard.map(|of| format!(", shard {}/{}", of.index, of.count)).unwrap_or_default();
    facts.push(("Plan", asked));
    facts.extend(report.campaign.as_ref().map(|of| ("Artifacts", counts(of))));
    let revision = suite.revision.as_deref().map(|of| format!(", revision {of}")).unwrap_or_default();
    facts.push(("Suite", format!("{}{revision}", suite.version)));
    let resumed = match times.resumed {
        0 => String::new(),
        count => format!(", resumed {}", counted(count, "time")),
    };
    facts.push(("When", format!("{}, for {:.1} s{resumed}", times.started, times.seconds)));
    let threads = counted(machine.threads, "thread");
    facts.push(("Machine", format!("{} {}, {}, {threads}", machine.os, machine.arch, machine.cpu)));
    html! { dl.facts { @for (name, value) in facts { div .wide[name == "Judged"] {
        dt { @if name == "Judged" { (word("judged", name)) } @else { (name) } }
        dd { (elided(&value, TEXT)) }
    } } } }
}

/// Returns a text as a part of an address, percent-encoded.
fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

/// Returns a tile for each instruction, those that disagree first.
fn tiles(report: &Report) -> Markup {
    let mut instructions = by_instruction(report);
    let place = |status| STATUSES.iter().position(|(of, _)| *of == status).unwrap_or(0);
    // The sort is stable: within either half the order of the report stays.
    instructions.sort_by_key(|(_, counts)| std::cmp::Reverse(counts[place(Status::Fail)] > 0));
    html! {
        section { h2 { "Instructions" }
            ul.tiles { @for (name, counts) in &instructions {
                @let fails = counts[place(Status::Fail)] > 0;
                li .bad[fails] {
                    a href={ "#is=" (encoded(name)) } {
                        strong { (name) }
                        span.bar aria-hidden="true" { @for (count, (status, _)) in counts.iter().zip(STATUSES) {
                            @if *count > 0 { i class=(status.name()) style={ "flex:" (count) } {} }
                        } }
                        @for (count, (status, plural)) in counts.iter().zip(STATUSES) {
                            @if *count > 0 {
                                small { (thousands(*count)) " " (if *count == 1 { status_word(status) } else { plural }) } " "
                            }
                        }
                    }
                }
            } }
        }
    }
}

/// Returns the section of the open points that were answered in more than one way.
fn inconsistencies(points: &[Inconsistency]) -> Markup {
    if points.is_empty() {
        return html! {};
    }
    html! {
        section { h2 { "Answered in more than one way" }
            p { "The manual leaves these points open. Each result is right by one " (word("interpretation", "interpretation")) " or another, but no single one gives all of them: the implementation may have a fault. These points do not make a run fail." }
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

/// Returns the matrix of PTX's rules and the families of instructions.
fn rules(report: &Report) -> Markup {
    let rules = &report.rules;
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
            p { "The second number says how many " (word("variant", "variants")) " of a family a rule applies to, \
                and the first how many of these do not break it. A fault counts against the rules that it is known to \
                break, or against the last rule if there is none." }
            @if let Some(text) = variants_of_no_family(report, &families) { p { (text) } }
            (scrolled("rules by family of instructions", table))
        }
    }
}

/// Says how many tested variants are of no family of the rules; `None` if there are none.
fn variants_of_no_family(report: &Report, families: &[&str]) -> Option<String> {
    let largest = |family: &&str| {
        let cells =
            report.rules.iter().flat_map(|rule| &rule.families).filter(|cell| cell.family == **family);
        cells.map(|cell| cell.variants).max().unwrap_or(0)
    };
    let counted_there = families.iter().map(largest).fold(0, u64::saturating_add);
    let tested = || report.variants.iter().filter(|variant| variant.vectors > 0);
    let left = (tested().count() as u64).checked_sub(counted_there).filter(|left| *left > 0)?;
    let casts = tested().filter(|variant| variant.instruction() == CAST).count() as u64;
    let which = match left == casts {
        true => format!(", those of {CAST}, which is not an instruction of PTX"),
        false => String::new(),
    };
    Some(format!(
        "{} {} in no column{which}.",
        counted(left, "tested variant"),
        if left == 1 { "is" } else { "are" }
    ))
}

/// The name of the conversions that PTX has no instruction for.
const CAST: &str = "cast";
