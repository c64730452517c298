//! `cargo xtask fuzz programs`: tries compilers on random programs.

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

use crate::command::compilers::{named, worse};
use crate::command::options::{Jobs, Reported, Seed};
use crate::command::{
    Ending, Format, REVISION, code, conclude, print_json, processors, stop_on_interrupt,
};

/// Random programs for compilers: expressions in every type, under flags and for several targets, executed and
/// compared with all results that the language permits; what is wrong is made simpler, and told once.
///
/// Exit code: 0 if nothing is wrong, 1 if something is, 2 if a compiler could not be asked.
#[derive(Args)]
pub struct Programs {
    /// A compiler, as for `compilers` [default: those that are set up].
    #[arg(long = "compiler", value_name = "NAME")]
    compilers: Vec<String>,
    /// How long each of them is asked, unless --count is done before.
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u64,
    /// How many programs each is asked for.
    #[arg(long, value_name = "N", default_value_t = u64::MAX)]
    count: u64,
    /// The number of the first program: what a finding names.
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u64,
    /// Only settings of which these words are true: `ftz`, `!ftz`, `prec-div`, `!fma`, `!optimised`, `default` …
    #[arg(long = "option", value_name = "WORD")]
    options: Vec<String>,
    /// Targets, as the compiler spells them [default: three or four].
    #[arg(long = "target", value_name = "NAME")]
    targets: Vec<String>,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    reported: Reported,
    /// For people or for programs.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Runs `cargo xtask fuzz programs`.
pub fn run(arguments: &Programs) -> Ending {
    let names = named(&arguments.compilers, &[Want::Ptx])?;
    let stop = stop_on_interrupt()?;
    let jobs = arguments.jobs.or(processors());
    let waivers = arguments.reported.waivers()?;
    let paths = arguments.reported.paths("target/programs", &names)?;
    let (mut verdict, mut all, mut asked) = (Verdict::Agree, Vec::new(), Ok(()));
    for (name, path) in names.iter().zip(&paths) {
        if stop.load(Ordering::Relaxed) || asked.is_err() {
            break;
        }
        let begun = Started::now();
        let compiler = Compiler::connect(name, jobs)?;
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
            waivers.apply_to_compiler(&mut report, &[]);
        }
        if let Format::Json = arguments.format {
            all.push(json(&title, &compiler, &what, &found, &report));
        }
        verdict = worse(verdict, conclude(&report, path, arguments.format)?);
    }
    if stop.load(Ordering::Relaxed) {
        verdict = worse(verdict, Verdict::Incomplete);
    }
    if let Format::Json = arguments.format {
        print_json(&(serde_json::to_string_pretty(&all)? + "\n"))?;
    }
    // All that was found is told before the error that kept the rest from being asked.
    unless_interrupted(asked)?;
    Ok(ExitCode::from(code(verdict)))
}

/// Returns what is searched in a compiler: the usual search, with the settings and targets that the command line names.
fn what(arguments: &Programs, compiler: &Compiler, jobs: usize) -> anyhow::Result<Search> {
    let usual = Search::usual(promises::language(compiler)?, arguments.seed.seed, jobs);
    let settings = Setting::matching(usual.settings, &arguments.options)?;
    let targets = match &arguments.targets[..] {
        [] => usual.targets,
        targets => targets.to_vec(),
    };
    let versions = known::other_versions(compiler.name());
    Ok(Search { settings, targets, versions, ..usual })
}
