//! Control vectors, which every shard runs, whatever its part is: one device, or one kind of device, gives the same
//! results for them in every shard.

use anyhow::{Context, Result};
use formats::digests::digest;
use implementations::Implementation;

use super::compute;
use super::plan::{Plan, Task};

/// Largest number of tasks that have control vectors.
const TASKS: usize = 64;
/// Largest number of control vectors of a task.
const ROWS: u64 = 64;

/// Returns the step between tasks with control vectors: every how many-th of a plan's `tasks` tasks has them.
pub fn step(tasks: usize) -> usize {
    tasks.div_ceil(TASKS).max(1)
}

/// Computes the digest of the results of each task's control vectors, for the tasks that have them.
///
/// # Errors
/// If the implementation breaks as a whole.
pub fn run(plan: &Plan, implementation: &dyn Implementation) -> Result<Vec<u64>> {
    let mut worker = implementation.worker().context("the implementation could not be started")?;
    let digest = |task: &Task| {
        let (subject, rows) = (task.subject(), ROWS.min(task.vectors) as usize);
        let mut operands = subject.operands(rows);
        // Control vectors are the first of a sweep, so that they are the same in every shard.
        task.asked.fill(plan.request.seed, 0, &mut operands);
        let mut results = subject.results(rows);
        let missing = compute(worker.as_mut(), subject, &operands, &mut results)
            .with_context(|| format!("the control vectors of {subject} could not be computed"))?;
        // Whatever was written for a row without a result does not count.
        for column in &mut results {
            missing.rows().iter().for_each(|&row| column.bytes_of_mut(row..row + 1).fill(0));
        }
        Ok(digest(0, &results))
    };
    plan.tasks.iter().step_by(step(plan.tasks.len())).map(digest).collect()
}
