//! Lengths of the arrays in which a program is asked for the same vectors.

use std::collections::BTreeSet;
use std::ops::Range;

/// Number of lengths that an option may list at most: each has all vectors asked once more.
const LENGTHS_MAX: usize = 8;
/// Number of vectors in the longest array that an option may ask for, which is that of a whole batch.
const LENGTH_MAX: usize = 1 << 16;

/// Lengths of the arrays in which a program is asked for the same vectors, in the order of the option:
/// `lengths=1+7+8+64`. Without a length, a batch is one array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArrayLengths(Vec<usize>);

impl ArrayLengths {
    /// Reads a list like `1+7+8+64`; `None` if it is none, or has a length twice.
    pub fn read(text: &str) -> Option<ArrayLengths> {
        let length = |word: &str| {
            let length: usize = word.parse().ok()?;
            // One spelling for each list: the name of the implementation, which has it, is compared as text.
            ((1..=LENGTH_MAX).contains(&length) && length.to_string() == word).then_some(length)
        };
        let lengths: Option<Vec<usize>> = text.split('+').take(LENGTHS_MAX + 1).map(length).collect();
        let lengths = lengths.filter(|lengths| lengths.len() <= LENGTHS_MAX)?;
        let different: BTreeSet<&usize> = lengths.iter().collect();
        (different.len() == lengths.len()).then_some(ArrayLengths(lengths))
    }

    /// Whether a batch is one array.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the lengths that differ for a batch of `rows` vectors, in order: a length beyond the batch's is that
    /// of the batch.
    pub fn of_batch(&self, rows: usize) -> Vec<usize> {
        let mut lengths: Vec<usize> = Vec::new();
        for length in self.0.iter().map(|&length| length.min(rows)) {
            if !lengths.contains(&length) {
                lengths.push(length);
            }
        }
        lengths
    }
}

/// Returns the rows of each array of a batch of `rows` vectors; the last array may be shorter than `length`.
pub fn arrays(length: usize, rows: usize) -> impl Iterator<Item = Range<usize>> {
    (0..rows).step_by(length).map(move |start| start..rows.min(start + length))
}

/// Describes the array that has a row, and the place of the row in it, where a batch of `rows` vectors is cut into
/// arrays of `length`.
pub fn place(row: usize, length: usize, rows: usize) -> String {
    let start = row / length * length;
    match length.min(rows - start) {
        1 => "alone".into(),
        vectors => format!("at place {} of an array of {vectors}", row - start),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_lengths_is_read() {
        assert_eq!(ArrayLengths::read("1+7+8+64"), Some(ArrayLengths(vec![1, 7, 8, 64])));
        assert_eq!(ArrayLengths::read("65536"), Some(ArrayLengths(vec![65536])));
        let long = "1+2+3+4+5+6+7+8+9";
        for wrong in ["", "0", "+", "1+", "1,7", "7+7", "07", "-1", "65537", "1e3", "7 ", long] {
            assert_eq!(ArrayLengths::read(wrong), None, "{wrong}");
        }
    }

    /// Every vector is in one array of each length, and a batch shorter than two of the lengths is asked once.
    #[test]
    fn a_batch_is_cut_into_arrays() {
        let lengths = ArrayLengths::read("1+7+8+64").unwrap();
        assert_eq!(lengths.of_batch(20), [1, 7, 8, 20]);
        assert_eq!(lengths.of_batch(5), [1, 5]);
        assert_eq!(lengths.of_batch(1), [1]);
        assert_eq!(arrays(7, 20).collect::<Vec<_>>(), [0..7, 7..14, 14..20]);
        assert_eq!(arrays(10, 20).collect::<Vec<_>>(), [0..10, 10..20]);
        assert_eq!(place(13, 7, 20), "at place 6 of an array of 7");
        assert_eq!(place(19, 7, 20), "at place 5 of an array of 6");
        assert_eq!([place(3, 1, 20), place(14, 7, 15)], ["alone", "alone"]);
    }
}
