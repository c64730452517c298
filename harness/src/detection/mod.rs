//! How much the suite catches: mutants of every variant, hunted by its sweeps and by other generators.
//!
//! A mutant is a variant with one fault. Of an exact variant that is a [`Deviation`] of the staged
//! model; of an approximate one, results just outside the bound for few operands ([`Narrow`]). It is
//! found when the judge calls one of its results a mismatch. Where it is not, there must be a proof
//! that it cannot be ([`proof`]), or the sweeps have missed it.

mod exact;
mod generator;
mod hunt;
mod narrow;
mod proof;
mod score;
mod table;

use model::{Deviation, Model};
use vectors::Variant;

pub use generator::Generator;
pub use hunt::{Fate, Found, Hunted, PROVEN, hunt};
pub use narrow::Narrow;
pub use score::{Family, Hunting, Score, score};
pub use table::percent;

/// What is wrong with a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Flaw {
    /// A stage of an exact operation.
    Stage(Deviation),
    /// The results of some operands of an approximate one.
    Range(Narrow),
}

impl Flaw {
    /// Every flaw.
    pub fn all() -> impl Iterator<Item = Flaw> {
        let stages = Deviation::ALL.iter().map(|deviation| Flaw::Stage(*deviation));
        stages.chain(Narrow::ALL.iter().map(|narrow| Flaw::Range(*narrow)))
    }

    /// Those that a variant can have.
    pub fn of(variant: &Variant) -> Vec<Flaw> {
        let exact = Model::covers(variant);
        let concerns = |flaw: &Flaw| match flaw {
            Flaw::Stage(deviation) => exact && deviation.concerns(variant),
            Flaw::Range(narrow) => !exact && narrow.concerns(variant),
        };
        Flaw::all().filter(concerns).collect()
    }

    /// Its name.
    pub fn id(self) -> String {
        match self {
            Flaw::Stage(deviation) => deviation.id(),
            Flaw::Range(narrow) => narrow.id().into(),
        }
    }

    /// What is wrong, in words.
    pub fn words(self) -> &'static str {
        match self {
            Flaw::Stage(deviation) => deviation.words(),
            Flaw::Range(narrow) => narrow.words(),
        }
    }
}
