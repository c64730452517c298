//! Atomic operations on words of shared memory: the order in which threads change a word is open, so it is noticed where
//! the order matters.

use isa::Variant;
use ptx::syntax::WordOperation;

use super::order::Terms;
use super::{Filling, SharedBlock, SharedLayout, Use};
use crate::problem::{MemoryError, Problem};

/// The most bytes of a word that is changed.
const MOST_BYTES: usize = 8;

/// An operation on a word, as far as the order of several goes.
#[derive(Clone, Copy, Debug)]
pub enum AtomicOperation {
    /// An operation of integers, whether they have a sign, and the second source of those that go round.
    Integer(WordOperation, bool, u64),
    /// A sum of numbers of the table, with the term that is added.
    Sum(&'static Variant, u64),
}

/// An atomic operation that a thread asks for.
#[derive(Clone, Copy, Debug)]
pub struct AtomicRequest {
    pub operation: AtomicOperation,
    /// Whether the thread is given the word as it was.
    pub returns: bool,
    /// The number of the instruction.
    pub instruction: usize,
}

/// The use of a word by atomic operations since the last barrier.
pub struct AtomicUse {
    bytes: usize,
    /// The last one.
    operation: Option<AtomicOperation>,
    /// The instruction of all of them, if it is one.
    instruction: Option<usize>,
    /// Whether one of them has returned the word as it was.
    returned: bool,
    /// The last uses by two threads.
    uses: [Use; 2],
    /// The last stores of each byte before them.
    plain: [Use; MOST_BYTES],
    /// The terms of each lane of the word, if they are sums.
    terms: Vec<Terms>,
}

impl AtomicOperation {
    /// Whether two operations on a word give the same in both orders, if they are no sums.
    fn commutes(self, other: AtomicOperation) -> bool {
        match (self, other) {
            (
                AtomicOperation::Integer(one, signed, bound),
                AtomicOperation::Integer(two, other, beyond),
            ) => {
                one == two
                    && match one {
                        WordOperation::Add
                        | WordOperation::And
                        | WordOperation::Or
                        | WordOperation::Xor => true,
                        WordOperation::Min | WordOperation::Max => signed == other,
                        WordOperation::Increment | WordOperation::Decrement => bound == beyond,
                        WordOperation::Exchange | WordOperation::CompareAndSwap => false,
                    }
            }
            (AtomicOperation::Sum(one, _), AtomicOperation::Sum(other, _)) => {
                one.results().first().map(|of| of.ty.name)
                    == other.results().first().map(|of| of.ty.name)
            }
            _ => false,
        }
    }
}

impl AtomicUse {
    /// Whether another thread has used the word, and nobody has waited since.
    pub fn other(&self, block: &SharedBlock, thread: usize) -> Option<usize> {
        let other = self.uses.iter().find(|of| !block.is_over(**of, thread));
        other.map(|of| usize::from(of.thread) - 1)
    }

    /// Whether a thread has used the word since others have waited for it.
    pub fn is_recent(&self, block: &SharedBlock) -> bool {
        let is = |of: &Use| of.time > block.seen_of(usize::from(of.thread) - 1);
        self.uses.iter().filter(|of| of.thread != 0).any(is)
    }

    /// Adds what the order of sums depends on: the word as it was before the first, and each term.
    fn add_terms(&mut self, old: u64, operation: AtomicOperation) {
        let AtomicOperation::Sum(variant, term) = operation else { return };
        let Some(register) = variant.results().first() else { return };
        let ty = &register.ty;
        let lane = |word: u64, lane: usize| word >> (lane as u32 * ty.stride) & ty.format.mask();
        if self.terms.is_empty() {
            self.terms = vec![Terms::new(ty.format); ty.lanes];
            self.terms.iter_mut().enumerate().for_each(|(number, terms)| terms.add(lane(old, number)));
        }
        self.terms.iter_mut().enumerate().for_each(|(number, terms)| terms.add(lane(term, number)));
    }
}

impl SharedBlock {
    /// Returns the thread that has changed one of some bytes by an atomic operation, if it is another one and nobody has
    /// waited since.
    pub fn changed_by(&self, kept: usize, bytes: usize, thread: usize) -> Option<usize> {
        if self.atomics.is_empty() || !self.checks_uses {
            return None;
        }
        self.changes(kept, bytes).find_map(|(_, of)| of.other(self, thread))
    }

