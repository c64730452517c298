//! The memory that the threads of a block share.

use super::{Memory, MemoryError};

/// What a kernel may declare of it: more needs a call of the driver that allows it.
pub const MOST_SHARED: u64 = 48 << 10;
/// What an address may be made a multiple of.
pub const MOST_ALIGNED: u64 = 1 << 10;
/// What it holds before it is written.
const POISON: u8 = 0xcd;

/// Bytes from address 0 on.
pub struct Shared(Vec<u8>);

impl Shared {
    /// New memory.
    pub fn new(bytes: usize) -> Shared {
        Shared(vec![POISON; bytes])
    }

    fn word(&mut self, address: u64, bytes: usize) -> Result<&mut [u8], MemoryError> {
        if !address.is_multiple_of(bytes as u64) {
            return Err(MemoryError::Alignment);
        }
        let start = usize::try_from(address).map_err(|_| MemoryError::Address)?;
        let end = start.checked_add(bytes).ok_or(MemoryError::Address)?;
        self.0.get_mut(start..end).ok_or(MemoryError::Address)
    }
}

impl Memory for Shared {
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

/// Where the next variable begins, and the end of it; `None` if there is no room for it.
pub fn place(end: u64, bytes: u32, align: u32) -> Option<(u64, u64)> {
    let (bytes, align) = (u64::from(bytes), u64::from(align));
    if bytes == 0 || !align.is_power_of_two() || align > MOST_ALIGNED {
        return None;
    }
    let start = end.next_multiple_of(align);
    Some((start, start + bytes)).filter(|&(_, end)| end <= MOST_SHARED)
}
