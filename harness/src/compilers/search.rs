//! Random programs for a compiler: what is wrong is made simpler, and told once.

use std::collections::{BTreeMap, HashSet};

use anyhow::Result;

use super::Compiler;
use super::judged::{Fate, Wrong, is_illegal, judge, rules};
use super::module::{Compiled, Job, compile};
use super::program::{Language, Operation, Plan, Program, Type};
use super::promises::targets;
use super::setting::{Setting, Switch};

/// What is searched.
#[derive(Clone, Debug)]
pub struct Search {
    /// Which programs there are.
    pub plan: Plan,
    /// The targets, as the compiler spells them.
    pub targets: Vec<String>,
    /// The settings.
    pub settings: Vec<Setting>,
    /// The seed of programs and vectors.
    pub seed: u64,
    /// Vectors of each program.
    pub vectors: usize,
    /// Threads that execute them.
    pub jobs: usize,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Programs that were drawn.
    pub programs: u64,
    /// Of these, for each target and setting: those whose results are permitted …
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
}

/// A program that is wrong, as simple as it could be made.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The number of the program that it was made of.
    pub index: u64,
    /// The program.
    pub program: Program,
    /// Where it is wrong first.
    pub target: String,
    /// See `target`.
    pub setting: Setting,
    /// A vector with its result.
    pub wrong: Wrong,
    /// All targets and settings where it is wrong.
    pub everywhere: Vec<(String, Setting)>,
    /// Whether it is right as soon as its constants are parameters.
    pub by_constants: bool,
}

/// Programs that are compiled together.
const PART: u64 = 64;
/// Steps of making a program simpler, at most.
const STEPS: usize = 64;

/// Draws programs `first..first + count`, and tells `advance` of each part of them. Ends early if that says no.
///
/// # Errors
/// As [`Compiler::compile`].
pub fn search(
    compiler: &Compiler,
    search: &Search,
    first: u64,
    count: u64,
    advance: &mut dyn FnMut(&Found) -> bool,
) -> Result<Found> {
    let mut found = Found::default();
    let mut known = HashSet::new();
    let last = first.saturating_add(count);
    for start in (first..last).step_by(PART as usize) {
        let programs: Vec<Program> = (start..last)
            .take(PART as usize)
            .map(|index| search.plan.program(search.seed, index))
            .collect();
        let mut jobs = Vec::new();
        for target in &search.targets {
            for &setting in &search.settings {
                let functions = programs.iter().collect();
                jobs.push(Job { functions, target: target.clone(), setting });
            }
        }
        found.programs += programs.len() as u64;
        for (job, compiled) in jobs.iter().zip(compile(compiler, search.plan.language, &jobs)?) {
            let case = Case { target: &job.target, setting: job.setting };
            let fates = search.judged(&programs, &compiled, case, search.vectors);
            for ((index, program), fate) in (start..).zip(&programs).zip(fates) {
                let Fate::Wrong(wrong) = found.count(fate) else { continue };
                // What was found before, or has in it what was and has no explanation.
                if found.covers(program) {
                    continue;
                }
                let wrong =
                    wrong.explained(program, rules(search.plan.language, case.setting), search.seed);
                if known.contains(&class(program, &wrong)) {
                    continue;
                }
                let (program, wrong) = search.simplest(compiler, program.clone(), wrong, case)?;
                if known.insert(class(&program, &wrong)) {
                    found.findings.push(search.finding(compiler, index, program, wrong, case)?);
                }
            }
        }
        if !advance(&found) {
            break;
        }
    }
    Ok(found)
}

/// What findings are told apart by: their explanation and the type of the result, or where there is none, what the
/// program does.
fn class(program: &Program, wrong: &Wrong) -> String {
    match wrong.defects {
        _ if wrong.unstored => "nothing is stored".into(),
        Some(defects) => format!("{} {:?}", defects.names(), program.result()),
        None => program.kinds(),
    }
}

/// Whether a simpler program is wrong as another one is, or for a reason where that one has none.
fn is_kept(wrong: &Wrong, other: &Wrong) -> bool {
    wrong.unstored == other.unstored && (wrong.defects.is_none() || other.defects == wrong.defects)
}

/// A target and a setting.
#[derive(Clone, Copy)]
struct Case<'a> {
    target: &'a str,
    setting: Setting,
}