    /// Lists the words that have some of these bytes, and were changed since the last barrier.
    fn changes(&self, kept: usize, bytes: usize) -> impl Iterator<Item = (usize, &AtomicUse)> {
        let near = self.atomics.range(kept.saturating_sub(MOST_BYTES)..kept + bytes);
        near.map(|(&start, of)| (start, of)).filter(move |(start, of)| start + of.bytes > kept)
    }

    /// Forgets how some bytes were changed, which are stored now.
    pub fn forget_changes(&mut self, kept: usize, bytes: usize) {
        if !self.atomics.is_empty() {
            let changed: Vec<usize> = self.changes(kept, bytes).map(|(start, _)| start).collect();
            changed.iter().for_each(|start| {
                self.atomics.remove(start);
            });
        }
    }

    /// Changes a word for a thread, and returns the word as it was.
    ///
    /// Where the order of threads matters, threads that execute one instruction take turns in one order, and in others in
    /// further runs: so the first run is told that something is open. The order of two instructions is always the same, so
    /// nothing is known of what depends on it.
    ///
    /// # Errors
    /// If the word is no part of a variable, was never stored, or is used by others since the last barrier; where the order
    /// of threads matters, and where `change` fails.
    pub fn change(
        &mut self,
        (layout, unset): (&SharedLayout, Option<Filling>),
        thread: usize,
        (at, bytes): (usize, usize),
        AtomicRequest { operation, returns, instruction }: AtomicRequest,
        change: &mut dyn FnMut(u64) -> Result<u64, Problem>,
    ) -> Result<u64, Problem> {
        let (kept, name) = layout.place(at, bytes).ok_or(Problem::Memory(MemoryError::Address))?;
        self.grow(kept + bytes);
        let now = self.now(thread);
        let mut all = self.atomics.remove(&kept).filter(|of| of.bytes == bytes).unwrap_or(AtomicUse {
            bytes,
            operation: None,
            instruction: Some(instruction),
            returned: false,
            uses: [Use::default(); 2],
            plain: [Use::default(); MOST_BYTES],
            terms: Vec::new(),
        });
        let is_first = all.operation.is_none();
        let mut old = 0;
        for (number, place) in (kept..kept + bytes).enumerate() {
            let Some(uses) = self.uses.get(place).copied() else { continue };
            let byte = match (uses.stored.thread, unset) {
                (0, None) => return Err(Problem::UnsetShared(name.to_owned())),
                (0, Some(unset)) => unset(place) as u8,
                _ => self.bytes.get(place).copied().unwrap_or(0),
            };
            old |= u64::from(byte) << (8 * number);
            self.check_arrived(uses.stored, name)?;
            if let (true, Some(plain)) = (is_first, all.plain.get_mut(number)) {
                *plain = uses.stored;
            }
            let plain = all.plain.get(number).copied().unwrap_or_default();
            let words = |what: &str, of: Use| {
                Problem::Race(format!(
                    "changes what thread {} has {what} in the shared memory `{name}` since the last barrier",
                    of.thread - 1
                ))
            };
            if !self.is_over(plain, thread) {
                return Err(words("stored", plain));
            }
            if let Some(of) = uses.read.into_iter().find(|of| !self.is_over(*of, thread)) {
                return Err(words("read", of));
            }
        }
        all.add_terms(old, operation);
        if let Some(other) = all.other(self, thread) {
            let matters = !all.operation.is_some_and(|before| before.commutes(operation))
                || all.returned
                || returns
                || !all.terms.iter().all(Terms::are_free);
            let words = format!(
                "whether it comes before or behind thread {other}, which has changed the same word of the shared memory \
                 `{name}` since the last barrier, is open"
            );
            match all.instruction == Some(instruction) {
                _ if !matters || !self.checks_uses => {}
                true if unset.is_some() => {}
                true => return Err(Problem::Open(words)),
                false => {
                    let words = format!("{words}; both orders of two instructions are not tried");
                    return Err(Problem::Refused(words));
                }
            }
        }
        all.instruction = all.instruction.filter(|own| *own == instruction);
        all.operation = Some(operation);
        all.returned |= returns;
        let [first, second] = all.uses;
        all.uses = match first.thread {
            0 => [now, second],
            own if own == now.thread => [now, second],
            _ => [first, now],
        };
        let new = change(old)?;
        for ((place, byte), _) in (kept..).zip(new.to_le_bytes()).zip(0..bytes) {
            if let (Some(into), Some(uses)) = (self.bytes.get_mut(place), self.uses.get_mut(place)) {
                *into = byte;
                uses.stored = now;
            }
        }
        self.atomics.insert(kept, all);
        Ok(old)
    }
}
