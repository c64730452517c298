//! Rows that together need every kernel, with every modifier.

use super::{check, check_rows, variants};

#[test]
fn arithmetic_of_one_format() {
    check_rows(
        &[
            ("add{.rnd}{.ftz}{.sat}.f32", "d, a, b"),
            ("sub{.rnd}{.ftz}{.sat}.f32", "d, a, b"),
            ("mul{.rnd}{.ftz}{.sat}.f32", "d, a, b"),
            ("fma.rnd{.ftz}{.sat}.f32", "d, a, b, c"),
            ("mad.rnd{.ftz}{.sat}.f32", "d, a, b, c"),
            ("add{.rnd}{.ftz}.f32x2", "d, a, b"),
            ("fma.rnd{.ftz}.f32x2", "d, a, b, c"),
            ("add{.rn}{.ftz}{.sat}.f16|f16x2", "d, a, b"),
            ("sub{.rn}{.ftz}{.sat}.f16|f16x2", "d, a, b"),
            ("mul{.rn}{.ftz}{.sat}.f16|f16x2", "d, a, b"),
            ("add{.rn}.bf16|bf16x2", "d, a, b"),
            ("sub{.rn}.bf16|bf16x2", "d, a, b"),
            ("mul{.rn}.bf16|bf16x2", "d, a, b"),
            ("fma.rn{.ftz}{.sat}.f16|f16x2", "d, a, b, c"),
            ("fma.rn{.ftz}.relu.f16|f16x2", "d, a, b, c"),
            ("fma.rn{.relu}.bf16|bf16x2", "d, a, b, c"),
            ("fma.rn.oob{.relu}.f16|f16x2|bf16|bf16x2", "d, a, b, c"),
        ],
        3000,
    );
}

#[test]
fn double_precision() {
    check_rows(
        &[
            ("add{.rnd}.f64", "d, a, b"),
            ("sub{.rnd}.f64", "d, a, b"),
            ("mul{.rnd}.f64", "d, a, b"),
            ("fma.rnd.f64", "d, a, b, c"),
            ("mad.rnd.f64", "d, a, b, c"),
            ("div.rnd.f64", "d, a, b"),
            ("rcp.rnd.f64", "d, a"),
            ("sqrt.rnd.f64", "d, a"),
        ],
        1000,
    );
}

#[test]
fn division() {
    check_rows(
        &[
            ("div.rnd{.ftz}.f32", "d, a, b"),
            ("div.full{.ftz}.f32", "d, a, b"),
            ("rcp.rnd{.ftz}.f32", "d, a"),
            ("rcp.approx{.ftz}.f32", "d, a"),
            ("sqrt.rnd{.ftz}.f32", "d, a"),
            ("sqrt.approx{.ftz}.f32", "d, a"),
        ],
        5000,
    );
}

#[test]
fn mixed_formats() {
    check_rows(
        &[
            ("add{.rnd}{.sat}.f32.f16|bf16", "d:dtype, a, c:dtype"),
            ("sub{.rnd}{.sat}.f32.f16|bf16", "d:dtype, a, c:dtype"),
            ("fma.rnd{.sat}.f32.f16|bf16", "d:dtype, a, b, c:dtype"),
            ("add{.rnd}.f32x2.f16x2|bf16x2.f32x2", "d:dtype, a:atype, c"),
            ("sub{.rnd}.f32x2.f16x2|bf16x2.f32x2", "d:dtype, a:atype, c"),
            ("fma.rnd.f32x2.f16x2|bf16x2.f16x2|bf16x2.f32x2", "d:dtype, a:atype, b:atype, c"),
            ("fma.rnd.f32x2.f16x2|bf16x2.f32x2.f32x2", "d:dtype, a:atype, b, c"),
            ("add.rz{.ftz}.f16x2.f32x2.f32x2", "d:dtype, a:atype, c"),
            ("sub.rz{.ftz}.f16x2.f32x2.f32x2", "d:dtype, a:atype, c"),
            ("mul{.ftz}.rz.f16x2.f32x2.f32x2", "d:dtype, a:atype, c"),
            ("add.rz.bf16x2.f32x2.f32x2", "d:dtype, a:atype, c"),
            ("mul.rz.bf16x2.f32x2.f32x2", "d:dtype, a:atype, c"),
            ("mul.bf16x2.bf16x2.f16x2", "d:dtype, a:atype, c"),
            ("mul.f16x2.f16x2.bf16x2", "d:dtype, a:atype, c"),
        ],
        2000,
    );
}

