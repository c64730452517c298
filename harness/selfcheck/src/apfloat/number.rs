//! Floating-point formats as `rustc_apfloat` has them. Every value goes by way of the library's widest format, which
//! holds all of them exactly, so that conversions meet there instead of being written for pairs of formats.

use std::marker::PhantomData;

use formats::Format;
use isa::Operation;
use rustc_apfloat::ieee::{
    BFloat, Double, Float8E4M3FN, Float8E5M2, Half, IeeeFloat, Quad, Semantics, Single,
};
use rustc_apfloat::{Float, FloatConvert, Round};

/// The result of rounding a value into a format.
#[derive(Clone, Copy)]
pub struct RoundingResult {
    /// Encoding of the result; any NaN if it is a NaN.
    pub bits: u64,
    /// Whether the value lies beyond the largest finite number, unless the rounding stops at that number.
    pub beyond: bool,
}

/// A floating-point format with its conversions and arithmetic.
pub trait Numbers: Sync {
    /// Returns the value of an encoding.
    fn value(&self, bits: u64) -> Quad;

    /// Returns the encoding of a value, rounded once.
    fn round(&self, value: Quad, round: Round) -> RoundingResult;

    /// Computes an operation among numbers of the format, rounded by the library itself; `None` if the library does
    /// not have the format.
    fn arithmetic(&self, operation: Operation, operands: [u64; 3], round: Round) -> Option<u64>;

    /// Whether an encoding is a subnormal number; false where that is not known.
    fn is_subnormal(&self, bits: u64) -> bool;
}

/// Returns the numbers of a format, if it is a floating-point one.
pub fn numbers(format: &Format) -> Option<Box<dyn Numbers>> {
    Some(match format.name {
        "f16" => Box::new(Native::<Half>(PhantomData)),
        "bf16" => Box::new(Native::<BFloat>(PhantomData)),
        "f32" => Box::new(Native::<Single>(PhantomData)),
        "f64" => Box::new(Native::<Double>(PhantomData)),
        "tf32" => Box::new(Native::<IeeeFloat<Tf32>>(PhantomData)),
        "e4m3" => Box::new(Native::<Float8E4M3FN>(PhantomData)),
        "e5m2" => Box::new(Native::<Float8E5M2>(PhantomData)),
        "e4m3ieee" => Box::new(Native::<IeeeFloat<E4m3Ieee>>(PhantomData)),
        "e3m4" => Box::new(Native::<IeeeFloat<E3m4>>(PhantomData)),
        "e2m3" => Box::new(Stretched::<E2m3>(*format, PhantomData)),
        "e3m2" => Box::new(Stretched::<E3m2>(*format, PhantomData)),
        "e2m1" => Box::new(Stretched::<E2m1>(*format, PhantomData)),
        "ue5m3" => Box::new(Stretched::<E5m3>(*format, PhantomData)),
        "e4m3fnuz" => Box::new(Stretched::<E4m3Fnuz>(*format, PhantomData)),
        "e4m3b11fnuz" => Box::new(Stretched::<E4m3B11Fnuz>(*format, PhantomData)),
        "e5m2fnuz" => Box::new(Stretched::<E5m2Fnuz>(*format, PhantomData)),
        "ue8m0" => Box::new(Powers(*format)),
        _ => return None,
    })
}

/// Describes formats that the library leaves to its users: width, exponent bits and the exponent of the smallest
/// normal number. All but tf32 and the two that follow it have an exponent bit more than they should, because the library knows no format that
/// is finite throughout, or has its NaN in the place of −0. So they end further up than they should, and
/// [`Stretched`] cuts them off.
macro_rules! semantics {
    ($($name:ident $bits:literal $exponent_bits:literal $min:literal)+) => {$(
        struct $name;

        impl Semantics for $name {
            const BITS: usize = $bits;
            const EXP_BITS: usize = $exponent_bits;
            const MIN_EXP: i32 = $min;
        }
    )+};
}
semantics! {
    Tf32 19 8 -126
    E4m3Ieee 8 4 -6
    E3m4 8 3 -2
    E2m3 7 3 0
    E3m2 7 4 -2
    E2m1 5 3 0
    E5m3 10 6 -14
    E4m3Fnuz 9 5 -7
    E5m2Fnuz 9 6 -15
    E4m3B11Fnuz 9 5 -10
}

/// A format that the library has.
struct Native<F>(PhantomData<fn() -> F>);

impl<F: Float + FloatConvert<Quad>> Numbers for Native<F>
where
    Quad: FloatConvert<F>,
{
    fn value(&self, bits: u64) -> Quad {
        F::from_bits(bits.into()).convert(&mut false).value
    }

    fn round(&self, value: Quad, round: Round) -> RoundingResult {
        let rounded: F = value.convert_r(round, &mut false).value;
        // A format without infinity has NaN beyond its end.
        RoundingResult {
            bits: rounded.to_bits() as u64,
            beyond: !rounded.is_finite() && !value.is_nan(),
        }
    }

    fn arithmetic(&self, operation: Operation, operands: [u64; 3], round: Round) -> Option<u64> {
        let operands = operands.map(|bits| F::from_bits(bits.into()));
        Some(operate(operation, operands, round).value.to_bits() as u64)
    }

    fn is_subnormal(&self, bits: u64) -> bool {
        F::from_bits(bits.into()).is_denormal()
    }
}

