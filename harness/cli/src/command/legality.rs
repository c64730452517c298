//! `conformance dev legality`: compares the instruction table with what NVIDIA's assembler accepts.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use base::progress::Progress;
use clap::Args;
use indicatif::HumanCount;
use legality::{
    Assembler, Direction, Disagreement, Explanation, LegalityOutcome, LegalityRequest, NOT_ASKED,
    kernels,
};
use serde::Serialize;

use super::options::{Formatted, Jobs, Variants};
use super::{AGREE, Ending, Format, MISMATCH, print, processors, stop_on_interrupt};

/// Compare the table of instructions with what NVIDIA's assembler accepts.
///
/// Every variant in the table is assembled for every GPU target. Every spelling that differs from a variant in
/// one modifier or type is assembled, too. If such a spelling is not in the table, the assembler has to refuse it.
///
/// Exit code: 0 if table and assembler agree, apart from known differences; 1 if they differ; 2 if the
/// assembler could not be run.
#[derive(Args)]
pub struct Arguments {
    /// Assembler to run: a path, or a version that is set up [default: $PTXAS, the newest that is set up,
    /// or ptxas on the PATH].
    #[arg(long, value_name = "PATH|ptxas@VERSION")]
    ptxas: Option<PathBuf>,
    #[command(flatten)]
    variants: Variants,
    /// Try only four targets, and every tenth of the spellings that are not in the table.
    #[arg(long)]
    reduced: bool,
    /// Assemble the suite's kernels to machine code, in place of the spellings. Each kernel is assembled for every
    /// target that has its variant.
    #[arg(long)]
    kernels: bool,
    #[command(flatten)]
    jobs: Jobs,
    /// Seconds that the assembler may take for one module.
    #[arg(long, value_name = "SECONDS", default_value = "120",
        value_parser = clap::value_parser!(u32).range(1..))]
    deadline: u32,
    #[command(flatten)]
    formatted: Formatted,
}

/// The most disagreements that people are shown.
const SHOWN: usize = 40;

/// The result of asking the assembler about spellings, for programs.
#[derive(Serialize)]
struct Report<'a> {
    agrees: bool,
    ptxas: &'a str,
    ptx: String,
    reduced: &'a [String],
    instructions: usize,
    legal: usize,
    targets: usize,
    verdicts: u64,
    seconds: f64,
    disagreements: Vec<Row<'a>>,
    explained: Vec<Known<'a>>,
}

/// The result of assembling kernels to machine code, for programs.
#[derive(Serialize)]
struct KernelsReport<'a> {
    agrees: bool,
    ptxas: &'a str,
    ptx: String,
    reduced: &'a [String],
    variants: usize,
    targets: usize,
    assembled: u64,
    refused: u64,
    fatal: u64,
    seconds: f64,
    disagreements: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    subject: &'a str,
    ptxas: &'static str,
    ptx: String,
    targets: Vec<String>,
    message: Option<&'a str>,
}

#[derive(Serialize)]
struct Known<'a> {
    syntax: &'a str,
    ptxas: &'static str,
    reason: &'a str,
    explained: usize,
    stale: &'a [String],
}

