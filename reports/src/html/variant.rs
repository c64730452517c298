//! The page of one variant: what is wrong, what was asked, what was chosen, how far off it is.

use std::collections::{BTreeSet, HashMap};

use maud::{Markup, PreEscaped, html};

use super::glossary::{linked, word};
use super::table::{kind, status_word, ulps};
use super::{Depth, EXPLAINED, Explain, bits, causes, plots, prose, scrolled};
use crate::causes::CauseGroup;
use crate::terminal::{Replay, XTASK, explain_command, explained, replay_command};
use crate::text::{counted, elided, thousands};
use crate::{Class, Judge, RangeReport, RelaxationReport, Report, Status, SweepReport, VariantReport};

/// The largest number of characters of an explanation.
const EXPLANATION: usize = 4_000;

/// The data that the pages of the variants are made of.
pub struct Details<'a> {
    replay: Option<&'a Replay>,
    /// The explanations, by the name of a class, of what happens to the operands of its simplest mismatch.
    explanations: HashMap<&'a str, String>,
    /// The causes of what fails, in the order in which they are told.
    causes: Vec<CauseGroup<'a>>,
    /// The names of the first class of each cause.
    firsts: BTreeSet<&'a str>,
    /// The report that the data are of.
    report: &'a Report,
    /// Whether all classes have been explained, and not only those in `firsts`.
    explains_all: bool,
}