/// Whether [`operate`] has an operation.
pub fn operates(operation: Operation) -> bool {
    use Operation::{Add, Div, Fma, Mad, Mul, Rcp, Sub};
    [Add, Sub, Mul, Fma, Mad, Div, Rcp].contains(&operation)
}

/// Computes an operation with the library's arithmetic.
pub fn operate<F: Float>(
    operation: Operation,
    [a, b, c]: [F; 3],
    round: Round,
) -> rustc_apfloat::StatusAnd<F> {
    match operation {
        Operation::Add => a.add_r(b, round),
        Operation::Sub => a.sub_r(b, round),
        Operation::Mul => a.mul_r(b, round),
        Operation::Fma | Operation::Mad => a.mul_add_r(b, c, round),
        Operation::Div => a.div_r(b, round),
        Operation::Rcp => F::from_u128(1).value.div_r(a, round),
        operation => unreachable!("{operation:?} is not arithmetic"),
    }
}

/// A format that the library has only as a neighbour that is too large, with the same numbers up to the format's end.
struct Stretched<S>(Format, PhantomData<fn() -> S>);

impl<S: Semantics> Stretched<S> {
    const SIGN: u64 = 1 << (S::BITS - 1);
}

impl<S: Semantics> Numbers for Stretched<S> {
    fn value(&self, bits: u64) -> Quad {
        if self.0.is_nan(bits) {
            return Quad::NAN;
        }
        let sign = if self.0.is_negative(bits) { Self::SIGN } else { 0 };
        let number = <IeeeFloat<S> as Float>::from_bits((sign | bits & self.0.magnitude_mask()).into());
        number.convert(&mut false).value
    }

    fn round(&self, value: Quad, round: Round) -> RoundingResult {
        let number: IeeeFloat<S> = value.convert_r(round, &mut false).value;
        let sign = if value.is_negative() { self.0.sign_mask() } else { 0 };
        let magnitude = number.to_bits() as u64 & (Self::SIGN - 1);
        if magnitude <= self.0.max_finite() {
            let bits = sign | magnitude;
            // Where −0 would be, some formats have NaN.
            let bits = if self.0.is_nan(bits) { 0 } else { bits };
            return RoundingResult { bits, beyond: false };
        }
        // IEEE 754, 7.4: overflow stops at the largest number if that is where the rounding goes.
        let inwards = match round {
            Round::TowardZero => true,
            Round::TowardPositive => value.is_negative(),
            Round::TowardNegative => !value.is_negative(),
            Round::NearestTiesToEven | Round::NearestTiesToAway => false,
        };
        let beyond = !value.is_nan() && (value.is_infinite() || !inwards);
        let bits = match self.0.nan() {
            Some(nan) if beyond || value.is_nan() => nan,
            None if value.is_nan() => self.0.max_finite(),
            _ => sign | self.0.max_finite(),
        };
        RoundingResult { bits, beyond }
    }

    fn arithmetic(&self, _: Operation, _: [u64; 3], _: Round) -> Option<u64> {
        None
    }

    fn is_subnormal(&self, _: u64) -> bool {
        false
    }
}

/// The format ue8m0, whose encodings the library has one place further up, above a zero.
struct Powers(Format);

/// The semantics of a format with a single significand bit, the implicit one.
struct E9m0;

impl Semantics for E9m0 {
    const BITS: usize = 10;
    const EXP_BITS: usize = 9;
    const MIN_EXP: i32 = -127;
    // The library's own value wants a second bit. No NaN gets here.
    const QNAN_SIGNIFICAND: u128 = 0;
}

impl Numbers for Powers {
    fn value(&self, bits: u64) -> Quad {
        if self.0.is_nan(bits) {
            return Quad::NAN;
        }
        <IeeeFloat<E9m0> as Float>::from_bits(u128::from(bits) + 1).convert(&mut false).value
    }

    fn round(&self, value: Quad, round: Round) -> RoundingResult {
        let nan = RoundingResult { bits: self.0.canonical_nan(), beyond: !value.is_nan() };
        if !value.is_finite() {
            return nan;
        }
        let power: IeeeFloat<E9m0> = value.convert_r(round, &mut false).value;
        match power.to_bits() as u64 {
            place if place <= self.0.max_finite() + 1 => {
                // The library's zero, in place 0, becomes the smallest power: ue8m0 has no zero.
                RoundingResult { bits: place.saturating_sub(1), beyond: false }
            }
            _ if round == Round::TowardZero => {
                RoundingResult { bits: self.0.max_finite(), beyond: false }
            }
            _ => nan,
        }
    }

    fn arithmetic(&self, _: Operation, _: [u64; 3], _: Round) -> Option<u64> {
        None
    }

    fn is_subnormal(&self, _: u64) -> bool {
        false
    }
}
