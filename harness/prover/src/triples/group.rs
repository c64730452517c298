//! The work of a proof, in units that threads do in any order: the first is about what is special, each
//! other about some addends.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use formats::digests::triples;
use sweeps::Proof;

use super::products::{List, Work, products};
use super::specials::specials;
use super::steps::{Climber, Shared, Steps};
use super::{Refutation, Subject};

/// Addends of a unit of work.
const ADDENDS: u32 = 64;
/// One more than the largest word of a sum that is one.
const SUMS: u32 = 1 << 18;

/// Subjects that add alike, which are proven together.
pub struct Group(Vec<Subject>);

impl Group {
    /// All subjects, in groups, in the order of the first of each.
    pub fn all(subjects: Vec<Subject>) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for subject in subjects {
            match groups.iter_mut().find(|group| group.0[0].adds_like(&subject)) {
                Some(group) => group.0.push(subject),
                None => groups.push(Group(vec![subject])),
            }
        }
        groups
    }

    /// The subjects, at least one.
    pub fn subjects(&self) -> &[Subject] {
        &self.0
    }

    /// How many data their format has.
    pub fn data(&self) -> u32 {
        self.0[0].data()
    }

    /// How many units of work there are.
    pub fn units(&self) -> u32 {
        1 + self.data().div_ceil(ADDENDS)
    }

    /// Has all pairs of factors multiplied, and `told` of each subject before that begins; `None` if it was
    /// broken off. Of subjects that multiply alike that is done once.
    ///
    /// # Errors
    /// A pair whose product is another than it should be.
    pub fn multiplied(
        &self,
        work: Work<'_>,
        told: impl Fn(&Subject),
    ) -> Result<Option<Multiplied<'_>>, Refutation> {
        let subjects = &self.0[..];
        let mut lists: Vec<Shared> = Vec::new();
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
                match lists.iter_mut().find(|shared| shared.list == list) {
                    Some(shared) => shared.subjects.push(number),
                    None => lists.push(Shared { list, subjects: vec![number] }),
                }
            }
        }
        let ends = |subject: &Subject| (0..SUMS).map(|sum| subject.machine.end(sum) as u16).collect();
        Ok(Some(Multiplied { subjects, lists, ends: subjects.iter().map(ends).collect() }))
    }
}

/// A group whose products are known.
pub struct Multiplied<'a> {
    subjects: &'a [Subject],
    lists: Vec<Shared>,
    /// Of each subject, what the third stage makes of every sum.
    ends: Vec<Vec<u16>>,
}

impl Multiplied<'_> {
    fn lists_of(&self, subject: usize) -> impl Iterator<Item = &List> {
        let theirs = self.lists.iter().filter(move |shared| shared.subjects.contains(&subject));
        theirs.map(|shared| &shared.list)
    }

    /// Of each subject, how many distinct products it has.
    pub fn products(&self) -> Vec<u64> {
        let count = |subject| self.lists_of(subject).map(|list| list.len() as u64).sum();
        (0..self.subjects.len()).map(count).collect()
    }

    /// The weight of all pairs of factors.
    pub fn pairs(&self) -> u64 {
        self.lists_of(0).map(|list| list.weights[list.len()]).fold(0, u64::wrapping_add)
    }

    /// What does units of the work, one for each thread.
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
    /// Proves one unit, and says what came of it; `None` if it was broken off.
    ///
    /// # Errors
    /// What disproves it.
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

/// The digests of all triples of a format with so many data, from the weight of all pairs of factors and a
/// subject's sum over all units: [`triples`] says of what.
pub fn digests(data: u32, pairs: u64, results: u64) -> Proof {
    let addends = (0..data).map(|c| triples::addend(c as u16)).fold(0, u64::wrapping_add);
    Proof { vectors: u64::from(data).pow(3), inputs: pairs.wrapping_mul(addends), results }
}