impl<'a> Details<'a> {
    /// Collects the data of a report.
    pub fn new(report: &'a Report, replay: Option<&'a Replay>, explain: Explain) -> Details<'a> {
        let causes = causes::sorted(report);
        let firsts: BTreeSet<&str> = causes.iter().map(|group| &*group.classes[0].id).collect();
        let classes = report.variants.iter().map(|variant| variant.classes.len()).sum::<usize>();
        let explains_all = classes <= EXPLAINED;
        let mut explanations = HashMap::new();
        for variant in &report.variants {
            for class in &variant.classes {
                if !explains_all && !firsts.contains(&*class.id) {
                    continue;
                }
                // The mismatch that is explained is the one that is drawn.
                let shown = class.simplest.as_ref().or(class.examples.first());
                if let Some(text) = shown.and_then(|shown| explain(&variant.variant, shown)) {
                    explanations.insert(&*class.id, elided(&text, EXPLANATION));
                }
            }
        }
        Details { replay, explanations, causes, firsts, report, explains_all }
    }

    /// Whether every class is explained, and not only the first one of each cause.
    pub(super) fn explains_all(&self) -> bool {
        self.explains_all
    }

    /// Returns the numbers of the variants in the order of their need of a page: those that show a cause, the others
    /// that do not pass, and those that pass.
    pub(super) fn order(&self) -> Vec<usize> {
        let variants = &self.report.variants;
        let shows_cause =
            |of: &VariantReport| of.classes.iter().any(|class| self.firsts.contains(&*class.id));
        let rank = |number: &usize| match &variants[*number] {
            of if shows_cause(of) => 0,
            of if of.status == Status::Fail => 1,
            of if of.status != Status::Pass => 2,
            _ => 3,
        };
        let mut order: Vec<usize> = (0..variants.len()).collect();
        // The sort is stable: within a rank the order of the report stays.
        order.sort_by_cached_key(rank);
        order
    }

    /// Returns the causes of what fails.
    pub fn causes(&self) -> &[CauseGroup<'a>] {
        &self.causes
    }

    /// Returns the numbers of the causes that each variant has, by its name.
    pub fn numbers(&self) -> HashMap<&str, Vec<usize>> {
        let mut numbers: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, group) in self.causes.iter().enumerate() {
            for name in group.names() {
                numbers.entry(name).or_default().push(number);
            }
        }
        numbers
    }

    /// Returns the page of a variant as HTML, if it has one.
    pub(super) fn page(&self, variant: &VariantReport, depth: Depth) -> Option<String> {
        let is_wanted = depth > Depth::NotPassing || variant.status != Status::Pass;
        is_wanted.then(|| self.markup(variant, depth).into_string())
    }

    /// Returns the page of a variant.
    fn markup(&self, variant: &VariantReport, depth: Depth) -> Markup {
        let VariantReport { status, reason, vectors, unanswered, mismatches, classes, .. } = variant;
        html! {
            p { a href="#all" { "← All variants" } }
            h2 { (variant.variant) }
            p { strong class=(status.name()) { (status_word(*status)) }
                @if let Some(reason) = reason { ": " (prose(reason)) }
            }
            @if *vectors > 0 {
                p { (counted(*vectors, "vector"))
                    @if *mismatches > 0 { ", " (counted(*mismatches, "mismatch")) }
                    @if *unanswered > 0 { ", " (thousands(*unanswered)) " more " (self.report.gap_words()) }
                    ". " (linked(judge(variant.judge), "screened"))
                }
            }
            @for class in classes {
                section {
                    h3 { (kind(&class.id)) ": " (counted(class.count, "mismatch")) }
                    (self.class(class, depth == Depth::Explained || self.firsts.contains(&*class.id)))
                }
            }
            (accuracy(&variant.accuracy))
            (relaxations(&variant.relaxations))
            (sweeps(&variant.sweeps, self.report.gap_words()))
        }
    }

    /// Returns what is known of a class, and its simplest mismatch.
    pub fn class(&self, class: &Class, with_explanation: bool) -> Markup {
        let first = class.examples.first();
        let shown = class.simplest.as_ref().or(first);
        html! {
            p { (prose(&elided(&class.diagnosis, EXPLANATION))) }
            @if let Some(text) = explained(class) { p { (linked(&elided(&text, EXPLANATION), "run again")) } }
            @if let Some(waiver) = &class.waiver {
                p { strong.waived { "waived" } ": " (prose(&elided(&waiver.reason, EXPLANATION)))
                    @if let Some(link) = &waiver.link { " (" (link) ")" } }
            }
            @if let Some(shown) = shown {
                p { @match class.simplest { Some(_) => "The simplest mismatch:", None => "The first mismatch:" } }
                (bits::drawing(shown))
            }
            @if with_explanation && let Some(text) = self.explanations.get(&*class.id) {
                p { "What PTX requires for these operands:" }
                (scrolled("step by step", html! { pre { (text) } }))
            }
            @if let Some(first) = first {
                p.small { "Found first in vector " (thousands(first.index)) " of " (first.sweep) "." }
            }
            (scrolled("commands", html! { pre {
                @if let Some(replay) = self.replay { (replay_command(class, replay)) "\n" }
                @if let Some(command) = explain_command(class, XTASK) { (command) }
            } }))
        }
    }
}

/// Says in a sentence who judged a variant's results.
fn judge(judge: Judge) -> &'static str {
    match judge {
        Judge::Mpfr => "MPFR judged every result.",
        Judge::Screened => {
            "Results were screened with the emulator, which MPFR has proven on the same vectors; MPFR \
             judged what differed, and a sample."
        }
        Judge::Device => {
            "Results were screened on the device by a kernel that MPFR has proven on the same vectors; \
             MPFR judged what differed, and a sample."
        }
        Judge::Series => {
            "Results were judged by series with a proven bound; MPFR judged what these left open, and \
             a sample."
        }
        Judge::Model => {
            "Results were compared bit for bit with a model of the target, not with the contract."
        }
    }
}

