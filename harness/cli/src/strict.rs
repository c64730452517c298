//! The option `--strict`, the opposite of a waiver: of an open point of the manual, one interpretation is accepted, and
//! results that follow another fail their variant.

use std::str::FromStr;

use base::invocation;
use isa::Relaxation;
use isa::matrix::SumRelaxation;
use reports::{Report, Status, Totals, VariantReport, counted};

/// The answer of a sum that each of two relaxations explains.
const EITHER: &str = "either";

/// A relaxation that is held to one of its interpretations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strictness {
    relaxation: &'static str,
    interpretation: &'static str,
}

/// Returns every relaxation with its interpretations.
fn relaxations() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    let lanes = Relaxation::ALL.into_iter().map(|one| (one.name(), one.interpretations()));
    lanes.chain(SumRelaxation::ALL.iter().map(|one| (one.name(), one.answers())))
}

impl FromStr for Strictness {
    type Err = String;

    /// Reads `RELAXATION`, which stands for its first interpretation, or `RELAXATION=INTERPRETATION`.
    fn from_str(text: &str) -> Result<Strictness, String> {
        let (name, wanted) = text.split_once('=').map_or((text, None), |(name, one)| (name, Some(one)));
        let Some((relaxation, interpretations)) = relaxations().find(|known| known.0 == name) else {
            let list = invocation::line("list --relaxations");
            return Err(format!("there is no relaxation `{name}`: `{list}` prints all"));
        };
        let interpretation = match wanted {
            None => interpretations.first(),
            Some(wanted) => interpretations.iter().find(|known| **known == wanted),
        };
        match interpretation {
            Some(interpretation) => Ok(Strictness { relaxation, interpretation }),
            None => Err(format!("{relaxation} is read as one of: {}", interpretations.join(", "))),
        }
    }
}

impl Strictness {
    /// Returns how many results of a variant follow another interpretation than this one. A sum that another relaxation
    /// explains as well is among them only if that one is in `all`, too.
    fn refused(&self, variant: &VariantReport, all: &[Strictness]) -> u64 {
        let is_either = |name: &str| {
            let others = variant.relaxations.iter().filter(|other| other.name != name);
            let mut others = others.filter(|other| other.answers.contains_key(EITHER));
            others.all(|other| all.iter().any(|strict| strict.relaxation == other.name))
        };
        let own = variant.relaxations.iter().filter(|own| own.name == self.relaxation);
        let answers = own.flat_map(|own| &own.answers);
        let refused = answers.filter(|(answer, _)| match answer.as_str() {
            EITHER => self.interpretation != EITHER && is_either(self.relaxation),
            answer => answer.split(" or ").all(|one| one != self.interpretation),
        });
        refused.map(|(_, count)| *count).fold(0, u64::saturating_add)
    }
}

/// Fails each variant of a report in which a result follows an interpretation that is refused.
pub fn apply(all: &[Strictness], report: &mut Report) {
    for variant in &mut report.variants {
        let reasons: Vec<String> = all
            .iter()
            .filter_map(|strict| {
                let count = strict.refused(variant, all);
                let Strictness { relaxation, interpretation } = strict;
                (count > 0).then(|| {
                    format!(
                        "{} of {relaxation} {} not `{interpretation}`, which --strict asks for",
                        counted(count, "result"),
                        if count == 1 { "is" } else { "are" }
                    )
                })
            })
            .collect();
        if !reasons.is_empty() {
            variant.status = Status::Fail;
            let before = variant.reason.take();
            variant.reason = Some(before.into_iter().chain(reasons).collect::<Vec<_>>().join("; "));
        }
    }
    report.totals = Totals::of(&report.variants);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Strictness, String> {
        text.parse()
    }

    #[test]
    fn a_relaxation_is_held_to_its_first_interpretation_or_to_a_named_one() {
        let first = read("reduced-accumulation").unwrap();
        assert_eq!((first.relaxation, first.interpretation), ("reduced-accumulation", "single"));
        assert_eq!(read("ftz-tininess=unbounded").unwrap().interpretation, "unbounded");
        assert!(read("no-such").unwrap_err().contains("list --relaxations"));
        assert!(read("ftz-tininess=odd").unwrap_err().contains("exact, unbounded, rounded"));
        assert!(read("").is_err() && read("=exact").is_err());
    }

    /// Returns the part of a report about a variant that gives these answers.
    fn variant(answers: &[(&str, &str, u64)]) -> VariantReport {
        let relaxations = answers.iter().map(|(name, answer, count)| {
            serde_json::json!({
                "name": name, "reason": "", "results": count, "answers": {*answer: count}
            })
        });
        let relaxations: Vec<_> = relaxations.collect();
        let variant = serde_json::json!({
            "variant": "v", "status": "pass", "judge": "mpfr", "vectors": 9, "mismatches": 0,
            "sweeps": [], "relaxations": relaxations, "classes": []
        });
        serde_json::from_value(variant).unwrap()
    }

    #[test]
    fn results_that_follow_another_interpretation_are_refused() {
        let refused = |strict: &[&str], answers: &[(&str, &str, u64)]| {
            let all: Vec<Strictness> = strict.iter().map(|text| read(text).unwrap()).collect();
            let variant = variant(answers);
            all.iter().map(|one| one.refused(&variant, &all)).collect::<Vec<_>>()
        };
        assert_eq!(refused(&["ftz-tininess"], &[("ftz-tininess", "exact or unbounded", 3)]), [0]);
        assert_eq!(refused(&["ftz-tininess"], &[("ftz-tininess", "unbounded or rounded", 3)]), [3]);
        assert_eq!(refused(&["ftz-tininess=rounded"], &[("ftz-tininess", "exact", 2)]), [2]);
        assert_eq!(refused(&["ftz-tininess"], &[("any-nan", "other", 2)]), [0]);
        let reduced = [("reduced-accumulation", "reduced", 5)];
        assert_eq!(refused(&["reduced-accumulation"], &reduced), [5]);
        // What flushing explains as well is right, unless flushing is refused, too.
        let either = [("reduced-accumulation", "either", 5), ("sum-subnormal", "either", 5)];
        assert_eq!(refused(&["reduced-accumulation"], &either), [0]);
        assert_eq!(refused(&["reduced-accumulation", "sum-subnormal"], &either), [5, 5]);
    }
}
