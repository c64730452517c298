//! Interpretations of what the manual leaves open.

use isa::{Relaxation, Variant};

/// One interpretation of every open point: for each relaxation, an index into its `interpretations`.
pub type Interpretation = [u8; Relaxation::ALL.len()];

/// The first of each.
pub const FIRST: Interpretation = [0; Relaxation::ALL.len()];

/// The open points that matter to one result, as a set of relaxations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpenPoints(u64);

const _: () = assert!(Relaxation::ALL.len() <= u64::BITS as usize, "a bit for each relaxation");

impl OpenPoints {
    /// All that a variant leaves open ([`Variant::relaxations`]).
    pub fn declared(variant: &Variant) -> OpenPoints {
        let mut declared = OpenPoints::default();
        variant.relaxations().for_each(|relaxation| declared.insert(relaxation));
        declared
    }

    /// Adds a relaxation.
    #[inline]
    pub fn insert(&mut self, relaxation: Relaxation) {
        self.0 |= 1 << relaxation as u8;
    }

    /// Whether a relaxation is in it.
    #[inline]
    pub fn contains(self, relaxation: Relaxation) -> bool {
        self.0 & 1 << relaxation as u8 != 0
    }

    /// Whether nothing is open.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    #[inline]
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// What is in one of them.
    #[inline]
    pub fn or(self, other: OpenPoints) -> OpenPoints {
        OpenPoints(self.0 | other.0)
    }

    /// What is in both.
    #[inline]
    pub fn and(self, other: OpenPoints) -> OpenPoints {
        OpenPoints(self.0 & other.0)
    }

    /// Those that are in it, in their order.
    pub fn relaxations(self) -> impl Iterator<Item = Relaxation> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let first = (rest != 0).then(|| Relaxation::ALL[rest.trailing_zeros() as usize]);
            rest &= rest.wrapping_sub(1);
            first
        })
    }

    /// Every combination of interpretations of the open points, all others at their first.
    pub fn interpretations(self) -> impl Iterator<Item = Interpretation> {
        // A number whose digits they are, the first one counting fastest.
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
