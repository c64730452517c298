//! PTX ISA 9.7.10.28.4.2, `cp.reduce.async.bulk`, and 9.7.10.28.5.4, `cp.reduce.async.bulk.tensor`: arithmetic on
//! blocks of words in global memory by others in shared memory. In version 9.1 the first is section 9.7.9.25.4.2.
//!
//! Subnormal numbers are kept: "The default behavior for cp.reduce.async.bulk.add.f32 is equivalent to specifying
//! optional .noftz qualifier". Before 9.4 the manual said that the current implementation flushes them, and no
//! implementation was known to. Of NaN and zeros among `min` and `max` nothing is said here; for `atom` it is.
//!
//! A block has any multiple of 16 bytes. Here it has 16 bytes, which are one vector: each element is computed by
//! itself, and a longer block is more of the same. The forms whose destination is shared memory of a cluster are for
//! integers only.
//!
//! For tensors the type of the elements is no part of the instruction, but stands in a map of the tensor: the names
//! here have it at the end, in parentheses. The number of dimensions and their layout change where elements lie, and
//! none of the elements. Their section has no sentence about flushing; 5.5.1 says "(rounded to nearest even)".
//!
//! `.L2::cache_hint` changes no result.

use crate::Contract::Exact;
use crate::instruction::{Form, Ftz};

/// Returns the rows of the sections.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<Form> {
    let row = Form::new;
    vec![
        row("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32",        "[m0+m1]:f32x2, [a0+a1]:f32x2, [b0+b1]:f32x2",    Exact, "8.0 sm_90", "9.7.10.28.4.2"),
        row("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f32",  "[m0+m1]:f32x2, [a0+a1]:f32x2, [b0+b1]:f32x2",    Exact, "9.4 sm_90", "9.7.10.28.4.2"),
        row("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64",        "[m0+m1], [a0+a1], [b0+b1]",                      Exact, "8.0 sm_90", "9.7.10.28.4.2"),
        row("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16",  "[m0+m1]:f16x4, [a0+a1]:f16x4, [b0+b1]:f16x4",    Exact, "8.0 sm_90", "9.7.10.28.4.2"),
        row("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16", "[m0+m1]:bf16x4, [a0+a1]:bf16x4, [b0+b1]:bf16x4", Exact, "8.0 sm_90", "9.7.10.28.4.2"),
        row("cp.reduce.async.bulk.global.shared::cta.bulk_group.min|max.f16",    "[m0+m1]:f16x4, [a0+a1]:f16x4, [b0+b1]:f16x4",    Exact, "8.0 sm_90", "9.7.10.28.4.2"),
        row("cp.reduce.async.bulk.global.shared::cta.bulk_group.min|max.bf16",   "[m0+m1]:bf16x4, [a0+a1]:bf16x4, [b0+b1]:bf16x4", Exact, "8.0 sm_90", "9.7.10.28.4.2"),
        row("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group(f32)", "[m0+m1]:f32x2, [a0+a1]:f32x2, [b0+b1]:f32x2", Exact, "8.0 sm_90", "9.7.10.28.5.4").ftz(Ftz::GlobalVector),
        row("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group(f16)", "[m0+m1]:f16x4, [a0+a1]:f16x4, [b0+b1]:f16x4", Exact, "8.0 sm_90", "9.7.10.28.5.4"),
        row("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group(bf16)", "[m0+m1]:bf16x4, [a0+a1]:bf16x4, [b0+b1]:bf16x4", Exact, "8.0 sm_90", "9.7.10.28.5.4"),
        row("cp.reduce.async.bulk.tensor.1d.global.shared::cta.min|max.tile.bulk_group(f16)", "[m0+m1]:f16x4, [a0+a1]:f16x4, [b0+b1]:f16x4", Exact, "8.0 sm_90", "9.7.10.28.5.4"),
        row("cp.reduce.async.bulk.tensor.1d.global.shared::cta.min|max.tile.bulk_group(bf16)", "[m0+m1]:bf16x4, [a0+a1]:bf16x4, [b0+b1]:bf16x4", Exact, "8.0 sm_90", "9.7.10.28.5.4"),
    ]
}
