//! `cargo xtask qualify`: the record of a chip.

mod compare;
mod probe;
mod record;

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use harness::budget::Tier;
use harness::implementation;
use harness::run::{Plan, Request, Settings};
use harness::terminal::say;

use super::options::{Jobs, Variants};
use super::{Ending, conformance, print, processors};
use record::{FILES, REPORT};

/// Test an implementation and keep a record of it: the report, a page that sums it up, what it makes
/// of the points that the manual leaves open, and the SHA-256 of each.
///
/// The exit code is that of `conformance`; where it is 2, there is no record.
#[derive(Args)]
pub struct Arguments {
    /// What to test.
    #[arg(long = "impl", value_name = "NAME", default_value = "cuda:0")]
    implementation: String,
    #[command(flatten)]
    variants: Variants,
    /// How deep to test.
    #[arg(long, value_enum, default_value = "quick")]
    tier: Tier,
    #[command(flatten)]
    jobs: Jobs,
    /// Go on with the run that was broken off in the same directory.
    #[arg(long)]
    resume: bool,
    /// Directory of the record.
    #[arg(long, value_name = "DIR", required_unless_present_any = ["probe", "compare"])]
    out: Option<PathBuf>,
    /// Only print what it makes of the points that the manual leaves open. The exit code is 0 where
    /// every answer follows an interpretation of the manual, and 1 where one does not.
    #[arg(long, conflicts_with_all = ["out", "only", "tier", "jobs", "resume", "compare"])]
    probe: bool,
    /// Print in what two records differ. The exit code is 0 if in nothing that was found, and 1 if in
    /// something.
    #[arg(long, value_names = ["DIR", "DIR"], num_args = 2,
          conflicts_with_all = ["implementation", "out", "only", "tier", "jobs", "resume"])]
    compare: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Ending {
    if let [one, other] = &arguments.compare[..] {
        return compare::run(one, other);
    }
    let implementation = implementation::named(&arguments.implementation)?;
    let Some(out) = arguments.out.as_ref().filter(|_| !arguments.probe) else {
        return probe::run(implementation.as_ref());
    };
    let held = conformance::take(out)?;
    if let Some(file) = FILES.into_iter().find(|file| out.join(file).exists())
        && !arguments.resume
    {
        bail!("{} has a record already ({file}): give another directory with --out", out.display());
    }
    let request = Request::of(arguments.tier, arguments.variants.only.clone());
    let plan = Plan::new(request, implementation.as_ref())?;
    let jobs = arguments.jobs.or(implementation.workers(processors()));
    let settings = Settings { jobs, directory: out.clone(), resume: arguments.resume };
    let ending = conformance::carry_out(&plan, implementation.as_ref(), &settings, None, &held)?;
    let report = reports::load(&out.join(REPORT))?;
    if !report.complete {
        say("Without the rest of the run there is no record: --resume takes it up.");
        return Ok(ending);
    }
    record::seal(out, &report, &probe::ask(implementation.as_ref())?.0)?;
    print(&format!("Record: {} ({})\n", out.display(), FILES.join(", ")))?;
    Ok(ending)
}
