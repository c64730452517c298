//! The check of matrix instructions against the assembler, which refuses them in phases.

mod known_disagreements;
mod question;

use std::path::Path;

use anyhow::Result;
use isa::Target;
use isa::matrix::MatrixVariant;
use ptx::Header;

use super::assembly_job::{ask_all, jobs};
use super::compare::{explain, gather};
use super::inquiry::{Inquiry, TableAnswers, names};
use known_disagreements::claimed;
use question::questions;

/// Whether a reduced run asks about the target: it asks about one of the first, and one for each generation since
/// `wgmma`.
pub fn is_in_sample(target: Target) -> bool {
    ["sm_80", "sm_90a", "sm_100a", "sm_120a"].contains(&target.to_string().as_str())
}

/// Asks about these variants and about what is one word from them.
pub fn run(
    inquiry: &Inquiry,
    variants: &[&'static MatrixVariant],
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<TableAnswers> {
    if variants.is_empty() {
        return Ok(TableAnswers::default());
    }
    let checked = inquiry.checks_explanations();
    let known = known_disagreements::rows();
    let claims =
        known.iter().filter(|_| checked).flat_map(known_disagreements::MatrixDisagreement::claims);
    let questions = questions(variants, inquiry.sampling(), claims);
    let targets = inquiry.targets(is_in_sample);
    let jobs = jobs(&questions, &targets, &inquiry.calendar);
    let judge = |file: &Path, header: Header, texts: &[&str]| {
        inquiry.assembler.judge_in_phases(file, header, ptx::MATRIX_DECLARATIONS, texts)
    };
    let (verdicts, surprises) =
        ask_all(inquiry.directory, &questions, &jobs, inquiry.request, progress, judge)?;
    let (unexplained, explanations) =
        explain(known, &claimed(&questions, known), &questions, &names(&targets), surprises, checked);
    Ok(TableAnswers {
        instructions: questions.len(),
        legal: questions.iter().filter(|question| question.is_of_the_table()).count(),
        verdicts,
        disagreements: gather(&questions, unexplained),
        explanations,
    })
}
