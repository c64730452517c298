//! The instructions, as functions of words.

mod arithmetic;
mod comparison;
mod conversion;
mod division;
mod integer;
mod selection;
mod sign;

use super::word::Word;

pub use arithmetic::{Add, Fma, Mul, OutOfBounds};
pub use comparison::Compare;
pub use conversion::{Convert, Scalable, Scaled, Stochastic, ToIntegral};
pub use division::{Divide, Reciprocal, Root};
pub use integer::{Fixed, FromInteger, ToInteger};
pub use selection::{Extreme, Select};
pub use sign::{Copysign, Sign, Test};

/// An instruction with its formats and modifiers, of `N` inputs.
pub trait Instruction<const N: usize>: Copy + Send + Sync + 'static {
    /// The results for as many elements as a word holds.
    fn compute<W: Word>(&self, inputs: [W; N]) -> W;
}
