//! `cargo xtask fuzz programs`: random programs for compilers.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use base::interrupt::unless_interrupted;
use base::progress::{Progress, Wrong};
use base::terminal::say;
use clap::Args;
use compilers::report::{Started, add_texts, of_programs};
use compilers::search::{Found, Search, Told, Twin, hex, made_again, search};
use compilers::setting::Setting;
use compilers::{Compiler, promises};
use implementations::bundled::compilers as known;
use implementations::bundled::compilers::Want;
use reports::{Verdict, printable};
use serde_json::json;

use crate::command::compilers::{named, worse};
use crate::command::options::{Jobs, Reported, Seed};
use crate::command::{Ending, Format, REVISION, code, print, print_json, processors, stop_on_interrupt};

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

/// Runs the command.
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
        let mut advance = |found: &Found| {
            let &Found { programs, wrong: count, ref findings, .. } = found;
            let words = format!("{count} wrong in {} classes", findings.len());
            progress.reach(programs, Some(Wrong { count, words }));
            started.elapsed().as_secs() < arguments.seconds && !stop.load(Ordering::Relaxed)
        };
        let mut found = Found::default();
        let searched = search(&compiler, &what, first, count, &mut found, &mut advance);
        progress.finish();
        let mut report = of_programs(&compiler, &what, &found, first, begun);
        asked = searched.and_then(|()| add_texts(&compiler, &mut report));
        report.complete = asked.is_ok() && !stop.load(Ordering::Relaxed);
        report.suite.revision = REVISION.map(Into::into);
        if let Some(waivers) = &waivers {
            waivers.apply_to_compiler(&mut report, &[]);
        }
        let saved = reports::save(&report, path);
        let findings: Vec<Told> =
            found.findings.iter().map(|finding| Told::of(finding, &what, &compiler)).collect();
        match arguments.format {
            Format::Text => print(&text(&title, &what, &found, &findings)?)?,
            Format::Json => all.push(object(&title, &what, &found, &findings)),
        }
        saved?;
        let unfinished = if report.complete { "" } else { "not run to its end; " };
        say(&format!("{title}: {unfinished}the report is {}", path.display()));
        verdict = worse(verdict, report.verdict());
    }
    if stop.load(Ordering::Relaxed) {
        verdict = worse(verdict, Verdict::Incomplete);
    }
    if let Format::Json = arguments.format {
        print_json(&(serde_json::to_string_pretty(&all)? + "\n"))?;
    }
    // All that was found is told before what kept the rest from being asked.
    unless_interrupted(asked)?;
    Ok(ExitCode::from(code(verdict)))
}

/// What is searched in a compiler.
fn what(arguments: &Programs, compiler: &Compiler, jobs: usize) -> anyhow::Result<Search> {
    let usual = Search::usual(promises::language(compiler)?, arguments.seed.seed, jobs);
    let settings = Setting::matching(usual.settings, &arguments.options)?;
    let targets = match &arguments.targets[..] {
        [] => usual.targets,
        targets => targets.to_vec(),
    };
    let versions = known::others(compiler.name());
    Ok(Search { settings, targets, versions, ..usual })
}

/// What was found of a compiler, for programs.
fn object(title: &str, search: &Search, found: &Found, findings: &[Told]) -> serde_json::Value {
    let Found { programs, right, wrong, vectors, undecided, twins, .. } = found;
    let settings: Vec<String> = search.settings.iter().map(Setting::to_string).collect();
    let open: BTreeMap<&String, String> =
        twins.open.iter().map(|(class, twin)| (class, of_twin(search, twin))).collect();
    let fatal: Vec<serde_json::Value> = (found.fatal.iter())
        .map(|of| {
            json!({
                "kind": of.kind, "words": of.words, "source": of.source(search.plan.language),
                "target": of.target, "setting": of.setting.to_string(), "program": of.index,
            })
        })
        .collect();
    json!({
        "compiler": title, "targets": search.targets, "settings": settings, "seed": search.seed,
        "programs": programs, "right": right, "wrong": wrong, "vectors": vectors, "undecided": undecided,
        "refused": found.refused, "died": found.died, "illegal": found.illegal, "unexecuted": found.unexecuted,
        "fatal": fatal, "findings": findings,
        "twins": {
            "compared": twins.compared, "differ": twins.differ, "explained": twins.explained, "open": open,
        },
    })
}

/// What was found of a compiler, in words.
fn text(
    title: &str,
    search: &Search,
    found: &Found,
    findings: &[Told],
) -> Result<String, std::fmt::Error> {
    let sum = |counts: &BTreeMap<String, u64>| counts.values().sum::<u64>();
    let mut text = String::new();
    let Found { programs, right, wrong, vectors, undecided, twins, .. } = found;
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
        findings.len(),
        sum(&found.refused),
        sum(&found.unexecuted),
        sum(&found.died)
    )?;
    if twins.compared > 0 {
        writeln!(
            text,
            "  of those of too many results {} were compared with their twins: {} differ, of which a closer look \
             explains {}",
            twins.compared, twins.differ, twins.explained
        )?;
    }
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
    for fatal in &found.fatal {
        writeln!(text, "\n{}: {}", fatal.kind, printable(&fatal.words))?;
        let source = fatal.source(search.plan.language);
        source.lines().try_for_each(|line| writeln!(text, "    {line}"))?;
        let again = made_again(search.seed, fatal.index);
        writeln!(text, "  for {} under {}; made of {again}", fatal.target, fatal.setting)?;
    }
    for finding in findings {
        write!(text, "{finding}")?;
    }
    for (class, twin) in &twins.open {
        writeln!(text, "\n{class}\n{}", of_twin(search, twin))?;
    }
    Ok(text)
}

fn of_twin(search: &Search, twin: &Twin) -> String {
    let Twin { program, results, index, count, .. } = twin;
    let verdict = if twin.proven { "a result is not permitted" } else { "which is wrong is not known" };
    let operands = twin.operands.iter().zip(program.parameters());
    let operands: Vec<String> = operands.map(|(bits, ty)| hex(*bits, ty)).collect();
    let each = results.iter().map(|(target, setting, bits)| {
        format!("{} for {target} under {setting}", hex(*bits, program.result()))
    });
    format!(
        "  {}: {}; {verdict}; {count} vectors; {}",
        operands.join(", "),
        each.collect::<Vec<_>>().join(", "),
        made_again(search.seed, *index)
    )
}
