//! `cargo xtask qualify --compare`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use harness::terminal;
use reports::Style;
use reports::terminal::compare;

use super::record;
use crate::command::{AGREE, Ending, MISMATCH, colored, print_raw};

/// Runs the command.
pub fn run(one: &Path, other: &Path) -> Ending {
    let ((first, probed), (second, probed_too)) = (record::open(one)?, record::open(other)?);
    let [shown, shown_too] = [one, other].map(|path| path.display().to_string());
    let changes =
        first.compare(&second).with_context(|| format!("{shown} and {shown_too} cannot be compared"))?;
    let style = Style { color: colored(), columns: terminal::columns(), ..Style::default() };
    let mut text = compare::changes([&first, &second], [&shown, &shown_too], &changes, &style);
    // Behind the line that says who was asked.
    let answers = |text: &str| text.lines().skip(1).map(reports::printable).collect::<Vec<_>>();
    let (before, after) = (answers(&probed), answers(&probed_too));
    let only = |answers: &[String], others: &[String], sign: char| -> String {
        let lines = answers.iter().filter(|line| !others.contains(line));
        lines.map(|line| format!("{sign}{line}\n")).collect()
    };
    text += &only(&before, &after, '-');
    text += &only(&after, &before, '+');
    print_raw(&text)?;
    let worse = changes.iter().any(|change| change.worse);
    Ok(ExitCode::from(if worse { MISMATCH } else { AGREE }))
}
