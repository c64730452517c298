//! What was found.

use std::collections::BTreeMap;

use super::{Blame, Twins};
use crate::compilers::judged::{Fate, Wrong, is_illegal};
use crate::compilers::program::{Program, Spelling};
use crate::compilers::setting::Setting;

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Programs that were drawn.
    pub programs: u64,
    /// Of these, for each target, setting and spelling: those whose results are permitted …
    pub right: u64,
    /// … those of which one is not …
    pub wrong: u64,
    /// … and vectors that were judged.
    pub vectors: u64,
    /// Vectors of which too much is permitted.
    pub undecided: u64,
    /// What compilers refused, with how often.
    pub refused: BTreeMap<String, u64>,
    /// How they died, with how often.
    pub died: BTreeMap<String, u64>,
    /// Instructions that PTX does not have, with how often.
    pub illegal: BTreeMap<String, u64>,
    /// What was not executed, with how often.
    pub unexecuted: BTreeMap<String, u64>,
    /// What is wrong, each kind of program once.
    pub findings: Vec<Finding>,
    /// What was compared where too much is permitted to be told.
    pub twins: Twins,
}

/// A program that is wrong, as simple as it could be made.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The number of the program that it was made of.
    pub index: u64,
    /// The program.
    pub program: Program,
    /// How it stands in its source.
    pub spelling: Spelling,
    /// Where it is wrong first.
    pub target: String,
    /// See `target`.
    pub setting: Setting,
    /// A vector with its result.
    pub wrong: Wrong,
    /// All targets and settings where it is wrong.
    pub everywhere: Vec<(String, Setting)>,
    /// When else it is wrong, and when right.
    pub blame: Blame,
    /// A program that is right, and as near to it as any that was tried.
    pub neighbour: Option<Program>,
}

impl Found {
    /// Whether a program has all operations of a finding that nothing explains.
    pub(super) fn covers(&self, program: &Program, wrong: &Wrong) -> bool {
        let kinds = program.kinds();
        let open = |finding: &&Finding| {
            let alike = finding.wrong.extreme.is_some() == wrong.extreme.is_some();
            alike && finding.wrong.defects.is_none()
        };
        let has = |finding: &Finding| {
            let all = finding.program.kinds();
            all.split(' ').all(|kind| kinds.split(' ').any(|own| own == kind))
        };
        self.findings.iter().filter(open).any(has)
    }

    /// Counts what became of a program.
    pub(super) fn count(&mut self, fate: Fate) -> Fate {
        match &fate {
            Fate::Right { judged, undecided } => {
                self.right += 1;
                self.vectors += *judged as u64;
                self.undecided += undecided.len() as u64;
            }
            Fate::Wrong(_) => self.wrong += 1,
            Fate::Refused(words) => *self.refused.entry(words.clone()).or_default() += 1,
            Fate::Died(words) => *self.died.entry(words.clone()).or_default() += 1,
            Fate::Unexecuted(names) => {
                for name in names {
                    let counts = if is_illegal(name) { &mut self.illegal } else { &mut self.unexecuted };
                    *counts.entry(name.clone()).or_default() += 1;
                }
            }
        }
        fate
    }
}
