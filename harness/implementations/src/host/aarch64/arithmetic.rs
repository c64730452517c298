//! Arithmetic of f32, f64 and f16, all of it correctly rounded (Arm ARM, A1.5).

use super::Feature::{Fp, Fp16};
use super::batch::batch;
use crate::host::table::HostRow;

/// Returns the rows of arithmetic. There is no instruction for `rcp.rnd`; a quotient of 1 rounds as often, once.
/// `fminnm` returns the number where one operand is NaN, as `min` does, and `fmin` the NaN, as `min.NaN` does.
#[rustfmt::skip] // a table
pub fn rows() -> Vec<HostRow> {
    let row = HostRow::new;
    vec![
        row("add{.rnd}{.ftz}.f32",   Fp,   batch!(f32, f32 => f32: "fadd s0, s0, s1")),
        row("sub{.rnd}{.ftz}.f32",   Fp,   batch!(f32, f32 => f32: "fsub s0, s0, s1")),
        row("mul{.rnd}{.ftz}.f32",   Fp,   batch!(f32, f32 => f32: "fmul s0, s0, s1")),
        row("div.rnd{.ftz}.f32",     Fp,   batch!(f32, f32 => f32: "fdiv s0, s0, s1")),
        row("rcp.rnd{.ftz}.f32",     Fp,   batch!(f32 => f32: "fmov s1, #1.0", "fdiv s0, s1, s0")),
        row("sqrt.rnd{.ftz}.f32",    Fp,   batch!(f32 => f32: "fsqrt s0, s0")),
        row("fma.rnd{.ftz}.f32",     Fp,   batch!(f32, f32, f32 => f32: "fmadd s0, s0, s1, s2")),
        row("mad.rnd{.ftz}.f32",     Fp,   batch!(f32, f32, f32 => f32: "fmadd s0, s0, s1, s2")),
        row("min{.ftz}.f32",         Fp,   batch!(f32, f32 => f32: "fminnm s0, s0, s1")),
        row("max{.ftz}.f32",         Fp,   batch!(f32, f32 => f32: "fmaxnm s0, s0, s1")),
        row("min{.ftz}.NaN.f32",     Fp,   batch!(f32, f32 => f32: "fmin s0, s0, s1")),
        row("max{.ftz}.NaN.f32",     Fp,   batch!(f32, f32 => f32: "fmax s0, s0, s1")),

        row("add{.rnd}{.ftz}.f32x2", Fp,   batch!(f32x2, f32x2 => f32x2: "fadd v0.2s, v0.2s, v1.2s")),
        row("sub{.rnd}{.ftz}.f32x2", Fp,   batch!(f32x2, f32x2 => f32x2: "fsub v0.2s, v0.2s, v1.2s")),
        row("mul{.rnd}{.ftz}.f32x2", Fp,   batch!(f32x2, f32x2 => f32x2: "fmul v0.2s, v0.2s, v1.2s")),
        row("fma.rnd{.ftz}.f32x2",   Fp,   batch!(f32x2, f32x2, f32x2 => f32x2: "fmla v2.2s, v0.2s, v1.2s", "fmov d0, d2")),

        row("add{.rnd}.f64",         Fp,   batch!(f64, f64 => f64: "fadd d0, d0, d1")),
        row("sub{.rnd}.f64",         Fp,   batch!(f64, f64 => f64: "fsub d0, d0, d1")),
        row("mul{.rnd}.f64",         Fp,   batch!(f64, f64 => f64: "fmul d0, d0, d1")),
        row("div.rnd.f64",           Fp,   batch!(f64, f64 => f64: "fdiv d0, d0, d1")),
        row("rcp.rnd.f64",           Fp,   batch!(f64 => f64: "fmov d1, #1.0", "fdiv d0, d1, d0")),
        row("sqrt.rnd.f64",          Fp,   batch!(f64 => f64: "fsqrt d0, d0")),
        row("fma.rnd.f64",           Fp,   batch!(f64, f64, f64 => f64: "fmadd d0, d0, d1, d2")),
        row("mad.rnd.f64",           Fp,   batch!(f64, f64, f64 => f64: "fmadd d0, d0, d1, d2")),
        row("min.f64",               Fp,   batch!(f64, f64 => f64: "fminnm d0, d0, d1")),
        row("max.f64",               Fp,   batch!(f64, f64 => f64: "fmaxnm d0, d0, d1")),

        row("add{.rn}{.ftz}.f16",    Fp16, batch!(f16, f16 => f16: "fadd h0, h0, h1")),
        row("sub{.rn}{.ftz}.f16",    Fp16, batch!(f16, f16 => f16: "fsub h0, h0, h1")),
        row("mul{.rn}{.ftz}.f16",    Fp16, batch!(f16, f16 => f16: "fmul h0, h0, h1")),
        row("fma.rn{.ftz}.f16",      Fp16, batch!(f16, f16, f16 => f16: "fmadd h0, h0, h1, h2")),
        row("min{.ftz}.f16",         Fp16, batch!(f16, f16 => f16: "fminnm h0, h0, h1")),
        row("max{.ftz}.f16",         Fp16, batch!(f16, f16 => f16: "fmaxnm h0, h0, h1")),
        row("min{.ftz}.NaN.f16",     Fp16, batch!(f16, f16 => f16: "fmin h0, h0, h1")),
        row("max{.ftz}.NaN.f16",     Fp16, batch!(f16, f16 => f16: "fmax h0, h0, h1")),
        row("add{.rn}{.ftz}.f16x2",  Fp16, batch!(f16x2, f16x2 => f16x2: "fadd v0.4h, v0.4h, v1.4h")),
        row("sub{.rn}{.ftz}.f16x2",  Fp16, batch!(f16x2, f16x2 => f16x2: "fsub v0.4h, v0.4h, v1.4h")),
        row("mul{.rn}{.ftz}.f16x2",  Fp16, batch!(f16x2, f16x2 => f16x2: "fmul v0.4h, v0.4h, v1.4h")),
        row("fma.rn{.ftz}.f16x2",    Fp16, batch!(f16x2, f16x2, f16x2 => f16x2: "fmla v2.4h, v0.4h, v1.4h", "fmov s0, s2")),
        row("min{.ftz}.f16x2",       Fp16, batch!(f16x2, f16x2 => f16x2: "fminnm v0.4h, v0.4h, v1.4h")),
        row("max{.ftz}.f16x2",       Fp16, batch!(f16x2, f16x2 => f16x2: "fmaxnm v0.4h, v0.4h, v1.4h")),
        row("min{.ftz}.NaN.f16x2",   Fp16, batch!(f16x2, f16x2 => f16x2: "fmin v0.4h, v0.4h, v1.4h")),
        row("max{.ftz}.NaN.f16x2",   Fp16, batch!(f16x2, f16x2 => f16x2: "fmax v0.4h, v0.4h, v1.4h")),
    ]
}
