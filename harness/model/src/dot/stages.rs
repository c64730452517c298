//! The right model of a sum of products, stage by stage: elements and scales are read; products are exact;
//! a unit aligns, cuts off, adds and rounds a group of them; and a lowering makes a sequence of units, or of
//! operations on single numbers, out of one instruction.
//!
//! A stage is a method with a body that is right for every variant. [`Plain`] is the stages as they stand here;
//! a wrong model overrides some of them (`faulty`).

mod add;
mod lower;
mod multiply;
mod read;
mod round;

use isa::matrix::{Dot, Lowering};

pub use add::Add;
pub use lower::Lower;
pub use multiply::Multiply;
pub use read::{MatrixSide, Read};
pub use round::{Grid, Round, largest};

/// The facts that every stage of a sum of products knows.
pub trait DotFacts {
    /// Returns which elements are multiplied and added.
    fn dot(&self) -> &Dot;

    /// Returns the sequence by which a target multiplies and adds.
    fn lowering(&self) -> Lowering;
}

/// The stages without any fault.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    pub dot: Dot,
    pub lowering: Lowering,
}

impl DotFacts for Plain {
    fn dot(&self) -> &Dot {
        &self.dot
    }

    fn lowering(&self) -> Lowering {
        self.lowering
    }
}

impl Read for Plain {}
impl Multiply for Plain {}
impl Add for Plain {}
impl Round for Plain {}
impl Lower for Plain {}
