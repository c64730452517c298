//! `cargo xtask qualify --compare`.

use std::path::Path;
use std::process::ExitCode;

use harness::terminal;
use reports::Style;

use super::record;
use crate::command::report::diff::{Said, implementations};
use crate::command::{AGREE, Ending, MISMATCH, colored, print_raw};

/// Runs the command.
pub fn run(one: &Path, other: &Path) -> Ending {
    let ((first, probed), (second, probed_too)) = (record::open(one)?, record::open(other)?);
    let style = Style { color: colored(), columns: terminal::columns(), ..Style::default() };
    let Said { mut text, worse, .. } = implementations([&first, &second], [one, other], &style)?;
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
    Ok(ExitCode::from(if worse { MISMATCH } else { AGREE }))
}