#[test]
fn alternate_formats() {
    const ANY: &str = "e5m2x4|e4m3x4|e3m2x4|e2m3x4|e2m1x4|e2m1p4x4|ue8m0x4";
    let syntax = |head: &str, formats: usize| -> &'static str {
        let formats: String = (0..formats).map(|_| format!(".{ANY}")).collect();
        Box::leak(format!("{head}.e5m2x4|e4m3x4{formats}").into())
    };
    check_rows(
        &[
            (syntax("add{.rn}{.satfinite}", 1), "d:dtype, a, c:dtype"),
            (syntax("sub{.rn}{.satfinite}", 1), "d:dtype, a, c:dtype"),
            (syntax("mul{.rn}{.satfinite}", 2), "d:dtype, a:atype, c"),
            (syntax("fma{.rn}{.satfinite}", 2), "d:dtype, a:atype, b, c:dtype"),
        ],
        200,
    );
}

#[test]
fn conversions_of_scalars() {
    check_rows(
        &[
            ("cvt.rnd{.ftz}{.sat}.f16.f32", "d:dtype, a"),
            ("cvt.rnd{.sat}.f16.f64", "d:dtype, a"),
            ("cvt.rnd{.ftz}.bf16.f32", "d:dtype, a"),
            ("cvt.rnd.bf16.f16|f64", "d:dtype, a"),
            ("cvt.rnd.f16.bf16", "d:dtype, a"),
            ("cvt.rnd{.ftz}{.sat}.f32.f64", "d:dtype, a"),
            ("cvt{.ftz}{.sat}.f32.f16|bf16|f32", "d:dtype, a"),
            ("cvt{.ftz}{.sat}.f64.f16|bf16|f32|f64", "d:dtype, a"),
            ("cvt.irnd{.ftz}{.sat}.f32.f32", "d:dtype, a"),
            ("cvt.irnd{.sat}.f16.f16", "d:dtype, a"),
            ("cvt.irnd.bf16.bf16", "d:dtype, a"),
            ("cvt.irnd{.sat}.f64.f64", "d:dtype, a"),
            ("cvt.rn|rz{.relu}{.satfinite}{.pzo}.f16|bf16.f32", "d:dtype, a"),
            ("cvt.rna{.satfinite}.tf32.f32", "d:dtype, a"),
            ("cvt.rn|rz{.satfinite}{.relu}{.pzo}.tf32.f32", "d:dtype, a"),
        ],
        3000,
    );
}

#[test]
fn conversions_of_integers() {
    check_rows(
        &[
            ("cvt.irnd{.ftz}{.sat}.int.f32", "d:dtype, a"),
            ("cvt.irnd{.sat}.int.f16|f64", "d:dtype, a"),
            ("cvt.irnd.int.bf16", "d:dtype, a"),
            ("cvt.rnd{.sat}.f16|f64.int", "d:dtype, a"),
            ("cvt.rnd{.ftz}{.sat}.f32.int", "d:dtype, a"),
            ("cvt.rnd.bf16.int", "d:dtype, a"),
        ],
        2000,
    );
}

