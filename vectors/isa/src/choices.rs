//! Where a result depends on more than the manual prints: every such place. Either a relaxation leaves it open
//! (`relaxation.rs`), or a source that is named settles it, in the rows here. A test walks over all of them.

mod accuracy;
mod arising;
mod arithmetic;
mod conversion;
mod relaxation;
mod special;

use crate::Variant;

pub use relaxation::Relaxation;

/// A place where the manual's words are not enough, and something else settles it.
#[derive(Debug)]
pub struct Choice {
    /// What has to be chosen.
    pub what: &'static str,
    /// Whether it arises in a variant.
    pub arises: fn(&Variant) -> bool,
    /// What settles it there: a source, and what it says.
    pub source: &'static str,
}

/// Every choice that a source settles.
pub fn choices() -> impl Iterator<Item = &'static Choice> {
    [special::ROWS, conversion::ROWS, arithmetic::ROWS, accuracy::ROWS].into_iter().flatten()
}

impl Variant {
    /// The choices that the manual leaves an implementation in this variant.
    pub fn relaxations(&self) -> impl Iterator<Item = Relaxation> + '_ {
        Relaxation::ALL.into_iter().filter(|relaxation| relaxation.arises(self))
    }
}

const fn row(what: &'static str, arises: fn(&Variant) -> bool, source: &'static str) -> Choice {
    Choice { what, arises, source }
}

#[cfg(test)]
mod tests;
