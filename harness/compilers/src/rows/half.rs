//! Lists the rows of functions from the headers of half precision.

use super::{ConditionalPromise, Hole, PromiseLine};

/// The types of half precision, as PTX calls them; `IR` also has LLVM's names.
const HALVES: Hole = (&["t"], &[&["f16"], &["bf16"]]);
const IR: Hole = (&["t", "ir"], &[&["f16", "half"], &["bf16", "bfloat"]]);
/// The types of half precision, as the names of functions and as PTX have them; `PAIRS` also has the types of two.
const NAMES: Hole = (&["h", "t"], &[&["half", "f16"], &["bfloat16", "bf16"]]);
const PAIRS: Hole =
    (&["h", "h2", "t"], &[&["half", "half2", "f16"], &["bfloat16", "bfloat162", "bf16"]]);
const ARITHMETIC: Hole = (&["name"], &[&["add"], &["sub"], &["mul"]]);
const INTEGERS: Hole = (
    &["c", "int"],
    &[
        &["short", "s16"],
        &["ushort", "u16"],
        &["int", "s32"],
        &["uint", "u32"],
        &["ll", "s64"],
        &["ull", "u64"],
    ],
);
const COMPARISONS: Hole = (
    &["c"],
    &[
        &["eq"],
        &["ne"],
        &["le"],
        &["ge"],
        &["lt"],
        &["gt"],
        &["equ"],
        &["neu"],
        &["leu"],
        &["geu"],
        &["ltu"],
        &["gtu"],
    ],
);
const CLAMPED: &str = "CUDA Math API: clamped to [0, 1], NaN to +0";
const COMPARED: &str =
    "CUDA Math API, half and bfloat16 comparison: of NaN false, of the unordered ones true";
const API: &str = "CUDA Math API, half and bfloat16 arithmetic: \"in round-to-nearest-even mode\"";
const MERGED: &str =
    "CUDA Math API: rounded to nearest even, never contracted into a fused multiply-add";
const NAMED: &str =
    "CUDA Math API, conversions of half and bfloat16: rounded in the mode that the name says";

