//! FPCR.

use vectors::Variant;

use super::control;

/// FPCR as it is.
pub fn control_register() -> u64 {
    let word: u64;
    // SAFETY: reads a register that programs may read.
    unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) word, options(nomem, nostack)) };
    word
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
