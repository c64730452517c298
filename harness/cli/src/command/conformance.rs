//! `conformance conformance`, the suite's main job: runs an implementation on the vectors of a tier, judges every
//! result and writes a report.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use anyhow::{Context, anyhow, bail};
use base::interrupt::is_interruption;
use base::invocation;
use base::progress;
use base::store::{Purpose, StoreRefusal};
use base::terminal::{self, say};
use clap::Args;
use findings::diagnosis::{self, Diagnoses};
use implementations::Implementation;
use isa::Target;
use reports::{Report, Style};
use runner::{Departure, Display, Held, Judging, Plan, RunOutcome, RunRequest, RunSettings};

use super::options::{Depth, Formatted, Jobs, Part, Resume, Seed, Strict, Variants, Waived};
use super::own_formats::{self, FormatWord, OWN_FORMATS};
use super::{
    Ending, Format, MISMATCH, REVISION, called, code, colored, make_directory, print_json, print_raw,
    processors, stop_on_interrupt,
};
use crate::waivers::Waivers;

/// Test an implementation and write a report.
///
/// Every result is compared with what PTX permits. The report is DIR/report.json. `{program} --help` explains
/// the words that these texts use, such as sweep and variant.
///
/// Exit code: 0 if no result is wrong, or a waiver covers each wrong result; 1 if a result is wrong and no waiver
/// covers it; 2 if there is no verdict, because the run could not start, or stopped before it found a mismatch.
#[derive(Args)]
pub struct Arguments {
    /// Implementation to test: `emulator` (the suite's own), `canary` (the emulator with planted faults),
    /// `host` (this machine's processor), `cuda:N` (GPU number N), `exec:COMMAND` (a program), `lib:PATH` (a
    /// shared library), `code:FILE.ptx` (a function in PTX), or a name that `{program} setup` lists. docs/use/your-implementation.md describes all of
    /// them.
    #[arg(long = "impl", value_name = "NAME", default_value = "emulator")]
    pub implementation: String,
    #[command(flatten)]
    variants: Variants,
    /// Leave out variants that match GLOB, which has the same forms as for --only. May be repeated: one match is
    /// enough to leave a variant out.
    #[arg(long, value_name = "GLOB")]
    skip: Vec<String>,
    #[command(flatten)]
    depth: Depth,
    /// GPU target, such as `sm_90`: only variants that this target has.
    #[arg(long)]
    target: Option<Target>,
    /// Matrix instructions must give exactly the bits that this GPU target, such as `sm_90`,
    /// computes [default: any result that PTX permits].
    #[arg(long, value_name = "TARGET")]
    model: Option<Target>,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    part: Part,
    #[command(flatten)]
    resume: Resume,
    /// Reference that decides which results are right.
    #[arg(long, value_enum, default_value = "screened")]
    judge: Judging,
    #[command(flatten)]
    waivers: Waived,
    #[command(flatten)]
    strict: Strict,
    /// Directory of the report and of the state that --resume continues from.
    #[arg(long, value_name = "DIR", default_value = "target/conformance")]
    out: PathBuf,
    #[command(flatten)]
    printed: Printed,
}

// A doc comment here would become the help of the commands that have these options.
#[derive(Args, Clone)]
pub struct Printed {
    /// Print only the verdict, and no progress.
    #[arg(long)]
    quiet: bool,
    /// Format of standard output, `text` or `json` [default: text]; or a number format of your own, for casts, such as
    /// `mine=e5m10,bias=15`, or `@FILE` with several; --help explains the form. May be repeated.
    #[arg(long = "format", value_name = "FORMAT", value_parser = own_formats::word::<Format>)]
    #[arg(long_help = format!("Format of standard output, `text` or `json` [default: text]; or a description of a number format of your own.\n\n{OWN_FORMATS}"))]
    formats: Vec<FormatWord<Format>>,
}

impl Printed {
    /// Defines the number formats of the command line, silences progress if that is asked for, and returns how much is
    /// said of the run.
    ///
    /// # Errors
    /// As [`own_formats::define`].
    pub fn begin(&self) -> anyhow::Result<Output> {
        own_formats::define(&self.formats)?;
        if self.quiet {
            progress::silence();
        }
        let format = own_formats::output(&self.formats, Format::Text);
        Ok(Output { quiet: self.quiet, formatted: Formatted { format } })
    }
}

/// How much is said of a run.
#[derive(Args, Clone, Copy)]
pub struct Output {
    /// Print only the verdict, and no progress.
    #[arg(long)]
    pub quiet: bool,
    #[command(flatten)]
    pub formatted: Formatted,
}

/// The [`Output`] that says everything there is to say of a run, as text for people.
pub const FULL: Output = Output { quiet: false, formatted: Formatted { format: Format::Text } };

