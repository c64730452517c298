//! PTX ISA 9.7.5, Mixed Precision Floating-Point Instructions.

use crate::Contract::Exact;
use crate::Form;

/// Returns the rows of the section.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<Form> {
    let row = Form::new;
    vec![
        row("add{.rnd}{.sat}.f32.f16|bf16",           "d:dtype, a:atype, c:dtype",          Exact, "8.6 sm_100",  "9.7.5.1"),
        row("add{.rnd}.f32x2.f16x2|bf16x2.f32x2",     "d:dtype, a:atype, c:btype",          Exact, "9.4 sm_107f", "9.7.5.1"),
        row("add.rz.ftz.f16x2.f32x2.f32x2",           "d:dtype, a:atype, c:btype",          Exact, "9.4 sm_107f", "9.7.5.1"),
        row("add.rz.bf16x2.f32x2.f32x2",              "d:dtype, a:atype, c:btype",          Exact, "9.4 sm_107f", "9.7.5.1"),
        row("sub{.rnd}{.sat}.f32.f16|bf16",           "d:dtype, a:atype, c:dtype",          Exact, "8.6 sm_100",  "9.7.5.2"),
        row("sub{.rnd}.f32x2.f16x2|bf16x2.f32x2",     "d:dtype, a:atype, c:btype",          Exact, "9.4 sm_107f", "9.7.5.2"),
        row("sub.rz.ftz.f16x2.f32x2.f32x2",           "d:dtype, a:atype, c:btype",          Exact, "9.4 sm_107f", "9.7.5.2"),
        row("sub.rz.bf16x2.f32x2.f32x2",              "d:dtype, a:atype, c:btype",          Exact, "9.4 sm_107f", "9.7.5.2"),
        row("fma.rnd{.sat}.f32.f16|bf16",             "d:dtype, a:atype, b:atype, c:dtype", Exact, "8.6 sm_100",  "9.7.5.3"),
        row("fma.rnd.f32x2.f16x2|bf16x2.f32x2.f32x2", "d:dtype, a:atype, b:btype, c:ctype", Exact, "9.4 sm_107f", "9.7.5.3"), // manual: rounding optional; ptxas: required
        row("mul.ftz.rz.f16x2.f32x2.f32x2",           "d:dtype, a:atype, c:btype",          Exact, "9.4 sm_107f", "9.7.5.4"),
        row("mul.rz.bf16x2.f32x2.f32x2",              "d:dtype, a:atype, c:btype",          Exact, "9.4 sm_107f", "9.7.5.4"),
        row("mul.f16x2.f16x2.bf16x2",                 "d:dtype, a:atype, c:btype",          Exact, "9.4 sm_107f", "9.7.5.4").converts(1),
        row("mul.bf16x2.bf16x2.f16x2",                "d:dtype, a:atype, c:btype",          Exact, "9.4 sm_107f", "9.7.5.4").converts(1),
    ]
}
