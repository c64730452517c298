//! Computes one lane of a variant with `rustc_apfloat`.

mod predicate;

use formats::{F16, F32, Format};
use isa::{Modifier, Operation, Rounding, Variant};
use rustc_apfloat::ieee::Quad;
use rustc_apfloat::{Float, Round, Status};

use super::finish::{Clamps, flush, flushes_input, flushes_result, rounding};
use super::number::{Numbers, RoundingResult, numbers, operate};

/// The out-of-bounds NaN, without its sign.
const OOB_NAN: u64 = 0x7ff7;

/// An input of a lane: its format, and whether it is flushed first.
struct Input {
    format: &'static Format,
    /// Numbers of the format; `None` for integers.
    numbers: Option<Box<dyn Numbers>>,
    flushed: bool,
}

impl Input {
    /// Returns the value of an input's bits.
    fn value(&self, bits: u64) -> Quad {
        match &self.numbers {
            Some(numbers) => numbers.value(bits),
            None => fixed_value(self.format, bits),
        }
    }
}

/// Returns a variant's operation; for arithmetic in memory it is the one that a modifier names.
pub fn operation(variant: &Variant) -> Operation {
    match variant.operation() {
        Operation::Atom
        | Operation::Red
        | Operation::Cp
        | Operation::Multimem
        | Operation::Fabric
        | Operation::Redux
        | Operation::Tcgen05 => match () {
            () if variant.has(Modifier::Add) => Operation::Add,
            () if variant.has(Modifier::Min) => Operation::Min,
            () => Operation::Max,
        },
        operation => operation,
    }
}

/// A variant prepared for computing lanes: its operation, formats and modifiers.
pub struct LaneProgram {
    variant: Variant,
    operation: Operation,
    round: Round,
    inputs: Vec<Input>,
    result: &'static Format,
    /// Numbers of the result's format; `None` for integers.
    target: Option<Box<dyn Numbers>>,
    flush_result: bool,
    clamps: Clamps,
    /// Whether the library has the operation and the one format of operands and result.
    native: bool,
    /// Whether the variant adds twice: two threads add to one word, or the words of three devices are added.
    in_turn: bool,
    /// Format that the sums of a variant that adds twice are made in, if it is not the format of the result.
    accumulator: Option<Box<dyn Numbers>>,
}

impl LaneProgram {
    /// Prepares the computation of a variant that is not excluded.
    pub fn new(variant: &Variant) -> LaneProgram {
        let result = variant.outputs()[0].format;
        let input = |data: &isa::LaneData| Input {
            format: data.format,
            numbers: numbers(data.format),
            flushed: flushes_input(variant, data.format),
        };
        LaneProgram {
            operation: operation(variant),
            round: match rounding(variant) {
                Rounding::NearestEven => Round::NearestTiesToEven,
                Rounding::NearestAway => Round::NearestTiesToAway,
                Rounding::TowardZero => Round::TowardZero,
                Rounding::Down => Round::TowardNegative,
                Rounding::Up => Round::TowardPositive,
                Rounding::Stochastic => unreachable!("excluded"),
            },
            inputs: variant.inputs().iter().map(input).collect(),
            result,
            target: numbers(result),
            flush_result: flushes_result(variant, result),
            clamps: Clamps::of(variant),
            // Beyond E4M3 there is NaN, which does not tell whether `.satfinite` would clamp it.
            native: variant.inputs().iter().all(|input| *input.format == *result)
                && !variant.has(Modifier::Satfinite),
            in_turn: variant.in_turn().is_some(),
            accumulator: match variant.modifiers() {
                modifiers if modifiers.contains(&Modifier::AccF32) => numbers(&F32),
                modifiers if modifiers.contains(&Modifier::AccF16) => numbers(&F16),
                _ => None,
            },
            variant: variant.clone(),
        }
    }

