//! PTX ISA 9.7.11.5, `fabric`: arithmetic on words that a handle stands for, which may lie in the memory of another
//! device.
//!
//! What a handle is, and how a failure is reported, change no result of an operation that does not fail.
//! `fabric.try_red` and `fabric.try_red.async.tensor` are built like `cp.reduce.async.bulk` and its form for tensors.
//! `fabric.try_atom` is built like `atom`, but its operand here is shared memory as well. `fabric.try_pullred` is
//! "pull-reduction from CFT handle (`multimem.ld_reduce` equivalent)" (9.7.11.3): a vector has the words of two
//! devices. Blocks have 16 bytes here, like those of bulk reductions.
//!
//! The sections say nothing of flushing, of which NaN a result is, of sums that are too large, and of zeros and NaN
//! among the smallest and largest. On rounding only 5.5.1 speaks, for the elements of tensors: "(rounded to nearest
//! even)".
//!
//! `.sync` stands before the operation here. The syntax of 9.7.11.5.4 has it behind the type, the example in a third
//! place, and ptxas takes it anywhere. `.type` in the syntax of 9.7.11.5.9 is never defined, and no example has one: "The
//! type of each data element … is specified by the tensorMap".
//!
//! For 8 bits and sums in a wider format 9.7.11.5.4 names `sm_120a` and `sm_121a`. ptxas 13.5 takes `sm_120f`, the
//! family that both belong to, and so do the rows.

use crate::Contract::Exact;
use crate::instruction::{Form, Ftz};

