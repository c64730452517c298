//! Searches for the simplest vectors that a user's own code gets wrong, by the meaning that the code is held to.

use std::collections::BTreeMap;

use anyhow::Result;
use formats::RowBits;
use implementations::Worker;
use isa::Variant;
use judge::{Mismatch, MismatchKind, Tally};
use runner::{BlockJudge, Meaning, Plan, Task};

use super::descent::{Descent, descend};
use super::simplest::{key, steps};
use super::{Diagnosis, examples};

/// Returns a diagnosis of each class of results: the simplest vector alone, because faults are those of instructions.
pub fn diagnose(
    plan: &Plan,
    meaning: &dyn Meaning,
    variant: &'static Variant,
    tasks: &[(&Task, &Tally)],
    worker: &mut dyn Worker,
) -> Result<BTreeMap<MismatchKind, Diagnosis>> {
    let mut diagnoses = BTreeMap::new();
    for (kind, examples) in examples(tasks) {
        let simple = |(_, example): &(_, &Mismatch)| key(variant, &example.operands);
        let Some((sweep, from)) = examples.into_iter().min_by_key(simple) else { continue };
        let judge = BlockJudge::of_meaning(variant, meaning);
        let search = MeaningSearch { variant, judge, worker: &mut *worker, kind };
        let simplest = Some((sweep, descend(from, plan.vectors_max, search)?));
        diagnoses.insert(kind, Diagnosis { simplest, ..Diagnosis::default() });
    }
    Ok(diagnoses)
}

/// The vectors of code with a meaning, tried a batch at a time.
struct MeaningSearch<'a> {
    variant: &'static Variant,
    judge: BlockJudge,
    worker: &'a mut dyn Worker,
    kind: MismatchKind,
}

impl Descent for MeaningSearch<'_> {
    type Key = (u32, u64, u32, Vec<RowBits>);

    const STEPS: usize = 64;

    fn key(&self, operands: &[RowBits]) -> Self::Key {
        key(self.variant, operands)
    }

    fn steps(&self, operands: &[RowBits]) -> Vec<Vec<RowBits>> {
        steps(self.variant, operands)
    }

    fn first(&mut self, vectors: &[Vec<RowBits>]) -> Result<Option<Mismatch>> {
        let mut tally = self.judge.run_rows(vectors, 0, self.worker)?;
        let class = tally.classes.remove(&self.kind);
        // The examples of a class are in the order of the rows.
        Ok(class.and_then(|class| class.examples.into_iter().next()))
    }
}
