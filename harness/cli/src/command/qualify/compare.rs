//! Tells what changed from one record to another, for `cargo xtask qualify --compare` and `--since`.

use std::path::Path;
use std::process::ExitCode;

use base::terminal;
use reports::{Report, Style};

use super::{probe, record};
use crate::command::report::diff::{Said, implementations};
use crate::command::{AGREE, Ending, MISMATCH, colored, print_raw};

/// Runs `cargo xtask qualify --compare`.
pub fn run(one: &Path, other: &Path) -> Ending {
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
    // The first line says who was asked; the answers follow.
    let answers = |text: &str| text.lines().skip(1).map(reports::printable).collect::<Vec<_>>();
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
