//! The right model, stage by stage: the lanes of a row; an input, flushed and decoded; the exact
//! operation; one rounding; clamps; the encoding. Choices and comparisons have inputs and results alone.
//!
//! A stage is a method with a body that is right for every variant; what it needs to know is in the
//! [`Meaning`]. [`Plain`] is the stages as they stand here. A wrong model overrides some of them, or
//! has another meaning, and whatever it leaves alone is right (`faulty`).

mod choose;
mod convert;
mod decode;
mod finish;
mod lanes;
mod operate;
mod order;
mod round;

use formats::Format;
use isa::{Meaning, Variant};

pub use choose::Choose;
pub use convert::{Convert, is_reversed};
pub use decode::Decode;
pub use finish::{Finish, finish};
pub use lanes::Lanes;
pub use operate::{Operate, in_turn};
pub use order::{Order, better};
pub use round::{Round, StochasticBits};

use super::datum::Datum;
use super::number::Number;

/// The facts that every stage knows: the variant, its meaning and its formats.
pub trait VariantFacts {
    /// Returns the variant that is modelled.
    fn variant(&self) -> &Variant;

    /// Returns the variant's meaning, or the wrong one that a fault takes for it.
    fn meaning(&self) -> &Meaning;

    /// Returns the format of a lane's result.
    fn output(&self) -> &'static Format;

    /// Returns the largest finite number of the format of a lane's result.
    fn largest(&self) -> Number;

    /// Returns the format of one of a lane's inputs.
    fn input(&self, index: usize) -> &'static Format {
        self.variant().inputs()[index].format
    }
}

/// The stages without any fault.
#[derive(Clone, Copy, Debug)]
pub struct Plain<'a> {
    variant: &'a Variant,
    meaning: Meaning,
    output: &'static Format,
    largest: Number,
}

impl Plain<'_> {
    /// Returns the stages for a variant with its meaning or another one.
    pub fn new(variant: &Variant, meaning: Meaning) -> Plain<'_> {
        let output = variant.outputs()[0].format;
        let Datum::Finite(largest) = Datum::decode(output, output.max_finite()) else {
            unreachable!("finite, by its name")
        };
        Plain { variant, meaning, output, largest }
    }
}

impl VariantFacts for Plain<'_> {
    fn variant(&self) -> &Variant {
        self.variant
    }

    fn meaning(&self) -> &Meaning {
        &self.meaning
    }

    fn output(&self) -> &'static Format {
        self.output
    }

    fn largest(&self) -> Number {
        self.largest
    }
}

impl Lanes for Plain<'_> {}
impl Decode for Plain<'_> {}
impl Operate for Plain<'_> {}
impl Convert for Plain<'_> {}
impl Round for Plain<'_> {}
impl Finish for Plain<'_> {}
impl Choose for Plain<'_> {}
impl Order for Plain<'_> {}
