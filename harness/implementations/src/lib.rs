#![doc = include_str!("../README.md")]

pub mod bundled;
mod canary;
pub mod code;
pub mod cuda;
mod emulator;
mod host;
pub mod library;
mod names;
pub mod process;
pub mod ptx_emulator;
pub mod unwritten;

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use formats::{Column, RowBits, column};
use isa::Variant;
use isa::matrix::MatrixVariant;
use judge::Tally;
use selection::subject::Subject;

pub use self::emulator::Emulator;
pub use canary::{Canary, PLANTED, PLANTED_APPROXIMATIONS};
pub use cuda::isolated;
pub use host::{ExplainedDifference, Host, explained_differences};
pub use names::{check, is_built_in, named};
pub use process::Process;
pub use ptx_emulator::PtxEmulator;

/// Identity of an implementation, for the report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// Name that `--impl` takes.
    pub name: String,
    /// Version of the implementation itself.
    pub version: String,
    /// Device that the implementation runs on, where that matters.
    pub device: Option<String>,
    /// Driver of the device that the implementation runs on.
    pub driver: Option<String>,
    /// Further properties that tell the device and its state from others', by name.
    pub details: BTreeMap<String, String>,
}

/// Whether an implementation has a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Support {
    /// The implementation has the variant.
    Yes,
    /// The implementation lacks the variant, for this reason: the variant is reported as unsupported.
    No(String),
    /// The implementation should have the variant, and cannot so much as begin with it, for this reason: the
    /// variant fails.
    Fails(String),
}

/// An implementation of PTX instructions. All threads share it; each has a [`Worker`] of its own.
pub trait Implementation: Send + Sync {
    /// Returns the identity of the implementation, for the report.
    fn describe(&self) -> Description;

    /// Takes note of all subjects that will be asked about, so that slow work may be begun for all of them.
    fn prepare(&self, _subjects: &[Subject]) {}

    /// Returns whether the implementation has a variant. Only supported variants are given to workers.
    fn support(&self, variant: &Variant) -> Support;

    /// Returns whether the implementation has a matrix instruction.
    fn support_matrix(&self, _variant: &MatrixVariant) -> Support {
        Support::No("the suite runs no matrix instructions with this implementation".into())
    }

    /// Returns whether the implementation has a subject, be it a variant or a matrix instruction.
    fn support_subject(&self, subject: Subject) -> Support {
        match subject {
            Subject::Variant(variant) => self.support(variant),
            Subject::Matrix(variant) => self.support_matrix(variant),
        }
    }

    /// Returns the most vectors of a sweep that the implementation can be given, where it is slow.
    fn vectors_max(&self) -> Option<u64> {
        None
    }

    /// Whether the workers judge all 2^48 triples of a variant's operands where they compute them
    /// ([`Worker::screen`]): nobody else could.
    fn judges_triples(&self, _variant: &Variant) -> bool {
        false
    }

    /// Returns how many threads should give the implementation work, on a machine with so many processors.
    fn workers(&self, processors: usize) -> usize {
        processors
    }

    /// Returns a worker for one thread.
    fn worker(&self) -> Result<Box<dyn Worker + '_>>;
}

/// Worker of one thread, which turns batches of operands into results.
pub trait Worker {
    /// Computes one row of `results` for each row of `operands`, the variant's columns in order; the
    /// columns of results come with the right widths and as many rows. An error means that the
    /// implementation is broken as a whole, and ends the run.
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()>;

    /// Computes a batch of a matrix instruction, of which a row is one dot product. The columns are as
    /// [`MatrixVariant::operands`] and [`MatrixVariant::result`] have them.
    fn run_dots(
        &mut self,
        variant: &MatrixVariant,
        _operands: &[Column],
        _results: &mut [Column],
    ) -> Result<()> {
        bail!("it has no {variant}")
    }

