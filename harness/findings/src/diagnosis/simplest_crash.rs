//! Searches for the simplest vector of which there is no result. Such a vector may cost a process, so vectors are
//! tried one at a time, the simplest first, and only in classes of what fuzzing has kept.

use anyhow::Result;
use formats::RowBits;
use implementations::Worker;
use isa::Variant;
use judge::{Mismatch, MismatchKind, Tally};
use runner::{BlockJudge, Judging, Plan, Task};
use selection::subject::{Subject, VectorSource};

use super::descent::{Descent, descend};
use super::simplest::{key, steps};

/// The most vectors that are tried for one class.
const ATTEMPTS: u64 = 4096;

/// Whether a class of a task is simplified by trying vectors alone. Results that are missing because they were late
/// are not: each vector would have to be waited for.
pub fn concerns(task: &Task, kind: MismatchKind) -> bool {
    use MismatchKind::{Crashed, Failed, Nonsense, Unwritten};
    matches!(task.asked, VectorSource::Given(_))
        && matches!(kind, Crashed | Failed | Nonsense | Unwritten)
}

/// Searches for the simplest vector of each class without results, and returns it with the sweep that its search
/// began in.
pub fn search(
    plan: &Plan,
    variant: &'static Variant,
    tasks: &[(&Task, &Tally)],
    worker: &mut dyn Worker,
) -> Result<Vec<(MismatchKind, (&'static str, Mismatch))>> {
    let mut found = Vec::new();
    for (task, tally) in tasks {
        for (kind, class) in tally.classes.iter().filter(|(kind, _)| concerns(task, **kind)) {
            let simple = |example: &&Mismatch| key(variant, &example.operands);
            let Some(from) = class.examples.iter().min_by_key(simple) else { continue };
            let judge = BlockJudge::new(Subject::Variant(variant), Judging::Mpfr);
            let alone =
                CrashSearch { variant, judge, worker: &mut *worker, kind: *kind, left: ATTEMPTS };
            found.push((*kind, (task.asked.sweep(), descend(from, plan.vectors_max, alone)?)));
        }
    }
    Ok(found)
}

/// The vectors of one variant, tried one at a time until a number of attempts is used up.
struct CrashSearch<'a> {
    variant: &'static Variant,
    judge: BlockJudge,
    worker: &'a mut dyn Worker,
    kind: MismatchKind,
    /// The number of vectors that may still be tried.
    left: u64,
}

impl Descent for CrashSearch<'_> {
    type Key = (u32, u64, u32, Vec<RowBits>);

    const STEPS: usize = 64;

    fn key(&self, operands: &[RowBits]) -> Self::Key {
        key(self.variant, operands)
    }

    fn steps(&self, operands: &[RowBits]) -> Vec<Vec<RowBits>> {
        steps(self.variant, operands)
    }

    fn first(&mut self, vectors: &[Vec<RowBits>]) -> Result<Option<Mismatch>> {
        for operands in vectors {
            let Some(left) = self.left.checked_sub(1) else { break };
            self.left = left;
            let mut tally = self.judge.run_rows(std::slice::from_ref(operands), 0, self.worker)?;
            if let Some(class) = tally.classes.remove(&self.kind) {
                return Ok(class.examples.into_iter().next());
            }
        }
        Ok(None)
    }
}
