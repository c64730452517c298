//! `cargo xtask replay`: a report's mismatches again.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use harness::implementation::{self, Support, Worker};
use harness::run::{BlockJudge, Judging};
use reports::{Class, Datum, Report, printable};
use vectors::RowBits;
use vectors::isa::{Register, Variant};

use super::{AGREE, Ending, MISMATCH, load_report, print};

/// Run the mismatches of a report again, against the same or another implementation.
///
/// Exit code: 0 if none of them mismatches now, 1 if some do.
#[derive(Args)]
pub struct Arguments {
    /// The report's file.
    report: PathBuf,
    /// Only this class, such as `mul.f16/zero-sign`.
    #[arg(long, value_name = "ID")]
    class: Option<String>,
    /// What to test [default: the report's implementation, if that is `emulator`, `host` or `canary`].
    /// What starts a program or loads code has to be named here.
    #[arg(long = "impl", value_name = "NAME")]
    implementation: Option<String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Ending {
    let report = load_report(&arguments.report)?;
    let name = match &arguments.implementation {
        Some(name) => name,
        None => named_by(&report)?,
    };
    let implementation = implementation::named(name)?;
    let mut worker = implementation.worker()?;
    let classes = report.variants.iter().flat_map(|v| v.classes.iter().map(move |class| (v, class)));
    let chosen: Vec<_> =
        classes.filter(|(_, class)| arguments.class.as_ref().is_none_or(|id| *id == class.id)).collect();
    if let (true, Some(id)) = (chosen.is_empty(), &arguments.class) {
        bail!("the report has no class `{id}`: its summary and its `classes` name those it has");
    }
    let mut again = 0;
    let mut total = 0;
    for (variant, class) in chosen {
        let variant: Variant = variant.variant.parse()?;
        match implementation.support(&variant) {
            Support::Yes => {}
            Support::No(reason) => bail!("{name} does not have {variant}: {reason}"),
            Support::Fails(reason) => bail!("{name} cannot begin with {variant}: {reason}"),
        }
        again += replay(&variant, class, worker.as_mut())?;
        total += class.simplest.iter().chain(&class.examples).count();
    }
    print(&format!("{again} of {total} mismatches occur with {name}.\n"))?;
    Ok(ExitCode::from(if again > 0 { MISMATCH } else { AGREE }))
}

/// The implementation that a report names, if a report may.
fn named_by(report: &Report) -> Result<&String> {
    let name = &report.implementation.name;
    if !implementation::is_built_in(name) {
        bail!(
            "the report is of `{}`, which starts a program or loads code, and a file may not have that \
             done: say what to test with --impl",
            printable(name)
        );
    }
    Ok(name)
}

/// Runs the examples of a class, the simplest first; returns how many mismatch.
fn replay(variant: &Variant, class: &Class, worker: &mut dyn Worker) -> Result<usize> {
    let mut bench = BlockJudge::new(variant, Judging::Mpfr);
    let mut again = 0;
    for example in class.simplest.iter().chain(&class.examples) {
        let (due, given) = (variant.operands(), &example.operands);
        if due.len() != given.len() {
            bail!("class {}: {variant} takes {} operands, not {}", class.id, due.len(), given.len());
        }
        let row = due.iter().zip(given).map(bits).collect::<Result<_>>()?;
        let tally = bench.run_rows(&[row], example.index, worker)?;
        again += usize::from(tally.mismatches > 0);
        let verdict = match (tally.mismatches, tally.unanswered) {
            (0, 0) => "agrees",
            (0, _) => "untested",
            _ => "MISMATCH",
        };
        let operands: Vec<String> = example
            .operands
            .iter()
            .map(|operand| format!("{}={}", operand.name, operand.bits))
            .collect();
        let mut line = format!("{verdict:8}  {variant}  {}", operands.join(" "));
        for mismatch in tally.classes.values().flat_map(|class| &class.examples) {
            let hex = |registers: &[RowBits]| {
                let each = variant.results().iter().zip(registers);
                let each = each.map(|(result, bits)| bits.hex(result.ty.row_bytes()));
                each.collect::<Vec<_>>().join("|")
            };
            line += &format!("  expected {}", hex(&mismatch.expected));
            line += &match &mismatch.words {
                Some(words) => format!(", no result: {words}"),
                None => format!(" actual {}", hex(&mismatch.actual)),
            };
        }
        print(&(line + "\n"))?;
    }
    Ok(again)
}

fn bits((register, datum): (&Register, &Datum)) -> Result<RowBits> {
    let digits = datum.bits.strip_prefix("0x").context("bits are written as 0x…")?;
    let bits = RowBits::from_hex(digits, register.ty.row_bytes());
    bits.with_context(|| format!("`{}` is no operand", datum.bits))
}
