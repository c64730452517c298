//! `cargo xtask fuzz programs`: random programs for compilers. (The other targets of `fuzz` are libFuzzer's, which
//! `xtask` builds itself.)

use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use harness::compilers::report::{Started, of_programs};
use harness::compilers::search::{Found, Search, search};
use harness::compilers::{Compiler, promises};
use harness::terminal::say;
use reports::Verdict;

use super::compilers::{named, worse};
use super::options::{Jobs, Reported, Seed};
use super::{Ending, Format, REVISION, code, conclude, processors, stop_on_interrupt};

/// Go on searching.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    target: Target,
}

#[derive(Subcommand)]
enum Target {
    Programs(Programs),
}

/// Random programs for compilers: expressions in every type, under flags and for several targets, executed and
/// compared with all results that the language permits; what is wrong is made simpler, and told once.
///
/// Exit code: 0 if nothing is wrong, 1 if something is, 2 if a compiler could not be asked.
#[derive(Args)]
struct Programs {
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
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    reported: Reported,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Ending {
    let Target::Programs(arguments) = &arguments.target;
    let names = named(&arguments.compilers)?;
    let stop = stop_on_interrupt()?;
    let jobs = arguments.jobs.or(processors());
    let waivers = arguments.reported.waivers()?;
    let paths = arguments.reported.paths("target/programs", &names)?;
    let mut verdict = Verdict::Agree;
    for (name, path) in names.iter().zip(&paths) {
        let begun = Started::now();
        let compiler = Compiler::connect(name, jobs)?;
        let language = promises::language(&compiler)?;
        let what = Search::usual(language, arguments.seed.seed, jobs);
        let title = format!("{name} {}", compiler.introduction().version);
        let (started, mut told) = (Instant::now(), Instant::now());
        let mut advance = |found: &Found| {
            if told.elapsed() >= Duration::from_secs(10) {
                told = Instant::now();
                let Found { programs, wrong, findings, .. } = found;
                say(&format!(
                    "{title}: {programs} programs, {wrong} wrong in {} classes",
                    findings.len()
                ));
            }
            started.elapsed().as_secs() < arguments.seconds && !stop.load(Ordering::Relaxed)
        };
        let found = search(&compiler, &what, arguments.first, arguments.count, &mut advance)?;
        let complete = !stop.load(Ordering::Relaxed);
        let mut report = of_programs(&compiler, &what, &found, arguments.first, complete, begun)?;
        report.suite.revision = REVISION.map(Into::into);
        if let Some(waivers) = &waivers {
            waivers.apply_to_compiler(&mut report, &[]);
        }
        verdict = worse(verdict, conclude(&report, path, Format::Text)?);
    }
    Ok(ExitCode::from(code(verdict)))
}
