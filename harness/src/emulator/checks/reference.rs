//! What a lane of a variant must be, by definitions that share nothing with the kernels: exact rational
//! arithmetic, and rounding by search among a format's numbers.

use std::cmp::Ordering;

use rug::ops::Pow;
use rug::{Integer, Rational};
use vectors::format::{BF16, F16, F32, F64, Format, S2F6, S64, Scale, Specials, U64};
use vectors::isa::{Modifier, Operation, Rounding};
use vectors::{Variant, format};

/// A magnitude: a number, or the square root of one.
#[derive(Clone, Debug)]
enum Magnitude {
    Plain(Rational),
    Root(Rational),
}

/// A datum, exactly.
#[derive(Clone, Debug)]
enum Datum {
    Nan,
    Infinity(bool),
    Finite(bool, Magnitude),
}

use Datum::*;
use Magnitude::*;

impl Magnitude {
    fn cmp(&self, other: &Rational) -> Ordering {
        match self {
            Plain(value) => value.cmp(other),
            Root(square) => square.cmp(&other.clone().square()),
        }
    }

    fn is_zero(&self) -> bool {
        let (Plain(value) | Root(value)) = self;
        *value == 0
    }

    fn plain(&self) -> &Rational {
        match self {
            Plain(value) => value,
            Root(_) => panic!("a root is rounded at once"),
        }
    }
}

fn power(exponent: i32) -> Rational {
    let magnitude = Rational::from(Integer::from(2).pow(exponent.unsigned_abs()));
    if exponent < 0 { magnitude.recip() } else { magnitude }
}

/// The number that a magnitude's code stands for, by the format's fields, whatever it means.
fn value(f: &Format, code: u64) -> Rational {
    let field = (code >> f.trailing_bits) as i32;
    let trailing = code & ((1 << f.trailing_bits) - 1);
    match f.scale {
        Scale::Power => power(code as i32 - f.bias),
        _ if field == 0 => Rational::from(trailing) * power(1 - f.bias - f.trailing_bits as i32),
        _ => {
            let significand = trailing + (1 << f.trailing_bits);
            Rational::from(significand) * power(field - f.bias - f.trailing_bits as i32)
        }
    }
}

fn decode(f: &Format, bits: u64) -> Datum {
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

/// How a result is brought into its format.
struct Target<'a> {
    format: &'a Format,
    rounding: Rounding,
    flush: bool,
    variant: &'a Variant,
    /// Random bits, and how many.
    random: (u64, u32),
}

/// The code of a magnitude after rounding; the one above the largest finite number's means overflow.
fn round(to: &Target, negative: bool, exact: &Magnitude) -> u64 {
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
        Rounding::NearestEven => beyond || half.is_gt() || (half.is_eq() && low % 2 == 1),
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

fn finish(to: &Target, datum: Datum) -> u64 {
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
            // Without a sign there are magnitudes only.
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

fn finish_fixed(to: &Target, datum: Datum) -> u64 {
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

/// What subnormal data are to the operand formats that `.ftz` is about.
fn flushed(f: &Format, bits: u64, flush: bool) -> u64 {
    let subnormal = flush && (*f == F32 || *f == F16 || *f == BF16) && {
        bits & f.magnitude_mask() < f.min_normal()
    };
    if subnormal { bits & f.sign_mask() } else { bits }
}

/// The outputs of one lane.
pub fn expected(variant: &Variant, inputs: &[u64], lane: usize) -> Vec<u64> {
    let formats: Vec<&Format> = variant.inputs().iter().map(|input| input.format).collect();
    let result = variant.outputs()[0].format;
    let ftz = variant.has(Modifier::Ftz);
    let mut target =
        Target { format: result, rounding: variant.rounding(), flush: ftz, variant, random: (0, 0) };
    let datum = |at: usize| decode(formats[at], flushed(formats[at], inputs[at], ftz));
    let operation = variant.operation();
    match operation {
        Operation::Add => vec![finish(&target, add(&target, datum(0), datum(1)))],
        Operation::Sub => vec![finish(&target, add(&target, datum(0), negated(datum(1))))],
        Operation::Mul => {
            let mut second = datum(1);
            if result.width() == 16 && formats[1].width() == 16 && formats[1] != result {
                let rounding = Rounding::NearestEven;
                second = decode(
                    result,
                    finish(&Target { rounding, ..Target { flush: false, ..target } }, second),
                );
                target.rounding = rounding;
            }
            vec![finish(&target, multiply(datum(0), second))]
        }
        Operation::Fma | Operation::Mad => {
            let out_of_bounds = |bits: u64| variant.has(Modifier::Oob) && bits & 0x7fff == 0x7ff7;
            if out_of_bounds(inputs[0]) || out_of_bounds(inputs[1]) {
                return vec![0];
            }
            vec![finish(&target, add(&target, multiply(datum(0), datum(1)), datum(2)))]
        }
        Operation::Div => vec![finish(&target, divide(datum(0), datum(1)))],
        Operation::Rcp => vec![finish(&target, divide(Finite(false, Plain(1.into())), datum(0)))],
        Operation::Sqrt => vec![finish(
            &target,
            match datum(0) {
                Finite(negative, Plain(value)) if value == 0 => Finite(negative, Plain(value)),
                Finite(false, Plain(value)) => Finite(false, Root(value)),
                Infinity(false) => Infinity(false),
                _ => Nan,
            },
        )],
        Operation::Cvt | Operation::Cast => vec![convert(&mut target, &formats, inputs, lane)],
        _ => super::bits::expected(variant, &formats, inputs),
    }
}

fn negated(a: Datum) -> Datum {
    match a {
        Nan => Nan,
        Infinity(negative) => Infinity(!negative),
        Finite(negative, magnitude) => Finite(!negative, magnitude),
    }
}

fn add(to: &Target, a: Datum, b: Datum) -> Datum {
    match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinity(a), Infinity(b)) if a != b => Nan,
        (Infinity(a), _) | (_, Infinity(a)) => Infinity(a),
        (Finite(p, a), Finite(q, b)) => {
            let signed =
                |negative, x: Magnitude| if negative { -x.plain().clone() } else { x.plain().clone() };
            let sum = signed(p, a) + signed(q, b);
            let negative = match sum.cmp0() {
                Ordering::Equal if p == q => p,
                Ordering::Equal => to.rounding == Rounding::Down,
                order => order.is_lt(),
            };
            Finite(negative, Plain(sum.abs()))
        }
    }
}

fn multiply(a: Datum, b: Datum) -> Datum {
    match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinity(p), Infinity(q)) => Infinity(p != q),
        (Infinity(p), Finite(q, x)) | (Finite(q, x), Infinity(p)) => {
            if x.is_zero() {
                Nan
            } else {
                Infinity(p != q)
            }
        }
        (Finite(p, x), Finite(q, y)) => Finite(p != q, Plain(x.plain().clone() * y.plain())),
    }
}

