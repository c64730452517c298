//! The standard that a judged function is held to: an instruction, expressions, a mathematical function or another
//! function of the user's.

use std::sync::Arc;

use anyhow::{Result, bail};
use compilers::promises::OwnMeaning;
use compilers::unit::Approximation;
use functions::FunctionMeaning;
use isa::Variant;
use runner::Meaning;
use selection::subject::Subject;

use super::against::Against;

/// The standard that a judged function is held to.
pub enum Standard {
    /// The contract of an instruction.
    Instruction(&'static Variant),
    /// The results of expressions.
    Expressions(OwnMeaning),
    /// The results of a mathematical function, within a bound.
    Mathematical(FunctionMeaning),
    /// The results of another function.
    Function(Against),
}

impl Standard {
    /// Reads the text of `--as`.
    ///
    /// # Errors
    /// If the text is no meaning, says where; if it is a matrix instruction.
    pub fn read(text: &str) -> Result<Standard> {
        if let Some(meaning) = FunctionMeaning::read(text)? {
            return Ok(Standard::Mathematical(meaning));
        }
        if !text.contains(['(', ';']) && !text.contains(" or ") && !text.starts_with("within ") {
            let Subject::Variant(variant) = Subject::named(text)? else {
                bail!("--as `{text}` is a matrix instruction, which no function here can be held to");
            };
            return Ok(Standard::Instruction(variant));
        }
        let meaning = OwnMeaning::read(text)?;
        Ok(match meaning.instruction() {
            Some(variant) => Standard::Instruction(variant),
            None => Standard::Expressions(meaning),
        })
    }

    /// Returns the instruction whose operands and results the function has.
    pub fn shape(&self) -> &'static Variant {
        match self {
            Standard::Instruction(variant) => variant,
            Standard::Expressions(meaning) => meaning.shape(),
            Standard::Mathematical(meaning) => meaning.shape(),
            Standard::Function(against) => against.shape(),
        }
    }

    /// Returns the meaning that takes the place of an instruction's contract, if there is one.
    pub fn meaning(&self, approximation: Approximation) -> Option<Arc<dyn Meaning>> {
        match self {
            Standard::Instruction(_) => None,
            Standard::Expressions(meaning) => Some(Arc::new(meaning.clone().at(approximation))),
            Standard::Mathematical(meaning) => Some(Arc::new(meaning.clone())),
            Standard::Function(against) => Some(Arc::new(against.clone().at(approximation))),
        }
    }
}