#[test]
fn conversions_to_packed_types() {
    check_rows(
        &[
            ("cvt.rn|rz{.relu}{.satfinite}{.pzo}.f16x2|bf16x2.f32", "d:dtype, a, b"),
            ("cvt.rs{.relu}{.satfinite}.f16x2|bf16x2.f32", "d:dtype, a, b, rbits:b32"),
            (
                "cvt.rs{.relu}.satfinite.e4m3x4|e5m2x4|e2m1x4|e2m3x4|e3m2x4.f32",
                "d:dtype, a, b, e, f, rbits:b32",
            ),
            ("cvt.rn|rz.satfinite{.relu}{.pzo}.e4m3x2|e5m2x2|e2m1x2|e2m3x2|e3m2x2.f32", "d:dtype, a, b"),
            (
                "cvt.rn|rz.satfinite{.relu}{.pzo}.e4m3x2|e5m2x2|e2m1x2|e2m3x2|e3m2x2.f16x2|bf16x2",
                "d:dtype, a",
            ),
            (
                "cvt.rn|rz.satfinite{.relu}{.pzo}.scaled::n1::ue8m0.e4m3x2|e5m2x2|e2m1x2|e2m3x2|e3m2x2.f32",
                "d:dtype, a, b, scale:ue8m0",
            ),
            (
                "cvt.rn|rz.satfinite{.relu}.scaled::n1::ue8m0.e4m3x2|e2m1x2.f16x2|bf16x2",
                "d:dtype, a, scale:ue8m0",
            ),
            ("cvt.rn|rz{.satfinite}.scaled::n1::ue8m0.ue5m3x2.f16x2|bf16x2", "d:dtype, a, scale:ue8m0"),
            ("cvt.rn|rz{.satfinite}.scaled::n1::ue8m0.ue5m3x2.f32", "d:dtype, a, b, scale:ue8m0"),
            ("cvt.rz|rp{.satfinite}.ue8m0x2.f32", "d:dtype, a, b"),
            ("cvt.rz|rp{.satfinite}.ue8m0x2.bf16x2", "d:dtype, a"),
            ("cvt.rn|rz|rp{.satfinite}.ue5m3x2.f32", "d:dtype, a, b"),
            ("cvt.rn|rz|rp{.satfinite}.ue5m3x2.f16x2|bf16x2", "d:dtype, a"),
            ("cvt.rn|rz.satfinite{.relu}.s2f6x2.f32", "d:dtype, a, b"),
            ("cvt.rn|rz.satfinite{.relu}.s2f6x2.bf16x2", "d:dtype, a"),
            ("cvt.rn|rz.satfinite{.relu}.scaled::n2::ue8m0.s2f6x2.f32", "d:dtype, a, b, scale:ue8m0x2"),
            ("cvt.rn|rz.satfinite{.relu}.scaled::n2::ue8m0.s2f6x2.bf16x2", "d:dtype, a, scale:ue8m0x2"),
        ],
        3000,
    );
}

#[test]
fn conversions_from_packed_types() {
    check_rows(
        &[
            ("cvt.rn{.relu}.f16x2.e4m3x2|e5m2x2|e2m1x2|e2m3x2|e3m2x2|ue5m3x2", "d:dtype, a"),
            (
                "cvt.rn{.relu}{.satfinite}.bf16x2.e4m3x2|e5m2x2|e2m1x2|e2m3x2|e3m2x2|ue5m3x2|ue8m0x2|s2f6x2",
                "d:dtype, a",
            ),
            (
                "cvt.rn{.relu}{.satfinite}.scaled::n2::ue8m0.bf16x2.e4m3x2|e5m2x2|e2m1x2|e2m3x2|e3m2x2|ue5m3x2|s2f6x2",
                "d:dtype, a, scale:ue8m0x2",
            ),
        ],
        3000,
    );
}

#[test]
fn casts() {
    check_rows(
        &[
            ("cast.rn|rna|rz|rp{.satfinite}.e4m3fnuz|e5m2fnuz|e4m3|e5m2.f32|f16|bf16|f64", "d:dtype, a"),
            ("cast.f32.e4m3fnuz|e5m2fnuz|e4m3|e5m2", "d:dtype, a"),
        ],
        4000,
    );
}

#[test]
fn signs_and_kinds() {
    check_rows(
        &[
            ("abs{.ftz}.f32|f16|f16x2", "d, a"),
            ("neg{.ftz}.f32|f16|f16x2", "d, a"),
            ("abs.f64|bf16|bf16x2", "d, a"),
            ("neg.f64|bf16|bf16x2", "d, a"),
            ("copysign.f32|f64", "d, a, b"),
            ("testp.finite|infinite|number|notanumber|normal|subnormal.f32|f64", "p:pred, a"),
        ],
        5000,
    );
}

