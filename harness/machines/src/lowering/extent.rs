//! Where variables lie, each for itself.

/// The bytes of a variable: nothing that is reached by its name lies outside of them.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Where it begins, from the beginning of its table or frame.
    pub start: usize,
    /// How many bytes it has.
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
