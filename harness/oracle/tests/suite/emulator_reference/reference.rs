//! Definitions of what a lane of a variant must be, which share nothing with the kernels.

use std::cmp::Ordering;

use formats::{BF16, F16, F32, Format, U64};
use isa::{Modifier, Operation, Rounding, Variant};
use rug::Rational;

use super::search::Magnitude::{self, *};
use super::search::ReferenceDatum::{self, *};
use super::search::{Destination, decode, finish, finish_fixed, power};

/// Returns a datum, or zero of its sign where it is subnormal in one of the formats that `.ftz` is about.
fn flushed(f: &Format, bits: u64, flush: bool) -> u64 {
    let subnormal = flush && (*f == F32 || *f == F16 || *f == BF16) && {
        bits & f.magnitude_mask() < f.min_normal()
    };
    if subnormal { bits & f.sign_mask() } else { bits }
}

/// Returns the outputs of one lane, by definition.
pub fn expected(variant: &Variant, inputs: &[u64], lane: usize) -> Vec<u64> {
    let formats: Vec<&Format> = variant.inputs().iter().map(|input| input.format).collect();
    let result = variant.outputs()[0].format;
    let ftz = variant.has(Modifier::Ftz);
    let mut target = Destination {
        format: result,
        rounding: variant.meaning().rounding,
        flush: ftz,
        variant,
        random: (0, 0),
    };
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
                    finish(&Destination { rounding, ..Destination { flush: false, ..target } }, second),
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

fn negated(a: ReferenceDatum) -> ReferenceDatum {
    match a {
        Nan => Nan,
        Infinity(negative) => Infinity(!negative),
        Finite(negative, magnitude) => Finite(!negative, magnitude),
    }
}

fn add(to: &Destination, a: ReferenceDatum, b: ReferenceDatum) -> ReferenceDatum {
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

fn multiply(a: ReferenceDatum, b: ReferenceDatum) -> ReferenceDatum {
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

fn divide(a: ReferenceDatum, b: ReferenceDatum) -> ReferenceDatum {
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

fn convert(to: &mut Destination, formats: &[&Format], inputs: &[u64], lane: usize) -> u64 {
    let variant = to.variant;
    let (source, result, has) = (formats[0], to.format, |modifier| variant.has(modifier));
    let ftz = has(Modifier::Ftz);
    to.flush = ftz && *result == F32;
    let flush = (ftz && *source == F32) || has(Modifier::ScaledDown);
    let mut datum = decode(source, flushed(source, inputs[0], flush));
    if variant.modifiers().iter().any(|m| m.is_integral()) && !result.is_fixed() {
        datum = match datum {
            Finite(negative, exact) => {
                let wide = Format::fixed(U64.id, false, 63, 0);
                let whole = Destination { format: &wide, ..*to };
                // A magnitude is rounded in the direction that the number's sign makes of the rounding.
                let rounding = match to.rounding {
                    Rounding::Down if negative => Rounding::Up,
                    Rounding::Up if negative => Rounding::Down,
                    rounding => rounding,
                };
                if exact.cmp(&power(62)).is_ge() {
                    Finite(negative, exact)
                } else {
                    let integer = finish_fixed(&Destination { rounding, ..whole }, Finite(false, exact));
                    Finite(negative, Plain(integer.into()))
                }
            }
            other => other,
        };
    }
    if has(Modifier::ScaledDown) || has(Modifier::ScaledUp) {
        let divides = has(Modifier::ScaledDown) || result.is_fixed();
        let scale = decode(&formats::UE8M0, inputs[1]);
        datum = if divides { divide(datum, scale) } else { multiply(datum, scale) };
    }
    if has(Modifier::Rs) {
        to.random = random(result, variant.lanes(), lane, inputs[1]);
    }
    finish(to, datum)
}

/// Returns the random bits of a lane, and how many there are.
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
    assert_eq!(all(&formats::E4M3), [0x2c48, 0x1234, 0x1e6a, 0x5678]);
    assert_eq!(all(&formats::E2M1), [0x6a48, 0x1256, 0x1e2c, 0x3478]);
}
