//! The memory of a batch: tables that all lanes share, what functions have of their own, and what the
//! caller's addresses point to. Where something lies is the same for all lanes, what is in it is not.

use vectors::Column;

use super::Passed;
use super::tables::Tables;
use crate::interpreter::MemoryError;

/// The upper half of addresses in tables …
pub const TABLES: u64 = 1;
/// … in what functions have, one behind the other …
const STACK: u64 = 2;
/// … and behind the first parameter that is an address, those behind the next one above it.
const BEHIND: u64 = 0x100;

/// All that functions may have in memory at once.
const MOST_BYTES: usize = 1 << 28;
/// How many functions may wait for each other.
const MOST_FRAMES: usize = 64;

/// What lies in memory for itself: nothing reaches beyond it.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Where it begins, from the beginning of its table or frame.
    pub start: usize,
    pub bytes: usize,
}

impl Extent {
    /// The place behind others for something with such an address, and room between them.
    pub fn behind(others: &[Extent], bytes: usize, align: u32) -> Extent {
        let end = others.last().map_or(0, |last| last.start.saturating_add(last.bytes));
        let align = (align as usize).max(16);
        Extent { start: end.saturating_add(1).next_multiple_of(align), bytes }
    }

    /// Whether a word lies in it.
    pub fn holds(&self, at: usize, bytes: usize) -> bool {
        let from = at.checked_sub(self.start);
        from.and_then(|from| from.checked_add(bytes)).is_some_and(|end| end <= self.bytes)
    }
}

/// What some extents take together.
pub fn size(extents: &[Extent]) -> usize {
    Extent::behind(extents, 0, 16).start
}

/// Whether a word lies in one of some extents, which are in order.
pub fn any_holds(extents: &[Extent], at: usize, bytes: usize) -> bool {
    let next = extents.partition_point(|extent| extent.start <= at);
    next.checked_sub(1).and_then(|last| extents.get(last)).is_some_and(|one| one.holds(at, bytes))
}

/// A little-endian word of at most 8 bytes.
pub fn word(bytes: &[u8]) -> u64 {
    match bytes {
        [a] => u64::from(*a),
        [a, b] => u16::from_le_bytes([*a, *b]).into(),
        [a, b, c, d] => u32::from_le_bytes([*a, *b, *c, *d]).into(),
        _ => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

/// The variables of one function that is being run.
struct Frame<'a> {
    extents: &'a [Extent],
    /// The address of its first byte, without the upper half.
    base: usize,
    /// The bytes of a lane.
    each: usize,
    bytes: Vec<u8>,
}

/// All of it, for every lane.
pub struct Memory<'a, 'b> {
    tables: &'a Tables,
    frames: Vec<Frame<'a>>,
    passed: &'a mut [Passed<'b>],
    /// The row of the first lane.
    first: usize,
}

/// What was never stored: nothing that anybody would take for a result.
const NEVER_STORED: u8 = 0xcd;

