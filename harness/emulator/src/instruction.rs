//! The instructions, as functions of words.

mod arithmetic;
mod comparison;
mod conversion;
mod division;
mod fused;
mod integer;
mod selection;
mod sign;

use super::word::Word;

pub use arithmetic::*;
pub use comparison::*;
pub use conversion::*;
pub use division::*;
pub use fused::*;
pub use integer::*;
pub use selection::*;
pub use sign::*;

/// An instruction with its formats and modifiers, of `N` inputs.
pub trait Instruction<const N: usize>: Copy + Send + Sync + 'static {
    /// Returns the results for as many elements as a word holds.
    fn compute<W: Word>(&self, inputs: [W; N]) -> W;
}
