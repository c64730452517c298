//! The state of a proof, in a file: what has been proven so far. With it a proof that was broken off can go on,
//! and parts of a proof can be put together.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use base::digest::program;
use base::store::{self, Purpose, StoreContent, StoreRefusal};
use prover::triples::{Steps, SubjectGroup};
use selection::Shard;
use serde::{Deserialize, Serialize};
use sweeps::Proof;

/// Name of the file of a proof's state, in its directory.
const FILE: &str = "proof.json";
/// Form of the file of a proof's state: changes when the file's meaning does.
const VERSION: u32 = 1;

/// The state of a proof: how far it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    version: u32,
    suite: String,
    program: String,
    pub shard: Option<Shard>,
    pub groups: Vec<GroupState>,
}

/// The state of the proof of subjects that add alike: how far it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupState {
    pub subjects: Vec<String>,
    /// Number of data that the subjects' format has.
    pub data: u32,
    /// Number of units of work.
    pub units: u32,
    /// Numbers of the units of work that are done.
    pub done: BTreeSet<u32>,
    /// Digests and steps that came of the units that are done.
    pub steps: Steps,
    /// Number of products of each subject. This and the weight of all pairs, in `pairs`, are known once work
    /// has begun.
    pub products: Vec<u64>,
    pub pairs: u64,
}

/// The proven facts about a subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proven {
    /// Name of the subject.
    pub name: String,
    /// Number of distinct products of the subject.
    pub products: u64,
    /// Number of steps that all addends have together.
    pub steps: u64,
    /// The digests of all triples: [`prover::triples::digests`].
    pub digests: Proof,
}

impl StoreContent for State {
    const FORM: u32 = VERSION;
    const LARGEST: u64 = 64;
}

impl State {
    /// Returns the state in which nothing is proven yet.
    pub fn new(groups: &[SubjectGroup], shard: Option<Shard>) -> State {
        let group = |group: &SubjectGroup| {
            let subjects: Vec<_> = group.subjects().iter().map(|subject| subject.name.clone()).collect();
            GroupState {
                data: group.data(),
                units: group.units(),
                done: BTreeSet::new(),
                steps: Steps::none(subjects.len()),
                products: vec![0; subjects.len()],
                pairs: 0,
                subjects,
            }
        };
        State {
            version: VERSION,
            suite: env!("CARGO_PKG_VERSION").into(),
            program: program(),
            shard,
            groups: groups.iter().map(group).collect(),
        }
    }

    /// Reads the state from the file of a directory, to go on from there with the proof that `self` begins.
    ///
    /// # Errors
    /// If there is no such file, it cannot be used, or it is of another proof.
    pub fn resume(self, directory: &Path) -> Result<State> {
        let path = directory.join(FILE);
        let found = State::load(&path).and_then(|found| match found.difference(&self) {
            Some(difference) => Err(StoreRefusal::OfAnother { job: "proof", difference }),
            None => Ok(found),
        });
        found.map_err(|refusal| refusal.to_error(&path, Purpose::Resume))
    }

    /// Says in what a state that was found, `self`, is of another proof than the state that is `due`; `None` if
    /// it is not.
    fn difference(&self, due: &State) -> Option<String> {
        let of = |shard: Option<Shard>| match shard {
            Some(Shard { index, count }) => format!("{index}/{count}"),
            None => "none".into(),
        };
        match () {
            () if self.program != due.program => {
                Some(format!("its program is `{}`, this one's `{}`", self.program, due.program))
            }
            () if self.shard != due.shard => {
                Some(format!("its --shard is `{}`, this one's `{}`", of(self.shard), of(due.shard)))
            }
            () if !self.is_of(due) => Some("it is of other variants".into()),
            () => None,
        }
    }

    /// Reads the state from a file that this version of the suite wrote.
    fn load(path: &Path) -> Result<State, StoreRefusal> {
        let state: State = store::load(path)?;
        if state.suite != env!("CARGO_PKG_VERSION") {
            let (found, due, suite) = (state.version, VERSION, Some(state.suite));
            return Err(StoreRefusal::OtherVersion { found, due, suite });
        }
        match state.groups.iter().all(GroupState::is_sound) {
            true => Ok(state),
            false => Err(StoreRefusal::Damaged("it has more than its variants or units".into())),
        }
    }

    /// Writes the state to the file of a directory, whole or not at all.
    pub fn save(&self, directory: &Path) -> Result<()> {
        store::save(&directory.join(FILE), self)
    }

    /// Whether two states are of the same subjects, with as many units of work.
    fn is_of(&self, other: &State) -> bool {
        let of = |state: &State| {
            let groups = state.groups.iter();
            groups.map(|group| (group.subjects.clone(), group.units)).collect::<Vec<_>>()
        };
        of(self) == of(other)
    }

    /// Returns what is proven of each subject; `None` while units are left to do.
    pub fn proven(&self) -> Option<Vec<Proven>> {
        let mut proven = Vec::new();
        for group in &self.groups {
            if group.done.len() as u32 != group.units {
                return None;
            }
            for (at, name) in group.subjects.iter().enumerate() {
                let digests = prover::triples::digests(group.data, group.pairs, group.steps.results[at]);
                let (products, steps) = (group.products[at], group.steps.steps[at]);
                proven.push(Proven { name: name.clone(), products, steps, digests });
            }
        }
        Some(proven)
    }
}

impl GroupState {
    /// Whether the lengths and numbers in the state fit each other, as in every state that the suite writes.
    fn is_sound(&self) -> bool {
        let count = self.subjects.len();
        let counts = [self.steps.results.len(), self.steps.steps.len(), self.products.len()];
        // The digests take addends of 16 bits.
        counts == [count; 3] && self.data <= 1 << 16 && self.done.iter().all(|&unit| unit < self.units)
    }
}

/// Puts the parts of a proof together, and returns what is proven of each subject.
///
/// # Errors
/// If a part is missing, there twice, not finished, or of another proof.
pub fn merge(directories: &[impl AsRef<Path>]) -> Result<Vec<Proven>> {
    let mut whole: Option<State> = None;
    for directory in directories {
        let directory = directory.as_ref();
        let path = directory.join(FILE);
        let part = State::load(&path).map_err(|refusal| refusal.to_error(&path, Purpose::Merge))?;
        let Some(whole) = &mut whole else {
            whole = Some(part);
            continue;
        };
        let shown = directory.display();
        let like = part.is_of(whole) && part.program == whole.program;
        ensure!(
            like,
            "{shown} is of another build or other variants than {}",
            directories[0].as_ref().display()
        );
        for (group, more) in whole.groups.iter_mut().zip(part.groups) {
            if let Some(unit) = more.done.intersection(&group.done).next() {
                bail!(
                    "{shown} has what another part has, too: unit {unit} of {}",
                    group.subjects.join(", ")
                );
            }
            group.done.extend(&more.done);
            group.steps.add(&more.steps);
            // A part that has done nothing of a group does not know its products.
            if group.pairs == 0 {
                (group.products, group.pairs) = (more.products, more.pairs);
            }
        }
    }
    let whole = whole.context("there is nothing to merge: name the directories of the parts")?;
    whole.proven().with_context(|| {
        // A damaged state may say any numbers of units, whose sum does not fit 32 bits.
        let missing = whole.groups.iter().map(|group| u64::from(group.units) - group.done.len() as u64);
        format!(
            "{} units of work are missing: a part is not finished, or not named",
            missing.sum::<u64>()
        )
    })
}
