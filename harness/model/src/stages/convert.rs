//! Conversions: scale, then to an integer or to a float.

use formats::UE8M0;
use isa::{Conversion, NanRule, RandomBits, RandomFields, Scaling};

use super::{Decode, Finish, StochasticBits};
use crate::datum::Datum;
use crate::number::Number;

pub trait Convert: Decode + Finish {
    /// Computes the bits of a conversion's result.
    fn convert(&self, conversion: Conversion, lane: usize, inputs: &[u64]) -> u64 {
        let (to, datum) = (self.output(), self.unconverted(inputs));
        if to.is_integer() {
            return self.integer(datum);
        }
        let random = match conversion {
            Conversion::Stochastic(bits) => self.random(bits, lane, inputs[1]),
            _ => StochasticBits::default(),
        };
        // A float without a sign holds the magnitude.
        self.finish(if to.signed { datum } else { datum.with_sign(false) }, random)
    }

    /// Returns the number that is converted, after scaling.
    fn unconverted(&self, inputs: &[u64]) -> Datum {
        let datum = self.decoded(0, inputs[0]);
        match self.meaning().scale {
            Some(scaling) => self.scaled(scaling, datum, inputs[1]),
            None => datum,
        }
    }

    /// Multiplies a datum by the power of two that `scale` encodes, or divides it by that power.
    fn scaled(&self, scaling: Scaling, datum: Datum, scale: u64) -> Datum {
        match (Datum::decode(&UE8M0, scale), scaling) {
            // Numbers of ue8m0 have the significand 1, so that the exponent is all of them.
            (Datum::Finite(power), Scaling::Multiply) => datum.scaled(power.exponent),
            (Datum::Finite(power), Scaling::Divide) => datum.scaled(-power.exponent),
            _ => Datum::INVALID,
        }
    }

    /// Rounds a datum to an integer of the result's width, and returns its bits.
    fn integer(&self, datum: Datum) -> u64 {
        match (datum, self.meaning().nan) {
            (Datum::Finite(exact), _) => {
                let rounded = self.rounded(exact, StochasticBits::default());
                self.clamped(rounded, self.limit(rounded.negative))
            }
            (Datum::Infinity(negative), _) => self.limit(negative),
            (Datum::Nan(_), NanRule::Bits(bits)) => bits,
            (Datum::Nan(_), rule) => unreachable!("{rule:?} of an integer"),
        }
    }

    /// Returns the last integer on a side of zero: the lowest or the largest.
    fn limit(&self, negative: bool) -> u64 {
        if negative { self.output().min_finite() } else { self.output().max_finite() }
    }

    /// Returns the bits of an integer, or `limit` if the integer lies beyond that.
    fn clamped(&self, integer: Number, limit: u64) -> u64 {
        let format = self.output();
        match Datum::decode(format, limit) {
            Datum::Finite(last) if integer.exceeds(last) => limit,
            _ => integer.encode(format),
        }
    }

    /// Returns a lane's part of the random bits in a register. Lanes have fields of their own, or two lanes share one
    /// that the higher of them reads backwards.
    fn random(&self, random: RandomBits, lane: usize, register: u64) -> StochasticBits {
        let [byte0, byte1, byte2, byte3] = (register as u32).to_le_bytes();
        let field = u16::from_le_bytes(match (random.fields, lane) {
            (RandomFields::Halves, 0) | (RandomFields::PairsOfHalves, 0 | 1) => [byte0, byte1],
            (RandomFields::Halves | RandomFields::PairsOfHalves, _) => [byte2, byte3],
            (RandomFields::PairsOfBytes, 0 | 1) => [byte0, byte2],
            (RandomFields::PairsOfBytes, _) => [byte1, byte3],
        });
        // Measured on sm_100a; the manual has the layout of a field in figures only: see `Relaxation::RandomLayout`.
        let field = if is_reversed(random, lane) { field.reverse_bits() } else { field };
        StochasticBits { bits: u64::from(field) & ((1 << random.count) - 1), count: random.count }
    }
}

/// Whether a lane has its field of random bits in reverse, as measured.
pub fn is_reversed(random: RandomBits, lane: usize) -> bool {
    random.fields != RandomFields::Halves && lane % 2 == 1
}
