//! Operations with one exact value, which is rounded once: arithmetic and conversions.

use std::cmp::Ordering;

use judge::{Alternative, Open, Reading};
use rug::Float;
use rug::float::Round;
use rug::ops::AssignRound;
use vectors::format::{self, Class, Scale};
use vectors::isa::{Modifier, Operation, Relaxation, Rounding};
use vectors::{Format, Variant};

use super::finish::Finish;
use super::fixed::{Discards, Fixed, random_field};
use super::formats;
use super::operand::Operand;
use super::rounded::{Rounded, Rounder};

/// What computing the results of one variant takes, made once.
pub struct Arithmetic {
    operation: Operation,
    rounding: Rounding,
    arity: usize,
    formats: [&'static Format; 3],
    result: &'static Format,
    lanes: usize,
    /// Which inputs `.ftz` looks at.
    flushed: [bool; 3],
    way: Way,
    operands: [Operand; 3],
    scratch: Float,
    rounder: Rounder,
    finish: Finish,
    declared: Open,
}

/// What was found of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// The result, under the first reading of every open point.
    pub result: u64,
    /// The result before modifiers.
    pub rounded: Rounded,
    /// The open points that matter to it.
    pub open: Open,
}

/// The open points that [`Arithmetic::round`] reads; all others are [`Finish`]'s.
const BEFORE_ROUNDING: [Relaxation; 6] = [
    Relaxation::FtzIgnored,
    Relaxation::TruncatedNan,
    Relaxation::RandomLayout,
    Relaxation::FactorConversion,
    Relaxation::UnsignedNegative,
    Relaxation::FixedMinimum,
];

/// Whether what other readings give depends on more than the first reading's [`Element`].
pub fn looks_at_inputs(open: Open) -> bool {
    BEFORE_ROUNDING.into_iter().any(|point| open.contains(point))
}

/// How the exact value comes about, and where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// One MPFR function of the operands, rounded as IEEE 754 has it.
    Rounded,
    /// The first operand times a power of two, which the second one holds; divided by it, if so.
    Scaled { down: bool },
    /// The first operand, its discarded bits added to one half.
    NearestAway,
    /// The first operand, its discarded bits added to so many bits of the second.
    Stochastic { bits: u32 },
    /// The first operand as a multiple of the destination's unit.
    Fixed { scaled: bool },
    /// The first operand as an integer of its own format.
    Integral,
    /// A product whose second factor is first rounded to the destination.
    ConvertedFactor,
}

impl Arithmetic {
    /// For a variant with one result.
    pub fn new(variant: &Variant) -> Arithmetic {
        let formats = formats(variant);
        let result = variant.outputs()[0].format;
        let arity = variant.inputs().len();
        let used = &formats[..arity];
        let precision = used.iter().map(|f| f.precision()).max().unwrap_or(1).max(result.precision());
        let rounding = variant.rounding();
        let mut operands = [(); 3].map(|()| Operand::new(precision));
        if variant.operation() == Operation::Rcp {
            operands[1].set(result, result.one());
        }
        Arithmetic {
            operation: variant.operation(),
            rounding,
            arity,
            formats,
            result,
            lanes: variant.lanes(),
            flushed: formats.map(|format| flushes(variant, format)),
            way: way(variant, result),
            operands,
            scratch: Float::new(64),
            rounder: Rounder::new(result, rounding),
            finish: Finish::of(variant),
            declared: Open::declared(variant),
        }
    }

    /// Whether it computes what `other` does, step by step.
    pub fn is(&self, other: &Arithmetic) -> bool {
        let steps = |a: &Arithmetic| {
            let (before, after) = ((a.arity, a.formats, a.flushed, a.lanes), (a.finish, a.declared));
            (before, a.operation, a.way, a.rounding, a.result, after)
        };
        steps(self) == steps(other)
    }

    /// Computes the results of some elements; `first` is the number of the first in its batch.
    pub fn expect(
        &mut self,
        inputs: [&[u64]; 3],
        output: &mut [u64],
        first: usize,
        alternatives: &mut Vec<Alternative>,
    ) {
        for (at, output) in output.iter_mut().enumerate() {
            *output = self.element(inputs.map(|input| input[at]), first + at, alternatives).result;
        }
    }

