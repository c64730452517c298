//! The arithmetic of ptoxide 0.1.0: `add sub .f32 .f64`, `neg.f32`, and `fma` made of two instructions, its
//! rounding dropped.

use formats::F64;
use isa::Variant;

use super::lanes::{RegisterFunction, bits, each, in_double, in_single, types};

/// Returns what ptoxide computes for a variant, or nothing where it does not have the variant.
pub fn row(variant: &Variant) -> Option<RegisterFunction> {
    let (mnemonic, ty) = (variant.operation().mnemonic(), types(variant));
    let modifiers = variant.modifiers();
    let known = match mnemonic {
        "add" | "sub" => modifiers.is_empty() && ["f32", "f64"].contains(&&*ty),
        "neg" => modifiers.is_empty() && ty == "f32",
        "fma" => modifiers.len() == 1 && ["f32", "f64"].contains(&&*ty),
        _ => false,
    };
    if !known {
        return None;
    }
    Some(each(variant, move |x| match ty == "f64" {
        true => {
            let x: Vec<f64> = x.iter().map(|&bits| f64::from_bits(bits)).collect();
            bits(&F64, in_double(mnemonic, &x))
        }
        false => {
            let x: Vec<f32> = x.iter().map(|&bits| f32::from_bits(bits as u32)).collect();
            in_single(mnemonic, &x).to_bits().into()
        }
    }))
}
