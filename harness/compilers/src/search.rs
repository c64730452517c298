//! The search of a compiler for wrong results, by random programs: what is wrong is made simpler, looked into, and
//! told once.

mod blame;
mod class;
mod equivalent_pairs;
mod finding_text;
mod json;
mod outcome;

use std::collections::HashSet;

use anyhow::Result;
use base::pool::Pool;

use super::Compiler;
use super::language::Language;
use super::module::{CompileJob, Compiled, compile, compile_at};
use super::program::{DrawPlan, Integer, Program, ProgramOperation, Spelled, Spelling, Type};
use super::program_verdict::{Fate, WrongResult, judge, rules};
use super::promises::targets;
use super::setting::{Setting, Switch};
use class::class;
use outcome::fatal;

pub use blame::{Blame, conditions};
pub use class::{class_of_kind, pair_class};
pub use equivalent_pairs::{EquivalentPair, EquivalentPairs};
pub use json::json;
pub use outcome::{Fatal, SearchOutcome, WrongProgram};
pub use reports::compilers::ConditionOutcome as Verdict;

/// The parameters of a search: which programs, for which targets and under which settings.
#[derive(Clone, Debug)]
pub struct Search {
    /// The plan that programs are drawn by.
    pub plan: DrawPlan,
    /// The targets, as the compiler spells them.
    pub targets: Vec<String>,
    /// The settings that programs are compiled under.
    pub settings: Vec<Setting>,
    /// The seed of programs and vectors.
    pub seed: u64,
    /// The number of vectors of each program.
    pub vectors: usize,
    /// The number of threads that execute programs.
    pub jobs: usize,
    /// Names of compilers that are asked about what is found, such as other versions of the one that is searched.
    pub versions: Vec<String>,
}

/// The number of programs that are compiled together.
const PART: u64 = 64;
/// The largest number of steps by which a program is made simpler.
const STEPS: usize = 64;

/// Draws programs `first..first + count`, adds what is found to `found`, and tells `advance` of it after each part of
/// the programs. Ends early if `advance` says no.
///
/// # Errors
/// As [`Compiler::compile`]; what was found until then is in `found`.
pub fn search(
    compiler: &Compiler,
    search: &Search,
    first: u64,
    count: u64,
    found: &mut SearchOutcome,
    advance: &mut dyn FnMut(&SearchOutcome) -> bool,
) -> Result<()> {
    let mut seeker = Seeker { compiler, search, found, known: HashSet::new(), versions: Vec::new() };
    let last = first.saturating_add(count);
    for start in (first..last).step_by(PART as usize) {
        seeker.part(start..last.min(start + PART))?;
        if !advance(seeker.found) {
            break;
        }
    }
    Ok(())
}

/// Returns the key that findings are told apart by: their class. Of findings that lack something one is enough,
/// whatever its type.
fn key(program: &Program, wrong: &WrongResult) -> String {
    wrong.lacks.map_or_else(|| class(program, wrong), |lack| lack.name().to_owned())
}

/// Whether the wrong result `other` of a simpler program may take the place of `wrong`: the program is wrong in the
/// same way, or for a reason where `wrong` has none.
fn is_kept(wrong: &WrongResult, other: &WrongResult) -> bool {
    wrong.lacks == other.lacks
        && wrong.approximation.is_end() == other.approximation.is_end()
        && (wrong.defects.is_none() || other.defects == wrong.defects)
}

/// A case that programs are compiled for: a target and a setting.
#[derive(Clone, Copy)]
struct SearchCase<'a> {
    target: &'a str,
    setting: Setting,
}

/// A search at work, with what it has found so far.
struct Seeker<'a> {
    compiler: &'a Compiler,
    search: &'a Search,
    found: &'a mut SearchOutcome,
    /// The keys that the findings so far are told apart by.
    known: HashSet<String>,
    /// The compilers that are asked about findings, connected once there is a finding.
    versions: Vec<Compiler>,
}