impl Arguments {
    /// Refuses a drawn seed where other processes have to have the same one.
    ///
    /// # Errors
    /// If the run is a part of a larger one, or continues an earlier one.
    pub fn check_seed(&self) -> anyhow::Result<()> {
        let shares_seed = self.part.shard.is_some() || self.resume.resume;
        if self.seed.is_random() && shares_seed {
            bail!(
                "--seed random draws another seed for each part of a run, and for its continuation: give all of \
                 them the same number"
            );
        }
        Ok(())
    }

    /// Whether the seed is drawn, and so another one in each process.
    pub fn has_random_seed(&self) -> bool {
        self.seed.is_random()
    }

    /// Returns the request that the command line describes, which a [`Plan`] is made of.
    pub fn request(&self) -> RunRequest {
        RunRequest {
            tier: self.depth.tier,
            seed: self.seed.number(),
            only: self.variants.only.clone(),
            skip: self.skip.clone(),
            target: self.target,
            model: self.model,
            shard: self.part.shard,
            judging: self.judge,
        }
    }
}

/// Runs `conformance conformance`.
pub fn run(arguments: &Arguments) -> Ending {
    let output = arguments.printed.begin()?;
    arguments.check_seed()?;
    let implementation = implementations::named(&arguments.implementation)?;
    let waivers = Waivers::with_strict(arguments.waivers.load()?, &arguments.strict.strict);
    let plan = Plan::new(arguments.request(), implementation.as_ref())?;
    let jobs = arguments.jobs.or(implementation.workers(processors()));
    let settings =
        RunSettings { jobs, directory: arguments.out.clone(), resume: arguments.resume.resume };
    if settings.resume && !settings.directory.exists() {
        return Err(StoreRefusal::Missing.to_error(&settings.directory, Purpose::Resume));
    }
    let held = take(&settings.directory)?;
    carry_out(&plan, implementation.as_ref(), &settings, (waivers.as_ref(), output), &held)
}

/// Makes a directory if it is missing, and takes it for this process as long as the returned [`Held`] lives.
///
/// # Errors
/// If the directory cannot be made or opened, is held already, or has a named pipe in the place of the report.
pub fn take(directory: &Path) -> anyhow::Result<Held> {
    make_directory(directory)?;
    let report = directory.join("report.json");
    // Nobody may be reading at the end of a run, and its results would have nowhere to go.
    if reports::is_named_pipe(&report) {
        bail!(
            "{} is a named pipe, and the report will be a file: remove it, or give another directory with --out",
            report.display()
        );
    }
    runner::hold(directory)
}

/// Carries out a plan, prints what was found and leaves the report in the run's directory, which the caller holds as
/// `held`. Returns the exit code.
pub fn carry_out(
    plan: &Plan,
    implementation: &dyn Implementation,
    settings: &RunSettings,
    (waivers, output): (Option<&Waivers>, Output),
    held: &Held,
) -> Ending {
    let (report, outcome) = execute(plan, implementation, settings, output, held)?;
    end(plan, report, settings, outcome, (waivers, output))
}

/// Carries out a plan in the run's directory, which the caller holds, and finds out what is behind its mismatches.
/// Returns the report, which is not written yet, and the outcome of the run.
///
/// # Errors
/// If the implementation has none of the variants asked for, or the run cannot be made.
pub fn execute(
    plan: &Plan,
    implementation: &dyn Implementation,
    settings: &RunSettings,
    output: Output,
    _held: &Held,
) -> anyhow::Result<(Report, RunOutcome)> {
    // Variants that fail to start are reported, so only a run without these has nothing to say.
    if let (true, true, Some(first)) =
        (plan.tasks.is_empty(), plan.failing.is_empty(), plan.unsupported.first())
    {
        let others = plan.unsupported.iter().filter(|other| other.reason != first.reason).count();
        let reasons = if others > 0 { format!(" ({others} for other reasons)") } else { String::new() };
        bail!(
            "{} has none of the {} selected variants: {}: {}{reasons}; select others with --only (`{}` \
             prints all)",
            implementation.describe().name,
            plan.unsupported.len(),
            first.subject,
            first.reason,
            invocation::line("list")
        );
    }
    let started = SystemTime::now();
    let stop = stop_on_interrupt()?;
    let display = match output.quiet {
        true => Display::hidden(),
        false => Display::new(plan.vectors_per_task().iter().sum()),
    };
    let mut outcome = runner::run(plan, implementation, settings, stop, &display)?;

    // A shard leaves its departures beside its progress, which must not count them yet: the merge does.
    let before = plan.request.shard.map(|_| outcome.progress.clone());
    let (departures, diagnoses) = look_into(plan, &mut outcome, implementation, settings.jobs, stop);
    if let Some(before) = before.filter(|_| outcome.complete) {
        runner::leave(plan, implementation, &settings.directory, &before, &departures)?;
    }
    let report = findings::report::build(plan, implementation, settings, &outcome, &diagnoses, started);
    Ok((report, outcome))
}

