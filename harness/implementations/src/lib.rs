//! What is under test: the trait that connects an implementation, and those that come with the suite.

pub mod bundled;
mod canary;
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
use formats::{Column, column};
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

/// Who an implementation is, for the report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The name that `--impl` takes.
    pub name: String,
    /// Its own version.
    pub version: String,
    /// The device that it runs on, where that matters.
    pub device: Option<String>,
    /// The driver of that device.
    pub driver: Option<String>,
    /// What else tells the device and its state from others', by name.
    pub details: BTreeMap<String, String>,
}

/// Whether an implementation has a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Support {
    /// It has.
    Yes,
    /// It has not, for this reason: the variant is reported as unsupported.
    No(String),
    /// It should have, and cannot so much as begin with it, for this reason: the variant fails.
    Fails(String),
}

/// An implementation of PTX instructions. Shared by all threads; each has a [`Worker`] of its own.
pub trait Implementation: Send + Sync {
    /// Who it is.
    fn describe(&self) -> Description;

    /// Told what it will be asked about: what takes time may be begun for all of them.
    fn prepare(&self, _subjects: &[Subject]) {}

    /// Whether it has a variant. Only supported ones are given to workers.
    fn support(&self, variant: &Variant) -> Support;

    /// The same of a matrix instruction.
    fn support_matrix(&self, _variant: &MatrixVariant) -> Support {
        Support::No("its matrix instructions are not connected".into())
    }

    /// Either of them.
    fn support_subject(&self, subject: Subject) -> Support {
        match subject {
            Subject::Variant(variant) => self.support(variant),
            Subject::Matrix(variant) => self.support_matrix(variant),
        }
    }

    /// How many vectors of a sweep it can be given at most, where it is slow.
    fn vectors_max(&self) -> Option<u64> {
        None
    }

    /// Whether its workers judge all 2^48 triples of a variant's operands where they compute them
    /// ([`Worker::screen`]): nobody else could.
    fn judges_triples(&self, _variant: &Variant) -> bool {
        false
    }

    /// How many threads should give it work, on a machine with so many processors.
    fn workers(&self, processors: usize) -> usize {
        processors
    }

    /// A worker for one thread.
    fn worker(&self) -> Result<Box<dyn Worker + '_>>;
}

/// Turns batches of operands into results.
pub trait Worker {
    /// Computes one row of `results` for each row of `operands`, the variant's columns in order; the
    /// columns of results come with the right widths and as many rows. An error means that the
    /// implementation is broken as a whole, and ends the run.
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()>;

    /// The same of a matrix instruction, of which a row is one dot product: as [`MatrixVariant::operands`] has
    /// it, and [`MatrixVariant::result`].
    fn run_dots(
        &mut self,
        variant: &MatrixVariant,
        _operands: &[Column],
        _results: &mut [Column],
    ) -> Result<()> {
        bail!("it has no {variant}")
    }

    /// Either of them.
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

    /// The rows of the last batch that it failed to give results of, in order.
    fn faults(&mut self) -> Vec<RowFailure> {
        Vec::new()
    }

    /// The rows of the last batch that it says it has no result of, which is no fault: they are counted
    /// and not judged.
    fn unanswered(&mut self) -> Vec<usize> {
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

/// Runs a batch of a variant with its columns as its kernel has them: a word of memory that is in two registers
/// is one column there.
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
    column::divide(&joined, results);
    done
}

/// A row that an implementation failed to give a result of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowFailure {
    /// Which row of its batch.
    pub row: usize,
    /// What became of it.
    pub kind: FailureKind,
    /// In words, those of the implementation last.
    pub words: String,
}

/// What becomes of an implementation that has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// It ends.
    Crashed,
    /// It takes longer than it may.
    Timeout,
    /// It answers something that is no answer.
    Nonsense,
    /// It says that it failed, and goes on.
    Failed,
    /// It says that it is done, and has written no result.
    Unwritten,
}

/// What an implementation's side says of vectors that it has made and judged itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screening {
    /// Digest of the operands that it made; see [`formats::digests::digest`], and of triples
    /// [`formats::digests::triples::Weights`].
    pub inputs: u64,
    /// Digest of the results.
    pub results: u64,
    /// How many rows are not what the emulator's kernel gives; of triples, how many times some of those that
    /// a thread looks at together are not.
    pub differing: u64,
}

impl Screening {
    /// What it comes to where no row differs, of so many.
    pub fn as_expected(&self, rows: usize) -> Tally {
        Tally {
            vectors: rows as u64,
            on_device: rows as u64,
            inputs: self.inputs,
            results: self.results,
            expected: self.results,
            ..Tally::default()
        }
    }
}
