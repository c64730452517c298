//! Writes one class of wrong results as Markdown for the makers of the software: what they need to see it without the
//! suite.

mod exact;
mod vector;

pub use exact::exact;

use crate::model::Example;
use crate::terminal::markdown::{fenced, prose};
use crate::text::{elided, printable, printable_lines};

/// The largest size of a page in bytes.
pub const LIMIT: usize = 4_000;

/// The largest number of characters of the title, and of the last line.
const LINE: usize = 160;
/// The largest number of characters of a paragraph.
const PARAGRAPH: usize = 600;
/// The largest size of a piece of code in bytes.
const CODE: usize = 1_400;
/// The explanation of the words in the steps.
const CUT: &str = "The bar stands behind the last bit that is kept. \
                   Guard is the bit behind it, and sticky is 1 if any later bit is 1.";
/// The bytes that are kept for the line about what is left out.
const SPARE: usize = 160;

/// A class of wrong results, as it is told to the makers of the software.
#[derive(Debug, Default)]
pub struct Upstream {
    /// A sentence that names the subject, the operation and the wrong result. Text between backticks is code.
    pub title: String,
    /// The note that comes first: that the makers know the defect, or that it is none.
    pub notice: Vec<Piece>,
    /// The source and the commands that show the wrong result.
    pub reproduction: Vec<Piece>,
    /// The simplest vector: its operands, and the right and the wrong result.
    pub vector: Option<Example>,
    /// The steps from the operands to the right result, one text for each instruction.
    pub steps: Vec<String>,
    /// Why the software gives the wrong result, where that is known.
    pub cause: Vec<Piece>,
    /// The documents that say what is right.
    pub rule: Vec<Piece>,
    /// The versions that were tried, how many inputs are wrong, and where else.
    pub extent: Vec<Piece>,
    /// Other vectors that show the wrong result.
    pub others: Vec<Example>,
    /// The last line: which report of which suite the text was made of.
    pub reference: String,
}

/// A piece of a section.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Plain text, in which only what stands between backticks is code.
    Prose(String),
    /// Markdown of the suite's own pages, which is taken as it is.
    Markdown(String),
    /// Source, commands or output, with the name of its language.
    Code(&'static str, String),
}

impl Upstream {
    /// Returns the text in at most [`LIMIT`] bytes of Markdown. Sections that do not fit are left out whole, the least
    /// needed ones first, and a line names them.
    pub fn page(&self) -> String {
        let title = format!("# {}\n{}", inline(&line(&self.title)), pieces(&self.notice));
        let reference = format!("\n{}\n", inline(&line(&self.reference)));
        let example = self.vector.as_ref();
        let others = self.others.iter().filter(|other| Some(*other) != example).take(3);
        let sections = [
            ("Reproduce", pieces(&self.reproduction)),
            ("Input and result", example.map(vector::table).unwrap_or_default()),
            ("Why the expected result is right", pieces(&self.steps_as_code())),
            ("Rule", pieces(&self.rule)),
            ("Cause", pieces(&self.cause)),
            ("Versions and extent", pieces(&self.extent) + &vector::list(others)),
        ];
        let text = |(heading, body): &(&str, String)| format!("\n## {heading}\n{body}");
        // The order in which sections are needed, as places in `sections`.
        const NEEDED: [usize; 6] = [0, 1, 3, 5, 4, 2];
        let (mut room, mut kept) =
            (LIMIT.saturating_sub(SPARE + title.len() + reference.len()), [false; 6]);
        let mut left_out = Vec::new();
        for place in NEEDED {
            let Some(section) = sections.get(place).filter(|(_, body)| !body.is_empty()) else {
                continue;
            };
            match room.checked_sub(text(section).len()) {
                Some(left) => (room, kept[place]) = (left, true),
                None => left_out.push(section.0),
            }
        }
        let shown = sections.iter().zip(kept).filter(|(_, is_kept)| *is_kept);
        let body: String = shown.map(|(section, _)| text(section)).collect();
        let omitted = match left_out.is_empty() {
            true => String::new(),
            false => format!("\nLeft out, because they are too long: {}.\n", left_out.join(", ")),
        };
        title + &body + &omitted + &reference
    }

    /// Returns the steps to the right result as code, of as many of the last instructions as there is room for.
    fn steps_as_code(&self) -> Vec<Piece> {
        let mut from = self.steps.len();
        let mut size = 0;
        while let Some(step) = from.checked_sub(1).and_then(|at| self.steps.get(at)) {
            size += step.len();
            if size > CODE {
                break;
            }
            from -= 1;
        }
        let steps: String = self.steps.iter().skip(from).map(String::as_str).collect();
        if steps.is_empty() {
            return Vec::new();
        }
        // What the line before has in other words.
        let steps = steps.replace("\n  exactly   ", "\n            = ");
        let words = steps.contains("guard").then(|| Piece::Prose(CUT.into()));
        words.into_iter().chain([Piece::Code("text", steps)]).collect()
    }
}

