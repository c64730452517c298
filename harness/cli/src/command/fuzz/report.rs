//! `conformance fuzz report`: makes the report of a fuzz campaign, from what the campaign kept.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use base::terminal::say;
use clap::Args;
use findings::campaign::{self, KeptFile};
use reports::{counted, printable};
use runner::RunSettings;

use crate::AGREE;
use crate::command::conformance::{self, Output, take};
use crate::command::options::Jobs;
use crate::command::{Ending, print_line, processors};

/// The folder in which the fuzzer of these sources keeps what it finds.
const ARTIFACTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/artifacts");

/// Write a report of what `cargo xtask fuzz differential` found.
///
/// Every input that the search kept is run again and simplified. The report names the cause of each failure, if
/// a cause is found. The files of the inputs do not change.
///
/// Exit code: 0 if nothing fails any more, or nothing was kept; 1 if something fails; 2 if the inputs could
/// not be run, or not all of them could be read.
#[derive(Args)]
pub struct Campaign {
    /// Implementation to test [default: the implementation that the search tested, if it is `emulator`, `host` or
    /// `canary`].
    ///
    /// Any other implementation has to be named, because a file must not decide which program is started.
    #[arg(long = "impl", value_name = "NAME")]
    implementation: Option<String>,
    /// Directory of the inputs that the search kept [default: fuzz/artifacts in the sources].
    #[arg(long, value_name = "DIR")]
    artifacts: Option<PathBuf>,
    #[command(flatten)]
    jobs: Jobs,
    /// Directory of the report.
    #[arg(long, value_name = "DIR", default_value = "target/fuzz")]
    out: PathBuf,
    #[command(flatten)]
    output: Output,
}

/// Runs `conformance fuzz report`.
pub fn run(arguments: &Campaign) -> Ending {
    let folder = match &arguments.artifacts {
        Some(folder) if !folder.is_dir() => bail!(
            "the folder {} does not exist: give the folder of a campaign's artifacts",
            printable(&folder.display().to_string())
        ),
        Some(folder) => folder.clone(),
        None => Path::new(ARTIFACTS).components().collect(),
    };
    let files = campaign::files(&folder)?;
    if files.is_empty() {
        print_line(&format!("No artifacts in {}: the campaign has found nothing.", folder.display()))?;
        return Ok(AGREE.into());
    }
    let name = match &arguments.implementation {
        Some(name) => name.clone(),
        None => found_in(&folder)?,
    };
    let implementation = implementations::named(&name)?;
    let kept = campaign::read(&folder, files, implementation.as_ref());
    if let Some(first) = none_read(&kept) {
        bail!(
            "no vector can be read from {} in {}: {first}; give the folder of a campaign's artifacts \
             with --artifacts",
            counted(kept.len() as u64, "file"),
            folder.display()
        );
    }
    let plan = campaign::plan(&kept, implementation.as_ref());
    if let (true, true, Some(first)) =
        (plan.tasks.is_empty(), plan.failing.is_empty(), plan.unsupported.first())
    {
        bail!(
            "{name} supports none of the {} of the artifacts: {}: {}; name another implementation with \
             --impl",
            counted(plan.unsupported.len() as u64, "variant"),
            first.subject,
            first.reason
        );
    }
    let jobs = arguments.jobs.or(implementation.workers(processors()));
    let settings = RunSettings { jobs, directory: arguments.out.clone(), resume: false };
    let held = take(&settings.directory)?;
    let artifacts = campaign::try_again(&kept, &plan, implementation.as_ref())?;
    let output = arguments.output;
    let (report, outcome) =
        conformance::execute(&plan, implementation.as_ref(), &settings, output, &held)?;
    conformance::end(
        &plan,
        campaign::campaign_report(report, artifacts),
        &settings,
        outcome,
        (None, output),
    )
}

/// Returns the only implementation in which something was found, if a file may have that one started.
///
/// # Errors
/// If a file may not have it started, or if there are several such implementations or none.
fn found_in(folder: &Path) -> Result<String> {
    let tested = campaign::tested(folder)?;
    let mut names = tested.iter();
    match (names.next(), names.next()) {
        (Some(name), None) if implementations::is_built_in(name) => Ok(name.clone()),
        (Some(name), None) => bail!(
            "the artifacts are from `{}`, which starts a program or loads code: a file alone may not \
             do that, so name what to test with --impl",
            printable(name)
        ),
        (Some(_), Some(_)) => {
            let names: Vec<String> = tested.iter().map(|name| printable(name)).collect();
            bail!(
                "the artifacts are from several implementations, `{}`: name the one that tries them \
                 all with --impl",
                names.join("`, `")
            )
        }
        (None, _) => bail!(
            "no findings.txt says with which implementation the artifacts in {} were found: name what \
             to test with --impl",
            folder.display()
        ),
    }
}

/// Returns why the first file is no vector, if no file is one, and tells that of each other file. `None` if any file
/// is a vector.
fn none_read(kept: &[KeptFile]) -> Option<String> {
    let said = |kept: &KeptFile| {
        let reason = kept.case.as_ref().err()?;
        Some(printable(&format!("{}: {reason}", kept.file)))
    };
    let said: Vec<String> = kept.iter().map(said).collect::<Option<_>>()?;
    said.iter().skip(1).for_each(|line| say(line));
    said.into_iter().next()
}