#[test]
fn extremes() {
    check_rows(
        &[
            ("min{.ftz}{.NaN}{.xorsign.abs}.f32|f16|f16x2", "d, a, b"),
            ("max{.ftz}{.NaN}{.xorsign.abs}.f32|f16|f16x2", "d, a, b"),
            ("min{.NaN}{.xorsign.abs}.bf16|bf16x2", "d, a, b"),
            ("max{.NaN}{.xorsign.abs}.bf16|bf16x2", "d, a, b"),
            ("min{.ftz}{.NaN}{.abs}.f32", "d, a, b, c"),
            ("max{.ftz}{.NaN}{.abs}.f32", "d, a, b, c"),
            ("min.f64", "d, a, b"),
            ("max.f64", "d, a, b"),
        ],
        5000,
    );
}

#[test]
fn comparisons() {
    check_rows(
        &[
            ("setp.cmp{.ftz}.f32", "p|q:pred, a, b"),
            ("setp.cmp.bool{.ftz}.f32", "p|q:pred, a, b, c:pred"),
            ("setp.cmp.f64", "p|q:pred, a, b"),
            ("setp.cmp.bool.f64", "p|q:pred, a, b, c:pred"),
            ("setp.cmp{.ftz}.f16", "p:pred, a, b"),
            ("setp.cmp.bool{.ftz}.f16x2", "p|q:pred, a, b, c:pred"),
            ("setp.cmp.bf16", "p:pred, a, b"),
            ("setp.cmp.bool.bf16x2", "p|q:pred, a, b, c:pred"),
            ("set.cmp{.ftz}.u32|s32|f32|f16|bf16.f32", "d:dtype, a, b"),
            ("set.cmp.bool{.ftz}.u32|f32.f32", "d:dtype, a, b, c:pred"),
            ("set.cmp.u32|f32.f64", "d:dtype, a, b"),
            ("set.cmp{.ftz}.u16|s16|u32|f16.f16", "d:dtype, a, b"),
            ("set.cmp.bool{.ftz}.f16x2.f16x2", "d:dtype, a, b, c:pred"),
            ("set.cmp.u32|s32.bf16x2", "d:u16x2, a, b"),
        ],
        400,
    );
}

#[test]
fn selections() {
    check_rows(
        &[(
            "slct{.ftz}.b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64.f32",
            "d:dtype, a:dtype, b:dtype, c",
        )],
        5000,
    );
}

/// Conversions of every 16-bit datum, and of every narrower one.
#[test]
fn every_datum() {
    let rows = [
        ("cvt.rn|rz{.satfinite}.e4m3x2|e5m2x2|ue5m3x2.f16x2|bf16x2", "d:dtype, a"),
        ("cvt.rn|rz.satfinite.e2m1x2|e2m3x2|e3m2x2|s2f6x2.f16x2|bf16x2", "d:dtype, a"),
        ("cvt.rz|rp{.satfinite}.ue8m0x2.bf16x2", "d:dtype, a"),
        ("cvt.rn.f16x2|bf16x2.e4m3x2|e5m2x2|e2m1x2|e2m3x2|e3m2x2|ue5m3x2|ue8m0x2|s2f6x2", "d:dtype, a"),
        ("cast.rn|rna|rz|rp{.satfinite}.e4m3fnuz|e5m2fnuz.f16|bf16", "d:dtype, a"),
        ("cvt.irnd.f16|s8|u64.f16", "d:dtype, a"),
        ("cvt.irnd.bf16|s32.bf16", "d:dtype, a"),
        ("cvt.rnd.bf16.f16", "d:dtype, a"),
        ("cvt.rnd.f16.bf16", "d:dtype, a"),
        ("cvt.rnd.f16|bf16.u16|s16", "d:dtype, a"),
    ];
    for (syntax, registers) in rows {
        for variant in variants(syntax, registers) {
            let every = 1 << variant.inputs()[0].format.width();
            check(&variant, every / variant.lanes(), true);
        }
    }
}

/// Instructions on 8-bit data, at length.
#[test]
fn alternate_formats_at_length() {
    let rows = [
        ("mul{.satfinite}.e4m3x4|e5m2x4.e4m3x4.e5m2x4", "d:dtype, a:atype, c"),
        ("add{.satfinite}.e4m3x4|e5m2x4.e5m2x4", "d:dtype, a, c:dtype"),
        ("fma{.satfinite}.e4m3x4|e5m2x4.e4m3x4.ue8m0x4", "d:dtype, a:atype, b, c:dtype"),
    ];
    check_rows(&rows, 1 << 14);
}