    /// Computes a batch of a subject, be it a variant or a matrix instruction.
    fn run_subject(
        &mut self,
        subject: Subject,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<()> {
        match subject {
            Subject::Variant(variant) => self.run(variant, operands, results),
            Subject::Matrix(variant) => self.run_dots(variant, operands, results),
        }
    }

    /// Returns the rows of the last batch that the worker failed to give results of, in order.
    fn faults(&mut self) -> Vec<RowFailure> {
        Vec::new()
    }

    /// Returns the rows of the last batch that the worker says it has no result of. That is no fault: such rows
    /// are counted and not judged.
    fn unanswered(&mut self) -> Vec<usize> {
        Vec::new()
    }

    /// Returns the rows of the last batch that the worker asked several times and that had different results, in
    /// order. They are not among [`Worker::faults`] and [`Worker::unanswered`].
    fn varying(&mut self) -> Vec<VaryingRow> {
        Vec::new()
    }

    /// Makes vectors `first..first + rows` of the exhaustive sweep, computes their results and judges
    /// them, all on the implementation's side and without the unit under test; results are written
    /// down where there are columns for them. `None` where that cannot be done.
    fn screen(
        &mut self,
        _variant: &Variant,
        _first: u64,
        _rows: usize,
        _results: Option<&mut [Column]>,
    ) -> Result<Option<Screening>> {
        Ok(None)
    }

    /// Whether the same vector could give another result the next time: then a sample is run twice.
    fn is_physical(&self) -> bool {
        false
    }
}

/// Runs a batch of a variant on columns as the variant's kernel has them: a word of memory that is in two
/// registers is one column there.
fn in_words<R>(
    variant: &Variant,
    operands: &[Column],
    results: &mut [Column],
    run: impl FnOnce(&[Column], &mut [Column]) -> R,
) -> R {
    let parts = variant.lane_signature().parts;
    if parts == 1 {
        return run(operands, results);
    }
    let mut joined = column::join(results, parts);
    let done = run(&column::join(operands, parts), &mut joined);
    // The caller's columns are those of single registers.
    column::divide(&joined, results);
    done
}

/// A row of a batch that an implementation failed to give a result of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowFailure {
    /// Number of the row in its batch.
    pub row: usize,
    /// Kind of the failure.
    pub kind: FailureKind,
    /// Description of the failure in words, those of the implementation last.
    pub words: String,
}

/// A row of a batch whose result depends on what else is in the array that its operands stand in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VaryingRow {
    /// Number of the row in its batch.
    pub row: usize,
    /// Two answers that differ; `None` where there is no result.
    pub answers: [Option<Vec<RowBits>>; 2],
    /// The answers in words, each with the length of its array and the row's place in it.
    pub words: String,
}

/// Ways in which an implementation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The implementation ends.
    Crashed,
    /// The implementation takes longer than it may.
    Timeout,
    /// The implementation answers something that is no answer.
    Nonsense,
    /// The implementation says that it failed, and goes on.
    Failed,
    /// The implementation says that it is done, and has written no result.
    Unwritten,
}

/// Account of vectors that an implementation's side has made and judged itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screening {
    /// Digest of the operands that the implementation's side made; see [`formats::digests::digest`], and for
    /// triples [`formats::digests::triples::Weights`].
    pub inputs: u64,
    /// Digest of the results that the implementation's side computed.
    pub results: u64,
    /// Number of rows that are not what the emulator's kernel gives. For triples, it is how many times some of
    /// those that a thread looks at together are not.
    pub differing: u64,
}

impl Screening {
    /// Returns the tally of a screening of `rows` vectors in which no row differs.
    pub fn as_expected(&self, rows: usize) -> Tally {
        Tally {
            vectors: rows as u64,
            on_device: rows as u64,
            inputs: self.inputs,
            results: self.results,
            // No row differs, so the results that are expected have the same digest.
            expected: self.results,
            ..Tally::default()
        }
    }
}
