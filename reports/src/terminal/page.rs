//! The page that a text for a person is written on: its colours and its width.

use crate::text::{in_lines, width};

/// The page that a text is written on: whether it has colours, and its width.
#[derive(Clone, Copy)]
pub(super) struct Page {
    color: bool,
    /// The largest width of a line in characters.
    pub(super) width: usize,
}

impl Page {
    pub(super) fn new(color: bool, columns: Option<usize>) -> Page {
        Page { color, width: width(columns) }
    }

    pub(super) fn bold(self, text: &str) -> String {
        self.code("1", text)
    }

    pub(super) fn red(self, text: &str) -> String {
        self.code("1;31", text)
    }

    pub(super) fn green(self, text: &str) -> String {
        self.code("32", text)
    }

    pub(super) fn yellow(self, text: &str) -> String {
        self.code("33", text)
    }

    fn code(self, code: &str, text: &str) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// Returns a sentence in a colour, in as many lines as it takes.
    pub(super) fn sentence(self, color: fn(Page, &str) -> String, text: &str) -> String {
        self.wrapped(text, 0, 2).lines().map(|line| color(self, line) + "\n").collect()
    }

    /// Breaks the text into lines of at most the page's width: the first indented by `first`, the others by `rest`.
    pub(super) fn wrapped(self, text: &str, first: usize, rest: usize) -> String {
        in_lines(text, self.width, first, rest)
    }
}
