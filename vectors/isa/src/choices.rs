//! Where a result depends on more than the manual prints: every such place, and what settles it there.
//! Either a relaxation leaves it open, or a source that is named decides. A test walks over all of them.

mod accuracy;
mod arising;
mod arithmetic;
mod conversion;
mod special;

use crate::{Relaxation, Variant};

/// A place where the manual's words are not enough.
#[derive(Debug)]
pub struct Choice {
    /// What has to be chosen.
    pub what: &'static str,
    /// Whether it arises in a variant.
    pub arises: fn(&Variant) -> bool,
    /// What settles it there.
    pub settled: Settled,
}

/// What settles a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// Nothing: the relaxation accepts every interpretation, and counts them.
    Open(Relaxation),
    /// A source, and what it says.
    By(&'static str),
}

/// Every choice.
pub fn choices() -> impl Iterator<Item = &'static Choice> {
    [special::ROWS, conversion::ROWS, arithmetic::ROWS, accuracy::ROWS].into_iter().flatten()
}

const fn row(what: &'static str, arises: fn(&Variant) -> bool, settled: Settled) -> Choice {
    Choice { what, arises, settled }
}

#[cfg(test)]
mod tests;