/// Returns the section of the errors, held against the manual's bounds.
fn accuracy(ranges: &[RangeReport]) -> Markup {
    if ranges.is_empty() {
        return html! {};
    }
    html! {
        section { h3 { "Errors" }
            (scrolled("errors", html! { table { thead { tr {
                th scope="col" { "operands" } th scope="col" { "bound" } th.number scope="col" { "results" }
                th.number scope="col" { "largest error, ulp" } th scope="col" { "of" }
            } }
            tbody { @for range in ranges { tr {
                th scope="row" { (range.range) } td { (range.bound) } td.number { (thousands(range.results)) }
                @match &range.worst {
                    Some(worst) => {
                        td.number { @match worst.ulp {
                            Some(ulp) => (ulps(ulp)),
                            None => "infinite",
                        } }
                        td { code { @for operand in &worst.operands { (operand.name) " " (operand.bits) " " } } }
                    },
                    None => { td {} td {} },
                }
            } } } } }))
            @if let Some(plot) = plots::profile(ranges) {
                figure { figcaption { "The largest error in each binade of the operand, as a part of the bound, which \
                        is the line" @if plots::is_clipped(ranges) { ". A mark at the top is beyond the drawing" } } (PreEscaped(plot)) }
            }
            @for range in ranges { @if let Some(plot) = plots::histogram(range) {
                figure { figcaption { (range.range) ": how many results had which error, against a bound of " (range.bound)
                    // Errors are counted from the exact value, and such a bound is not.
                    @if range.bound.ends_with(" ulp") { ", which is counted from the correctly rounded result, at most half a unit away" }
                } (PreEscaped(plot)) }
            } }
        }
    }
}

/// Returns the section that says where more than one result is right, and what was chosen.
fn relaxations(relaxations: &[RelaxationReport]) -> Markup {
    let met: Vec<_> = relaxations.iter().filter(|of| of.results > 0).collect();
    if met.is_empty() {
        return html! {};
    }
    html! {
        section { h3 { (word("relaxation", "Where more than one result is accepted")) }
            dl { @for relaxation in met {
                dt { (relaxation.name) ", " (counted(relaxation.results, "result")) }
                dd { (prose(&relaxation.reason))
                    ul { @for (answer, count) in &relaxation.answers { li { (answer) ": " (thousands(*count)) } } } }
            } }
        }
    }
}

/// Returns the section of the sweeps, which says whether all results have the bits that were expected. `gap` is the
/// heading of the vectors that were not judged.
fn sweeps(sweeps: &[SweepReport], gap: &str) -> Markup {
    if sweeps.is_empty() {
        return html! {};
    }
    let gaps = sweeps.iter().any(|sweep| sweep.vectors < sweep.planned);
    html! {
        section { h3 { (word("sweep", "Sweeps")) }
            (scrolled("sweeps", html! { table { thead { tr {
                th scope="col" { "sweep" } th.number scope="col" { "vectors" }
                @if gaps { th.number scope="col" { "of planned" } th.number scope="col" { (gap) } }
                th.number scope="col" { "mismatches" } th.number scope="col" { "judged by MPFR" }
                th scope="col" { "bits" }
            } }
            tbody { @for sweep in sweeps { tr {
                th scope="row" { (sweep.name) } td.number { (thousands(sweep.vectors)) }
                @if gaps { td.number { (thousands(sweep.planned)) } td.number { (thousands(sweep.unanswered)) } }
                td.number { (thousands(sweep.mismatches)) } td.number { (thousands(sweep.confirmed)) }
                td { @if sweep.vectors == 0 { "none" } @else if sweep.results == sweep.expected { "all as expected" }
                    @else if sweep.mismatches == 0 { "different, all right" } @else { "different" } }
            } } } } }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_that_were_not_judged_are_headed_by_why() {
        let sweep = SweepReport {
            name: "grid".into(),
            planned: 10,
            vectors: 8,
            unanswered: 2,
            mismatches: 0,
            judge: Judge::Mpfr,
            confirmed: 8,
            inputs: "0x0".into(),
            results: "0x0".into(),
            expected: "0x0".into(),
        };
        let page = sweeps(std::slice::from_ref(&sweep), "left out by --where").into_string();
        assert!(page.contains(">left out by --where<") && !page.contains("without a result"), "{page}");
    }
}
