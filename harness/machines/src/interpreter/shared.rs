//! The memory that the threads of a block share, as the interpreter has it.

use super::{Memory, MemoryError};

/// The byte that shared memory holds before it is written.
const POISON: u8 = 0xcd;

/// Shared memory: its bytes from address 0 on.
pub struct SharedMemory(Vec<u8>);

impl SharedMemory {
    /// Returns new memory of so many bytes, none of them written.
    pub fn new(bytes: usize) -> SharedMemory {
        SharedMemory(vec![POISON; bytes])
    }

    /// Returns the bytes of a word, if it is aligned and lies in this memory.
    fn word(&mut self, address: u64, bytes: usize) -> Result<&mut [u8], MemoryError> {
        if !address.is_multiple_of(bytes as u64) {
            return Err(MemoryError::Alignment);
        }
        let start = usize::try_from(address).map_err(|_| MemoryError::Address)?;
        let end = start.checked_add(bytes).ok_or(MemoryError::Address)?;
        self.0.get_mut(start..end).ok_or(MemoryError::Address)
    }
}

impl Memory for SharedMemory {
    fn load(&mut self, address: u64, bytes: usize) -> Result<u64, MemoryError> {
        let word = self.word(address, bytes)?.iter().rev();
        Ok(word.fold(0, |word, &byte| word << 8 | u64::from(byte)))
    }

    fn store(&mut self, address: u64, bytes: usize, word: u64) -> Result<(), MemoryError> {
        let into = self.word(address, bytes)?.iter_mut();
        into.zip(word.to_le_bytes()).for_each(|(to, byte)| *to = byte);
        Ok(())
    }
}
