//! Tests of MXCSR, and the operands for which instructions promise something else than PTX.

use formats::{Class, Format};
use isa::{Modifier, Operation, Rounding, Variant};

use super::control;

/// Bits of MXCSR that say how to compute; the others remember exceptions.
const CONTROL: u32 = 0xffc0;

/// Returns the control bits of MXCSR as they are.
pub fn control_register() -> u64 {
    let mut word = 0u32;
    // SAFETY: stores four bytes where there is room for them.
    unsafe { std::arch::asm!("stmxcsr dword ptr [{}]", in(reg) &mut word, options(nostack)) };
    u64::from(word & CONTROL)
}

/// Whether the instruction may give something else for these inputs of a lane than PTX: an integer that
/// does not fit, a bf16 of a subnormal number, the second operand of `minss` that is NaN or, like the
/// first, zero.
pub fn promises_another(variant: &Variant, inputs: &[u64]) -> bool {
    let format = variant.inputs()[0].format;
    let class = |input: usize| match format.class(inputs[input]) {
        Class::Subnormal if variant.has(Modifier::Ftz) => Class::Zero,
        class => class,
    };
    match variant.operation() {
        Operation::Min | Operation::Max => {
            class(1) == Class::Nan || [class(0), class(1)] == [Class::Zero; 2]
        }
        _ if variant.outputs()[0].format.is_fixed() => !fits(variant, number(format, inputs[0])),
        _ => class(0) == Class::Subnormal,
    }
}

/// Returns the number that a datum of f16, f32 or f64 is.
fn number(format: &Format, bits: u64) -> f64 {
    match (format.class(bits), format.width()) {
        (Class::Nan, _) => f64::NAN,
        (Class::Infinity, _) if format.is_negative(bits) => f64::NEG_INFINITY,
        (Class::Infinity, _) => f64::INFINITY,
        (_, 64) => f64::from_bits(bits),
        (_, 32) => f32::from_bits(bits as u32).into(),
        // The same fields in f32, whose bias is greater by 112.
        _ => {
            let magnitude = f64::from(f32::from_bits((bits as u32 & 0x7fff) << 13)) * 2f64.powi(112);
            if format.is_negative(bits) { -magnitude } else { magnitude }
        }
    }
}

/// Whether a number, rounded as the variant asks, is an integer of its result.
fn fits(variant: &Variant, number: f64) -> bool {
    let rounded = match variant.meaning().rounding {
        Rounding::TowardZero => number.trunc(),
        Rounding::Down => number.floor(),
        Rounding::Up => number.ceil(),
        _ => number.round_ties_even(),
    };
    let format = variant.outputs()[0].format;
    let beyond = 2f64.powi(format.trailing_bits as i32);
    let lowest = if format.signed { -beyond } else { 0.0 };
    lowest <= rounded && rounded < beyond
}

#[test]
fn modifiers_are_bits_of_the_control_register() {
    let of = |text: &str| control(&text.parse::<Variant>().unwrap());
    assert_eq!(of("add.f32"), 0x1f80);
    assert_eq!(of("add.rm.f32"), 0x3f80);
    assert_eq!(of("cvt.rpi.s32.f32"), 0x5f80);
    assert_eq!(of("add.rz.f32"), 0x7f80);
    assert_eq!(of("add.rz.ftz.f32"), 0xffc0);
    assert_eq!(control_register(), 0x1f80, "a program begins like that");
}
