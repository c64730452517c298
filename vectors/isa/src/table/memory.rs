//! PTX ISA 9.7.15.5 and 9.7.15.6, `atom` and `red`: arithmetic on a word in memory.
//!
//! The word in memory is an operand as it was, and a result as it is afterwards; `atom` also gives it as it was. The
//! operations are `add`, `min` and `max`, and the manual's words on them differ in memory: f32 is flushed by the state
//! space, not by `.ftz`. `min` and `max` "implement the exact same floating-point instructions as the non-atomic" ones.
//! A vector is an operation on each of its elements: "the atomicity is guaranteed separately for each of the individual
//! scalar elements".
//!
//! Without a state space the address is generic, and the memory that it points to decides: here it is global memory.
//!
//! `red` also has forms for what two threads leave in one word, where each executes `red` with an operand of its own.
//! The threads have to wait for each other, by `bar.warp.sync`, which came with PTX 6.0 for sm_30.
//!
//! `.relaxed` and its like, scopes, cache hints, `::cta` and `::cluster` change no result, so they are spellings and
//! not variants. `docs/what/memory.md` tells users so, and which forms are not here.

use crate::Contract::Exact;
use crate::instruction::{Form, Ftz};

/// Returns the rows of the sections. `.noftz` of f32 came with PTX 9.4.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<Form> {
    let row = Form::new;
    vec![
        row("atom{.global}.add.f32",                      "[m]|d, [a], b",                      Exact, "2.0 sm_20", "9.7.15.5").ftz(Ftz::GlobalMemory),
        row("atom{.global}.add.noftz.f32",                "[m]|d, [a], b",                      Exact, "9.4 sm_90", "9.7.15.5"),
        row("atom.shared.add.f32",                        "[m]|d, [a], b",                      Exact, "2.0 sm_20", "9.7.15.5"),
        row("atom.shared.add.noftz.f32",                  "[m]|d, [a], b",                      Exact, "9.4 sm_90", "9.7.15.5"),
        row("atom{.global|shared}.add.f64",               "[m]|d, [a], b",                      Exact, "5.0 sm_60", "9.7.15.5"),
        row("atom{.global|shared}.add.noftz.f16x2",       "[m]|d, [a], b",                      Exact, "6.2 sm_60", "9.7.15.5"),
        row("atom{.global|shared}.add.noftz.f16",         "[m]|d, [a], b",                      Exact, "6.3 sm_70", "9.7.15.5"),
        row("atom{.global|shared}.add.noftz.bf16|bf16x2", "[m]|d, [a], b",                      Exact, "7.8 sm_90", "9.7.15.5"),
        row("atom{.global}.add.v2.f32",                   "[m]|d:f32x2, [a]:f32x2, b:f32x2",    Exact, "8.1 sm_90", "9.7.15.5").ftz(Ftz::GlobalVector),
        row("atom{.global}.add.noftz.v2.f32",             "[m]|d:f32x2, [a]:f32x2, b:f32x2",    Exact, "9.4 sm_90", "9.7.15.5"),
        row("atom{.global}.add.noftz.v2.f16",             "[m]|d:f16x2, [a]:f16x2, b:f16x2",    Exact, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.min|max.noftz.v2.f16",         "[m]|d:f16x2, [a]:f16x2, b:f16x2",    Exact, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.add.noftz.v4.f16",             "[m]|d:f16x4, [a]:f16x4, b:f16x4",    Exact, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.min|max.noftz.v4.f16",         "[m]|d:f16x4, [a]:f16x4, b:f16x4",    Exact, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.add.noftz.v2.f16x2",           "[m]|d:f16x4, [a]:f16x4, b:f16x4",    Exact, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.min|max.noftz.v2.f16x2",       "[m]|d:f16x4, [a]:f16x4, b:f16x4",    Exact, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.add.noftz.v2.bf16",            "[m]|d:bf16x2, [a]:bf16x2, b:bf16x2", Exact, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.min|max.noftz.v2.bf16",        "[m]|d:bf16x2, [a]:bf16x2, b:bf16x2", Exact, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.add.noftz.v4.bf16",            "[m]|d:bf16x4, [a]:bf16x4, b:bf16x4", Exact, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.min|max.noftz.v4.bf16",        "[m]|d:bf16x4, [a]:bf16x4, b:bf16x4", Exact, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.add.noftz.v2.bf16x2",          "[m]|d:bf16x4, [a]:bf16x4, b:bf16x4", Exact, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.min|max.noftz.v2.bf16x2",      "[m]|d:bf16x4, [a]:bf16x4, b:bf16x4", Exact, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.add.v4.f32", "[m0+m1]|d0+d1:f32x2, [a0+a1]:f32x2, b0+b1:f32x2", Exact, "8.1 sm_90", "9.7.15.5").ftz(Ftz::GlobalVector),
        row("atom{.global}.add.noftz.v4.f32", "[m0+m1]|d0+d1:f32x2, [a0+a1]:f32x2, b0+b1:f32x2", Exact, "9.4 sm_90", "9.7.15.5"),
        row("atom{.global}.add.noftz.v8.f16", "[m0+m1]|d0+d1:f16x4, [a0+a1]:f16x4, b0+b1:f16x4", Exact, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.min|max.noftz.v8.f16", "[m0+m1]|d0+d1:f16x4, [a0+a1]:f16x4, b0+b1:f16x4", Exact, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.add.noftz.v4.f16x2", "[m0+m1]|d0+d1:f16x4, [a0+a1]:f16x4, b0+b1:f16x4", Exact, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.min|max.noftz.v4.f16x2", "[m0+m1]|d0+d1:f16x4, [a0+a1]:f16x4, b0+b1:f16x4", Exact, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.add.noftz.v8.bf16", "[m0+m1]|d0+d1:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4", Exact, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.min|max.noftz.v8.bf16", "[m0+m1]|d0+d1:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4", Exact, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.add.noftz.v4.bf16x2", "[m0+m1]|d0+d1:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4", Exact, "8.1 sm_90", "9.7.15.5"),
        row("atom{.global}.min|max.noftz.v4.bf16x2", "[m0+m1]|d0+d1:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4", Exact, "8.1 sm_90", "9.7.15.5"),
        row("red{.global}.add.f32",                       "[m], [a], b",                        Exact, "2.0 sm_20", "9.7.15.6").ftz(Ftz::GlobalMemory),
        row("red{.global}.add.noftz.f32",                 "[m], [a], b",                        Exact, "9.4 sm_90", "9.7.15.6"),
        row("red.shared.add.f32",                         "[m], [a], b",                        Exact, "2.0 sm_20", "9.7.15.6"),
        row("red.shared.add.noftz.f32",                   "[m], [a], b",                        Exact, "9.4 sm_90", "9.7.15.6"),
        row("red{.global|shared}.add.f64",                "[m], [a], b",                        Exact, "5.0 sm_60", "9.7.15.6"),
        row("red{.global|shared}.add.noftz.f16x2",        "[m], [a], b",                        Exact, "6.2 sm_60", "9.7.15.6"),
        row("red{.global|shared}.add.noftz.f16",          "[m], [a], b",                        Exact, "6.3 sm_70", "9.7.15.6"),
        row("red{.global|shared}.add.noftz.bf16|bf16x2",  "[m], [a], b",                        Exact, "7.8 sm_90", "9.7.15.6"),
        row("red{.global}.add.v2.f32",                    "[m]:f32x2, [a]:f32x2, b:f32x2",      Exact, "8.1 sm_90", "9.7.15.6").ftz(Ftz::GlobalVector),
        row("red{.global}.add.noftz.v2.f32",              "[m]:f32x2, [a]:f32x2, b:f32x2",      Exact, "9.4 sm_90", "9.7.15.6"),
        row("red{.global}.add.noftz.v2.f16",              "[m]:f16x2, [a]:f16x2, b:f16x2",      Exact, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.min|max.noftz.v2.f16",          "[m]:f16x2, [a]:f16x2, b:f16x2",      Exact, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.add.noftz.v4.f16",              "[m]:f16x4, [a]:f16x4, b:f16x4",      Exact, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.min|max.noftz.v4.f16",          "[m]:f16x4, [a]:f16x4, b:f16x4",      Exact, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.add.noftz.v2.f16x2",            "[m]:f16x4, [a]:f16x4, b:f16x4",      Exact, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.min|max.noftz.v2.f16x2",        "[m]:f16x4, [a]:f16x4, b:f16x4",      Exact, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.add.noftz.v2.bf16",             "[m]:bf16x2, [a]:bf16x2, b:bf16x2",   Exact, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.min|max.noftz.v2.bf16",         "[m]:bf16x2, [a]:bf16x2, b:bf16x2",   Exact, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.add.noftz.v4.bf16",             "[m]:bf16x4, [a]:bf16x4, b:bf16x4",   Exact, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.min|max.noftz.v4.bf16",         "[m]:bf16x4, [a]:bf16x4, b:bf16x4",   Exact, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.add.noftz.v2.bf16x2",           "[m]:bf16x4, [a]:bf16x4, b:bf16x4",   Exact, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.min|max.noftz.v2.bf16x2",       "[m]:bf16x4, [a]:bf16x4, b:bf16x4",   Exact, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.add.v4.f32", "[m0+m1]:f32x2, [a0+a1]:f32x2, b0+b1:f32x2", Exact, "8.1 sm_90", "9.7.15.6").ftz(Ftz::GlobalVector),
        row("red{.global}.add.noftz.v4.f32", "[m0+m1]:f32x2, [a0+a1]:f32x2, b0+b1:f32x2", Exact, "9.4 sm_90", "9.7.15.6"),
        row("red{.global}.add.noftz.v8.f16", "[m0+m1]:f16x4, [a0+a1]:f16x4, b0+b1:f16x4", Exact, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.min|max.noftz.v8.f16", "[m0+m1]:f16x4, [a0+a1]:f16x4, b0+b1:f16x4", Exact, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.add.noftz.v4.f16x2", "[m0+m1]:f16x4, [a0+a1]:f16x4, b0+b1:f16x4", Exact, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.min|max.noftz.v4.f16x2", "[m0+m1]:f16x4, [a0+a1]:f16x4, b0+b1:f16x4", Exact, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.add.noftz.v8.bf16", "[m0+m1]:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4", Exact, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.min|max.noftz.v8.bf16", "[m0+m1]:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4", Exact, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.add.noftz.v4.bf16x2", "[m0+m1]:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4", Exact, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.min|max.noftz.v4.bf16x2", "[m0+m1]:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4", Exact, "8.1 sm_90", "9.7.15.6"),
        row("red{.global}.add.f32(b,c)",                      "[m], [a], <b, c>",               Exact, "6.0 sm_30", "9.7.15.6").ftz(Ftz::GlobalMemory),
        row("red{.global}.add.noftz.f32(b,c)",                "[m], [a], <b, c>",               Exact, "9.4 sm_90", "9.7.15.6"),
        row("red.shared.add.f32(b,c)",                        "[m], [a], <b, c>",               Exact, "6.0 sm_30", "9.7.15.6"),
        row("red.shared.add.noftz.f32(b,c)",                  "[m], [a], <b, c>",               Exact, "9.4 sm_90", "9.7.15.6"),
        row("red{.global|shared}.add.f64(b,c)",               "[m], [a], <b, c>",               Exact, "6.0 sm_60", "9.7.15.6"),
        row("red{.global|shared}.add.noftz.f16x2(b,c)",       "[m], [a], <b, c>",               Exact, "6.2 sm_60", "9.7.15.6"),
        row("red{.global|shared}.add.noftz.f16(b,c)",         "[m], [a], <b, c>",               Exact, "6.3 sm_70", "9.7.15.6"),
        row("red{.global|shared}.add.noftz.bf16|bf16x2(b,c)", "[m], [a], <b, c>",               Exact, "7.8 sm_90", "9.7.15.6"),
    ]
}
