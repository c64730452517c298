//! The faults of candidates that have several, each by itself.
//!
//! Two faults may give wrong results together that neither gives, by way of numbers that exist only between the two: one makes
//! a zero a tiny number, and the other one loses the sign of tiny numbers. Such a pair says that zeros are read wrongly,
//! although nothing shows it.

use formats::Column;
use isa::results_for;
use model::Faults;

use super::candidate::{Candidate, Computes};
use super::evidence::{Evidence, Rerun};
use super::hypotheses::Hypothesis;

/// What was found of single faults so far.
#[derive(Default)]
pub struct Members(Vec<Member>);

/// What a fault does by itself in the vectors that were run again.
struct Member {
    /// The candidate that has this fault alone.
    alone: Candidate,
    /// Whether some result is another one than without the fault.
    shows: bool,
    /// Whether no right result is made wrong.
    is_harmless: bool,
}

impl Members {
    /// Keeps the hypotheses each of whose faults shows by itself in some result. Of those with several faults that explain as
    /// much, the ones come first of which no fault by itself makes a right result wrong.
    pub fn keep_needed(&mut self, rerun: &Rerun, evidence: &[Evidence], of: &mut Vec<Hypothesis>) {
        let mut of_members = |hypothesis: &Hypothesis, holds: fn(&Member) -> bool| {
            let faults = hypothesis.candidate.faults;
            faults.iter().count() < 2
                || faults.iter().all(|fault| {
                    let candidate =
                        Candidate { only: None, faults: fault.into(), ..hypothesis.candidate };
                    holds(self.get(candidate, rerun, evidence))
                })
        };
        of.retain(|hypothesis| of_members(hypothesis, |member| member.shows));
        of.sort_by_cached_key(|hypothesis| {
            let explained = std::cmp::Reverse(hypothesis.explained.len());
            let harmful = !of_members(hypothesis, |member| member.is_harmless);
            (hypothesis.contradicted, explained, harmful)
        });
    }

    /// Returns what a candidate with one fault does, and keeps it for the next time.
    fn get(&mut self, alone: Candidate, rerun: &Rerun, evidence: &[Evidence]) -> &Member {
        let same =
            |of: &Member| of.alone.faults == alone.faults && is_same(of.alone.computes, alone.computes);
        let known = self.0.iter().position(same);
        let at = known.unwrap_or_else(|| {
            self.0.push(Member::of(alone, rerun, evidence));
            self.0.len() - 1
        });
        &self.0[at]
    }
}

impl Member {
    fn of(alone: Candidate, rerun: &Rerun, evidence: &[Evidence]) -> Member {
        let mut member = Member { alone, shows: false, is_harmless: true };
        let without = Candidate { faults: Faults::default(), ..alone };
        for batch in evidence {
            let given = |candidate: &Candidate| -> Vec<Column> {
                let mut results = results_for(rerun.variant, batch.operands[0].rows());
                candidate.run(rerun.variant, &batch.operands, &mut results);
                results
            };
            let of_fault = given(&alone);
            member.shows = member.shows || of_fault != given(&without);
            if member.is_harmless {
                let wrong = rerun.judge.wrong_rows(&batch.truth, batch.batch(&of_fault));
                let known = |row: &usize| batch.mismatches.iter().any(|(of, _)| of == row);
                member.is_harmless = wrong.iter().all(known);
            }
        }
        member
    }
}

/// Whether two candidates compute the same but for their faults.
fn is_same(one: Computes, other: Computes) -> bool {
    match (one, other) {
        (Computes::Sibling(one), Computes::Sibling(other)) => one.variant == other.variant,
        (Computes::Itself, Computes::Itself) | (Computes::Zero, Computes::Zero) => true,
        _ => false,
    }
}
