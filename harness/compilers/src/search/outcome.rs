//! The outcome of a search: its counts and findings.

use std::collections::BTreeMap;

use super::{Blame, EquivalentPairs, SearchCase};
use crate::language::Language;
use crate::program::{Program, Spelled, Spelling};
use crate::program_verdict::{Fate, WrongResult, is_illegal};
use crate::setting::Setting;

/// The outcome of a search: its counts and findings.
#[derive(Clone, Debug, Default)]
pub struct SearchOutcome {
    /// The number of programs that were drawn.
    pub programs: u64,
    /// The number of programs all of whose judged results are permitted, counted for each target, setting and spelling.
    pub right: u64,
    /// The number of programs of which a result is not permitted, counted for each target, setting and spelling.
    pub wrong: u64,
    /// The number of judged vectors of the programs that are right, for all targets, settings and spellings.
    pub vectors: u64,
    /// The number of vectors of the programs that are right of which too much is permitted for them to be judged, for
    /// all targets, settings and spellings.
    pub undecided: u64,
    /// The messages with which compilers refused programs, with how often.
    pub refused: BTreeMap<String, u64>,
    /// The ways in which compilers died, with how often.
    pub died: BTreeMap<String, u64>,
    /// The number of programs that have an instruction that PTX does not have, counted for each target, setting and
    /// spelling.
    pub with_illegal: u64,
    /// The instructions that PTX does not have, with how often; one program may have several.
    pub illegal: BTreeMap<String, u64>,
    /// The number of programs that were not executed, and not because of an instruction that PTX does not have, counted
    /// for each target, setting and spelling.
    pub with_unexecuted: u64,
    /// The names of what was not executed, other than instructions that PTX does not have, with how often.
    pub unexecuted: BTreeMap<String, u64>,
    /// An example program for each way to die, and for each instruction that PTX does not have.
    pub fatal: Vec<Fatal>,
    /// The findings of what is wrong, each kind of program once.
    pub findings: Vec<WrongProgram>,
    /// The comparisons of results where too much is permitted for them to be judged alone.
    pub pairs: EquivalentPairs,
}

/// A finding: a program that is wrong, as simple as it could be made.
#[derive(Clone, Debug)]
pub struct WrongProgram {
    /// The number of the random program that this one was made of.
    pub index: u64,
    /// The program, made as simple as it could be.
    pub program: Program,
    /// The way in which the program stands in its source.
    pub spelling: Spelling,
    /// The target for which the program is wrong first.
    pub target: String,
    /// The setting under which the program is wrong first.
    pub setting: Setting,
    /// The first vector whose result is wrong, with this result.
    pub wrong: WrongResult,
    /// Whether the program gives other results where it is compiled once more.
    pub wavers: bool,
    /// All targets and settings where the program is wrong.
    pub everywhere: Vec<(String, Setting)>,
    /// The other conditions under which the program is wrong, and those under which it is right.
    pub blame: Blame,
    /// A program that is right, and as near to the wrong one as any that was tried.
    pub neighbour: Option<Program>,
}

/// A program that a compiler dies of, or makes what is no PTX of, as simple as it could be made.
#[derive(Clone, Debug)]
pub struct Fatal {
    /// The kind of what is fatal: `died` or `illegal`.
    pub kind: &'static str,
    /// The way in which the compiler died, or what PTX does not have.
    pub words: String,
    /// The number of the random program that this one was made of.
    pub index: u64,
    /// The program, made as simple as it could be.
    pub program: Program,
    /// The way in which the program stands in its source.
    pub spelling: Spelling,
    /// The target for which the compiler died, or made what is no PTX, first.
    pub target: String,
    /// The setting under which the compiler died, or made what is no PTX, first.
    pub setting: Setting,
}

impl WrongProgram {
    /// Makes a finding of a program that is wrong in one case, of which nothing else is known.
    pub(super) fn new(
        index: u64,
        program: Program,
        spelling: Spelling,
        wrong: WrongResult,
        case: SearchCase,
    ) -> WrongProgram {
        let (target, setting) = (case.target.to_owned(), case.setting);
        let everywhere = vec![(target.clone(), setting)];
        let (wavers, blame, neighbour) = (false, Blame::default(), None);
        WrongProgram {
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
    /// Returns the program's source, as a function `f`.
    pub fn source(&self, language: Language) -> String {
        let spelled = Spelled { program: &self.program, spelling: self.spelling };
        spelled.text(language, self.setting, "f")
    }
}

/// Returns the kind and the words of each thing that is fatal in a fate.
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

impl SearchOutcome {
    /// Returns the program of this kind with these words, if there is one.
    pub fn fatal(&self, kind: &str, words: &str) -> Option<&Fatal> {
        self.fatal.iter().find(|known| known.kind == kind && known.words == words)
    }

    /// Whether a program has all operations of a finding that nothing explains.
    pub(super) fn covers(&self, program: &Program, wrong: &WrongResult) -> bool {
        let kinds = program.kinds();
        let open = |finding: &&WrongProgram| {
            let alike = finding.wrong.approximation.is_end() == wrong.approximation.is_end()
                && finding.wrong.lacks == wrong.lacks;
            alike && finding.wrong.defects.is_none()
        };
        let has = |finding: &WrongProgram| {
            let all = finding.program.kinds();
            all.split(' ').all(|kind| kinds.split(' ').any(|own| own == kind))
        };
        self.findings.iter().filter(open).any(has)
    }

    /// Counts the fate of a program, and returns it.
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
