//! PTX ISA 9.7.10.24, Conversions.

use crate::Contract::Exact;
use crate::instruction::{Form, Ftz};

/// Returns the rows of the section.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<Form> {
    let row = |syntax, registers, contract, since, section| {
        Form::new(syntax, registers, contract, since, section).ftz(Ftz::SinglePrecision)
    };
    vec![
        row("cvt.irnd{.ftz}{.sat}.int.f32",                                           "d:dtype, a:atype",                                       Exact, "2.0 sm_20",               "9.7.10.24"),
        row("cvt.irnd{.sat}.int.f16|f64",                                             "d:dtype, a:atype",                                       Exact, "2.0 sm_20",               "9.7.10.24"),
        row("cvt.irnd.int.bf16",                                                      "d:dtype, a:atype",                                       Exact, "7.8 sm_90",               "9.7.10.24"), // manual: also .sat; ptxas refuses it
        row("cvt.rnd{.ftz}{.sat}.f32.int",                                            "d:dtype, a:atype",                                       Exact, "2.0 sm_20",               "9.7.10.24"),
        row("cvt.rnd{.sat}.f16|f64.int",                                              "d:dtype, a:atype",                                       Exact, "2.0 sm_20",               "9.7.10.24"),
        row("cvt.rnd.bf16.int",                                                       "d:dtype, a:atype",                                       Exact, "7.8 sm_90",               "9.7.10.24"),
        row("cvt{.irnd}{.ftz}{.sat}.f32.f32",                                         "d:dtype, a:atype",                                       Exact, "2.0 sm_20",               "9.7.10.24"),
        row("cvt{.irnd}{.sat}.f16.f16",                                               "d:dtype, a:atype",                                       Exact, "2.0 sm_20",               "9.7.10.24"),
        row("cvt{.irnd}{.sat}.f64.f64",                                               "d:dtype, a:atype",                                       Exact, "2.0 sm_20",               "9.7.10.24"),
        row("cvt{.irnd}.bf16.bf16",                                                   "d:dtype, a:atype",                                       Exact, "7.8 sm_90",               "9.7.10.24"),
        row("cvt.rnd{.ftz}{.sat}.f16.f32",                                            "d:dtype, a:atype",                                       Exact, "2.0 sm_20",               "9.7.10.24").ftz(Ftz::Open),
        row("cvt.rnd{.ftz}{.sat}.f32.f64",                                            "d:dtype, a:atype",                                       Exact, "2.0 sm_20",               "9.7.10.24"),
        row("cvt.rnd{.sat}.f16.f64",                                                  "d:dtype, a:atype",                                       Exact, "2.0 sm_20",               "9.7.10.24"),
        row("cvt{.ftz}{.sat}.f32.f16",                                                "d:dtype, a:atype",                                       Exact, "2.0 sm_20",               "9.7.10.24"),
        row("cvt{.ftz}{.sat}.f64.f32",                                                "d:dtype, a:atype",                                       Exact, "2.0 sm_20",               "9.7.10.24"),
        row("cvt{.sat}.f64.f16",                                                      "d:dtype, a:atype",                                       Exact, "2.0 sm_20",               "9.7.10.24"),
        row("cvt.rnd{.ftz}.bf16.f32",                                                 "d:dtype, a:atype",                                       Exact, "7.0 sm_80",               "9.7.10.24"),
        row("cvt.rnd.bf16.f16|f64",                                                   "d:dtype, a:atype",                                       Exact, "7.8 sm_90",               "9.7.10.24"),
        row("cvt.rnd.f16.bf16",                                                       "d:dtype, a:atype",                                       Exact, "7.8 sm_90",               "9.7.10.24"),
        row("cvt.f32.bf16",                                                           "d:dtype, a:atype",                                       Exact, "7.1 sm_80",               "9.7.10.24"),
        row("cvt.ftz.f32.bf16",                                                       "d:dtype, a:atype",                                       Exact, "7.8 sm_90",               "9.7.10.24"),
        row("cvt.f64.bf16",                                                           "d:dtype, a:atype",                                       Exact, "7.8 sm_90",               "9.7.10.24"),
        row("cvt.rn|rz.relu.f16|bf16.f32",                                            "d:dtype, a:atype",                                       Exact, "7.0 sm_80",               "9.7.10.24"),
        row("cvt.rn|rz.satfinite.f16.f32",                                            "d:dtype, a:atype",                                       Exact, "8.1 sm_70",               "9.7.10.24"), // manual: names no target below sm_80
        row("cvt.rn|rz.relu.satfinite.f16.f32",                                       "d:dtype, a:atype",                                       Exact, "8.1 sm_80",               "9.7.10.24"),
        row("cvt.rn|rz{.relu}.satfinite.bf16.f32",                                    "d:dtype, a:atype",                                       Exact, "8.1 sm_80",               "9.7.10.24"),
        row("cvt.rn|rz{.relu}{.satfinite}.pzo.f16|bf16.f32",                          "d:dtype, a:atype",                                       Exact, "9.4 sm_107f",             "9.7.10.24"),
        row("cvt.rna.tf32.f32",                                                       "d:dtype, a:atype",                                       Exact, "7.0 sm_80",               "9.7.10.24"),
        row("cvt.rna.satfinite.tf32.f32",                                             "d:dtype, a:atype",                                       Exact, "8.1 sm_80",               "9.7.10.24"),
        row("cvt.rn|rz{.relu}.tf32.f32",                                              "d:dtype, a:atype",                                       Exact, "7.8 sm_90",               "9.7.10.24"),
        row("cvt.rn|rz.satfinite{.relu}.tf32.f32",                                    "d:dtype, a:atype",                                       Exact, "8.6 sm_100",              "9.7.10.24"),
        row("cvt.rn|rz{.satfinite}{.relu}.pzo.tf32.f32",                              "d:dtype, a:atype",                                       Exact, "9.4 sm_107f",             "9.7.10.24"),
        row("cvt.rn|rz{.relu}.f16x2|bf16x2.f32",                                      "d:dtype, a/b:atype",                                     Exact, "7.0 sm_80",               "9.7.10.24"),
        row("cvt.rn|rz{.relu}.satfinite.f16x2|bf16x2.f32",                            "d:dtype, a/b:atype",                                     Exact, "8.1 sm_80",               "9.7.10.24"),
        row("cvt.rn|rz{.relu}{.satfinite}.pzo.f16x2|bf16x2.f32",                      "d:dtype, a/b:atype",                                     Exact, "9.4 sm_107f",             "9.7.10.24"),
        row("cvt.rs{.relu}{.satfinite}.f16x2|bf16x2.f32",                             "d:dtype, a/b:atype, rbits:b32",                          Exact, "8.7 sm_100a,sm_103a,sm_107a", "9.7.10.24"),
        row("cvt.rn.satfinite{.relu}.e4m3x2|e5m2x2.f32",                              "d:dtype, a/b:atype",                                     Exact, "7.8 sm_90; 8.1 sm_89",    "9.7.10.24"),
        row("cvt.rn.satfinite{.relu}.e4m3x2|e5m2x2.f16x2",                            "d:dtype, a:atype",                                       Exact, "7.8 sm_90; 8.1 sm_89",    "9.7.10.24"),
        row("cvt.rn.satfinite{.relu}.e4m3x2|e5m2x2.bf16x2",                           "d:dtype, a:atype",                                       Exact, "9.1 sm_100f,sm_110f,sm_120f", "9.7.10.24"),
        row("cvt.rn.satfinite{.relu}.e2m3x2|e3m2x2|e2m1x2.f32",                       "d:dtype, a/b:atype",                                     Exact, "8.6 sm_100f,sm_110f,sm_120f", "9.7.10.24"),
        row("cvt.rn.satfinite{.relu}.e2m3x2|e3m2x2|e2m1x2.f16x2|bf16x2",              "d:dtype, a:atype",                                       Exact, "9.1 sm_100f,sm_110f,sm_120f", "9.7.10.24"),
        row("cvt.rn.satfinite{.relu}.pzo.narrow.f32",                                 "d:dtype, a/b:atype",                                     Exact, "9.4 sm_107f",             "9.7.10.24"),
        row("cvt.rz.satfinite{.relu}{.pzo}.narrow.f32",                               "d:dtype, a/b:atype",                                     Exact, "9.4 sm_107f",             "9.7.10.24"),
        row("cvt.rn.satfinite{.relu}.pzo.narrow.f16x2|bf16x2",                        "d:dtype, a:atype",                                       Exact, "9.4 sm_107f",             "9.7.10.24"),
        row("cvt.rz.satfinite{.relu}{.pzo}.narrow.f16x2|bf16x2",                      "d:dtype, a:atype",                                       Exact, "9.4 sm_107f",             "9.7.10.24"),
        row("cvt.rn|rz.satfinite{.relu}{.pzo}.scaled::n1::ue8m0.narrow.f32",          "d:dtype, a/b:atype, scale:ue8m0",                         Exact, "9.4 sm_107f",             "9.7.10.24"), // scale optional
        row("cvt.rn|rz.satfinite{.relu}{.pzo}.scaled::n1::ue8m0.narrow.f16x2|bf16x2", "d:dtype, a:atype, scale:ue8m0",                          Exact, "9.4 sm_107f",             "9.7.10.24"), // scale optional
        row("cvt.rz|rp{.satfinite}.ue8m0x2.f32",                                      "d:dtype, a/b:atype",                                     Exact, "8.6 sm_100f,sm_110f,sm_120f", "9.7.10.24"),
        row("cvt.rz|rp{.satfinite}.ue8m0x2.bf16x2",                                   "d:dtype, a:atype",                                       Exact, "8.6 sm_100f,sm_110f,sm_120f", "9.7.10.24"),
        row("cvt.rn|rz|rp{.satfinite}.ue5m3x2.f32",                                   "d:dtype, a/b:atype",                                     Exact, "9.4 sm_107f",             "9.7.10.24"),
        row("cvt.rn|rz|rp{.satfinite}.ue5m3x2.f16x2|bf16x2",                          "d:dtype, a:atype",                                       Exact, "9.4 sm_107f",             "9.7.10.24"),
        row("cvt.rn|rz{.satfinite}.scaled::n1::ue8m0.ue5m3x2.f32",                    "d:dtype, a/b:atype, scale:ue8m0",                         Exact, "9.4 sm_107f",             "9.7.10.24"),
        row("cvt.rn|rz{.satfinite}.scaled::n1::ue8m0.ue5m3x2.f16x2|bf16x2",           "d:dtype, a:atype, scale:ue8m0",                          Exact, "9.4 sm_107f",             "9.7.10.24"),
        row("cvt.rn.satfinite{.relu}.s2f6x2.f32",                                     "d:dtype, a/b:atype",                                     Exact, "9.1 sm_100a,sm_103a,sm_107a,sm_110a,sm_120a,sm_121a", "9.7.10.24"),
        row("cvt.rn.satfinite{.relu}.scaled::n2::ue8m0.s2f6x2.f32",                   "d:dtype, a/b:atype, scale:ue8m0x2",                       Exact, "9.1 sm_100a,sm_103a,sm_107a,sm_110a,sm_120a,sm_121a", "9.7.10.24"), // scale optional
        row("cvt.rn.satfinite{.relu}.s2f6x2.bf16x2",                                  "d:dtype, a:atype",                                       Exact, "9.1 sm_100a,sm_103a,sm_107a,sm_110a,sm_120a,sm_121a", "9.7.10.24"),
        row("cvt.rn.satfinite{.relu}.scaled::n2::ue8m0.s2f6x2.bf16x2",                "d:dtype, a:atype, scale:ue8m0x2",                        Exact, "9.1 sm_100a,sm_103a,sm_107a,sm_110a,sm_120a,sm_121a", "9.7.10.24"), // scale optional
        row("cvt.rz.satfinite{.relu}.s2f6x2.f32",                                     "d:dtype, a/b:atype",                                     Exact, "9.4 sm_107a",             "9.7.10.24"), // manual: wherever .rn is
        row("cvt.rz.satfinite{.relu}.scaled::n2::ue8m0.s2f6x2.f32",                   "d:dtype, a/b:atype, scale:ue8m0x2",                       Exact, "9.4 sm_107a",             "9.7.10.24"), // manual: wherever .rn is; scale optional
        row("cvt.rz.satfinite{.relu}.s2f6x2.bf16x2",                                  "d:dtype, a:atype",                                       Exact, "9.4 sm_107a",             "9.7.10.24"), // manual: wherever .rn is
        row("cvt.rz.satfinite{.relu}.scaled::n2::ue8m0.s2f6x2.bf16x2",                "d:dtype, a:atype, scale:ue8m0x2",                        Exact, "9.4 sm_107a",             "9.7.10.24"), // manual: wherever .rn is; scale optional
        row("cvt.rn{.relu}.f16x2.e4m3x2|e5m2x2",                                      "d:dtype, a:atype",                                       Exact, "7.8 sm_90; 8.1 sm_89",    "9.7.10.24"),
        row("cvt.rn{.relu}.f16x2.e2m3x2|e3m2x2|e2m1x2",                               "d:dtype, a:atype",                                       Exact, "8.6 sm_100f,sm_110f,sm_120f", "9.7.10.24"),
        row("cvt.rn.f16x2.ue5m3x2",                                                   "d:dtype, a:atype",                                       Exact, "9.4 sm_107f",             "9.7.10.24"),
        row("cvt.rn{.relu}{.satfinite}.bf16x2.narrow",                                "d:dtype, a:atype",                                       Exact, "9.2 sm_100f,sm_110f,sm_120f", "9.7.10.24"),
        row("cvt.rn{.relu}{.satfinite}.scaled::n2::ue8m0.bf16x2.narrow",              "d:dtype, a:atype, scale:ue8m0x2",                        Exact, "9.2 sm_100f,sm_110f,sm_120f", "9.7.10.24"), // scale optional
        row("cvt.rn.bf16x2.ue8m0x2",                                                  "d:dtype, a:atype",                                       Exact, "8.6 sm_100f,sm_110f,sm_120f", "9.7.10.24"),
        row("cvt.rn{.satfinite}{.relu}.bf16x2.s2f6x2",                                "d:dtype, a:atype",                                       Exact, "9.1 sm_100a,sm_103a,sm_107a,sm_110a,sm_120a,sm_121a", "9.7.10.24"),
        row("cvt.rn{.satfinite}{.relu}.scaled::n2::ue8m0.bf16x2.s2f6x2",              "d:dtype, a:atype, scale:ue8m0x2",                        Exact, "9.1 sm_100a,sm_103a,sm_107a,sm_110a,sm_120a,sm_121a", "9.7.10.24"), // scale optional
        row("cvt.rn{.satfinite}.bf16x2.ue5m3x2",                                      "d:dtype, a:atype",                                       Exact, "9.4 sm_107f",             "9.7.10.24"),
        row("cvt.rn{.satfinite}.scaled::n2::ue8m0.bf16x2.ue5m3x2",                    "d:dtype, a:atype, scale:ue8m0x2",                        Exact, "9.4 sm_107f",             "9.7.10.24"), // scale optional
        row("cvt.rs{.relu}.satfinite.e4m3x4|e5m2x4|e2m3x4|e3m2x4|e2m1x4.f32",         "d:dtype, {a, b, e, f}:atype, rbits:b32",                  Exact, "8.7 sm_100a,sm_103a,sm_107a", "9.7.10.24"),
    ]
}
