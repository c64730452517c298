//! Recorded conversations with a program that is not there: whatever an untrusted one may say, read as if it had
//! just come.

use std::collections::BTreeSet;
use std::time::Duration;

use formats::Column;
use isa::Variant;

use super::child::Child;
use super::deadline::Deadline;
use super::kernels::{self, BatchRows, KernelModule};
use super::{binary, text};
use crate::unwritten::PATTERNS;

/// Outcome of an answer: what it says, or in words why it is none.
pub type ProcessAnswer<T> = Result<T, String>;

/// A program's recorded output, in the pieces that it comes in.
pub struct Recorded(Child);

impl Recorded {
    /// Makes a program that says these pieces and ends.
    pub fn new(pieces: impl IntoIterator<Item = Vec<u8>>) -> Recorded {
        Recorded(Child::recorded(pieces))
    }

    /// Has the program introduce itself, and returns its name and version.
    pub fn introduce(&mut self) -> ProcessAnswer<String> {
        binary::introduce(&mut self.0, binary::VERSION, &mut over()).map_err(|failure| failure.words)
    }

    /// Returns whether the program has a variant; the inner error is its reason why not.
    pub fn support(&mut self, variant: &Variant) -> ProcessAnswer<Result<(), String>> {
        binary::support(&mut self.0, variant.text(), &mut over()).map_err(|failure| failure.words)
    }

    /// Has the recorded program compute a batch, in frames of bytes.
    pub fn run(
        &mut self,
        variant: &Variant,
        operands: &[Column],
        results: &mut [Column],
    ) -> ProcessAnswer<()> {
        let rows = 0..operands[0].rows();
        let done = binary::run(&mut self.0, variant.text(), operands, results, rows, &mut over());
        done.map(drop).map_err(|failure| failure.words)
    }

    /// Has the recorded program compute a batch, in lines.
    pub fn run_lines(&mut self, operands: &[Column], results: &mut [Column]) -> ProcessAnswer<()> {
        let rows = 0..operands[0].rows();
        let done = text::run(&mut self.0, operands, results, rows, &mut over());
        done.map(drop).map_err(|failure| failure.words)
    }

    /// Has the program load a kernel; the inner error is the program's reason why not.
    pub fn load(&mut self) -> ProcessAnswer<Result<(), String>> {
        // The kernel does not matter: what is said of it is recorded already.
        let kernel = KernelModule { entry: "f".into(), text: "\n".into() };
        kernels::load(&mut self.0, &kernel, &mut over()).map_err(|failure| failure.words)
    }

    /// Has the program run the kernel that it holds; the inner error is the program's reason why not.
    pub fn run_kernel(
        &mut self,
        operands: &[Column],
        results: &mut [Column],
    ) -> ProcessAnswer<Result<(), String>> {
        let (rows, pattern) = (0..operands[0].rows(), PATTERNS[0]);
        let batch = BatchRows { operands, results, rows, pattern };
        kernels::run(&mut self.0, batch, &mut over()).map_err(|failure| failure.words)
    }

    /// Returns the variants that the program lists.
    pub fn list(&mut self) -> ProcessAnswer<BTreeSet<String>> {
        text::list(&mut self.0, &mut over()).map_err(|failure| failure.words)
    }
}

/// Returns a deadline that is over: everything is there already.
fn over() -> Deadline {
    Deadline::new("deadline", Duration::ZERO)
}
