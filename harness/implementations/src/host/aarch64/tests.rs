//! Tests of FPCR, and the operands for which instructions promise something else than PTX.

use isa::{Modifier, Operation, Variant};

use super::control;

/// Returns FPCR as it is.
pub fn control_register() -> u64 {
    let word: u64;
    // SAFETY: reads a register that programs may read.
    unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) word, options(nomem, nostack)) };
    word
}

/// Whether the instruction may give something else for these inputs of a lane than PTX: NaN as an
/// integer, or as an operand of `fmin`, and a signalling one as an operand of `fminnm`.
pub fn promises_another(variant: &Variant, inputs: &[u64]) -> bool {
    let format = variant.inputs()[0].format;
    let quiet = 1 << (format.trailing_bits - 1);
    let is_nan = |&bits: &u64| format.is_nan(bits);
    let is_signalling = |&bits: &u64| format.is_nan(bits) && bits & quiet == 0;
    match variant.operation() {
        Operation::Min | Operation::Max if !variant.has(Modifier::PropagateNan) => {
            inputs.iter().any(is_signalling)
        }
        _ => inputs.iter().any(is_nan),
    }
}

#[test]
fn modifiers_are_bits_of_the_control_register() {
    let of = |text: &str| control(&text.parse::<Variant>().unwrap());
    assert_eq!(of("add.f32"), 0);
    assert_eq!(of("add.rp.f32"), 0x0040_0000);
    assert_eq!(of("cvt.rn.ftz.f16.f32"), 0x0100_0000);
    assert_eq!(of("add.rz.ftz.f32"), 0x01c0_0000);
    assert_eq!(of("add.ftz.f16"), 0x0008_0000);
    assert_eq!(control_register(), 0, "a program begins like that");
}
