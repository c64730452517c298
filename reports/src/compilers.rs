//! Holds the types of a compiler's report: what the compiler made of rows or of random programs, and whether that
//! computes what is promised.

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

pub use circumstances::{Circumstances, Condition, ConditionOutcome};
pub use compare::{ClassChange, CompilerComparison, RunChange};

/// The name and version of the form of a compiler's report, found in the report's `schema` field.
pub const SCHEMA: &str = "ptx-compiler-report/1";

/// The report of one compiler: what was found of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct CompilerReport {
    /// The name and version of the report's form.
    #[cfg_attr(feature = "schema", schemars(extend("const" = SCHEMA)))]
    pub schema: String,
    /// The suite that ran.
    pub suite: Suite,
    /// The compiler under test.
    pub compiler: Compiler,
    /// The work that the compiler was asked to do.
    pub work: CompilerWork,
    /// Whether all of `work` was asked.
    pub complete: bool,
    /// Sentences about everything that makes the work less than all rows, settings and targets. Empty if it is the
    /// whole.
    pub reduced: Vec<String>,
    /// The time at which the run started, and how long it took.
    pub times: Times,
    /// Counts of cells: a cell is a source under a setting, for a target.
    pub totals: CompilerTotals,
    /// The findings, those that fail first.
    pub findings: Vec<Finding>,
    /// Waivers that cover nothing any more, which fails the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<String>,
    /// The checksum, by which a changed digit is noticed, as in the report of an implementation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checksum: Option<String>,
    /// Fields of the file that this report was read from, and that this build does not know. They are never written.
    #[serde(skip)]
    pub unknown: UnknownFields,
}

/// The compiler under test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Compiler {
    /// The name that selects the compiler on the command line, like `nvrtc@12.9.86`.
    pub name: String,
    /// The compiler's version in its own words.
    pub version: String,
    /// The language of the sources: `cuda`, `nvvm-ir`, `llvm-ir`, `ptx` or `cutile`.
    pub language: String,
}

/// The work that a compiler was asked to do. Together with the suite's version it determines every source and vector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Work"))]
pub struct CompilerWork {
    /// The kind of the sources: rows or random programs.
    pub sources: Sources,
    /// Number of sources.
    pub count: u64,
    /// The targets, as the compiler spells them.
    pub targets: Vec<String>,
    /// The settings by name, each with the options that the compiler was handed.
    pub settings: BTreeMap<String, Vec<String>>,
    /// Number of vectors: for rows, the most that a row may have of each sweep; for programs, those of each program.
    pub vectors: u64,
    /// The seed of random programs and their vectors.
    #[serde(default, deserialize_with = "seed", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^0x[0-9a-f]+$")))]
    pub seed: Option<String>,
    /// The number of the first random program.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub first: u64,
}

/// The kind of the sources that a compiler was asked to compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Sources {
    /// Rows: expressions whose result a document promises.
    Rows,
    /// Random programs, which have a set of permitted results for each vector.
    Programs,
}

/// Counts of cells: a cell is a source under a setting, for a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct CompilerTotals {
    /// Number of cells.
    pub cells: u64,
    /// Number of cells whose function computes what is promised or permitted.
    pub right: u64,
    /// Number of right cells whose function is the promised instruction alone. Programs promise none.
    pub selected: u64,
    /// Number of cells whose function does not compute what is promised or permitted.
    pub wrong: u64,
    /// Number of cells that the compiler refused to compile.
    pub refused: u64,
    /// Number of cells that the compiler died of.
    pub died: u64,
    /// Number of cells with a floating-point instruction that PTX does not have.
    pub illegal: u64,
    /// Number of cells with something else that was not executed.
    pub unexecuted: u64,
    /// Number of vectors of programs that were judged.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub vectors: u64,
    /// Number of vectors of programs for which too much is permitted to judge them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub undecided: u64,
    /// Number of undecided vectors that were compared between two functions of one program.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub compared: u64,
    /// Number of compared vectors that have two results.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub differing: u64,
    /// Number of differing vectors of which a closer look found both results to be permitted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub explained: u64,
}

impl Standing {
    /// Returns the word that stands for the standing in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Standing::Fail => "fail",
            Standing::Waived => "waived",
            Standing::Note => "note",
        }
    }
}

/// A finding: what was found of a source, or of several sources of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Finding {
    /// The class: what became of the source, and which source it is: `computed/operator/div.f32`. For a program, the
    /// class names what explains the finding: `computed/program/reciprocal.f32`. Several sequences of instructions may
    /// have one class.
    pub class: String,
    /// The meaning of the finding for the verdict.
    pub status: Standing,
    /// Number of cells that the finding is about.
    pub cells: u64,
    /// The expression, in the compiler's language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
    /// The instruction that computes what is promised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promised: Option<String>,
    /// The place in a document where the promise stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The instructions that were made of the source, and where; two sequences, where the finding is that their results
    /// differ.
    pub sequences: Vec<Sequence>,
    /// Number of vectors that were tried.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub vectors: u64,
    /// Number of tried vectors that have a wrong result.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub mismatches: u64,
    /// The mismatches, kind by kind, each kind with its simplest vector.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<Class>,
    /// The random program that the smaller program of this finding was made of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Origin>,
    /// The other conditions under which a wrong program is right, where that was looked into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub circumstances: Option<Circumstances>,
    /// An account of how the compiler refused the source or died, of what was not executed, or of what was assumed of
    /// approximate instructions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// The waiver because of which the finding does not fail the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiver: Option<Waiver>,
}

/// The meaning of a finding for the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Standing {
    /// The finding fails the run.
    Fail,
    /// The finding would fail the run, but a waiver covers it.
    Waived,
    /// The finding is good to know, and no failure.
    Note,
}

/// A sequence of instructions that was made of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Sequence {
    /// The places where the sequence was made: the settings of each target.
    pub places: Vec<TargetSettings>,
    /// The source of a function `f`, as the compiler is handed it in the first of `places`. Left out where the finding
    /// is a note about instructions that are right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The names of the instructions in order, without instructions that move values; of machine code the
    /// floating-point operations, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instructions: Vec<String>,
    /// The PTX that the compiler makes of the source in the first of `places`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ptx: Option<String>,
}

/// A target, and settings under which a source was compiled for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Place"))]
pub struct TargetSettings {
    /// The target, as the compiler spells it.
    pub target: String,
    /// The settings, as `work` names them.
    pub settings: Vec<String>,
}

/// The random program that a finding was made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Origin {
    /// The program's number, under the seed of the work.
    pub index: u64,
    /// Whether the program is right if its constants are parameters.
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
    /// Returns a finding of a class, of which nothing else is known, in no cell so far.
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

    /// Returns the first word of the class, which says what became of the source: `computed`.
    pub fn kind(&self) -> &str {
        self.class.split('/').next().unwrap_or_default()
    }
}

impl CompilerReport {
    /// Returns the verdict of the report: what it amounts to. A failure outweighs an interruption.
    pub fn verdict(&self) -> Verdict {
        let fails = self.findings.iter().any(|finding| finding.status == Standing::Fail);
        let CompilerTotals { right, wrong, vectors, .. } = self.totals;
        // For every vector of a program so much may be permitted that no vector is judged.
        let judged = right > 0 && (self.work.sources != Sources::Programs || vectors > 0);
        // A waiver that covers nothing fails the run as well.
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