impl Search {
    /// Returns the search of a compiler's language that is made where nothing else is asked for: every operation and
    /// type, under settings that leave results exact, then under some that do not.
    pub fn usual(language: Language, seed: u64, jobs: usize) -> Search {
        let usual = Setting::default();
        let flushed = usual.with_switch(Switch::Ftz, true);
        let fast = |setting: Setting| {
            setting.with_switch(Switch::PrecDiv, false).with_switch(Switch::PrecSqrt, false)
        };
        let mut settings = vec![usual, flushed, usual.with_switch(Switch::Fma, false)];
        settings.extend([usual, flushed].map(|setting| setting.with_switch(Switch::Optimised, false)));
        settings.extend([fast(usual), fast(flushed)]);
        if language == Language::Cuda {
            settings.push(usual.with_switch(Switch::FastMath, true));
        } else {
            let with =
                |flags: &[Switch]| flags.iter().fold(usual, |of, &flag| of.with_switch(flag, true));
            settings.push(with(&[Switch::Nsz]));
            // Without contraction, under which products with reciprocals would be contracted, and roundings of half
            // precision left out where nothing is infinite (llvm-project #131345).
            let apart = [with(&[Switch::Arcp]), with(&[Switch::Nnan, Switch::Ninf])];
            settings.extend(apart.map(|setting| setting.with_switch(Switch::Fma, false)));
        }
        let plan = DrawPlan {
            language,
            types: Type::ALL.to_vec(),
            operations: ProgramOperation::ALL.to_vec(),
            integers: Integer::of(language),
            depth: 3,
        };
        let (targets, versions) = (targets(language), Vec::new());
        Search { plan, targets, settings, seed, vectors: 64, jobs, versions }
    }

    /// Judges programs that were compiled in a case, on so many vectors of each, and returns the fate of each.
    fn judged(
        &self,
        programs: &[Spelled],
        compiled: &[Compiled],
        case: SearchCase,
        vectors: usize,
    ) -> Result<Vec<Fate>> {
        let rules = rules(self.plan.language, case.setting);
        let pairs: Vec<(&Spelled, &Compiled)> = programs.iter().zip(compiled).collect();
        let fate = |(spelled, compiled): &(&Spelled, &Compiled)| {
            Ok(judge(**spelled, rules, compiled, self.seed, vectors))
        };
        Pool::new(self.jobs).map(&pairs, fate).all()
    }

    /// Compiles programs in one case, at a level of optimisation if one is given, and returns the fate of each.
    fn fates(
        &self,
        compiler: &Compiler,
        programs: &[Spelled],
        case: SearchCase,
        level: Option<&str>,
    ) -> Result<Vec<Fate>> {
        // The vector that was wrong must still be among those that are judged.
        self.fates_on(compiler, programs, case, level, 4 * self.vectors)
    }

    /// Compiles programs in one case, at a level of optimisation if one is given, and returns the fate of each on so
    /// many vectors.
    fn fates_on(
        &self,
        compiler: &Compiler,
        programs: &[Spelled],
        case: SearchCase,
        level: Option<&str>,
        vectors: usize,
    ) -> Result<Vec<Fate>> {
        let functions = programs.iter().collect();
        let job = CompileJob { functions, target: case.target.to_owned(), setting: case.setting };
        let compiled = compile_at(compiler, self.plan.language, &[job], level)?.remove(0);
        self.judged(programs, &compiled, case, vectors)
    }
}

