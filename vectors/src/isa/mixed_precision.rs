//! PTX ISA 9.7.5, Mixed Precision Floating-Point Instructions.

use super::contract::{Contract::Exact, Relaxation::*};
use super::form::Form;

/// The rows of the section: narrow operands are converted to f32 exactly, and the sum rounds once.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<Form> {
    let exact = Exact(&[AnyNan, ZeroSign]);
    let row = Form::new;
    vec![
        row("add{.rnd}{.sat}.f32.f16|bf16", "d:dtype, a, c:dtype",    exact, "8.6 sm_100", "9.7.5.1"),
        row("sub{.rnd}{.sat}.f32.f16|bf16", "d:dtype, a, c:dtype",    exact, "8.6 sm_100", "9.7.5.2"),
        row("fma.rnd{.sat}.f32.f16|bf16",   "d:dtype, a, b, c:dtype", exact, "8.6 sm_100", "9.7.5.3"),
    ]
}
