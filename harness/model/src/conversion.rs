//! Conversions: scale, magnitude, then to an integer or to a float.

use vectors::Format;
use vectors::format::{E2M1, F16, S2F6, UE8M0};
use vectors::isa::{Modifier, Rounding};

use super::datum::Datum;
use super::finish::Random;
use super::subject;
use super::{Deviation, Model};

impl Model {
    /// The result of `cvt` or a cast.
    pub(super) fn convert(&self, lane: usize, inputs: &[u64]) -> u64 {
        let to = self.output();
        let datum = self.converted(inputs);
        if to.is_fixed() && *to != S2F6 {
            return self.integer(datum);
        }
        let stochastic = self.variant.rounding() == Rounding::Stochastic;
        let random = if stochastic { self.random(lane, inputs[1]) } else { Random::default() };
        // A float without a sign holds the magnitude.
        let datum = if to.signed { datum } else { datum.with_sign(false) };
        self.with_payload(self.finish(datum, random), &inputs[..1])
    }

    /// The number that is converted, scaled.
    pub(super) fn converted(&self, inputs: &[u64]) -> Datum {
        let datum = self.decoded(self.input(0), inputs[0]);
        match self.has(Modifier::ScaledDown) || self.has(Modifier::ScaledUp) {
            true => self.scale(datum, inputs[1]),
            false => datum,
        }
    }

    /// Multiplied with the scale or, on the way to a narrower format, divided by it.
    fn scale(&self, datum: Datum, scale: u64) -> Datum {
        match Datum::decode(&UE8M0, scale) {
            Datum::Nan(_) if self.deviates(Deviation::ScaleNanIgnored) => {
                let down = self.has(Modifier::ScaledDown) || *self.output() == S2F6;
                datum.scaled(if down { -128 } else { 128 })
            }
            _ if self.deviates(Deviation::ScaleIgnored) => datum,
            Datum::Finite(power) => {
                let down = self.has(Modifier::ScaledDown) || *self.output() == S2F6;
                let divides = down != self.deviates(Deviation::ScaleInverted);
                datum.scaled(if divides { -power.exponent } else { power.exponent })
            }
            _ => Datum::INVALID,
        }
    }

    /// An integer of the result's width: rounded, and clamped to its range.
    fn integer(&self, datum: Datum) -> u64 {
        let to = self.output();
        let limit = |negative| match negative {
            true => to.min_finite() + u64::from(self.deviates(Deviation::ClampsShortBelow)),
            false => to.max_finite() - u64::from(self.deviates(Deviation::ClampsShort)),
        };
        match datum {
            Datum::Nan(_) => self.integer_of_nan(to),
            Datum::Infinity(negative) => limit(negative),
            Datum::Finite(number) => {
                let mut rounded = self
                    .rounded_first(number)
                    .round(u128::BITS, 0, |cut| self.rounds_away(cut, Random::default()));
                if self.deviates(Deviation::NegativeIsMagnitude) && !to.signed {
                    rounded.negative = false;
                }
                let limit = limit(rounded.negative);
                let Datum::Finite(last) = Datum::decode(to, limit) else { unreachable!("an integer") };
                let beyond = rounded.exceeds(last) && !self.deviates(Deviation::Wraps);
                if beyond { limit } else { rounded.encode(to) }
            }
        }
    }

    /// The highest bit alone if one side has 64 bits, else 0.
    fn integer_of_nan(&self, to: &Format) -> u64 {
        if self.deviates(Deviation::NanToMax) {
            return to.max_finite();
        }
        if subject::wide_integer(&self.variant) && !self.deviates(Deviation::NanToZero) {
            1 << (to.width() - 1)
        } else {
            0
        }
    }

    /// A lane's part of the random bits, of which lanes have fields of their own, or two lanes share
    /// one that the higher of them reads backwards.
    pub(super) fn random(&self, lane: usize, bits: u64) -> Random {
        let to = *self.output();
        let random = if self.variant.lanes() == 2 {
            let half = bits >> (16 * lane) & 0xffff;
            let count = if to == F16 { 13 } else { 16 };
            Random { bits: half & ((1 << count) - 1), count }
        } else {
            let [byte0, byte1, byte2, byte3] = (bits as u32).to_le_bytes();
            let upper = (lane >= 2) != self.deviates(Deviation::RandomPairsSwapped);
            let field = u16::from_le_bytes(match (to == E2M1, upper) {
                (false, true) => [byte2, byte3],
                (false, false) => [byte0, byte1],
                (true, true) => [byte1, byte3],
                (true, false) => [byte0, byte2],
            });
            let field = if lane % 2 == 1 { field.reverse_bits() } else { field };
            Random { bits: field.into(), count: 16 }
        };
        let Random { bits, count } = random;
        let bits = match () {
            () if self.deviates(Deviation::RandomShort) => bits & !1,
            () if self.deviates(Deviation::RandomOneMore) => bits + 1,
            () if self.deviates(Deviation::RandomReversed) => bits.reverse_bits() >> (u64::BITS - count),
            () if self.deviates(Deviation::RandomIgnored) => 0,
            () => bits,
        };
        Random { bits, count }
    }
}
