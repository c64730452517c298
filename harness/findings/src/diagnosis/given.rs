//! The lanes of the evidence in which a candidate gives what the implementation gave, and those that it makes wrong.

use std::collections::{BTreeMap, BTreeSet};

use isa::{Variant, results_for};
use judge::MismatchKind;

use super::candidate::Candidate;
use super::condition::{Condition, Only};
use super::evidence::{Element, Evidence, Rerun};
use super::range::{Quantity, Range};

/// The least number of right results that a candidate has to make wrong, to be tried in a range.
const FEW: usize = 8;

/// The lanes in which a candidate gives results that are not the right ones.
pub struct Given {
    /// The lanes that are wrong, and for which the candidate gives the actual result, by class.
    wrong: BTreeMap<MismatchKind, Vec<Element>>,
    /// The lanes that are right, and for which the candidate gives a wrong result.
    right: Vec<Element>,
}

impl Given {
    /// Collects the lanes of some classes and of right results. Classes are left out in which the candidate gives another
    /// result than the actual one in some wrong lane. Returns `None` if no class is left, or if few right results are made
    /// wrong.
    pub fn by(
        candidate: &Candidate,
        rerun: &Rerun,
        evidence: &[Evidence],
        kinds: &BTreeSet<MismatchKind>,
    ) -> Option<Given> {
        let (variant, mut wrong, mut right) = (rerun.variant, BTreeMap::new(), Vec::new());
        let (output, lanes) = (&variant.outputs()[0], variant.lanes());
        let mut others = BTreeSet::new();
        for batch in evidence {
            let rows = batch.operands[0].rows();
            let mut results = results_for(variant, rows);
            candidate.run(variant, &batch.operands, &mut results);
            let mut of_candidate = vec![0; rows * lanes];
            output.gather(variant.results(), &results, 0..rows, &mut of_candidate);
            let made_wrong: BTreeSet<usize> =
                rerun.judge.wrong_rows(&batch.truth, batch.batch(&results)).into_iter().collect();
            let mismatches: BTreeMap<usize, MismatchKind> = batch.mismatches.iter().copied().collect();
            let elements = batch.elements(variant, 0);
            for (number, (element, gives)) in elements.into_iter().zip(of_candidate).enumerate() {
                let row = number / lanes;
                match mismatches.get(&row) {
                    Some(kind) if !kinds.contains(kind) => {}
                    Some(&kind) if element.actual != element.expected && gives != element.actual => {
                        others.insert(kind);
                    }
                    Some(&kind) if element.actual != element.expected => {
                        wrong.entry(kind).or_insert_with(Vec::new).push(element);
                    }
                    _ if gives != element.expected && made_wrong.contains(&row) => right.push(element),
                    _ => {}
                }
            }
        }
        wrong.retain(|kind, _| !others.contains(kind));
        (!wrong.is_empty() && right.len() >= FEW).then_some(Given { wrong, right })
    }

    /// Returns conditions that hold of the wrong lanes of all classes and of no right lane, or if there are none, of all
    /// classes but one: a range, two of `conditions`, or one of them and a range.
    pub fn conditions(
        &self,
        variant: &Variant,
        conditions: &[Condition],
        quantities: &[Quantity],
    ) -> Vec<Only> {
        let but = |left_out: Option<&MismatchKind>| -> Vec<Only> {
            let classes = self.wrong.iter().filter(|(kind, _)| Some(*kind) != left_out);
            let wrong: Vec<Element> = classes.flat_map(|(_, elements)| elements).copied().collect();
            if wrong.is_empty() {
                return Vec::new();
            }
            self.conditions_of(&wrong, variant, conditions, quantities)
        };
        let of_all = but(None);
        if of_all.is_empty() {
            self.wrong.keys().flat_map(|kind| but(Some(kind))).collect()
        } else {
            of_all
        }
    }

    /// Returns conditions that hold of some wrong lanes and of no right lane. Each of two rules some right lanes out that the
    /// other does not.
    fn conditions_of(
        &self,
        wrong: &[Element],
        variant: &Variant,
        conditions: &[Condition],
        quantities: &[Quantity],
    ) -> Vec<Only> {
        let holds = |of: Condition, lane: &Element| of.holds(variant, &lane.inputs, lane.expected);
        let ranges = |right: &[Element]| -> Vec<Condition> {
            let ranges = quantities.iter().filter_map(|&of| Range::between(variant, of, wrong, right));
            ranges.map(Condition::Within).collect()
        };
        let mut found: Vec<Only> = ranges(&self.right).into_iter().map(Only::from).collect();
        let common: Vec<Condition> =
            conditions.iter().copied().filter(|of| wrong.iter().all(|lane| holds(*of, lane))).collect();
        for (number, &first) in common.iter().enumerate() {
            let left: Vec<Element> =
                self.right.iter().filter(|lane| holds(first, lane)).copied().collect();
            if left.len() < FEW || left.len() + FEW > self.right.len() {
                continue;
            }
            found.extend(ranges(&left).into_iter().map(|range| Only::both(first, range)));
            let second =
                common[number + 1..].iter().filter(|of| !left.iter().any(|lane| holds(**of, lane)));
            found.extend(second.map(|&second| Only::both(first, second)));
        }
        found
    }
}
