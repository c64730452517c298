//! PTX ISA 9.7.18.8.3, `tcgen05.ld.red`: the smallest or largest of what a warp loads from a lane of tensor memory.
//!
//! A vector has two values, which stand in the columns of the lane, each in at least one of them: the smallest of more
//! values is the smallest of two of them. The loaded data themselves, which the instruction gives as well, involve no
//! arithmetic.
//!
//! With `.abs` "the absolute values of the loaded data are considered", and with `.NaN` the result is "canonical NaN if
//! either of the inputs to the reduction operation is NaN". The manual says nothing of NaN without `.NaN`, of zeros,
//! and of subnormal numbers, so no sentence lets a subnormal number be flushed.
//!
//! With `.spcompress` two of each four columns are kept as well, and `.red` "is performed on the data that is loaded",
//! all of them. The selection of the kept columns copies bits: it is no arithmetic, and neither are the indices of what
//! is kept.

use crate::Contract::Exact;
use crate::Form;

/// Returns the row of the section.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<Form> {
    let row = Form::new;
    vec![
        row("tcgen05.ld.red.sync.aligned.32x32b|16x32bx2.x2|x4|x8|x16|x32|x64|x128.min|max{.abs}{.NaN}.f32", "d, [a, b]", Exact, "8.8 sm_103f,sm_110f", "9.7.18.8.3"),
        row("tcgen05.ld.red.spcompress.sync.aligned.32x32b.x4|x8|x16|x32|x64|x128.min|max.sp::2:4{.abs}{.NaN}.f32.b2", "d:f32, [a, b]:f32", Exact, "9.4 sm_107a", "9.7.18.8.3"),
    ]
}
