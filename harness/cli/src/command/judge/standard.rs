//! The standard that a judged function is held to: an instruction, expressions or another function.

use std::sync::Arc;

use compilers::promises::OwnMeaning;
use compilers::unit::Approximation;
use isa::Variant;
use runner::Meaning;

use super::against::Against;

/// The standard that a judged function is held to.
pub enum Standard {
    /// The contract of an instruction.
    Instruction(&'static Variant),
    /// The results of expressions.
    Expressions(OwnMeaning),
    /// The results of another function.
    Function(Against),
}

impl Standard {
    /// Returns the instruction whose operands and results the function has.
    pub fn shape(&self) -> &'static Variant {
        match self {
            Standard::Instruction(variant) => variant,
            Standard::Expressions(meaning) => meaning.shape(),
            Standard::Function(against) => against.shape(),
        }
    }

    /// Returns the meaning that takes the place of an instruction's contract, if there is one.
    pub fn meaning(&self, approximation: Approximation) -> Option<Arc<dyn Meaning>> {
        match self {
            Standard::Instruction(_) => None,
            Standard::Expressions(meaning) => Some(Arc::new(meaning.clone().at(approximation))),
            Standard::Function(against) => Some(Arc::new(against.clone().at(approximation))),
        }
    }
}
