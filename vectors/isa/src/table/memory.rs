//! PTX ISA 9.7.15.5 and 9.7.15.6, `atom` and `red`: arithmetic on a word in memory.
//!
//! The word is an operand as it was, and a result as it is afterwards; `atom` also gives it as it was. What
//! is computed is `add`, `min` or `max`, and what the manual says of that in memory differs: f32 is flushed
//! by the state space, not by `.ftz`. `min` and `max` "implement the exact same floating-point instructions as the
//! non-atomic" ones. A vector is an operation on each of its elements: "the atomicity is
//! guaranteed separately for each of the individual scalar elements".
//!
//! Without a state space the address is generic, and what it points to decides: here it is global memory.
//!
//! Of `red` there is also what two threads leave in one word, each of which executes it with an operand of its own.
//! They have to wait for each other, by `bar.warp.sync`, which came with PTX 6.0 for sm_30.
//!
//! `.relaxed` and its like, scopes, cache hints, `::cta` and `::cluster` change no result, so they are
//! spellings and not variants: `harness/memory.md` says so to users, and which forms are not here.

use crate::Contract::{self, Exact};
use crate::Relaxation::{
    AccumulatorRounding, AnyNan, DeviceOrder, InfinityResult, IntermediateFlush, MemoryNan, MemoryZero,
    NanPayload, OverflowBoundary, OverflowResult, ThreadOrder, VectorFlush,
};
use crate::instruction::{Form, Ftz};

/// A sum, of which it is open which NaN it is.
pub(super) const NAN: Contract = Exact(&[AnyNan]);
/// The same of f64, whose NaN have payloads.
pub(super) const PAYLOAD: Contract = Exact(&[NanPayload]);
/// The same of f32, where no sentence says whether it is flushed.
pub(super) const FLUSH: Contract = Exact(&[AnyNan, VectorFlush]);
/// The same of 8 bits, where none says what is too large.
pub(super) const OVERFLOW: Contract = Exact(&[AnyNan, OverflowBoundary, OverflowResult, InfinityResult]);
/// The smaller or larger, where none says that it is that of `min` and `max`.
pub(super) const EXTREMUM: Contract = Exact(&[AnyNan, MemoryNan, MemoryZero]);
/// The same sums of three devices' words, of which it is open in which order they are added.
pub(super) const NAN_OF_THREE: Contract = Exact(&[AnyNan, DeviceOrder, AccumulatorRounding]);
pub(super) const PAYLOAD_OF_THREE: Contract = Exact(&[NanPayload, DeviceOrder]);
pub(super) const FLUSH_OF_THREE: Contract =
    Exact(&[AnyNan, VectorFlush, DeviceOrder, IntermediateFlush]);
pub(super) const OVERFLOW_OF_THREE: Contract =
    Exact(&[AnyNan, OverflowBoundary, OverflowResult, InfinityResult, DeviceOrder, AccumulatorRounding]);
const NAN_IN_TURN: Contract = Exact(&[AnyNan, ThreadOrder]);
const PAYLOAD_IN_TURN: Contract = Exact(&[NanPayload, ThreadOrder]);

