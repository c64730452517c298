//! Modules of several entries as text, and which entry a line of them belongs to.

use std::ops::Range;

use crate::device::Header;
use crate::syntax::Entry;

/// An entry as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// Name by which the driver finds the entry.
    pub name: String,
    /// Text of the entry, in whole lines.
    pub text: String,
}

impl From<&Entry> for Printed {
    fn from(entry: &Entry) -> Printed {
        Printed { name: entry.name.clone(), text: entry.to_string() }
    }
}

/// A module as text, and where its entries stand in it.
#[derive(Clone, Debug)]
pub struct Listing {
    text: String,
    /// Number of lines so far.
    lines: usize,
    /// The first line of each entry, counted from 1.
    starts: Vec<usize>,
}

impl Listing {
    /// Creates a module with these entries. All that they need must be in the header's version and target.
    pub fn new<'a>(header: Header, entries: impl IntoIterator<Item = &'a Printed>) -> Listing {
        let text = header.to_string();
        let mut listing = Listing { lines: text.lines().count(), text, starts: Vec::new() };
        entries.into_iter().for_each(|entry| listing.push(entry));
        listing
    }

    /// Adds an entry.
    pub fn push(&mut self, entry: &Printed) {
        self.starts.push(self.lines + 1);
        self.text += &entry.text;
        self.lines += entry.text.lines().count();
    }

    /// Returns the text of the module.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the number of the entry that a line, counted from 1, is part of; `None` for the head.
    pub fn entry_at(&self, line: usize) -> Option<usize> {
        self.starts.partition_point(|&start| start <= line).checked_sub(1)
    }
}

/// The outcome of a range of parts: the whole that was made of them, or for a single part the reason why none was.
pub type PartsOutcome<M, E> = (Range<usize>, Result<M, E>);

/// Makes as few wholes of `parts` as it can: it tries all together, and halves what fails until a single part is to
/// blame. Returns the outcome of each range of parts, in order.
///
/// # Errors
/// If `attempt` cannot be made.
pub fn bisect<T, M, E, F>(
    parts: &[T],
    mut attempt: impl FnMut(&[T]) -> Result<Result<M, E>, F>,
) -> Result<Vec<PartsOutcome<M, E>>, F> {
    let mut made = Vec::new();
    let mut open = Vec::from_iter(Some(0..parts.len()));
    while let Some(range) = open.pop().filter(|range| !range.is_empty()) {
        match attempt(&parts[range.clone()])? {
            Err(_) if range.len() > 1 => {
                // The first half comes off the stack first, so that outcomes are in the order of the parts.
                let middle = range.start + range.len() / 2;
                open.extend([middle..range.end, range.start..middle]);
            }
            outcome => made.push((range, outcome)),
        }
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::kernel;

    #[test]
    fn one_bad_part_does_not_sink_its_neighbours() {
        let mut attempts = 0;
        let mut attempt = |parts: &[i32]| {
            attempts += 1;
            Ok::<_, ()>(if parts.iter().all(|&part| part > 0) { Ok(parts.len()) } else { Err("bad") })
        };
        let parts = [1, 2, 3, 4, 5, 0, 7, 8];
        let made = bisect(&parts, &mut attempt).unwrap();
        assert_eq!(made, [(0..4, Ok(4)), (4..5, Ok(1)), (5..6, Err("bad")), (6..8, Ok(2))]);
        assert_eq!(bisect(&[1, 2], &mut attempt), Ok(vec![(0..2, Ok(2))]));
        assert_eq!(bisect(&[], &mut attempt), Ok(vec![]));
        assert_eq!(attempts, 8);
        let mut broken = |_: &[i32]| Err::<Result<(), ()>, _>("broken");
        assert_eq!(bisect(&parts, &mut broken), Err("broken"));
    }

    #[test]
    fn lines_belong_to_entries() {
        let header = Header { ptx: "7.0".parse().unwrap(), target: "sm_80".parse().unwrap() };
        let entries =
            ["add.f32", "setp.eq.f64"].map(|text| Printed::from(&kernel(&text.parse().unwrap())));
        let module = Listing::new(header, &entries);
        assert_eq!([1, 3].map(|line| module.entry_at(line)), [None; 2]);
        for (line, text) in (1..).zip(module.text().lines()).skip(3) {
            let entry = module.entry_at(line).unwrap();
            assert!(entries[entry].text.contains(text), "line {line}: {text}");
        }
        let last = module.text().lines().count();
        assert_eq!([4, last].map(|line| module.entry_at(line)), [Some(0), Some(1)]);
    }
}
