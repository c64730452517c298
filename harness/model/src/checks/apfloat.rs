//! `rustc_apfloat` on arithmetic and conversions, in every rounding that it has.

use rustc_apfloat::ieee::{BFloat, Double, Float8E4M3FN, Float8E5M2, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};
use vectors::Variant;
use vectors::isa::{Operation, Rounding};

use super::{Random, canonical, run, variants};

fn round(variant: &Variant) -> Round {
    match variant.rounding() {
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::NearestAway => Round::NearestTiesToAway,
        Rounding::TowardZero => Round::TowardZero,
        Rounding::Down => Round::TowardNegative,
        Rounding::Up => Round::TowardPositive,
        Rounding::Stochastic => panic!("no rounding of rustc_apfloat"),
    }
}

/// Negative numbers that overflow E4M3 go the wrong way in `rustc_apfloat` 0.2.3 if the rounding is a
/// directed one: it forgets to turn the direction round.
fn has_reference(variant: &Variant) -> bool {
    let directed = matches!(variant.rounding(), Rounding::Down | Rounding::Up);
    !(directed && variant.outputs()[0].format.name == "e4m3")
}

fn check(variant: &Variant, count: usize, reference: impl Fn(&[u64]) -> u64) {
    let vectors = Random::new(7).vectors(variant, count);
    for (operands, results) in vectors.iter().zip(run(variant, None, &vectors)) {
        let expected = canonical(variant.outputs()[0].format, reference(operands));
        assert!(results[0] == expected, "{variant} {operands:x?}: {:x} {expected:x}", results[0]);
    }
}

fn arithmetic<F: Float>(variant: &Variant) {
    let round = round(variant);
    let datum = |bits: u64| F::from_bits(bits.into());
    check(variant, 40_000, |operands| {
        let a = datum(operands[0]);
        let b = || datum(operands[1]);
        let result = match variant.operation() {
            Operation::Add => a.add_r(b(), round),
            Operation::Sub => a.sub_r(b(), round),
            Operation::Mul => a.mul_r(b(), round),
            Operation::Div => a.div_r(b(), round),
            Operation::Rcp => F::from_u128(1).value.div_r(a, round),
            _ => a.mul_add_r(b(), datum(operands[2]), round),
        };
        result.value.to_bits() as u64
    });
}

#[test]
fn arithmetic_rounds_once() {
    let rows = [
        ("add.rn|rz|rm|rp|rna.f16|bf16|f32|f64|e4m3|e5m2", "d, a, b"),
        ("sub.rn|rz|rm|rp|rna.f16|bf16|f32|f64|e4m3|e5m2", "d, a, b"),
        ("mul.rn|rz|rm|rp|rna.f16|bf16|f32|f64|e4m3|e5m2", "d, a, b"),
        ("div.rn|rz|rm|rp|rna.f16|bf16|f32|f64|e4m3|e5m2", "d, a, b"),
        ("rcp.rn|rz|rm|rp|rna.f16|bf16|f32|f64", "d, a"),
        ("fma.rn|rz|rm|rp|rna.f16|bf16|f32|f64|e4m3|e5m2", "d, a, b, c"),
        ("mad.rn|rz|rm|rp|rna.f16|bf16|f32|f64", "d, a, b, c"),
    ];
    let all = rows.into_iter().flat_map(|(syntax, registers)| variants(syntax, registers));
    for variant in all.filter(has_reference) {
        match variant.outputs()[0].format.name {
            "f16" => arithmetic::<Half>(&variant),
            "bf16" => arithmetic::<BFloat>(&variant),
            "f32" => arithmetic::<Single>(&variant),
            "f64" => arithmetic::<Double>(&variant),
            "e4m3" => arithmetic::<Float8E4M3FN>(&variant),
            _ => arithmetic::<Float8E5M2>(&variant),
        }
    }
}

fn conversion<S: FloatConvert<D>, D: Float>(variant: &Variant) {
    let round = round(variant);
    check(variant, 20_000, |operands| {
        S::from_bits(operands[0].into()).convert_r(round, &mut false).value.to_bits() as u64
    });
}

