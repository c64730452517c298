//! The arithmetic of GPU Ocelot b16039dc, from `CooperativeThreadArray.cpp`: f32 and f64, `.ftz` and `.sat` obeyed
//! by arithmetic and rounding by nothing, `fma` in two steps.

use formats::{Class, F32, F64};
use isa::Variant;

use super::lanes::{
    RegisterFunction, bits, by_lanes, each, flushed, has, in_double, in_single, integer, integral, only,
    right, value, without,
};

const TYPES: &[&str] =
    &["f32", "f64", "s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64", "b16", "b32", "b64"];

/// Returns what GPU Ocelot computes for a variant, or nothing where it does not have the variant.
pub fn row(variant: &Variant) -> Option<RegisterFunction> {
    let mnemonic = variant.operation().mnemonic();
    let unknown = ["relu", "NaN", "xorsign.abs", "abs", "satfinite", "pzo", "oob"];
    if !only(variant, TYPES) || unknown.into_iter().any(|of| has(variant, of)) {
        return None;
    }
    if variant.text().contains('(') {
        return None;
    }
    match mnemonic {
        "add" | "sub" | "mul" | "fma" | "mad" => arithmetic(variant, mnemonic),
        "div" | "rcp" | "sqrt" if !has(variant, "approx") && !has(variant, "full") => {
            arithmetic(variant, mnemonic)
        }
        "rcp" | "rsqrt" if has(variant, "approx") && has(variant, "ftz") && of_double(variant) => {
            Some(each(variant, move |x| bits(&F64, in_double(mnemonic, &[f64::from_bits(x[0])]))))
        }
        "min" | "max" => Some(extremum(variant, mnemonic == "max")),
        "set" | "setp" => comparison(variant),
        "cvt" => conversion(variant),
        "abs" => Some(magnitude(variant)),
        "testp" if of_double(variant) => Some(class(variant)),
        "testp" => Some(class_of_zero(variant)),
        "neg" | "slct" | "copysign" => right(variant),
        "div" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" => right(variant),
        _ => None,
    }
}

fn of_double(variant: &Variant) -> bool {
    *variant.inputs()[0].format == F64
}

/// Returns arithmetic as `eval_Add` and its like compute it: host arithmetic, flushed before and behind, clamped.
fn arithmetic(variant: &Variant, mnemonic: &'static str) -> Option<RegisterFunction> {
    let (ftz, sat) = (has(variant, "ftz"), has(variant, "sat"));
    if variant.type_suffix() == ".f64" {
        return Some(each(variant, move |x| {
            let x: Vec<f64> = x.iter().map(|&bits| f64::from_bits(bits)).collect();
            bits(&F64, in_double(mnemonic, &x))
        }));
    }
    (variant.type_suffix() == ".f32").then(|| {
        each(variant, move |x| {
            let read = |&bits: &u64| {
                let number = f32::from_bits(bits as u32);
                if ftz { flushed(number) } else { number }
            };
            let result = in_single(mnemonic, &x.iter().map(read).collect::<Vec<f32>>());
            let result = if ftz { flushed(result) } else { result };
            let clamped = match sat {
                true if result > 1.0 => 1.0,
                // NaN becomes zero as well.
                true if result > 0.0 => result,
                true => 0.0,
                false => result,
            };
            bits(&F32, clamped.into())
        })
    })
}

/// Returns `min` or `max` as `a < b ? a : b` computes it, but for NaN.
fn extremum(variant: &Variant, largest: bool) -> RegisterFunction {
    let (format, ftz) = (variant.outputs()[0].format, has(variant, "ftz"));
    each(variant, move |x| {
        let read = |bits: u64| {
            let number = value(format, bits);
            if ftz { f64::from(flushed(number as f32)) } else { number }
        };
        let (a, b) = (read(x[0]), read(x[1]));
        let first = if largest { a > b } else { a < b };
        let best = match () {
            () if a.is_nan() => b,
            () if b.is_nan() => a,
            () if first => a,
            () => b,
        };
        bits(format, best)
    })
}

