//! Rounding by its definition: exact rational numbers, and a search among a format's numbers.

use std::cmp::Ordering;

use formats::{F64, Format, S2F6, S64, Scale, Specials, U64};
use isa::{Modifier, Rounding, Variant};
use rug::{Integer, Rational};

use Magnitude::*;
use ReferenceDatum::*;

/// A magnitude: a number, or the square root of one.
#[derive(Clone, Debug)]
pub enum Magnitude {
    Plain(Rational),
    Root(Rational),
}

/// An exact datum: NaN, or infinity and finite numbers with whether they are negative.
#[derive(Clone, Debug)]
pub enum ReferenceDatum {
    Nan,
    Infinity(bool),
    Finite(bool, Magnitude),
}

impl Magnitude {
    pub fn cmp(&self, other: &Rational) -> Ordering {
        match self {
            Plain(value) => value.cmp(other),
            Root(square) => square.cmp(&other.clone().square()),
        }
    }

    pub fn is_zero(&self) -> bool {
        let (Plain(value) | Root(value)) = self;
        *value == 0
    }

    pub fn plain(&self) -> &Rational {
        match self {
            Plain(value) => value,
            Root(_) => panic!("a root is rounded at once"),
        }
    }
}

pub fn power(exponent: i32) -> Rational {
    Rational::from(1) << exponent
}

/// Returns the number that a magnitude's code stands for, by the format's fields, even if the format gives the code
/// another meaning.
fn value(f: &Format, code: u64) -> Rational {
    let field = (code >> f.trailing_bits) as i32;
    let trailing = code & ((1 << f.trailing_bits) - 1);
    match f.scale {
        Scale::Power => power(code as i32 - f.bias),
        _ if field == 0 => Rational::from(trailing) << (1 - f.bias - f.trailing_bits as i32),
        _ => {
            let significand = trailing + (1 << f.trailing_bits);
            Rational::from(significand) << (field - f.bias - f.trailing_bits as i32)
        }
    }
}

pub fn decode(f: &Format, bits: u64) -> ReferenceDatum {
    if f.is_fixed() {
        let negative = f.is_negative(bits);
        let integer = if negative { (1u128 << f.width()) - u128::from(bits) } else { bits.into() };
        return Finite(negative, Plain(Rational::from(integer) * power(-f.bias)));
    }
    let (negative, magnitude) = (f.is_negative(bits), bits & f.magnitude_mask());
    let all_ones = magnitude >> f.trailing_bits == (1 << f.exponent_bits) - 1;
    match f.specials {
        Specials::Ieee if all_ones && magnitude & ((1 << f.trailing_bits) - 1) == 0 => {
            Infinity(negative)
        }
        Specials::Ieee if all_ones => Nan,
        Specials::NanAllOnes if magnitude == f.magnitude_mask() => Nan,
        Specials::NanNegativeZero if bits == f.sign_mask() => Nan,
        _ => Finite(negative, Plain(value(f, magnitude))),
    }
}

/// The way in which a result is brought into its format.
pub struct Destination<'a> {
    pub format: &'a Format,
    pub rounding: Rounding,
    pub flush: bool,
    pub variant: &'a Variant,
    /// The random bits, and how many there are.
    pub random: (u64, u32),
}

