//! What can be wrong with a mutant of a variant.

use isa::Variant;
use model::{Fault, Model};

use crate::LocalizedFault;

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