/// Returns the comparison of `eval_Set`: unordered operands are false, but `.ne` is C's.
fn comparison(variant: &Variant) -> Option<RegisterFunction> {
    let ordered = ["equ", "ltu", "leu", "gtu", "geu"];
    let unordered = ordered.into_iter().any(|of| has(variant, of));
    let different = has(variant, "ne");
    let inputs = variant.inputs();
    if inputs[0].format.is_fixed() || !(unordered || different) {
        return right(variant);
    }
    // The other relation of the same name treats NaN the other way round.
    let other = |modifier: &str| match modifier {
        "equ" => "eq".into(),
        "ltu" => "lt".into(),
        "leu" => "le".into(),
        "gtu" => "gt".into(),
        "geu" => "ge".into(),
        "ne" => "neu".into(),
        _ => modifier.to_owned(),
    };
    let modifiers: String =
        variant.modifiers().iter().map(|of| format!(".{}", other(of.text()))).collect();
    let text = format!("{}{modifiers}{}", variant.operation().mnemonic(), variant.type_suffix());
    right(&text.parse::<Variant>().ok()?)
}

/// Returns the absolute value of `eval_Abs`: −0 stays.
fn magnitude(variant: &Variant) -> RegisterFunction {
    let (format, right) = (variant.outputs()[0].format, right(variant).expect("a kernel"));
    let ftz = has(variant, "ftz");
    Box::new(move |row| {
        let class = format.class(row[0]);
        let zero = class == Class::Zero || ftz && class == Class::Subnormal;
        if zero { vec![row[0] & format.sign_mask()] } else { right(row) }
    })
}

/// Returns `eval_TestP` of f64, which uses functions of f32.
fn class(variant: &Variant) -> RegisterFunction {
    let single: Variant = variant.text().replace("f64", "f32").parse().expect("of f32, too");
    let row = class_of_zero(&single);
    Box::new(move |registers| row(&[u64::from((f64::from_bits(registers[0]) as f32).to_bits())]))
}

/// Returns the test for a class, where zero is not normal.
fn class_of_zero(variant: &Variant) -> RegisterFunction {
    let (right, normal) = (right(variant).expect("a kernel"), has(variant, "normal"));
    by_lanes(variant, move |x| match normal && F32.class(x[0]) == Class::Zero {
        true => vec![0],
        false => right(x),
    })
}

/// Returns the conversion of `eval_Cvt`: rounding by `fesetround`; `.ftz` ignored, `.sat` from integers; host
/// conversions to integers.
fn conversion(variant: &Variant) -> Option<RegisterFunction> {
    let (from, to) = (variant.inputs()[0].format, variant.outputs()[0].format);
    if from.is_integer() {
        return right(&without(variant, |of| of == "sat" || of == "ftz")?);
    }
    if !to.is_integer() {
        let plain = without(variant, |of| of == "ftz")?;
        if types_are(variant, &F64, &F64) {
            let unrounded = without(variant, |of| of == "ftz" || of.ends_with('i'))?;
            return right(&unrounded);
        }
        return right(&plain);
    }
    let spelled = variant.clone();
    Some(each(variant, move |x| {
        let number = integral(&spelled, value(from, x[0]));
        let width = to.width();
        let [least, most] = [to.min_finite(), to.max_finite()].map(|of| integer(to, of) as f64);
        let integer = match () {
            () if number.is_nan() => 0,
            // The limit as a float is a power of two, and is let through; then the host's own conversion follows.
            () if number > most as f32 as f64 => most as i128,
            () if number < least => least as i128,
            () if to.signed && width >= 32 && number >= 2f64.powi(width as i32 - 1) => 1 << (width - 1),
            () => number as i128,
        };
        let most = integer_of(to.max_finite());
        integer.min(if to.signed { i128::MAX } else { most }) as u64 & to.mask()
    }))
}

fn integer_of(bits: u64) -> i128 {
    bits.into()
}

fn types_are(variant: &Variant, from: &formats::Format, to: &formats::Format) -> bool {
    variant.inputs()[0].format == from && variant.outputs()[0].format == to
}