impl<'a> Row<'a> {
    fn of(disagreement: &'a Disagreement) -> Row<'a> {
        let Disagreement { subject, direction, ptx, message, .. } = disagreement;
        let (ptxas, message) = (verb(*direction), message.as_deref());
        Row { subject, ptxas, ptx: ptx.to_string(), targets: names(disagreement), message }
    }
}

impl<'a> Known<'a> {
    fn of(row: &'a Explanation) -> Known<'a> {
        let &Explanation { syntax, direction, reason, explained, ref stale } = row;
        Known { syntax, ptxas: verb(direction), reason, explained, stale }
    }
}

/// Returns what the assembler does, as the verb of a sentence about it.
const fn verb(direction: Direction) -> &'static str {
    match direction {
        Direction::Accepted => "accepts",
        Direction::Refused => "refuses",
    }
}

/// Returns the names of the targets of a disagreement.
fn names(disagreement: &Disagreement) -> Vec<String> {
    disagreement.targets.iter().map(|target| target.to_string()).collect()
}

/// Runs `conformance dev legality`.
pub fn run(arguments: &Arguments) -> Ending {
    let deadline = Duration::from_secs(arguments.deadline.into());
    let assembler = Assembler::find(arguments.ptxas.as_deref(), deadline)?;
    let request = LegalityRequest {
        only: arguments.variants.only.clone(),
        reduced: arguments.reduced,
        jobs: arguments.jobs.or(processors()),
        stop: stop_on_interrupt()?,
    };
    let started = Instant::now();
    let progress = Progress::new("verdicts", None);
    let told = |done, total| {
        progress.set_total(total);
        progress.reach(done, None);
    };
    let seconds = || started.elapsed().as_secs_f64();
    let (agrees, shown) = if arguments.kernels {
        let outcome = kernels::run(&assembler, &request, &told)?;
        progress.finish();
        let shown = match arguments.formatted.format {
            Format::Json => kernels_json(&assembler, &outcome, seconds())? + "\n",
            Format::Text => kernels_text(&assembler, &outcome, seconds()),
        };
        (outcome.disagreements.is_empty(), shown)
    } else {
        let outcome = legality::run(&assembler, &request, &told)?;
        progress.finish();
        let shown = match arguments.formatted.format {
            Format::Json => json(&assembler, &outcome, seconds())? + "\n",
            Format::Text => text(&assembler, &outcome, seconds()),
        };
        (outcome.agrees(), shown)
    };
    print(&shown)?;
    Ok(ExitCode::from(if agrees { AGREE } else { MISMATCH }))
}

/// Returns the result about spellings as JSON.
fn json(assembler: &Assembler, outcome: &LegalityOutcome, seconds: f64) -> serde_json::Result<String> {
    serde_json::to_string_pretty(&Report {
        agrees: outcome.agrees(),
        ptxas: assembler.release(),
        ptx: outcome.newest.to_string(),
        reduced: &outcome.reduced,
        instructions: outcome.instructions,
        legal: outcome.legal,
        targets: outcome.targets,
        verdicts: outcome.verdicts,
        seconds,
        disagreements: outcome.disagreements.iter().map(Row::of).collect(),
        explained: outcome.explanations.iter().map(Known::of).collect(),
    })
}

/// Returns the result about kernels as JSON.
fn kernels_json(
    assembler: &Assembler,
    outcome: &kernels::KernelsOutcome,
    seconds: f64,
) -> serde_json::Result<String> {
    serde_json::to_string_pretty(&KernelsReport {
        agrees: outcome.disagreements.is_empty(),
        ptxas: assembler.release(),
        ptx: outcome.newest.to_string(),
        reduced: &outcome.reduced,
        variants: outcome.variants,
        targets: outcome.targets,
        assembled: outcome.assembled,
        refused: outcome.refused,
        fatal: outcome.fatal,
        seconds,
        disagreements: outcome.disagreements.iter().map(Row::of).collect(),
    })
}

/// Returns the result about kernels in words.
fn kernels_text(assembler: &Assembler, outcome: &kernels::KernelsOutcome, seconds: f64) -> String {
    let mut text = first(&outcome.disagreements);
    text += &format!(
        "ptxas {}, PTX {}: the kernels of {} variants for {} targets in {seconds:.0} s; {} became code, \
         {} were refused where the table lacks them.\n",
        assembler.release(),
        outcome.newest,
        HumanCount(outcome.variants as u64),
        outcome.targets,
        HumanCount(outcome.assembled),
        HumanCount(outcome.refused),
    );
    for reduced in &outcome.reduced {
        text += &format!("Reduced to {reduced}.\n");
    }
    if outcome.fatal > 0 {
        text += &format!("ptxas died of {}, as known: {}.\n", HumanCount(outcome.fatal), kernels::FATAL);
    }
    text + &format!("Disagreements: {}.\n", HumanCount(outcome.disagreements.len() as u64))
}

/// Returns the first disagreements as text, and how many more there are.
fn first(disagreements: &[Disagreement]) -> String {
    let mut text = String::new();
    for disagreement in disagreements.iter().take(SHOWN) {
        let Disagreement { subject, direction, ptx, message, .. } = disagreement;
        let (verb, targets) = (verb(*direction), names(disagreement).join(" "));
        text += &format!("ptxas {verb}  {subject}\n  PTX {ptx} on {targets}\n");
        if let Some(message) = message {
            text += &format!("  ptxas: {message}\n");
        }
    }
    if let Some(rest @ 1..) = disagreements.len().checked_sub(SHOWN) {
        text += &format!("… and {rest} more: --format json has them all\n");
    }
    text
}

/// Returns the result about spellings in words.
fn text(assembler: &Assembler, outcome: &LegalityOutcome, seconds: f64) -> String {
    let mut text = first(&outcome.disagreements);
    for row in &outcome.explanations {
        if let [first, rest @ ..] = row.stale.as_slice() {
            text += &format!(
                "stale  {}\n  harness/legality/src/explained.rs says that ptxas {} it, which is no \
                 longer true: {first}{}\n",
                row.syntax,
                verb(row.direction),
                if rest.is_empty() { String::new() } else { format!(", and {} more", rest.len()) },
            );
        }
    }
    let count = |number: usize| HumanCount(number as u64);
    text += &format!(
        "ptxas {}, PTX {}: {} verdicts in {seconds:.0} s, on {} instructions ({} of them in the table) \
         for {} targets.\n",
        assembler.release(),
        outcome.newest,
        HumanCount(outcome.verdicts),
        count(outcome.instructions),
        count(outcome.legal),
        outcome.targets,
    );
    for reduced in &outcome.reduced {
        text += &format!("Reduced to {reduced}.\n");
    }
    text += &format!("Not asked: {NOT_ASKED}.\n");
    let rows = &outcome.explanations;
    let explained: usize = rows.iter().map(|row| row.explained).sum();
    let stale = rows.iter().filter(|row| !row.stale.is_empty()).count();
    text += &format!(
        "Disagreements: {}; explained ones: {}, by {} rows, of which {stale} no longer hold.\n",
        count(outcome.disagreements.len()),
        count(explained),
        rows.len(),
    );
    text
}
