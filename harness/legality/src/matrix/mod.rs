//! Matrix instructions against the assembler, which refuses them in phases.

mod explained;
mod question;

use std::path::Path;

use anyhow::Result;
use isa::Target;
use isa::matrix::MatrixVariant;
use ptx::Header;

use super::ask::{ask_all, jobs};
use super::compare::{explain, gather};
use super::run::{Part, Run, names};
use question::{claimed, questions};

/// The targets of a reduced run: one of the first, and one for each generation since `wgmma`.
pub fn is_in_sample(target: Target) -> bool {
    ["sm_80", "sm_90a", "sm_100a", "sm_120a"].contains(&target.to_string().as_str())
}

/// Asks about these variants and what is one word from them.
pub fn run(
    run: &Run,
    variants: &[&'static MatrixVariant],
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Part> {
    if variants.is_empty() {
        return Ok(Part::default());
    }
    let checked = run.checks_explanations();
    let known = explained::rows();
    let claims = known.iter().filter(|_| checked).flat_map(explained::Explained::claims);
    let questions = questions(variants, run.sampling(), claims);
    let targets = run.targets(is_in_sample);
    let jobs = jobs(&questions, &targets, &run.calendar);
    let judge = |file: &Path, header: Header, texts: &[&str]| {
        run.assembler.judge_in_phases(file, header, ptx::MATRIX_DECLARATIONS, texts)
    };
    let (verdicts, surprises) = ask_all(run.directory, &questions, &jobs, run.request, progress, judge)?;
    let (unexplained, explanations) =
        explain(known, &claimed(&questions, known), &questions, &names(&targets), surprises, checked);
    Ok(Part {
        instructions: questions.len(),
        legal: questions.iter().filter(|question| question.is_of_the_table()).count(),
        verdicts,
        disagreements: gather(&questions, unexplained),
        explanations,
    })
}