    /// Computes the result of one element of a batch, and what else is right.
    #[inline]
    pub fn element(
        &mut self,
        bits: [u64; 3],
        element: usize,
        alternatives: &mut Vec<Alternative>,
    ) -> Element {
        let lane = element % self.lanes;
        let rounded = self.round(bits, lane, Reading::default());
        let bounds = self.finish.find(bits);
        let mut open = self.finish.open(rounded, bounds);
        if !self.declared.is_empty() {
            self.open_inputs(bits, &mut open);
        }
        let open = open.and(self.declared);
        if !open.is_empty() {
            for reading in open.readings() {
                let again = BEFORE_ROUNDING.iter().any(|&point| reading[point as usize] != 0);
                let rounded = if again { self.round(bits, lane, reading) } else { rounded };
                let bits = self.finish.finish(rounded, bounds, reading);
                alternatives.push(Alternative { element, bits, reading, open });
            }
        }
        let result = self.finish.finish(rounded, bounds, Reading::default());
        Element { result, rounded, open }
    }

    /// Adds the open points that depend on inputs alone.
    fn open_inputs(&self, bits: [u64; 3], open: &mut Open) {
        let subnormal = self.formats[0].class(bits[0]) == Class::Subnormal;
        let points = [
            (Relaxation::FtzIgnored, subnormal),
            (Relaxation::TruncatedNan, self.formats[0].is_nan(bits[0])),
            (Relaxation::RandomLayout, true),
            (Relaxation::FactorConversion, true),
            (Relaxation::UnsignedNegative, self.is_below_zero(bits[0])),
        ];
        let arise =
            points.into_iter().filter(|(point, arises)| *arises && self.declared.contains(*point));
        arise.for_each(|(point, _)| open.insert(point));
    }

    /// Whether the first input is a number with a negative sign.
    fn is_below_zero(&self, bits: u64) -> bool {
        self.formats[0].is_negative(bits) && !self.formats[0].is_nan(bits)
    }

    /// The exact result, rounded once, under a reading of what concerns the inputs.
    #[inline]
    fn round(&mut self, mut bits: [u64; 3], lane: usize, reading: Reading) -> Rounded {
        let read = |relaxation: Relaxation| reading[relaxation as usize];
        for ((bits, format), flushed) in bits.iter_mut().zip(self.formats).zip(self.flushed) {
            if flushed {
                *bits = flush(format, *bits);
            }
        }
        if read(Relaxation::FtzIgnored) == 1 {
            bits[0] = flush(self.formats[0], bits[0]);
        }
        if read(Relaxation::TruncatedNan) == 1 {
            // Integer code cuts the low bits off whatever is not finite.
            let cut = self.formats[0].trailing_bits - self.result.trailing_bits;
            return Rounded::exact(bits[0] >> cut);
        }
        if !self.result.signed && !self.result.is_fixed() {
            if read(Relaxation::UnsignedNegative) == 1 && self.is_below_zero(bits[0]) {
                return Rounded::exact(0);
            }
            bits[0] &= self.formats[0].magnitude_mask();
        }
        let inputs = self.formats.into_iter().zip(bits).take(self.arity);
        for (operand, (format, bits)) in self.operands.iter_mut().zip(inputs) {
            operand.set(format, bits);
        }
        let Arithmetic { operands, scratch, rounder, operation, .. } = self;
        match self.way {
            Way::Rounded => {
                let operation = *operation;
                rounder.round(|result, round| operate(operation, result, operands, round))
            }
            Way::Scaled { down } => {
                if self.formats[1].is_nan(bits[1]) {
                    return rounder.nan();
                }
                let power = bits[1] as i32 - format::UE8M0.bias;
                let power = if down { -power } else { power };
                let value = operands[0].get();
                rounder.round(|result, round| result.assign_round(&*value << power, round))
            }
            Way::NearestAway => Discards::half().round(scratch, self.result, &operands[0]),
            Way::Stochastic { bits: count } => {
                let reversed = read(Relaxation::RandomLayout) == 0;
                let random = random_field(self.result, lane, self.lanes, bits[1], reversed);
                Discards { count, added: random }.round(scratch, self.result, &operands[0])
            }
            Way::Fixed { scaled } => {
                if scaled && self.formats[1].is_nan(bits[1]) {
                    return Rounded::exact(self.result.max_finite());
                }
                let power = if scaled { format::UE8M0.bias - bits[1] as i32 } else { 0 };
                let fixed = Fixed { source: self.formats[0], result: self.result };
                let to_minimum = read(Relaxation::FixedMinimum) == 1;
                fixed.round(scratch, &operands[0], power, self.rounding, to_minimum)
            }
            Way::Integral => {
                let (value, rounding) = (operands[0].get(), self.rounding);
                rounder.round(|result, _| {
                    result.assign_round(&*value, Round::Zero);
                    super::fixed::to_integer(result, rounding);
                    Ordering::Equal
                })
            }
            Way::ConvertedFactor if read(Relaxation::FactorConversion) == 0 => {
                let value = operands[1].get();
                let factor = rounder.round(|result, round| result.assign_round(&*value, round));
                operands[1].set(self.result, factor.bits);
                rounder.round(|result, round| operate(Operation::Mul, result, operands, round))
            }
            Way::ConvertedFactor => {
                rounder.round(|result, round| operate(Operation::Mul, result, operands, round))
            }
        }
    }
}

