//! PTX ISA 9.7.10.15, `multimem.ld_reduce` and `multimem.red`, and 9.7.10.28.4.5, `multimem.cp.reduce.async.bulk`:
//! arithmetic on the words that one address stands for in the memory of several devices.
//!
//! `multimem.red` and `multimem.cp.reduce.async.bulk` do to each of these words what `red` and `cp.reduce.async.bulk`
//! do to one, so a vector has one of the words. `multimem.ld_reduce` gives the sum, the smallest or the largest of the
//! words. A vector of it has the words of two devices: their sum is the same in either order. It is also the sum
//! rounded once, whatever `.acc::f32` says: two numbers of f16 or bf16 added in f32 and rounded again give just that.
//! So do two of e4m3 or e5m2 added in f16, as `.acc::f16` asks, but for sums that are too large, of which the section
//! says nothing. The sum of three devices depends on the order and on `.acc`: the table has it for the forms without
//! `.v2` and its like.
//!
//! Bulk reductions "preserve input and result subnormals". For the others the sections say nothing of flushing, and for
//! all they say nothing of which NaN a result is, and of zeros and NaN among the smallest and largest.

use crate::Contract::Exact;
use crate::instruction::{Form, Ftz};

/// The versions and targets that have 8-bit formats.
const EIGHT: &str = "8.6 sm_100a,sm_101a,sm_120a,sm_121a; 8.8 sm_100f,sm_110f";

const WORD: &str = "[m], [a], b";
const WORDS: &str = "d, (a, b)";
const THREE: &str = "d, (a, b, c)";
const BLOCK: &str = "[m0+m1], [a0+a1], [b0+b1]";

