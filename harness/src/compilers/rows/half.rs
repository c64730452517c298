//! Functions of the headers of half precision.

use super::{Case, Hole, Line};

/// As CUDA and PTX call the types, and a header's functions.
const HALVES: Hole = (&["t"], &[&["f16"], &["bf16"]]);
const IR: Hole = (&["t", "ir"], &[&["f16", "half"], &["bf16", "bfloat"]]);
const COMPARED: &str =
    "CUDA Math API, half and bfloat16 comparison: of NaN false, of the unordered ones true";
const API: &str = "CUDA Math API, half and bfloat16 arithmetic: \"in round-to-nearest-even mode\"";
const MERGED: &str =
    "CUDA Math API: rounded to nearest even, never contracted into a fused multiply-add";
const NAMED: &str =
    "CUDA Math API, conversions of half and bfloat16: rounded in the mode that the name says";

#[rustfmt::skip] // a table
pub const LINES: &[Line] = &[
    Line { name: "half/__h{name}.{t}", cuda: "__h{name}(a, b)", ir: "", types: "{t} {t} -> {t}",
        over: &[(&["name"], &[&["add"], &["sub"], &["mul"]]), HALVES],
        cases: &[Case { when: "", means: "{name}.rn.{t}", source: API }] },
    Line { name: "half/__h{name}_rn.{t}", cuda: "__h{name}_rn(a, b)", ir: "", types: "{t} {t} -> {t}",
        over: &[(&["name"], &[&["add"], &["sub"], &["mul"]]), HALVES],
        cases: &[Case { when: "", means: "{name}.rn.{t}", source: MERGED }] },
    Line { name: "half/__h{name}_sat.f16", cuda: "__h{name}_sat(a, b)", ir: "", types: "f16 f16 -> f16",
        over: &[(&["name"], &[&["add"], &["sub"], &["mul"]])],
        cases: &[Case { when: "", means: "{name}.rn.sat.f16", source: "CUDA Math API: clamped to [0, 1], NaN to +0" }] },
    Line { name: "operator/div.{t}", cuda: "a / b", ir: "fdiv {ir} %a, %b", types: "{t} {t} -> {t}", over: &[IR],
        cases: &[Case { when: "", means: "cvt.rn.{t}.f32(div.rn.f32(cvt.f32.{t}(a), cvt.f32.{t}(b)))", source: API }] },
    Line { name: "half/h{name}.{t}", cuda: "h{name}(a)", ir: "", types: "{t} -> {t}", over: &[(&["name", "op"], &[&["sqrt", "sqrt"], &["rcp", "rcp"]]), HALVES],
        cases: &[Case { when: "", means: "cvt.rn.{t}.f32({op}.rn.f32(cvt.f32.{t}(a)))", source: API }] },
    Line { name: "function/sqrt.{t}", cuda: "", ir: "call {ir} @llvm.sqrt.{t}({ir} %a)", types: "{t} -> {t}", over: &[IR],
        cases: &[Case { when: "", means: "cvt.rn.{t}.f32(sqrt.rn.f32(cvt.f32.{t}(a)))", source: "LLVM Language Reference, llvm.sqrt: the square root, rounded once" }] },
    Line { name: "half/h{name}.{t}", cuda: "h{name}(a)", ir: "", types: "{t} -> {t}",
        over: &[(&["name", "ptx"], &[&["floor", "rmi"], &["ceil", "rpi"], &["trunc", "rzi"], &["rint", "rni"]]), HALVES],
        cases: &[Case { when: "", means: "cvt.rn.{t}.f32(cvt.{ptx}.f32.f32(cvt.f32.{t}(a)))", source: "CUDA Math API, half and bfloat16 math: an integer that is a neighbour" }] },
    Line { name: "half/__h{name}2.{t}x2", cuda: "__h{name}2(a, b)", ir: "", types: "{t}x2 {t}x2 -> {t}x2",
        over: &[(&["name"], &[&["add"], &["sub"], &["mul"]]), HALVES],
        cases: &[Case { when: "", means: "{name}.rn.{t}x2", source: API }] },
    Line { name: "half/__h{name}2.{t}x2", cuda: "__h{name}2(a, b)", ir: "", types: "{t}x2 {t}x2 -> {t}x2",
        over: &[(&["name"], &[&["min"], &["max"]]), HALVES],
        cases: &[Case { when: "", means: "{name}.{t}x2", source: "CUDA Math API, half and bfloat16 comparison" }] },
    Line { name: "half/__hfma2{m}.{t}x2", cuda: "__hfma2{c}(a, b, c)", ir: "", types: "{t}x2 {t}x2 {t}x2 -> {t}x2",
        over: &[(&["m", "c", "p"], &[&["", "", ""], &["_relu", "_relu", ".relu"]]), HALVES],
        cases: &[Case { when: "", means: "fma.rn{p}.{t}x2", source: API }] },
    Line { name: "half/__h{c}2.{t}x2", cuda: "__h{c}2(a, b)", ir: "", types: "{t}x2 {t}x2 -> {t}x2",
        over: &[(&["c", "p"], &[&["eq", "eq"], &["ne", "ne"], &["le", "le"], &["ge", "ge"], &["lt", "lt"], &["gt", "gt"],
                               &["equ", "equ"], &["neu", "neu"], &["leu", "leu"], &["geu", "geu"], &["ltu", "ltu"], &["gtu", "gtu"]]), HALVES],
        cases: &[Case { when: "", means: "set.{p}.{t}x2.{t}x2", source: "CUDA Math API, half2 and bfloat162 comparison: 1.0 where it holds, 0.0 where not; unordered ones hold of NaN" }] },
    Line { name: "half/__h{c}.{t}", cuda: "-__h{c}(a, b)", ir: "", types: "{t} {t} -> s32",
        over: &[(&["c"], &[&["eq"], &["ne"], &["le"], &["ge"], &["lt"], &["gt"], &["equ"], &["neu"], &["leu"], &["geu"], &["ltu"], &["gtu"]]), HALVES],
        cases: &[Case { when: "", means: "set.{c}.s32.{t}", source: COMPARED }] },
    Line { name: "half/__hisnan.{t}", cuda: "-__hisnan(a)", ir: "", types: "{t} -> s32", over: &[HALVES],
        cases: &[Case { when: "", means: "set.nan.s32.{t}(a, a)", source: COMPARED }] },
    Line { name: "half/__hisnan2.{t}x2", cuda: "__hisnan2(a)", ir: "", types: "{t}x2 -> {t}x2", over: &[HALVES],
        cases: &[Case { when: "", means: "set.nan.{t}x2.{t}x2(a, a)", source: COMPARED }] },
    Line { name: "half/__hisinf.{t}", cuda: "-(__hisinf(a) != 0)", ir: "", types: "{t} -> s32", over: &[(&["t", "i"], &[&["f16", "0x7c00"], &["bf16", "0x7f80"]])],
        cases: &[Case { when: "", means: "set.eq.s32.{t}(abs.{t}(a), {i})", source: COMPARED }] },
    Line { name: "half/__floats2{c}_rn", cuda: "__floats2{c}_rn(b, a)", ir: "", types: "f32 f32 -> {t}x2",
        over: &[(&["c", "t"], &[&["half2", "f16"], &["bfloat162", "bf16"]])],
        cases: &[Case { when: "", means: "cvt.rn.{t}x2.f32", source: NAMED }] },
    Line { name: "half/__hfma.{t}", cuda: "__hfma(a, b, c)", ir: "", types: "{t} {t} {t} -> {t}", over: &[HALVES],
        cases: &[Case { when: "", means: "fma.rn.{t}", source: API }] },
    Line { name: "half/__hfma_sat.f16", cuda: "__hfma_sat(a, b, c)", ir: "", types: "f16 f16 f16 -> f16", over: &[],
        cases: &[Case { when: "", means: "fma.rn.sat.f16", source: "CUDA Math API: clamped to [0, 1], NaN to +0" }] },
    Line { name: "half/__hfma_relu.{t}", cuda: "__hfma_relu(a, b, c)", ir: "", types: "{t} {t} {t} -> {t}", over: &[HALVES],
        cases: &[Case { when: "", means: "fma.rn.relu.{t}", source: "CUDA Math API: negative results become 0, NaN the canonical one" }] },
    Line { name: "half/__h{name}.{t}", cuda: "__h{name}(a, b)", ir: "", types: "{t} {t} -> {t}",
        over: &[(&["name", "ptx"], &[&["min", "min"], &["max", "max"], &["min_nan", "min.NaN"], &["max_nan", "max.NaN"]]), HALVES],
        cases: &[Case { when: "", means: "{ptx}.{t}", source: "CUDA Math API, half and bfloat16 comparison" }] },
    Line { name: "half/__h{name}.{t}", cuda: "__h{name}(a)", ir: "", types: "{t} -> {t}",
        over: &[(&["name", "ptx"], &[&["abs", "abs"], &["neg", "neg"]]), HALVES],
        cases: &[Case { when: "", means: "{ptx}.{t}", source: "CUDA Math API, half and bfloat16 arithmetic" }] },
    Line { name: "half/__float2half_{r}", cuda: "__float2half_{r}(a)", ir: "", types: "f32 -> f16",
        over: &[(&["r", "ptx"], &[&["rn", "rn"], &["rz", "rz"], &["rd", "rm"], &["ru", "rp"]])],
        cases: &[Case { when: "", means: "cvt.{ptx}.f16.f32", source: NAMED }] },
    Line { name: "half/__float2bfloat16_{r}", cuda: "__float2bfloat16_{r}(a)", ir: "", types: "f32 -> bf16",
        over: &[(&["r", "ptx"], &[&["rn", "rn"], &["rz", "rz"], &["rd", "rm"], &["ru", "rp"]])],
        cases: &[Case { when: "", means: "cvt.{ptx}.bf16.f32", source: NAMED }] },
    Line { name: "half/__double2{c}", cuda: "__double2{c}(a)", ir: "", types: "f64 -> {t}",
        over: &[(&["c", "t"], &[&["half", "f16"], &["bfloat16", "bf16"]])],
        cases: &[Case { when: "", means: "cvt.rn.{t}.f64", source: API }] },
    Line { name: "half/{c}2float", cuda: "__{c}2float(a)", ir: "", types: "{t} -> f32",
        over: &[(&["c", "t"], &[&["half", "f16"], &["bfloat16", "bf16"]])],
        cases: &[Case { when: "", means: "cvt.f32.{t}", source: API }] },
    Line { name: "half/__half2{c}_{r}", cuda: "__half2{c}_{r}(a)", ir: "", types: "f16 -> {int}",
        over: &[(&["c", "int"], &[&["int", "s32"], &["uint", "u32"], &["ll", "s64"], &["ull", "u64"]]), (&["r", "ptx"], &[&["rn", "rni"], &["rz", "rzi"], &["rd", "rmi"], &["ru", "rpi"]])],
        cases: &[Case { when: "", means: "cvt.{ptx}.{int}.f16", source: NAMED }] },
    Line { name: "half/__{c}2half_{r}", cuda: "__{c}2half_{r}(a)", ir: "", types: "{int} -> f16",
        over: &[(&["c", "int"], &[&["int", "s32"], &["uint", "u32"], &["ll", "s64"], &["ull", "u64"]]), (&["r", "ptx"], &[&["rn", "rn"], &["rz", "rz"], &["rd", "rm"], &["ru", "rp"]])],
        cases: &[Case { when: "", means: "cvt.{ptx}.f16.{int}", source: NAMED }] },
];
