//! What was found.

use std::collections::BTreeMap;

use super::{Blame, Case, Twins};
use crate::judged::{Fate, Wrong, is_illegal};
use crate::language::Language;
use crate::program::{Program, Spelled, Spelling};
use crate::setting::Setting;

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
    /// Those that have an instruction that PTX does not have, …
    pub with_illegal: u64,
    /// … and these instructions, with how often; one may have several.
    pub illegal: BTreeMap<String, u64>,
    /// Other ones that were not executed, …
    pub with_unexecuted: u64,
    /// … and what was not, with how often.
    pub unexecuted: BTreeMap<String, u64>,
    /// For each way to die, and each instruction that PTX does not have, a program that has it.
    pub fatal: Vec<Fatal>,
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
    /// Whether it gives other results where it is compiled once more.
    pub wavers: bool,
    /// All targets and settings where it is wrong.
    pub everywhere: Vec<(String, Setting)>,
    /// When else it is wrong, and when right.
    pub blame: Blame,
    /// A program that is right, and as near to it as any that was tried.
    pub neighbour: Option<Program>,
}

/// A program that a compiler dies of, or makes what is no PTX of, as simple as it could be made.
#[derive(Clone, Debug)]
pub struct Fatal {
    /// `died` or `illegal`.
    pub kind: &'static str,
    /// How it died, or what PTX does not have.
    pub words: String,
    /// The number of the program that it was made of.
    pub index: u64,
    /// The program.
    pub program: Program,
    /// How it stands in its source.
    pub spelling: Spelling,
    /// Where that was seen first.
    pub target: String,
    /// See `target`.
    pub setting: Setting,
}

impl Finding {
    /// A program that is wrong in one case, of which nothing else is known.
    pub(super) fn new(
        index: u64,
        program: Program,
        spelling: Spelling,
        wrong: Wrong,
        case: Case,
    ) -> Finding {
        let (target, setting) = (case.target.to_owned(), case.setting);
        let everywhere = vec![(target.clone(), setting)];
        let (wavers, blame, neighbour) = (false, Blame::default(), None);
        Finding {
            index,
            program,
            spelling,
            target,
            setting,
            wrong,
            wavers,
            everywhere,
            blame,
            neighbour,
        }
    }
}

impl Fatal {
    /// The source, a function `f`.
    pub fn source(&self, language: Language) -> String {
        let spelled = Spelled { program: &self.program, spelling: self.spelling };
        spelled.text(language, self.setting, "f")
    }
}

/// The kind and the words of what is fatal in a fate.
pub(super) fn fatal(fate: &Fate) -> Vec<(&'static str, &str)> {
    match fate {
        Fate::Died(words) => vec![("died", words)],
        Fate::Unexecuted(names) => {
            let illegal = names.iter().filter(|name| is_illegal(name));
            illegal.map(|name| ("illegal", name.as_str())).collect()
        }
        Fate::Right { .. } | Fate::Wrong(_) | Fate::Refused(_) => Vec::new(),
    }
}

impl Found {
    /// The program of this kind with these words, if there is one.
    pub fn fatal(&self, kind: &str, words: &str) -> Option<&Fatal> {
        self.fatal.iter().find(|known| known.kind == kind && known.words == words)
    }

    /// Whether a program has all operations of a finding that nothing explains.
    pub(super) fn covers(&self, program: &Program, wrong: &Wrong) -> bool {
        let kinds = program.kinds();
        let open = |finding: &&Finding| {
            let alike = finding.wrong.approximation.is_end() == wrong.approximation.is_end()
                && finding.wrong.lacks == wrong.lacks;
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
                match names.iter().any(|name| is_illegal(name)) {
                    true => self.with_illegal += 1,
                    false => self.with_unexecuted += 1,
                }
                for name in names {
                    let counts = if is_illegal(name) { &mut self.illegal } else { &mut self.unexecuted };
                    *counts.entry(name.clone()).or_default() += 1;
                }
            }
        }
        fate
    }
}