impl Seeker<'_> {
    /// Searches the programs of these numbers, in every spelling, target and setting.
    fn part(&mut self, numbers: std::ops::Range<u64>) -> Result<()> {
        let search = self.search;
        let programs: Vec<(u64, Program)> = numbers
            .flat_map(|index| {
                search.plan.programs(search.seed, index).into_iter().map(move |program| (index, program))
            })
            .collect();
        self.found.programs += programs.len() as u64;
        for spelling in Spelling::ALL {
            // Without constants, all three spellings are one source.
            let differs =
                |program: &Program| spelling == Spelling::Plain || !program.constants().is_empty();
            let programs = programs.iter().filter(|(_, program)| differs(program));
            let (indices, spelled): (Vec<u64>, Vec<Spelled>) =
                programs.map(|(index, program)| (*index, Spelled { program, spelling })).unzip();
            let mut jobs = Vec::new();
            for target in &search.targets {
                for &setting in &search.settings {
                    let functions = spelled.iter().collect();
                    jobs.push(CompileJob { functions, target: target.clone(), setting });
                }
            }
            let mut open = Vec::new();
            for (job, compiled) in jobs.iter().zip(compile(self.compiler, search.plan.language, &jobs)?)
            {
                let case = SearchCase { target: &job.target, setting: job.setting };
                let fates = search.judged(&spelled, &compiled, case, search.vectors)?;
                let mut undecided = Vec::new();
                for ((&index, &spelled), fate) in indices.iter().zip(&spelled).zip(fates) {
                    match self.found.count(fate) {
                        Fate::Wrong(wrong) => self.look_into(index, spelled, wrong, case)?,
                        Fate::Right { undecided: vectors, .. } if !vectors.is_empty() => {
                            undecided.push((index, spelled, vectors));
                        }
                        fate => self.keep_fatal(index, spelled, &fate, case)?,
                    }
                }
                open.push((case, undecided));
            }
            self.compare(&open);
        }
        Ok(())
    }

    /// Makes a finding of a program that is wrong, unless it was found before, or has in it all operations of a
    /// finding that has no explanation.
    fn look_into(
        &mut self,
        index: u64,
        spelled: Spelled,
        wrong: WrongResult,
        case: SearchCase,
    ) -> Result<()> {
        let Spelled { program, spelling } = spelled;
        if self.found.covers(program, &wrong) {
            return Ok(());
        }
        let rules = rules(self.search.plan.language, case.setting);
        let wrong = wrong.explained(program, rules, self.search.seed);
        // Simplifying compiles many programs, so what is known already is left here.
        if self.known.contains(&key(program, &wrong)) {
            return Ok(());
        }
        let mut simplest = wrong;
        let (program, ended) = self.simplest(spelled, case, |program, fate| {
            let Fate::Wrong(other) = fate else { return false };
            let other = other.explained(program, rules, self.search.seed);
            let still = is_kept(&simplest, &other);
            if still {
                simplest = other;
            }
            still
        });
        let wrong = simplest;
        // The simplest program may turn out to be of a class that was found before.
        if !self.known.insert(key(&program, &wrong)) {
            return ended;
        }
        let mut finding = WrongProgram::new(index, program, spelling, wrong, case);
        let ended = ended.and_then(|()| self.complete(&mut finding));
        self.found.findings.push(finding);
        ended
    }

    /// Keeps a program that the compiler dies of, or makes what is no PTX of, where it is the first to do so in this
    /// way.
    fn keep_fatal(&mut self, index: u64, spelled: Spelled, fate: &Fate, case: SearchCase) -> Result<()> {
        for (kind, words) in fatal(fate) {
            if self.found.fatal(kind, words).is_some() {
                continue;
            }
            let (program, ended) =
                self.simplest(spelled, case, |_, fate| fatal(&fate).contains(&(kind, words)));
            self.found.fatal.push(Fatal {
                kind,
                words: words.to_owned(),
                index,
                program,
                spelling: spelled.spelling,
                target: case.target.to_owned(),
                setting: case.setting,
            });
            ended?;
        }
        Ok(())
    }

    /// Makes a program simpler as long as its fate is the same by `is_same`. Where the compiler cannot be asked any
    /// more, returns the program as simple as it was by then, and why.
    fn simplest(
        &self,
        spelled: Spelled,
        case: SearchCase,
        mut is_same: impl FnMut(&Program, Fate) -> bool,
    ) -> (Program, Result<()>) {
        let (mut program, spelling) = (spelled.program.clone(), spelled.spelling);
        for _ in 0..STEPS {
            let simpler = program.simpler();
            let spelled: Vec<Spelled> =
                simpler.iter().map(|program| Spelled { program, spelling }).collect();
            let fates = match self.search.fates(self.compiler, &spelled, case, None) {
                Ok(fates) => fates,
                Err(error) => return (program, Err(error)),
            };
            let mut each = simpler.into_iter().zip(fates);
            match each.find_map(|(program, fate)| is_same(&program, fate).then_some(program)) {
                Some(simpler) => program = simpler,
                None => break,
            }
        }
        (program, Ok(()))
    }
}