/// The rows of the sections. `.noftz` of f32 came with PTX 9.4.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<Form> {
    let row = Form::new;
    vec![
        row("atom{.global}.add.f32",                      "[m]|d, [a], b",                      NAN,        "2.0 sm_20", "9.7.15.5").ftz(Ftz::GlobalMemory),
        row("atom{.global}.add.noftz.f32",                "[m]|d, [a], b",                      NAN,        "9.4 sm_90", "9.7.15.5"),
        row("atom.shared.add.f32",                        "[m]|d, [a], b",                      NAN,        "2.0 sm_20", "9.7.15.5"),
        row("atom.shared.add.noftz.f32",                  "[m]|d, [a], b",                      NAN,        "9.4 sm_90", "9.7.15.5"),
        row("atom{.global|shared}.add.f64",               "[m]|d, [a], b",                      PAYLOAD,    "5.0 sm_60", "9.7.15.5"),
        row("atom{.global|shared}.add.noftz.f16x2",       "[m]|d, [a], b",                      NAN,        "6.2 sm_60", "9.7.15.5"),
        row("atom{.global|shared}.add.noftz.f16",         "[m]|d, [a], b",                      NAN,        "6.3 sm_70", "9.7.15.5"),
        row("atom{.global|shared}.add.noftz.bf16|bf16x2", "[m]|d, [a], b",                      NAN,        "7.8 sm_90", "9.7.15.5"),
        row("atom{.global}.add.v2.f32",                   "[m]|d:f32x2, [a]:f32x2, b:f32x2",    FLUSH,      "8.1 sm_90", "9.7.15.5").ftz(Ftz::GlobalVector),
        row("atom{.global}.add.noftz.v2.f32",             "[m]|d:f32x2, [a]:f32x2, b:f32x2",    NAN,        "9.4 sm_90", "9.7.15.5"),
        row("atom{.global}.add.noftz.v2.f16",             "[m]|d:f16x2, [a]:f16x2, b:f16x2",    NAN,        "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.min|max.noftz.v2.f16",         "[m]|d:f16x2, [a]:f16x2, b:f16x2",    NAN,        "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.add.noftz.v4.f16",             "[m]|d:f16x4, [a]:f16x4, b:f16x4",    NAN,        "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.min|max.noftz.v4.f16",         "[m]|d:f16x4, [a]:f16x4, b:f16x4",    NAN,        "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.add.noftz.v2.f16x2",           "[m]|d:f16x4, [a]:f16x4, b:f16x4",    NAN,        "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.min|max.noftz.v2.f16x2",       "[m]|d:f16x4, [a]:f16x4, b:f16x4",    NAN,        "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.add.noftz.v2.bf16",            "[m]|d:bf16x2, [a]:bf16x2, b:bf16x2", NAN,        "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.min|max.noftz.v2.bf16",        "[m]|d:bf16x2, [a]:bf16x2, b:bf16x2", NAN,        "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.add.noftz.v4.bf16",            "[m]|d:bf16x4, [a]:bf16x4, b:bf16x4", NAN,        "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.min|max.noftz.v4.bf16",        "[m]|d:bf16x4, [a]:bf16x4, b:bf16x4", NAN,        "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.add.noftz.v2.bf16x2",          "[m]|d:bf16x4, [a]:bf16x4, b:bf16x4", NAN,        "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.min|max.noftz.v2.bf16x2",      "[m]|d:bf16x4, [a]:bf16x4, b:bf16x4", NAN,        "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.add.v4.f32", "[m0+m1]|d0+d1:f32x2, [a0+a1]:f32x2, b0+b1:f32x2", FLUSH,      "8.1 sm_90", "9.7.15.5").ftz(Ftz::GlobalVector),
        row("atom{.global}.add.noftz.v4.f32", "[m0+m1]|d0+d1:f32x2, [a0+a1]:f32x2, b0+b1:f32x2", NAN, "9.4 sm_90", "9.7.15.5"),
        row("atom{.global}.add.noftz.v8.f16", "[m0+m1]|d0+d1:f16x4, [a0+a1]:f16x4, b0+b1:f16x4", NAN, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.min|max.noftz.v8.f16", "[m0+m1]|d0+d1:f16x4, [a0+a1]:f16x4, b0+b1:f16x4", NAN,      "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.add.noftz.v4.f16x2", "[m0+m1]|d0+d1:f16x4, [a0+a1]:f16x4, b0+b1:f16x4", NAN, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.min|max.noftz.v4.f16x2", "[m0+m1]|d0+d1:f16x4, [a0+a1]:f16x4, b0+b1:f16x4", NAN,      "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.add.noftz.v8.bf16", "[m0+m1]|d0+d1:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4", NAN, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.min|max.noftz.v8.bf16", "[m0+m1]|d0+d1:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4", NAN,      "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.add.noftz.v4.bf16x2", "[m0+m1]|d0+d1:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4", NAN, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.min|max.noftz.v4.bf16x2", "[m0+m1]|d0+d1:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4", NAN,      "8.1 sm_90", "9.7.15.5"),
        row("red{.global}.add.f32",                       "[m], [a], b",                        NAN,        "2.0 sm_20", "9.7.15.6").ftz(Ftz::GlobalMemory),
        row("red{.global}.add.noftz.f32",                 "[m], [a], b",                        NAN,        "9.4 sm_90", "9.7.15.6"),
        row("red.shared.add.f32",                         "[m], [a], b",                        NAN,        "2.0 sm_20", "9.7.15.6"),
        row("red.shared.add.noftz.f32",                   "[m], [a], b",                        NAN,        "9.4 sm_90", "9.7.15.6"),
        row("red{.global|shared}.add.f64",                "[m], [a], b",                        PAYLOAD,    "5.0 sm_60", "9.7.15.6"),
        row("red{.global|shared}.add.noftz.f16x2",        "[m], [a], b",                        NAN,        "6.2 sm_60", "9.7.15.6"),
        row("red{.global|shared}.add.noftz.f16",          "[m], [a], b",                        NAN,        "6.3 sm_70", "9.7.15.6"),
        row("red{.global|shared}.add.noftz.bf16|bf16x2",  "[m], [a], b",                        NAN,        "7.8 sm_90", "9.7.15.6"),
        row("red{.global}.add.v2.f32",                    "[m]:f32x2, [a]:f32x2, b:f32x2",      FLUSH,      "8.1 sm_90", "9.7.15.6").ftz(Ftz::GlobalVector),
        row("red{.global}.add.noftz.v2.f32",              "[m]:f32x2, [a]:f32x2, b:f32x2",      NAN,        "9.4 sm_90", "9.7.15.6"),
        row("red{.global}.add.noftz.v2.f16",              "[m]:f16x2, [a]:f16x2, b:f16x2",      NAN,        "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.min|max.noftz.v2.f16",          "[m]:f16x2, [a]:f16x2, b:f16x2",      NAN,        "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.add.noftz.v4.f16",              "[m]:f16x4, [a]:f16x4, b:f16x4",      NAN,        "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.min|max.noftz.v4.f16",          "[m]:f16x4, [a]:f16x4, b:f16x4",      NAN,        "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.add.noftz.v2.f16x2",            "[m]:f16x4, [a]:f16x4, b:f16x4",      NAN,        "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.min|max.noftz.v2.f16x2",        "[m]:f16x4, [a]:f16x4, b:f16x4",      NAN,        "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.add.noftz.v2.bf16",             "[m]:bf16x2, [a]:bf16x2, b:bf16x2",   NAN,        "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.min|max.noftz.v2.bf16",         "[m]:bf16x2, [a]:bf16x2, b:bf16x2",   NAN,        "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.add.noftz.v4.bf16",             "[m]:bf16x4, [a]:bf16x4, b:bf16x4",   NAN,        "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.min|max.noftz.v4.bf16",         "[m]:bf16x4, [a]:bf16x4, b:bf16x4",   NAN,        "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.add.noftz.v2.bf16x2",           "[m]:bf16x4, [a]:bf16x4, b:bf16x4",   NAN,        "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.min|max.noftz.v2.bf16x2",       "[m]:bf16x4, [a]:bf16x4, b:bf16x4",   NAN,        "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.add.v4.f32", "[m0+m1]:f32x2, [a0+a1]:f32x2, b0+b1:f32x2", FLUSH,      "8.1 sm_90", "9.7.15.6").ftz(Ftz::GlobalVector),
        row("red{.global}.add.noftz.v4.f32", "[m0+m1]:f32x2, [a0+a1]:f32x2, b0+b1:f32x2", NAN, "9.4 sm_90", "9.7.15.6"),
        row("red{.global}.add.noftz.v8.f16", "[m0+m1]:f16x4, [a0+a1]:f16x4, b0+b1:f16x4", NAN, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.min|max.noftz.v8.f16", "[m0+m1]:f16x4, [a0+a1]:f16x4, b0+b1:f16x4", NAN,      "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.add.noftz.v4.f16x2", "[m0+m1]:f16x4, [a0+a1]:f16x4, b0+b1:f16x4", NAN, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.min|max.noftz.v4.f16x2", "[m0+m1]:f16x4, [a0+a1]:f16x4, b0+b1:f16x4", NAN,      "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.add.noftz.v8.bf16", "[m0+m1]:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4", NAN, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.min|max.noftz.v8.bf16", "[m0+m1]:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4", NAN,      "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.add.noftz.v4.bf16x2", "[m0+m1]:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4", NAN, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.min|max.noftz.v4.bf16x2", "[m0+m1]:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4", NAN,      "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.add.f32(b,c)",                      "[m], [a], <b, c>",               NAN_IN_TURN,     "6.0 sm_30", "9.7.15.6").ftz(Ftz::GlobalMemory),
        row("red{.global}.add.noftz.f32(b,c)",                "[m], [a], <b, c>",               NAN_IN_TURN,     "9.4 sm_90", "9.7.15.6"),
        row("red.shared.add.f32(b,c)",                        "[m], [a], <b, c>",               NAN_IN_TURN,     "6.0 sm_30", "9.7.15.6"),
        row("red.shared.add.noftz.f32(b,c)",                  "[m], [a], <b, c>",               NAN_IN_TURN,     "9.4 sm_90", "9.7.15.6"),
        row("red{.global|shared}.add.f64(b,c)",               "[m], [a], <b, c>",               PAYLOAD_IN_TURN, "6.0 sm_60", "9.7.15.6"),
        row("red{.global|shared}.add.noftz.f16x2(b,c)",       "[m], [a], <b, c>",               NAN_IN_TURN,     "6.2 sm_60", "9.7.15.6"),
        row("red{.global|shared}.add.noftz.f16(b,c)",         "[m], [a], <b, c>",               NAN_IN_TURN,     "6.3 sm_70", "9.7.15.6"),
        row("red{.global|shared}.add.noftz.bf16|bf16x2(b,c)", "[m], [a], <b, c>",               NAN_IN_TURN,     "7.8 sm_90", "9.7.15.6"),
    ]
}
