//! Lists the rows of conversions.

use super::{ConditionalPromise, Hole, PromiseLine};

const DIRECTIONS: Hole = (&["r", "ptx"], &[&["rn", "rn"], &["rz", "rz"], &["rd", "rm"], &["ru", "rp"]]);
const INTEGERS: Hole =
    (&["c", "int"], &[&["int", "s32"], &["uint", "u32"], &["ll", "s64"], &["ull", "u64"]]);
const NAMED: &str = "CUDA Math API, type casting intrinsics: rounded in the mode that the name says";
const LANGREF: &str = "LLVM Language Reference: rounded to nearest, ties to even";
const FLUSHED: &str = "LLVM Language Reference: rounded to nearest, ties to even; denormal-fp-math: an operand may be zero where it is \
                       subnormal";

#[rustfmt::skip] // a table
pub const LINES: &[PromiseLine] = &[
    PromiseLine { name: "cast/__double2float_{r}", cuda: "__double2float_{r}(a)", ir: "", types: "f64 -> f32", over: &[DIRECTIONS],
        cases: &[ConditionalPromise { when: "", means: "cvt.{ptx}{.z}.f32.f64", source: NAMED }] },
    PromiseLine { name: "cast/__float2{c}_{r}", cuda: "__float2{c}_{r}(a)", ir: "", types: "f32 -> {int}", over: &[INTEGERS, DIRECTIONS],
        cases: &[ConditionalPromise { when: "", means: "cvt.{ptx}i{.z}.{int}.f32", source: NAMED }] },
    PromiseLine { name: "cast/__double2{c}_{r}", cuda: "__double2{c}_{r}(a)", ir: "", types: "f64 -> {int}", over: &[INTEGERS, DIRECTIONS],
        cases: &[ConditionalPromise { when: "", means: "cvt.{ptx}i.{int}.f64", source: NAMED }] },
    PromiseLine { name: "cast/__{c}2float_{r}", cuda: "__{c}2float_{r}(a)", ir: "", types: "{int} -> f32", over: &[INTEGERS, DIRECTIONS],
        cases: &[ConditionalPromise { when: "", means: "cvt.{ptx}.f32.{int}", source: NAMED }] },
    PromiseLine { name: "cast/__{c}2double_{r}", cuda: "__{c}2double_{r}(a)", ir: "", types: "{int} -> f64", over: &[(&["c", "int"], &[&["ll", "s64"], &["ull", "u64"]]), DIRECTIONS],
        cases: &[ConditionalPromise { when: "", means: "cvt.{ptx}.f64.{int}", source: NAMED }] },
    PromiseLine { name: "cast/{from}.{to}", cuda: "", ir: "fptrunc {irfrom} %a to {irto}", types: "{from} -> {to}",
        over: &[(&["from", "irfrom", "to", "irto"], &[&["f32", "float", "f16", "half"], &["f64", "double", "f16", "half"], &["f64", "double", "bf16", "bfloat"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn.{to}.{from}", source: LANGREF }] },
    // A product with 1 is a number itself, flushed.
    PromiseLine { name: "cast/f32.bf16", cuda: "", ir: "fptrunc float %a to bfloat", types: "f32 -> bf16", over: &[],
        cases: &[
            ConditionalPromise { when: "ftz", means: "cvt.rn.bf16.f32 or cvt.rn.bf16.f32(mul.rn.ftz.f32(a, 1.0))", source: FLUSHED },
            ConditionalPromise { when: "", means: "cvt.rn.bf16.f32", source: LANGREF },
        ] },
    PromiseLine { name: "cast/f64.f32", cuda: "(float)a", ir: "fptrunc double %a to float", types: "f64 -> f32", over: &[],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn{?z}.f32.f64", source: LANGREF }] },
    PromiseLine { name: "cast/{from}.{to}", cuda: "", ir: "fpext {irfrom} %a to {irto}", types: "{from} -> {to}",
        over: &[(&["from", "irfrom", "to", "irto"], &[&["f16", "half", "f64", "double"], &["bf16", "bfloat", "f64", "double"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.{to}.{from}", source: "LLVM Language Reference: every number has its value" }] },
    PromiseLine { name: "cast/{from}.f32", cuda: "", ir: "fpext {ir} %a to float", types: "{from} -> f32",
        over: &[(&["from", "ir"], &[&["f16", "half"], &["bf16", "bfloat"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt{?z}.f32.{from}", source: "LLVM Language Reference: every number has its value, where a result is not flushed" }] },
    PromiseLine { name: "cast/{int}.{to}", cuda: "", ir: "{op} {irint} %a to {irto}", types: "{int} -> {to}",
        over: &[(&["op", "int", "irint"], &[&["sitofp", "s32", "i32"], &["uitofp", "u32", "i32"], &["sitofp", "s64", "i64"], &["uitofp", "u64", "i64"]]),
                (&["to", "irto"], &[&["f16", "half"], &["bf16", "bfloat"], &["f32", "float"], &["f64", "double"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn.{to}.{int}", source: LANGREF }] },
];
