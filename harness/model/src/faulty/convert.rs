//! The stages with faults of conversions: scales, integers, random bits.

use formats::UE8M0;
use isa::{RandomBits, RandomFields, Scaling};

use super::Faulty;
use crate::Fault;
use crate::datum::Datum;
use crate::number::Number;
use crate::stages::{Convert, StochasticBits, VariantFacts, is_reversed};

impl Convert for Faulty<'_> {
    fn scaled(&self, scaling: Scaling, datum: Datum, scale: u64) -> Datum {
        let inverted = self.has(Fault::ScaleInverted);
        match (Datum::decode(&UE8M0, scale), scaling) {
            (Datum::Nan(_), Scaling::Divide) if self.has(Fault::ScaleNanIgnored) => datum.scaled(-128),
            (Datum::Nan(_), Scaling::Multiply) if self.has(Fault::ScaleNanIgnored) => datum.scaled(128),
            _ if self.has(Fault::ScaleIgnored) => datum,
            (_, Scaling::Divide) if inverted => self.plain.scaled(Scaling::Multiply, datum, scale),
            (_, Scaling::Multiply) if inverted => self.plain.scaled(Scaling::Divide, datum, scale),
            _ => self.plain.scaled(scaling, datum, scale),
        }
    }

    fn limit(&self, negative: bool) -> u64 {
        if negative && self.has(Fault::NegativeIsZero) {
            return 0;
        }
        if let Some(width) = self.clamped_width {
            return lowest_or_largest(width, negative) & self.output().mask();
        }
        if self.has(Fault::UnsignedIndefinite) {
            return lowest_or_largest(self.output().width(), true);
        }
        // Signed integers have one more below zero than above, so none that fits exceeds this limit.
        let limit = self.plain.limit(negative || self.has(Fault::Indefinite));
        match negative {
            // The low bits of 2^63.
            _ if self.has(Fault::WrapsFrom64) => 0,
            true => limit + u64::from(self.has(Fault::ClampsShortBelow)),
            false => limit - u64::from(self.has(Fault::ClampsShort)),
        }
    }

    fn clamped(&self, integer: Number, limit: u64) -> u64 {
        // −2^63 has the same bits either way.
        let beyond = integer.leading().is_some_and(|leading| leading >= 63);
        match () {
            () if integer.negative && self.has(Fault::NegativeIsZero) => 0,
            () if self
                .clamped_width
                .is_some_and(|width| integer.leading() >= Some(width as i32 - 1)) =>
            {
                limit
            }
            () if self.clamped_width.is_some() => integer.encode(self.output()),
            () if self.has(Fault::WrapsFrom64) && beyond => limit,
            () if self.has(Fault::Wraps) || self.has(Fault::WrapsFrom64) => {
                integer.encode(self.output())
            }
            () if self.has(Fault::UnsignedIndefinite) => {
                let width = self.output().width();
                let fits = integer.leading() < Some(width as i32 - 1);
                if fits { integer.encode(self.output()) } else { limit }
            }
            () if self.has(Fault::NegativeWraps) && integer.negative && !beyond => {
                integer.encode(self.output())
            }
            () if self.has(Fault::LimitIsFloat) && integer.equals(self.one_too_large()) => {
                self.output().min_finite()
            }
            () if self.has(Fault::LowestIsZero)
                && integer.equals(Number::lowest_integer(self.output().width())) =>
            {
                0
            }
            () => self.plain.clamped(integer, limit),
        }
    }

    fn random(&self, random: RandomBits, lane: usize, register: u64) -> StochasticBits {
        let swapped = self.has(Fault::RandomPairsSwapped) && random.fields != RandomFields::Halves;
        let lane = if swapped { lane ^ 2 } else { lane };
        let StochasticBits { bits, count } = self.plain.random(random, lane, register);
        let bits = if self.has(Fault::RandomNeverReversed) && is_reversed(random, lane) {
            bits.reverse_bits() >> (u64::BITS - count)
        } else {
            bits
        };
        let bits = match () {
            () if self.has(Fault::RandomShort) => bits & !1,
            () if self.has(Fault::RandomOneMore) => bits + 1,
            () if self.has(Fault::RandomReversed) => bits.reverse_bits() >> (u64::BITS - count),
            () if self.has(Fault::RandomIgnored) => 0,
            () => bits,
        };
        StochasticBits { bits, count }
    }
}

impl Faulty<'_> {
    /// Returns the integer that is one more than the largest of the result's format.
    fn one_too_large(&self) -> Number {
        let sign = i32::from(self.output().signed);
        Number { negative: false, significand: 1, exponent: self.output().width() as i32 - sign }
    }
}

/// Returns the bits of the lowest or of the largest signed integer of a width.
fn lowest_or_largest(width: u32, negative: bool) -> u64 {
    let lowest = 1u64 << (width - 1);
    if negative { lowest } else { lowest - 1 }
}