/// Returns a text as one line that is not too long.
fn line(text: &str) -> String {
    elided(&printable(text), LINE)
}

/// Returns a line in which only what stands between backticks is code. Within a word, `_` means nothing to Markdown.
fn inline(text: &str) -> String {
    const ESCAPED: &str = "&#95;";
    let text = prose(text);
    let mut parts = text.split(ESCAPED);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_within = out.ends_with(char::is_alphanumeric) && part.starts_with(char::is_alphanumeric);
        out += if is_within { "_" } else { "\\_" };
        out += part;
    }
    out
}

/// Returns the text of pieces, each a paragraph of its own.
fn pieces(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| format!("\n{}", piece.text())).collect()
}

impl Piece {
    /// Returns the piece as Markdown, with an end of line.
    fn text(&self) -> String {
        match self {
            Piece::Prose(text) => inline(&elided(&printable(text), PARAGRAPH)) + "\n",
            Piece::Markdown(text) => text.trim().to_owned() + "\n",
            Piece::Code(language, text) => {
                let text = printable_lines(text);
                match cut(&text, CODE) {
                    None => fenced(language, &text),
                    Some(kept) => {
                        fenced(language, kept)
                            + "\nThis is only the beginning: the report has all of it.\n"
                    }
                }
            }
        }
    }
}

/// Returns the whole lines at the beginning of a text that have at most `most` bytes; `None` if that is all of it.
fn cut(text: &str, most: usize) -> Option<&str> {
    if text.len() <= most {
        return None;
    }
    let end = (0..=most).rev().find(|&at| text.is_char_boundary(at))?;
    let kept = text.get(..end)?;
    Some(kept.rsplit_once('\n').map_or(kept, |(lines, _)| lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a text about which every part is `text`.
    fn of(text: &str) -> Upstream {
        let pieces = || vec![Piece::Prose(text.into()), Piece::Code("c", text.into())];
        Upstream {
            title: text.into(),
            reproduction: pieces(),
            steps: vec![text.into(), text.into()],
            rule: pieces(),
            extent: pieces(),
            reference: text.into(),
            ..Upstream::default()
        }
    }

    #[test]
    fn no_text_is_too_long_or_breaks_out_of_its_place() {
        let long = "```\n# a <img src=x>\u{1b}[31m & [b](http://c) 測試\n````".repeat(500);
        for text in ["", "a", "&", &"&".repeat(5_000), &"測".repeat(5_000), &"`".repeat(5_000), &long] {
            let page = of(text).page();
            assert!(page.len() <= LIMIT, "{}", page.len());
            assert!(page.starts_with("# "), "{page}");
            assert!(!page.contains('\u{1b}'), "{page:?}");
            assert!(outside_of_code(&page).iter().all(|line| !line.contains("<img")), "{page}");
        }
    }

    /// Returns the lines of a page that stand in no fence.
    fn outside_of_code(page: &str) -> Vec<&str> {
        let (mut fence, mut lines) = (None::<usize>, Vec::new());
        for line in page.lines() {
            let ticks = line.len() - line.trim_start_matches('`').len();
            match fence {
                None if ticks > 2 => fence = Some(ticks),
                None => lines.push(line),
                Some(open) if ticks >= open && line.len() == ticks => fence = None,
                Some(_) => {}
            }
        }
        assert_eq!(fence, None, "a fence is open: {page}");
        lines
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let steps: Vec<String> = (0..3).map(|_| "x".repeat(1_000) + "\n").collect();
        let rule = vec![Piece::Markdown("y".repeat(3_200))];
        let text = Upstream { title: "t".into(), steps, rule, ..Upstream::default() }.page();
        assert!(text.contains("## Rule"), "{text}");
        assert!(text.contains("too long: Why the expected result is right.\n"), "{text}");
    }

    #[test]
    fn names_are_written_as_they_are() {
        assert_eq!(inline("ml_dtypes: `a_b`"), "ml_dtypes: `a_b`");
        assert_eq!(inline("_a_ __b"), "\\_a\\_ \\_\\_b");
        assert_eq!(inline("&#95;"), "&amp;&#35;95;");
    }

    #[test]
    fn an_exact_result_is_not_named_twice() {
        let steps = vec!["f(a)\n  exact     3\n  exactly   3\n  round     guard 0\n".into()];
        let text = Upstream { title: "t".into(), steps, ..Upstream::default() }.page();
        assert!(text.contains("  exact     3\n            = 3\n"), "{text}");
        assert!(text.contains("The bar stands"), "{text}");
    }

    #[test]
    fn whole_lines_are_kept_of_long_code() {
        assert_eq!(cut("ab\ncd", 5), None);
        assert_eq!(cut("ab\ncd", 4), Some("ab"));
        assert_eq!(cut("測試", 4), Some("測"));
    }
}
