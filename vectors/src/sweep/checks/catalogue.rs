//! Variants of every shape that the catalogue has, whatever the table has of them.

use std::sync::OnceLock;

use crate::isa::{Contract, Form, Variant};

/// Syntax and registers of one or more forms of every shape.
#[rustfmt::skip] // a table
const FORMS: &[(&str, &str)] = &[
    ("add{.rnd}.f64",                                          "d, a, b"),
    ("add{.rnd}{.ftz}{.sat}.f32",                              "d, a, b"),
    ("sub{.ftz}.f32x2",                                        "d, a, b"),
    ("mul.f64|f32x2",                                          "d, a, b"),
    ("fma.rnd.f64|f32|f32x2",                                  "d, a, b, c"),
    ("mad.rnd.f32|f64",                                        "d, a, b, c"),
    ("add.rnd.f32x2.f16x2|bf16x2.f32x2",                       "d, a:atype, c"),
    ("fma.rn.f32x2.f16x2|bf16x2.f32x2.f32x2",                  "d, a:atype, b:atype, c"),
    ("sub.rz{.ftz}.f16x2|bf16x2.f32x2.f32x2",                  "d:dtype, a, b"),
    ("mul.rz.f16x2|bf16x2.f32x2.f32x2",                        "d:dtype, a, b"),
    ("mul.bf16x2.bf16x2.f16x2",                                "d:dtype, a:atype, c:btype"),
    ("add{.satfinite}.e4m3x4|e5m2x4.e4m3x4|e3m2x4|e2m1x4|e2m1p4x4|ue8m0x4", "d:dtype, a:atype, c:dtype"),
    ("mul{.satfinite}.e4m3x4|e5m2x4.e4m3x4|e5m2x4|e3m2x4|e2m3x4|e2m1x4|e2m1p4x4|ue8m0x4.e5m2x4|e2m1x4|ue8m0x4",
                                                               "d:dtype, a:atype, b:btype"),
    ("fma{.satfinite}.e4m3x4|e5m2x4.e4m3x4|e2m3x4|e2m1p4x4|ue8m0x4.e5m2x4|e2m1x4|ue8m0x4",
                                                               "d:dtype, a:atype, b:btype, c:dtype"),
    ("div.rnd{.ftz}.f32",                                      "d, a, b"),
    ("div.rnd.f64",                                            "d, a, b"),
    ("div.approx|full{.ftz}.f32",                              "d, a, b"),
    ("rcp.rnd.f32|f64",                                        "d, a"),
    ("sqrt.rnd.f32|f64",                                       "d, a"),
    ("rcp.approx{.ftz}.f32",                                   "d, a"),
    ("rsqrt.approx.f32|f64",                                   "d, a"),
    ("sin.approx{.ftz}.f32",                                   "d, a"),
    ("cos.approx.f32",                                         "d, a"),
    ("lg2.approx{.ftz}.f32",                                   "d, a"),
    ("ex2.approx.f32|f16|f16x2",                               "d, a"),
    ("tanh.approx.f32|f16|bf16x2",                             "d, a"),
    ("abs{.ftz}.f32|f16|f16x2",                                "d, a"),
    ("neg.f64|bf16|bf16x2",                                    "d, a"),
    ("copysign.f32|f64",                                       "d, a, b"),
    ("testp.finite|subnormal.f32|f64",                         "p:pred, a"),
    ("min{.ftz}{.NaN}{.xorsign.abs}.f32|f16|f16x2",            "d, a, b"),
    ("max.f64|bf16x2",                                         "d, a, b"),
    ("max{.NaN}{.abs}.f32",                                    "d, a, b, c"),
    ("setp.cmp{.ftz}.f32|f16x2",                               "p|q:pred, a, b"),
    ("setp.lt|nan.bool.f32|f64|f16x2",                         "p|q:pred, a, b, c:pred"),
    ("setp.ge.bool.bf16",                                      "p:pred, a, b, c:pred"),
    ("set.eq|num.bool.u32|f32.f32|f64",                        "d:dtype, a, b, c:pred"),
    ("set.lt.and.u16|f16|bf16.f16|bf16",                       "d:dtype, a, b, c:pred"),
    ("set.lt.f16x2.f16x2",                                     "d, a, b"),
    ("slct{.ftz}.b16|b64|u32|s64|f32|f64.f32",                 "d:dtype, a:dtype, b:dtype, c:f32"),
    ("cvt.irnd{.ftz}{.sat}.int.f16|f32|f64",                   "d:dtype, a"),
    ("cvt.rni.f16|f32|f64.f16|f32|f64",                        "d:dtype, a"),
    ("cvt.rnd{.sat}.f16|bf16|f32|f64.int",                     "d:dtype, a"),
    ("cvt.rnd{.relu}.f16|bf16.f32",                            "d:dtype, a"),
    ("cvt.rn.f16|bf16|f32.f64",                                "d:dtype, a"),
    ("cvt.f64|f32.f16|bf16|f32",                               "d:dtype, a"),
    ("cvt.rn|rz{.relu}{.satfinite}.f16x2|bf16x2.f32",          "d:dtype, a, b"),
    ("cvt.rs{.relu}.f16x2|bf16x2.f32",                         "d:dtype, a, b, rbits:b32"),
    ("cvt.rs{.relu}.satfinite.e4m3x4|e5m2x4|e2m1x4|e2m3x4|e3m2x4.f32", "d:dtype, a, b, e, f, rbits:b32"),
    ("cvt.rna|rn{.satfinite}.tf32.f32",                        "d:dtype, a"),
    ("cvt.rn.satfinite{.relu}.e4m3x2|e5m2x2|e2m1x2|e2m3x2|e3m2x2.f32", "d:dtype, a, b"),
    ("cvt.rn.satfinite{.relu}.e4m3x2|e2m1x2|e3m2x2.f16x2|bf16x2", "d:dtype, a"),
    ("cvt.rz.satfinite.scaled::n1::ue8m0.e4m3x2|e2m1x2|ue5m3x2.f32", "d:dtype, a, b, scale:ue8m0"),
    ("cvt.rz.satfinite.scaled::n1::ue8m0.e5m2x2|e2m3x2.f16x2|bf16x2", "d:dtype, a, scale:ue8m0"),
    ("cvt.rn{.relu}.f16x2.e4m3x2|e5m2x2|e2m1x2|e2m3x2|e3m2x2|ue5m3x2", "d:dtype, a"),
    ("cvt.rn{.satfinite}.scaled::n2::ue8m0.bf16x2.e4m3x2|e2m1x2|e3m2x2|s2f6x2|ue5m3x2", "d:dtype, a, scale:ue8m0x2"),
    ("cvt.rz|rp{.satfinite}.ue8m0x2.f32",                      "d:dtype, a, b"),
    ("cvt.rz|rp{.satfinite}.ue8m0x2.bf16x2",                   "d:dtype, a"),
    ("cvt.rn.bf16x2.ue8m0x2",                                  "d:dtype, a"),
    ("cvt.rn|rz.satfinite{.relu}.s2f6x2.f32",                  "d:dtype, a, b"),
    ("cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.bf16x2",       "d:dtype, a, scale:ue8m0x2"),
    ("cvt.rp{.satfinite}.ue5m3x2.f32",                         "d:dtype, a, b"),
    ("cast.rn|rna|rz|rp{.satfinite}.e4m3fnuz|e5m2fnuz|e4m3|e5m2.f32|f16|bf16", "d:dtype, a"),
    ("cast.f32.e4m3fnuz|e5m2fnuz|e4m3",                        "d:dtype, a"),
];

/// Every variant of those, and of the table.
pub fn all() -> &'static [Variant] {
    static ALL: OnceLock<Vec<Variant>> = OnceLock::new();
    ALL.get_or_init(|| {
        let form = |&(syntax, registers): &(&'static str, &'static str)| {
            let form = Form::new(syntax, registers, Contract::Exact(&[]), "9.4 sm_100", "9.7");
            Variant::expand(Box::leak(Box::new(form)))
        };
        FORMS.iter().flat_map(form).chain(Variant::all().iter().cloned()).collect()
    })
}

/// The one of this text.
pub fn variant(text: &str) -> &'static Variant {
    all().iter().find(|variant| variant.text() == text).unwrap_or_else(|| panic!("no {text}"))
}
