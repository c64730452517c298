//! `cp.reduce.async.bulk`: arithmetic on words that is begun, and done when it is waited for. Whoever does not wait,
//! or does not fence what is to be seen, is told so: on a device both may go well.

use super::word::Word;
use super::{Address, Execute, Memory, Problem, Values, WARP};

/// The instruction.
#[derive(Debug)]
pub struct Bulk {
    /// What is done; its operand is in memory.
    pub word: Word,
    /// Where the other words lie, in shared memory.
    pub from: Address,
}

/// The address of each thread that has one.
type Addresses = [Option<u64>; WARP];

/// What threads have begun and not waited for.
#[derive(Default)]
pub struct Pending<'a> {
    begun: Vec<(&'a Bulk, Addresses, Addresses)>,
    /// How many of them belong to a group.
    grouped: usize,
    /// Whether something was stored that is not fenced.
    unfenced: bool,
}

impl<'a> Pending<'a> {
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
    pub fn begin(&mut self, bulk: &'a Bulk, at: Addresses, from: Addresses) -> Result<(), Problem> {
        if self.unfenced {
            return Err(Problem::Unfenced);
        }
        self.begun.push((bulk, at, from));
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
        for (bulk, at, from) in self.begun.drain(..std::mem::take(&mut self.grouped)) {
            let operands = bulk.word.operands(from, shared)?;
            bulk.word.run(at, &operands, memory, execute)?;
        }
        Ok(())
    }
}

impl Word {
    /// The words of shared memory that are the operands.
    fn operands(&self, from: Addresses, shared: &mut dyn Memory) -> Result<Vec<Values>, Problem> {
        let parts = &self.variant.operands()[self.variant.lane_signature().parts..];
        let mut offset = 0;
        let mut operands = Vec::with_capacity(parts.len());
        for part in parts {
            let mut words: Values = [0; WARP];
            for (word, address) in words.iter_mut().zip(from) {
                if let Some(address) = address {
                    let loaded = shared.load(address.wrapping_add(offset), part.ty.row_bytes());
                    *word = loaded.map_err(Problem::Memory)?;
                }
            }
            offset += part.ty.row_bytes() as u64;
            operands.push(words);
        }
        Ok(operands)
    }
}