/// Whether `.ftz` makes a subnormal input of this format zero.
pub fn flushes(variant: &Variant, format: &Format) -> bool {
    let conversion = variant.operation() == Operation::Cvt;
    let ignored = variant.relaxations().any(|relaxation| relaxation == Relaxation::FtzIgnored);
    let asked = variant.has(Modifier::Ftz)
        && !ignored
        && (*format == format::F32 || *format == format::F16 && !conversion);
    // "Subnormal values for inputs a and b are flushed to zero before conversion" (9.7.10.24).
    asked || variant.has(Modifier::ScaledDown)
}

fn way(variant: &Variant, result: &'static Format) -> Way {
    let source = variant.inputs()[0].format;
    let has = |modifier| variant.has(modifier);
    let scaled = has(Modifier::ScaledUp) || has(Modifier::ScaledDown);
    let converts = matches!(variant.operation(), Operation::Cvt | Operation::Cast);
    if !converts {
        let mixed = variant.operation() == Operation::Mul
            && result.width() == 16
            && variant.inputs()[1].format.width() == 16
            && *variant.inputs()[1].format != *result;
        return if mixed { Way::ConvertedFactor } else { Way::Rounded };
    }
    if result.is_fixed() {
        return Way::Fixed { scaled };
    }
    match variant.rounding() {
        Rounding::NearestAway => Way::NearestAway,
        Rounding::Stochastic => Way::Stochastic { bits: if *result == format::F16 { 13 } else { 16 } },
        _ if scaled => Way::Scaled { down: has(Modifier::ScaledDown) },
        _ if variant.modifiers().iter().any(|m| m.is_integral()) && *source == *result => Way::Integral,
        _ => Way::Rounded,
    }
}

/// A subnormal number as the zero of its sign, anything else as it is.
#[inline]
pub fn flush(format: &Format, bits: u64) -> u64 {
    let subnormal = format.scale == Scale::Floating && format.class(bits) == Class::Subnormal;
    if subnormal { bits & format.sign_mask() } else { bits }
}

/// The mathematics: one MPFR function each, which rounds once, at the precision of `result`.
///
/// MPFR's exact zero sums are +0, and -0 when rounding down, as IEEE 754 (6.3) has them; a product
/// of zeros has the product of the signs, and enters the sum with it.
#[inline]
fn operate(operation: Operation, result: &mut Float, operands: &[Operand; 3], round: Round) -> Ordering {
    let [a, b, c] = operands;
    let (a, b) = (a.get(), b.get());
    match operation {
        Operation::Add => result.assign_round(&*a + &*b, round),
        Operation::Sub => result.assign_round(&*a - &*b, round),
        Operation::Mul => result.assign_round(&*a * &*b, round),
        Operation::Fma | Operation::Mad => result.assign_round(a.mul_add_ref(&b, &c.get()), round),
        Operation::Div => result.assign_round(&*a / &*b, round),
        // Here b is 1: of one precision with a and the result, which is where MPFR divides fastest.
        Operation::Rcp => result.assign_round(&*b / &*a, round),
        Operation::Sqrt => result.assign_round(a.sqrt_ref(), round),
        Operation::Cvt | Operation::Cast => result.assign_round(&*a, round),
        operation => unreachable!("{operation:?} is not arithmetic"),
    }
}
