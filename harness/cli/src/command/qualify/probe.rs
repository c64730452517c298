//! `conformance qualify probe`: asks an implementation about the points that the manual leaves open.

use std::fmt::Write as _;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use findings::probe::{self, POINTS, ProbeAnswer};
use formats::RowBits;
use implementations::Implementation;
use reports::printable;

use crate::command::{AGREE, Ending, MISMATCH, print};

/// The words in the line of an answer that follows no interpretation of the manual.
pub const WRONG: &str = "WRONG: no interpretation gives it";

/// Print which interpretations of the manual an implementation follows.
///
/// An open point is a sentence of the manual that has more than one interpretation. For each open point, a
/// few vectors are run.
///
/// Exit code: 0 if every answer follows an interpretation of the manual; 1 if an answer follows none; 2 if
/// the vectors could not be run.
#[derive(Args)]
pub struct Arguments {
    /// Implementation to run.
    #[arg(long = "impl", value_name = "NAME", default_value = "cuda:0")]
    implementation: String,
}

/// Runs `conformance qualify probe`.
pub fn run(arguments: &Arguments) -> Ending {
    let implementation = implementations::named(&arguments.implementation)?;
    let (text, follows) = ask(implementation.as_ref())?;
    print(&text)?;
    Ok(ExitCode::from(if follows { AGREE } else { MISMATCH }))
}

/// Asks an implementation about every point that the manual leaves open. Returns the questions with their answers, as
/// text, and whether every answer follows an interpretation of the manual.
///
/// # Errors
/// If the implementation cannot be asked.
pub fn ask(implementation: &dyn Implementation) -> Result<(String, bool)> {
    let described = implementation.describe();
    let about = [Some(described.name), described.device, described.driver].into_iter().flatten();
    let mut text = format!("# {}\n", printable(&about.collect::<Vec<_>>().join("; ")));
    let mut follows = true;
    for point in POINTS {
        text += &format!("\n{}\n", point.question);
        for answer in probe::ask(implementation, point)? {
            follows &= answer.refused.is_none();
            writeln!(text, "  {}", printable(&line(&answer))).expect("memory");
        }
    }
    Ok((text, follows))
}

/// Returns the line about one answer: its vector, its bits, and what they follow.
fn line(answer: &ProbeAnswer) -> String {
    let ProbeAnswer { vector, results, interpretations, refused } = answer;
    let hex = |registers: &[RowBits]| {
        let each = registers.iter().map(|bits| format!("{bits:#x}"));
        each.collect::<Vec<_>>().join("|")
    };
    let given = match results {
        Ok(results) => hex(results),
        Err(reason) => return format!("{vector}: unsupported: {reason}"),
    };
    let interpretations: Vec<String> =
        interpretations.iter().map(|(relaxation, of_it)| format!("{relaxation}: {of_it}")).collect();
    match refused {
        Some(expected) => {
            format!("{vector}: {given}, {WRONG}, {} is due", hex(expected))
        }
        None if interpretations.is_empty() => format!("{vector}: {given}"),
        None => format!("{vector}: {given} ({})", interpretations.join("; ")),
    }
}
