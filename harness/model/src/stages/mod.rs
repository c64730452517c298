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
pub use convert::Convert;
pub use decode::Decode;
pub use finish::Finish;
pub use lanes::Lanes;
pub use operate::{Operate, in_turn};
pub use order::Order;
pub use round::{Random, Round};

use super::datum::Datum;
use super::number::Number;

/// What every stage knows.
pub trait Subject {
    /// The variant …
    fn variant(&self) -> &Variant;

    /// … and what it means.
    fn meaning(&self) -> &Meaning;

    /// Encoding of a lane's result.
    fn output(&self) -> &'static Format;

    /// The largest finite number of that.
    fn largest(&self) -> Number;

    /// Encoding of one of a lane's inputs.
    fn input(&self, index: usize) -> &'static Format {
        self.variant().inputs()[index].format
    }
}

/// The stages as they are.
#[derive(Clone, Copy, Debug)]
pub struct Plain<'a> {
    variant: &'a Variant,
    meaning: Meaning,
    output: &'static Format,
    largest: Number,
}

impl Plain<'_> {
    /// Of a variant, with its meaning or another one.
    pub fn new(variant: &Variant, meaning: Meaning) -> Plain<'_> {
        let output = variant.outputs()[0].format;
        let Datum::Finite(largest) = Datum::decode(output, output.max_finite()) else {
            unreachable!("finite, by its name")
        };
        Plain { variant, meaning, output, largest }
    }
}

impl Subject for Plain<'_> {
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
