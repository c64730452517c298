//! `cp.reduce.async.bulk`: arithmetic on words that is begun, and done when it is waited for. Whoever does not wait,
//! or does not fence what is to be seen, is told so: on a device both may go well.

use super::word::{self, Word};
use super::{Addresses, Execute, Memory, Problem};

/// What threads have begun and not waited for.
#[derive(Default)]
pub struct Pending {
    /// What is done, to which words, by which of shared memory.
    begun: Vec<(Word, Addresses, Addresses)>,
    /// How many of them belong to a group.
    grouped: usize,
    /// Whether something was stored that is not fenced.
    unfenced: bool,
}

impl Pending {
    /// Something is stored.
    pub fn stored(&mut self) {
        self.unfenced = true;
    }

    /// All that was stored may be seen.
    pub fn fenced(&mut self) {
        self.unfenced = false;
    }

    /// Begins one.
    ///
    /// # Errors
    /// If it may not see what was stored.
    pub fn begin(&mut self, word: Word, at: Addresses, from: Addresses) -> Result<(), Problem> {
        if self.unfenced {
            return Err(Problem::Unfenced);
        }
        self.begun.push((word, at, from));
        Ok(())
    }

    /// Makes a group of those that belong to none.
    pub fn commit(&mut self) {
        self.grouped = self.begun.len();
    }

    /// Does what belongs to a group.
    ///
    /// # Errors
    /// If memory has no such words, or the unit under test no such results.
    pub fn wait(
        &mut self,
        shared: &mut dyn Memory,
        memory: &mut dyn Memory,
        execute: &mut Execute,
    ) -> Result<(), Problem> {
        for (word, at, from) in self.begun.drain(..std::mem::take(&mut self.grouped)) {
            let parts = word.0.lane_signature().parts;
            let operands = word::load(&word.0.operands()[parts..], from, shared)?;
            word.run(at, &operands, memory, execute)?;
        }
        Ok(())
    }
}
