//! The comparison of answers that are not the table's with the list of known disagreements.

use std::collections::{BTreeMap, HashMap, HashSet};

use isa::{PtxVersion, Target};

use super::question::AssemblerQuestion;
use super::{Direction, Disagreement, Explanation};

/// A question whose answer is not the table's.
#[derive(Clone, Debug)]
pub struct Surprise {
    /// The number of the question.
    pub question: u32,
    /// The target of the module.
    pub target: Target,
    /// The module's version of PTX.
    pub ptx: PtxVersion,
    /// The direction: whether ptxas accepts or refuses the instruction.
    pub direction: Direction,
    /// The reason that ptxas gives, where it refuses.
    pub message: Option<String>,
}

/// A row of a list of known disagreements about questions of some kind.
pub trait KnownDisagreement<Q> {
    /// Returns the syntax, the direction and the reason that the row has.
    fn says(&self) -> (&'static str, Direction, &'static str);

    /// Whether the row holds on a target.
    fn concerns(&self, target: Target) -> bool;

    /// Whether the row holds in a version.
    fn holds_in(&self, _: PtxVersion) -> bool {
        true
    }

    /// Whether the row explains the answer to a question on which it makes no claim.
    fn covers(&self, _: &Q, _: Target, _: PtxVersion) -> bool {
        false
    }
}

/// Parts the surprises into those that the list explains and those that it does not.
///
/// Returns the unexplained ones, and each row of the list with the number of disagreements that it explains. With
/// `checked`, the rows also say where the list no longer holds. `claims` has for each row the numbers of the questions
/// that it makes a claim on.
pub fn explain<Q: AssemblerQuestion, K: KnownDisagreement<Q>>(
    list: &[K],
    claims: &[Vec<u32>],
    questions: &[Q],
    targets: &[Target],
    surprises: Vec<Surprise>,
    checked: bool,
) -> (Vec<Surprise>, Vec<Explanation>) {
    let mut rows_of: HashMap<u32, Vec<usize>> = HashMap::new();
    for (row, claims) in claims.iter().enumerate() {
        for &question in claims {
            rows_of.entry(question).or_default().push(row);
        }
    }
    let mut held: Vec<HashSet<(u32, Target)>> = list.iter().map(|_| HashSet::new()).collect();
    let mut unexplained = Vec::new();
    for surprise in surprises {
        let &Surprise { question, target, ptx, direction, .. } = &surprise;
        let asked = &questions[question as usize];
        let fits = |row: usize| {
            let row = &list[row];
            row.says().1 == direction && row.concerns(target) && row.holds_in(ptx)
        };
        // A row that claims the question goes before one about parts on top of any spelling.
        let mut by_claim = rows_of.get(&question).into_iter().flatten().copied();
        let row = by_claim
            .find(|&row| fits(row))
            .or_else(|| (0..list.len()).find(|&row| fits(row) && list[row].covers(asked, target, ptx)));
        match row {
            Some(row) => drop(held[row].insert((question, target))),
            None => unexplained.push(surprise),
        }
    }
    let stale = |row: usize| -> Vec<String> {
        if !checked {
            return Vec::new();
        }
        // A row about parts on top of any spelling has no claims, and is stale where it explains nothing.
        if claims[row].is_empty() && held[row].is_empty() {
            return vec!["nothing of the kind".into()];
        }
        let concerned = || targets.iter().copied().filter(|&target| list[row].concerns(target));
        let open = claims[row].iter().flat_map(|&question| {
            let open = concerned().filter(|&target| !held[row].contains(&(question, target)));
            open.map(|target| format!("{target}: {}", questions[question as usize].text()))
                .collect::<Vec<_>>()
        });
        open.collect()
    };
    let explanations = (0..list.len()).map(|row| {
        let (syntax, direction, reason) = list[row].says();
        Explanation { syntax, direction, reason, explained: held[row].len(), stale: stale(row) }
    });
    let explanations = explanations.collect();
    (unexplained, explanations)
}

/// Merges surprises into one disagreement for each instruction, version and direction, in the order of the questions.
pub fn gather(questions: &[impl AssemblerQuestion], surprises: Vec<Surprise>) -> Vec<Disagreement> {
    let mut gathered: BTreeMap<(u32, PtxVersion, Direction), Disagreement> = BTreeMap::new();
    for Surprise { question, target, ptx, direction, message } in surprises {
        let entry = gathered.entry((question, ptx, direction)).or_insert_with(|| Disagreement {
            subject: questions[question as usize].text().to_owned(),
            direction,
            ptx,
            targets: Vec::new(),
            message,
        });
        entry.targets.push(target);
    }
    let sorted = gathered.into_values().map(|mut disagreement| {
        disagreement.targets.sort_unstable();
        disagreement
    });
    sorted.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known_disagreements::{self, SpellingDisagreement};
    use crate::question::Questions;

    fn surprise(questions: &Questions, text: &str, target: &str) -> Surprise {
        let place = questions.all().iter().position(|question| question.text == text);
        Surprise {
            question: place.unwrap_or_else(|| panic!("{text} is not asked")) as u32,
            target: target.parse().unwrap(),
            ptx: "9.5".parse().unwrap(),
            direction: Direction::Accepted,
            message: None,
        }
    }

    #[test]
    fn a_row_explains_what_it_claims_and_fails_where_it_no_longer_holds() {
        let testp = |row: &&SpellingDisagreement| row.syntax.starts_with("testp");
        let row = known_disagreements::all().iter().position(|row| testp(&row)).unwrap();
        let list = &known_disagreements::all()[row..=row];
        let questions = Questions::collect_near(&[], 1, known_disagreements::claims(list));
        let targets: Vec<Target> = ["sm_53", "sm_90"].map(|text| text.parse().unwrap()).into();
        let surprise = |text, target| surprise(&questions, text, target);
        let explain = |surprises: &[Surprise], checked| {
            let claims = known_disagreements::claimed(&questions, list);
            let (open, mut rows) =
                explain(list, &claims, questions.all(), &targets, surprises.to_vec(), checked);
            (open.len(), rows.remove(0))
        };
        let mut surprises = vec![
            surprise("testp.f32 p0, r0;", "sm_53"),
            surprise("testp.f64 p0, q0;", "sm_53"),
            surprise("testp.f64 p0, q0;", "sm_90"),
        ];
        let (open, row) = explain(&surprises, true);
        assert_eq!((open, row.explained), (0, 3));
        assert_eq!(row.stale, ["sm_90: testp.f32 p0, r0;"]);
        assert_eq!(explain(&surprises, false).1.stale, [""; 0]);
        surprises.push(surprise("testp.f32 p0, r0;", "sm_90"));
        assert_eq!(explain(&surprises, true).1.stale, [""; 0]);
        surprises[0].direction = Direction::Refused;
        assert_eq!(explain(&surprises, true).0, 1, "it is about what ptxas accepts");
    }

    #[test]
    fn targets_are_gathered_by_instruction_and_version() {
        let questions =
            Questions::collect_near(&[], 1, known_disagreements::claims(known_disagreements::all()));
        let mut surprises = ["sm_90", "sm_53", "sm_80"]
            .map(|target| surprise(&questions, "testp.f32 p0, r0;", target))
            .to_vec();
        surprises[2].ptx = "7.0".parse().unwrap();
        let gathered = gather(questions.all(), surprises);
        let targets: Vec<String> = gathered[1].targets.iter().map(Target::to_string).collect();
        assert_eq!((gathered.len(), targets.join(" ")), (2, "sm_53 sm_90".into()));
    }
}
