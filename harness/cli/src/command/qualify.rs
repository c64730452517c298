//! `cargo xtask qualify`: tests an implementation and keeps a record of it, such as that of a chip.

mod compare;
mod probe;
mod record;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail, ensure};
use base::terminal::say;
use clap::Args;
use implementations::Implementation;
use reports::{Report, Style};
use runner::{Plan, RunRequest, RunSettings};
use selection::budget::Tier;

use super::options::{Jobs, Variants};
use super::{AGREE, Ending, MISMATCH, conformance, print, print_line, processors, report};
use record::{FILES, REPORT, SUMS, Sealed};

/// Test an implementation and keep a record of it: the report, the same as a page for a browser, a page that sums it
/// up, what it makes of the points that the manual leaves open, and the SHA-256 of each.
///
/// The exit code is that of `conformance`, and 1 if an answer follows no interpretation of the manual; where it is 2,
/// there is no record.
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
    /// An earlier record of the same device: what changed since becomes a part of the new one.
    #[arg(long, value_name = "DIR")]
    since: Option<PathBuf>,
    /// Only print what it makes of the points that the manual leaves open. The exit code is 0 where
    /// every answer follows an interpretation of the manual, and 1 where one does not.
    #[arg(long, conflicts_with_all = ["out", "only", "tier", "jobs", "resume", "since", "compare"])]
    probe: bool,
    /// Print in what two records differ. The exit code is 1 if something got worse, an answer that follows no
    /// interpretation any more among it, and 0 otherwise.
    #[arg(long, value_names = ["DIR", "DIR"], num_args = 2,
          conflicts_with_all = ["implementation", "out", "only", "tier", "jobs", "resume", "since"])]
    compare: Vec<PathBuf>,
}

/// Runs `cargo xtask qualify`.
pub fn run(arguments: &Arguments) -> Ending {
    if let [one, other] = &arguments.compare[..] {
        return compare::run(one, other);
    }
    let implementation = implementations::named(&arguments.implementation)?;
    let Some(out) = arguments.out.as_ref().filter(|_| !arguments.probe) else {
        return probe::run(implementation.as_ref());
    };
    let held = conformance::take(out)?;
    if let Some(file) = FILES.into_iter().find(|file| out.join(file).exists())
        && !arguments.resume
    {
        let what = if out.join(SUMS).exists() { "a record" } else { "a run" };
        bail!("{} has {what} already ({file}): give another directory with --out", out.display());
    }
    let earlier = arguments.since.as_deref().map(|path| earlier(path, implementation.as_ref()));
    let earlier = earlier.transpose()?;
    let request = RunRequest::of(arguments.tier, arguments.variants.only.clone());
    let plan = Plan::new(request, implementation.as_ref())?;
    if let (Some((before, _)), Some(path)) = (&earlier, &arguments.since) {
        ask_alike(before, &plan, path)?;
    }
    let jobs = arguments.jobs.or(implementation.workers(processors()));
    let settings = RunSettings { jobs, directory: out.clone(), resume: arguments.resume };
    let ending = conformance::carry_out(
        &plan,
        implementation.as_ref(),
        &settings,
        (None, conformance::FULL),
        &held,
    )?;
    let report = reports::load(&out.join(REPORT))?;
    if !report.complete {
        say("Without the rest of the run there is no record: --resume takes it up.");
        return Ok(ending);
    }
    let (probed, follows) = probe::ask(implementation.as_ref())?;
    let made = (report, probed);
    let changes = match (&earlier, &arguments.since) {
        // The run is worth its record, even where an earlier one cannot be compared with it.
        (Some(earlier), Some(path)) => {
            let changes = compare::changes([earlier, &made], [path, out], &Style::default());
            changes
                .inspect_err(|error| say(&format!("warning: what changed is not known: {error:#}")))
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
        "{} was asked with {then}, and this would be with {now}: ask alike, or leave --since out",
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
        (None, None) => before.name == tested.name,
        (before, now) => before == now,
    };
    if !is_same {
        let device = |device: &Option<String>| {
            device.as_ref().map_or(String::new(), |device| format!(" on {}", reports::printable(device)))
        };
        bail!(
            "{} is the record of {}{}, and this is {}{}: compare those with --compare",
            path.display(),
            reports::printable(&before.name),
            device(&before.device),
            tested.name,
            device(&tested.device),
        );
    }
    Ok((report, probed))
}
