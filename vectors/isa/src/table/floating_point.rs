//! PTX ISA 9.7.3, Floating-Point Instructions.

use super::accuracy::{
    COS, DIV, DIV_FULL, EX2, LG2, RCP, RCP_F64, RSQRT, RSQRT_F64, RSQRT_FTZ_F64, SIN, SQRT, TANH,
};
use crate::Contract::{Exact, Within};
use crate::NanRule;
use crate::instruction::{Form, Ftz};

/// The canonical NaN of instructions on the upper half of f64: "Input NaNs map to a canonical NaN with encoding
/// 0x7fffffff00000000" (9.7.3.14, 9.7.3.17).
const UPPER_NAN: NanRule = NanRule::Canonical64(0x7fff_ffff_0000_0000);

/// Returns the rows of the section.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<Form> {
    let row = Form::new;
    vec![
        row("testp.finite|infinite|number|notanumber|normal|subnormal.f32|f64", "p:pred, a",  Exact,                  "2.0 sm_20",  "9.7.3.1"),
        row("copysign.f32|f64",                                                 "d, a, b",    Exact,                  "2.0 sm_20",  "9.7.3.2"),
        row("add{.rnd}{.ftz}{.sat}.f32",                                        "d, a, b",    Exact,                  "2.0 sm_20",  "9.7.3.3"),
        row("add{.rnd}{.ftz}.f32x2",                                            "d, a, b",    Exact,                  "8.6 sm_100", "9.7.3.3"),
        row("add{.rnd}.f64",                                                    "d, a, b",    Exact,                  "2.0 sm_20",  "9.7.3.3"),
        row("sub{.rnd}{.ftz}{.sat}.f32",                                        "d, a, b",    Exact,                  "2.0 sm_20",  "9.7.3.4"),
        row("sub{.rnd}{.ftz}.f32x2",                                            "d, a, b",    Exact,                  "8.6 sm_100", "9.7.3.4"),
        row("sub{.rnd}.f64",                                                    "d, a, b",    Exact,                  "2.0 sm_20",  "9.7.3.4"),
        row("mul{.rnd}{.ftz}{.sat}.f32",                                        "d, a, b",    Exact,                  "2.0 sm_20",  "9.7.3.5"),
        row("mul{.rnd}{.ftz}.f32x2",                                            "d, a, b",    Exact,                  "8.6 sm_100", "9.7.3.5"),
        row("mul{.rnd}.f64",                                                    "d, a, b",    Exact,                  "2.0 sm_20",  "9.7.3.5"),
        row("fma.rnd{.ftz}{.sat}.f32",                                          "d, a, b, c", Exact,                  "2.0 sm_20",  "9.7.3.6"),
        row("fma.rnd{.ftz}.f32x2",                                              "d, a, b, c", Exact,                  "8.6 sm_100", "9.7.3.6"),
        row("fma.rnd.f64",                                                      "d, a, b, c", Exact,                  "2.0 sm_20",  "9.7.3.6"),
        row("mad.rnd{.ftz}{.sat}.f32",                                          "d, a, b, c", Exact,                  "2.0 sm_20",  "9.7.3.7"),
        row("mad.rnd.f64",                                                      "d, a, b, c", Exact,                  "2.0 sm_20",  "9.7.3.7"),
        row("div.approx{.ftz}.f32",                                             "d, a, b",    Within(&DIV),           "2.0 sm_20",  "9.7.3.8"),
        row("div.full{.ftz}.f32",                                               "d, a, b",    Within(&DIV_FULL),      "2.0 sm_20",  "9.7.3.8"),
        row("div.rnd{.ftz}.f32",                                                 "d, a, b",    Exact,                  "2.0 sm_20",  "9.7.3.8"),
        row("div.rnd.f64",                                                      "d, a, b",    Exact,                  "2.0 sm_20",  "9.7.3.8"),
        row("abs{.ftz}.f32",                                                    "d, a",       Exact,                  "2.0 sm_20",  "9.7.3.9").ftz(Ftz::Inputs),
        row("abs.f64",                                                          "d, a",       Exact,                  "2.0 sm_20",  "9.7.3.9").nan(NanRule::Unchanged),
        row("neg{.ftz}.f32",                                                    "d, a",       Exact,                  "2.0 sm_20",  "9.7.3.10").ftz(Ftz::Inputs),
        row("neg.f64",                                                          "d, a",       Exact,                  "2.0 sm_20",  "9.7.3.10").nan(NanRule::Operand),
        row("min{.ftz}.f32",                                                    "d, a, b",    Exact,                  "2.0 sm_20",  "9.7.3.11").ftz(Ftz::Inputs),
        row("min{.ftz}.NaN.f32",                                                "d, a, b",    Exact,                  "7.0 sm_80",  "9.7.3.11").ftz(Ftz::Inputs),
        row("min{.ftz}{.NaN}.xorsign.abs.f32",                                  "d, a, b",    Exact,                  "7.2 sm_86",  "9.7.3.11").ftz(Ftz::Inputs),
        row("min{.ftz}{.NaN}{.abs}.f32(a,b,c)",                                 "d, a, b, c", Exact,                  "8.8 sm_100", "9.7.3.11").ftz(Ftz::Inputs), // three inputs
        row("min.f64",                                                          "d, a, b",    Exact,                  "2.0 sm_20",  "9.7.3.11"),
        row("max{.ftz}.f32",                                                    "d, a, b",    Exact,                  "2.0 sm_20",  "9.7.3.12").ftz(Ftz::Inputs),
        row("max{.ftz}.NaN.f32",                                                "d, a, b",    Exact,                  "7.0 sm_80",  "9.7.3.12").ftz(Ftz::Inputs),
        row("max{.ftz}{.NaN}.xorsign.abs.f32",                                  "d, a, b",    Exact,                  "7.2 sm_86",  "9.7.3.12").ftz(Ftz::Inputs),
        row("max{.ftz}{.NaN}{.abs}.f32(a,b,c)",                                 "d, a, b, c", Exact,                  "8.8 sm_100", "9.7.3.12").ftz(Ftz::Inputs), // three inputs
        row("max.f64",                                                          "d, a, b",    Exact,                  "2.0 sm_20",  "9.7.3.12"),
        row("rcp.approx{.ftz}.f32",                                             "d, a",       Within(&RCP),           "2.0 sm_20",  "9.7.3.13"),
        row("rcp.rnd{.ftz}.f32",                                                 "d, a",       Exact,                  "2.0 sm_20",  "9.7.3.13"),
        row("rcp.rnd.f64",                                                      "d, a",       Exact,                  "2.0 sm_20",  "9.7.3.13"),
        row("rcp.approx.ftz.f64",                                               "d, a",       Within(&RCP_F64),       "2.1 sm_20",  "9.7.3.14").upper_half().nan(UPPER_NAN),
        row("sqrt.approx{.ftz}.f32",                                            "d, a",       Within(&SQRT),          "2.0 sm_20",  "9.7.3.15"),
        row("sqrt.rnd{.ftz}.f32",                                               "d, a",       Exact,                  "2.0 sm_20",  "9.7.3.15"),
        row("sqrt.rnd.f64",                                                     "d, a",       Exact,                  "2.0 sm_20",  "9.7.3.15"),
        row("rsqrt.approx{.ftz}.f32",                                           "d, a",       Within(&RSQRT),         "2.0 sm_20",  "9.7.3.16"),
        row("rsqrt.approx.f64",                                                 "d, a",       Within(&RSQRT_F64),     "2.0 sm_20",  "9.7.3.16"),
        row("rsqrt.approx.ftz.f64",                                             "d, a",       Within(&RSQRT_FTZ_F64), "4.0 sm_20",  "9.7.3.17").upper_half().nan(UPPER_NAN),
        row("sin.approx{.ftz}.f32",                                             "d, a",       Within(&SIN),           "2.0 sm_20",  "9.7.3.18"),
        row("cos.approx{.ftz}.f32",                                             "d, a",       Within(&COS),           "2.0 sm_20",  "9.7.3.19"),
        row("lg2.approx{.ftz}.f32",                                             "d, a",       Within(&LG2),           "2.0 sm_20",  "9.7.3.20"),
        row("ex2.approx{.ftz}.f32",                                             "d, a",       Within(&EX2),           "2.0 sm_20",  "9.7.3.21"),
        row("tanh.approx.f32",                                                  "d, a",       Within(&TANH),          "7.0 sm_75",  "9.7.3.22"),
    ]
}
