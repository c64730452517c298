//! Renders a report in Markdown, for a comment on a pull request or the summary of a CI job. Both are dropped whole
//! where they are too long, so the text is not longer than it may be, whatever was found.

use super::Style;
use super::report_pieces::{STATUSES, pieces_of};
use crate::text::{elided, thousands};
use crate::{AnyReport, Verdict};

/// The largest size of a page in bytes for a comment of GitHub, with some to spare for what stands around it.
pub const COMMENT: usize = 60_000;
/// The least limit that a page may be given, in bytes: everything but the table and the failures fits into it.
pub const LEAST: usize = 4_000;

/// The largest number of instructions in the table; more than there are.
const ROWS: usize = 100;
/// The largest number of characters of a line.
const LINE: usize = 300;

/// Returns the report in at most `most` bytes of UTF-8, which have to be [`LEAST`] or more.
pub fn page(report: &AnyReport, style: &Style, most: usize) -> String {
    let told = pieces_of(report, style);
    let outcome = match told.verdict {
        Verdict::Agree => "everything agrees",
        Verdict::Mismatches => "something disagrees",
        Verdict::Incomplete => "not run to the end",
        Verdict::Nothing => "nothing was tested",
    };
    let mut out = format!("### PTX conformance: {outcome}\n\n");
    out += &fenced("text", &(short(&told.heading, 1_000) + &short(&told.last, 1_000)));
    let last = |left: usize| match left {
        0 => String::new(),
        1 => "\n1 more cause is in the report.\n".to_owned(),
        left => format!("\n{} more causes are in the report.\n", thousands(left as u64)),
    };
    // The longest last line, so that there is room for any.
    let spare = last(usize::MAX).len();
    let table = table(&told.instructions);
    // A table is whole or left out; failures then follow as far as there is room.
    if out.len() + table.len() + spare <= most {
        out += &table;
    }
    let mut shown = 0;
    for (title, text) in &told.failures {
        let title = escaped(&elided(title, LINE));
        let piece = format!(
            "\n<details><summary><code>{title}</code></summary>\n\n{}\n</details>\n",
            fenced("text", text)
        );
        if out.len() + piece.len() + spare > most {
            break;
        }
        out += &piece;
        shown += 1;
    }
    out + &last(told.failures.len() - shown)
}

/// Returns a table with a row for each instruction, and the columns that have something in them.
fn table(instructions: &[(String, [u64; 5])]) -> String {
    let used: Vec<usize> = (0..STATUSES.len())
        .filter(|&at| instructions.iter().any(|(_, counts)| counts[at] > 0))
        .collect();
    if used.is_empty() {
        return String::new();
    }
    let line = |name: &str, cell: &dyn Fn(usize) -> String| {
        let cells: String = used.iter().map(|&at| format!(" {} |", cell(at))).collect();
        format!("| {name} |{cells}\n")
    };
    let mut out = "\n".to_owned();
    out += &line("instruction", &|at| STATUSES[at].1.into());
    out += &line("---", &|_| "---:".into());
    for (name, counts) in instructions.iter().take(ROWS) {
        let name = format!("<code>{}</code>", escaped(&elided(name, LINE)));
        out += &line(&name, &|at| match counts[at] {
            0 => String::new(),
            count => thousands(count),
        });
    }
    out
}

/// Returns a text of a language in a fence that is longer than any within the text.
pub(crate) fn fenced(language: &str, text: &str) -> String {
    // Runs of backticks: a fence that is longer than all of them cannot be closed by the text.
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

/// Returns the beginning of a text, in whole lines where there are any.
fn short(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let mut out = String::new();
    for line in text.lines() {
        let line = elided(line, LINE) + "\n";
        if out.len() + line.len() > most {
            return out + "…\n";
        }
        out += &line;
    }
    out
}

/// Escapes a text, so that no character of it means anything to Markdown or HTML.
pub fn escaped(text: &str) -> String {
    let letter = |letter: char| match letter {
        '&' => "&amp;".into(),
        '<' => "&lt;".into(),
        '>' => "&gt;".into(),
        '|' => "&#124;".into(),
        '`' => "&#96;".into(),
        '*' => "&#42;".into(),
        '_' => "&#95;".into(),
        '[' => "&#91;".into(),
        '\\' => "&#92;".into(),
        '@' => "&#64;".into(),
        '#' => "&#35;".into(),
        '~' => "&#126;".into(),
        letter => letter.to_string(),
    };
    let text: String = text.chars().map(letter).collect();
    // What looks like an address becomes a link by itself.
    text.replace("://", "&#58;//").replace("www.", "www&#46;")
}

/// Returns a text as code, whatever characters it has.
pub fn code(text: &str) -> String {
    match text.contains(['`', '|', '\n']) || text.trim() != text || text.is_empty() {
        true => format!("<code>{}</code>", escaped(text)),
        false => format!("`{text}`"),
    }
}

/// Returns a text in which what stands between backticks is code, and everything else is plain text.
pub fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // Odd parts stand between backticks, unless the last of them is never closed.
    let part = |(number, part): (usize, &&str)| match number % 2 {
        1 if number + 1 < parts.len() => code(part),
        1 => format!("&#96;{}", escaped(part)),
        _ => escaped(part),
    };
    let text: String = parts.iter().enumerate().map(part).collect();
    // At the beginning of a line these make a list or a heading.
    match text.strip_prefix(['-', '+', '=']) {
        Some(rest) => format!("&#{};{rest}", u32::from(text.chars().next().unwrap_or('-'))),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_has_code_between_backticks_and_nothing_else_of_markdown() {
        assert_eq!(prose("`.ftz` does nothing"), "`.ftz` does nothing");
        assert_eq!(prose("a ` b"), "a &#96; b");
        assert_eq!(
            prose("# a <img src=x> | [b](http://c)"),
            "&#35; a &lt;img src=x&gt; &#124; &#91;b](http&#58;//c)"
        );
        assert_eq!(prose("- a"), "&#45; a");
        assert_eq!(prose("`a|b`"), "<code>a&#124;b</code>");
        assert_eq!(code("a`<b>"), "<code>a&#96;&lt;b&gt;</code>");
    }

    #[test]
    fn whole_lines_are_kept_as_long_as_there_is_room() {
        let text = "ab\ncd\nef\n";
        assert_eq!(
            [9, 8, 6, 5, 2].map(|most| short(text, most)),
            [text, "ab\ncd\n…\n", "ab\ncd\n…\n", "ab\n…\n", "…\n"]
        );
    }
}
