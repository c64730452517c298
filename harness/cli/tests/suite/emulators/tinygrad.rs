//! The arithmetic of tinygrad's emulator da1baacf: numpy to nearest, and of the modifiers only `.rXi` and the
//! `.sat` of `cvt`. `f16x2` is 32 bits of no type.

use formats::{BF16, F16, F32, F64};
use isa::Variant;

use super::lanes::{
    RegisterFunction, bits, each, has, in_double, in_single, integer, integral, is_half, only, right,
    value, without,
};

#[rustfmt::skip] // a list
const TYPES: &[&str] = &[
    "f16", "bf16", "f32", "f64", "f16x2", "s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64", "b16", "b32", "b64",
];

/// Returns what tinygrad's emulator computes for a variant, or nothing where it does not have the variant.
pub fn row(variant: &Variant) -> Option<RegisterFunction> {
    let mnemonic = variant.operation().mnemonic();
    // The emulator was not tried on what the table lacked then.
    let untried = mnemonic == "redux" || variant.text().ends_with("(p)");
    if !only(variant, TYPES) || has(variant, "rs") || untried {
        return None;
    }
    let packed = variant.printed().iter().any(|ty| ty.name == "f16x2");
    match mnemonic {
        // The emulator takes `p|q` for one name.
        "setp" if packed || !is_half(variant.inputs()[0].format) => {
            let results = variant.results().len();
            Some(Box::new(move |_| vec![0; results]))
        }
        "cvt" if packed => Some(Box::new(|row| {
            let first = f32::from_bits(row[0] as u32);
            vec![u64::from(first as u32)]
        })),
        _ if packed => integers(variant, mnemonic),
        "cvt" => Some(conversion(variant)),
        "min" | "max" => extremum(variant),
        "set" | "setp" | "slct" | "testp" | "copysign" | "abs" | "neg" => {
            right(&without(variant, ignored)?)
        }
        _ if has(variant, "approx") || has(variant, "full") => right(&approximation(variant)?),
        _ => Some(arithmetic(variant, mnemonic)),
    }
}

/// Returns an approximation without `.ftz`, as far as PTX has it so.
fn approximation(variant: &Variant) -> Option<Variant> {
    without(variant, |of| of == "ftz").or_else(|| Some(variant.clone()))
}

fn ignored(modifier: &str) -> bool {
    ["ftz", "sat", "relu", "NaN", "xorsign.abs", "abs", "satfinite", "pzo", "oob"].contains(&modifier)
}

/// Returns what the emulator computes for 32 bits of no type, which it takes for an unsigned integer.
fn integers(variant: &Variant, mnemonic: &'static str) -> Option<RegisterFunction> {
    let spelled = variant.clone();
    if ["ex2", "tanh"].contains(&mnemonic) {
        return None;
    }
    Some(Box::new(move |row| {
        let at = |index: usize| row.get(index).map_or(0, |&bits| bits as u32);
        let (a, b, c) = (at(0), at(1), at(2));
        let result = match mnemonic {
            "add" => a.wrapping_add(b),
            "sub" => a.wrapping_sub(b),
            "mul" => a.wrapping_mul(b),
            "fma" => a.wrapping_mul(b).wrapping_add(c),
            "min" => a.min(b),
            "max" => a.max(b),
            "neg" => a.wrapping_neg(),
            "abs" => a,
            _ => {
                let is = |names: &[&str]| names.iter().any(|name| has(&spelled, name));
                let holds = match () {
                    () if is(&["eq", "equ"]) => a == b,
                    () if is(&["ne", "neu"]) => a != b,
                    () if is(&["lt", "ltu"]) => a < b,
                    () if is(&["le", "leu"]) => a <= b,
                    () if is(&["gt", "gtu"]) => a > b,
                    () if is(&["ge", "geu"]) => a >= b,
                    () => is(&["num"]),
                };
                let operand = row.get(2).is_some_and(|&predicate| predicate & 1 == 1);
                let holds = match () {
                    () if has(&spelled, "and") => holds & operand,
                    () if has(&spelled, "or") => holds | operand,
                    () if has(&spelled, "xor") => holds ^ operand,
                    () => holds,
                };
                if holds { u32::MAX } else { 0 }
            }
        };
        vec![result.into()]
    }))
}

/// Returns numpy's arithmetic: of the narrow formats in f32; `fma` of f16 and f32 in f64.
fn arithmetic(variant: &Variant, mnemonic: &'static str) -> RegisterFunction {
    let (inputs, to) = (variant.lane_signature().inputs.as_slice(), variant.outputs()[0].format);
    each(variant, move |x| {
        let x: Vec<f64> = inputs.iter().zip(x).map(|(of, &bits)| value(of.format, bits)).collect();
        let single = || x.iter().map(|&a| a as f32).collect::<Vec<f32>>();
        let result = match mnemonic {
            "fma" | "mad" if *to == F32 || *to == F16 => in_double(mnemonic, &x),
            _ if *to == F64 => in_double(mnemonic, &x),
            _ => in_single(mnemonic, &single()).into(),
        };
        written(to, result)
    })
}

/// Returns the bits of a result; bf16 is the upper half of an f32, rounded, and so is its NaN.
fn written(to: &formats::Format, result: f64) -> u64 {
    if *to == BF16 && result.is_nan() { 0x7fc0 } else { bits(to, result) }
}

/// Returns `min` or `max` of the first two operands.
fn extremum(variant: &Variant) -> Option<RegisterFunction> {
    let (mnemonic, types) = (variant.operation().mnemonic(), variant.type_suffix());
    let first = right(&format!("{mnemonic}{types}").parse::<Variant>().ok()?)?;
    Some(Box::new(move |row| first(&row[..2])))
}

fn conversion(variant: &Variant) -> RegisterFunction {
    let (from, to) = (variant.inputs()[0].format, variant.outputs()[0].format);
    let (spelled, sat) = (variant.clone(), has(variant, "sat"));
    if from.is_integer() {
        return each(variant, move |x| {
            let number = integer(from, x[0]);
            let clamp = |number: i128| if sat { number.clamp(0, 1) } else { number };
            match () {
                () if *to == F64 => (clamp(number) as f64).to_bits(),
                () if *to == F32 => (clamp(number) as f32).to_bits().into(),
                () => bits(to, clamp(number) as f32 as f64),
            }
        });
    }
    each(variant, move |x| {
        let number = integral(&spelled, value(from, x[0]));
        if !to.is_integer() {
            return written(to, if sat { number.clamp(0.0, 1.0) } else { number });
        }
        let [least, most] = [to.min_finite(), to.max_finite()].map(|of| integer(to, of));
        match () {
            () if number.is_nan() && (to.width() == 64 || *from == F64) => 1 << (to.width() - 1),
            () if number.is_nan() => 0,
            // `np.clip` leaves 2^63, which is one too many.
            () if to.width() == 64 && to.signed && number >= 2f64.powi(63) => 1 << 63,
            () => (number as i128).clamp(least, most) as u64 & to.mask(),
        }
    })
}
