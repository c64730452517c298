//! The report of a compiler: what it made of rows or of random programs, and whether that computes what is promised.

use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::Document;
use crate::model::{hex, is_zero};
use crate::unknown::UnknownFields;
use crate::{Class, Suite, Times, Verdict, Waiver};

mod circumstances;
mod compact;
mod compare;

pub use circumstances::{Circumstances, Condition, Outcome};
pub use compare::{Change, Comparison, RunChange};

/// The name and version of this report's form, found in its `schema` field.
pub const SCHEMA: &str = "ptx-compiler-report/1";

/// What was found of one compiler.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct CompilerReport {
    /// The name and version of this form.
    #[cfg_attr(feature = "schema", schemars(extend("const" = SCHEMA)))]
    pub schema: String,
    /// The suite that ran.
    pub suite: Suite,
    /// What was under test.
    pub compiler: Compiler,
    /// What it was asked.
    pub work: Work,
    /// Whether all of that was asked.
    pub complete: bool,
    /// In sentences, everything that makes this less than all rows, settings and targets. Empty if it is the whole.
    pub reduced: Vec<String>,
    /// When the run started and how long it took.
    pub times: Times,
    /// Counts of cells.
    pub totals: CompilerTotals,
    /// What was found, those that fail first.
    pub findings: Vec<Finding>,
    /// Waivers that cover nothing any more, which fails the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<String>,
    /// How a changed digit is noticed, as in the report of an implementation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum: Option<String>,
    /// Fields of the file that this report was read from, which this build does not know. They are never written.
    #[serde(skip)]
    pub unknown: UnknownFields,
}

/// What was under test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Compiler {
    /// The name that selects it on the command line, like `nvrtc@12.9.86`.
    pub name: String,
    /// Its version in its own words.
    pub version: String,
    /// The language of the sources: `cuda`, `nvvm-ir`, `llvm-ir`, `ptx` or `cutile`.
    pub language: String,
}

/// What a compiler was asked. Together with the suite's version it determines every source and vector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Work {
    /// What the sources are.
    pub sources: Sources,
    /// How many there are.
    pub count: u64,
    /// The targets, as the compiler spells them.
    pub targets: Vec<String>,
    /// The settings by name, each with the options that the compiler was handed.
    pub settings: BTreeMap<String, Vec<String>>,
    /// Vectors of each sweep that a row had at most, or that each program had.
    pub vectors: u64,
    /// The seed of programs and their vectors.
    #[serde(default, deserialize_with = "seed", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^0x[0-9a-f]+$")))]
    pub seed: Option<String>,
    /// The number of the first program.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub first: u64,
}

/// What sources are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Sources {
    /// Rows: expressions of which a document promises the result.
    Rows,
    /// Random programs, which have a set of permitted results for each vector.
    Programs,
}

/// Counts of cells: a cell is a source under a setting, for a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct CompilerTotals {
    /// How many there are.
    pub cells: u64,
    /// Those whose function computes what is promised or permitted.
    pub right: u64,
    /// Of these, those that are the promised instruction alone. Programs promise none.
    pub selected: u64,
    /// Those whose function does not.
    pub wrong: u64,
    /// Those that the compiler did not take.
    pub refused: u64,
    /// Those that it died of.
    pub died: u64,
    /// Those with an instruction of floating point that PTX does not have.
    pub illegal: u64,
    /// Those with something else that was not executed.
    pub unexecuted: u64,
    /// How many vectors of programs were judged.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub vectors: u64,
    /// Vectors of programs of which too much is permitted to judge them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub undecided: u64,
    /// How many of the undecided vectors were compared between two functions of one program.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub compared: u64,
    /// How many of the compared vectors have two results.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub differing: u64,
    /// How many of the differing vectors have results that a closer look found to be permitted both.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub explained: u64,
}

impl Standing {
    /// The word used in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Standing::Fail => "fail",
            Standing::Waived => "waived",
            Standing::Note => "note",
        }
    }
}