    /// Computes the results of a lane: one result, or a predicate and its complement.
    pub fn lane(&self, mut bits: [u64; 3]) -> [u64; 2] {
        // The word that memory held is given as it was, before it is flushed.
        let word = bits[0];
        for (bits, input) in bits.iter_mut().zip(&self.inputs) {
            if input.flushed {
                *bits = flush(input.format, *bits);
            }
        }
        match self.operation {
            Operation::Min | Operation::Max if self.variant.is_in_memory() => [self.select(bits), word],
            Operation::Add if self.in_turn => {
                let sum = match &self.accumulator {
                    Some(accumulator) => self.accumulate(accumulator.as_ref(), bits),
                    None => {
                        let first = self.arithmetic([bits[0], bits[1], 0]);
                        self.arithmetic([first, bits[2], 0])
                    }
                };
                [sum, word]
            }
            Operation::Add if self.variant.is_in_memory() => [self.arithmetic(bits), word],
            Operation::Set | Operation::Setp => self.compare(bits),
            Operation::Testp => [u64::from(self.test(bits[0])), 0],
            Operation::Abs | Operation::Neg => [self.sign(bits[0]), 0],
            Operation::Min | Operation::Max => [self.select(bits), 0],
            Operation::Cvt | Operation::Cast => [self.convert(bits), 0],
            _ => [self.arithmetic(bits), 0],
        }
    }

    /// Computes arithmetic: one operation, rounded once, flushed and clamped.
    fn arithmetic(&self, bits: [u64; 3]) -> u64 {
        let out_of_bounds = bits[..2].iter().any(|bits| bits & 0x7fff == OOB_NAN);
        if self.variant.has(Modifier::Oob) && out_of_bounds {
            return 0;
        }
        let target = self.target.as_ref().expect("arithmetic among floating-point numbers");
        let at = |round| -> (RoundingResult, bool) {
            let native = self.native.then(|| target.arithmetic(self.operation, bits, round)).flatten();
            match native {
                Some(bits) => (RoundingResult { bits, beyond: false }, self.result.is_negative(bits)),
                None => {
                    let value = self.compute_in_widest(bits, round);
                    (target.round(value, round), value.is_negative())
                }
            }
        };
        let (mut rounded, negative) = at(self.round);
        if self.flush_result {
            // Truncation does not reach the smallest normal number from below.
            let truncated = at(Round::TowardZero).0.bits;
            if truncated & self.result.magnitude_mask() < self.result.min_normal() {
                rounded.bits &= self.result.sign_mask();
            }
        }
        self.clamps.apply(self.result, rounded, negative)
    }

    /// Adds three numbers in a wider format, one after the other, and rounds the sum to the result's format at the
    /// end.
    fn accumulate(&self, accumulator: &dyn Numbers, bits: [u64; 3]) -> u64 {
        let sum = |a, b| {
            let sum = accumulator.arithmetic(Operation::Add, [a, b, 0], self.round);
            sum.expect("the library has the formats that sums are made in")
        };
        let wide = |at: usize| accumulator.round(self.inputs[at].value(bits[at]), self.round).bits;
        let value = accumulator.value(sum(sum(wide(0), wide(1)), wide(2)));
        let target = self.target.as_ref().expect("a sum is a floating-point number");
        self.clamps.apply(self.result, target.round(value, self.round), value.is_negative())
    }

    /// Computes in the widest format, such that rounding the returned value is rounding the exact result: the value
    /// is exact, or else truncated with the last bit set ("rounded to odd").
    fn compute_in_widest(&self, mut bits: [u64; 3], round: Round) -> Quad {
        let mixed = self.result.width() == 16 && self.inputs.iter().all(|i| i.format.width() == 16);
        if mixed && *self.inputs[1].format != *self.result {
            // `mul.f16x2.f16x2.bf16x2`: the second factor becomes a number of the first's format.
            let target = self.target.as_ref().expect("arithmetic among floating-point numbers");
            let factor = self.inputs[1].value(bits[1]);
            bits[1] = target.round(factor, Round::NearestTiesToEven).bits;
            let values = [self.inputs[0].value(bits[0]), target.value(bits[1]), Quad::ZERO];
            return operate(self.operation, values, round).value;
        }
        let value = |at: usize| self.inputs.get(at).map_or(Quad::ZERO, |i| i.value(bits[at]));
        let values = [value(0), value(1), value(2)];
        let direct = operate(self.operation, values, round);
        if !direct.status.contains(Status::INEXACT) {
            return direct.value;
        }
        let truncated = operate(self.operation, values, Round::TowardZero).value;
        Quad::from_bits(truncated.to_bits() | 1)
    }

