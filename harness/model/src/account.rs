//! What happens to the inputs of one lane, stage by stage.

use vectors::format::{Class, Scale};
use vectors::isa::{Operation, Rounding};

use super::Model;
use super::datum::Datum;
use super::number::Number;
use super::subject;

/// The stages of one lane of one vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// For each input, whether it is flushed.
    pub flushed: Vec<bool>,
    /// Whether an input is the out-of-bounds NaN, so that nothing is computed.
    pub out_of_bounds: bool,
    /// The exact result of what computes one: its sign, significand and exponent. Of quotients and
    /// roots 62 bits and a sticky one.
    pub exact: Option<Exactly>,
    /// How it is rounded.
    pub cutting: Option<Cutting>,
    /// Whether it is flushed instead.
    pub result_flushed: bool,
    /// The bits of the results.
    pub results: Vec<u64>,
}

/// An exact result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exactly {
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
    /// What happens to the inputs of one lane.
    pub fn account(&self, lane: usize, inputs: &[u64]) -> Account {
        use Operation::*;
        let computes = subject::arithmetic(&self.variant);
        let converts = matches!(self.variant.operation(), Cvt | Cast);
        let out_of_bounds = self.out_of_bounds(inputs);
        let exact = match () {
            () if out_of_bounds => None,
            () if computes => Some(self.exactly(inputs)),
            () if converts => Some(self.converted(inputs)),
            () => None,
        };
        let flushed = inputs.iter().enumerate().map(|(index, &bits)| {
            let format = self.input(index);
            format.class(bits) == Class::Subnormal && self.flushed(format, bits) != bits
        });
        let number = match exact {
            Some(Datum::Finite(number)) if number.significand != 0 => Some(number),
            _ => None,
        };
        let result_flushed = number.is_some_and(|number| self.flushes_result(number));
        let outputs = self.variant.outputs().len();
        Account {
            flushed: flushed.collect(),
            out_of_bounds,
            exact: exact.map(Exactly::from),
            cutting: number
                .filter(|_| !result_flushed)
                .and_then(|number| self.cutting(lane, inputs, number)),
            result_flushed,
            results: self.lane(lane, inputs)[..outputs].to_vec(),
        }
    }

    /// Where a number is cut; `None` if nothing of it is.
    fn cutting(&self, lane: usize, inputs: &[u64], number: Number) -> Option<Cutting> {
        let format = self.output();
        let stochastic = self.variant.rounding() == Rounding::Stochastic;
        let random = if stochastic { self.random(lane, inputs[1]) } else { Default::default() };
        let (precision, unit) = match format.scale {
            Scale::Fixed if format.bias == 0 => (u128::BITS, 0),
            _ => self.grid(),
        };
        let unit = unit.max(number.leading()? - precision as i32 + 1);
        let width = u32::try_from(unit - number.exponent).ok().filter(|width| *width > 0)?;
        let kept = number.significand.checked_shr(width).unwrap_or(0);
        let cut = number.significand - kept.checked_shl(width).unwrap_or(0);
        let guard = cut.checked_shr(width - 1).unwrap_or(0) & 1;
        let rest = cut - guard.checked_shl(width - 1).unwrap_or(0);
        let rounded = number.round(precision, unit, |cut| self.rounds_away(cut, random));
        Some(Cutting {
            kept,
            unit,
            guard: guard == 1,
            sticky: rest != 0,
            rest: (rest, width - 1),
            up: rounded.significand != kept,
        })
    }
}

impl From<Datum> for Exactly {
    fn from(datum: Datum) -> Exactly {
        match datum {
            Datum::Nan(_) => Exactly::Nan,
            Datum::Infinity(negative) => Exactly::Infinity(negative),
            Datum::Finite(Number { negative, significand, exponent }) => {
                Exactly::Finite { negative, significand, exponent }
            }
        }
    }
}
