//! The places of variables in memory, each apart from the others.

/// The bytes of a variable: nothing that is reached by its name lies outside of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The offset of the first byte, from the beginning of its table or frame.
    pub start: usize,
    /// The number of bytes.
    pub bytes: usize,
}

impl Extent {
    /// Returns a place behind others, with this alignment and room between them.
    pub fn place_after(others: &[Extent], bytes: usize, align: u32) -> Extent {
        let end = others.last().map_or(0, |last| last.start.saturating_add(last.bytes));
        // One byte at least between neighbours belongs to none, so an access that runs over an end finds nothing.
        let align = (align as usize).max(16);
        Extent { start: end.saturating_add(1).next_multiple_of(align), bytes }
    }

    /// Whether a word lies in the extent.
    pub fn holds(&self, at: usize, bytes: usize) -> bool {
        let from = at.checked_sub(self.start);
        from.and_then(|from| from.checked_add(bytes)).is_some_and(|end| end <= self.bytes)
    }
}
