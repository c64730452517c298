//! The memory that the interpreter reads and writes, as a trait, and two simple memories.

use std::collections::BTreeMap;

use super::MemoryError;

/// Memory of a device: little-endian words of 1, 2, 4 or 8 bytes.
pub trait Memory {
    /// Reads the word at an address.
    ///
    /// # Errors
    /// If there is no word there that may be read.
    fn load(&mut self, address: u64, bytes: usize) -> Result<u64, MemoryError>;

    /// Changes the word at an address.
    ///
    /// # Errors
    /// If there is no word there that may be written.
    fn store(&mut self, address: u64, bytes: usize, word: u64) -> Result<(), MemoryError>;
}

/// A memory of bytes by address: only those exist that were stored.
impl Memory for BTreeMap<u64, u8> {
    fn load(&mut self, address: u64, bytes: usize) -> Result<u64, MemoryError> {
        let mut found = self.range(address..);
        (0..bytes as u64).try_fold(0, |word, number| {
            let (_, byte) = found
                .next()
                .filter(|(at, _)| at.checked_sub(address) == Some(number))
                .ok_or(MemoryError::Address)?;
            Ok(word | u64::from(*byte) << (8 * number))
        })
    }

    fn store(&mut self, address: u64, bytes: usize, word: u64) -> Result<(), MemoryError> {
        let end = address.checked_add(bytes as u64).ok_or(MemoryError::Address)?;
        let stored = self.range_mut(address..end).zip(word.to_le_bytes());
        let stored = stored.map(|((_, into), byte)| *into = byte).count();
        if stored < bytes {
            self.extend((address..end).zip(word.to_le_bytes()));
        }
        Ok(())
    }
}

/// A memory that holds nothing: every access is an error.
pub struct Nothing;

impl Memory for Nothing {
    fn load(&mut self, _: u64, _: usize) -> Result<u64, MemoryError> {
        Err(MemoryError::Address)
    }

    fn store(&mut self, _: u64, _: usize, _: u64) -> Result<(), MemoryError> {
        Err(MemoryError::Address)
    }
}
