//! Renders a report as commands to GitHub's runner, which shows them at the run: an error for each cause, or a
//! notice that there is none.

use super::Style;
use super::report_pieces::{ReportPieces, pieces_of};
use crate::text::elided;
use crate::{AnyReport, Verdict};

/// The number of commands of a kind that GitHub shows of one step.
const SHOWN: usize = 10;
/// The largest number of characters of a command's title, and of its text.
const LONGEST: usize = 4_000;

/// Returns the commands, a line each: the verdict, and then what fails.
pub fn commands(report: &AnyReport, style: &Style) -> String {
    let ReportPieces { verdict, last, failures, .. } = pieces_of(report, style);
    let last = last.trim_end();
    let kind = if verdict == Verdict::Agree { "notice" } else { "error" };
    // The verdict takes one of the places that are shown.
    let mut out = command(kind, "PTX conformance", last);
    for (title, text) in failures.iter().take(SHOWN - 1) {
        out += &command("error", title, text.trim_end());
    }
    out
}

/// Returns one command, with its text escaped as the toolkit of actions does it.
fn command(kind: &str, title: &str, text: &str) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    // A title is a property of the command, in which colons and commas have a meaning, too.
    let title = data(&elided(title, LONGEST)).replace(':', "%3A").replace(',', "%2C");
    format!("::{kind} title={title}::{}\n", data(&elided(text, LONGEST)))
}
