//! Helpers in which the four emulators are written: rows of registers, lanes of them, host numbers.

use emulator::{Backend, Kernel};
use formats::{BF16, F16, F32, F64, Format};
use isa::{LaneData, Variant};

use crate::common::host;

/// A function from the registers of the operands to those of the results.
pub type RegisterFunction = Box<dyn Fn(&[u64]) -> Vec<u64>>;

/// Returns whether a modifier stands in the spelling.
pub fn has(variant: &Variant, modifier: &str) -> bool {
    variant.modifiers().iter().any(|of| of.text() == modifier)
}

/// Returns the types as they are printed, such as `f32.s32`.
pub fn types(variant: &Variant) -> String {
    variant.type_suffix().trim_start_matches('.').into()
}

/// Returns the variant without the modifiers that `dropped` selects, rounded to nearest where a rounding must
/// stand; nothing where there is no such variant.
pub fn without(variant: &Variant, dropped: impl Fn(&str) -> bool) -> Option<Variant> {
    let kept: Vec<&str> =
        variant.modifiers().iter().map(|of| of.text()).filter(|text| !dropped(text)).collect();
    let (mnemonic, types) = (variant.operation().mnemonic(), variant.type_suffix());
    let operands = &variant.text()[variant.spelling().len()..];
    let spelled = |modifiers: &[&str]| {
        let modifiers: String = modifiers.iter().map(|of| format!(".{of}")).collect();
        format!("{mnemonic}{modifiers}{types}{operands}").parse::<Variant>().ok()
    };
    spelled(&kept).or_else(|| spelled(&[&["rn"], &kept[..]].concat()))
}

/// Returns the right results of a variant, for what an emulator has right.
pub fn right(variant: &Variant) -> Option<RegisterFunction> {
    let kernel = Kernel::of(variant, Backend::Scalar)?;
    Some(Box::new(move |registers| kernel.run_one(registers)))
}

/// Returns a function of rows from one of lanes, which takes the inputs of a lane to its results.
pub fn by_lanes(variant: &Variant, lane: impl Fn(&[u64]) -> Vec<u64> + 'static) -> RegisterFunction {
    let (signature, lanes) = (variant.lane_signature(), variant.lanes());
    let (inputs, outputs): (&[LaneData], &[LaneData]) = (&signature.inputs, &signature.outputs);
    let registers = variant.results().len();
    Box::new(move |row| {
        let mut results = vec![0; registers];
        for at in 0..lanes {
            let take = |of: &LaneData| of.slots[at].take(row[of.slots[at].register]);
            let given = lane(&inputs.iter().map(take).collect::<Vec<u64>>());
            for (of, bits) in outputs.iter().zip(given) {
                results[of.slots[at].register] |= of.slots[at].put(bits);
            }
        }
        results
    })
}

/// Returns a function of rows from one of lanes with one result.
pub fn each(variant: &Variant, lane: impl Fn(&[u64]) -> u64 + 'static) -> RegisterFunction {
    by_lanes(variant, move |inputs| vec![lane(inputs)])
}

/// Computes in the host's f32.
pub fn in_single(mnemonic: &str, x: &[f32]) -> f32 {
    match (mnemonic, x) {
        ("add", [a, b]) => a + b,
        ("sub", [a, b]) => a - b,
        ("mul", [a, b]) => a * b,
        ("fma" | "mad", [a, b, c]) => a * b + c,
        ("div", [a, b]) => a / b,
        ("rcp", [a]) => 1.0 / a,
        ("sqrt", [a]) => a.sqrt(),
        ("neg", [a]) => -a,
        ("abs", [a]) => a.abs(),
        _ => in_double(mnemonic, &x.iter().map(|&a| f64::from(a)).collect::<Vec<f64>>()) as f32,
    }
}

/// Computes in the host's f64.
pub fn in_double(mnemonic: &str, x: &[f64]) -> f64 {
    match (mnemonic, x) {
        ("add", [a, b]) => a + b,
        ("sub", [a, b]) => a - b,
        ("mul", [a, b]) => a * b,
        ("fma" | "mad", [a, b, c]) => a * b + c,
        ("div", [a, b]) => a / b,
        ("rcp", [a]) => 1.0 / a,
        ("sqrt", [a]) => a.sqrt(),
        ("rsqrt", [a]) => 1.0 / a.sqrt(),
        ("sin", [a]) => a.sin(),
        ("cos", [a]) => a.cos(),
        ("lg2", [a]) => a.log2(),
        ("ex2", [a]) => a.exp2(),
        ("tanh", [a]) => a.tanh(),
        ("neg", [a]) => -a,
        ("abs", [a]) => a.abs(),
        _ => unreachable!("{mnemonic} of {}", x.len()),
    }
}

/// Returns the value of a float's bits, exactly.
pub fn value(format: &Format, bits: u64) -> f64 {
    match format {
        _ if *format == F64 => f64::from_bits(bits),
        _ if *format == F32 => f32::from_bits(bits as u32).into(),
        _ if *format == BF16 => f32::from_bits((bits as u32) << 16).into(),
        _ if format.is_nan(bits) => f64::NAN,
        _ if format.infinity() == Some(bits & format.magnitude_mask()) => {
            if format.is_negative(bits) {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            }
        }
        _ => {
            let number = format.value(bits).expect("no special");
            // A zero keeps its sign.
            if format.is_negative(bits) { -number.abs() } else { number }
        }
    }
}

/// Returns a host number as bits of a format, rounded to nearest; a NaN becomes the canonical one.
pub fn bits(format: &Format, value: f64) -> u64 {
    match format {
        _ if value.is_nan() => format.canonical_nan(),
        _ if *format == F64 => value.to_bits(),
        _ if *format == F32 => (value as f32).to_bits().into(),
        _ => host::rounded(format, value),
    }
}

/// Returns zero of its sign in the place of a subnormal number.
pub fn flushed(value: f32) -> f32 {
    if value.is_subnormal() { 0f32.copysign(value) } else { value }
}

/// Returns whether all types of a variant are among some.
pub fn only(variant: &Variant, known: &[&str]) -> bool {
    variant.printed().iter().all(|ty| known.contains(&ty.name))
}

/// Returns the value of an integer's bits.
pub fn integer(format: &Format, bits: u64) -> i128 {
    let unused = 128 - format.width();
    match format.signed {
        true => (i128::from(bits) << unused) >> unused,
        false => bits.into(),
    }
}

/// Returns the integral number next to a value, by the modifier that names the direction.
pub fn integral(variant: &Variant, value: f64) -> f64 {
    match () {
        () if has(variant, "rni") => value.round_ties_even(),
        () if has(variant, "rzi") => value.trunc(),
        () if has(variant, "rmi") => value.floor(),
        () if has(variant, "rpi") => value.ceil(),
        () => value,
    }
}

/// Returns whether a format is f16 or bf16.
pub fn is_half(format: &Format) -> bool {
    *format == F16 || *format == BF16
}
