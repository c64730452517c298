//! A report as commands to GitHub's runner, which shows them at the run: an error for each cause, or a notice that
//! there is none.

use super::Style;
use super::told::{Told, told};
use crate::text::elided;
use crate::{AnyReport, Verdict};

/// So many of a kind GitHub shows of one step.
const SHOWN: usize = 10;
/// Characters of one at most.
const LONGEST: usize = 4_000;

/// The commands, a line each.
pub fn commands(report: &AnyReport, style: &Style) -> String {
    let Told { verdict, last, failures, .. } = told(report, style);
    let last = last.trim_end();
    let kind = if verdict == Verdict::Agree { "notice" } else { "error" };
    // The sentence is one of those that are shown.
    let mut out = command(kind, "PTX conformance", last);
    for (title, text) in failures.iter().take(SHOWN - 1) {
        out += &command("error", title, text.trim_end());
    }
    out
}

/// One of them, as the toolkit of actions escapes what it says.
fn command(kind: &str, title: &str, text: &str) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let title = data(&elided(title, LONGEST)).replace(':', "%3A").replace(',', "%2C");
    format!("::{kind} title={title}::{}\n", data(&elided(text, LONGEST)))
}
