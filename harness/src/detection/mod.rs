//! How much the suite catches: mutants of every variant, run on its sweeps and by other generators.
//!
//! A mutant is a variant with one [`Mutation`]: of an exact variant a [`Fault`] of the staged model; of
//! an approximate one, results just outside the bound for few operands ([`LocalizedFault`]). It is
//! killed when the judge calls one of its results a mismatch. Where it is not, there must be a proof
//! that it cannot be ([`proof`]), or it has survived the sweeps.

mod generator;
mod localized;
mod proof;
mod run;
mod score;
mod table;

use isa::Variant;
use model::{Fault, Model};

pub use generator::Generator;
pub use localized::LocalizedFault;
pub use proof::{Proof, is_tolerated};
pub use run::{EQUIVALENCE_VECTORS, Killed, MutantResult, Outcome, run_mutants};
pub use score::{Family, Score, ScoreRequest, score};
pub use table::percent;

/// What is wrong with a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mutation {
    /// A stage of an exact operation.
    Stage(Fault),
    /// The results of some operands of an approximate one.
    Localized(LocalizedFault),
}

impl Mutation {
    /// Every mutation.
    pub fn all() -> impl Iterator<Item = Mutation> {
        let stages = Fault::ALL.iter().map(|fault| Mutation::Stage(*fault));
        stages.chain(LocalizedFault::ALL.iter().map(|fault| Mutation::Localized(*fault)))
    }

    /// Those that a variant can have.
    pub fn of(variant: &Variant) -> Vec<Mutation> {
        let exact = Model::covers(variant);
        let concerns = |mutation: &Mutation| match mutation {
            Mutation::Stage(fault) => exact && fault.concerns(variant),
            Mutation::Localized(fault) => !exact && fault.concerns(variant),
        };
        Mutation::all().filter(concerns).collect()
    }

    /// Its name.
    pub fn id(self) -> String {
        match self {
            Mutation::Stage(fault) => fault.id(),
            Mutation::Localized(fault) => fault.id().into(),
        }
    }

    /// What is wrong, in words.
    pub fn words(self) -> String {
        match self {
            Mutation::Stage(fault) => fault.words(),
            Mutation::Localized(fault) => fault.words().into(),
        }
    }
}
