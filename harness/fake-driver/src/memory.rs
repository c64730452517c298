//! Memory of a device, and memory of the host that a device copies from and to.

use std::collections::BTreeMap;
use std::ops::Range;

use machines::interpreter::{Memory, MemoryError};

/// The address of the first allocation: no address of the host.
const START: u64 = 0x7f_0000_0000_0000;
/// The bytes that a driver aligns allocations to, and that are left free between two.
const ALIGNMENT: u64 = 512;
/// The byte that memory holds before it is written.
const POISON: u8 = 0xcd;

/// The allocations of a device.
#[derive(Default)]
pub struct Allocations {
    /// The address and the bytes of each allocation, in the order of their addresses, which is that of their making.
    each: Vec<(u64, Vec<u8>)>,
    next: u64,
    /// The number of the allocation that was touched last, and mostly is again.
    last: usize,
}

impl Allocations {
    /// Allocates new memory, and returns its address; `None` of no bytes.
    pub fn allocate(&mut self, bytes: usize) -> Option<u64> {
        if bytes == 0 {
            return None;
        }
        let address = START + self.next;
        // The gap belongs to no allocation, so that an access beyond an end is found.
        self.next += (bytes as u64).next_multiple_of(ALIGNMENT) + ALIGNMENT;
        self.each.push((address, vec![POISON; bytes]));
        Some(address)
    }

    /// Frees the allocation at an address; returns whether there was one.
    pub fn free(&mut self, address: u64) -> bool {
        let found = self.each.binary_search_by_key(&address, |(start, _)| *start);
        found.map(|number| self.each.remove(number)).is_ok()
    }

    /// Returns the number of allocations.
    pub fn count(&self) -> usize {
        self.each.len()
    }

    /// Returns the bytes from an address on, which are in one allocation.
    pub fn bytes(&mut self, address: u64, bytes: usize) -> Option<&mut [u8]> {
        let has = |(start, allocation): &(u64, Vec<u8>)| {
            address.checked_sub(*start).is_some_and(|at| at <= allocation.len() as u64)
        };
        // A guess: since memory was freed the number may be that of another allocation, or of none.
        if !self.each.get(self.last).is_some_and(has) {
            self.last = self.each.iter().position(has)?;
        }
        let (start, allocation) = &mut self.each[self.last];
        let at = usize::try_from(address - *start).ok()?;
        allocation.get_mut(at..at.checked_add(bytes)?)
    }

    /// Returns the bytes from an address to the end of the allocation that it lies in.
    pub fn bytes_from(&self, address: u64) -> Option<&[u8]> {
        self.each.iter().find_map(|(start, allocation)| {
            let at = usize::try_from(address.checked_sub(*start)?).ok()?;
            allocation.get(at..).filter(|rest| !rest.is_empty())
        })
    }

    fn word(&mut self, address: u64, bytes: usize) -> Result<&mut [u8], MemoryError> {
        if !address.is_multiple_of(bytes as u64) {
            return Err(MemoryError::Alignment);
        }
        self.bytes(address, bytes).ok_or(MemoryError::Address)
    }
}

impl Memory for Allocations {
    fn load(&mut self, address: u64, bytes: usize) -> Result<u64, MemoryError> {
        // Memory is little-endian: the last byte is the highest.
        let word = self.word(address, bytes)?.iter().rev();
        Ok(word.fold(0, |word, &byte| word << 8 | u64::from(byte)))
    }

    fn store(&mut self, address: u64, bytes: usize, word: u64) -> Result<(), MemoryError> {
        self.word(address, bytes)?.copy_from_slice(&word.to_le_bytes()[..bytes]);
        Ok(())
    }
}

/// Memory of the host that devices copy from and to.
#[derive(Default)]
pub struct Pinned(BTreeMap<usize, Box<[u64]>>);

impl Pinned {
    /// Allocates new memory, and returns its address; `None` of no bytes.
    pub fn allocate(&mut self, bytes: usize) -> Option<usize> {
        if bytes == 0 {
            return None;
        }
        let poison = u64::from_le_bytes([POISON; 8]);
        let mut words = vec![poison; bytes.div_ceil(8)].into_boxed_slice();
        let address = words.as_mut_ptr().expose_provenance();
        self.0.insert(address, words);
        Some(address)
    }

    /// Frees the allocation at an address; returns whether there was one.
    pub fn free(&mut self, address: usize) -> bool {
        self.0.remove(&address).is_some()
    }

    /// Returns the number of allocations.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Whether all these bytes are of one allocation.
    pub fn has(&self, bytes: &Range<usize>) -> bool {
        let allocation = self.0.range(..=bytes.start).next_back();
        // Allocations are whole words, so up to seven bytes behind an end pass for part of it.
        allocation.is_some_and(|(start, words)| bytes.end <= start + 8 * words.len())
    }
}
