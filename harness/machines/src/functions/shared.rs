//! The memory that the threads of a block share, with what each byte was last used for: so reads of what nobody has
//! stored are noticed, and threads that use one byte without waiting for each other.

mod atomic;
mod copies;
mod order;

use std::collections::BTreeMap;

use ptx::syntax::{Linkage, Space, Variable};

use super::Filling;
use super::launch::WARP;
use crate::lowering::Extent;
use crate::problem::{MemoryError, Problem};

use atomic::AtomicUse;
pub use atomic::{AtomicOperation, AtomicRequest};
use copies::ThreadCopies;

/// The upper half of generic addresses in shared memory.
pub const SHARED: u64 = 3;
/// The generic address of the first byte of shared memory.
pub const WINDOW: u64 = SHARED << 32;
/// The reason why nothing is changed atomically in global memory.
pub const GLOBAL: &str = "atomic operations on global memory are not interpreted: other blocks of the grid may change the \
                          same word";

/// The address of shared memory whose size the launch says; no other variable lies so far.
const DYNAMIC: usize = 1 << 20;
/// The most bytes of shared memory that a launch may ask for on any GPU.
const DYNAMIC_BYTES: usize = 227 << 10;

/// The variables in shared memory of a module, in the order of their addresses.
#[derive(Debug, Default)]
pub struct SharedLayout {
    /// The name and the place of each.
    pub variables: Vec<(String, Extent)>,
    /// The bytes of those whose size the text says, with room between them.
    pub bytes: usize,
}

impl SharedLayout {
    /// Places the variables that the module declares outside of functions.
    pub fn of(variables: &[Variable]) -> SharedLayout {
        let mut layout = SharedLayout::default();
        let (dynamic, fixed): (Vec<&Variable>, Vec<&Variable>) = variables
            .iter()
            .filter(|variable| variable.space == Space::Shared)
            .partition(|variable| variable.linkage == Linkage::Extern);
        for Variable { of, .. } in fixed {
            let align = of.align.unwrap_or(of.ty.bytes() as u32);
            let extents: Vec<Extent> = layout.variables.iter().map(|(_, extent)| *extent).collect();
            let extent = Extent::place_after(&extents, of.bytes(), align);
            layout.bytes = extent.start.saturating_add(extent.bytes);
            layout.variables.push((of.name.clone(), extent));
        }
        let extent = Extent { start: DYNAMIC, bytes: DYNAMIC_BYTES };
        layout.variables.extend(dynamic.into_iter().map(|one| (one.of.name.clone(), extent)));
        layout
    }

    /// Adds the variables of a function, which lie behind all others whose size the text says.
    pub fn extend(&mut self, variables: Vec<(String, Extent)>) {
        for (_, extent) in &variables {
            self.bytes = self.bytes.max(extent.start.saturating_add(extent.bytes));
        }
        self.variables.extend(variables);
        self.variables.sort_by_key(|(_, extent)| extent.start);
    }

    /// Returns the address of a variable that is declared outside of functions.
    pub fn address(&self, name: &str) -> Option<u64> {
        let found = self.variables.iter().find(|(own, _)| own == name);
        found.map(|(_, extent)| extent.start as u64)
    }

    /// Whether so many bytes at an address lie in one variable; where its bytes are kept.
    fn place(&self, at: usize, bytes: usize) -> Option<(usize, &str)> {
        let next = self.variables.partition_point(|(_, extent)| extent.start <= at);
        let (name, extent) = self.variables.get(next.checked_sub(1)?)?;
        let kept = if at < DYNAMIC { at } else { self.bytes + (at - DYNAMIC) };
        extent.holds(at, bytes).then_some((kept, name))
    }
}

/// The use of a byte by a thread: the time in the block, and the barriers of the warp that came before.
#[derive(Clone, Copy, Default)]
struct Use {
    /// The thread's number, counted from 1; 0 if there was no use.
    thread: u16,
    time: u32,
    warp_barriers: u32,
}

/// The time of the use of a byte by a copy that its thread has not waited for.
const PENDING: u32 = u32::MAX;

/// A thread that has come to a barrier and does not wait there.
#[derive(Clone, Copy)]
struct Arrival {
    /// The number of the barrier.
    barrier: u64,
    /// The number of the thread in the block.
    thread: usize,
    /// The number of threads that the barrier counts.
    due: u64,
    /// The time at which the thread has come there.
    time: u32,
}