/// Returns the rows of the sections.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<Form> {
    let row = Form::new;
    vec![
        row("multimem.ld_reduce{.global}.add.f32",                     WORDS,                               Exact, "8.1 sm_90", "9.7.10.15").ftz(Ftz::GlobalVector),
        row("multimem.ld_reduce{.global}.add.f64",                     WORDS,                               Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.f16x2|bf16x2",            WORDS,                               Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.acc::f32.f16x2|bf16x2",   WORDS,                               Exact, "8.2 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.f16x2|bf16x2",        WORDS,                               Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.v2.f32",                  "d:f32x2, (a, b):f32x2",             Exact, "8.1 sm_90", "9.7.10.15").ftz(Ftz::GlobalVector),
        row("multimem.ld_reduce{.global}.add.v2.f16",                  "d:f16x2, (a, b):f16x2",             Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.acc::f32.v2.f16",         "d:f16x2, (a, b):f16x2",             Exact, "8.2 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v2.f16",              "d:f16x2, (a, b):f16x2",             Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.v2.bf16",                 "d:bf16x2, (a, b):bf16x2",           Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.acc::f32.v2.bf16",        "d:bf16x2, (a, b):bf16x2",           Exact, "8.2 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v2.bf16",             "d:bf16x2, (a, b):bf16x2",           Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.v4.f16",                  "d:f16x4, (a, b):f16x4",             Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.acc::f32.v4.f16",         "d:f16x4, (a, b):f16x4",             Exact, "8.2 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v4.f16",              "d:f16x4, (a, b):f16x4",             Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.v4.bf16",                 "d:bf16x4, (a, b):bf16x4",           Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.acc::f32.v4.bf16",        "d:bf16x4, (a, b):bf16x4",           Exact, "8.2 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v4.bf16",             "d:bf16x4, (a, b):bf16x4",           Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.v2.f16x2",                "d:f16x4, (a, b):f16x4",             Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.acc::f32.v2.f16x2",       "d:f16x4, (a, b):f16x4",             Exact, "8.2 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v2.f16x2",            "d:f16x4, (a, b):f16x4",             Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.v2.bf16x2",               "d:bf16x4, (a, b):bf16x4",           Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.acc::f32.v2.bf16x2",      "d:bf16x4, (a, b):bf16x4",           Exact, "8.2 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v2.bf16x2",           "d:bf16x4, (a, b):bf16x4",           Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.v4.f32",                  "d0+d1:f32x2, (a0+a1, b0+b1):f32x2",   Exact, "8.1 sm_90", "9.7.10.15").ftz(Ftz::GlobalVector),
        row("multimem.ld_reduce{.global}.add.v8.f16",                  "d0+d1:f16x4, (a0+a1, b0+b1):f16x4",   Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.acc::f32.v8.f16",         "d0+d1:f16x4, (a0+a1, b0+b1):f16x4",   Exact, "8.2 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v8.f16",              "d0+d1:f16x4, (a0+a1, b0+b1):f16x4",   Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.v8.bf16",                 "d0+d1:bf16x4, (a0+a1, b0+b1):bf16x4", Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.acc::f32.v8.bf16",        "d0+d1:bf16x4, (a0+a1, b0+b1):bf16x4", Exact, "8.2 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v8.bf16",             "d0+d1:bf16x4, (a0+a1, b0+b1):bf16x4", Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.v4.f16x2",                "d0+d1:f16x4, (a0+a1, b0+b1):f16x4",   Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.acc::f32.v4.f16x2",       "d0+d1:f16x4, (a0+a1, b0+b1):f16x4",   Exact, "8.2 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v4.f16x2",            "d0+d1:f16x4, (a0+a1, b0+b1):f16x4",   Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.v4.bf16x2",               "d0+d1:bf16x4, (a0+a1, b0+b1):bf16x4", Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.acc::f32.v4.bf16x2",      "d0+d1:bf16x4, (a0+a1, b0+b1):bf16x4", Exact, "8.2 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v4.bf16x2",           "d0+d1:bf16x4, (a0+a1, b0+b1):bf16x4", Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add{.acc::f16}.v4.e5m2", "d:e5m2x4, (a, b):e5m2x4", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v4.e5m2", "d:e5m2x4, (a, b):e5m2x4", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add{.acc::f16}.v2.e5m2x2", "d:e5m2x4, (a, b):e5m2x4", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v2.e5m2x2", "d:e5m2x4, (a, b):e5m2x4", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add{.acc::f16}.e5m2x4", WORDS, Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.e5m2x4", WORDS, Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add{.acc::f16}.v8.e5m2", "d:e5m2x8, (a, b):e5m2x8", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v8.e5m2", "d:e5m2x8, (a, b):e5m2x8", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add{.acc::f16}.v4.e5m2x2", "d:e5m2x8, (a, b):e5m2x8", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v4.e5m2x2", "d:e5m2x8, (a, b):e5m2x8", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add{.acc::f16}.v2.e5m2x4", "d:e5m2x8, (a, b):e5m2x8", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v2.e5m2x4", "d:e5m2x8, (a, b):e5m2x8", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add{.acc::f16}.v8.e5m2x2", "d0+d1:e5m2x8, (a0+a1, b0+b1):e5m2x8", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v8.e5m2x2", "d0+d1:e5m2x8, (a0+a1, b0+b1):e5m2x8", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add{.acc::f16}.v4.e5m2x4", "d0+d1:e5m2x8, (a0+a1, b0+b1):e5m2x8", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v4.e5m2x4", "d0+d1:e5m2x8, (a0+a1, b0+b1):e5m2x8", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add{.acc::f16}.v4.e4m3", "d:e4m3x4, (a, b):e4m3x4", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v4.e4m3", "d:e4m3x4, (a, b):e4m3x4", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add{.acc::f16}.v2.e4m3x2", "d:e4m3x4, (a, b):e4m3x4", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v2.e4m3x2", "d:e4m3x4, (a, b):e4m3x4", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add{.acc::f16}.e4m3x4", WORDS, Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.e4m3x4", WORDS, Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add{.acc::f16}.v8.e4m3", "d:e4m3x8, (a, b):e4m3x8", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v8.e4m3", "d:e4m3x8, (a, b):e4m3x8", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add{.acc::f16}.v4.e4m3x2", "d:e4m3x8, (a, b):e4m3x8", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v4.e4m3x2", "d:e4m3x8, (a, b):e4m3x8", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add{.acc::f16}.v2.e4m3x4", "d:e4m3x8, (a, b):e4m3x8", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v2.e4m3x4", "d:e4m3x8, (a, b):e4m3x8", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add{.acc::f16}.v8.e4m3x2", "d0+d1:e4m3x8, (a0+a1, b0+b1):e4m3x8", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v8.e4m3x2", "d0+d1:e4m3x8, (a0+a1, b0+b1):e4m3x8", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add{.acc::f16}.v4.e4m3x4", "d0+d1:e4m3x8, (a0+a1, b0+b1):e4m3x8", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.min|max.v4.e4m3x4", "d0+d1:e4m3x8, (a0+a1, b0+b1):e4m3x8", Exact, EIGHT, "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.f32(a,b,c)",                   THREE, Exact, "8.1 sm_90", "9.7.10.15").ftz(Ftz::GlobalVector),
        row("multimem.ld_reduce{.global}.add.f64(a,b,c)",                   THREE, Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.f16x2|bf16x2(a,b,c)",          THREE, Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add.acc::f32.f16x2|bf16x2(a,b,c)", THREE, Exact, "8.2 sm_90", "9.7.10.15"),
        row("multimem.ld_reduce{.global}.add{.acc::f16}.e4m3x4|e5m2x4(a,b,c)",     THREE, Exact, EIGHT,       "9.7.10.15"),
        row("multimem.red{.global}.add.f32",                           WORD,                                Exact, "8.1 sm_90", "9.7.10.15").ftz(Ftz::GlobalVector),
        row("multimem.red{.global}.add.f64",                           WORD,                                Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.red{.global}.add.f16x2|bf16x2",                  WORD,                                Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.red{.global}.add.v2.f32",                        "[m]:f32x2, [a]:f32x2, b:f32x2",     Exact, "8.1 sm_90", "9.7.10.15").ftz(Ftz::GlobalVector),
        row("multimem.red{.global}.add.v2.f16",                        "[m]:f16x2, [a]:f16x2, b:f16x2",     Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.red{.global}.add.v2.bf16",                       "[m]:bf16x2, [a]:bf16x2, b:bf16x2",  Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.red{.global}.add.v4.f16",                        "[m]:f16x4, [a]:f16x4, b:f16x4",     Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.red{.global}.add.v4.bf16",                       "[m]:bf16x4, [a]:bf16x4, b:bf16x4",  Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.red{.global}.add.v2.f16x2",                      "[m]:f16x4, [a]:f16x4, b:f16x4",     Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.red{.global}.add.v2.bf16x2",                     "[m]:bf16x4, [a]:bf16x4, b:bf16x4",  Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.red{.global}.add.v4.f32",    "[m0+m1]:f32x2, [a0+a1]:f32x2, b0+b1:f32x2",             Exact, "8.1 sm_90", "9.7.10.15").ftz(Ftz::GlobalVector),
        row("multimem.red{.global}.add.v8.f16",    "[m0+m1]:f16x4, [a0+a1]:f16x4, b0+b1:f16x4",             Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.red{.global}.add.v8.bf16",   "[m0+m1]:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4",          Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.red{.global}.add.v4.f16x2",  "[m0+m1]:f16x4, [a0+a1]:f16x4, b0+b1:f16x4",             Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.red{.global}.add.v4.bf16x2", "[m0+m1]:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4",          Exact, "8.1 sm_90", "9.7.10.15"),
        row("multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32",        "[m0+m1]:f32x2, [a0+a1]:f32x2, [b0+b1]:f32x2",    Exact, "9.1 sm_90", "9.7.10.28.4.5"),
        row("multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f32",  "[m0+m1]:f32x2, [a0+a1]:f32x2, [b0+b1]:f32x2",    Exact, "9.4 sm_90", "9.7.10.28.4.5"),
        row("multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64",        BLOCK,                                            Exact, "9.1 sm_90", "9.7.10.28.4.5"),
        row("multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16",  "[m0+m1]:f16x4, [a0+a1]:f16x4, [b0+b1]:f16x4",    Exact, "9.1 sm_90", "9.7.10.28.4.5"),
        row("multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16", "[m0+m1]:bf16x4, [a0+a1]:bf16x4, [b0+b1]:bf16x4", Exact, "9.1 sm_90", "9.7.10.28.4.5"),
        row("multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.min|max.f16",    "[m0+m1]:f16x4, [a0+a1]:f16x4, [b0+b1]:f16x4",    Exact, "9.1 sm_90", "9.7.10.28.4.5"),
        row("multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.min|max.bf16",   "[m0+m1]:bf16x4, [a0+a1]:bf16x4, [b0+b1]:bf16x4", Exact, "9.1 sm_90", "9.7.10.28.4.5"),
    ]
}
