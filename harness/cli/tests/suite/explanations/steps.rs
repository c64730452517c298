//! Tests of the steps that an explanation shows between an exact result and the result.

use super::{explained, shows};

/// An instruction with its operands, and lines that are printed for them.
type Steps = (&'static str, &'static [&'static str]);

/// A rounded result that is replaced by another one is shown with the reason.
#[test]
#[rustfmt::skip] // a table
fn what_makes_another_result_of_a_rounded_one_is_told() {
    let cases: &[Steps] = &[
        ("cvt.rzi.s32.f32 4f800000",       &["limit beyond the last integer on its side, 2147483647: it becomes that"]),
        ("cvt.rzi.s32.f32 ff800000",       &["limit beyond the last integer on its side, -2147483648: it becomes that"]),
        ("cvt.rni.s16.f64 c0f0000000000000", &["limit beyond the last integer on its side, -32768: it becomes that"]),
        ("cvt.rzi.u32.f32 7fc00000",       &["exact not a number", "nan the result has no NaN: it becomes +0"]),
        ("sub.rp.sat.f32 3f800000 40000000", &["round nothing to round", "sat below 0: it becomes +0"]),
        ("add.sat.f32 3f800000 40000000",  &["sat above 1: it becomes 1"]),
        ("add.sat.f32 7fc00000 0",         &["sat NaN becomes +0"]),
        ("fma.rn.relu.f16 3c00 8002 0",    &["relu its sign is negative: it becomes +0"]),
        ("add.rz.ftz.f16x2.f32x2.f32x2 c7800000 0", &["overflow beyond the largest number, 65504: rounding towards zero stops at -65504"]),
        ("mul.rz.f32 7f000000 ff000000",   &["overflow beyond the largest number, 3.4028234663852886e38: rounding towards zero stops at -3.4028234663852886e38"]),
        ("mul.rn.f32 7f000000 ff000000",   &["overflow beyond the largest number, 3.4028234663852886e38: it becomes -infinity"]),
        ("fma.rz.f32.bf16 7f00 7f00 0",    &["overflow beyond the largest number, 3.4028234663852886e38: rounding towards zero stops at 3.4028234663852886e38"]),
        ("cvt.rn.satfinite.f16.f32 c7800000", &["satfinite beyond the largest number, 65504: it becomes -65504"]),
        ("cvt.rn.satfinite.e2m3x2.f32 7f000000 0", &["satfinite beyond the largest number, 7.5: it becomes 7.5"]),
        ("cvt.rz.ue5m3x2.f32 bf800000 7f800000", &["magnitude the result has no sign: that of the number is left out",
                                            "overflow the result has no infinity: it becomes NaN"]),
        ("cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32 3f800000 43e80000 70",
                                           &["scaled input 1 is divided by input 2, 3.0517578125e-5",
                                             "satfinite beyond the largest number, 448: it becomes 448"]),
    ];
    for (arguments, lines) in cases {
        shows(&explained(&arguments.split(' ').collect::<Vec<_>>()), lines);
    }
}

/// The comparison of cut-off bits with one half is told only where it counts: a directed rounding does not ask for
/// it, and zeros are no loss.
#[test]
fn halves_are_told_of_where_they_count() {
    let up = explained(&["cvt.rp.f16.f32", "3f800001"]);
    shows(&up, &["round up: guard 0, sticky 1, inexact: the magnitude goes up"]);
    let same = explained(&["cvt.rn.f16.f32", "3f800000"]);
    shows(&same, &["round to nearest, ties to even: guard 0, sticky 0, exact: only zeros are cut off"]);
}

/// The random bits stand under the bits that they are added to: 1.0625 and 1.0625 less 2^-23, with 0x1fff and the
/// same bits backwards.
#[test]
fn random_bits_are_under_those_that_they_are_added_to() {
    let text = explained(&["cvt.rs.satfinite.e4m3x4.f32", "3f87ffff", "3f880000", "0", "0", "1fff0000"]);
    let lines: Vec<&str> = text.lines().collect();
    let under = [
        "  cut       1000 | 1000000000000000 0000 × 2^-3",
        "  random           0001111111111111 the 16 random bits of this lane",
        "  sum            0 1001111111111111 no carry into the bits that are kept",
        "  round     by random bits: no carry: the bits are cut off",
    ];
    assert!(lines.windows(4).any(|lines| lines == under), "{text}");
    let under = [
        "  cut       1000 | 0111111111111111 1111 × 2^-3",
        "  random           1111111111111000 the 16 random bits of this lane",
        "  sum            1 0111111111110111 a carry into the bits that are kept",
        "  round     by random bits: a carry: the magnitude goes up",
    ];
    assert!(lines.windows(4).any(|lines| lines == under), "{text}");
    assert!(!text.contains("half") && !text.contains("tie:"), "{text}");
}

/// The line `exact` shows the exact value, whatever the manual demands and flushing makes of it.
#[test]
#[rustfmt::skip] // a table
fn demands_and_flushing_of_approximations_have_lines_of_their_own() {
    let cases: &[Steps] = &[
        ("div.approx.f32 3f800000 7e800001", &["exact 1.1754942106924578e-38 (MPFR, 96 bits, shown as f64)",
            "demanded |b| above 2^126: a zero of the exact value's sign, NaN where that is infinite"]),
        ("div.approx.f32 7f800000 7e800001", &["exact inf (MPFR, 96 bits, shown as f64)",
            "demanded |b| above 2^126: a zero of the exact value's sign, NaN where that is infinite"]),
        ("sin.approx.ftz.f32 00000001", &["flushed input 1 is subnormal: 0x00000001 becomes zero",
            "exact 0e0 (the manual's table of special inputs)"]),
        ("ex2.approx.ftz.f32 c3000000", &["exact 2.938735877055719e-39 (MPFR, 96 bits, shown as f64)",
            "flushed the exact result is subnormal: it becomes zero of its sign"]),
        // These show from what the bound is counted, and where it ends: between numbers of f32.
        ("rcp.approx.f32 3fa80000", &["bound 1 ulp from the correctly rounded result: 7.619047164916992e-1 to 7.619048357009888e-1"]),
        ("lg2.approx.f32 40000001", &["bound 2^-22 times the exact value, from that: 9.999999335640205e-1 to 1.0000004104012608e0"]),
        ("tanh.approx.f16x2 3c00b800", &["bound 2^-10.987 from the exact value: 7.611014549626767e-1 to 7.620868569488531e-1"]),
        ("ex2.approx.f16 cb90", &["bound 2^-9.9 times the exact value, from that, or a unit of subnormal numbers, which is more: 2.792513788466404e-5 to 2.804434717421482e-5"]),
        ("div.approx.f32 3f800000 00000001", &["bound none is stated, and what is left is a number of the right sign"]),
        ("rcp.approx.ftz.f64 3ff0000000000001", &["cut the lower 32 bits of the input do not count"]),
    ];
    for (arguments, lines) in cases {
        shows(&explained(&arguments.split(' ').collect::<Vec<_>>()), lines);
    }
}

/// Choices and comparisons have a line `reason` in the place of a rounding.
#[test]
#[rustfmt::skip] // a table
fn choices_and_comparisons_have_a_reason() {
    let cases: &[Steps] = &[
        ("min.f32 80000000 0",          &["reason -0 is less than +0; input 1 is the smallest"]),
        ("max.f32 7fc00000 0",          &["reason NaN does not count beside a number; input 2 is the largest"]),
        ("max.NaN.f32 7fc00000 0",      &["reason an input is NaN, and so the result is: `.NaN`"]),
        ("min.f32 7fc00000 7fc00000",   &["reason no input is a number: NaN"]),
        ("min.ftz.f32 1 80000002",      &["reason -0 is less than +0; input 2 is the smallest"]),
        ("min.f32(a,b,c) 1 2 1",        &["reason inputs 1 and 3 are the smallest"]),
        ("max.xorsign.abs.f32 bf800000 40000000", &["reason input 2 has the largest magnitude; its sign is the product of the signs"]),
        ("setp.lt.f32(p) 80000000 0",   &["reason -0 and +0 are equal: the relation is false"]),
        ("setp.ltu.f32(p) 7fc00000 0",  &["reason an input is NaN: the relation is true"]),
        ("setp.lt.and.f32(p) bf800000 0 0", &["reason input 1 is less than input 2: the relation is true, and input 3, which is false"]),
        ("testp.subnormal.f32 1",       &["reason the input is a subnormal number, which is among the classes asked for"]),
        ("copysign.f32 80000000 3f800000", &["reason the magnitude of input 2 with the sign of input 1"]),
        ("slct.f32.f32 1 2 80000000",   &["reason input 3 is -0, which is at least 0: input 1"]),
        ("slct.f32.f32 1 2 bf800000",   &["reason input 3 is below 0: input 2"]),
        ("abs.f64 fff8000000000001",    &["reason a NaN passes unchanged"]),
    ];
    for (arguments, lines) in cases {
        shows(&explained(&arguments.split(' ').collect::<Vec<_>>()), lines);
    }
}