impl Found {
    /// Whether a program has all operations of a finding that nothing explains.
    fn covers(&self, program: &Program) -> bool {
        let (kinds, open) = (program.kinds(), |finding: &&Finding| finding.wrong.defects.is_none());
        let has = |finding: &Finding| {
            let all = finding.program.kinds();
            all.split(' ').all(|kind| kinds.split(' ').any(|own| own == kind))
        };
        self.findings.iter().filter(open).any(has)
    }

    /// Counts what became of a program.
    fn count(&mut self, fate: Fate) -> Fate {
        match &fate {
            Fate::Right { judged, undecided } => {
                self.right += 1;
                self.vectors += *judged as u64;
                self.undecided += *undecided as u64;
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

impl Search {
    /// The search of a compiler's language that is made where nothing else is asked for: every operation and type,
    /// under the settings that leave results exact.
    pub fn usual(language: Language, seed: u64, jobs: usize) -> Search {
        let usual = Setting::default();
        let mut settings = vec![usual, usual.with(Switch::Ftz, true), usual.with(Switch::Fma, false)];
        if language != Language::Cuda {
            settings.push(usual.with(Switch::Optimised, false));
            settings.push(usual.with(Switch::Optimised, false).with(Switch::Ftz, true));
        }
        let plan =
            Plan { language, types: Type::ALL.to_vec(), operations: Operation::ALL.to_vec(), depth: 3 };
        Search { plan, targets: targets(language), settings, seed, vectors: 64, jobs }
    }

    /// What becomes of programs that were compiled, on so many vectors of each.
    fn judged(
        &self,
        programs: &[Program],
        compiled: &[Compiled],
        case: Case,
        vectors: usize,
    ) -> Vec<Fate> {
        let rules = rules(self.plan.language, case.setting);
        let pairs: Vec<(&Program, &Compiled)> = programs.iter().zip(compiled).collect();
        let fates = |pairs: &[(&Program, &Compiled)]| -> Vec<Fate> {
            let each = pairs.iter();
            each.map(|(program, compiled)| judge(program, rules, compiled, self.seed, vectors)).collect()
        };
        let part = pairs.len().div_ceil(self.jobs.max(1)).max(1);
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                pairs.chunks(part).map(|pairs| scope.spawn(move || fates(pairs))).collect();
            let joined = threads.into_iter().map(|thread| thread.join());
            joined
                .flat_map(|fates| fates.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        })
    }

    /// What becomes of programs in one case.
    fn fates(&self, compiler: &Compiler, programs: &[Program], case: Case) -> Result<Vec<Fate>> {
        let functions = programs.iter().collect();
        let job = Job { functions, target: case.target.to_owned(), setting: case.setting };
        let compiled: Vec<Compiled> = compile(compiler, self.plan.language, &[job])?.remove(0);
        // The vector that was wrong must still be among so many.
        Ok(self.judged(programs, &compiled, case, 4 * self.vectors))
    }

    /// Makes a program simpler as long as it stays wrong for the same reason, or for one where there was none.
    fn simplest(
        &self,
        compiler: &Compiler,
        mut program: Program,
        mut wrong: Wrong,
        case: Case,
    ) -> Result<(Program, Wrong)> {
        let rules = rules(self.plan.language, case.setting);
        for _ in 0..STEPS {
            let simpler = program.simpler();
            let fates = self.fates(compiler, &simpler, case)?;
            let still = simpler.into_iter().zip(fates).find_map(|(program, fate)| {
                let Fate::Wrong(other) = fate else { return None };
                let other = other.explained(&program, rules, self.seed);
                is_kept(&wrong, &other).then_some((program, other))
            });
            match still {
                Some(found) => (program, wrong) = found,
                None => break,
            }
        }
        Ok((program, wrong))
    }

    fn finding(
        &self,
        compiler: &Compiler,
        index: u64,
        program: Program,
        wrong: Wrong,
        case: Case,
    ) -> Result<Finding> {
        let mut everywhere = Vec::new();
        for target in &self.targets {
            for &setting in &self.settings {
                let fates =
                    self.fates(compiler, std::slice::from_ref(&program), Case { target, setting })?;
                if matches!(fates[..], [Fate::Wrong(_)]) {
                    everywhere.push((target.clone(), setting));
                }
            }
        }
        let opaque = program.opaque();
        let fates = self.fates(compiler, &opaque, case)?;
        let by_constants = fates.iter().any(|fate| matches!(fate, Fate::Right { .. }));
        let (target, setting) = (case.target.to_owned(), case.setting);
        Ok(Finding { index, program, target, setting, wrong, everywhere, by_constants })
    }
}
