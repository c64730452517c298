//! `conformance qualify compare`: tells what changed from one record to another, also for `--since`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use base::terminal;
use clap::Args;
use reports::{Report, Style};

use super::{probe, record};
use crate::command::report::diff::{Said, implementations};
use crate::command::{AGREE, Ending, MISMATCH, colored, print_raw};

/// Print what differs between two records.
///
/// Exit code: 0 if nothing got worse; 1 if something got worse, such as an answer that no longer fits any
/// interpretation of the manual; 2 if the records cannot be compared.
#[derive(Args)]
pub struct Arguments {
    /// Directory of the earlier record.
    before: PathBuf,
    /// Directory of the later record.
    after: PathBuf,
}

/// Runs `conformance qualify compare`.
pub fn run(Arguments { before: one, after: other }: &Arguments) -> Ending {
    let records = [record::open(one)?, record::open(other)?];
    let style = Style { color: colored(), columns: terminal::columns(), ..Style::default() };
    let (text, worse) = changes(records.each_ref(), [one, other], &style)?;
    print_raw(&text)?;
    Ok(ExitCode::from(if worse { MISMATCH } else { AGREE }))
}

/// Returns what changed from one record to another, as text, and whether anything got worse. Each record is a report
/// and the answers to open points.
///
/// # Errors
/// If the records were not asked alike.
pub fn changes(
    records: [&(Report, String); 2],
    paths: [&Path; 2],
    style: &Style,
) -> anyhow::Result<(String, bool)> {
    let [(first, probed), (second, probed_too)] = records;
    let Said { mut text, worse, .. } = implementations([first, second], paths, style)?;
    // Answers are indented. Questions are not compared: a later version may word them anew.
    let answers = |text: &str| {
        let answers = text.lines().filter(|line| line.starts_with("  "));
        answers.map(reports::printable).collect::<Vec<_>>()
    };
    let (before, after) = (answers(probed), answers(probed_too));
    let only = |answers: &[String], others: &[String], sign: char| -> String {
        let lines = answers.iter().filter(|line| !others.contains(line));
        lines.map(|line| format!("{sign}{line}\n")).collect()
    };
    text += &only(&before, &after, '-');
    text += &only(&after, &before, '+');
    let is_wrong = |line: &&String| line.contains(probe::WRONG);
    let worse_answers = after.iter().filter(is_wrong).any(|line| !before.contains(line));
    Ok((text, worse || worse_answers))
}
