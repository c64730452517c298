//! The arithmetic of GPGPU-Sim 667834cf, built for release, from `instructions.cc` and `half.h`: `.ftz` is read by
//! nothing, f16 is truncated, and of `f16x2` there is the lower lane.

use formats::{Class, F16, F32, F64, Format};
use isa::Variant;

use super::lanes::{
    RegisterFunction, bits, each, flushed, has, in_double, in_single, integer, integral, only, right,
    value, without,
};
use crate::common::host::{encoded, exponent, scaled};

#[rustfmt::skip] // a list
const TYPES: &[&str] = &[
    "f16", "f32", "f64", "f16x2", "s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64",
];

/// Returns what GPGPU-Sim computes for a variant, or nothing where it does not have the variant.
pub fn row(variant: &Variant) -> Option<RegisterFunction> {
    let mnemonic = variant.operation().mnemonic();
    let unknown = ["relu", "NaN", "xorsign.abs", "abs", "satfinite", "pzo", "oob", "rs"];
    let absent = unknown.into_iter().any(|of| has(variant, of)) || variant.text().contains('(');
    if !only(variant, TYPES) || absent {
        return None;
    }
    let approximate = has(variant, "approx") || has(variant, "full");
    let half = *variant.outputs()[0].format == F16;
    let row = match mnemonic {
        "cvt" => return conversion(variant),
        "add" | "sub" | "mul" | "fma" | "mad" if !approximate => arithmetic(variant, mnemonic)?,
        "div" | "rcp" | "sqrt" if !approximate => arithmetic(variant, mnemonic)?,
        // The source has `assert(0)` here, which is compiled away.
        "min" | "max" if half => each(variant, |_| 0),
        "min" | "max" => right(&without(variant, |of| of == "ftz")?)?,
        "neg" => each(variant, negated(variant.outputs()[0].format)),
        "abs" => each(variant, magnitude(variant.outputs()[0].format)),
        "rsqrt" if !has(variant, "ftz") => root(variant),
        "div" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" if !half => {
            return right(variant);
        }
        _ => return None,
    };
    // GPGPU-Sim reads `.f16x2` as F16_TYPE.
    let packed = variant.printed()[0].name == "f16x2";
    Some(if packed { Box::new(move |registers| vec![row(registers)[0] & 0xffff]) } else { row })
}

/// Returns arithmetic as `add_impl`, `mul_impl`, `mad_def`, `div_impl` and their like compute it.
fn arithmetic(variant: &Variant, mnemonic: &'static str) -> Option<RegisterFunction> {
    let to = variant.outputs()[0].format;
    let directed = has(variant, "rm") || has(variant, "rp");
    if variant.printed().len() > 1 || *to == F64 && directed && mnemonic != "div" {
        return None;
    }
    let clamps = has(variant, "sat") && !["add", "sub"].contains(&mnemonic);
    // GPGPU-Sim calls `fesetround` for these.
    let rounds = has(variant, "rz") && ["add", "mul"].contains(&mnemonic) && *to != F16;
    if rounds {
        let honoured = right(&without(variant, |of| of == "ftz" || of == "sat")?)?;
        return Some(each(variant, move |x| {
            let result = value(to, honoured(x)[0]);
            bits(to, if clamps { result.clamp(0.0, 1.0) } else { result })
        }));
    }
    Some(each(variant, move |x| {
        let x: Vec<f64> = x.iter().map(|&bits| value(to, bits)).collect();
        let singles: Vec<f32> = x.iter().map(|&a| a as f32).collect();
        let result = match () {
            () if *to == F64 => in_double(mnemonic, &x),
            () => in_single(mnemonic, &singles).into(),
        };
        let clamped = if clamps { result.clamp(0.0, 1.0) } else { result };
        match () {
            () if *to == F16 => truncated(clamped),
            () => bits(to, clamped),
        }
    }))
}