/// Returns the rows of the sections.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<Form> {
    let row = Form::new;
    vec![
        row("fabric.try_red.async{.multimem}.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.relaxed.sys.add.f32", "[m0+m1]:f32x2, [a0+a1]:f32x2, [b0+b1]:f32x2", Exact, "9.3 sm_100", "9.7.11.5.3").ftz(Ftz::GlobalVector),
        row("fabric.try_red.async{.multimem}.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.relaxed.sys.add.f64", "[m0+m1]:f64, [a0+a1]:f64, [b0+b1]:f64", Exact, "9.3 sm_100", "9.7.11.5.3"),
        row("fabric.try_red.async{.multimem}.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.relaxed.sys.add.f16", "[m0+m1]:f16x4, [a0+a1]:f16x4, [b0+b1]:f16x4", Exact, "9.3 sm_100", "9.7.11.5.3"),
        row("fabric.try_red.async{.multimem}.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.relaxed.sys.add.bf16", "[m0+m1]:bf16x4, [a0+a1]:bf16x4, [b0+b1]:bf16x4", Exact, "9.3 sm_100", "9.7.11.5.3"),
        row("fabric.try_red.async{.multimem}.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.relaxed.sys.min|max.f16", "[m0+m1]:f16x4, [a0+a1]:f16x4, [b0+b1]:f16x4", Exact, "9.3 sm_100", "9.7.11.5.3"),
        row("fabric.try_red.async{.multimem}.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.relaxed.sys.min|max.bf16", "[m0+m1]:bf16x4, [a0+a1]:bf16x4, [b0+b1]:bf16x4", Exact, "9.3 sm_100", "9.7.11.5.3"),
        row("fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.relaxed.sys.sync.add.f32", "d0+d1:f32x2, (a0+a1, b0+b1):f32x2", Exact, "9.3 sm_100", "9.7.11.5.4").ftz(Ftz::GlobalVector),
        row("fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.relaxed.sys.sync.add.f16", "d0+d1:f16x4, (a0+a1, b0+b1):f16x4", Exact, "9.3 sm_100", "9.7.11.5.4"),
        row("fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.relaxed.sys.sync.add.bf16", "d0+d1:bf16x4, (a0+a1, b0+b1):bf16x4", Exact, "9.3 sm_100", "9.7.11.5.4"),
        row("fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.relaxed.sys.sync.min|max.f16", "d0+d1:f16x4, (a0+a1, b0+b1):f16x4", Exact, "9.3 sm_100", "9.7.11.5.4"),
        row("fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.relaxed.sys.sync.min|max.bf16", "d0+d1:bf16x4, (a0+a1, b0+b1):bf16x4", Exact, "9.3 sm_100", "9.7.11.5.4"),
        row("fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.relaxed.sys.sync.add.acc::f32.f16", "d0+d1:f16x4, (a0+a1, b0+b1):f16x4", Exact, "9.3 sm_100f,sm_110f,sm_120f", "9.7.11.5.4"),
        row("fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.relaxed.sys.sync.add.acc::f32.bf16", "d0+d1:bf16x4, (a0+a1, b0+b1):bf16x4", Exact, "9.3 sm_100f,sm_110f,sm_120f", "9.7.11.5.4"),
        row("fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.relaxed.sys.sync.add.acc::f16.e4m3", "d0+d1:e4m3x8, (a0+a1, b0+b1):e4m3x8", Exact, "9.3 sm_100f,sm_110f,sm_120f", "9.7.11.5.4"),
        row("fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.relaxed.sys.sync.add.acc::f16.e5m2", "d0+d1:e5m2x8, (a0+a1, b0+b1):e5m2x8", Exact, "9.3 sm_100f,sm_110f,sm_120f", "9.7.11.5.4"),
        row("fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.relaxed.sys.sync.min|max.e4m3", "d0+d1:e4m3x8, (a0+a1, b0+b1):e4m3x8", Exact, "9.3 sm_100f,sm_110f,sm_120f", "9.7.11.5.4"),
        row("fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.relaxed.sys.sync.min|max.e5m2", "d0+d1:e5m2x8, (a0+a1, b0+b1):e5m2x8", Exact, "9.3 sm_100f,sm_110f,sm_120f", "9.7.11.5.4"),
        row("fabric.try_red.async.tensor{.multimem}.1d.shared::cta.tile.mbarrier::complete_tx::16B.mbarrier::report::fabric.override::global_address.relaxed.sys.add(f32)", "[m0+m1]:f32x2, [a0+a1]:f32x2, [b0+b1]:f32x2", Exact, "9.4 sm_107f", "9.7.11.5.9").ftz(Ftz::GlobalVector),
        row("fabric.try_red.async.tensor{.multimem}.1d.shared::cta.tile.mbarrier::complete_tx::16B.mbarrier::report::fabric.override::global_address.relaxed.sys.add(f64)", "[m0+m1]:f64, [a0+a1]:f64, [b0+b1]:f64", Exact, "9.4 sm_107f", "9.7.11.5.9"),
        row("fabric.try_red.async.tensor{.multimem}.1d.shared::cta.tile.mbarrier::complete_tx::16B.mbarrier::report::fabric.override::global_address.relaxed.sys.add(f16)", "[m0+m1]:f16x4, [a0+a1]:f16x4, [b0+b1]:f16x4", Exact, "9.4 sm_107f", "9.7.11.5.9"),
        row("fabric.try_red.async.tensor{.multimem}.1d.shared::cta.tile.mbarrier::complete_tx::16B.mbarrier::report::fabric.override::global_address.relaxed.sys.add(bf16)", "[m0+m1]:bf16x4, [a0+a1]:bf16x4, [b0+b1]:bf16x4", Exact, "9.4 sm_107f", "9.7.11.5.9"),
        row("fabric.try_red.async.tensor{.multimem}.1d.shared::cta.tile.mbarrier::complete_tx::16B.mbarrier::report::fabric.override::global_address.relaxed.sys.min|max(f16)", "[m0+m1]:f16x4, [a0+a1]:f16x4, [b0+b1]:f16x4", Exact, "9.4 sm_107f", "9.7.11.5.9"),
        row("fabric.try_red.async.tensor{.multimem}.1d.shared::cta.tile.mbarrier::complete_tx::16B.mbarrier::report::fabric.override::global_address.relaxed.sys.min|max(bf16)", "[m0+m1]:bf16x4, [a0+a1]:bf16x4, [b0+b1]:bf16x4", Exact, "9.4 sm_107f", "9.7.11.5.9"),
        row("fabric.try_atom.async.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.relaxed.sys.add.f32", "[m]|d, [a], b", Exact, "9.4 sm_100", "9.7.11.5.10").ftz(Ftz::GlobalVector),
        row("fabric.try_atom.async.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.relaxed.sys.add.f64", "[m]|d, [a], b", Exact, "9.4 sm_100", "9.7.11.5.10"),
        row("fabric.try_atom.async.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.relaxed.sys.add.f16x2|bf16x2", "[m]|d, [a], b", Exact, "9.4 sm_100", "9.7.11.5.10"),
        row("fabric.try_atom.async.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.relaxed.sys.min|max.f16x2|bf16x2", "[m]|d, [a], b", Exact, "9.4 sm_100", "9.7.11.5.10"),
    ]
}
