//! Judges versions of one function, each up to its first wrong result, on the vectors on which `judge` would try them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result, bail};
use base::interrupt::{Interrupted, is_interruption};
use base::locks::lock;
use compilers::unit::{Approximating, Approximation};
use implementations::code::Code;
use implementations::{Implementation, Support};
use isa::Variant;
use runner::{BlockJudge, Plan, Task};
use selection::budget::Tier;
use selection::subject::Subject;
use sweeps::{Length, Sweep};

use super::answer::approximate_instructions;
use super::standard::Standard;
use super::trials::{self, approximations};
use super::{Arguments, constants};

/// A judgement that is carried out on many versions of its function.
pub struct VersionJudge {
    arguments: Arguments,
    right: Code,
    standard: Standard,
    /// The vectors of the constants that versions have: most versions have the same constants.
    constants: Mutex<BTreeMap<Vec<u64>, Vec<Task>>>,
}

/// The verdict on a version of a function.
#[derive(Debug)]
pub enum VersionVerdict {
    /// A result is wrong: `judge` ends with exit code 1.
    Wrong,
    /// There is no verdict, for this reason: `judge` ends with exit code 2.
    Refused(String),
    /// No result is wrong.
    Right {
        /// Whether every input was tried, so that the version is proven right.
        exhausted: bool,
    },
}

impl VersionJudge {
    /// Prepares a judgement.
    ///
    /// # Errors
    /// If the function cannot be read, or the options say nothing about what it should compute.
    pub fn new(arguments: Arguments) -> Result<VersionJudge> {
        if arguments.device.is_some() {
            bail!("versions of a function are executed by the suite's interpreter: leave out `impl`");
        }
        let right = arguments.code()?.within(arguments.domain.clone());
        let name = right.describe().name;
        let standard = arguments.standard(&right)?;
        let standard = standard.with_context(|| format!("{name} has no meaning: add `as = \"…\"`"))?;
        Ok(VersionJudge { arguments, right, standard, constants: Mutex::default() })
    }

    /// Returns the name of the function: that of its file, without folder and extension.
    pub fn name(&self) -> String {
        let file = self.arguments.file.as_deref().unwrap_or_default();
        Path::new(file).file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Returns what the function should compute, as `--as` has it.
    pub fn meaning(&self) -> String {
        let meaning = self.standard.meaning(Approximation::Nearest);
        meaning.map_or_else(|| self.standard.shape().to_string(), |meaning| meaning.text())
    }

    /// Returns the PTX of the function as it was given.
    pub fn text(&self) -> String {
        self.right.text()
    }

    /// Judges a version of the function on the vectors of a tier and on those of the version's own constants.
    ///
    /// # Errors
    /// [`Interrupted`] if `stop` is set.
    pub fn judge(&self, ptx: &str, tier: Tier, stop: &AtomicBool) -> Result<VersionVerdict> {
        match self.try_version(ptx, tier, stop) {
            Err(error) if is_interruption(&error) => Err(error),
            // What cannot be read, launched or executed to its end has no verdict.
            Err(error) => Ok(VersionVerdict::Refused(format!("{error:#}"))),
            Ok(verdict) => Ok(verdict),
        }
    }

    fn try_version(&self, ptx: &str, tier: Tier, stop: &AtomicBool) -> Result<VersionVerdict> {
        let (function, launch) = (self.arguments.function.as_deref(), self.arguments.launch());
        let code = Code::of_text(&self.name(), ptx, function, launch.as_ref())?;
        let mut code = code.within(self.arguments.domain.clone());
        let shape = self.standard.shape();
        if let Support::No(why) = code.support(shape) {
            bail!(why);
        }
        let constants = self.constants(&code, shape);
        let approximate = approximate_instructions(&code);
        let mut exhausted = approximate.is_empty() && takes_one_vector(&code, shape);
        for &approximation in approximations(&approximate) {
            code = code.with_unit(Arc::new(move || Box::new(Approximating::new(approximation))));
            let plan =
                self.arguments.plan(&self.standard, &code, approximation, tier, constants.clone())?;
            if is_wrong(&plan, &code, shape, stop)? {
                return Ok(VersionVerdict::Wrong);
            }
            exhausted &= plan.tasks.iter().any(has_all_inputs);
        }
        let launches = code.other_launches(shape);
        for launch in &launches {
            let code = code.relaunched(launch)?;
            let nearest = Approximation::Nearest;
            let code = code.with_unit(Arc::new(move || Box::new(Approximating::new(nearest))));
            let mut plan =
                self.arguments.plan(&self.standard, &code, nearest, tier, constants.clone())?;
            trials::cut(&mut plan, code.threads_of_row(), launches.len());
            if is_wrong(&plan, &code, shape, stop)? {
                return Ok(VersionVerdict::Wrong);
            }
        }
        Ok(VersionVerdict::Right { exhausted })
    }

    /// Returns the vectors of a version's constants.
    fn constants(&self, code: &Code, shape: &'static Variant) -> Vec<Task> {
        let mut known = lock(&self.constants);
        known.entry(code.constants()).or_insert_with(|| constants::tasks(code, shape)).clone()
    }
}

/// Whether some code gives a wrong result on the vectors of a plan.
///
/// # Errors
/// If the code cannot be executed to its end, and [`Interrupted`].
fn is_wrong(plan: &Plan, code: &Code, shape: &'static Variant, stop: &AtomicBool) -> Result<bool> {
    let mut judge = match &plan.meaning {
        Some(meaning) => BlockJudge::of_meaning(shape, meaning.as_ref()),
        None => BlockJudge::new(Subject::Variant(shape), plan.request.judging),
    };
    let mut worker = code.worker()?;
    let blocks = plan.blocks();
    for place in 0..blocks.len() {
        if stop.load(Ordering::Relaxed) {
            return Err(Interrupted.into());
        }
        let block = blocks.get(place);
        let Some(task) = plan.tasks.get(block.task) else { continue };
        let tally = judge.run_block(task, block, plan.request.seed, &mut *worker)?;
        // Only vectors outside of the code's domain have no answer.
        if tally.mismatches > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a task has every input of a variant of one lane: lanes of a packed register are tried beside each other, and
/// not in all combinations.
fn has_all_inputs(task: &Task) -> bool {
    let Subject::Variant(shape) = task.subject() else { return false };
    let is_whole = matches!(task.asked.length(), Length::Finite(all) if all <= task.vectors);
    let is_scalar = shape.operands().iter().all(|operand| operand.ty.lanes == 1);
    task.asked.sweep() == Sweep::exhaustive().name && is_whole && is_scalar
}

/// Whether one execution of the code computes one vector and no more: results of vectors that are computed together
/// might depend on each other.
fn takes_one_vector(code: &Code, shape: &Variant) -> bool {
    let [_, results] = code.shape();
    let bytes: usize = shape.results().iter().map(|result| result.ty.row_bytes()).sum();
    code.launch().is_none() || results.iter().sum::<usize>() == bytes
}
