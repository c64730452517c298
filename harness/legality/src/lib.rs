#![doc = include_str!("../README.md")]

mod assembler;
mod assembly_job;
mod compare;
mod inquiry;
pub mod kernels;
mod known_disagreements;
mod matrix;
mod message;
mod question;
mod run;
mod spelling;
mod work;

use isa::{PtxVersion, Target};

pub use assembler::Assembler;
pub use inquiry::LegalityRequest;
pub use run::run;

/// The spellings that no run asks about, in words.
pub const NOT_ASKED: &str = "`.scaled` on anything but cvt, and `multimem` and `tcgen05.ld` that begin otherwise, which ptxas \
                             13.5 refuses and dies of, or does not read to the end";

/// The direction of a disagreement: which of ptxas and the table takes what the other does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// ptxas accepts what the table does not have.
    Accepted,
    /// ptxas refuses what the table has.
    Refused,
}

/// A disagreement on one instruction or target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The instruction, or the target.
    pub subject: String,
    /// The direction in which ptxas and the table disagree.
    pub direction: Direction,
    /// The version of PTX.
    pub ptx: PtxVersion,
    /// The targets for which they disagree.
    pub targets: Vec<Target>,
    /// The message with which ptxas refuses the instruction, where it does.
    pub message: Option<String>,
}

/// A row of the list of known disagreements, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The spellings, in the table's notation.
    pub syntax: &'static str,
    /// The direction in which ptxas and the table disagree.
    pub direction: Direction,
    /// The reason why the table has it its way.
    pub reason: &'static str,
    /// The number of disagreements that the row explained, each target counted.
    pub explained: usize,
    /// The claims of the row that do not hold any more.
    pub stale: Vec<String>,
}

/// The result of a run.
#[derive(Debug)]
pub struct LegalityOutcome {
    /// The newest version of PTX that was asked about.
    pub newest: PtxVersion,
    /// The number of instructions that were asked about.
    pub instructions: usize,
    /// The number of instructions asked about that the table has.
    pub legal: usize,
    /// The number of targets.
    pub targets: usize,
    /// The number of verdicts: an instruction on a target in a version.
    pub verdicts: u64,
    /// The reductions of this run, in words.
    pub reduced: Vec<String>,
    /// The disagreements that nothing explains.
    pub disagreements: Vec<Disagreement>,
    /// The rows of the list of known disagreements, and what became of each.
    pub explanations: Vec<Explanation>,
}

impl LegalityOutcome {
    /// Whether the table and ptxas agree, except for what is explained.
    pub fn agrees(&self) -> bool {
        self.disagreements.is_empty() && self.explanations.iter().all(|row| row.stale.is_empty())
    }
}
