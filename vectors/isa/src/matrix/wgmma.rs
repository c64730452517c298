//! PTX ISA 9.7.17: `wgmma.mma_async`, and `.sp` with a sparse A. A name has the types of D, A and B, and C has the type
//! of D. Only the operands say where A lies: in registers (`a-regs`) or in shared memory (`a-desc`).

use super::form::MatrixForm;

/// Returns the rows of the section.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<MatrixForm> {
    let row = MatrixForm::new;
    vec![
        row("wgmma.mma_async.sync.aligned.m64nNk16.f16|f32.f16.f16(a-desc|a-regs)",    "8.0 sm_90a", "9.7.17.5.2"),
        row("wgmma.mma_async.sync.aligned.m64nNk16.f32.bf16.bf16(a-desc|a-regs)",      "8.0 sm_90a", "9.7.17.5.2"),
        row("wgmma.mma_async.sync.aligned.m64nNk8.f32.tf32.tf32(a-desc|a-regs)",       "8.0 sm_90a", "9.7.17.5.2"),
        row("wgmma.mma_async.sync.aligned.m64nNk32.f16|f32.f8.f8(a-desc|a-regs)",      "8.0 sm_90a", "9.7.17.5.2"),
        row("wgmma.mma_async.sp.sync.aligned.m64nNk32.f16|f32.f16.f16(a-desc|a-regs)", "8.2 sm_90a", "9.7.17.6.3"),
        row("wgmma.mma_async.sp.sync.aligned.m64nNk32.f32.bf16.bf16(a-desc|a-regs)",   "8.2 sm_90a", "9.7.17.6.3"),
        row("wgmma.mma_async.sp.sync.aligned.m64nNk16.f32.tf32.tf32(a-desc|a-regs)",   "8.2 sm_90a", "9.7.17.6.3"),
        row("wgmma.mma_async.sp.sync.aligned.m64nNk64.f16|f32.f8.f8(a-desc|a-regs)",   "8.2 sm_90a", "9.7.17.6.3"),
    ]
}
