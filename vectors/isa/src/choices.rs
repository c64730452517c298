//! Every place where a result depends on more than the manual prints. Either a relaxation leaves the place open
//! (`relaxation.rs`), or a named source settles it, in the rows of this module. A test walks over all of them.

mod accuracy;
mod arising;
mod arithmetic;
mod conversion;
mod meaning;
mod relaxation;
mod special;

use crate::Variant;

pub use meaning::InterpretationMeaning;
pub use relaxation::Relaxation;

/// A place where the manual's words are not enough, and another source settles the result.
#[derive(Debug)]
#[non_exhaustive]
pub struct Choice {
    /// The question that has to be settled, in words.
    pub what: &'static str,
    /// Whether the question arises in a variant.
    pub arises: fn(&Variant) -> bool,
    /// The source that settles the question, and what it says.
    pub source: &'static str,
}

/// Returns every choice that a source settles.
pub fn choices() -> impl Iterator<Item = &'static Choice> {
    [special::ROWS, conversion::ROWS, arithmetic::ROWS, accuracy::ROWS].into_iter().flatten()
}

impl Variant {
    /// Returns the choices that the manual leaves an implementation in this variant.
    pub fn relaxations(&self) -> impl Iterator<Item = Relaxation> + '_ {
        Relaxation::ALL.into_iter().filter(|relaxation| relaxation.arises(self))
    }
}

const fn row(what: &'static str, arises: fn(&Variant) -> bool, source: &'static str) -> Choice {
    Choice { what, arises, source }
}

#[cfg(test)]
mod tests;