    /// Converts the first input, scaled by the second where there is one, to the result's format.
    fn convert(&self, bits: [u64; 3]) -> u64 {
        let source = &self.inputs[0];
        let mut value = source.value(bits[0]);
        if !self.result.signed && !self.result.is_fixed() {
            value = value.abs();
        }
        if let Some(scale) = self.inputs.get(1) {
            // The scale is a power of two, and dividing by it is as exact as multiplying.
            let down = self.variant.has(Modifier::ScaledDown) || self.result.is_fixed();
            let operation = if down { Operation::Div } else { Operation::Mul };
            let values = [value, scale.value(bits[1]), Quad::ZERO];
            value = operate(operation, values, Round::TowardZero).value;
        }
        let Some(target) = &self.target else {
            return self.fixed(value);
        };
        let integral = self.variant.modifiers().iter().any(|modifier| modifier.is_integral());
        if integral && *source.format == *self.result {
            value = value.round_to_integral(self.round).value;
        }
        let mut rounded = target.round(value, self.round);
        if self.flush_result {
            let truncated = target.round(value, Round::TowardZero).bits;
            if truncated & self.result.magnitude_mask() < self.result.min_normal() {
                rounded.bits &= self.result.sign_mask();
            }
        }
        self.clamps.apply(self.result, rounded, value.is_negative())
    }

    /// Converts a value to an integer, or to a fixed-point number, which is an integer number of units.
    fn fixed(&self, value: Quad) -> u64 {
        let (format, width) = (self.result, self.result.width() as usize);
        let units = value.scalbn(format.bias);
        if format.bias != 0 {
            // s2f6 clamps to a symmetric range, and has NaN at its upper end.
            let clamped = match units.to_i128_r(width, self.round, &mut false).value {
                _ if units.is_nan() => i128::from(format.magnitude_mask()),
                value => value.max(-i128::from(format.magnitude_mask())),
            };
            let relu = self.variant.has(Modifier::Relu) && clamped < 0;
            return if relu { 0 } else { clamped as u64 & format.mask() };
        }
        if units.is_nan() {
            // "Zero if source is not .f64 and destination is not .s64, .u64; otherwise
            // 1 << (BitWidth(dst) - 1)" (9.7.10.24).
            let wide = width == 64 || self.inputs[0].format.width() == 64;
            return u64::from(wide) << (width - 1);
        }
        let integer = match format.signed {
            true => units.to_i128_r(width, self.round, &mut false).value as u64,
            false => units.to_u128_r(width, self.round, &mut false).value as u64,
        };
        integer & format.mask()
    }

    /// Computes `abs` or `neg`.
    fn sign(&self, bits: u64) -> u64 {
        let sign = self.result.sign_mask();
        if self.result.is_nan(bits) {
            // "For abs.f64, NaN input is passed through unchanged".
            let kept = if self.operation == Operation::Abs { bits } else { bits ^ sign };
            return if self.result.width() == 64 { kept } else { self.result.canonical_nan() };
        }
        let value = self.inputs[0].value(bits);
        self.encode(if self.operation == Operation::Abs { value.abs() } else { -value })
    }

    /// Computes `min` or `max`, of two operands or three.
    fn select(&self, bits: [u64; 3]) -> u64 {
        let has = |modifier| self.variant.has(modifier);
        let (xorsign, magnitudes) = (has(Modifier::XorsignAbs), has(Modifier::Abs));
        let values = self.inputs.iter().zip(bits).map(|(input, bits)| {
            let value = input.value(bits);
            if xorsign || magnitudes { value.abs() } else { value }
        });
        let choose = |a: Quad, b: Quad| match (a.is_nan(), b.is_nan(), has(Modifier::PropagateNan)) {
            (true, false, false) => b,
            (false, true, false) => a,
            _ if self.operation == Operation::Min => a.minimum(b),
            _ => a.maximum(b),
        };
        let chosen = values.reduce(choose).expect("two or three operands");
        let negative = self.result.is_negative(bits[0] ^ bits[1]);
        self.encode(if xorsign && negative { -chosen } else { chosen })
    }

    /// Encodes a value that the result's format has; every NaN becomes the canonical one.
    fn encode(&self, value: Quad) -> u64 {
        let target = self.target.as_ref().expect("a floating-point number");
        let rounded = target.round(value, Round::NearestTiesToEven);
        if value.is_nan() { self.result.canonical_nan() } else { rounded.bits }
    }
}

/// Returns the value of an integer, or of a fixed-point number, which is an integer number of units.
fn fixed_value(format: &Format, bits: u64) -> Quad {
    let unused = 128 - format.width();
    let integer = match format.signed {
        true => Quad::from_i128(i128::from(bits) << unused >> unused).value,
        false => Quad::from_u128(bits.into()).value,
    };
    integer.scalbn(-format.bias)
}