/// The last uses of a byte. Of the reads, those of two threads are enough: one of them is not the thread that stores.
#[derive(Clone, Copy, Default)]
struct ByteUses {
    stored: Use,
    read: [Use; 2],
}

/// The shared memory of one block.
pub struct SharedBlock {
    /// Whether threads have to wait for each other before they use what others have stored.
    checks_uses: bool,
    /// The bytes that were used so far, and those before them.
    bytes: Vec<u8>,
    uses: Vec<ByteUses>,
    /// The time, which goes on where threads come to a barrier without waiting, and where one is passed.
    time: u32,
    /// The time at which the last barrier was passed.
    passed: u32,
    /// The threads that did not wait at this barrier, and the time at which each came there: what they have done since is
    /// not over.
    went_on: Vec<(usize, u32)>,
    /// The number of barriers that each warp has passed.
    warp_barriers: Vec<u32>,
    /// The threads that have come to barriers which are not passed yet, and do not wait there.
    arrivals: Vec<Arrival>,
    /// The words that atomic operations have changed since the last barrier, by the place where they are kept.
    atomics: BTreeMap<usize, AtomicUse>,
    /// The copies of each thread that it has not waited for.
    copies: BTreeMap<usize, ThreadCopies>,
}

impl SharedBlock {
    /// Returns the memory of a block in which nothing is stored. If `checks_uses` is not set, no use by several threads is
    /// an error.
    pub fn new(checks_uses: bool) -> SharedBlock {
        SharedBlock {
            checks_uses,
            bytes: Vec::new(),
            uses: Vec::new(),
            time: 1,
            passed: 0,
            went_on: Vec::new(),
            warp_barriers: Vec::new(),
            arrivals: Vec::new(),
            atomics: BTreeMap::new(),
            copies: BTreeMap::new(),
        }
    }

    /// Notes that threads of the block have waited for each other at a barrier.
    pub fn pass_barrier(&mut self, barrier: u64) {
        self.went_on.clear();
        if !self.arrivals.is_empty() {
            let here = self.arrivals.iter().filter(|arrival| arrival.barrier == barrier);
            self.went_on.extend(here.map(|arrival| (arrival.thread, arrival.time)));
            self.arrivals.retain(|arrival| arrival.barrier != barrier);
        }
        self.passed = self.time;
        self.go_on();
        if !self.atomics.is_empty() {
            let atomics = std::mem::take(&mut self.atomics);
            self.atomics = atomics.into_iter().filter(|(_, of)| of.is_recent(self)).collect();
        }
    }

    /// Notes that a thread has come to a barrier at which it does not wait; `due` is the number of threads that the barrier
    /// counts.
    pub fn arrive(&mut self, barrier: u64, thread: usize, due: u64) {
        self.arrivals.push(Arrival { barrier, thread, due, time: self.time });
        self.go_on();
    }

    /// Lets the time go on.
    fn go_on(&mut self) {
        // A run has fewer steps than this number.
        self.time = self.time.saturating_add(1).min(PENDING - 1);
    }

    /// Lists the threads that have come to a barrier and do not wait there.
    pub fn arrived(&self, barrier: u64) -> impl Iterator<Item = usize> {
        let there = self.arrivals.iter().filter(move |arrival| arrival.barrier == barrier);
        there.map(|arrival| arrival.thread)
    }

    /// Returns the number of threads that a barrier counts, if some have come there and do not wait.
    pub fn due(&self, barrier: u64) -> Option<u64> {
        let there = self.arrivals.iter().find(|arrival| arrival.barrier == barrier);
        there.map(|arrival| arrival.due)
    }

    /// Whether threads have come to a barrier and do not wait there.
    pub fn has_arrivals(&self) -> bool {
        !self.arrivals.is_empty()
    }

    /// Notes that threads of a warp have waited for each other.
    pub fn pass_warp_barrier(&mut self, warp: usize) {
        *self.of_warp(warp) += 1;
    }

    fn of_warp(&mut self, warp: usize) -> &mut u32 {
        if self.warp_barriers.len() <= warp {
            self.warp_barriers.resize(warp + 1, 0);
        }
        // The line before has made room.
        &mut self.warp_barriers[warp]
    }

    /// Whether a use, if there was any, is over for a thread: it was its own, or threads have waited since.
    fn is_over(&self, of: Use, thread: usize) -> bool {
        let Some(other) = usize::from(of.thread).checked_sub(1) else { return true };
        let warp = other / WARP;
        let waited = warp == thread / WARP
            && self.warp_barriers.get(warp).copied().unwrap_or(0) != of.warp_barriers;
        !self.checks_uses || other == thread || of.time <= self.seen_of(other) || waited
    }

