//! Promises about machine code: a line each, as plain data.

use std::sync::OnceLock;

use wildmatch::WildMatch;

use super::due::Due;
use super::{ptx, tile};
use crate::rows::{Hole, filled, fillings};

/// A language that becomes machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// PTX.
    Ptx,
    /// cuTile's part of Python.
    CuTile,
}

impl Source {
    /// Its name in the compilers' protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Source::Ptx => "ptx",
            Source::CuTile => "cutile",
        }
    }
}

/// A line of a table.
pub struct Line {
    /// What rows are called, with holes.
    pub name: &'static str,
    /// PTX: instructions that give `%d` of `%a`, `%b` and `%c`, and may use `%m` and `%n`. cuTile: an expression of `a`,
    /// `b` and `c`.
    pub text: &'static str,
    /// PTX: the type of all registers. cuTile: the tiles, `float32[128] float32[128] -> float16[128]`.
    pub types: &'static str,
    /// What holes are filled with.
    pub over: &'static [Hole],
    /// What must stand there: see [`Due`].
    pub due: &'static str,
    /// The options under each of which that is so; none where this is empty.
    pub options: &'static [&'static str],
    /// The targets.
    pub targets: &'static [&'static str],
    /// Where it is promised, or said that it may be.
    pub source: &'static str,
}

/// A promise about the machine code of one source.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name in reports.
    pub name: String,
    /// The language.
    pub language: Source,
    /// As in its line.
    pub text: String,
    /// As in its line.
    pub types: String,
    /// What must stand there …
    pub due: Due,
    /// … as it is written.
    pub due_text: String,
    /// The options.
    pub options: &'static [&'static str],
    /// The targets.
    pub targets: &'static [&'static str],
    /// Where it is promised.
    pub source: &'static str,
}

/// Every row.
pub fn all() -> &'static [Row] {
    static ALL: OnceLock<Vec<Row>> = OnceLock::new();
    ALL.get_or_init(|| {
        let tables =
            [(Source::Ptx, ptx::LINES), (Source::CuTile, tile::LINES), (Source::CuTile, tile::MATRICES)];
        tables
            .iter()
            .flat_map(|(language, lines)| lines.iter().flat_map(|line| line.rows(*language)))
            .collect()
    })
}

/// The rows that a pattern matches by their names; all, where there is no pattern.
pub fn matching(only: &[String]) -> impl Iterator<Item = &'static Row> {
    let only: Vec<WildMatch> = only.iter().map(|pattern| WildMatch::new(pattern)).collect();
    let wanted = move |row: &&Row| only.is_empty() || only.iter().any(|of| of.matches(&row.name));
    all().iter().filter(wanted)
}

impl Line {
    fn rows(&self, language: Source) -> Vec<Row> {
        let row = |filling: Vec<(&str, &str)>| {
            let [name, text, types, due_text] =
                [self.name, self.text, self.types, self.due].map(|text| filled(text, &filling));
            let (options, targets, source) = (self.options, self.targets, self.source);
            Row {
                name,
                language,
                text,
                types,
                due: Due::of(&due_text),
                due_text,
                options,
                targets,
                source,
            }
        };
        fillings(self.over).into_iter().map(row).collect()
    }
}

impl Row {
    /// A kernel of this name.
    pub fn kernel(&self, name: &str, target: &str) -> String {
        match self.language {
            Source::Ptx => ptx::kernel(self, name, target),
            Source::CuTile => tile::kernel(self),
        }
    }
}