/// What was found of a source, or of several of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Finding {
    /// What became of it, and of what: `computed/operator/div.f32`. Of a program, what explains it: `computed/program/
    /// reciprocal.f32`. Several sequences of instructions may have one class.
    pub class: String,
    /// What it means for the verdict.
    pub status: Standing,
    /// In how many cells it is so.
    pub cells: u64,
    /// The expression, in the compiler's language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
    /// The instruction that computes what is promised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promised: Option<String>,
    /// Where the promise stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// What was compiled, and where; two sequences whose results differ.
    pub sequences: Vec<Sequence>,
    /// How many vectors were tried.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub vectors: u64,
    /// How many of them have a wrong result.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub mismatches: u64,
    /// What is wrong, kind by kind, each with its simplest vector.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<Class>,
    /// The program that a smaller one was made of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Origin>,
    /// Under which other conditions a wrong program is right, where that was looked into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub circumstances: Option<Circumstances>,
    /// How the compiler refused it or died, what was not executed, or what was assumed of approximate instructions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// Why it does not fail the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiver: Option<Waiver>,
}

/// What a finding means for the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// It fails the run.
    Fail,
    /// It would, but a waiver covers it.
    Waived,
    /// It is good to know, and no failure.
    Note,
}

/// Instructions that were made of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Sequence {
    /// Where: the settings of each target.
    pub places: Vec<Place>,
    /// The source of a function `f`, as the compiler is handed it in the first place. Left out where another
    /// sequence is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The names of the instructions in order, without those that move values; of machine code the
    /// floating-point operations, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instructions: Vec<String>,
    /// The PTX that the compiler makes of the source, in the first place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ptx: Option<String>,
}

/// A target under settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Place {
    /// The target.
    pub target: String,
    /// The settings, as `work` names them.
    pub settings: Vec<String>,
}

/// The random program that a finding was made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Origin {
    /// Its number, under the seed of the work.
    pub index: u64,
    /// Whether it is right as soon as its constants are parameters.
    pub by_constants: bool,
}

impl Document for CompilerReport {
    const SCHEMA: &'static str = SCHEMA;

    fn checksum(&self) -> Option<&str> {
        self.checksum.as_deref()
    }

    fn checksum_mut(&mut self) -> &mut Option<String> {
        &mut self.checksum
    }

    fn unknown(&self) -> &UnknownFields {
        &self.unknown
    }

    fn unknown_mut(&mut self) -> &mut UnknownFields {
        &mut self.unknown
    }
}

impl Finding {
    /// One of a class, of which nothing else is known, in no cell so far.
    pub fn new(class: impl Into<String>, status: Standing) -> Finding {
        Finding {
            class: class.into(),
            status,
            cells: 0,
            expression: None,
            promised: None,
            document: None,
            sequences: Vec::new(),
            vectors: 0,
            mismatches: 0,
            classes: Vec::new(),
            program: None,
            circumstances: None,
            words: None,
            waiver: None,
        }
    }

    /// What became of the source: `computed`.
    pub fn kind(&self) -> &str {
        self.class.split('/').next().unwrap_or_default()
    }
}

impl CompilerReport {
    /// What the report amounts to. A failure outweighs an interruption.
    pub fn verdict(&self) -> Verdict {
        let fails = self.findings.iter().any(|finding| finding.status == Standing::Fail);
        let CompilerTotals { right, wrong, vectors, .. } = self.totals;
        // So much may be permitted of every vector of a program that none is judged.
        let judged = right > 0 && (self.work.sources != Sources::Programs || vectors > 0);
        if fails || !self.stale.is_empty() {
            Verdict::Mismatches
        } else if !self.complete {
            Verdict::Incomplete
        } else if !judged && wrong == 0 {
            Verdict::Nothing
        } else {
            Verdict::Agree
        }
    }
}

fn seed<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    hex(deserializer).map(Some)
}
