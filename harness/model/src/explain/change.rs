//! The changes to a number that has been rounded: each stage of `finish` and `integer` by itself.

use isa::Clamp;

use super::ExactValue;
use crate::datum::Datum;
use crate::stages::{Convert, Finish, Plain, Round, StochasticBits, VariantFacts};

/// A stage behind the rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LateStage {
    /// A number beyond the largest one becomes the largest one.
    Stopped,
    /// A number beyond the largest one becomes infinity.
    Infinite,
    /// `.satfinite`: a number or infinity beyond the largest number becomes the largest number.
    Satfinite,
    /// NaN becomes the number that stands for it in a result that has no NaN.
    NanNumber,
    /// `.sat`: the value is clamped to [0, 1].
    Unit,
    /// `.relu`: a negative value becomes +0.
    Positive,
    /// `.pzo`: −0 becomes +0.
    PositiveZero,
    /// A number or infinity beyond the last integer becomes the last integer.
    Integer,
    /// A value that the format has no bits for becomes one that it has.
    Encoding,
}

/// A change of a value by a stage behind the rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageChange {
    /// The stage that makes the change.
    pub step: LateStage,
    /// The value before the stage.
    pub from: ExactValue,
    /// The value after the stage.
    pub to: ExactValue,
}

/// Flushes or rounds an exact result, as if no number were too large.
pub fn rounded(stages: &Plain, exact: Datum, random: StochasticBits) -> Datum {
    match exact {
        Datum::Finite(number) if stages.flushes(number) => stages.flushed_to(number.negative),
        Datum::Finite(number) => Datum::Finite(stages.rounded(number, random)),
        special => special,
    }
}

/// Returns the changes that the stages behind the rounding make to a rounded result, in order.
pub fn changes(stages: &Plain, rounded: Datum) -> Vec<StageChange> {
    let mut chain = Chain { now: rounded, changes: Vec::new() };
    match stages.output().is_integer() {
        true => chain.integer(stages),
        false => chain.float(stages),
    }
    chain.changes
}

/// A value on its way through the stages behind the rounding, with the changes so far.
struct Chain {
    now: Datum,
    changes: Vec<StageChange>,
}

impl Chain {
    /// Goes on to the value after a stage, and keeps the change if it makes another number.
    fn then(&mut self, step: LateStage, becomes: Datum) {
        let [from, to] = [self.now, becomes].map(ExactValue::from);
        if from != to {
            self.changes.push(StageChange { step, from, to });
        }
        self.now = becomes;
    }

    /// Goes through the stages of a conversion to an integer.
    fn integer(&mut self, stages: &Plain) {
        let limit = |negative| Datum::decode(stages.output(), stages.limit(negative));
        match self.now {
            Datum::Finite(number) => {
                let bits = stages.clamped(number, stages.limit(number.negative));
                self.then(LateStage::Integer, decoded(stages, self.now, bits));
            }
            Datum::Infinity(negative) => self.then(LateStage::Integer, limit(negative)),
            Datum::Nan(_) => {
                self.then(
                    LateStage::NanNumber,
                    Datum::decode(stages.output(), stages.integer(self.now)),
                );
            }
        }
    }

    /// Goes through the stages of any other result.
    fn float(&mut self, stages: &Plain) {
        let meaning = stages.meaning();
        if let Datum::Finite(number) = self.now
            && stages.overflows(number)
        {
            let becomes = stages.overflowed(number.negative);
            match becomes {
                // Of two steps that end at the largest number, one tells it.
                Datum::Infinity(_) if meaning.satfinite => {
                    self.then(LateStage::Satfinite, stages.to_finite(becomes));
                }
                Datum::Infinity(_) => self.then(LateStage::Infinite, becomes),
                _ => self.then(LateStage::Stopped, becomes),
            }
        }
        if meaning.satfinite {
            let nan = matches!(self.now, Datum::Nan(_));
            let step = if nan { LateStage::NanNumber } else { LateStage::Satfinite };
            self.then(step, stages.to_finite(self.now));
        }
        match meaning.clamp {
            Clamp::None => {}
            Clamp::Positive => self.then(LateStage::Positive, stages.to_positive(self.now)),
            Clamp::Unit => self.then(LateStage::Unit, stages.to_unit(self.now)),
        }
        if meaning.positive_zero && self.now.is_zero() {
            self.then(LateStage::PositiveZero, Datum::ZERO);
        }
        self.then(LateStage::Encoding, decoded(stages, self.now, stages.encode(self.now)));
    }
}

/// Decodes the bits that a datum is encoded as. A fixed-point format has no −0; there −0 is returned as it was, since
/// 0 is no other number.
fn decoded(stages: &Plain, datum: Datum, bits: u64) -> Datum {
    match Datum::decode(stages.output(), bits) {
        becomes if becomes.is_zero() && datum.is_zero() && stages.output().is_fixed() => datum,
        becomes => becomes,
    }
}