    /// Returns the time up to which others have waited for what a thread does.
    fn seen_of(&self, thread: usize) -> u32 {
        let went_on = self.went_on.iter().find(|(other, _)| *other == thread);
        went_on.map_or(self.passed, |(_, time)| *time)
    }

    /// Returns a use by a thread now.
    fn now(&mut self, thread: usize) -> Use {
        let warp_barriers = *self.of_warp(thread / WARP);
        // A block has at most 1,024 threads.
        Use { thread: thread as u16 + 1, time: self.time, warp_barriers }
    }

    /// Makes room for bytes that are kept up to a place.
    fn grow(&mut self, end: usize) {
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
            self.uses.resize(end, ByteUses::default());
        }
    }

    /// Reads a word as a thread finds it. A byte that nobody has stored is an error, or has the bits of `unset`.
    pub fn load(
        &mut self,
        layout: &SharedLayout,
        unset: Option<Filling>,
        thread: usize,
        at: usize,
        bytes: usize,
    ) -> Result<u64, Problem> {
        let (kept, name) = layout.place(at, bytes).ok_or(Problem::Memory(MemoryError::Address))?;
        self.grow(kept + bytes);
        let now = self.now(thread);
        if let Some(other) = self.changed_by(kept, bytes, thread) {
            return Err(Problem::Race(format!(
                "reads what thread {other} has changed in the shared memory `{name}` since the last barrier"
            )));
        }
        let mut word = 0;
        for (number, place) in (kept..kept + bytes).enumerate() {
            let Some(&ByteUses { stored, read: [first, second] }) = self.uses.get(place) else {
                continue;
            };
            let byte = match (stored.thread, unset) {
                (0, None) => return Err(Problem::UnsetShared(name.to_owned())),
                (0, Some(unset)) => unset(place) as u8,
                _ if stored.time == PENDING => {
                    self.check_arrived(stored, name)?;
                    self.bytes.get(place).copied().unwrap_or(0)
                }
                _ if !self.is_over(stored, thread) => {
                    return Err(Problem::Race(format!(
                        "reads what thread {} has stored in the shared memory `{name}` since the last barrier",
                        stored.thread - 1
                    )));
                }
                _ => self.bytes.get(place).copied().unwrap_or(0),
            };
            word |= u64::from(byte) << (8 * number);
            let read = match first.thread {
                _ if self.is_over(first, thread) => [now, second],
                _ => [first, now],
            };
            if let Some(uses) = self.uses.get_mut(place) {
                uses.read = read;
            }
        }
        Ok(word)
    }

    /// Stores a word for a thread.
    pub fn store(
        &mut self,
        layout: &SharedLayout,
        thread: usize,
        at: usize,
        word: &[u8],
    ) -> Result<(), Problem> {
        let (kept, name) = layout.place(at, word.len()).ok_or(Problem::Memory(MemoryError::Address))?;
        self.grow(kept + word.len());
        let now = self.now(thread);
        if let Some(other) = self.changed_by(kept, word.len(), thread) {
            return Err(Problem::Race(format!(
                "stores where thread {other} has changed the shared memory `{name}` since the last barrier"
            )));
        }
        self.forget_changes(kept, word.len());
        for (place, &new) in (kept..).zip(word) {
            let Some(&ByteUses { stored, read }) = self.uses.get(place) else { continue };
            let old = self.bytes.get(place).copied();
            self.check_arrived(stored, name)?;
            // Who stores what is there already changes nothing for others.
            if stored.thread == 0 || old != Some(new) {
                if !self.is_over(stored, thread) {
                    return Err(Problem::Race(format!(
                        "stores another value where thread {} has stored in the shared memory `{name}` since the last \
                         barrier",
                        stored.thread - 1
                    )));
                }
                if let Some(other) = read.into_iter().find(|read| !self.is_over(*read, thread)) {
                    return Err(Problem::Race(format!(
                        "stores where thread {} has read in the shared memory `{name}` since the last barrier",
                        other.thread - 1
                    )));
                }
            }
            if let (Some(byte), Some(uses)) = (self.bytes.get_mut(place), self.uses.get_mut(place)) {
                *byte = new;
                uses.stored = now;
            }
        }
        Ok(())
    }
}