/// Writes and prints a run's report with [`conclude`], and says how to go on with a run that is not at its end.
/// Returns the exit code.
///
/// # Errors
/// If the report cannot be written or printed, or if an error broke the run off and the exit code is not [`MISMATCH`].
pub fn end(
    plan: &Plan,
    report: Report,
    settings: &RunSettings,
    outcome: RunOutcome,
    (waivers, output): (Option<&Waivers>, Output),
) -> Ending {
    let of_fuzzing = report.campaign.is_some();
    let ending = conclude(plan, report, &settings.directory, &outcome, (waivers, output))?;
    if let Some(error) = outcome.error {
        let error = error.context("the run was broken off; the report has what was found until then");
        // Mismatches that were found stand: they decide the exit code, and the error is only told.
        if ending != ExitCode::from(MISMATCH) {
            return Err(error);
        }
        say(&format!("error: {error:#}"));
    } else if !outcome.complete && of_fuzzing {
        say("Not all artifacts were tried. Run the same command again to try all.");
    } else if !outcome.complete {
        say("The run is not finished. Run the same command with --resume to continue it.");
    }
    Ok(ending)
}

/// Tries the first mismatches again, if the run is at its end, and finds out what is behind the mismatches. Returns
/// the mismatches that came out otherwise when they were tried again, and the diagnoses. An error of either step is
/// only told.
pub fn look_into(
    plan: &Plan,
    outcome: &mut RunOutcome,
    implementation: &dyn Implementation,
    jobs: usize,
    stop: &AtomicBool,
) -> (Vec<Departure>, Diagnoses) {
    let mut departures = Vec::new();
    if outcome.complete {
        let rechecked;
        (departures, rechecked) = runner::recheck(plan, &outcome.progress, implementation, jobs, stop);
        if let Err(error) = rechecked
            && !is_interruption(&error)
        {
            say(&format!("warning: some first mismatches could not be run again: {error:#}"));
        }
        outcome.progress.count_departures(departures.iter().cloned());
    }
    // Whoever has stopped the run does not want to wait for more.
    let (diagnoses, diagnosed) =
        diagnosis::diagnose(plan, &outcome.progress, implementation, jobs, stop);
    if let Err(error) = diagnosed
        && !is_interruption(&error)
    {
        say(&format!("warning: the causes of some mismatches could not be looked for: {error:#}"));
    }
    (departures, diagnoses)
}

/// Writes a report into a directory as `report.json`, prints it as `output` has it, and returns the exit code of its
/// verdict. The run's state in the directory is removed once a complete run is saved, unless the run is a shard.
///
/// # Errors
/// If the report cannot be written or printed.
pub fn conclude(
    plan: &Plan,
    mut report: Report,
    directory: &Path,
    outcome: &RunOutcome,
    (waivers, output): (Option<&Waivers>, Output),
) -> Ending {
    report.suite.revision = REVISION.map(Into::into);
    if let Some(waivers) = waivers {
        waivers.apply(&mut report, plan.request.tier);
        if let Some(note) = waivers.note_on_others(&report.implementation) {
            say(&format!("note: {note}"));
        }
    }
    let path = directory.join("report.json");
    let shown = path.display().to_string();
    // Where the report cannot be saved, what was found is printed all the same, and the error comes last.
    let saved = reports::save(&report, &path);
    // The state of a shard stays: it is merged with that of others.
    if outcome.complete && saved.is_ok() && plan.request.shard.is_none() {
        runner::forget(directory);
    }
    let replay = saved.is_ok().then(|| shown.clone());
    let name = &report.implementation.name;
    let implementation = (!implementations::is_built_in(name)).then(|| name.clone());
    let columns = terminal::columns();
    let style = Style { color: colored(), replay, columns, implementation, ..called() };
    let printed = match output {
        Output { formatted: Formatted { format: Format::Json }, .. } => {
            let json = serde_json::to_string_pretty(&reports::sealed(report.clone()));
            json.context("the report cannot be printed").and_then(|json| print_json(&(json + "\n")))
        }
        Output { quiet: true, .. } => print_raw(&reports::verdict_of(&report, &style)),
        Output { .. } => {
            let mut text = reports::summary(&report, &style);
            if saved.is_ok() {
                text += &format!("Report: {}\n", reports::printable(&shown));
            }
            print_raw(&text)
        }
    };
    saved.map_err(|error| {
        if report.campaign.is_some() {
            return anyhow!(error);
        }
        let state = directory.join(runner::STATE_FILE);
        anyhow!("{error}; then continue the run from {} with --resume", state.display())
    })?;
    printed.with_context(|| format!("the output could not be printed, but the report is in {shown}"))?;
    Ok(ExitCode::from(code(report.verdict())))
}
