//! PTX ISA 9.7.4, Half Precision Floating-Point Instructions.

use super::contract::{Contract::Exact, Relaxation::*};
use super::form::Form;

/// The rows of the section: each exists for the scalar and the packed type of its formats.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<Form> {
    let mul_bf16 = Exact(&[AnyNan]);
    let mul_f16  = Exact(&[AnyNan, FtzTininess, ZeroSign]);
    let fma_f16  = mul_f16;
    let relu_f16 = Exact(&[FtzTininess, ZeroSign]);
    let fma_bf16 = Exact(&[AnyNan, ZeroSign]);
    let oob_f16  = Exact(&[AnyNan, ZeroSign, OobPattern, OobAddend]);
    let oob_bf16 = Exact(&[AnyNan, ZeroSign, OobAddend]);
    let row = Form::new;
    vec![
        row("mul{.rn}{.ftz}{.sat}.f16|f16x2", "d, a, b",    mul_f16,  "4.2 sm_53", "9.7.4.3"),
        row("mul{.rn}.bf16|bf16x2",           "d, a, b",    mul_bf16, "7.8 sm_90", "9.7.4.3"),
        row("fma.rn{.ftz}{.sat}.f16|f16x2",   "d, a, b, c", fma_f16,  "4.2 sm_53", "9.7.4.4"),
        row("fma.rn{.ftz}.relu.f16|f16x2",    "d, a, b, c", relu_f16, "7.0 sm_80", "9.7.4.4"),
        row("fma.rn{.relu}.bf16|bf16x2",      "d, a, b, c", fma_bf16, "7.0 sm_80", "9.7.4.4"),
        row("fma.rn.oob{.relu}.f16|f16x2",    "d, a, b, c", oob_f16,  "8.1 sm_90", "9.7.4.4"),
        row("fma.rn.oob{.relu}.bf16|bf16x2",  "d, a, b, c", oob_bf16, "8.1 sm_90", "9.7.4.4"),
    ]
}
