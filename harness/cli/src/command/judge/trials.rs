//! The trials of a judgement: a first look at the quick tier, all operands, and each place in their bounds of approximate
//! instructions.

use std::borrow::Cow;
use std::path::PathBuf;

use anyhow::Result;
use base::terminal::say;
use compilers::unit::Approximation;
use implementations::Implementation;
use isa::Variant;
use reports::{Report, Verdict, thousands};
use runner::{JudgedBy, Plan, RunRequest, RunSettings, Task};
use selection::budget::Tier;
use sweeps::{Length, Sweep};

use super::Arguments;
use super::standard::Standard;
use crate::command::{make_directory, processors};
use crate::waivers::Waivers;

/// The most inputs that are all tried without being asked for.
const ALL_INPUTS_MAX: u64 = 1 << 32;
/// The most inputs that are all tried without a first look at the quick tier.
const AT_ONCE_MAX: u64 = 1 << 24;
/// The name of the folder of a first look's state.
const FIRST_LOOK: &str = "quick";
/// The start of the names of the folders of other launches' states.
const LAUNCH: &str = "launch";
/// The most threads that all trials of other launches execute together, and the fewest and the most vectors of one of
/// them.
const LAUNCHED_MAX: u64 = 1 << 19;
const LAUNCHED_VECTORS: [u64; 2] = [512, 4096];
/// The most threads that a judgement of launches of many threads executes, if no tier is asked for.
const THREADS_MAX: u64 = 1 << 22;

/// A run over vectors. The first trial that finds a wrong result is the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The place in their bounds of the results of approximate instructions.
    pub approximation: Approximation,
    /// The vectors.
    pub tier: Tier,
    /// Whether a trial of all operands follows.
    pub is_first_look: bool,
    /// The number of the kernel's other launch that is tried, if it is one.
    pub launch: Option<usize>,
}

/// Returns the places in their bounds at which code with these approximate instructions is tried.
pub fn approximations(approximate: &[&str]) -> &'static [Approximation] {
    match approximate {
        [] => &[Approximation::Nearest],
        _ => &Approximation::ALL,
    }
}

impl Trial {
    /// Whether the next trial follows one with this report: no result is wrong but those that waivers cover, or the first
    /// look has met no vector of the domain.
    pub fn goes_on(self, report: &Report, waivers: Option<&Waivers>) -> bool {
        let mut seen = report.clone();
        if let Some(waivers) = waivers {
            waivers.apply(&mut seen, self.tier);
        }
        match seen.verdict() {
            Verdict::Agree => true,
            Verdict::Nothing => self.is_first_look,
            _ => false,
        }
    }

    /// Says which trial wrong results come from, if that is not the whole judgement.
    pub fn say_of_mismatches(self, all: &[Trial]) {
        if all.iter().any(|trial| trial.approximation.is_end()) {
            say(&format!(
                "These results come with the {} results that PTX permits for the approximate instructions.",
                self.approximation.name()
            ));
        }
        if self.tier == Tier::Quick && all.iter().any(|trial| trial.is_first_look) {
            say(
                "These results come from the quick tier. With --tier exhaustive, all operands are tried.",
            );
        }
    }

    /// Returns the name of the folder in which the state of the trial is kept; `None` for that of the report.
    fn folder(self) -> Option<Cow<'static, str>> {
        match (self.launch, self.approximation) {
            _ if self.is_first_look => Some(FIRST_LOOK.into()),
            (Some(number), _) => Some(format!("{LAUNCH}-{}", number + 1).into()),
            (None, Approximation::Nearest) => None,
            (None, end) => Some(end.name().into()),
        }
    }
}

impl Arguments {
    /// Returns the trials of code with these approximate instructions, which has the operands of `shape`, and so many other
    /// launches. Approximations at the ends of their bounds are slow, so they are tried on the quick tier if no tier is
    /// asked for. So is code that is slow as a whole.
    pub(super) fn trials(
        &self,
        shape: &Variant,
        approximate: &[&str],
        (launches, is_slow): (usize, bool),
    ) -> Vec<Trial> {
        let of = |approximation, tier| Trial { approximation, tier, is_first_look: false, launch: None };
        let launch = |number| Trial { launch: Some(number), ..of(Approximation::Nearest, Tier::Quick) };
        let launches = (0..launches).map(launch);
        let all = approximations(approximate).iter().copied();
        if let Some(tier) = self.tier {
            return all.map(|approximation| of(approximation, tier)).chain(launches).collect();
        }
        let tier = if is_slow { Tier::Quick } else { tier_for(shape) };
        let whole = of(Approximation::Nearest, tier);
        let ends = all.filter(|approximation| approximation.is_end());
        let ends = ends.map(|approximation| of(approximation, Tier::Quick));
        let looks_first = whole.tier == Tier::Exhaustive && has_more_inputs(shape, AT_ONCE_MAX);
        match looks_first {
            true => {
                let look = Trial { is_first_look: true, ..of(Approximation::Nearest, Tier::Quick) };
                std::iter::once(look).chain(launches).chain(ends).chain([whole]).collect()
            }
            false => std::iter::once(whole).chain(ends).chain(launches).collect(),
        }
    }

