//! 9.7.6: arithmetic of four narrow numbers, lane 0 in the low bits.

use super::check;

/// "As if with infinite precision, then rounded to nearest even."
#[test]
#[rustfmt::skip] // a table
fn operands_are_exact_and_results_rounded_once() {
    check(&[
        // 1 + 1, −1 + 1, ∞ + 1, NaN + 1.
        ("add.e5m2x4.e2m3x4",      &[0x0808_0808, 0x3cbc_7c7d],  0x4000_7c7f, &[]),
        // 1 + ⅛ and 1¼ + ⅛ are ties; ½ of the smallest is not seen beside the largest.
        ("add.e5m2x4.e2m3x4",      &[0x0101_0100, 0x3c3d_7b80],  0x3c3e_7b00, &[]),
        ("sub.e4m3x4.e4m3x4",      &[0x3838_3838, 0x38b8_0080],  0x0040_3838, &[]),
        // 1¼ × 1¼; 1¼ × 1½ is a tie, and the addend ±2^-16 decides it.
        ("fma.rn.e5m2x4.e5m2x4.e5m2x4", &[0x3d3d_3d3d, 0x3d3e_3e3e, 0x0000_0181], 0x3e40_403f, &[]),
        // Packed nibbles, and padded ones.
        ("fma.rn.e4m3x4.e2m1x4.e2m1p4x4", &[0x2222, 0x0202_0207, 0x3838_3838], 0x4040_404e, &[]),
        ("mul.e4m3x4.e2m1x4.e3m2x4", &[0x21f2, 0x0c0c_0c1f],     0x3830_cc5e, &[]),
    ]);
}

/// "Positive or negative MAX_NORM" by `.satfinite`; without it e4m3 has NaN, and e5m2 infinity.
#[test]
#[rustfmt::skip] // a table
fn overflow_and_specials() {
    check(&[
        // 1 × 2, ∞ × 1, 1 × NaN, −1 × 512.
        ("mul.satfinite.e4m3x4.e5m2x4.ue8m0x4", &[0x3c7c_3cbc, 0x807f_ff88], 0x407e_7ffe, &[]),
        ("mul.e4m3x4.e5m2x4.ue8m0x4",           &[0x3c7c_3cbc, 0x807f_ff88], 0x407f_7f7f, &[]),
        ("mul.rn.e5m2x4.e5m2x4.ue8m0x4",        &[0x3c7c_3cfb, 0x807f_ff80], 0x407c_7ffc, &[]),
        ("mul.satfinite.e5m2x4.e5m2x4.ue8m0x4", &[0x3c7c_3cfb, 0x807f_ff80], 0x407b_7ffb, &[]),
        // 0 × ∞, −0 × 1, −1 × −1, −∞ × 0.
        ("mul.e5m2x4.e5m2x4.e5m2x4",            &[0x0080_bcfc, 0x7c3c_bc00], 0x7f80_3c7f, &[]),
        // Times 2^-127 nothing is left, but the sign.
        ("mul.e5m2x4.e5m2x4.ue8m0x4",           &[0xbc3c_bc3c, 0x0000_7f7f], 0x8000_bc3c, &[]),
        // 448 + 16 is a tie with NaN's place, 448 + 18 beyond it.
        ("add.e4m3x4.e4m3x4",                   &[0x7e7e_fefe, 0x5859_d8d9], 0x7e7f_fe7f, &[]),
        ("add.satfinite.e4m3x4.e4m3x4",         &[0x7e7e_fefe, 0x5859_d8d9], 0x7e7e_fefe, &[]),
    ]);
}
