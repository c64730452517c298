//! `conformance dev mutants`: tries the suite itself, by counting how many wrong models the vectors of a tier kill.

mod functions;
mod rows;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use base::progress::Progress;
use clap::{Args, Subcommand};
use detection::{Score, ScoreRequest, percent};
use selection::select::select;

use super::options::{Depth, Formatted, Jobs, Seed, Variants};
use super::{AGREE, Ending, FAILED, Format, MISMATCH, print, print_json, processors, stop_on_interrupt};

/// Count how many wrong models of instructions the vectors detect.
///
/// A mutant is a model of one variant with one planted fault. The vectors detect a mutant if one of its results
/// is judged wrong.
///
/// Exit code: 0 if every detectable mutant is detected; 1 if some are not; 2 if the run did not finish.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    models: Models,
}

#[derive(Subcommand)]
enum Command {
    Rows(rows::Arguments),
    Functions(functions::Arguments),
}

#[derive(Args)]
struct Models {
    #[command(flatten)]
    variants: Variants,
    #[command(flatten)]
    depth: Depth,
    #[command(flatten)]
    seed: Seed,
    /// The command also compares the sweeps with two other ways to choose vectors: random bits, and the method
    /// of TestFloat. In this comparison, use at most N vectors of each sweep.
    #[arg(long, value_name = "N", default_value = "1024")]
    budget: u64,
    /// Some mutants are proven to be undetectable. Run these too on all vectors of the tier, not only on the first
    /// ones of each sweep, which have 16,384 lanes together.
    #[arg(long)]
    thorough: bool,
    #[command(flatten)]
    jobs: Jobs,
    /// Directory for mutants.json and mutants.md, which have the counts of mutants.
    #[arg(long, value_name = "DIR", default_value = "target/mutants")]
    out: PathBuf,
    #[command(flatten)]
    formatted: Formatted,
}

/// Runs `conformance dev mutants`.
pub fn run(arguments: &Arguments) -> Ending {
    match &arguments.command {
        Some(Command::Rows(arguments)) => rows::run(arguments),
        Some(Command::Functions(arguments)) => functions::run(arguments),
        None => try_models(&arguments.models),
    }
}

/// Runs wrong models on the vectors of a tier, and counts how many are killed.
fn try_models(arguments: &Models) -> Ending {
    let request = ScoreRequest {
        tier: arguments.depth.tier,
        only: arguments.variants.only.clone(),
        seed: arguments.seed.number(),
        budget: arguments.budget,
        equivalence_lanes: if arguments.thorough { u64::MAX } else { detection::EQUIVALENCE_LANES },
        jobs: arguments.jobs.or(processors()),
    };
    let variants = select(&request.only, None)?;
    let _held = super::conformance::take(&arguments.out)?;
    let stop = stop_on_interrupt()?;
    let progress = Progress::new("variants", variants.len() as u64);
    let score = detection::score(&variants, &request, stop, &|more| progress.advance(more))?;
    progress.finish();
    let json = serde_json::to_string_pretty(&score)? + "\n";
    // The score is printed before it is written, which may fail.
    match arguments.formatted.format {
        Format::Text => print(&text(&score, &arguments.out))?,
        Format::Json => print_json(&json)?,
    }
    save(&arguments.out.join("mutants.json"), &json)?;
    save(&arguments.out.join("mutants.md"), &score.page())?;
    if score.left > 0 {
        bail!("the run was broken off with {} variants left; select fewer with --only", score.left);
    }
    Ok(ExitCode::from(match () {
        () if !score.proofs_refuted.is_empty() => FAILED,
        () if score.totals.survived > 0 => MISMATCH,
        () => AGREE,
    }))
}

/// Writes a file of the score.
fn save(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}

/// The number of mutants that a list names one by one; the others are counted.
const NAMED: usize = 40;

/// Returns the score in words for the terminal; `out` is the directory that it is written to.
fn text(score: &Score, out: &Path) -> String {
    let (totals, comparison) = (&score.totals, &score.comparison);
    let mut text = format!(
        "{} variants, {} mutants: {} killed, {} survive ({}); {} tolerated, {} equivalent.\n",
        score.variants,
        totals.mutants,
        totals.killed,
        totals.survived,
        percent(totals.killed, totals.killed + totals.survived),
        totals.tolerated,
        totals.equivalent
    );
    let of = |killed| percent(killed, comparison.mutants);
    text += &format!(
        "On {} vectors, of the {} that were killed: the sweeps {}, TestFloat's method {}, uniform bits {}.\n",
        comparison.vectors,
        comparison.mutants,
        of(comparison.sweeps),
        of(comparison.testfloat),
        of(comparison.uniform)
    );
    for (what, names) in [("SURVIVES", &score.survived), ("DISPROVED", &score.proofs_refuted)] {
        names.iter().take(NAMED).for_each(|name| text += &format!("{what}  {name}\n"));
        if names.len() > NAMED {
            text += &format!("{what}  and {} more\n", names.len() - NAMED);
        }
    }
    if !score.proofs_refuted.is_empty() {
        text += "A mutant was killed although harness/detection/src/proof says that it cannot be: the \
                 proof is wrong.\n";
    }
    text + &format!("Score: {}\n", out.join("mutants.md").display())
}
