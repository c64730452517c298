//! What happens to the inputs of one lane, stage by stage.

use vectors::isa::{Conversion, Op};

use super::Model;
use super::datum::Datum;
use super::number::Number;
use super::stages::{Convert, Decode, Lanes, Operate, Plain, Random, Round, Subject};

/// The stages of one lane of one vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// For each input, whether it is flushed.
    pub flushed: Vec<bool>,
    /// Whether an input is the out-of-bounds NaN, so that nothing is computed.
    pub out_of_bounds: bool,
    /// The exact result of what computes one: its sign, significand and exponent. Of quotients and
    /// roots 62 bits and a sticky one.
    pub exact: Option<ExactValue>,
    /// How it is rounded.
    pub cutting: Option<Cutting>,
    /// Whether it is flushed instead.
    pub result_flushed: bool,
    /// The bits of the results.
    pub results: Vec<u64>,
}

/// An exact result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExactValue {
    /// Not a number.
    Nan,
    /// Of this sign; `true` is negative.
    Infinity(bool),
    /// `±significand × 2^exponent`.
    Finite {
        /// Whether it is negative.
        negative: bool,
        /// The significand.
        significand: u128,
        /// The exponent of its lowest bit.
        exponent: i32,
    },
}

/// An exact significand cut where it is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cutting {
    /// The bits that stay, …
    pub kept: u128,
    /// … of which the lowest is worth 2 to the power of this.
    pub unit: i32,
    /// The first bit behind them.
    pub guard: bool,
    /// Whether any bit behind that is set.
    pub sticky: bool,
    /// The bits behind the guard, and how many they are.
    pub rest: (u128, u32),
    /// Whether the magnitude is rounded up.
    pub up: bool,
}

impl Model {
    /// What happens to the inputs of one lane where nothing is wrong.
    pub fn explain(&self, lane: usize, inputs: &[u64]) -> Explained {
        let stages = self.plain();
        let variant = stages.variant();
        let out_of_bounds = stages.out_of_bounds(inputs);
        let exact = match () {
            () if out_of_bounds => None,
            () if variant.is_arithmetic() => Some(stages.exact(inputs)),
            () if variant.converts() => Some(stages.unconverted(inputs)),
            () => None,
        };
        let flushed = inputs.iter().enumerate();
        let flushed = flushed.map(|(index, &bits)| stages.flushed(index, bits) != bits);
        let number = match exact {
            Some(Datum::Finite(number)) if number.significand != 0 => Some(number),
            _ => None,
        };
        let result_flushed = number.is_some_and(|number| stages.flushes(number));
        Explained {
            flushed: flushed.collect(),
            out_of_bounds,
            exact: exact.map(ExactValue::from),
            cutting: number
                .filter(|_| !result_flushed)
                .and_then(|number| cutting(&stages, lane, inputs, number)),
            result_flushed,
            results: stages.lane(lane, inputs)[..variant.outputs().len()].to_vec(),
        }
    }
}

/// Where a number is cut; `None` if nothing of it is.
fn cutting(stages: &Plain, lane: usize, inputs: &[u64], number: Number) -> Option<Cutting> {
    let random = match stages.meaning().op {
        Op::Convert(Conversion::Stochastic(bits)) => stages.random(bits, lane, inputs[1]),
        _ => Random::default(),
    };
    let (precision, unit) = stages.grid();
    let unit = unit.max(number.leading()? - precision as i32 + 1);
    let width = u32::try_from(unit - number.exponent).ok().filter(|width| *width > 0)?;
    let kept = number.significand.checked_shr(width).unwrap_or(0);
    let cut = number.significand - kept.checked_shl(width).unwrap_or(0);
    let guard = cut.checked_shr(width - 1).unwrap_or(0) & 1;
    let rest = cut - guard.checked_shl(width - 1).unwrap_or(0);
    Some(Cutting {
        kept,
        unit,
        guard: guard == 1,
        sticky: rest != 0,
        rest: (rest, width - 1),
        up: stages.rounded(number, random).significand != kept,
    })
}

impl From<Datum> for ExactValue {
    fn from(datum: Datum) -> ExactValue {
        match datum {
            Datum::Nan(_) => ExactValue::Nan,
            Datum::Infinity(negative) => ExactValue::Infinity(negative),
            Datum::Finite(Number { negative, significand, exponent }) => {
                ExactValue::Finite { negative, significand, exponent }
            }
        }
    }
}
