//! The memory of a batch: tables that all lanes share, variables of functions, and what the caller's addresses point
//! to. Where something lies is the same for all lanes, what is in it is not.

use std::ops::Range;

use formats::Column;
use ptx::syntax::Space;

use super::launch::Grid;
use super::shared::{AtomicRequest, GLOBAL, SHARED, SharedBlock, SharedLayout};
use super::tables::Tables;
use super::touched::TouchedRecord;
use super::{Filling, Limits, Passed, RunnableFunction};
use crate::lowering::Extent;
use crate::problem::{MemoryError, Problem};

/// The upper half of addresses in tables.
pub const TABLES: u64 = 1;
/// The upper half of addresses in variables of functions, which lie one behind the other.
const STACK: u64 = 2;
/// The upper half of addresses behind the parameter of number 0, if it is an address; each further parameter has the
/// next one above it.
const BEHIND: u64 = 0x100;

/// The most bytes that functions may have in memory at once, in all lanes together.
const MOST_BYTES: usize = 1 << 28;
/// The most bytes that one lane may have, however few lanes there are: else a few would take as long as all may.
const MOST_OF_LANE: usize = 1 << 16;
/// The most functions that may wait for each other.
const MOST_FRAMES: usize = 64;

/// Returns the bytes that some extents take together.
pub fn size(extents: &[Extent]) -> usize {
    // The next frame begins where a further variable would, with room before it.
    Extent::place_after(extents, 0, 16).start
}

/// Finds the extent that a word lies in, among some that are in order.
pub fn holding(extents: &[Extent], at: usize, bytes: usize) -> Option<Extent> {
    let next = extents.partition_point(|extent| extent.start <= at);
    let extent = next.checked_sub(1).and_then(|last| extents.get(last));
    extent.copied().filter(|extent| extent.holds(at, bytes))
}

/// Reads a little-endian word of at most 8 bytes.
pub fn word(bytes: &[u8]) -> u64 {
    match bytes {
        [a] => u64::from(*a),
        [a, b] => u16::from_le_bytes([*a, *b]).into(),
        [a, b, c, d] => u32::from_le_bytes([*a, *b, *c, *d]).into(),
        _ => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

/// Writes the low bytes of a word, as many as there is room for.
pub fn put(into: &mut [u8], word: u64) {
    match into.len() {
        2 => into.copy_from_slice(&(word as u16).to_le_bytes()),
        4 => into.copy_from_slice(&(word as u32).to_le_bytes()),
        8 => into.copy_from_slice(&word.to_le_bytes()),
        _ => into.iter_mut().zip(word.to_le_bytes()).for_each(|(byte, new)| *byte = new),
    }
}

/// The variables of one function that is being run.
struct Frame<'a> {
    extents: &'a [Extent],
    /// The address of the frame's first byte, without the upper half.
    base: usize,
    lanes: usize,
    /// The bytes of the variables: of each extent all lanes, one behind the other.
    bytes: Vec<u8>,
}

impl Frame<'_> {
    /// Returns where all lanes of an extent lie in the frame.
    fn all(&self, extent: Extent) -> Range<usize> {
        let start = extent.start * self.lanes;
        start..start + extent.bytes * self.lanes
    }

    /// Returns where bytes of one lane lie in the frame, from a place in an extent on.
    fn lane_range(&self, extent: Extent, lane: usize, from: usize, bytes: usize) -> Range<usize> {
        let start = extent.start * self.lanes + lane * extent.bytes + from;
        start..start + bytes
    }
}

/// A variable of a function.
#[derive(Clone, Copy)]
pub struct Variable {
    /// The number of its frame.
    frame: usize,
    extent: Extent,
}

/// The memory of a block of rows, for every lane.
pub struct Memory<'a, 'b> {
    tables: &'a Tables,
    frames: Vec<Frame<'a>>,
    /// Memory of functions that have ended.
    spare: &'a mut Vec<Vec<u8>>,
    passed: &'a mut [Passed<'b>],
    /// The row of the first lane.
    first: usize,
    /// The number of lanes of a row, and of a block.
    lanes_of: [usize; 2],
    layout: &'a SharedLayout,
    /// The shared memory of each block, once it is used.
    shared: Vec<SharedBlock>,
    /// The bits of what was never stored in shared memory, if it may be read.
    unset: Option<Filling>,
    /// Whether threads have to wait for each other before they use what others have stored.
    checks_uses: bool,
    /// The record of what is touched behind addresses, if there is one.
    record: Option<&'a TouchedRecord>,
    /// The byte of variables that were never stored.
    never_stored: u8,
    /// The number of parameters of the function that began first.
    parameters: usize,
}

