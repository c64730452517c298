//! PTX ISA 9.7.16.4: `wmma.mma`. A name has the types of D and C where A and B are f16, and otherwise of D, A, B and C.

use super::form::MatrixForm;

/// Returns the rows of the section.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<MatrixForm> {
    let row = MatrixForm::new;
    vec![
        row("wmma.mma.sync.aligned.layout.layout.m16n16k16|m8n32k16|m32n8k16.f16|f32.f16|f32",    "6.3 sm_70", "9.7.16.4.5"), // 6.0 without .aligned
        row("wmma.mma.sync.aligned.layout.layout.m16n16k16|m8n32k16|m32n8k16.f32.bf16.bf16.f32",  "7.0 sm_80", "9.7.16.4.5"),
        row("wmma.mma.sync.aligned.layout.layout.m16n16k8.f32.tf32.tf32.f32",                     "7.0 sm_80", "9.7.16.4.5"),
        row("wmma.mma.sync.aligned.layout.layout.m8n8k4{.rnd}.f64.f64.f64.f64",                   "7.0 sm_80", "9.7.16.4.5"),
    ]
}
