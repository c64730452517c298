//! Mutations, each of which says what can be wrong with a mutant of a variant.

use isa::Variant;
use model::{Fault, Model};

use crate::LocalizedFault;

/// A mutation: the fault that a mutant of a variant has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mutation {
    /// A fault in a stage of an exact operation.
    Stage(Fault),
    /// A fault in the results of some operands of an approximate operation.
    Localized(LocalizedFault),
}

impl Mutation {
    /// Returns every mutation, of exact and of approximate operations.
    pub fn all() -> impl Iterator<Item = Mutation> {
        let stages = Fault::ALL.iter().map(|fault| Mutation::Stage(*fault));
        stages.chain(LocalizedFault::ALL.iter().map(|fault| Mutation::Localized(*fault)))
    }

    /// Returns the mutations that a variant can have.
    pub fn of(variant: &Variant) -> Vec<Mutation> {
        let exact = Model::covers(variant);
        let concerns = |mutation: &Mutation| match mutation {
            Mutation::Stage(fault) => exact && fault.concerns(variant),
            Mutation::Localized(fault) => !exact && fault.concerns(variant),
        };
        Mutation::all().filter(concerns).collect()
    }

    /// Returns the mutation's name.
    pub fn id(self) -> String {
        match self {
            Mutation::Stage(fault) => fault.id(),
            Mutation::Localized(fault) => fault.id().into(),
        }
    }

    /// Describes in words what the mutation makes wrong.
    pub fn words(self) -> String {
        match self {
            Mutation::Stage(fault) => fault.words(),
            Mutation::Localized(fault) => fault.words().into(),
        }
    }
}
