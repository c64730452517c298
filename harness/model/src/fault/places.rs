//! Places of discarded bits.

use std::fmt;

/// The first and the last of the places below the last place of a result. Place 1 is worth half of the last place, and
/// each further one half of the place above it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Places(pub u32, pub u32);

impl Places {
    /// Whether a place is one of these.
    pub fn contains(self, place: u32) -> bool {
        (self.0..=self.1).contains(&place)
    }
}

/// Writes the first and the last place, as a fault's name and words have them.
impl fmt::Debug for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.0, self.1)
    }
}