#[test]
fn conversions_among_floats_round_once() {
    macro_rules! to {
        ($variant:expr, $source:ty) => {
            match $variant.outputs()[0].format.name {
                "f16" => conversion::<$source, Half>($variant),
                "bf16" => conversion::<$source, BFloat>($variant),
                "f32" => conversion::<$source, Single>($variant),
                "f64" => conversion::<$source, Double>($variant),
                "e4m3" => conversion::<$source, Float8E4M3FN>($variant),
                _ => conversion::<$source, Float8E5M2>($variant),
            }
        };
    }
    let all = variants(
        "cvt.rn|rz|rm|rp|rna.f16|bf16|f32|f64|e4m3|e5m2.f16|bf16|f32|f64|e4m3|e5m2",
        "d:dtype, a",
    );
    for variant in all.iter().filter(|variant| has_reference(variant)) {
        match variant.inputs()[0].format.name {
            "f16" => to!(variant, Half),
            "bf16" => to!(variant, BFloat),
            "f32" => to!(variant, Single),
            "f64" => to!(variant, Double),
            "e4m3" => to!(variant, Float8E4M3FN),
            _ => to!(variant, Float8E5M2),
        }
    }
}

fn to_integer<F: Float>(variant: &Variant) {
    let (format, round) = (variant.outputs()[0].format, round(variant));
    let wide = format.width() == 64 || variant.inputs()[0].format.width() == 64;
    check(variant, 20_000, |operands| {
        let datum = F::from_bits(operands[0].into());
        let width = format.width() as usize;
        let value = match format.signed {
            _ if datum.is_nan() => {
                if wide {
                    1 << (width - 1)
                } else {
                    0
                }
            }
            true => datum.to_i128_r(width, round, &mut false).value as u64,
            false => datum.to_u128_r(width, round, &mut false).value as u64,
        };
        value & format.mask()
    });
}

#[test]
fn conversions_to_integers_round_and_clamp() {
    let syntax = "cvt.irnd.u8|u16|u32|u64|s8|s16|s32|s64.f16|bf16|f32|f64";
    for variant in &variants(syntax, "d:dtype, a") {
        match variant.inputs()[0].format.name {
            "f16" => to_integer::<Half>(variant),
            "bf16" => to_integer::<BFloat>(variant),
            "f32" => to_integer::<Single>(variant),
            _ => to_integer::<Double>(variant),
        }
    }
}

fn of_integer<F: Float>(variant: &Variant) {
    let (format, round) = (variant.inputs()[0].format, round(variant));
    check(variant, 20_000, |operands| {
        let unused = 128 - format.width();
        let converted = match format.signed {
            true => F::from_i128_r(i128::from(operands[0]) << unused >> unused, round),
            false => F::from_u128_r(operands[0].into(), round),
        };
        converted.value.to_bits() as u64
    });
}

#[test]
fn conversions_of_integers_round_once() {
    let syntax = "cvt.rn|rz|rm|rp.f16|bf16|f32|f64.u8|u16|u32|u64|s8|s16|s32|s64";
    for variant in &variants(syntax, "d:dtype, a") {
        match variant.outputs()[0].format.name {
            "f16" => of_integer::<Half>(variant),
            "bf16" => of_integer::<BFloat>(variant),
            "f32" => of_integer::<Single>(variant),
            _ => of_integer::<Double>(variant),
        }
    }
}

fn to_integral<F: Float>(variant: &Variant) {
    let round = round(variant);
    check(variant, 40_000, |operands| {
        let datum = F::from_bits(operands[0].into());
        datum.round_to_integral(round).value.to_bits() as u64
    });
}

#[test]
fn integral_floats_keep_the_sign_of_zero() {
    for variant in &variants("cvt.irnd.f16|bf16|f32|f64", "d, a") {
        match variant.outputs()[0].format.name {
            "f16" => to_integral::<Half>(variant),
            "bf16" => to_integral::<BFloat>(variant),
            "f32" => to_integral::<Single>(variant),
            _ => to_integral::<Double>(variant),
        }
    }
}