fn divide(a: Datum, b: Datum) -> Datum {
    match (a, b) {
        (Nan, _) | (_, Nan) | (Infinity(_), Infinity(_)) => Nan,
        (Infinity(p), Finite(q, _)) => Infinity(p != q),
        (Finite(p, _), Infinity(q)) => Finite(p != q, Plain(Rational::new())),
        (Finite(p, x), Finite(q, y)) => match (x.is_zero(), y.is_zero()) {
            (true, true) => Nan,
            (false, true) => Infinity(p != q),
            _ => Finite(p != q, Plain(x.plain().clone() / y.plain())),
        },
    }
}

fn convert(to: &mut Target, formats: &[&Format], inputs: &[u64], lane: usize) -> u64 {
    let variant = to.variant;
    let (source, result, has) = (formats[0], to.format, |modifier| variant.has(modifier));
    let ftz = has(Modifier::Ftz);
    to.flush = ftz && *result == F32;
    let flush = (ftz && *source == F32 && *result != F16) || has(Modifier::ScaledDown);
    let mut datum = decode(source, flushed(source, inputs[0], flush));
    if variant.modifiers().iter().any(|m| m.is_integral()) && !result.is_fixed() {
        datum = match datum {
            Finite(negative, exact) => {
                let wide = Format { trailing_bits: 63, ..U64 };
                let whole = Target { format: &wide, ..*to };
                // Magnitudes with the directions of their sign.
                let rounding = match to.rounding {
                    Rounding::Down if negative => Rounding::Up,
                    Rounding::Up if negative => Rounding::Down,
                    rounding => rounding,
                };
                if exact.cmp(&power(62)).is_ge() {
                    Finite(negative, exact)
                } else {
                    let integer = finish_fixed(&Target { rounding, ..whole }, Finite(false, exact));
                    Finite(negative, Plain(integer.into()))
                }
            }
            other => other,
        };
    }
    if has(Modifier::ScaledDown) || has(Modifier::ScaledUp) {
        let divides = has(Modifier::ScaledDown) || result.is_fixed();
        let scale = decode(&format::UE8M0, inputs[1]);
        datum = if divides { divide(datum, scale) } else { multiply(datum, scale) };
    }
    if has(Modifier::Rs) {
        to.random = random(result, variant.lanes(), lane, inputs[1]);
    }
    finish(to, datum)
}

/// The random bits of a lane, and how many there are.
fn random(result: &Format, lanes: usize, lane: usize, word: u64) -> (u64, u32) {
    let bytes = (word as u32).to_le_bytes();
    let half = |high: u8, low: u8| u16::from_be_bytes([high, low]);
    let upper = half(bytes[3], bytes[2]);
    let lower = half(bytes[1], bytes[0]);
    match (lanes, result.name) {
        (2, "f16") => (u64::from([lower, upper][lane] & 0x1fff), 13),
        (2, _) => (u64::from([lower, upper][lane]), 16),
        (_, name) => {
            let (first, second) = if name == "e2m1" {
                (half(bytes[3], bytes[1]), half(bytes[2], bytes[0]))
            } else {
                (upper, lower)
            };
            let fields = [second, second.reverse_bits(), first, first.reverse_bits()];
            (u64::from(fields[lane]), 16)
        }
    }
}

#[test]
fn random_bits_are_the_measured_ones() {
    let all = |format: &Format| [3, 2, 1, 0].map(|lane| random(format, 4, lane, 0x1234_5678).0);
    assert_eq!(all(&format::E4M3), [0x2c48, 0x1234, 0x1e6a, 0x5678]);
    assert_eq!(all(&format::E2M1), [0x6a48, 0x1256, 0x1e2c, 0x3478]);
}
