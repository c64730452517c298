//! `conformance compilers programs`: tries compilers on random programs.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use base::interrupt::unless_interrupted;
use base::progress::{Progress, WrongCount};
use clap::Args;
use compilers::report::{Started, add_texts, of_programs};
use compilers::search::{Search, SearchOutcome, json, search};
use compilers::setting::Setting;
use compilers::{Compiler, promises};
use implementations::bundled::compilers as known;
use implementations::bundled::compilers::Want;
use reports::Verdict;

use super::{named, worse};
use crate::command::options::{Compilers, Formatted, Jobs, Reported, Seed, Settings, Targets};
use crate::command::{
    Ending, Format, REVISION, code, conclude, make_directory, print_json, processors, stop_on_interrupt,
};

/// The help of `--waivers`. Another search may draw different programs, so a waiver is never over.
const WAIVERS: &str = "JSON file of waivers, which are known failures with their reasons; \
    docs/use/waivers.md describes it. These failures do not fail the run. A waiver for a failure that does not \
    occur does not fail the run either, because another search may draw different programs";

/// The help of `--target`. Programs are not compiled by ptxas or tile.
const TARGETS: &str = "Compile for this GPU target, as the compiler spells it. May be repeated: each target is \
    tried [default: for nvrtc and nvvm, compute_75, compute_90 and compute_100; for llvm, sm_75, sm_80, sm_90 \
    and sm_100]";

/// The help of `--seed`.
const SEED: &str = "Seed of the random programs and their vectors: decimal, hexadecimal with 0x, or `random`. \
    With `random`, a seed is drawn and printed";

/// Test compilers with random programs.
///
/// Random expressions are compiled under several settings and executed by the suite's interpreter. Each
/// result is compared with all results that the language permits. Programs with wrong results are simplified,
/// and each kind of failure is reported once.
///
/// Exit code: 0 if no failure is found; 1 if one is found; 2 if a compiler could not be run.
#[derive(Args)]
#[command(
    mut_arg("waivers", |waivers| waivers.help(WAIVERS)),
    mut_arg("targets", |targets| targets.help(TARGETS)),
    mut_arg("seed", |seed| seed.help(SEED))
)]
pub struct Arguments {
    #[command(flatten)]
    compilers: Compilers,
    /// Seconds for each compiler.
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u64,
    /// Stop after N programs for each compiler [default: no limit].
    #[arg(long, value_name = "N", hide_default_value = true, default_value_t = u64::MAX)]
    count: u64,
    /// Number of the first program to try; each finding names the number of its program.
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u64,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    targets: Targets,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    jobs: Jobs,
    /// Directory of the reports, one file for each compiler, named after it.
    #[arg(long, value_name = "DIR", default_value = "target/programs")]
    out: PathBuf,
    #[command(flatten)]
    reported: Reported,
    #[command(flatten)]
    formatted: Formatted,
}

/// Runs `conformance compilers programs`.
pub fn run(arguments: &Arguments) -> Ending {
    let names = named(&arguments.compilers.names, &[Want::Ptx])?;
    let format = arguments.formatted.format;
    let stop = stop_on_interrupt()?;
    let jobs = arguments.jobs.or(processors());
    let waivers = arguments.reported.waivers.load()?;
    let paths = arguments.reported.paths(&arguments.out, &names)?;
    let (mut verdict, mut all, mut asked) = (Verdict::Agree, Vec::new(), Ok(()));
    for (name, path) in names.iter().zip(&paths) {
        if stop.load(Ordering::Relaxed) || asked.is_err() {
            break;
        }
        let begun = Started::now();
        let compiler = Compiler::connect(name, jobs)?;
        make_directory(reports::folder_of(path))?;
        let what = what(arguments, &compiler, jobs)?;
        let title = format!("{name} {}", compiler.introduction().version);
        let (first, count) = (arguments.first, arguments.count);
        let total = (count < u64::MAX).then_some(count);
        let progress = Progress::new(format!("programs for {title}"), total);
        let started = Instant::now();
        let mut advance = |found: &SearchOutcome| {
            let &SearchOutcome { programs, wrong: count, ref findings, .. } = found;
            let words = format!("{count} wrong in {} classes", findings.len());
            progress.reach(programs, Some(WrongCount { count, words }));
            started.elapsed().as_secs() < arguments.seconds && !stop.load(Ordering::Relaxed)
        };
        let mut found = SearchOutcome::default();
        let searched = search(&compiler, &what, first, count, &mut found, &mut advance);
        progress.finish();
        let mut report = of_programs(&compiler, &what, &found, first, begun);
        asked = searched.and_then(|()| add_texts(&compiler, &mut report));
        report.complete = asked.is_ok() && !stop.load(Ordering::Relaxed);
        report.suite.revision = REVISION.map(Into::into);
        if let Some(waivers) = &waivers {
            // Random programs need not come to a failure again, so none of them shows that a waiver is over.
            waivers.apply_to_compiler(&mut report, &[]);
        }
        if let Format::Json = format {
            all.push(json(&title, &compiler, &what, &found, &report));
        }
        verdict = worse(verdict, conclude(&report, path, format)?);
    }
    if stop.load(Ordering::Relaxed) {
        verdict = worse(verdict, Verdict::Incomplete);
    }
    if let Format::Json = format {
        print_json(&(serde_json::to_string_pretty(&all)? + "\n"))?;
    }
    // All that was found is told before the error that kept the rest from being asked.
    unless_interrupted(asked)?;
    Ok(ExitCode::from(code(verdict)))
}

/// Returns what is searched in a compiler: the usual search, with the settings and targets that the command line names.
fn what(arguments: &Arguments, compiler: &Compiler, jobs: usize) -> anyhow::Result<Search> {
    let usual = Search::usual(promises::language(compiler)?, arguments.seed.number(), jobs);
    let settings = Setting::matching(usual.settings, &arguments.settings.settings)?;
    let targets = match &arguments.targets.targets[..] {
        [] => usual.targets,
        targets => targets.to_vec(),
    };
    let versions = known::other_versions(compiler.name());
    Ok(Search { settings, targets, versions, ..usual })
}
