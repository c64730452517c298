//! The instruction table against NVIDIA's assembler: what is legal, where, and since when.

mod ask;
mod assembler;
mod compare;
mod explained;
mod inquiry;
pub mod kernels;
mod matrix;
mod message;
mod question;
mod run;
mod spelling;
mod work;

use isa::{PtxVersion, Target};

pub use assembler::Assembler;
pub use inquiry::Request;
pub use run::run;

/// What no run asks about.
pub const NOT_ASKED: &str = "`.scaled` on anything but cvt, and `multimem` and `tcgen05.ld` that begin otherwise, which ptxas \
                             13.5 refuses and dies of, or does not read to the end";

/// Which of the two takes what the other does not.
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
    /// Which way they disagree.
    pub direction: Direction,
    /// The version of PTX.
    pub ptx: PtxVersion,
    /// For which targets.
    pub targets: Vec<Target>,
    /// Why ptxas refuses it.
    pub message: Option<String>,
}

/// A row of the list of known disagreements, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The spellings, in the table's notation.
    pub syntax: &'static str,
    /// Which way they disagree.
    pub direction: Direction,
    /// Why that is as it should be.
    pub reason: &'static str,
    /// How many disagreements it explained, each target counted.
    pub explained: usize,
    /// What it claims and what is not so any more.
    pub stale: Vec<String>,
}

/// What a run found.
#[derive(Debug)]
pub struct Outcome {
    /// The newest version of PTX that was asked about.
    pub newest: PtxVersion,
    /// How many instructions were asked about …
    pub instructions: usize,
    /// … and how many of them the table has.
    pub legal: usize,
    /// The number of targets.
    pub targets: usize,
    /// The number of verdicts: an instruction on a target in a version.
    pub verdicts: u64,
    /// To what this run was reduced, in words.
    pub reduced: Vec<String>,
    /// The disagreements that nothing explains.
    pub disagreements: Vec<Disagreement>,
    /// The known ones.
    pub explanations: Vec<Explanation>,
}

impl Outcome {
    /// Whether the table and ptxas agree, but for what is explained.
    pub fn agrees(&self) -> bool {
        self.disagreements.is_empty() && self.explanations.iter().all(|row| row.stale.is_empty())
    }
}