impl<'a, 'b> Memory<'a, 'b> {
    /// Returns the memory of rows from `first` on; `spare` is memory of functions that have ended. What is touched
    /// behind addresses is added to the record of `limits`.
    pub fn new(
        function: &'a RunnableFunction,
        spare: &'a mut Vec<Vec<u8>>,
        passed: &'a mut [Passed<'b>],
        first: usize,
        limits: Limits<'a>,
    ) -> Memory<'a, 'b> {
        let Limits { record, never_stored, .. } = limits;
        let grid = function.grid.unwrap_or(Grid { blocks: 1, threads: [1; 3] });
        Memory {
            tables: &function.tables,
            frames: Vec::new(),
            spare,
            passed,
            first,
            lanes_of: [grid.all_threads().max(1), grid.threads_of_block().max(1)],
            layout: &function.shared,
            shared: Vec::new(),
            unset: limits.unset.filter(|_| !limits.probes),
            checks_uses: !limits.probes,
            record,
            never_stored,
            parameters: function.parameters().count(),
        }
    }

    /// Returns the row of a lane.
    fn row(&self, lane: usize) -> usize {
        let [of_row, _] = self.lanes_of;
        // Nearly always a row is one lane, and a division takes longer than the rest.
        self.first + if of_row == 1 { lane } else { lane / of_row }
    }

    /// Returns the shared memory of a block, by its number among all blocks that are run together.
    pub fn shared_of(&mut self, block: usize) -> &mut SharedBlock {
        if self.shared.len() <= block {
            let new = || SharedBlock::new(self.checks_uses);
            self.shared.resize_with(block + 1, new);
        }
        // The line before has made room.
        &mut self.shared[block]
    }

    /// Notes that all threads of all blocks that are left have waited for each other at a barrier; says whether they may:
    /// nobody has come to a barrier without waiting there.
    pub fn pass_barriers(&mut self, barrier: u64) -> bool {
        if self.shared.iter().any(SharedBlock::has_arrivals) {
            return false;
        }
        self.shared.iter_mut().for_each(|block| block.pass_barrier(barrier));
        true
    }

    /// Changes a word of shared memory for a lane, and returns the word as it was; see [`SharedBlock::change`].
    pub fn change(
        &mut self,
        lane: usize,
        (address, bytes): (u64, usize),
        request: AtomicRequest,
        change: &mut dyn FnMut(u64) -> Result<u64, Problem>,
    ) -> Result<u64, Problem> {
        let at = (address & 0xffff_ffff) as usize;
        match address >> 32 {
            SHARED => {
                let (layout, unset, [block, thread]) = (self.layout, self.unset, self.place(lane));
                let shared = self.shared_of(block);
                shared.change((layout, unset), thread, (at, bytes), request, change)
            }
            upper if self.passed.get(parameter(upper)).is_some() => {
                Err(Problem::Refused(GLOBAL.to_owned()))
            }
            _ => Err(Problem::Memory(MemoryError::Address)),
        }
    }

    /// Begins a copy to shared memory for a lane, of so many bytes, of which so many are read; the others are 0.
    pub fn copy(
        &mut self,
        lane: usize,
        into: u64,
        from: u64,
        [bytes, given]: [usize; 2],
    ) -> Result<(), Problem> {
        let mut copied = Vec::with_capacity(bytes);
        for at in (0..given).step_by(4) {
            let size = (given - at).min(4);
            // A word has 1, 2 or 4 bytes.
            let sizes = if size == 3 { [2, 1] } else { [size, 0] };
            let mut place = from.wrapping_add(at as u64);
            for size in sizes.into_iter().filter(|&size| size > 0) {
                let word = self.load(lane, place, size)?;
                copied.extend(word.to_le_bytes().into_iter().take(size));
                place = place.wrapping_add(size as u64);
            }
        }
        copied.resize(bytes, 0);
        if into >> 32 != SHARED {
            return Err(Problem::Memory(MemoryError::Address));
        }
        let (layout, [block, thread]) = (self.layout, self.place(lane));
        self.shared_of(block).copy(layout, thread, (into & 0xffff_ffff) as usize, &copied)
    }

    /// Makes a group of the copies that a lane has begun.
    pub fn commit_copies(&mut self, lane: usize) {
        let [block, thread] = self.place(lane);
        self.shared_of(block).commit_copies(thread);
    }

    /// Waits for the copies of a lane: all, or those of all groups but the last `but`.
    pub fn wait_for_copies(&mut self, lane: usize, but: Option<u64>) {
        let [block, thread] = self.place(lane);
        self.shared_of(block).wait_for_copies(thread, but);
    }

    /// Whether a generic address lies in a state space (PTX ISA, `isspacep`). Global memory is where no other space is, and
    /// parameters of a kernel are in it, too.
    pub fn is_in(&self, space: Space, address: u64) -> bool {
        let own = match address >> 32 {
            SHARED => Space::Shared,
            STACK => match self.variable(address, 0) {
                Some((variable, _)) if self.is_parameter(variable) => Space::Param,
                _ => Space::Local,
            },
            TABLES => self.tables.space((address & 0xffff_ffff) as usize),
            _ => Space::Global,
        };
        own == space || own == Space::Param && space == Space::Global
    }

    /// Whether a variable is a parameter of the kernel.
    fn is_parameter(&self, variable: Variable) -> bool {
        let extents = self.frames.first().map_or(&[] as &[Extent], |frame| frame.extents);
        let parameters = extents.iter().take(self.parameters);
        variable.frame == 0 && parameters.into_iter().any(|extent| *extent == variable.extent)
    }

    /// Returns the row of the first lane.
    pub fn first(&self) -> usize {
        self.first
    }

    /// Adds bytes at an address behind a parameter to the record.
    fn touch(&self, address: u64, at: usize, bytes: usize, writes: bool) {
        if let Some(record) = self.record {
            record.add(parameter(address >> 32), at..at.saturating_add(bytes), writes);
        }
    }

    /// Begins a function; says whether there is room for it.
    pub fn open(&mut self, extents: &'a [Extent], lanes: usize) -> bool {
        let each = size(extents);
        let total: usize = self.frames.iter().map(|frame| frame.bytes.len()).sum();
        let bytes = each.saturating_mul(lanes);
        // A variable has one address in all lanes, so bases count the bytes of a single lane.
        let base = self.frames.last().map_or(0, |last| last.base + size(last.extents));
        let fits =
            bytes.saturating_add(total) <= MOST_BYTES && base.saturating_add(each) <= MOST_OF_LANE;
        if self.frames.len() == MOST_FRAMES || !fits {
            return false;
        }
        let mut new = self.spare.pop().unwrap_or_default();
        // Cleared first, because `resize` fills only what it adds, and old variables must not be seen again.
        new.clear();
        new.resize(bytes, self.never_stored);
        self.frames.push(Frame { extents, base, lanes, bytes: new });
        true
    }

    /// Ends the function that began last.
    pub fn close(&mut self) {
        self.spare.extend(self.frames.pop().map(|frame| frame.bytes));
    }

    /// Returns the address of a place in the function that began last.
    pub fn address(&self, at: usize) -> u64 {
        STACK << 32 | self.frames.last().map_or(0, |frame| frame.base + at) as u64
    }

    /// Writes a parameter of the function that began last, in all lanes; `number` is the one that the caller passes it
    /// with.
    pub fn pass(&mut self, number: usize, place: Extent, lanes: usize) {
        let [of_row, _] = self.lanes_of;
        let rows = self.first..self.first + lanes / of_row;
        let Some(frame) = self.frames.last_mut() else { return };
        let all = frame.all(place);
        let Some(into) = frame.bytes.get_mut(all) else { return };
        match self.passed.get(number) {
            Some(Passed::Value(column)) if of_row == 1 => into.copy_from_slice(column.bytes_of(rows)),
            Some(Passed::Value(column)) => {
                let each = rows.flat_map(|row| std::iter::repeat_n(column.row_bytes_of(row), of_row));
                let places = into.chunks_exact_mut(place.bytes.max(1));
                places.zip(each).for_each(|(into, from)| into.copy_from_slice(from));
            }
            // `rows` in `run.rs` has seen to it that such a parameter has the 8 bytes of an address.
            _ => into.chunks_exact_mut(8).for_each(|into| put(into, address_behind(number))),
        }
    }

    /// Returns a variable of the function that began last.
    pub fn last(&self, extent: Extent) -> Variable {
        Variable { frame: self.frames.len().saturating_sub(1), extent }
    }

    /// Returns the bytes of a variable in all lanes, one behind the other, and how many bytes each lane has.
    pub fn all(&mut self, Variable { frame, extent }: Variable) -> (&mut [u8], usize) {
        let Some(frame) = self.frames.get_mut(frame) else { return (&mut [], 0) };
        let all = frame.all(extent);
        (frame.bytes.get_mut(all).unwrap_or_default(), extent.bytes)
    }

    /// Finds the variable that a word at an address lies in, and how far the word is from its beginning.
    pub fn variable(&self, address: u64, bytes: usize) -> Option<(Variable, usize)> {
        let at = (address & 0xffff_ffff) as usize;
        if address >> 32 != STACK {
            return None;
        }
        // Bases grow from frame to frame, so it is the last frame that begins at or below the address.
        let frame = self.frames.iter().rposition(|frame| frame.base <= at)?;
        let Frame { extents, base, .. } = self.frames.get(frame)?;
        let extent = holding(extents, at - base, bytes)?;
        Some((Variable { frame, extent }, at - base - extent.start))
    }

    /// Copies bytes of a lane from the caller, the function before the last one, to the last one, or back.
    pub fn hand(&mut self, lane: usize, [before, last]: [Extent; 2], back: bool) {
        let [.., caller, called] = self.frames.as_mut_slice() else { return };
        let caller_at = caller.lane_range(before, lane, 0, before.bytes);
        let called_at = called.lane_range(last, lane, 0, last.bytes);
        match (caller.bytes.get_mut(caller_at), called.bytes.get_mut(called_at)) {
            (Some(one), Some(other)) if back => one.copy_from_slice(other),
            (Some(one), Some(other)) => other.copy_from_slice(one),
            _ => {}
        }
    }

    /// Reads the word that a lane finds at an address.
    pub fn load(&mut self, lane: usize, address: u64, bytes: usize) -> Result<u64, Problem> {
        let at = (address & 0xffff_ffff) as usize;
        let found = match address >> 32 {
            TABLES => self.tables.bytes(at, bytes),
            STACK => self.variable(address, bytes).and_then(|(variable, from)| {
                let frame = self.frames.get(variable.frame)?;
                frame.bytes.get(frame.lane_range(variable.extent, lane, from, bytes))
            }),
            SHARED => {
                let (layout, unset, [block, thread]) = (self.layout, self.unset, self.place(lane));
                return self.shared_of(block).load(layout, unset, thread, at, bytes);
            }
            upper => match self.passed.get(parameter(upper)) {
                Some(Passed::Behind(column)) => {
                    let found = row(column, self.row(lane)).get(at..at.saturating_add(bytes));
                    // An access that fails touches nothing.
                    if found.is_some() {
                        self.touch(address, at, bytes, false);
                    }
                    found
                }
                Some(Passed::Common(all)) => all.get(at..at.saturating_add(bytes)),
                _ => None,
            },
        };
        found.map(word).ok_or(Problem::Memory(MemoryError::Address))
    }

    /// Returns the number of a lane's block among all that are run together, and of its thread in the block.
    fn place(&self, lane: usize) -> [usize; 2] {
        let [_, of_block] = self.lanes_of;
        [lane / of_block, lane % of_block]
    }

    /// Changes the word that a lane finds at an address.
    pub fn store(&mut self, lane: usize, address: u64, bytes: usize, word: u64) -> Result<(), Problem> {
        let row = self.row(lane);
        let at = (address & 0xffff_ffff) as usize;
        let found = match address >> 32 {
            // All rows would see it, in an order that nobody knows.
            TABLES => return Err(Problem::Memory(MemoryError::Table)),
            SHARED => {
                let (layout, [block, thread]) = (self.layout, self.place(lane));
                let word = word.to_le_bytes();
                let word = word.get(..bytes).unwrap_or(&word);
                return self.shared_of(block).store(layout, thread, at, word);
            }
            STACK => self.variable(address, bytes).and_then(|(variable, from)| {
                let frame = self.frames.get_mut(variable.frame)?;
                let one = frame.lane_range(variable.extent, lane, from, bytes);
                frame.bytes.get_mut(one)
            }),
            upper => match self.passed.get_mut(parameter(upper)) {
                Some(Passed::Behind(column)) if row < column.rows() => {
                    column.row_bytes_of_mut(row).get_mut(at..at.saturating_add(bytes))
                }
                Some(Passed::Common(all)) => all.get_mut(at..at.saturating_add(bytes)),
                _ => None,
            },
        };
        found.map(|into| put(into, word)).ok_or(Problem::Memory(MemoryError::Address))?;
        // An access that fails touches nothing.
        self.touch(address, at, bytes, true);
        Ok(())
    }
}

/// Returns the address of the first byte behind what is passed by a number.
pub fn address_behind(number: usize) -> u64 {
    (BEHIND + number as u64) << 32
}

/// Returns the number of the parameter that an address points behind, by the address's upper half.
fn parameter(upper: u64) -> usize {
    upper.checked_sub(BEHIND).map_or(usize::MAX, |number| number as usize)
}

/// Returns the bytes of a row, or none where the column has no such row.
fn row(column: &Column, lane: usize) -> &[u8] {
    if lane < column.rows() { column.row_bytes_of(lane) } else { &[] }
}
