//! `cargo xtask qualify`: the record of a chip.

mod compare;
mod probe;
mod record;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use harness::budget::Tier;
use harness::implementation::{self, Implementation};
use harness::run::{Plan, Request, Settings};
use harness::terminal::say;
use reports::{Report, Style};

use super::options::{Jobs, Variants};
use super::{Ending, conformance, print, processors, report};
use record::{FILES, REPORT, Sealed};

/// Test an implementation and keep a record of it: the report, the same as a page for a browser, a page that sums it
/// up, what it makes of the points that the manual leaves open, and the SHA-256 of each.
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
    /// An earlier record of the same device: what changed since becomes a part of the new one.
    #[arg(long, value_name = "DIR")]
    since: Option<PathBuf>,
    /// Only print what it makes of the points that the manual leaves open. The exit code is 0 where
    /// every answer follows an interpretation of the manual, and 1 where one does not.
    #[arg(long, conflicts_with_all = ["out", "only", "tier", "jobs", "resume", "since", "compare"])]
    probe: bool,
    /// Print in what two records differ. The exit code is 0 if in nothing that was found, and 1 if in
    /// something.
    #[arg(long, value_names = ["DIR", "DIR"], num_args = 2,
          conflicts_with_all = ["implementation", "out", "only", "tier", "jobs", "resume", "since"])]
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
    let earlier = arguments.since.as_deref().map(|path| earlier(path, implementation.as_ref()));
    let earlier = earlier.transpose()?;
    let request = Request::of(arguments.tier, arguments.variants.only.clone());
    let plan = Plan::new(request, implementation.as_ref())?;
    let jobs = arguments.jobs.or(implementation.workers(processors()));
    let settings = Settings { jobs, directory: out.clone(), resume: arguments.resume };
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
    let made = (report, probe::ask(implementation.as_ref())?.0);
    let changes = match (&earlier, &arguments.since) {
        (Some(earlier), Some(path)) => {
            Some(compare::changes([earlier, &made], [path, out], &Style::default())?.0)
        }
        _ => None,
    };
    let (report, probed) = &made;
    let page = report::run_page(report, &report::style_of(report, &out.join(REPORT)));
    record::seal(out, report, Sealed { page: &page, probed, changes: changes.as_deref() })?;
    let files = FILES.into_iter().filter(|file| out.join(file).exists()).collect::<Vec<_>>();
    print(&format!("Record: {} ({})\n{}", out.display(), files.join(", "), record::signing()))?;
    Ok(ending)
}

/// An earlier record of an implementation's device.
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
