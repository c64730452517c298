//! The conditions that a finding is due to: levels of optimisation, versions, and what the optimiser sees.

use anyhow::Result;
use reports::compilers::{Condition, ConditionOutcome as Verdict};

use super::{SearchCase, Seeker, WrongProgram};
use crate::Compiler;
use crate::language::Language;
use crate::program::{Program, Spelled, Spelling};
use crate::program_verdict::{Fate, WrongResult};

/// Conditions, and the verdict on a finding's program under each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blame {
    /// Levels of optimisation by their options, with the verdict at each.
    pub levels: Vec<(String, Verdict)>,
    /// Versions of the compiler, with the verdict on each.
    pub versions: Vec<(String, Verdict)>,
    /// Spellings, which show the compiler more or less of the program, with the verdict in each.
    pub spellings: Vec<(Spelling, Verdict)>,
}

impl Blame {
    /// Returns the spellings in which the program is right.
    pub fn right_as(&self) -> impl Iterator<Item = Spelling> {
        let right = self.spellings.iter().filter(|(_, verdict)| *verdict == Verdict::Right);
        right.map(|(spelling, _)| *spelling)
    }
}

impl From<&Fate> for Verdict {
    fn from(fate: &Fate) -> Verdict {
        match fate {
            Fate::Right { judged: 1.., .. } => Verdict::Right,
            Fate::Wrong(_) => Verdict::Wrong,
            Fate::Right { .. } | Fate::Refused(_) | Fate::Died(_) | Fate::Unexecuted(_) => {
                Verdict::Unknown
            }
        }
    }
}

/// Converts conditions to the form of reports.
pub fn conditions(all: &[(String, Verdict)]) -> Vec<Condition> {
    all.iter().map(|(name, verdict)| Condition { name: name.clone(), verdict: *verdict }).collect()
}

/// Returns the levels of optimisation that a compiler of a language has, those first that do least. NVRTC documents
/// its own from 12.9 on.
const fn levels(language: Language) -> &'static [&'static str] {
    match language {
        Language::Cuda => {
            &["--Ofast-compile=max", "--Ofast-compile=mid", "--Ofast-compile=min", "--Ofast-compile=0"]
        }
        Language::Nvvm => &["-opt=0", "-opt=3"],
        Language::Llvm => &["-O0", "-O1", "-O2", "-O3"],
    }
}

impl Seeker<'_> {
    /// Adds to a finding what there is to say of it beside the case in which it was found.
    pub(super) fn complete(&mut self, finding: &mut WrongProgram) -> Result<()> {
        let WrongProgram { program, spelling, wrong, target, setting, .. } = finding.clone();
        let spelled = Spelled { program: &program, spelling };
        let case = SearchCase { target: &target, setting };
        let mut everywhere = Vec::new();
        for target in &self.search.targets {
            for &setting in &self.search.settings {
                let other = SearchCase { target, setting };
                if self.verdict(self.compiler, spelled, other, None)? == Verdict::Wrong {
                    everywhere.push((target.clone(), setting));
                }
            }
        }
        finding.everywhere = everywhere;
        // The same number of vectors as before, so that all results can be compared.
        let vectors = wrong.results.len();
        let again = self.search.fates_on(self.compiler, &[spelled], case, None, vectors)?.remove(0);
        let same = |again: &WrongResult| {
            (&again.results, again.approximation) == (&wrong.results, wrong.approximation)
        };
        finding.wavers = !matches!(again, Fate::Wrong(again) if same(&again));
        finding.blame = self.blame(spelled, case)?;
        finding.neighbour = self.neighbour(spelled, case)?;
        Ok(())
    }

    /// Asks under which levels, versions and spellings a program is right.
    fn blame(&mut self, spelled: Spelled, case: SearchCase) -> Result<Blame> {
        let mut blame = Blame::default();
        for level in levels(self.search.plan.language) {
            let verdict = self.verdict(self.compiler, spelled, case, Some(level))?;
            blame.levels.push(((*level).to_owned(), verdict));
        }
        // Other versions are connected only where there is a finding to ask them about.
        if self.versions.is_empty() {
            let connect = |name: &String| Compiler::connect(name, self.search.jobs);
            self.versions = self.search.versions.iter().map(connect).collect::<Result<_>>()?;
        }
        for compiler in &self.versions {
            let version = compiler.introduction().version.clone();
            blame.versions.push((version, self.verdict(compiler, spelled, case, None)?));
        }
        let program = spelled.program;
        let shown = if program.constants().is_empty() { &[][..] } else { &Spelling::ALL };
        let others = shown.iter().copied().filter(|other| *other != spelled.spelling);
        let others: Vec<Spelled> =
            others.chain(program.opaque()).map(|spelling| Spelled { program, spelling }).collect();
        let fates = self.search.fates(self.compiler, &others, case, None)?;
        let verdicts = fates.iter().map(Verdict::from);
        blame.spellings = others.iter().map(|other| other.spelling).zip(verdicts).collect();
        Ok(blame)
    }

    /// Returns the first of a program's neighbours that is right in a case.
    fn neighbour(&self, spelled: Spelled, case: SearchCase) -> Result<Option<Program>> {
        let all = spelled.program.neighbours();
        let others: Vec<Spelled> = all.iter().map(|program| Spelled { program, ..spelled }).collect();
        let fates = self.search.fates(self.compiler, &others, case, None)?;
        let right = fates.iter().position(|fate| Verdict::from(fate) == Verdict::Right);
        Ok(right.map(|at| all[at].clone()))
    }

    /// Compiles a program in a case, at a level of optimisation if one is given, and returns the verdict.
    fn verdict(
        &self,
        compiler: &Compiler,
        spelled: Spelled,
        case: SearchCase,
        level: Option<&str>,
    ) -> Result<Verdict> {
        let fates = self.search.fates(compiler, &[spelled], case, level)?;
        Ok(Verdict::from(&fates[0]))
    }
}
