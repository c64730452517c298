//! The work of a proof, in units that threads do in any order: the first unit is about special values, each other one
//! about some addends.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use formats::digests::triples;
use sweeps::Proof;

use super::products::{List, StoppableThreads, products};
use super::specials::specials;
use super::steps::{Climber, SharedProducts, Steps};
use super::{ProofSubject, Refutation};

/// Number of addends in a unit of work.
const ADDENDS: u32 = 64;
/// End of the words that are sums: one more than the largest.
const SUMS: u32 = 1 << 18;

/// Subjects that add alike, which are proven together.
pub struct SubjectGroup(Vec<ProofSubject>);

impl SubjectGroup {
    /// Puts all subjects into groups, in the order of the first subject of each.
    pub fn all(subjects: Vec<ProofSubject>) -> Vec<SubjectGroup> {
        let mut groups: Vec<SubjectGroup> = Vec::new();
        for subject in subjects {
            match groups.iter_mut().find(|group| group.0[0].adds_like(&subject)) {
                Some(group) => group.0.push(subject),
                None => groups.push(SubjectGroup(vec![subject])),
            }
        }
        groups
    }

    /// Returns the subjects, at least one.
    pub fn subjects(&self) -> &[ProofSubject] {
        &self.0
    }

    /// Returns how many data the subjects' format has.
    pub fn data(&self) -> u32 {
        self.0[0].data()
    }

    /// Returns how many units of work there are.
    pub fn units(&self) -> u32 {
        1 + self.data().div_ceil(ADDENDS)
    }

    /// Has all pairs of factors multiplied, and calls `told` with the subject before that begins; `None` if it was
    /// broken off. Both are done once for subjects that multiply alike.
    ///
    /// # Errors
    /// A refutation, by a pair whose product is another than it should be.
    pub fn multiplied(
        &self,
        work: StoppableThreads<'_>,
        told: impl Fn(&ProofSubject),
    ) -> Result<Option<Multiplied<'_>>, Refutation> {
        let subjects = &self.0[..];
        let mut lists: Vec<SharedProducts> = Vec::new();
        let mut known: Vec<usize> = Vec::new();
        for (number, subject) in subjects.iter().enumerate() {
            if let Some(&like) = known.iter().find(|&&like| subjects[like].multiplies_like(subject)) {
                let theirs = lists.iter_mut().filter(|shared| shared.subjects.contains(&like));
                theirs.for_each(|shared| shared.subjects.push(number));
                continue;
            }
            known.push(number);
            told(subject);
            let Some(found) = products(subject, work)? else { return Ok(None) };
            for list in found {
                // A list that other subjects have as well is climbed once for all of them.
                match lists.iter_mut().find(|shared| shared.list == list) {
                    Some(shared) => shared.subjects.push(number),
                    None => lists.push(SharedProducts { list, subjects: vec![number] }),
                }
            }
        }
        let ends =
            |subject: &ProofSubject| (0..SUMS).map(|sum| subject.machine.end(sum) as u16).collect();
        Ok(Some(Multiplied { subjects, lists, ends: subjects.iter().map(ends).collect() }))
    }
}

/// A group whose products are known.
pub struct Multiplied<'a> {
    subjects: &'a [ProofSubject],
    lists: Vec<SharedProducts>,
    /// For each subject, the result that the third stage makes of every sum.
    ends: Vec<Vec<u16>>,
}

impl Multiplied<'_> {
    /// Returns the lists of products that a subject has.
    fn lists_of(&self, subject: usize) -> impl Iterator<Item = &List> {
        let theirs = self.lists.iter().filter(move |shared| shared.subjects.contains(&subject));
        theirs.map(|shared| &shared.list)
    }

    /// Returns how many distinct products each subject has.
    pub fn products(&self) -> Vec<u64> {
        let count = |subject| self.lists_of(subject).map(|list| list.len() as u64).sum();
        (0..self.subjects.len()).map(count).collect()
    }

    /// Returns the weight of all pairs of factors.
    pub fn pairs(&self) -> u64 {
        // Each subject has all pairs of factors, so that those of the first are enough.
        self.lists_of(0).map(|list| list.weights[list.len()]).fold(0, u64::wrapping_add)
    }

    /// Creates a prover, which does units of the work; each thread has its own.
    pub fn prover(&self) -> Prover<'_> {
        Prover { of: self, climber: Climber::new(self.subjects, &self.lists, &self.ends) }
    }
}

/// A thread's part of a group's proof.
pub struct Prover<'a> {
    of: &'a Multiplied<'a>,
    climber: Climber<'a>,
}

impl Prover<'_> {
    /// Proves one unit, and returns the steps that came of it; `None` if the unit was broken off.
    ///
    /// # Errors
    /// The refutation that disproves the unit.
    pub fn prove(&mut self, unit: u32, stop: &AtomicBool) -> Result<Option<Steps>, Refutation> {
        let Multiplied { subjects, lists, ends } = self.of;
        let Some(block) = unit.checked_sub(1) else {
            for (at, (subject, ends)) in subjects.iter().zip(ends).enumerate() {
                specials(subject, at, lists, ends, stop)?;
            }
            return Ok((!stop.load(Relaxed)).then(|| Steps::none(subjects.len())));
        };
        let data = subjects[0].data();
        self.climber.climb(block * ADDENDS..data.min((block + 1) * ADDENDS)).map(Some)
    }
}

/// Computes the digests of all triples of a format with so many data, from the weight of all pairs of factors and a
/// subject's sum over all units. [`triples`] says what the digests are of.
pub fn digests(data: u32, pairs: u64, results: u64) -> Proof {
    let addends = (0..data).map(|c| triples::addend(c as u16)).fold(0, u64::wrapping_add);
    Proof { vectors: u64::from(data).pow(3), inputs: pairs.wrapping_mul(addends), results }
}
