//! MXCSR.

use vectors::Variant;

use super::control;

/// What bits of MXCSR say how to compute; the others remember exceptions.
const CONTROL: u32 = 0xffc0;

/// The control bits of MXCSR as they are.
pub fn control_register() -> u64 {
    let mut word = 0u32;
    // SAFETY: stores four bytes where there is room for them.
    unsafe { std::arch::asm!("stmxcsr dword ptr [{}]", in(reg) &mut word, options(nostack)) };
    u64::from(word & CONTROL)
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