impl<'a, 'b> Memory<'a, 'b> {
    pub fn new(tables: &'a Tables, passed: &'a mut [Passed<'b>], first: usize) -> Memory<'a, 'b> {
        Memory { tables, frames: Vec::new(), passed, first }
    }

    /// A function begins; says whether there is room for it.
    pub fn open(&mut self, extents: &'a [Extent], lanes: usize) -> bool {
        let each = size(extents);
        let total: usize = self.frames.iter().map(|frame| frame.bytes.len()).sum();
        let bytes = each.saturating_mul(lanes);
        if self.frames.len() == MOST_FRAMES || bytes.saturating_add(total) > MOST_BYTES {
            return false;
        }
        let base = self.frames.last().map_or(0, |last| last.base + last.each);
        self.frames.push(Frame { extents, base, each, bytes: vec![NEVER_STORED; bytes] });
        true
    }

    /// The function that began last ends.
    pub fn close(&mut self) {
        self.frames.pop();
    }

    /// The address of a place in the function that began last.
    pub fn address(&self, at: usize) -> u64 {
        STACK << 32 | self.frames.last().map_or(0, |frame| frame.base + at) as u64
    }

    /// The function that began has a parameter here, of the number that the caller passes it with.
    pub fn pass(&mut self, number: usize, place: Extent, lanes: usize) {
        let Some(frame) = self.frames.last_mut() else { return };
        let behind = ((BEHIND + number as u64) << 32).to_le_bytes();
        for lane in 0..lanes {
            let start = lane * frame.each + place.start;
            let Some(into) = frame.bytes.get_mut(start..start + place.bytes) else { return };
            match self.passed.get(number) {
                Some(Passed::Value(column)) => into.copy_from_slice(row(column, self.first + lane)),
                _ => into.copy_from_slice(&behind),
            }
        }
    }

    /// Bytes of a lane in the function that began last.
    pub fn own(&mut self, lane: usize, at: usize, bytes: usize) -> Option<&mut [u8]> {
        let frame = self.frames.last_mut()?;
        let start = lane * frame.each + at;
        frame.bytes.get_mut(start..start + bytes)
    }

    /// Copies bytes of a lane from the function before the last one to that, or back.
    pub fn hand(&mut self, lane: usize, [before, last]: [usize; 2], bytes: usize, back: bool) {
        let [.., caller, called] = self.frames.as_mut_slice() else { return };
        let caller_at = lane * caller.each + before;
        let called_at = lane * called.each + last;
        let one = caller.bytes.get_mut(caller_at..caller_at + bytes);
        let other = called.bytes.get_mut(called_at..called_at + bytes);
        match (one, other) {
            (Some(one), Some(other)) if back => one.copy_from_slice(other),
            (Some(one), Some(other)) => other.copy_from_slice(one),
            _ => {}
        }
    }

    /// The word that a lane finds at an address.
    pub fn load(&self, lane: usize, address: u64, bytes: usize) -> Result<u64, MemoryError> {
        let at = (address & 0xffff_ffff) as usize;
        let found = match address >> 32 {
            TABLES => self.tables.bytes(at, bytes),
            STACK => self.frame_of(at, bytes).and_then(|(number, at)| {
                let frame = self.frames.get(number)?;
                let start = lane * frame.each + at;
                frame.bytes.get(start..start + bytes)
            }),
            upper => match self.passed.get(parameter(upper)) {
                Some(Passed::Behind(column)) => {
                    row(column, self.first + lane).get(at..at.saturating_add(bytes))
                }
                _ => None,
            },
        };
        found.map(word).ok_or(MemoryError::Address)
    }

    /// Changes the word that a lane finds at an address.
    pub fn store(
        &mut self,
        lane: usize,
        address: u64,
        bytes: usize,
        word: u64,
    ) -> Result<(), MemoryError> {
        let at = (address & 0xffff_ffff) as usize;
        let found = match address >> 32 {
            STACK => self.frame_of(at, bytes).and_then(|(number, at)| {
                let frame = self.frames.get_mut(number)?;
                let start = lane * frame.each + at;
                frame.bytes.get_mut(start..start + bytes)
            }),
            upper => match self.passed.get_mut(parameter(upper)) {
                Some(Passed::Behind(column)) if self.first + lane < column.rows() => {
                    column.row_bytes_of_mut(self.first + lane).get_mut(at..at.saturating_add(bytes))
                }
                _ => None,
            },
        };
        let into = found.ok_or(MemoryError::Address)?;
        into.iter_mut().zip(word.to_le_bytes()).for_each(|(byte, new)| *byte = new);
        Ok(())
    }

    /// The function that has a word, by its number, and where in it.
    fn frame_of(&self, at: usize, bytes: usize) -> Option<(usize, usize)> {
        let number = self.frames.iter().rposition(|frame| frame.base <= at)?;
        let frame = self.frames.get(number)?;
        let at = at - frame.base;
        any_holds(frame.extents, at, bytes).then_some((number, at))
    }
}

/// The parameter that an address points behind, by its upper half.
fn parameter(upper: u64) -> usize {
    upper.checked_sub(BEHIND).map_or(usize::MAX, |number| number as usize)
}

fn row(column: &Column, lane: usize) -> &[u8] {
    if lane < column.rows() { column.row_bytes_of(lane) } else { &[] }
}
