//! Arithmetic of f32 and f64: correctly rounded since SSE (SDM volume 1, 4.8.4), fused since
//! FMA.

use super::Feature::{Fma, Sse2};
use super::batch::batch;
use crate::host::table::HostRow;

/// Returns the rows of arithmetic. There is no instruction for `rcp.rnd`; a quotient of 1 rounds as often, once.
#[rustfmt::skip] // a table
pub fn rows() -> Vec<HostRow> {
    let row = HostRow::new;
    vec![
        row("add{.rnd}{.ftz}.f32",   Sse2, batch!(f32, f32 => f32: "addss xmm0, xmm1")),
        row("sub{.rnd}{.ftz}.f32",   Sse2, batch!(f32, f32 => f32: "subss xmm0, xmm1")),
        row("mul{.rnd}{.ftz}.f32",   Sse2, batch!(f32, f32 => f32: "mulss xmm0, xmm1")),
        row("div.rnd{.ftz}.f32",     Sse2, batch!(f32, f32 => f32: "divss xmm0, xmm1")),
        row("rcp.rnd{.ftz}.f32",     Sse2, batch!(f32 => f32: "movaps xmm1, xmm0", "mov eax, 0x3f800000", "movd xmm0, eax", "divss xmm0, xmm1")),
        row("sqrt.rnd{.ftz}.f32",    Sse2, batch!(f32 => f32: "sqrtss xmm0, xmm0")),
        row("fma.rnd{.ftz}.f32",     Fma,  batch!(f32, f32, f32 => f32: "vfmadd213ss xmm0, xmm1, xmm2")),
        row("mad.rnd{.ftz}.f32",     Fma,  batch!(f32, f32, f32 => f32: "vfmadd213ss xmm0, xmm1, xmm2")),
        row("min{.ftz}.f32",         Sse2, batch!(f32, f32 => f32: "minss xmm0, xmm1")),
        row("max{.ftz}.f32",         Sse2, batch!(f32, f32 => f32: "maxss xmm0, xmm1")),

        row("add{.rnd}{.ftz}.f32x2", Sse2, batch!(f32x2, f32x2 => f32x2: "addps xmm0, xmm1")),
        row("sub{.rnd}{.ftz}.f32x2", Sse2, batch!(f32x2, f32x2 => f32x2: "subps xmm0, xmm1")),
        row("mul{.rnd}{.ftz}.f32x2", Sse2, batch!(f32x2, f32x2 => f32x2: "mulps xmm0, xmm1")),
        row("fma.rnd{.ftz}.f32x2",   Fma,  batch!(f32x2, f32x2, f32x2 => f32x2: "vfmadd213ps xmm0, xmm1, xmm2")),

        row("add{.rnd}.f64",         Sse2, batch!(f64, f64 => f64: "addsd xmm0, xmm1")),
        row("sub{.rnd}.f64",         Sse2, batch!(f64, f64 => f64: "subsd xmm0, xmm1")),
        row("mul{.rnd}.f64",         Sse2, batch!(f64, f64 => f64: "mulsd xmm0, xmm1")),
        row("div.rnd.f64",           Sse2, batch!(f64, f64 => f64: "divsd xmm0, xmm1")),
        row("rcp.rnd.f64",           Sse2, batch!(f64 => f64: "movapd xmm1, xmm0", "mov rax, 0x3ff0000000000000", "movq xmm0, rax", "divsd xmm0, xmm1")),
        row("sqrt.rnd.f64",          Sse2, batch!(f64 => f64: "sqrtsd xmm0, xmm0")),
        row("fma.rnd.f64",           Fma,  batch!(f64, f64, f64 => f64: "vfmadd213sd xmm0, xmm1, xmm2")),
        row("mad.rnd.f64",           Fma,  batch!(f64, f64, f64 => f64: "vfmadd213sd xmm0, xmm1, xmm2")),
        row("min.f64",               Sse2, batch!(f64, f64 => f64: "minsd xmm0, xmm1")),
        row("max.f64",               Sse2, batch!(f64, f64 => f64: "maxsd xmm0, xmm1")),
    ]
}
