//! Words of this machine, which take elements from columns and give them back.

use std::array;

use super::encoding::Element;
use super::lanes::Lanes;
use super::word::{Scalar, Word};

/// A word that holds elements of a column.
pub trait HostWord: Word {
    /// How many.
    const COUNT: usize;

    /// The elements from `at` on, zero-extended.
    fn load<E: Element>(elements: &[E], at: usize) -> Self;

    /// Writes the low bits to the elements from `at` on.
    fn store<E: Element>(self, elements: &mut [E], at: usize);
}

impl HostWord for Scalar {
    const COUNT: usize = 1;

    #[inline(always)]
    fn load<E: Element>(elements: &[E], at: usize) -> Scalar {
        Scalar(elements[at].into())
    }

    #[inline(always)]
    fn store<E: Element>(self, elements: &mut [E], at: usize) {
        elements[at] = E::truncate(self.0);
    }
}

impl HostWord for Lanes {
    const COUNT: usize = Lanes::COUNT;

    #[inline(always)]
    fn load<E: Element>(elements: &[E], at: usize) -> Lanes {
        let elements = &elements[at..at + Lanes::COUNT];
        Lanes(array::from_fn(|lane| elements[lane].into()))
    }

    #[inline(always)]
    fn store<E: Element>(self, elements: &mut [E], at: usize) {
        let elements = &mut elements[at..at + Lanes::COUNT];
        for (element, word) in elements.iter_mut().zip(self.0) {
            *element = E::truncate(word);
        }
    }
}