#[rustfmt::skip] // a table
pub const LINES: &[PromiseLine] = &[
    PromiseLine { name: "half/__h{name}.{t}", cuda: "__h{name}(a, b)", ir: "", types: "{t} {t} -> {t}",
        over: &[ARITHMETIC, HALVES],
        cases: &[ConditionalPromise { when: "", means: "{name}.rn.{t}", source: API }] },
    PromiseLine { name: "half/__h{name}_rn.{t}", cuda: "__h{name}_rn(a, b)", ir: "", types: "{t} {t} -> {t}",
        over: &[ARITHMETIC, HALVES],
        cases: &[ConditionalPromise { when: "", means: "{name}.rn.{t}", source: MERGED }] },
    PromiseLine { name: "half/__h{name}_sat.f16", cuda: "__h{name}_sat(a, b)", ir: "", types: "f16 f16 -> f16",
        over: &[ARITHMETIC],
        cases: &[ConditionalPromise { when: "", means: "{name}.rn.sat.f16", source: CLAMPED }] },
    PromiseLine { name: "operator/div.{t}", cuda: "a / b", ir: "fdiv {ir} %a, %b", types: "{t} {t} -> {t}", over: &[IR],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn.{t}.f32(div.rn.f32(cvt.f32.{t}(a), cvt.f32.{t}(b)))", source: API }] },
    PromiseLine { name: "half/h{name}.{t}", cuda: "h{name}(a)", ir: "", types: "{t} -> {t}", over: &[(&["name", "op"], &[&["sqrt", "sqrt"], &["rcp", "rcp"]]), HALVES],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn.{t}.f32({op}.rn.f32(cvt.f32.{t}(a)))", source: API }] },
    PromiseLine { name: "function/sqrt.{t}", cuda: "", ir: "call {ir} @llvm.sqrt.{t}({ir} %a)", types: "{t} -> {t}", over: &[IR],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn.{t}.f32(sqrt.rn.f32(cvt.f32.{t}(a)))", source: "LLVM Language Reference, llvm.sqrt: the square root, rounded once" }] },
    PromiseLine { name: "half/h{name}.{t}", cuda: "h{name}(a)", ir: "", types: "{t} -> {t}",
        over: &[(&["name", "ptx"], &[&["floor", "rmi"], &["ceil", "rpi"], &["trunc", "rzi"], &["rint", "rni"]]), HALVES],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn.{t}.f32(cvt.{ptx}.f32.f32(cvt.f32.{t}(a)))", source: "CUDA Math API, half and bfloat16 math: an integer that is a neighbour" }] },
    PromiseLine { name: "half/__h{name}2.{t}x2", cuda: "__h{name}2(a, b)", ir: "", types: "{t}x2 {t}x2 -> {t}x2",
        over: &[ARITHMETIC, HALVES],
        cases: &[ConditionalPromise { when: "", means: "{name}.rn.{t}x2", source: API }] },
    PromiseLine { name: "half/__h{name}2.{t}x2", cuda: "__h{name}2(a, b)", ir: "", types: "{t}x2 {t}x2 -> {t}x2",
        over: &[(&["name"], &[&["min"], &["max"]]), HALVES],
        cases: &[ConditionalPromise { when: "", means: "{name}.{t}x2", source: "CUDA Math API, half and bfloat16 comparison" }] },
    PromiseLine { name: "half/__hfma2{m}.{t}x2", cuda: "__hfma2{c}(a, b, c)", ir: "", types: "{t}x2 {t}x2 {t}x2 -> {t}x2",
        over: &[(&["m", "c", "p"], &[&["", "", ""], &["_relu", "_relu", ".relu"]]), HALVES],
        cases: &[ConditionalPromise { when: "", means: "fma.rn{p}.{t}x2", source: API }] },
    PromiseLine { name: "half/__h{c}2.{t}x2", cuda: "__h{c}2(a, b)", ir: "", types: "{t}x2 {t}x2 -> {t}x2",
        over: &[COMPARISONS, HALVES],
        cases: &[ConditionalPromise { when: "", means: "set.{c}.{t}x2.{t}x2", source: "CUDA Math API, half2 and bfloat162 comparison: 1.0 where it holds, 0.0 where not; unordered ones hold of NaN" }] },
    PromiseLine { name: "half/__h{c}.{t}", cuda: "-__h{c}(a, b)", ir: "", types: "{t} {t} -> s32",
        over: &[COMPARISONS, HALVES],
        cases: &[ConditionalPromise { when: "", means: "set.{c}.s32.{t}", source: COMPARED }] },
    PromiseLine { name: "half/__hisnan.{t}", cuda: "-__hisnan(a)", ir: "", types: "{t} -> s32", over: &[HALVES],
        cases: &[ConditionalPromise { when: "", means: "set.nan.s32.{t}(a, a)", source: COMPARED }] },
    PromiseLine { name: "half/__hisnan2.{t}x2", cuda: "__hisnan2(a)", ir: "", types: "{t}x2 -> {t}x2", over: &[HALVES],
        cases: &[ConditionalPromise { when: "", means: "set.nan.{t}x2.{t}x2(a, a)", source: COMPARED }] },
    PromiseLine { name: "half/__hisinf.{t}", cuda: "-(__hisinf(a) != 0)", ir: "", types: "{t} -> s32", over: &[(&["t", "i"], &[&["f16", "0x7c00"], &["bf16", "0x7f80"]])],
        cases: &[ConditionalPromise { when: "", means: "set.eq.s32.{t}(abs.{t}(a), {i})", source: COMPARED }] },
    // PTX puts its first operand into the upper half, and CUDA C++ the first number of a pair into the lower one.
    PromiseLine { name: "half/__floats2{c}_rn", cuda: "__floats2{c}_rn(b, a)", ir: "", types: "f32 f32 -> {t}x2",
        over: &[(&["c", "t"], &[&["half2", "f16"], &["bfloat162", "bf16"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn.{t}x2.f32", source: NAMED }] },
    PromiseLine { name: "half/__hfma.{t}", cuda: "__hfma(a, b, c)", ir: "", types: "{t} {t} {t} -> {t}", over: &[HALVES],
        cases: &[ConditionalPromise { when: "", means: "fma.rn.{t}", source: API }] },
    PromiseLine { name: "half/__hfma_sat.f16", cuda: "__hfma_sat(a, b, c)", ir: "", types: "f16 f16 f16 -> f16", over: &[],
        cases: &[ConditionalPromise { when: "", means: "fma.rn.sat.f16", source: CLAMPED }] },
    PromiseLine { name: "half/__hfma_relu.{t}", cuda: "__hfma_relu(a, b, c)", ir: "", types: "{t} {t} {t} -> {t}", over: &[HALVES],
        cases: &[ConditionalPromise { when: "", means: "fma.rn.relu.{t}", source: "CUDA Math API: negative results become 0, NaN the canonical one" }] },
    PromiseLine { name: "half/__h{name}.{t}", cuda: "__h{name}(a, b)", ir: "", types: "{t} {t} -> {t}",
        over: &[(&["name", "ptx"], &[&["min", "min"], &["max", "max"], &["min_nan", "min.NaN"], &["max_nan", "max.NaN"]]), HALVES],
        cases: &[ConditionalPromise { when: "", means: "{ptx}.{t}", source: "CUDA Math API, half and bfloat16 comparison" }] },
    PromiseLine { name: "half/__h{name}.{t}", cuda: "__h{name}(a)", ir: "", types: "{t} -> {t}",
        over: &[(&["name", "ptx"], &[&["abs", "abs"], &["neg", "neg"]]), HALVES],
        cases: &[ConditionalPromise { when: "", means: "{ptx}.{t}", source: "CUDA Math API, half and bfloat16 arithmetic" }] },
    PromiseLine { name: "half/__float2half_{r}", cuda: "__float2half_{r}(a)", ir: "", types: "f32 -> f16",
        over: &[(&["r", "ptx"], &[&["rn", "rn"], &["rz", "rz"], &["rd", "rm"], &["ru", "rp"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.{ptx}.f16.f32", source: NAMED }] },
    PromiseLine { name: "half/__float2bfloat16_{r}", cuda: "__float2bfloat16_{r}(a)", ir: "", types: "f32 -> bf16",
        over: &[(&["r", "ptx"], &[&["rn", "rn"], &["rz", "rz"], &["rd", "rm"], &["ru", "rp"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.{ptx}.bf16.f32", source: NAMED }] },
    PromiseLine { name: "half/__double2{c}", cuda: "__double2{c}(a)", ir: "", types: "f64 -> {t}",
        over: &[(&["c", "t"], &[&["half", "f16"], &["bfloat16", "bf16"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn.{t}.f64", source: API }] },
    PromiseLine { name: "half/{c}2float", cuda: "__{c}2float(a)", ir: "", types: "{t} -> f32",
        over: &[(&["c", "t"], &[&["half", "f16"], &["bfloat16", "bf16"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.f32.{t}", source: API }] },
    PromiseLine { name: "half/__{h}2{c}_{r}", cuda: "__{h}2{c}_{r}(a)", ir: "", types: "{t} -> {int}",
        over: &[NAMES, INTEGERS, (&["r", "ptx"], &[&["rn", "rni"], &["rz", "rzi"], &["rd", "rmi"], &["ru", "rpi"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.{ptx}.{int}.{t}", source: NAMED }] },
    PromiseLine { name: "half/__{c}2{h}_{r}", cuda: "__{c}2{h}_{r}(a)", ir: "", types: "{int} -> {t}",
        over: &[NAMES, INTEGERS, (&["r", "ptx"], &[&["rn", "rn"], &["rz", "rz"], &["rd", "rm"], &["ru", "rp"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.{ptx}.{t}.{int}", source: NAMED }] },
    PromiseLine { name: "half/__{h}2{c}_rz", cuda: "__{h}2{c}_rz(a)", ir: "", types: "{t} -> {int}", over: &[NAMES, (&["c", "int"], &[&["char", "s8"], &["uchar", "u8"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.rzi.{int}.{t}", source: NAMED }] },
    // The bounds 0 and 1 are written as bits of bf16.
    PromiseLine { name: "half/__h{name}_sat.bf16", cuda: "__h{name}_sat(a, b)", ir: "", types: "bf16 bf16 -> bf16", over: &[ARITHMETIC],
        cases: &[ConditionalPromise { when: "", means: "min.bf16(max.bf16({name}.rn.bf16(a, b), 0x0), 0x3f80); nsz", source: CLAMPED }] },
    PromiseLine { name: "half/__hfma_sat.bf16", cuda: "__hfma_sat(a, b, c)", ir: "", types: "bf16 bf16 bf16 -> bf16", over: &[],
        cases: &[ConditionalPromise { when: "", means: "min.bf16(max.bf16(fma.rn.bf16(a, b, c), 0x0), 0x3f80); nsz", source: CLAMPED }] },
    PromiseLine { name: "half/__h{name}2_rn.{t}x2", cuda: "__h{name}2_rn(a, b)", ir: "", types: "{t}x2 {t}x2 -> {t}x2", over: &[ARITHMETIC, HALVES],
        cases: &[ConditionalPromise { when: "", means: "{name}.rn.{t}x2", source: MERGED }] },
    PromiseLine { name: "half/__h{name}2_sat.f16x2", cuda: "__h{name}2_sat(a, b)", ir: "", types: "f16x2 f16x2 -> f16x2", over: &[ARITHMETIC],
        cases: &[ConditionalPromise { when: "", means: "{name}.rn.sat.f16x2", source: CLAMPED }] },
    PromiseLine { name: "half/__h{name}2_sat.bf16x2", cuda: "__h{name}2_sat(a, b)", ir: "", types: "bf16x2 bf16x2 -> bf16x2", over: &[ARITHMETIC],
        cases: &[ConditionalPromise { when: "", means: "min.bf16x2(max.bf16x2({name}.rn.bf16x2(a, b), 0x0), 0x3f803f80); nsz", source: CLAMPED }] },
    PromiseLine { name: "half/__hfma2_sat.f16x2", cuda: "__hfma2_sat(a, b, c)", ir: "", types: "f16x2 f16x2 f16x2 -> f16x2", over: &[],
        cases: &[ConditionalPromise { when: "", means: "fma.rn.sat.f16x2", source: CLAMPED }] },
    PromiseLine { name: "half/__hfma2_sat.bf16x2", cuda: "__hfma2_sat(a, b, c)", ir: "", types: "bf16x2 bf16x2 bf16x2 -> bf16x2", over: &[],
        cases: &[ConditionalPromise { when: "", means: "min.bf16x2(max.bf16x2(fma.rn.bf16x2(a, b, c), 0x0), 0x3f803f80); nsz", source: CLAMPED }] },
    PromiseLine { name: "half/__h{name}2_nan.{t}x2", cuda: "__h{name}2_nan(a, b)", ir: "", types: "{t}x2 {t}x2 -> {t}x2", over: &[(&["name"], &[&["min"], &["max"]]), HALVES],
        cases: &[ConditionalPromise { when: "", means: "{name}.NaN.{t}x2", source: "CUDA Math API, half2 and bfloat162 comparison" }] },
    PromiseLine { name: "half/__h{name}2.{t}x2", cuda: "__h{name}2(a)", ir: "", types: "{t}x2 -> {t}x2", over: &[(&["name"], &[&["abs"], &["neg"]]), HALVES],
        cases: &[ConditionalPromise { when: "", means: "{name}.{t}x2", source: "CUDA Math API, half2 and bfloat162 arithmetic" }] },
    PromiseLine { name: "half/__h2div-{lane}.{t}", cuda: "__{lane}2{h}(__h2div(__halves2{h2}({ab}), __halves2{h2}({ba})))", ir: "", types: "{t} {t} -> {t}",
        over: &[PAIRS, (&["lane", "ab", "ba"], &[&["low", "a, b", "b, a"], &["high", "b, a", "a, b"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn.{t}.f32(div.rn.f32(cvt.f32.{t}(a), cvt.f32.{t}(b)))", source: API }] },
    PromiseLine { name: "half/h2{name}-{lane}.{t}", cuda: "__{lane}2{h}(h2{name}(__halves2{h2}({x}, {y})))", ir: "", types: "{t} -> {t}",
        over: &[PAIRS, (&["lane", "x", "y"], &[&["low", "a", "__hneg(a)"], &["high", "__hneg(a)", "a"]]),
                (&["name", "ptx"], &[&["sqrt", "sqrt.rn"], &["rcp", "rcp.rn"], &["floor", "cvt.rmi.f32"], &["ceil", "cvt.rpi.f32"], &["trunc", "cvt.rzi.f32"], &["rint", "cvt.rni.f32"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn.{t}.f32({ptx}.f32(cvt.f32.{t}(a)))", source: "CUDA Math API, half2 and bfloat162 math: of each half, in round-to-nearest-even mode, or the integer that is a neighbour" }] },
    PromiseLine { name: "half/__h{c}2_mask-{lane}.{t}", cuda: "int(__h{c}2_mask(__halves2{h2}({ab}), __halves2{h2}({ba})) << {left}) >> 16", ir: "", types: "{t} {t} -> s32",
        over: &[COMPARISONS, (&["lane", "ab", "ba", "left"], &[&["low", "a, b", "b, a", "16"], &["high", "b, a", "a, b", "0"]]), PAIRS],
        cases: &[ConditionalPromise { when: "", means: "set.{c}.s32.{t}", source: "CUDA Math API, half2 and bfloat162 comparison: 0xffff where it holds, 0 where not" }] },
    // The operands are the complex numbers a + ib, b + ic and c + ia.
    PromiseLine { name: "half/__hcmadd-{lane}.f16", cuda: "__{lane}2half(__hcmadd(__halves2half2(a, b), __halves2half2(b, c), __halves2half2(c, a)))", ir: "", types: "f16 f16 f16 -> f16",
        over: &[(&["lane", "means"], &[&["low", "fma.rn.f16(neg.f16(b), c, fma.rn.f16(a, b, c))"], &["high", "fma.rn.f16(b, b, fma.rn.f16(a, c, a))"]])],
        cases: &[ConditionalPromise { when: "", means: "{means}", source: "CUDA Math API, __hcmadd: \"numerically in agreement with\" two __hfma for each half" }] },
];
