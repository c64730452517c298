//! `conformance qualify`: tests an implementation and keeps a record of it, such as that of a chip.

mod compare;
mod probe;
mod record;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use base::invocation;
use base::terminal::say;
use clap::{Args, Subcommand};
use implementations::Implementation;
use reports::{Report, Style};
use runner::{Plan, RunRequest, RunSettings};

use super::options::{Depth, Jobs, Resume, Variants};
use super::{AGREE, Ending, MISMATCH, conformance, print, print_line, processors, report};
use record::{FILES, REPORT, SUMS, Sealed};

/// Test an implementation, such as a GPU, and keep a record of it.
///
/// A record is a directory with the report, the answers to the open points of the manual, and the SHA-256 of
/// each file. It can be signed, and compared with another record.
///
/// Without a command, `run` is carried out.
///
/// Exit code: 0 if every result is right; 1 if a result is wrong, or an answer fits no
/// interpretation of the manual; 2 if there is no record, because the run could not start or did not finish.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: Record,
}

#[derive(Subcommand)]
enum Command {
    Run(Record),
    Probe(probe::Arguments),
    Compare(compare::Arguments),
}

/// Run the tests and write the record, a directory.
///
/// The record has the report, the report as a web page, a summary, the answers to the open points of the
/// manual, and the SHA-256 of each file.
///
/// Exit code: 0 if every result is right; 1 if a result is wrong, or an answer fits no
/// interpretation of the manual; 2 if there is no record, because the run could not start or did not finish.
#[derive(Args)]
struct Record {
    /// Implementation to test.
    #[arg(long = "impl", value_name = "NAME", default_value = "cuda:0")]
    implementation: String,
    #[command(flatten)]
    variants: Variants,
    #[command(flatten)]
    depth: Depth,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    resume: Resume,
    /// Directory of the record.
    #[arg(long, value_name = "DIR", required = true)]
    out: Option<PathBuf>,
    /// Earlier record of the same device. The new record then says what has changed since.
    #[arg(long, value_name = "DIR")]
    since: Option<PathBuf>,
}

/// Runs `conformance qualify`.
pub fn run(arguments: &Arguments) -> Ending {
    match &arguments.command {
        Some(Command::Run(record)) => make(record),
        Some(Command::Probe(arguments)) => probe::run(arguments),
        Some(Command::Compare(arguments)) => compare::run(arguments),
        None => make(&arguments.run),
    }
}

/// Runs `conformance qualify run`.
fn make(arguments: &Record) -> Ending {
    let implementation = implementations::named(&arguments.implementation)?;
    let out =
        arguments.out.as_ref().context("the directory of the record is missing: name it with --out")?;
    let held = conformance::take(out)?;
    if let Some(file) = FILES.into_iter().find(|file| out.join(file).exists())
        && !arguments.resume.resume
    {
        let what = if out.join(SUMS).exists() { "a record" } else { "a run" };
        bail!("{} has {what} already ({file}): give another directory with --out", out.display());
    }
    let earlier = arguments.since.as_deref().map(|path| earlier(path, implementation.as_ref()));
    let earlier = earlier.transpose()?;
    let request = RunRequest::of(arguments.depth.tier, arguments.variants.only.clone());
    let plan = Plan::new(request, implementation.as_ref())?;
    if let (Some((before, _)), Some(path)) = (&earlier, &arguments.since) {
        ask_alike(before, &plan, path)?;
    }
    let jobs = arguments.jobs.or(implementation.workers(processors()));
    let settings = RunSettings { jobs, directory: out.clone(), resume: arguments.resume.resume };
    let ending = conformance::carry_out(
        &plan,
        implementation.as_ref(),
        &settings,
        (None, conformance::FULL),
        &held,
    )?;
    let report = reports::load(&out.join(REPORT))?;
    if !report.complete {
        say("The record is made when the run is finished. Run the same command with --resume to \
             continue it.");
        return Ok(ending);
    }
    // The answers are asked for last, because a record without a whole run is none.
    let (probed, follows) = probe::ask(implementation.as_ref())?;
    let made = (report, probed);
    let changes = match (&earlier, &arguments.since) {
        // The run is worth its record, even where an earlier one cannot be compared with it.
        (Some(earlier), Some(path)) => {
            let changes = compare::changes([earlier, &made], [path, out], &Style::default());
            changes
                .inspect_err(|error| {
                    say(&format!(
                        "warning: the changes since the earlier record cannot be found: {error:#}"
                    ));
                })
                .ok()
        }
        _ => None,
    };
    let changes = changes.map(|(text, _)| text);
    let (report, probed) = &made;
    let page = report::run_page(report, &report::style_of(report, &out.join(REPORT)));
    record::seal(out, report, Sealed { page: &page, probed, changes: changes.as_deref() })?;
    let files = FILES.into_iter().filter(|file| out.join(file).exists()).collect::<Vec<_>>();
    print_line(&format!("Record: {} ({})", out.display(), files.join(", ")))?;
    print(&record::signing())?;
    Ok(if ending == ExitCode::from(AGREE) && !follows { ExitCode::from(MISMATCH) } else { ending })
}

/// Holds a plan against the earlier record that it is to be compared with, before hours go into the run.
///
/// # Errors
/// If the record was asked with another tier, or another choice of variants.
fn ask_alike(before: &Report, plan: &Plan, path: &Path) -> Result<()> {
    let asked = |tier: &str, only: &[String]| {
        let only = only.iter().map(|glob| format!(" --only '{}'", reports::printable(glob)));
        format!("--tier {}{}", reports::printable(tier), only.collect::<String>())
    };
    let then = asked(&before.plan.tier, &before.plan.only);
    let now = asked(plan.request.tier.name(), &plan.request.only);
    ensure!(
        then == now,
        "{} was made with {then}, and this run has {now}: use the same options, or leave --since out",
        path.display()
    );
    Ok(())
}

/// Reads an earlier record of an implementation's device: its report, and its answers to open points.
///
/// # Errors
/// If the record is not whole and unchanged, or is that of another device.
fn earlier(path: &Path, implementation: &dyn Implementation) -> Result<(Report, String)> {
    let (report, probed) = record::open(path)?;
    let tested = implementation.describe();
    let before = &report.implementation;
    let is_same = match (&before.device, &tested.device) {
        // Without a device, as for an emulator, the name is all that tells them apart.
        (None, None) => before.name == tested.name,
        (before, now) => before == now,
    };
    if !is_same {
        let device = |device: &Option<String>| {
            device.as_ref().map_or(String::new(), |device| format!(" on {}", reports::printable(device)))
        };
        bail!(
            "{} is the record of {}{}, and this is {}{}: compare the two with `{}`",
            path.display(),
            reports::printable(&before.name),
            device(&before.device),
            tested.name,
            device(&tested.device),
            invocation::line("qualify compare"),
        );
    }
    Ok((report, probed))
}
