//! Sets of faults.

use std::fmt;

use super::Fault;

/// A set of faults that a model has together; with the empty set the model is right.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Faults([u64; WORDS]);

/// The number of words of a set, which has a bit for each fault.
const WORDS: usize = 8;

const _: () = assert!(Fault::ALL.len() <= WORDS * u64::BITS as usize);

impl Faults {
    /// Whether the set has no fault.
    pub fn is_empty(self) -> bool {
        self == Faults::default()
    }

    /// Whether `fault` is in the set.
    #[inline(always)]
    pub fn has(self, fault: Fault) -> bool {
        let (word, bit) = place(fault);
        self.0[word] >> bit & 1 == 1
    }

    /// Returns the union of two sets.
    pub fn and(self, other: Faults) -> Faults {
        Faults(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// Returns each fault of the set, in the order of the table of faults.
    pub fn iter(self) -> impl Iterator<Item = Fault> {
        let words = self.0.into_iter().zip((0..).step_by(u64::BITS as usize));
        words.flat_map(|(mut word, first)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
                word &= word - 1;
                Some(Fault::ALL[first + bit])
            })
        })
    }
}

/// Returns the word of a set that a fault's bit is in, and the number of the bit.
#[inline(always)]
fn place(fault: Fault) -> (usize, u32) {
    let place = fault.place();
    (place / u64::BITS as usize, place as u32 % u64::BITS)
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Faults {
        let mut faults = Faults::default();
        let (word, bit) = place(fault);
        faults.0[word] |= 1 << bit;
        faults
    }
}

impl From<Option<Fault>> for Faults {
    fn from(fault: Option<Fault>) -> Faults {
        fault.map_or(Faults::default(), Faults::from)
    }
}

impl fmt::Debug for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