/// Converts to f16 by `float2half` without a style: bits are cut off, and what is 2^16 or more is infinite.
fn truncated(value: f64) -> u64 {
    if value.is_nan() || value == 0.0 || value.is_infinite() {
        return bits(&F16, value);
    }
    let unit = exponent(value).max(-14) - 10;
    encoded(&F16, scaled(scaled(value, -unit).trunc(), unit))
}

/// Converts to f16 by `half_cast`: ties go away from zero.
fn nearest_away(value: f64) -> u64 {
    if value.is_nan() || value == 0.0 || value.is_infinite() {
        return bits(&F16, value);
    }
    let unit = exponent(value).max(-14) - 10;
    encoded(&F16, scaled(scaled(value, -unit).round(), unit))
}

/// Returns the negation of `neg_impl`: `0 - x`.
fn negated(format: &'static Format) -> impl Fn(&[u64]) -> u64 {
    move |x| bits(format, 0.0 - value(format, x[0]))
}

/// Returns the absolute value by a comparison, which keeps −0.
fn magnitude(format: &'static Format) -> impl Fn(&[u64]) -> u64 {
    move |x| {
        let number = value(format, x[0]);
        if number.is_nan() && *format == F64 {
            return x[0];
        }
        bits(format, if number < 0.0 { -number } else { number })
    }
}

/// Returns the reciprocal square root, where `rsqrt(-0)` is +∞.
fn root(variant: &Variant) -> RegisterFunction {
    let to = variant.outputs()[0].format;
    each(variant, move |x| match to.class(x[0]) {
        Class::Zero => bits(to, f64::INFINITY),
        _ => bits(to, 1.0 / value(to, x[0]).sqrt()),
    })
}

fn conversion(variant: &Variant) -> Option<RegisterFunction> {
    let (from, to) = (variant.inputs()[0].format, variant.outputs()[0].format);
    let (spelled, sat) = (variant.clone(), has(variant, "sat"));
    if variant.printed()[0].name == "f16x2" {
        let inputs = variant.operands().len();
        let first = move |row: &[u64]| vec![nearest_away(value(&F32, row[0]))];
        return (inputs == 2).then(|| -> RegisterFunction { Box::new(first) });
    }
    if from.is_integer() {
        return Some(each(variant, move |x| {
            // The source reads a union whose 64 bits nobody has filled.
            let number = if from.width() == 64 { 0 } else { integer(from, x[0]) };
            let clamped = if sat { number.clamp(0, 1) } else { number };
            match () {
                () if *to == F16 => nearest_away(clamped as f32 as f64),
                () if *to == F32 => (clamped as f32).to_bits().into(),
                () => (clamped as f64).to_bits(),
            }
        }));
    }
    if !to.is_integer() {
        let flushes = *from == F32 && *to == F32;
        return Some(each(variant, move |x| {
            let number = match () {
                () if *from == F16 && *to == F64 => f32::from_bits(x[0] as u32).into(),
                () => value(from, x[0]),
            };
            let number = if flushes { f64::from(flushed(number as f32)) } else { number };
            let number = integral(&spelled, number);
            let clamped = if sat { number.clamp(0.0, 1.0) } else { number };
            match () {
                () if *from == F64 && *to == F16 => 0,
                () if *to == F16 => nearest_away(clamped),
                () => bits(to, clamped),
            }
        }));
    }
    Some(each(variant, move |x| {
        let number = integral(&spelled, value(from, x[0]));
        let [least, most] = [to.min_finite(), to.max_finite()].map(|of| integer(to, of));
        let width = to.width();
        match () {
            () if number.is_nan() && (width == 64 || *from == F64) => 1 << (width - 1),
            () if number.is_nan() => 0,
            () if to.signed && width >= 32 && number == 2f64.powi(width as i32 - 1) => 1 << (width - 1),
            // GPGPU-Sim converts to unsigned integers by way of signed ones.
            () if !to.signed && width == 32 && number < 0.0 && number > -2f64.powi(63) => {
                number as i64 as u64 & to.mask()
            }
            () => (number as i128).clamp(least, most) as u64 & to.mask(),
        }
    }))
}
