//! Copies to shared memory that go on while their thread does: nobody may use what they bring before the thread has waited
//! for them.

use std::ops::Range;

use super::{PENDING, SharedBlock, SharedLayout, Use};
use crate::problem::Problem;

/// The copies of one thread that it has not waited for.
#[derive(Default)]
pub struct ThreadCopies {
    /// The bytes of those that are in groups, the oldest group first.
    groups: Vec<Vec<Range<usize>>>,
    /// The bytes of those that are in no group yet.
    open: Vec<Range<usize>>,
}

impl SharedBlock {
    /// Begins a copy of bytes, which nobody may use from now on.
    pub fn copy(
        &mut self,
        layout: &SharedLayout,
        thread: usize,
        at: usize,
        bytes: &[u8],
    ) -> Result<(), Problem> {
        self.store(layout, thread, at, bytes)?;
        // The store has found the place.
        let Some((kept, _)) = layout.place(at, bytes.len()) else { return Ok(()) };
        let range = kept..kept + bytes.len();
        for uses in self.uses.get_mut(range.clone()).into_iter().flatten() {
            uses.stored.time = PENDING;
        }
        self.copies.entry(thread).or_default().open.push(range);
        Ok(())
    }

    /// Makes a group of the copies that a thread has begun.
    pub fn commit_copies(&mut self, thread: usize) {
        let copies = self.copies.entry(thread).or_default();
        let group = std::mem::take(&mut copies.open);
        copies.groups.push(group);
    }

    /// Waits for a thread's copies: all, or those of all groups but the last `but`. What they have brought is what the
    /// thread stores now.
    pub fn wait_for_copies(&mut self, thread: usize, but: Option<u64>) {
        let now = self.now(thread);
        let Some(copies) = self.copies.get_mut(&thread) else { return };
        let left = but.map_or(0, |but| usize::try_from(but).unwrap_or(usize::MAX));
        let done = copies.groups.len().saturating_sub(left);
        let mut all: Vec<Range<usize>> = copies.groups.drain(..done).flatten().collect();
        if but.is_none() {
            all.append(&mut copies.open);
        }
        for range in all {
            for uses in self.uses.get_mut(range).into_iter().flatten() {
                if uses.stored.time == PENDING {
                    uses.stored = now;
                }
            }
        }
    }

    /// Refuses to use a byte that a copy has not brought yet.
    pub(super) fn check_arrived(&self, stored: Use, name: &str) -> Result<(), Problem> {
        if stored.time != PENDING || !self.checks_uses {
            return Ok(());
        }
        Err(Problem::Race(format!(
            "uses what `cp.async` of thread {} copies to the shared memory `{name}`, before the thread has waited for it by \
             `cp.async.wait_group` or `cp.async.wait_all`",
            stored.thread - 1
        )))
    }
}
