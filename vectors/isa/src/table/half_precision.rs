//! PTX ISA 9.7.4, Half Precision Floating-Point Instructions.

use super::accuracy::{EX2_BF16, EX2_F16, TANH_BF16, TANH_F16};
use crate::Contract::{Exact, Within};
use crate::instruction::{Form, Ftz};

/// Returns the rows of the section.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<Form> {
    let row = Form::new;
    vec![
        row("add{.rn}{.ftz}{.sat}.f16|f16x2",        "d, a, b",    Exact,              "4.2 sm_53", "9.7.4.1"),
        row("add{.rn}.bf16|bf16x2",                  "d, a, b",    Exact,              "7.8 sm_90", "9.7.4.1"),
        row("sub{.rn}{.ftz}{.sat}.f16|f16x2",        "d, a, b",    Exact,              "4.2 sm_53", "9.7.4.2"),
        row("sub{.rn}.bf16|bf16x2",                  "d, a, b",    Exact,              "7.8 sm_90", "9.7.4.2"),
        row("mul{.rn}{.ftz}{.sat}.f16|f16x2",        "d, a, b",    Exact,              "4.2 sm_53", "9.7.4.3"),
        row("mul{.rn}.bf16|bf16x2",                  "d, a, b",    Exact,              "7.8 sm_90", "9.7.4.3"),
        row("fma.rn{.ftz}{.sat}.f16|f16x2",          "d, a, b, c", Exact,              "4.2 sm_53", "9.7.4.4"),
        row("fma.rn{.ftz}.relu.f16|f16x2",           "d, a, b, c", Exact,              "7.0 sm_80", "9.7.4.4"),
        row("fma.rn{.relu}.bf16|bf16x2",             "d, a, b, c", Exact,              "7.0 sm_80", "9.7.4.4"),
        row("fma.rn.oob{.relu}.f16|f16x2",           "d, a, b, c", Exact,              "8.1 sm_90", "9.7.4.4"),
        row("fma.rn.oob{.relu}.bf16|bf16x2",         "d, a, b, c", Exact,              "8.1 sm_90", "9.7.4.4"),
        row("neg{.ftz}.f16|f16x2",                   "d, a",       Exact,              "6.0 sm_53", "9.7.4.5").ftz(Ftz::Inputs), // ptxas: 5.1
        row("neg.bf16|bf16x2",                       "d, a",       Exact,              "7.0 sm_80", "9.7.4.5"),
        row("abs{.ftz}.f16|f16x2",                   "d, a",       Exact,              "6.5 sm_53", "9.7.4.6").ftz(Ftz::Inputs),
        row("abs.bf16|bf16x2",                       "d, a",       Exact,              "7.0 sm_80", "9.7.4.6"),
        row("min{.ftz}{.NaN}.f16|f16x2",             "d, a, b",    Exact,              "7.0 sm_80", "9.7.4.7").ftz(Ftz::Inputs),
        row("min{.NaN}.bf16|bf16x2",                 "d, a, b",    Exact,              "7.0 sm_80", "9.7.4.7"),
        row("min{.ftz}{.NaN}.xorsign.abs.f16|f16x2", "d, a, b",    Exact,              "7.2 sm_86", "9.7.4.7").ftz(Ftz::Inputs),
        row("min{.NaN}.xorsign.abs.bf16|bf16x2",     "d, a, b",    Exact,              "7.2 sm_86", "9.7.4.7"),
        row("max{.ftz}{.NaN}.f16|f16x2",             "d, a, b",    Exact,              "7.0 sm_80", "9.7.4.8").ftz(Ftz::Inputs),
        row("max{.NaN}.bf16|bf16x2",                 "d, a, b",    Exact,              "7.0 sm_80", "9.7.4.8"),
        row("max{.ftz}{.NaN}.xorsign.abs.f16|f16x2", "d, a, b",    Exact,              "7.2 sm_86", "9.7.4.8").ftz(Ftz::Inputs),
        row("max{.NaN}.xorsign.abs.bf16|bf16x2",     "d, a, b",    Exact,              "7.2 sm_86", "9.7.4.8"),
        row("tanh.approx.f16|f16x2",                 "d, a",       Within(&TANH_F16),  "7.0 sm_75", "9.7.4.9"),
        row("tanh.approx.bf16|bf16x2",               "d, a",       Within(&TANH_BF16), "7.8 sm_90", "9.7.4.9"),
        row("ex2.approx.f16|f16x2",                  "d, a",       Within(&EX2_F16),   "7.0 sm_75", "9.7.4.10"),
        row("ex2.approx.ftz.bf16|bf16x2",            "d, a",       Within(&EX2_BF16),  "7.8 sm_90", "9.7.4.10"),
    ]
}