/// Returns the code of a magnitude after rounding; the one above the largest finite number's means overflow.
fn round(to: &Destination, negative: bool, exact: &Magnitude) -> u64 {
    let f = to.format;
    let (mut low, mut end) = (0, f.max_finite() + 1);
    if exact.cmp(&value(f, 0)).is_lt() {
        return 0;
    }
    while low + 1 < end {
        let middle = low + (end - low) / 2;
        if exact.cmp(&value(f, middle)).is_ge() { low = middle } else { end = middle }
    }
    let (below, above) = (value(f, low), value(f, low + 1));
    if exact.cmp(&below).is_eq() {
        return low;
    }
    let beyond = exact.cmp(&above).is_ge();
    let half = exact.cmp(&((below.clone() + &above) / 2u32));
    let up = match to.rounding {
        // A power of two alone has one digit, which is odd: the larger of two is taken.
        Rounding::NearestEven => {
            let odd = low % 2 == 1 || f.scale == Scale::Power;
            beyond || half.is_gt() || (half.is_eq() && odd)
        }
        Rounding::NearestAway => beyond || half.is_ge(),
        Rounding::TowardZero => false,
        Rounding::Down => negative,
        Rounding::Up => !negative,
        Rounding::Stochastic => {
            let (random, bits) = to.random;
            let fraction = (exact.plain().clone() - &below) / (above - &below) * power(bits as i32);
            beyond || fraction.floor() + random >= power(bits as i32)
        }
    };
    low + u64::from(up)
}

pub fn finish(to: &Destination, datum: ReferenceDatum) -> u64 {
    let (f, has) = (to.format, |modifier| to.variant.has(modifier));
    let (sat, relu, finite) = (has(Modifier::Sat), has(Modifier::Relu), has(Modifier::Satfinite));
    if f.is_fixed() {
        return finish_fixed(to, datum);
    }
    let overflow = f.max_finite() + 1;
    let (negative, mut code) = match datum {
        Nan => (false, u64::MAX),
        Infinity(negative) => (negative, overflow),
        Finite(negative, exact) => {
            // A format without a sign has magnitudes only.
            let negative = negative && f.signed;
            let tiny = to.flush && exact.cmp(&value(f, f.min_normal())).is_lt();
            (negative, if tiny || exact.is_zero() { 0 } else { round(to, negative, &exact) })
        }
    };
    if finite && code == overflow {
        code = f.max_finite();
    }
    if code == u64::MAX || (code == overflow && f.infinity().is_none()) {
        return if sat { 0 } else { f.nan().unwrap_or(f.max_finite()) };
    }
    if sat {
        return if negative { 0 } else { code.min(f.one()) };
    }
    let fnuz = f.specials == Specials::NanNegativeZero;
    if (relu && negative) || ((has(Modifier::Pzo) || fnuz) && code == 0) {
        return if negative && code != 0 { 0 } else { code };
    }
    code | if negative { f.sign_mask() } else { 0 }
}

pub fn finish_fixed(to: &Destination, datum: ReferenceDatum) -> u64 {
    let (f, source) = (to.format, to.variant.inputs()[0].format);
    let s2f6 = *f == S2F6;
    let largest = Integer::from(f.magnitude_mask());
    let lowest = match () {
        () if !f.signed || to.variant.has(Modifier::Relu) => Integer::new(),
        () if s2f6 => -largest.clone(),
        () => -largest.clone() - 1u32,
    };
    let integer = match datum {
        Nan if s2f6 => largest,
        Nan if *source == F64 || [S64, U64].contains(f) => Integer::from(1) << (f.width() - 1),
        Nan => Integer::new(),
        Infinity(negative) => {
            if negative {
                lowest
            } else {
                largest
            }
        }
        Finite(negative, exact) => {
            let magnitude = exact.plain().clone() * power(f.bias);
            let number = if negative { -magnitude } else { magnitude };
            let floor = number.clone().floor().numer().clone();
            let rest: Rational = number.clone() - &floor;
            let half = rest.cmp(&Rational::from((1, 2)));
            let up = match to.rounding {
                Rounding::NearestEven => half.is_gt() || (half.is_eq() && floor.is_odd()),
                Rounding::TowardZero => rest != 0 && negative,
                Rounding::Down => false,
                Rounding::Up => rest != 0,
                rounding => panic!("{rounding:?} to an integer"),
            };
            (floor + u32::from(up)).clamp(&lowest, &largest)
        }
    };
    integer.to_i128().expect("65 bits") as u64 & f.mask()
}
