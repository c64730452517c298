//! Interpretations of what the manual leaves open.

use isa::{Relaxation, Variant};

/// An interpretation of every open point at once: for each relaxation, an index into its `interpretations`.
pub type Interpretation = [u8; Relaxation::ALL.len()];

/// The first interpretation of every open point.
pub const FIRST: Interpretation = [0; Relaxation::ALL.len()];

/// The open points that matter to one result, as a set of relaxations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpenPoints(u64);

const _: () = assert!(Relaxation::ALL.len() <= u64::BITS as usize, "a bit for each relaxation");

impl OpenPoints {
    /// Returns all that a variant leaves open ([`Variant::relaxations`]).
    pub fn declared(variant: &Variant) -> OpenPoints {
        let mut declared = OpenPoints::default();
        variant.relaxations().for_each(|relaxation| declared.insert(relaxation));
        declared
    }

    /// Adds a relaxation to the set.
    #[inline]
    pub fn insert(&mut self, relaxation: Relaxation) {
        self.0 |= 1 << relaxation as u8;
    }

    /// Whether a relaxation is in the set.
    #[inline]
    pub fn contains(self, relaxation: Relaxation) -> bool {
        self.0 & 1 << relaxation as u8 != 0
    }

    /// Whether nothing is open.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of open points.
    #[inline]
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns the open points that are in either set.
    #[inline]
    pub fn union(self, other: OpenPoints) -> OpenPoints {
        OpenPoints(self.0 | other.0)
    }

    /// Returns the open points that are in both sets.
    #[inline]
    pub fn and(self, other: OpenPoints) -> OpenPoints {
        OpenPoints(self.0 & other.0)
    }

    /// Returns the relaxations in the set, in the order of [`Relaxation::ALL`].
    pub fn relaxations(self) -> impl Iterator<Item = Relaxation> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let first = (rest != 0).then(|| Relaxation::ALL[rest.trailing_zeros() as usize]);
            // Clears the lowest bit. It wraps since an iterator may be asked again after its end.
            rest &= rest.wrapping_sub(1);
            first
        })
    }

    /// Returns every combination of interpretations of the open points; all other points are at their first.
    pub fn interpretations(self) -> impl Iterator<Item = Interpretation> {
        // An interpretation counts up as a number does: each open point is a digit, and the first counts fastest.
        let next = move |last: &Interpretation| {
            let mut next = *last;
            let counted = self.relaxations().any(|point| {
                let digit = &mut next[point as usize];
                *digit = (*digit + 1) % point.interpretations().len() as u8;
                *digit != 0
            });
            counted.then_some(next)
        };
        std::iter::successors(Some(FIRST), next)
    }
}
