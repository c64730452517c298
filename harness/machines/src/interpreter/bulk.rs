//! Interprets `cp.reduce.async.bulk`: arithmetic on words that an instruction begins, and that is done when it is
//! waited for. A program that does not wait finds the words as they were, and one that does not fence what is to be
//! seen gets an error: on a device both may go well.

use super::word::{self, Word};
use super::{Addresses, Execute, Memory, Problem};

/// The bulk operations that a warp's threads have begun and not waited for.
#[derive(Default)]
pub struct Pending {
    /// The operations in the order of their beginning: the instruction, the addresses of the words that it changes, and
    /// the addresses of its operands in shared memory.
    begun: Vec<(Word, Addresses, Addresses)>,
    /// The number of operations, from the first on, that belong to a group.
    grouped: usize,
    /// Whether something was stored that is not fenced.
    unfenced: bool,
}

impl Pending {
    /// Notes that a thread has stored something.
    pub fn stored(&mut self) {
        self.unfenced = true;
    }

    /// Notes a fence: bulk operations may now see all that was stored.
    pub fn fenced(&mut self) {
        self.unfenced = false;
    }

    /// Begins a bulk operation on the words at `at`, with operands at `from` in shared memory.
    ///
    /// # Errors
    /// If something was stored and not fenced, so that the operation may not see it.
    pub fn begin(&mut self, word: Word, at: Addresses, from: Addresses) -> Result<(), Problem> {
        if self.unfenced {
            return Err(Problem::Unfenced);
        }
        self.begun.push((word, at, from));
        Ok(())
    }

    /// Makes a group of the operations that belong to none.
    pub fn commit(&mut self) {
        self.grouped = self.begun.len();
    }

    /// Executes the operations that belong to a group.
    ///
    /// # Errors
    /// If memory has no such words, or the unit under test gives no such results.
    pub fn wait(
        &mut self,
        shared: &mut dyn Memory,
        memory: &mut dyn Memory,
        execute: &mut Execute,
    ) -> Result<(), Problem> {
        // Operations that belong to no group stay begun, and memory stays as it was.
        for (word, at, from) in self.begun.drain(..std::mem::take(&mut self.grouped)) {
            let parts = word.0.lane_signature().parts;
            // The first operands are the word in memory itself, and those behind them lie in shared memory.
            let operands = word::load(&word.0.operands()[parts..], from, shared)?;
            word.run(at, &operands, memory, execute)?;
        }
        Ok(())
    }
}
