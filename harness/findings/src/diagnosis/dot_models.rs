//! Explains wrong sums of products by another target's tensor cores, or by a fault of the model, that gives all
//! actual results, right and wrong, bit for bit.

use anyhow::Result;
use formats::{Column, column};
use implementations::Worker;
use isa::Target;
use isa::matrix::{Lowering, MatrixVariant};
use judge::Tally;
use model::{DotFault, DotModel};
use reports::Flaw;
use runner::{Plan, Task, compute};
use selection::subject::Subject;

use super::Explanation;
use super::evidence::{spread, vectors};

/// The number of vectors of each sweep that are tried again, beside the mismatches that were kept.
const OF_EACH: u64 = 96;

/// The prefix of a target's name in a flaw, where nothing is wrong but that another target was expected.
const AS: &str = "as-";

/// A batch of vectors, and the results that the implementation gives for them.
struct Evidence {
    operands: Vec<Column>,
    results: Vec<Column>,
    /// The number of vectors in the batch that are mismatches that were kept.
    mismatches: u64,
}

/// Finds the target or the fault that computes the actual results of all classes of a matrix instruction, if there is
/// one.
pub fn explain(
    plan: &Plan,
    variant: &'static MatrixVariant,
    tasks: &[(&Task, &Tally)],
    worker: &mut dyn Worker,
) -> Result<Option<Explanation>> {
    let evidence = gather(plan, variant, tasks, worker)?;
    let mismatches = evidence.iter().map(|batch| batch.mismatches).sum();
    let rows: u64 = evidence.iter().map(|batch| batch.operands[0].rows() as u64).sum();
    let mut found: Option<Explanation> = None;
    for (flaw, words, model) in hypotheses(variant, plan.request.model) {
        // Where a target explains the results, faults that change nothing are not looked for.
        let as_it_is = |flaw: &str| flaw.starts_with(AS);
        if found.as_ref().is_some_and(|found| as_it_is(&found.flaws[0]) && !as_it_is(&flaw)) {
            break;
        }
        let mut agrees = |batch: &Evidence| {
            let mut given = batch.results.clone();
            model.run(&batch.operands, &mut given);
            given == batch.results
        };
        if !evidence.iter().all(&mut agrees) {
            continue;
        }
        match &mut found {
            None => {
                // `gather` counts no more mismatches of a batch than the batch has rows.
                let agreeing = rows - mismatches;
                let explained = Explanation::of(vec![Flaw::new(flaw, words)]);
                found = Some(Explanation { mismatches, agreeing, ..explained });
            }
            Some(first) => {
                first.other_words.insert(flaw.clone(), words);
                first.others.push(flaw);
            }
        }
    }
    Ok(found)
}

/// Returns the hypotheses about a matrix instruction, each as a flaw, its words and its model. The likeliest come
/// first: those that a target computes, then those that a target computes with a fault.
fn hypotheses(
    variant: &MatrixVariant,
    expected: Option<Target>,
) -> impl Iterator<Item = (String, String, DotModel)> {
    // Faults are looked for in the expected target first, else in the newest.
    let all = Target::all().map(|(target, _)| target).collect::<Vec<_>>();
    let known = Lowering::group_by_lowering(variant, expected.into_iter().chain(all.into_iter().rev()));
    let (of_plain, of_faulty) = (variant.clone(), variant.clone());
    let plain: Vec<_> = known
        .iter()
        .filter_map(|(_, targets)| {
            let oldest = targets.iter().min_by_key(|target| target.number)?;
            let words = format!("it computes what {oldest} does");
            Some((format!("{AS}{oldest}"), words, DotModel::of(&of_plain, *oldest)?))
        })
        .collect();
    let faulty = known.into_iter().flat_map(move |(_, targets)| {
        // Targets with one lowering compute the same, so the first stands for all of them.
        let (variant, target) = (of_faulty.clone(), targets[0]);
        DotFault::ALL.iter().filter_map(move |&fault| {
            let words = format!("{}; all else as {target} does", fault.words());
            Some((fault.id().to_owned(), words, DotModel::with_fault(&variant, target, fault)?))
        })
    });
    plain.into_iter().chain(faulty)
}

/// Tries again the mismatches that were kept, and vectors from all over every sweep. Vectors without a result are left
/// out.
fn gather(
    plan: &Plan,
    variant: &'static MatrixVariant,
    tasks: &[(&Task, &Tally)],
    worker: &mut dyn Worker,
) -> Result<Vec<Evidence>> {
    let subject = Subject::Matrix(variant);
    let mut all = Vec::new();
    for (task, tally) in tasks {
        let kept: Vec<_> = tally
            .classes
            .iter()
            .filter(|(kind, _)| super::has_results(**kind))
            .flat_map(|(_, class)| &class.examples)
            .collect();
        let mut operands = subject.operands(kept.len());
        for (row, mismatch) in kept.iter().enumerate() {
            column::set_row_bits(&mut operands, row, &mismatch.operands);
        }
        let others = vectors(plan, task.asked, &spread(task.vectors, OF_EACH));
        for (operands, mismatches) in [(operands, kept.len() as u64), (others, 0)] {
            if operands[0].rows() == 0 {
                continue;
            }
            let mut results = subject.results(0);
            let without = compute(worker, subject, &operands, &mut results)?.rows();
            let sound: Vec<usize> =
                (0..operands[0].rows()).filter(|row| !without.contains(row)).collect();
            let [operands, results] = [&operands, &results].map(|of| column::select(of, &sound));
            // Of the mismatches that were kept, some may have no result this time.
            all.push(Evidence { operands, results, mismatches: mismatches.min(sound.len() as u64) });
        }
    }
    Ok(all)
}
