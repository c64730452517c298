//! The staged model: one lane at a time, one function a stage.

use vectors::isa::{Modifier, Operation, Rounding};
use vectors::{Column, Format, Variant};

use super::Deviation;
use super::number::{Datum, Number};

/// A model of one variant, right or deviating.
#[derive(Clone, Debug)]
pub struct Model {
    variant: Variant,
    deviation: Option<Deviation>,
}

impl Model {
    /// The model of `variant` with at most one deviation.
    pub fn new(variant: &Variant, deviation: Option<Deviation>) -> Model {
        Model { variant: variant.clone(), deviation }
    }

    fn deviates(&self, deviation: Deviation) -> bool {
        self.deviation == Some(deviation)
    }

    fn format(&self) -> &'static Format {
        self.variant.results()[0].ty.format
    }

    /// Computes every row of `results`.
    pub fn run(&self, operands: &[Column], results: &mut [Column]) {
        let lanes = self.variant.lanes();
        let width = self.format().width();
        let mut of_lanes = vec![[0; 3]; lanes];
        for row in 0..operands[0].rows() {
            for (index, (operand, column)) in self.variant.operands().iter().zip(operands).enumerate() {
                let bits = column.get(row);
                for (lane, of_lane) in of_lanes.iter_mut().enumerate() {
                    let format = operand.ty.format;
                    of_lane[index] = bits >> (lane as u32 * format.width()) & format.mask();
                }
            }
            let bits = self.row(&of_lanes);
            let register =
                bits.iter().rev().fold(0u128, |register, bits| register << width | u128::from(*bits));
            results[0].set(row, register as u64);
        }
    }

    /// The results of a row's lanes.
    fn row(&self, of_lanes: &[[u64; 3]]) -> Vec<u64> {
        let count = self.variant.operands().len();
        let lane = |operands: &[u64; 3]| self.lane(&operands[..count]);
        let mut results: Vec<u64> = of_lanes.iter().map(lane).collect();
        let out_of_bounds = |operands: &[u64; 3]| self.out_of_bounds(&operands[..count]);
        if self.deviates(Deviation::OobAllLanes) && of_lanes.iter().any(out_of_bounds) {
            results.fill(0);
        }
        if self.deviates(Deviation::LanesSwapped) {
            results.reverse();
        }
        results
    }

    /// The result of one lane.
    fn lane(&self, operands: &[u64]) -> u64 {
        if self.out_of_bounds(operands) {
            return 0;
        }
        let inputs: Vec<Datum> = operands
            .iter()
            .zip(self.variant.operands())
            .map(|(&bits, operand)| self.input(operand.ty.format, bits))
            .collect();
        let rounded = match self.operate(&inputs) {
            Datum::Finite(exact) => self.round(exact),
            Datum::Infinity(negative) => self.infinity(negative),
            Datum::Nan(_) => self.format().canonical_nan(),
        };
        self.clamp(rounded, &inputs)
    }

    fn out_of_bounds(&self, operands: &[u64]) -> bool {
        let mask = if self.deviates(Deviation::OobPositiveOnly) { 0xffff } else { 0x7fff };
        let looked_at = if self.deviates(Deviation::OobFirstOnly) { 1 } else { operands.len() - 1 };
        self.variant.has(Modifier::Oob) && operands[..looked_at].iter().any(|bits| bits & mask == 0x7ff7)
    }

    fn input(&self, format: &Format, bits: u64) -> Datum {
        let flushed = self.variant.has(Modifier::Ftz) && !self.deviates(Deviation::InputNotFlushed);
        let lost = self.deviates(Deviation::NarrowSubnormalLost) && *format != *self.format();
        let subnormal = bits & format.exponent_mask() == 0;
        Datum::decode(
            format,
            if subnormal && (flushed || lost) { bits & format.sign_mask() } else { bits },
        )
    }

    /// The exact result.
    fn operate(&self, inputs: &[Datum]) -> Datum {
        match (self.variant.operation(), inputs) {
            (Operation::Add, &[a, b]) => self.add(a, b),
            (Operation::Sub, &[a, b]) => self.add(a, negated(b)),
            (Operation::Mul, &[a, b]) => multiply(a, b),
            (Operation::Fma, &[a, b, c]) => match multiply(a, b) {
                Datum::Finite(product) if self.deviates(Deviation::Unfused) => {
                    let rounded = self.round(product);
                    self.add(Datum::decode(self.format(), rounded), c)
                }
                product => self.add(product, c),
            },
            (operation, _) => unreachable!("{operation:?} of {} operands", inputs.len()),
        }
    }

    fn add(&self, a: Datum, b: Datum) -> Datum {
        let down = self.variant.rounding() == Rounding::Down;
        let negative_zero = down && !self.deviates(Deviation::ZeroSumPositive);
        match (a, b) {
            (Datum::Nan(_), _) => a,
            (_, Datum::Nan(_)) => b,
            (Datum::Infinity(a), Datum::Infinity(b)) if a != b => Datum::Nan(0),
            (Datum::Infinity(_), _) => a,
            (_, Datum::Infinity(_)) => b,
            (Datum::Finite(a), Datum::Finite(b)) => Datum::Finite(a.plus(b, negative_zero)),
        }
    }

    /// Rounds, flushes and encodes an exact result.
    fn round(&self, exact: Number) -> u64 {
        let format = self.format();
        let tiny = exact.leading().is_some_and(|leading| leading < format.exponent_min());
        if tiny && self.variant.has(Modifier::Ftz) && !self.deviates(Deviation::ResultNotFlushed) {
            let positive = self.deviates(Deviation::FlushLosesSign) || !exact.negative;
            return if positive { 0 } else { format.sign_mask() };
        }
        let rounding = match self.variant.rounding() {
            Rounding::Down if self.deviates(Deviation::DownTowardZero) => Rounding::TowardZero,
            Rounding::NearestEven if self.deviates(Deviation::Truncated) => Rounding::TowardZero,
            rounding => rounding,
        };
        let tie = if self.deviates(Deviation::TiesAway) { |_| true } else { |odd| odd };
        let first = match self.deviation {
            Some(Deviation::ThroughF32) => exact.round(24, i32::MIN, rounding, tie),
            Some(Deviation::ThroughF64) => exact.round(53, i32::MIN, rounding, tie),
            Some(Deviation::StickyLost(places)) => {
                exact.round(places.into(), i32::MIN, Rounding::TowardZero, tie)
            }
            _ => exact,
        };
        let unit = format.exponent_min() - format.trailing_bits as i32;
        let rounded = first.round(format.precision(), unit, rounding, tie);
        if rounded.leading().is_some_and(|leading| leading > format.exponent_max()) {
            return self.overflowed(rounded.negative, rounding);
        }
        rounded.encode(format)
    }

    fn overflowed(&self, negative: bool, rounding: Rounding) -> u64 {
        let inwards = match rounding {
            Rounding::NearestEven => self.deviates(Deviation::OverflowToMax),
            Rounding::TowardZero => !self.deviates(Deviation::OverflowToInfinity),
            Rounding::Down => !negative,
            Rounding::Up => negative,
            rounding => unreachable!("{rounding:?}"),
        };
        let sign = if negative { self.format().sign_mask() } else { 0 };
        if inwards { sign | self.format().max_finite() } else { self.infinity(negative) }
    }

    fn infinity(&self, negative: bool) -> u64 {
        let sign = if negative { self.format().sign_mask() } else { 0 };
        sign | self.format().infinity().unwrap_or(self.format().canonical_nan())
    }

    /// Forces a result into the range of `.sat` or `.relu`.
    fn clamp(&self, bits: u64, inputs: &[Datum]) -> u64 {
        let format = self.format();
        let (nan, negative) = (format.is_nan(bits), format.is_negative(bits));
        if self.variant.has(Modifier::Sat) {
            return match (nan, negative) {
                (true, _) if self.deviates(Deviation::SatKeepsNan) => bits,
                (true, _) => 0,
                (false, true) if self.deviates(Deviation::SatSigned) => {
                    bits.min(format.sign_mask() | format.one())
                }
                (false, true) => 0,
                (false, false) => bits.min(format.one()),
            };
        }
        if !self.variant.has(Modifier::Relu) {
            return bits;
        }
        let payload = inputs.iter().find_map(|input| match *input {
            Datum::Nan(bits) => Some(bits),
            _ => None,
        });
        match (nan, negative) {
            (true, _) if self.deviates(Deviation::ReluKeepsPayload) => payload.unwrap_or(bits),
            (true, _) => bits,
            (false, true)
                if self.deviates(Deviation::ReluKeepsTiny) && bits & format.exponent_mask() == 0 =>
            {
                bits
            }
            (false, true) => 0,
            (false, false) => bits,
        }
    }
}

fn negated(datum: Datum) -> Datum {
    match datum {
        Datum::Nan(bits) => Datum::Nan(bits),
        Datum::Infinity(negative) => Datum::Infinity(!negative),
        Datum::Finite(number) => Datum::Finite(Number { negative: !number.negative, ..number }),
    }
}

fn multiply(a: Datum, b: Datum) -> Datum {
    let is_zero = |datum| matches!(datum, Datum::Finite(Number { significand: 0, .. }));
    let negative = |datum| match datum {
        Datum::Nan(_) => false,
        Datum::Infinity(negative) => negative,
        Datum::Finite(number) => number.negative,
    };
    match (a, b) {
        (Datum::Nan(_), _) => a,
        (_, Datum::Nan(_)) => b,
        (Datum::Infinity(_), other) | (other, Datum::Infinity(_)) if is_zero(other) => Datum::Nan(0),
        (Datum::Infinity(_), _) | (_, Datum::Infinity(_)) => Datum::Infinity(negative(a) != negative(b)),
        (Datum::Finite(a), Datum::Finite(b)) => Datum::Finite(a.times(b)),
    }
}
