//! Random programs for a compiler: what is wrong is made simpler, and told once.

use std::collections::{BTreeMap, HashSet};

use anyhow::Result;

use super::Compiler;
use super::judged::{Fate, Wrong, judge};
use super::module::{Compiled, Job, compile};
use super::program::{Defects, Plan, Program};
use super::setting::Setting;

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
    /// What was not executed, with how often.
    pub unexecuted: BTreeMap<String, u64>,
    /// What is wrong, each kind of program once.
    pub findings: Vec<Finding>,
}

/// A program that is wrong, as simple as it could be made.
#[derive(Clone, Debug)]
pub struct Finding {
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

/// Draws programs `first..first + count`, and tells of each part of them. Ends early if `stop` says so.
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
    for start in (first..first + count).step_by(PART as usize) {
        let programs: Vec<Program> = (start..first + count)
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
        for (job, fates) in jobs.iter().zip(compile(compiler, search.plan.language, &jobs)?) {
            for (program, compiled) in job.functions.iter().zip(&fates) {
                let fate = judge(program, job.setting, compiled, search.seed, search.vectors);
                let Fate::Wrong(wrong) = found.count(fate) else { continue };
                let case = Case { target: &job.target, setting: job.setting };
                // What was found before, or is another of what is wrong here already.
                if known.contains(&class(program, &wrong)) {
                    continue;
                }
                let (program, wrong) = search.simplest(compiler, (*program).clone(), wrong, case)?;
                if known.insert(class(&program, &wrong)) {
                    found.findings.push(search.finding(compiler, program, wrong, case)?);
                }
            }
        }
        if !advance(&found) {
            break;
        }
    }
    Ok(found)
}

/// What findings are told apart by: their explanation, or where there is none, what the program does.
fn class(program: &Program, wrong: &Wrong) -> String {
    wrong.defects.map_or_else(|| program.kinds(), Defects::names)
}

/// A target and a setting.
#[derive(Clone, Copy)]
struct Case<'a> {
    target: &'a str,
    setting: Setting,
}

impl Found {
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
                names.iter().for_each(|name| *self.unexecuted.entry(name.clone()).or_default() += 1);
            }
        }
        fate
    }
}

impl Search {
    /// What becomes of programs in one case.
    fn fates(&self, compiler: &Compiler, programs: &[Program], case: Case) -> Result<Vec<Fate>> {
        let functions = programs.iter().collect();
        let job = Job { functions, target: case.target.to_owned(), setting: case.setting };
        let compiled: Vec<Compiled> = compile(compiler, self.plan.language, &[job])?.remove(0);
        let each = programs.iter().zip(&compiled);
        // The vector that was wrong must still be among so many.
        let fate =
            |(program, compiled)| judge(program, case.setting, compiled, self.seed, 4 * self.vectors);
        Ok(each.map(fate).collect())
    }

    /// Makes a program simpler as long as it stays wrong for the same reason, or for one where there was none.
    fn simplest(
        &self,
        compiler: &Compiler,
        mut program: Program,
        mut wrong: Wrong,
        case: Case,
    ) -> Result<(Program, Wrong)> {
        for _ in 0..STEPS {
            let simpler = program.simpler();
            let fates = self.fates(compiler, &simpler, case)?;
            let still = simpler.into_iter().zip(fates).find_map(|(program, fate)| match fate {
                Fate::Wrong(other) if wrong.defects.is_none() || other.defects == wrong.defects => {
                    Some((program, other))
                }
                _ => None,
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
        Ok(Finding { program, target, setting, wrong, everywhere, by_constants })
    }
}

#[cfg(test)]
mod scratch {
    use super::*;
    use crate::compilers::program::{Language, Operation as O, Relation, Type};
    use crate::compilers::setting::Switch;
    #[test]
    fn scratch() {
        std::env::set_current_dir("/work/main").unwrap();
        let count: u64 = std::env::var("COUNT").map_or(256, |t| t.parse().unwrap());
        let which = std::env::var("WHICH").unwrap_or("nvrtc".into());
        let (language, targets) = match which.split('@').next().unwrap() {
            "nvrtc" => (Language::Cuda, vec!["compute_75", "compute_90", "compute_100"]),
            "nvvm" => (Language::Nvvm, vec!["compute_75", "compute_90", "compute_100"]),
            _ => (Language::Llvm, vec!["sm_75", "sm_80", "sm_90"]),
        };
        let compiler = Compiler::connect(&which, 2).unwrap();
        let started = std::time::Instant::now();
        let mut operations = vec![
            O::Add,
            O::Sub,
            O::Mul,
            O::Div,
            O::Fma,
            O::Sqrt,
            O::Min,
            O::Max,
            O::Neg,
            O::Abs,
            O::CopySign,
            O::Cast,
            O::Select(Relation::Less),
        ];
        let mut types = Type::ALL.to_vec();
        if std::env::var("F32").is_ok() {
            types = vec![Type::F32, Type::F64];
        }
        operations.rotate_left(0);
        let usual = Setting::default();
        let settings = vec![usual, usual.with(Switch::Ftz, true), usual.with(Switch::Fma, false)];
        let plan = Plan { language, types, operations, depth: 3 };
        let s = Search {
            plan,
            targets: targets.into_iter().map(str::to_owned).collect(),
            settings,
            seed: 1,
            vectors: 64,
        };
        let found = search(&compiler, &s, 0, count, &mut |found| {
            println!(
                "{} programs {:?} right {} wrong {} findings {}",
                found.programs,
                started.elapsed(),
                found.right,
                found.wrong,
                found.findings.len()
            );
            true
        })
        .unwrap();
        println!("{} {} {} {}", found.right, found.wrong, found.vectors, found.undecided);
        for (what, map) in
            [("refused", &found.refused), ("died", &found.died), ("unexecuted", &found.unexecuted)]
        {
            for (w, n) in map.iter().take(12) {
                println!("{what} {n} {}", w.chars().take(200).collect::<String>());
            }
        }
        for f in &found.findings {
            println!(
                "--- {} {} {:x?} got {:x} permitted {:x?} ({} mismatches) by constants {}",
                f.target,
                f.setting,
                f.wrong.operands,
                f.wrong.result,
                f.wrong.permitted,
                f.wrong.mismatches,
                f.by_constants
            );
            println!("{}", f.program.text(language, f.setting, "f"));
            println!(
                "wrong at {:?}",
                f.everywhere.iter().map(|(t, s)| format!("{t} {s}")).collect::<Vec<_>>()
            );
        }
    }
}
