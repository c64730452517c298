//! Promises about machine code, as plain data: a line of a table for each group of them.

use std::sync::OnceLock;

use wildmatch::WildMatch;

use super::expected_code::ExpectedCode;
use super::{ptx, tile};
use crate::rows::{Hole, filled, fillings};

/// A source language that is compiled to machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// PTX.
    Ptx,
    /// cuTile's part of Python.
    CuTile,
}

impl Source {
    /// Returns the language's name in the compilers' protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Source::Ptx => "ptx",
            Source::CuTile => "cutile",
        }
    }
}

/// A line of a table, from which rows are made by filling its holes.
pub struct MachineLine {
    /// The name of the rows, with holes.
    pub name: &'static str,
    /// The source that is compiled, with holes. PTX: instructions that give `%d` of `%a`, `%b` and `%c`, and may use
    /// `%m` and `%n`. cuTile: an expression of `a`, `b` and `c`.
    pub text: &'static str,
    /// The types of the source, with holes. PTX: the type of all registers. cuTile: the tiles, such as
    /// `float32[128] float32[128] -> float16[128]`.
    pub types: &'static str,
    /// The words that the holes are filled with, in every combination.
    pub over: &'static [Hole],
    /// The operations that must stand in the machine code, or a refusal, in the form that `ExpectedCode` reads; with
    /// holes.
    pub due: &'static str,
    /// The lists of options under each of which the promise holds; where this is empty, it holds without any.
    pub options: &'static [&'static str],
    /// The targets that the rows are compiled for.
    pub targets: &'static [&'static str],
    /// The document that promises what is due, or says that it may be.
    pub source: &'static str,
}

/// A promise about the machine code of one source.
#[derive(Clone, Debug)]
pub struct MachineRow {
    /// The row's name in reports.
    pub name: String,
    /// The source language.
    pub language: Source,
    /// The source that is compiled, as [`MachineLine::text`] with its holes filled.
    pub text: String,
    /// The types of the source, as [`MachineLine::types`] with its holes filled.
    pub types: String,
    /// The operations that must stand in the machine code, or a refusal.
    pub due: ExpectedCode,
    /// The text that says what must stand in the machine code, as it is written.
    pub due_text: String,
    /// The lists of options under each of which the promise holds; where this is empty, it holds without any.
    pub options: &'static [&'static str],
    /// The targets that the row is compiled for.
    pub targets: &'static [&'static str],
    /// The document that promises what is due, or says that it may be.
    pub source: &'static str,
}

/// Returns every row of machine code.
pub fn all() -> &'static [MachineRow] {
    static ALL: OnceLock<Vec<MachineRow>> = OnceLock::new();
    ALL.get_or_init(|| {
        let tables =
            [(Source::Ptx, ptx::LINES), (Source::CuTile, tile::LINES), (Source::CuTile, tile::MATRICES)];
        tables
            .iter()
            .flat_map(|(language, lines)| lines.iter().flat_map(|line| line.rows(*language)))
            .collect()
    })
}

/// Returns the rows whose names one of the patterns matches; all rows where there is no pattern.
pub fn matching(only: &[String]) -> impl Iterator<Item = &'static MachineRow> {
    let only: Vec<WildMatch> = only.iter().map(|pattern| WildMatch::new(pattern)).collect();
    let wanted = move |row: &&MachineRow| only.is_empty() || only.iter().any(|of| of.matches(&row.name));
    all().iter().filter(wanted)
}

impl MachineLine {
    /// Makes the rows of the line, one for every combination of what fills its holes.
    fn rows(&self, language: Source) -> Vec<MachineRow> {
        let row = |filling: Vec<(&str, &str)>| {
            let [name, text, types, due_text] =
                [self.name, self.text, self.types, self.due].map(|text| filled(text, &filling));
            let (options, targets, source) = (self.options, self.targets, self.source);
            MachineRow {
                name,
                language,
                text,
                types,
                due: ExpectedCode::of(&due_text),
                due_text,
                options,
                targets,
                source,
            }
        };
        fillings(self.over).into_iter().map(row).collect()
    }
}

impl MachineRow {
    /// Returns the source of a kernel for the row and a target: of this name in PTX, called `kernel` in cuTile.
    pub fn kernel(&self, name: &str, target: &str) -> String {
        match self.language {
            Source::Ptx => ptx::kernel(self, name, target),
            Source::CuTile => tile::kernel(self),
        }
    }
}