    /// Makes the plan of a trial: the vectors of a tier, and those of `constants`.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub(super) fn plan(
        &self,
        standard: &Standard,
        implementation: &dyn Implementation,
        approximation: Approximation,
        tier: Tier,
        constants: Vec<Task>,
    ) -> Result<Plan> {
        let request = RunRequest {
            seed: self.seed.number(),
            judging: self.judge,
            ..RunRequest::of(tier, vec![standard.shape().text().to_owned()])
        };
        let mut plan = Plan::new(request, implementation)?;
        plan.tasks.extend(constants);
        Ok(match standard.meaning(approximation) {
            Some(meaning) => plan.held_to_meaning(meaning),
            None => plan,
        })
    }

    /// Returns the settings of the trial of a number. A judgement that is resumed goes on with the trials that have begun.
    ///
    /// # Errors
    /// If a directory cannot be made.
    pub(super) fn settings(
        &self,
        implementation: &dyn Implementation,
        trials: &[Trial],
        number: usize,
    ) -> Result<RunSettings> {
        let has_begun = |trial: &Trial| self.directory(*trial).join(runner::STATE_FILE).exists();
        let directory = trials.get(number).map_or_else(|| self.out(), |trial| self.directory(*trial));
        make_directory(&directory)?;
        // If none has begun, the first says that there is nothing to resume.
        let nothing = number == 0 && !trials.iter().any(has_begun);
        let resume = self.resume.resume && (nothing || directory.join(runner::STATE_FILE).exists());
        Ok(RunSettings { jobs: self.jobs.or(implementation.workers(processors())), resume, directory })
    }

    /// Removes the states of all trials.
    pub(super) fn forget(&self, trials: &[Trial]) {
        trials.iter().for_each(|trial| runner::forget(&self.directory(*trial)));
    }

    /// Returns the directory of the state of a trial.
    fn directory(&self, trial: Trial) -> PathBuf {
        trial.folder().map_or_else(|| self.out(), |folder| self.out().join(&*folder))
    }
}

/// Leaves out most vectors of a plan, which is one for each of several other launches: enough are left to tell whether
/// threads of a kernel find their elements. A row executes so many threads.
pub fn cut(plan: &mut Plan, threads: usize, launches: usize) {
    let [fewest, most] = LAUNCHED_VECTORS;
    let together = (threads as u64).saturating_mul(launches as u64).max(1);
    let all = (LAUNCHED_MAX / together).clamp(fewest, most);
    let each = (all / (plan.tasks.len() as u64).max(1)).max(1);
    for task in &mut plan.tasks {
        task.vectors = task.vectors.min(each);
        // A digest is that of all vectors.
        (task.proven, task.judged_by) = (None, JudgedBy::Mpfr);
    }
}

/// Leaves out vectors of a plan of which each executes so many threads, if it would take long.
pub fn cut_whole(plan: &mut Plan, threads: usize) {
    let all = (THREADS_MAX / (threads as u64).max(1)).max(LAUNCHED_VECTORS[1]);
    if vectors(plan) <= all {
        return;
    }
    let each = (all / (plan.tasks.len() as u64).max(1)).max(1);
    for task in plan.tasks.iter_mut().filter(|task| task.vectors > each) {
        (task.vectors, task.proven, task.judged_by) = (each, None, JudgedBy::Mpfr);
    }
}

/// Counts the vectors of a plan.
pub fn vectors(plan: &Plan) -> u64 {
    plan.tasks.iter().map(|task| task.vectors).sum()
}

/// Says that vectors were left out because each executes many threads.
pub fn left_out(vectors: u64, all: u64, threads: usize) -> String {
    format!(
        "{} of {} vectors of the quick tier were left out, because each of them executes {} threads.",
        thousands(vectors),
        thousands(all),
        thousands(threads as u64)
    )
}

/// Whether an instruction has more inputs than `most`.
fn has_more_inputs(shape: &Variant, most: u64) -> bool {
    !matches!(Sweep::exhaustive().length(shape), Length::Finite(all) if all <= most)
}

/// Returns the tier that has all inputs of an instruction if there are not too many.
fn tier_for(shape: &Variant) -> Tier {
    if has_more_inputs(shape, ALL_INPUTS_MAX) { Tier::Quick } else { Tier::Exhaustive }
}
