//! `cargo xtask fuzz programs`: random programs for compilers. (The other targets of `fuzz` are libFuzzer's, which
//! `xtask` builds itself.)

use std::fmt::Write;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use harness::compilers::search::{Finding, Found, Search, search};
use harness::compilers::{Compiler, Want, promises};
use harness::terminal::say;
use reports::printable;

use super::compilers::named;
use super::options::{Jobs, Seed};
use super::{AGREE, Ending, MISMATCH, print, processors, stop_on_interrupt};

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
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Ending {
    let Target::Programs(arguments) = &arguments.target;
    let names = named(&arguments.compilers, &[Want::Ptx])?;
    let stop = stop_on_interrupt()?;
    let jobs = arguments.jobs.or(processors());
    let mut right = true;
    for name in names {
        let compiler = Compiler::connect(&name, jobs)?;
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
        print(&text(&title, &what, &found)?)?;
        right &= found.findings.is_empty() && found.died.is_empty() && found.illegal.is_empty();
    }
    Ok(ExitCode::from(if right { AGREE } else { MISMATCH }))
}

/// What was found of a compiler, in words.
fn text(title: &str, search: &Search, found: &Found) -> Result<String, std::fmt::Error> {
    let sum = |counts: &std::collections::BTreeMap<String, u64>| counts.values().sum::<u64>();
    let mut text = String::new();
    let Found { programs, right, wrong, vectors, undecided, .. } = found;
    writeln!(
        text,
        "{title}: {programs} programs for {} targets under {} settings",
        search.targets.len(),
        search.settings.len()
    )?;
    writeln!(
        text,
        "  {right} are right on {vectors} vectors ({undecided} of too many results), {wrong} wrong in {} classes, \
         {} refused, {} not executed, {} died",
        found.findings.len(),
        sum(&found.refused),
        sum(&found.unexecuted),
        sum(&found.died)
    )?;
    let counted = [
        ("illegal, which PTX does not have", &found.illegal),
        ("not executed", &found.unexecuted),
        ("died", &found.died),
    ];
    for (what, counts) in counted {
        for (words, count) in counts {
            writeln!(text, "  {what}: {}, {count} times", printable(words))?;
        }
    }
    for finding in &found.findings {
        text += &of_finding(search, finding)?;
    }
    Ok(text)
}

fn of_finding(search: &Search, finding: &Finding) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let Finding { program, wrong, target, setting, index, .. } = finding;
    let class = match wrong.defects {
        _ if wrong.unstored => "nothing is stored".into(),
        Some(defects) => defects.names(),
        None => format!("unexplained ({})", program.kinds()),
    };
    writeln!(text, "\n{class}")?;
    if let Some(defects) = wrong.defects {
        writeln!(text, "  {}", defects.words())?;
    }
    for line in program.text(search.plan.language, *setting, "f").lines() {
        writeln!(text, "    {line}")?;
    }
    let hex = |(bits, ty): (&u64, harness::compilers::program::Type)| {
        format!("0x{bits:0width$x}", width = ty.format().width() as usize / 4)
    };
    let operands =
        wrong.operands.iter().zip(program.parameters()).map(hex).collect::<Vec<_>>().join(", ");
    let operands = if operands.is_empty() { "without parameters".into() } else { operands };
    let permitted = wrong.permitted.iter().map(|bits| hex((bits, program.result()))).collect::<Vec<_>>();
    writeln!(
        text,
        "  {operands}: {}, permitted {}",
        hex((&wrong.result, program.result())),
        permitted.join(" or ")
    )?;
    let everywhere: Vec<String> =
        finding.everywhere.iter().map(|(target, setting)| format!("{target} {setting}")).collect();
    writeln!(text, "  for {target} under {setting}; wrong for {}", everywhere.join(", "))?;
    if finding.by_constants {
        writeln!(text, "  right where a constant is a parameter")?;
    }
    writeln!(text, "  made of program {index}: --seed {:#x} --first {index} --count 1", search.seed)?;
    Ok(text)
}
