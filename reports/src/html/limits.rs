//! The parts of the front page that say who judged, and what a run does not prove.

use maud::{Markup, html};

use super::front::{SHOWN, TEXT};
use super::prose;
use crate::text::{counted, elided, thousands};
use crate::{Judge, Report, SweepReport, VariantReport, total};

/// The judges beside MPFR, and what they did.
const OTHERS: [(Judge, &str); 4] = [
    (Judge::Screened, "were screened by the emulator's results, which MPFR had proven before"),
    (Judge::Device, "were screened on the device by a kernel whose results MPFR had proven before"),
    (Judge::Series, "were judged by series with a proven bound"),
    (Judge::Model, "were compared with the model of a target, and not with the contract"),
];

/// The name of the sweep that has every combination of a lane's operands.
const EXHAUSTIVE: &str = "exhaustive";

/// Says how many vectors MPFR judged in this run, and who judged the others.
pub fn judged(report: &Report) -> String {
    let sweeps = || report.variants.iter().flat_map(|variant| &variant.sweeps);
    let all = total(sweeps().map(|sweep| sweep.vectors));
    // No more vectors were judged than were tested, whatever a report claims.
    let own = total(sweeps().map(|sweep| sweep.confirmed.min(sweep.vectors)));
    let share = u128::from(own) * 100 / u128::from(all.max(1));
    let mut text = match all {
        0 => return "no vectors".into(),
        _ if own == all => format!("all {}, by MPFR in this run", counted(all, "vector")),
        _ => format!("{} of {}, {share} %, by MPFR in this run", thousands(own), counted(all, "vector")),
    };
    for (judge, how) in OTHERS {
        let spared = total(sweeps().filter(|sweep| sweep.judge == judge).map(vectors_not_judged));
        if spared > 0 {
            text += &format!("; {} {how}", thousands(spared));
        }
    }
    text
}

/// Returns how many vectors of a sweep MPFR did not judge in this run.
fn vectors_not_judged(sweep: &SweepReport) -> u64 {
    sweep.vectors.saturating_sub(sweep.confirmed)
}

/// Returns the section that says what the run does not prove.
pub fn limits(report: &Report) -> Markup {
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
        limits.push(format!("Nothing is known about {variants}, which the implementation lacks."));
    }
    if totals.unanswered > 0 && report.reduced.is_empty() {
        let vectors = counted(totals.unanswered, "vector");
        limits.push(match report.has_condition() {
            true => format!("{vectors} were left out by --where."),
            false => format!("{vectors} had no result, and were not judged."),
        });
    }
    limits.extend(samples(&report.variants));
    let has_spared =
        |variant: &&VariantReport| variant.sweeps.iter().any(|sweep| vectors_not_judged(sweep) > 0);
    let variants = report.variants.iter().filter(has_spared).count() as u64;
    if variants > 0 {
        let vectors =
            total(report.variants.iter().flat_map(|variant| &variant.sweeps).map(vectors_not_judged));
        limits.push(format!(
            "{} of {} were not judged by MPFR itself in this run.",
            counted(vectors, "vector"),
            counted(variants, "variant")
        ));
    }
    if limits.is_empty() {
        return html! {};
    }
    html! {
        section { h2 { "What this run does not prove" }
            ul { @for limit in limits.iter().take(SHOWN) { li { (prose(&elided(limit, TEXT))) } }
                @if limits.len() > SHOWN { li { (thousands((limits.len() - SHOWN) as u64)) " more in the report." } } }
        }
    }
}

/// Says, in sentences, how many variants had not every input tried.
fn samples(variants: &[VariantReport]) -> Vec<String> {
    let tested: Vec<_> = variants.iter().filter(|variant| variant.vectors > 0).collect();
    let is_whole = |sweep: &SweepReport| sweep.name == EXHAUSTIVE && sweep.vectors == sweep.planned;
    let has_lane = |variant: &VariantReport| variant.sweeps.iter().any(is_whole);
    let has_all = |variant: &VariantReport| variant.sweeps.len() == 1 && has_lane(variant);
    let sampled: Vec<u64> = tested.iter().filter(|of| !has_lane(of)).map(|of| of.vectors).collect();
    let by_lane = tested.iter().filter(|of| has_lane(of) && !has_all(of)).count() as u64;
    let mut limits = Vec::new();
    if let (Some(least), Some(most)) = (sampled.iter().min(), sampled.iter().max()) {
        let each = match least == most {
            true => counted(*least, "vector"),
            false => format!("{} to {}", thousands(*least), counted(*most, "vector")),
        };
        limits.push(format!(
            "For {} of {} only a sample of the inputs was tried: {each} each.",
            thousands(sampled.len() as u64),
            counted(tested.len() as u64, "tested variant")
        ));
    }
    if by_lane > 0 {
        limits.push(format!(
            "For {} with several lanes, every combination of one lane's operands was tried, but not \
             every combination of lanes.",
            counted(by_lane, "variant")
        ));
    }
    limits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Status, VariantReport};

    fn variant(sweeps: &[(&str, u64, Judge, u64)]) -> VariantReport {
        let sweep = |&(name, vectors, judge, confirmed): &(&str, u64, Judge, u64)| SweepReport {
            name: name.into(),
            planned: vectors,
            vectors,
            unanswered: 0,
            mismatches: 0,
            judge,
            confirmed,
            inputs: "0x0".into(),
            results: "0x0".into(),
            expected: "0x0".into(),
        };
        VariantReport {
            variant: "add.f16".into(),
            status: Status::Pass,
            reason: None,
            judge: Judge::Mpfr,
            vectors: sweeps.iter().map(|(_, vectors, ..)| vectors).sum(),
            unanswered: 0,
            mismatches: 0,
            sweeps: sweeps.iter().map(sweep).collect(),
            relaxations: Vec::new(),
            max_ulp: None,
            accuracy: Vec::new(),
            classes: Vec::new(),
        }
    }

    #[test]
    fn only_one_lane_has_all_inputs_in_one_sweep() {
        let whole = variant(&[("exhaustive", 65_536, Judge::Mpfr, 65_536)]);
        assert_eq!(samples(std::slice::from_ref(&whole)), [""; 0]);
        let lanes = variant(&[("lanes", 16, Judge::Mpfr, 16), ("exhaustive", 256, Judge::Mpfr, 256)]);
        let part = |vectors| variant(&[("pairs", vectors, Judge::Mpfr, vectors)]);
        let said = samples(&[whole, lanes, part(10), part(2_000)]);
        assert_eq!(
            said[0],
            "For 2 of 4 tested variants only a sample of the inputs was tried: 10 to 2,000 vectors each."
        );
        assert!(said[1].starts_with("For 1 variant with several lanes, every"), "{said:?}");
    }
}
