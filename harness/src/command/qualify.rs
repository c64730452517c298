//! `cargo xtask qualify`: the record of a chip.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use harness::implementation;
use harness::run::{Plan, Request, Settings, Tier};
use indicatif::HumanCount;
use reports::{Report, Status};
use sha2::{Digest, Sha256};

use super::{Ending, conformance, print, processors};

/// Test an implementation and keep a record of it: the report, a page that sums it up, and the
/// SHA-256 of each.
///
/// The exit code is that of `conformance`; where it is 2, there is no record.
#[derive(Args)]
pub struct Arguments {
    /// What to test.
    #[arg(long = "impl", value_name = "NAME", default_value = "cuda:0")]
    implementation: String,
    /// Only variants that match one of these patterns (`*` any text, `?` any character).
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// How deep to test.
    #[arg(long, value_enum, default_value = "quick")]
    tier: Tier,
    /// Go on with the run that was broken off in the same directory.
    #[arg(long)]
    resume: bool,
    /// Directory of the record.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

const REPORT: &str = "report.json";
const SUMMARY: &str = "summary.md";
/// As `sha256sum --check` reads it.
const SUMS: &str = "SHA256SUMS";
/// How many lines each list of the summary has at most: it is one page.
const SHOWN: usize = 20;

/// Runs the command.
pub fn run(arguments: &Arguments) -> Ending {
    let out = &arguments.out;
    if let Some(file) = [REPORT, SUMMARY, SUMS].into_iter().find(|file| out.join(file).exists())
        && !arguments.resume
    {
        bail!("{} has a record already ({file}): give another directory with --out", out.display());
    }
    let implementation = implementation::named(&arguments.implementation)?;
    let request = Request::of(arguments.tier, arguments.only.clone());
    let plan = Plan::new(request, implementation.as_ref())?;
    let settings = Settings { jobs: processors(), directory: out.clone(), resume: arguments.resume };
    let ending = conformance::carry_out(&plan, implementation.as_ref(), &settings)?;
    let report = reports::load(&out.join(REPORT))?;
    if !report.complete {
        eprintln!("Without the rest of the run there is no record: --resume takes it up.");
        return Ok(ending);
    }
    seal(out, &report)?;
    print(&format!("Record: {} ({REPORT}, {SUMMARY}, {SUMS})\n", out.display()))?;
    Ok(ending)
}

/// Adds to a report what makes it a record.
fn seal(out: &Path, report: &Report) -> Result<()> {
    let write = |file: &str, text: &str| {
        let path = out.join(file);
        std::fs::write(&path, text)
            .with_context(|| format!("{} cannot be written: make room there", path.display()))
    };
    write(SUMMARY, &summary(report).map_err(|_| anyhow!("the summary cannot be written"))?)?;
    let mut sums = String::new();
    for file in [REPORT, SUMMARY] {
        let path = out.join(file);
        let bytes = std::fs::read(&path).with_context(|| format!("{} is gone", path.display()))?;
        let digits: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        sums += &format!("{digits}  {file}\n");
    }
    write(SUMS, &sums)
}

/// The page.
fn summary(report: &Report) -> Result<String, std::fmt::Error> {
    let Report { implementation, suite, oracle, plan, times, totals, environment, .. } = report;
    let unknown = || "not known".to_owned();
    let or_unknown = |text: &Option<String>| text.clone().unwrap_or_else(unknown);
    let mut text =
        format!("# PTX floating-point conformance of {}\n\n| | |\n| --- | --- |\n", implementation.name);
    for (what, value) in [
        ("device", or_unknown(&implementation.device)),
        ("driver", or_unknown(&implementation.driver)),
        ("suite", format!("{}, revision {}", suite.version, or_unknown(&suite.revision))),
        ("oracle", format!("{} {}, GMP {}", oracle.name, oracle.mpfr, oracle.gmp)),
        ("host", format!("{}, {} {}", environment.cpu, environment.os, environment.arch)),
        ("plan", format!("tier {}, seed {}", plan.tier, plan.seed)),
        ("run", format!("{}, {:.0} s", times.started, times.seconds)),
    ] {
        writeln!(text, "| {what} | {value} |")?;
    }
    writeln!(
        text,
        "\n{} variants: {} pass, {} fail, {} unsupported. {} vectors, {} mismatches.",
        HumanCount(totals.variants),
        HumanCount(totals.passed),
        HumanCount(totals.failed),
        HumanCount(totals.unsupported),
        HumanCount(totals.vectors),
        HumanCount(totals.mismatches),
    )?;
    for reason in &report.reduced {
        writeln!(text, "Reduced: {reason}")?;
    }
    text += &failures(report)?;
    text += &errors(report)?;
    text += &choices(report)?;
    Ok(text)
}

/// A heading with a list, shortened; nothing if the list is empty.
fn section(heading: &str, lines: &[String]) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    if lines.is_empty() {
        return Ok(text);
    }
    writeln!(text, "\n## {heading}\n")?;
    for line in lines.iter().take(SHOWN) {
        writeln!(text, "- {line}")?;
    }
    if let Some(rest @ 1..) = lines.len().checked_sub(SHOWN) {
        writeln!(text, "- and {rest} more, in {REPORT}")?;
    }
    Ok(text)
}

fn failures(report: &Report) -> Result<String, std::fmt::Error> {
    let mut lines = Vec::new();
    for variant in report.variants.iter().filter(|variant| variant.status == Status::Fail) {
        lines.extend(variant.reason.iter().map(|reason| format!("`{}`: {reason}", variant.variant)));
        let classes = variant.classes.iter();
        lines.extend(classes.map(|class| {
            format!("`{}`: {} mismatches, {}", class.id, HumanCount(class.count), class.diagnosis)
        }));
    }
    section("What fails", &lines)
}

fn errors(report: &Report) -> Result<String, std::fmt::Error> {
    let worst = |variant: &reports::VariantReport| {
        Some(format!("`{}`: {:.3} ulp at most", variant.variant, variant.max_ulp?))
    };
    section("Worst errors", &report.variants.iter().filter_map(worst).collect::<Vec<_>>())
}

/// Which choices the device makes where the manual leaves one.
fn choices(report: &Report) -> Result<String, std::fmt::Error> {
    let mut sums = std::collections::BTreeMap::<(&str, &str), u64>::new();
    for relaxation in report.variants.iter().flat_map(|variant| &variant.relaxations) {
        for (answer, count) in &relaxation.answers {
            *sums.entry((&relaxation.name, answer)).or_default() += count;
        }
    }
    let lines = sums
        .iter()
        .map(|((name, answer), count)| format!("{name}: {answer}, {} times", HumanCount(*count)));
    section("Choices that the manual leaves", &lines.collect::<Vec<_>>())
}
