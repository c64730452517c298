//! Tests of values worked out by hand from the manual's words and from what was measured.

use formats::E2M1;
use isa::{Conversion, Op, Variant};

use super::{Model, one, run, variant, variants};
use crate::stages::Convert;

/// An example: a row's syntax and registers, the operands, and the first result.
type ValueExample = (&'static str, &'static str, &'static [u64], u64);

fn check(values: &[ValueExample]) {
    for &(syntax, registers, operands, expected) in values {
        let actual = one(&variant(syntax, registers), operands);
        assert!(actual == expected, "{syntax} {operands:x?}: {actual:#x}, not {expected:#x}");
    }
}

#[test]
#[rustfmt::skip] // a table
fn arithmetic() {
    check(&[
        // 2^-126 (1 − 2^-26), flushed by its exact value.
        ("mul.rn.ftz.f32",  "d, a, b",    &[0x0080_0400, 0x3f7f_f800], 0),
        ("mul.rn.f32",      "d, a, b",    &[0x0080_0400, 0x3f7f_f800], 0x0080_0000),
        ("sqrt.rn.ftz.f32", "d, a",       &[0x8000_0001], 0x8000_0000),
        ("sqrt.rn.f32",     "d, a",       &[0x8000_0001], 0x7fff_ffff),
        ("sqrt.rn.f32",     "d, a",       &[0x8000_0000], 0x8000_0000),
        ("rcp.rn.ftz.f32",  "d, a",       &[0x807f_ffff], 0xff80_0000),
        ("rcp.rn.ftz.f32",  "d, a",       &[0xff00_0000], 0x8000_0000), // −2^-127
        ("div.rn.f64",      "d, a, b",    &[0, 1 << 63], 0x7ff8_0000_0000_0000),
        ("add.rn.f64",      "d, a, b",    &[0xfff4_0000_0000_0001, 0], 0x7ff8_0000_0000_0000),
        ("mad.rm.f32",      "d, a, b, c", &[0x3f80_0000, 0x3f80_0000, 0xbf80_0000], 0x8000_0000),
        ("add.rn.f32x2",    "d, a, b",    &[0x3f80_0000_4000_0000, 0x3f80_0000_3f80_0000], 0x4000_0000_4040_0000),
        // A wide addend, and narrow results of wide operands.
        ("add.rn.f32x2.bf16x2.f32x2", "d:dtype, a:atype, c:btype", &[0x4000_3f80, 0x3f80_0000_3f80_0000], 0x4040_0000_4000_0000),
        ("add.rz.ftz.f16x2.f32x2.f32x2", "d:dtype, a:atype, c:btype", &[0x4780_0000_3f80_0000, 0x4780_0000_3a7f_ffff], 0x7bff_3c00),
        ("mul.rz.ftz.f16x2.f32x2.f32x2", "d:dtype, a:atype, c:btype", &[0xb800_0000_0080_0000, 0x3f00_0000_7f00_0000], 0x8000_4000),
        // 1 + 2^-10 is a tie in bf16, and 1 + 2^-7 squared has more than 8 bits.
        ("mul.bf16x2.bf16x2.f16x2", "d:dtype, a:atype, c:btype", &[0x3f81_3f81, 0x3c04_3c05], 0x3f81_3f82),
        ("mul.f16x2.f16x2.bf16x2",  "d:dtype, a:atype, c:btype", &[0x3c00_0000, 0x4780_4780], 0x7c00_7fff),
    ]);
}

#[test]
#[rustfmt::skip] // a table
fn four_lanes_of_eight_bits() {
    check(&[
        // 448 + 32 overflows, 448 + 16 is a tie that stays; NaN and x − x.
        ("add.e4m3x4.e4m3x4",           "d:dtype, a:atype, c:dtype", &[0x7e7e_ff38, 0x6058_38b8], 0x7f7e_7f00),
        ("add.satfinite.e4m3x4.e4m3x4", "d:dtype, a:atype, c:dtype", &[0x7efe_ff38, 0x60e0_38b8], 0x7efe_7f00),
        ("add.e5m2x4.e5m2x4",           "d:dtype, a:atype, c:dtype", &[0x7bfb_7c7c, 0x7bfb_fc3c], 0x7cfc_7f7c),
        ("add.satfinite.e5m2x4.e5m2x4", "d:dtype, a:atype, c:dtype", &[0x7bfb_7c7c, 0x7bfb_fc3c], 0x7bfb_7f7b),
        ("mul.e4m3x4.e2m1p4x4.ue8m0x4", "d:dtype, a:atype, c:btype", &[0x070f_0801, 0x7f80_ff7f], 0x4cd4_7f30),
        ("fma.rn.satfinite.e4m3x4.e2m3x4.e3m2x4", "d:dtype, a:atype, b:btype, c:dtype",
                                        &[0x1f3f_0820, 0x1f1f_0c00, 0x7e00_b838], 0x7ef5_0038),
    ]);
}

#[test]
#[rustfmt::skip] // a table
fn signs_classes_and_choices() {
    check(&[
        ("abs.f32",      "d, a", &[0xffc1_2345], 0x7fff_ffff),
        ("abs.f64",      "d, a", &[0xfff4_0000_0000_0001], 0xfff4_0000_0000_0001),
        ("neg.f64",      "d, a", &[0x7ff4_0000_0000_0001], 0xfff4_0000_0000_0001),
        ("neg.bf16x2",   "d, a", &[0x7f81_0000], 0x7fff_8000),
        ("neg.ftz.f16",  "d, a", &[0x03ff], 0x8000),
        ("copysign.f32", "d, a, b", &[0x8000_0000, 0x7f80_0001], 0xff80_0001),
        ("testp.normal.f32",    "p:pred, a", &[0x8000_0000], 1),
        ("testp.normal.f64",    "p:pred, a", &[1], 0),
        ("testp.subnormal.f32", "p:pred, a", &[0], 0),
        ("testp.subnormal.f64", "p:pred, a", &[0x800f_ffff_ffff_ffff], 1),
        ("testp.finite.f32",    "p:pred, a", &[0x7f80_0000], 0),
        ("testp.infinite.f32",  "p:pred, a", &[0xff80_0000], 1),
        ("testp.number.f32",    "p:pred, a", &[0xff80_0001], 0),
        ("testp.notanumber.f64", "p:pred, a", &[0x7ff0_0000_0000_0001], 1),
        ("slct.u32.f32",     "d:dtype, a:dtype, b:dtype, c", &[1, 2, 0x8000_0000], 1),
        ("slct.u32.f32",     "d:dtype, a:dtype, b:dtype, c", &[1, 2, 0x8000_0001], 2),
        ("slct.ftz.u32.f32", "d:dtype, a:dtype, b:dtype, c", &[1, 2, 0x8000_0001], 1),
        ("slct.ftz.f32.f32", "d:dtype, a:dtype, b:dtype, c", &[1, 2, 0x7fc0_0000], 2),
    ]);
}

#[test]
#[rustfmt::skip] // a table
fn smaller_and_larger() {
    check(&[
        ("min.f16",                 "d, a, b",    &[0x0000, 0x8000], 0x8000),
        ("max.f16",                 "d, a, b",    &[0x8000, 0x0000], 0x0000),
        ("max.ftz.f16",             "d, a, b",    &[0x8001, 0x8002], 0x8000),
        ("min.f32",                 "d, a, b",    &[0x7f80_0001, 0x3f80_0000], 0x3f80_0000),
        ("min.f32",                 "d, a, b",    &[0xff80_0001, 0x7fc0_0000], 0x7fff_ffff),
        ("min.NaN.f32",             "d, a, b",    &[0x3f80_0000, 0xffc0_0000], 0x7fff_ffff),
        ("min.xorsign.abs.f32",     "d, a, b",    &[0xbf80_0000, 0x4000_0000], 0xbf80_0000),
        ("max.xorsign.abs.f32",     "d, a, b",    &[0xbf80_0000, 0xc000_0000], 0x4000_0000),
        ("max.xorsign.abs.f32",     "d, a, b",    &[0xffc0_0000, 0x3f80_0000], 0xbf80_0000),
        ("max.NaN.xorsign.abs.f32", "d, a, b",    &[0xffc0_0000, 0x3f80_0000], 0x7fff_ffff),
        ("min.ftz.xorsign.abs.f16", "d, a, b",    &[0x8001, 0x3c00], 0x8000),
        ("min.f32",                 "d, a, b, c", &[0x7fc0_0000, 0x4000_0000, 0x3f80_0000], 0x3f80_0000),
        ("max.abs.f32",             "d, a, b, c", &[0xc000_0000, 0x3f80_0000, 0x8000_0000], 0x4000_0000),
        ("max.NaN.abs.f32",         "d, a, b, c", &[0xc000_0000, 0x7f80_0001, 0x3f80_0000], 0x7fff_ffff),
    ]);
}

#[test]
#[rustfmt::skip] // a table
fn comparisons() {
    check(&[
        ("set.eq.ftz.u32.f32", "d:dtype, a, b", &[0x8000_0001, 0], 0xffff_ffff),
        ("set.lt.u16.f16",     "d:dtype, a, b", &[0xbc00, 0x3c00], 0xffff),
        ("set.ne.f16.bf16",    "d:dtype, a, b", &[0xbc00, 0x3c00], 0x3c00),
        ("set.num.bf16x2.f16x2", "d:dtype, a, b", &[0x7e00_0000, 0x0000_7c00], 0x0000_3f80),
        ("set.ge.u32.f16x2",   "d:u16x2, a, b", &[0x3c00_0000, 0x3c00_3c00], 0xffff_0000),
    ]);
    let packed = variant("setp.ltu.or.ftz.f16x2", "p|q:pred, a, b, c:pred");
    let results = |c| run(&packed, None, &[vec![0x7e00_0001, 0x0000_0000, c]]).remove(0);
    assert_eq!([results(0), results(1)], [[0, 1], [1, 1]], "lane 0 to p, lane 1 to q");
    let scalar = variant("setp.gt.and.bf16", "p:pred, a, b, c:pred");
    assert_eq!([0, 1].map(|c| one(&scalar, &[0x4000, 0x3f80, c])), [0, 1]);
}

#[test]
#[rustfmt::skip] // a table
fn conversions_to_integers() {
    check(&[
        ("cvt.rni.s32.f32", "d:dtype, a", &[0x7fc0_0000], 0),
        ("cvt.rni.u64.f16", "d:dtype, a", &[0xfe00], 1 << 63),
        ("cvt.rzi.u32.f64", "d:dtype, a", &[0x7ff8 << 48], 1 << 31),
        ("cvt.rzi.s8.f64",  "d:dtype, a", &[0xfff8 << 48], 0x80),
        ("cvt.rni.s8.f32",  "d:dtype, a", &[0xc2ff_0000], 0x80), // −127.5
        ("cvt.rni.u8.f32",  "d:dtype, a", &[0x437f_8000], 0xff), // 255.5
        ("cvt.rmi.u8.f32",  "d:dtype, a", &[0xbf00_0000], 0),
        ("cvt.rmi.s8.f32",  "d:dtype, a", &[0x8000_0001], 0xff),
        ("cvt.rmi.ftz.s8.f32", "d:dtype, a", &[0x8000_0001], 0),
        ("cvt.rpi.ftz.s64.f32", "d:dtype, a", &[0x5f00_0000], i64::MAX as u64),
    ]);
}

#[test]
#[rustfmt::skip] // a table
fn conversions_to_floats() {
    check(&[
        ("cvt.rni.ftz.f32.f32", "d, a",       &[0x8000_0001], 0x8000_0000),
        ("cvt.rpi.f32.f32",     "d, a",       &[0xbf00_0000], 0x8000_0000),
        ("cvt.rn.ftz.f32.f64",  "d:dtype, a", &[0x380f_ffff_ffff_ffff], 0),
        ("cvt.rn.f32.f64",      "d:dtype, a", &[0x380f_ffff_ffff_ffff], 0x0080_0000),
        ("cvt.ftz.f32.bf16",    "d:dtype, a", &[0x8001], 0x8000_0000),
        ("cvt.ftz.f32.f16",     "d:dtype, a", &[0x8001], 0xb380_0000),
        ("cvt.rp.ftz.f16.f32",  "d:dtype, a", &[0x0000_0001], 0x0000),
        ("cvt.rp.ftz.bf16.f32", "d:dtype, a", &[0x0000_0001], 0),
        ("cvt.rp.bf16.f64",     "d:dtype, a", &[1], 1),
        ("cvt.rn.sat.f16.f32",  "d:dtype, a", &[0x7fc0_0000], 0),
        ("cvt.rn.sat.f32.s32",  "d:dtype, a", &[7], 0x3f80_0000),
        ("cvt.rn.f16.u32",      "d:dtype, a", &[65520], 0x7c00),
        ("cvt.rz.f16.u32",      "d:dtype, a", &[65520], 0x7bff),
        ("cvt.rn.relu.f16.f32", "d:dtype, a", &[0x8000_0000], 0),
        ("cvt.rn.relu.f16.f32", "d:dtype, a", &[0xffc0_0001], 0x7fff),
        ("cvt.rn.pzo.bf16.f32", "d:dtype, a", &[0x8000_0001], 0),
        ("cvt.rn.bf16.f32",     "d:dtype, a", &[0x8000_0001], 0x8000),
        ("cvt.rn.satfinite.f16.f32", "d:dtype, a", &[0xff80_0000], 0xfbff),
        ("cvt.rn.satfinite.f16.f32", "d:dtype, a", &[0xffc0_0000], 0x7fff),
        ("cvt.rn.f16x2.f32",    "d:dtype, a, b", &[0x3f80_0000, 0x4000_0000], 0x3c00_4000),
        // tf32 is the upper 19 bits; a tie goes to even, or with .rna away.
        ("cvt.rn.tf32.f32",     "d:dtype, a", &[0x3f80_1000], 0x3f80_0000),
        ("cvt.rna.tf32.f32",    "d:dtype, a", &[0x3f80_1000], 0x3f80_2000),
        ("cvt.rna.tf32.f32",    "d:dtype, a", &[0x7f80_0001], 0x7fff_e000),
        ("cvt.rn.tf32.f32",     "d:dtype, a", &[0x7f7f_f000], 0x7f80_0000),
        ("cvt.rna.satfinite.tf32.f32", "d:dtype, a", &[0xff7f_f000], 0xff7f_e000),
    ]);
}

#[test]
#[rustfmt::skip] // a table
fn conversions_to_narrow_floats() {
    const TWO: &str = "d:dtype, a, b";
    check(&[
        ("cvt.rn.satfinite.e4m3x2.f32",      TWO, &[0xffc0_0000, 0xff80_0000], 0x7ffe),
        ("cvt.rn.satfinite.e5m2x2.f16x2",    "d:dtype, a", &[0xfe00_7c00], 0x7f7b),
        ("cvt.rn.satfinite.e2m1x2.f32",      TWO, &[0xffc0_0000, 0xc2c8_0000], 0x7f),
        ("cvt.rn.satfinite.relu.e2m1x2.f32", TWO, &[0xffc0_0000, 0xc2c8_0000], 0x70),
        ("cvt.rn.satfinite.e2m3x2.bf16x2",   "d:dtype, a", &[0x4080_bf80], 0x1828),
        ("cvt.rn.satfinite.pzo.e3m2x2.f32",  TWO, &[0x8000_0000, 0xbc00_0000], 0),
        ("cvt.rn.satfinite.e3m2x2.f32",      TWO, &[0x8000_0000, 0xbc00_0000], 0x2020),
        ("cvt.rz.ue8m0x2.f32",           TWO, &[0xc0e0_0000, 0x0000_0001], 0x8100),
        ("cvt.rp.ue8m0x2.f32",           TWO, &[0xc0e0_0000, 0x4080_0000], 0x8281),
        ("cvt.rp.ue8m0x2.f32",           TWO, &[0x7f7f_ffff, 0x0020_0000], 0xff00),
        ("cvt.rp.ue8m0x2.f32",           TWO, &[0x0040_0000, 0x0040_0001], 0x0001),
        ("cvt.rp.satfinite.ue8m0x2.f32", TWO, &[0x7f7f_ffff, 0x7fc0_0000], 0xfeff),
        ("cvt.rz.ue8m0x2.bf16x2",        "d:dtype, a", &[0xff80_0000], 0xff00),
        ("cvt.rn.bf16x2.ue8m0x2",        "d:dtype, a", &[0xff00], 0x7fff_0040),
        ("cvt.rn.ue5m3x2.f32",           TWO, &[0xbf80_0000, 0xff80_0000], 0x78ff),
        ("cvt.rz.ue5m3x2.f32",           TWO, &[0x7f7f_ffff, 0x7f80_0000], 0xfeff),
        ("cvt.rp.satfinite.ue5m3x2.f16x2", "d:dtype, a", &[0x7c00_7e00], 0xfeff),
    ]);
}

#[test]
#[rustfmt::skip] // a table
fn fixed_point_and_scales() {
    const TWO: &str = "d:dtype, a, b";
    const DOWN: &str = "d:dtype, a, b, scale:ue8m0";
    const UP: &str = "d:dtype, a, scale:ue8m0x2";
    check(&[
        ("cvt.rn.satfinite.s2f6x2.f32",      TWO, &[0x4000_0000, 0xc000_0000], 0x7f81),
        ("cvt.rn.satfinite.s2f6x2.f32",      TWO, &[0xffc0_0000, 0xbc80_0000], 0x7fff), // −2^-6
        ("cvt.rn.satfinite.s2f6x2.f32",      TWO, &[0x3c40_0000, 0x3cc0_0000], 0x0102), // 0.75, 1.5 units
        ("cvt.rz.satfinite.relu.s2f6x2.f32", TWO, &[0x3fff_ffff, 0xbf80_0000], 0x7f00),
        ("cvt.rn.bf16x2.s2f6x2",             "d:dtype, a", &[0x8041], 0xc000_3f82),
        ("cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.f32", "d:dtype, a, b, scale:ue8m0x2",
                                             &[0x4080_0000, 0x3f80_0000, 0x82ff], 0x207f),
        ("cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2",           UP, &[0x3838, 0x80ff], 0x4000_7fff),
        ("cvt.rn.scaled::n2::ue8m0.bf16x2.e5m2x2",           UP, &[0x7c01, 0x7f00], 0x7f80_0000),
        ("cvt.rn.satfinite.scaled::n2::ue8m0.bf16x2.e5m2x2", UP, &[0x7cfb, 0x7ffe], 0x7f7f_ff7f),
        ("cvt.rn.relu.scaled::n2::ue8m0.bf16x2.e2m1x2",      UP, &[0xa2, 0x807f], 0x3f80),
        ("cvt.rn.scaled::n2::ue8m0.bf16x2.s2f6x2",           UP, &[0x80ff, 0x807f], 0xc080_bc80),
        ("cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32",    DOWN, &[0x4080_0000, 0xc000_0000, 0x80], 0x40b8),
        ("cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32",    DOWN, &[0x8040_0000, 0x0080_0000, 0x00], 0x8040),
        ("cvt.rn.satfinite.scaled::n1::ue8m0.e2m1x2.f32",    DOWN, &[0xbf80_0000, 0, 0xff], 0x77),
    ]);
}

#[test]
fn random_bits_are_those_that_were_measured() {
    let fields = |variant: &Variant| {
        let Op::Convert(Conversion::Stochastic(bits)) = variant.meaning().op else {
            panic!("{variant}")
        };
        let model = Model::new(variant, None);
        let field = |lane| model.plain().random(bits, lane, 0x1234_5678);
        (0..variant.lanes())
            .rev()
            .map(field)
            .map(|random| (random.bits, random.count))
            .collect::<Vec<_>>()
    };
    let syntax = "cvt.rs.satfinite.e4m3x4|e5m2x4|e2m3x4|e3m2x4|e2m1x4.f32";
    for variant in variants(syntax, "d:dtype, a, b, e, f, rbits:b32") {
        let expected = match *variant.outputs()[0].format == E2M1 {
            true => [0x6a48, 0x1256, 0x1e2c, 0x3478],
            false => [0x2c48, 0x1234, 0x1e6a, 0x5678],
        };
        assert_eq!(fields(&variant), expected.map(|bits| (bits, 16)), "{variant}");
    }
    let [half, brain] = ["cvt.rs.f16x2.f32", "cvt.rs.bf16x2.f32"]
        .map(|syntax| variant(syntax, "d:dtype, a, b, rbits:b32"));
    assert_eq!(fields(&half), [(0x1234, 13), (0x1678, 13)]);
    assert_eq!(fields(&brain), [(0x1234, 16), (0x5678, 16)]);
}

/// Checks that stochastic rounding goes away from zero exactly where the random bits and the discarded ones carry.
#[test]
#[rustfmt::skip] // a table
fn stochastic_rounding_of_two_lanes() {
    const TWO: &str = "d:dtype, a, b, rbits:b32";
    check(&[
        ("cvt.rs.bf16x2.f32",      TWO, &[0x3f80_0001, 0xbf80_8000, 0xfffe_8000], 0x3f80_bf81),
        ("cvt.rs.bf16x2.f32",      TWO, &[0x3f80_0001, 0xbf80_8000, 0xffff_7fff], 0x3f81_bf80),
        // 13 bits of each half; those above them do not count.
        ("cvt.rs.f16x2.f32",       TWO, &[0x3f80_0001, 0x3f80_1000, 0x1fff_f000], 0x3c01_3c01),
        ("cvt.rs.f16x2.f32",       TWO, &[0x3f80_0001, 0x3f80_1000, 0xfffe_efff], 0x3c00_3c00),
        // 3 × 2^-27 is 3/8 of the smallest subnormal; bits below the 13 are dropped.
        ("cvt.rs.f16x2.f32",       TWO, &[0x32c0_0000, 0x32c0_0000, 0x1400_13ff], 0x0001_0000),
        ("cvt.rs.f16x2.f32",       TWO, &[0x2c80_0000, 0x2f80_0000, 0x1fff_1fdf], 0), // 2^-38, 2^-32
        ("cvt.rs.f16x2.f32",       TWO, &[0x2d00_0000, 0x2f80_0000, 0x1fff_1fe0], 0x0001_0001),
        ("cvt.rs.relu.f16x2.f32",  TWO, &[0xbf80_0000, 0xffc0_0000, 0], 0x0000_7fff),
        ("cvt.rs.satfinite.f16x2.f32", TWO, &[0x4780_0000, 0xff80_0000, 0], 0x7bff_fbff),
    ]);
}

/// Checks casts to a format without −0 and without infinity.
#[test]
#[rustfmt::skip] // a table
fn casts() {
    check(&[
        ("cast.rn.e4m3fnuz.f32",           "d:dtype, a", &[0x8000_0000], 0),
        ("cast.rn.e4m3fnuz.f32",           "d:dtype, a", &[0x8000_0001], 0),
        ("cast.rn.e4m3fnuz.f32",           "d:dtype, a", &[0x7fc0_0000], 0x80),
        ("cast.rz.e4m3fnuz.f32",           "d:dtype, a", &[0x4380_0000], 0x7f), // 256: the largest is 240
        ("cast.rz.e4m3fnuz.f32",           "d:dtype, a", &[0x7f80_0000], 0x80),
        ("cast.rn.satfinite.e4m3fnuz.f32", "d:dtype, a", &[0xff80_0000], 0xff),
        ("cast.rna.e5m2fnuz.f32",          "d:dtype, a", &[0x3f80_0000], 0x40),
        ("cast.f32.e5m2fnuz",              "d:dtype, a", &[0x80], 0x7fff_ffff),
        ("cast.f32.e4m3fnuz",              "d:dtype, a", &[0x40], 0x3f80_0000),
    ]);
}

#[test]
fn approximations_have_no_model() {
    let without = ["rsqrt.approx.f64", "sin.approx.f32", "div.full.f32", "rcp.approx.ftz.f64"];
    assert!(without.iter().all(|text| !Model::covers(&text.parse().unwrap())));
    assert!(Variant::all().iter().filter(|v| v.form().section.starts_with("9.7.5")).all(Model::covers));
}
