//! The faults of candidates that have several, each by itself.
//!
//! Two faults may give wrong results together that neither gives, by way of numbers that exist only between the two: one makes
//! a zero a tiny number, and the other one loses the sign of tiny numbers. Such a pair says that zeros are read wrongly,
//! although nothing shows it.

use formats::Column;
use isa::results_for;
use model::{Fault, Faults};

use super::candidate::{Candidate, Computes};
use super::evidence::{Evidence, Rerun};
use super::hypotheses::Hypothesis;

/// The effects of single faults that were computed so far.
#[derive(Default)]
pub struct Members(Vec<Member>);

/// The effect that one fault has without others on the vectors that were run again.
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
        let mut of_members = |hypothesis: &Hypothesis, holds: fn(Fault, &Member) -> bool| {
            let faults = hypothesis.candidate.faults;
            faults.iter().count() < 2
                || faults.iter().all(|fault| {
                    let candidate =
                        Candidate { only: None, faults: fault.into(), ..hypothesis.candidate };
                    holds(fault, self.get(candidate, rerun, evidence))
                })
        };
        // A sum of f16 that is rounded to f32 first is right as long as it is rounded to nearest, and shows where it is
        // truncated then: faults of rounding are named although nothing shows them alone.
        let is_needed = |fault: Fault, member: &Member| member.shows || fault.only_rounds();
        of.retain(|hypothesis| of_members(hypothesis, is_needed));
        of.sort_by_cached_key(|hypothesis| {
            let explained = std::cmp::Reverse(hypothesis.explained.len());
            let harmful = !of_members(hypothesis, |_, member| member.is_harmless);
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use implementations::Emulator;
    use isa::{Variant, columns_for};

    /// Every input of f32 that is subnormal becomes zero as f16. That zeros are read as such a number shows in no result, and
    /// so is not named beside a fault that does something to small numbers.
    #[test]
    fn a_fault_that_shows_nowhere_is_not_named_with_another() {
        let mut rerun = Rerun::new(Variant::named("cvt.rn.f16.f32").unwrap());
        let numbers = [0, 1 << 31, 0x8000_0001, 0xb280_0000, 0xb800_0000, 0x3f80_0000, 0x3f80_1000];
        let mut operands = columns_for(rerun.variant, numbers.len());
        numbers.iter().enumerate().for_each(|(row, bits)| operands[0].set(row, *bits));
        let evidence = [rerun.run(operands, &mut Emulator::lanes()).unwrap()];
        assert!(evidence[0].mismatches.is_empty());
        let pair = |one: Fault, other: Fault| Candidate::faulty(Faults::from(one).and(other.into()));
        let candidates = [
            pair(Fault::ZeroAsNormal, Fault::UnderflowLosesSign),
            pair(Fault::TiesAway, Fault::ZeroPositive),
            Candidate::faulty(Fault::ZeroAsNormal),
        ];
        let mut hypotheses = Vec::from(candidates.map(|candidate| Hypothesis {
            candidate,
            explained: BTreeSet::new(),
            contradicted: false,
        }));
        Members::default().keep_needed(&rerun, &evidence, &mut hypotheses);
        let kept: Vec<Faults> = hypotheses.iter().map(|of| of.candidate.faults).collect();
        // What one fault does was looked at before.
        assert_eq!(kept, [candidates[2].faults, candidates[1].faults]);
    }
}
