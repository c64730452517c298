//! Lists the rows of operators, and of functions that are single operations.

use super::{ConditionalPromise, PromiseLine};

const IEEE: &str = "CUDA C++ Programming Guide, floating-point standard, and LLVM Language Reference: addition, multiplication and \
                    fused multiply-add are as IEEE 754 has them";
const LANGREF: &str =
    "LLVM Language Reference: without flags, as IEEE 754 has it in the default environment";
const FLUSHED: &str = "libnvvm, -ftz: \"single-precision floating-point operations\", of which it does not say whether a \
                       change of sign is one";
const EXTREME: &str =
    "CUDA Math API, fmin and fmax, fminf and fmaxf: of NaN and a number the number; of zeros either";
const MINNUM: &str = "LLVM Language Reference, llvm.minnum and llvm.maxnum: of NaN and a number the number, of a signalling one a NaN as well; \
                      of zeros either";
const SIGN: &str = "CUDA Math API, copysignf, and LLVM Language Reference, llvm.copysign: the first operand with the sign of the second; whether \
                    -ftz flushes it no document says";
const MINIMUM: &str =
    "LLVM Language Reference, llvm.minimum and llvm.maximum: of NaN NaN; -0 is less than +0";
const MINIMUMNUM: &str = "LLVM Language Reference, llvm.minimumnum and llvm.maximumnum: of NaN and a number the number; -0 is less than +0";
const BITS: &str = "LLVM Language Reference: changes the sign bit alone";

#[rustfmt::skip] // a table
pub const LINES: &[PromiseLine] = &[
    PromiseLine { name: "operator/{name}.f32", cuda: "a {c} b", ir: "f{name} float %a, %b", types: "f32 f32 -> f32",
        over: &[(&["name", "c"], &[&["add", "+"], &["sub", "-"], &["mul", "*"]])],
        cases: &[ConditionalPromise { when: "", means: "{name}.rn{.z}.f32", source: IEEE }] },
    PromiseLine { name: "operator/{name}.f64", cuda: "a {c} b", ir: "f{name} double %a, %b", types: "f64 f64 -> f64",
        over: &[(&["name", "c"], &[&["add", "+"], &["sub", "-"], &["mul", "*"], &["div", "/"]])],
        cases: &[ConditionalPromise { when: "", means: "{name}.rn.f64", source: IEEE }] },
    PromiseLine { name: "operator/{name}.{t}", cuda: "a {c} b", ir: "f{name} {ir} %a, %b", types: "{t} {t} -> {t}",
        over: &[(&["name", "c"], &[&["add", "+"], &["sub", "-"], &["mul", "*"]]), (&["t", "ir"], &[&["f16", "half"], &["bf16", "bfloat"]])],
        cases: &[ConditionalPromise { when: "", means: "{name}.rn.{t}", source: LANGREF }] },
    PromiseLine { name: "operator/{name}.{t}", cuda: "a {c} b", ir: "f{name} <2 x {ir}> %a, %b", types: "{t} {t} -> {t}",
        over: &[(&["name", "c"], &[&["add", "+"], &["sub", "-"], &["mul", "*"]]), (&["t", "ir"], &[&["f16x2", "half"], &["bf16x2", "bfloat"]])],
        cases: &[ConditionalPromise { when: "", means: "{name}.rn.{t}", source: LANGREF }] },
    PromiseLine { name: "function/{name}.f64", cuda: "f{name}(a, b)", ir: "call double @llvm.{llvm}.f64(double %a, double %b)", types: "f64 f64 -> f64",
        over: &[(&["name", "llvm"], &[&["min", "minnum"], &["max", "maxnum"]])],
        cases: &[
            ConditionalPromise { when: "cuda", means: "{name}.f64(a, b); nsz", source: EXTREME },
            ConditionalPromise { when: "", means: "{name}.f64(a, b); nsz snan", source: MINNUM },
        ] },
    PromiseLine { name: "function/{name}.f32", cuda: "f{name}f(a, b)", ir: "call float @llvm.{llvm}.f32(float %a, float %b)", types: "f32 f32 -> f32",
        over: &[(&["name", "llvm"], &[&["min", "minnum"], &["max", "maxnum"]])],
        cases: &[
            ConditionalPromise { when: "cuda", means: "{name}{?z}.f32(a, b); nsz", source: EXTREME },
            ConditionalPromise { when: "", means: "{name}{?z}.f32(a, b); nsz snan", source: MINNUM },
        ] },
    PromiseLine { name: "function/{name}.{t}", cuda: "", ir: "call {ir} @llvm.{name}num.{t}({ir} %a, {ir} %b)", types: "{t} {t} -> {t}",
        over: &[(&["name"], &[&["min"], &["max"]]), (&["t", "ir"], &[&["f16", "half"], &["bf16", "bfloat"]])],
        cases: &[ConditionalPromise { when: "", means: "{name}.{t}(a, b); nsz snan", source: MINNUM }] },
    PromiseLine { name: "function/{name}imum.{t}", cuda: "", ir: "call {ir} @llvm.{name}imum.{t}({ir} %a, {ir} %b)", types: "{t} {t} -> {t}",
        over: &[(&["name"], &[&["min"], &["max"]]), (&["t", "ir", "y"], &[&["f32", "float", "{?z}"], &["f16", "half", ""], &["bf16", "bfloat", ""]])],
        cases: &[ConditionalPromise { when: "", means: "{name}{y}.NaN.{t}", source: MINIMUM }] },
    PromiseLine { name: "function/{name}imumnum.{t}", cuda: "", ir: "call {ir} @llvm.{name}imumnum.{t}({ir} %a, {ir} %b)", types: "{t} {t} -> {t}",
        over: &[(&["name"], &[&["min"], &["max"]]), (&["t", "ir", "y"], &[&["f32", "float", "{?z}"], &["f64", "double", ""], &["f16", "half", ""], &["bf16", "bfloat", ""]])],
        cases: &[ConditionalPromise { when: "", means: "{name}{y}.{t}", source: MINIMUMNUM }] },
    // PTX has the number with the sign first and that with the magnitude second, and C the other way round.
    PromiseLine { name: "function/copysign.f32", cuda: "copysignf(a, b)", ir: "call float @llvm.copysign.f32(float %a, float %b)", types: "f32 f32 -> f32", over: &[],
        cases: &[
            ConditionalPromise { when: "llvm-ir", means: "copysign.f32(b, a)", source: SIGN },
            ConditionalPromise { when: "", means: "copysign.f32(b, a) or copysign.f32(b, abs{?z}.f32(a))", source: SIGN },
        ] },
    PromiseLine { name: "function/copysign.f64", cuda: "copysign(a, b)", ir: "call double @llvm.copysign.f64(double %a, double %b)", types: "f64 f64 -> f64", over: &[],
        cases: &[ConditionalPromise { when: "", means: "copysign.f64(b, a)", source: SIGN }] },
    // A cast loses the sign of a NaN.
    PromiseLine { name: "function/copysign.{t}", cuda: "", ir: "call {ir} @llvm.copysign.{t}({ir} %a, {ir} %b)", types: "{t} {t} -> {t}",
        over: &[(&["t", "ir"], &[&["f16", "half"], &["bf16", "bfloat"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn.{t}.f32(copysign.f32(cvt.f32.{t}(b), cvt.f32.{t}(a))); nan-sign", source: SIGN }] },
    PromiseLine { name: "function/fma.f32", cuda: "fmaf(a, b, c)", ir: "call float @llvm.fma.f32(float %a, float %b, float %c)", types: "f32 f32 f32 -> f32",
        over: &[], cases: &[ConditionalPromise { when: "", means: "fma.rn{.z}.f32", source: IEEE }] },
    PromiseLine { name: "function/fma.f64", cuda: "fma(a, b, c)", ir: "call double @llvm.fma.f64(double %a, double %b, double %c)", types: "f64 f64 f64 -> f64",
        over: &[], cases: &[ConditionalPromise { when: "", means: "fma.rn.f64", source: IEEE }] },
    PromiseLine { name: "function/fma.{t}", cuda: "", ir: "call {ir} @llvm.fma.{t}({ir} %a, {ir} %b, {ir} %c)", types: "{t} {t} {t} -> {t}",
        over: &[(&["t", "ir"], &[&["f16", "half"], &["bf16", "bfloat"]])],
        cases: &[ConditionalPromise { when: "", means: "fma.rn.{t}", source: "LLVM Language Reference, llvm.fma: the fused multiply-add, rounded once" }] },
    PromiseLine { name: "function/neg.{t}", cuda: "", ir: "fneg {ir} %a", types: "{t} -> {t}",
        over: &[(&["t", "ir"], &[&["f16", "half"], &["bf16", "bfloat"], &["f64", "double"]])],
        cases: &[ConditionalPromise { when: "", means: "neg.{t}", source: BITS }] },
    PromiseLine { name: "function/neg.f32", cuda: "", ir: "fneg float %a", types: "f32 -> f32", over: &[],
        cases: &[
            ConditionalPromise { when: "llvm-ir", means: "neg.f32", source: BITS },
            ConditionalPromise { when: "", means: "neg{?z}.f32", source: FLUSHED },
        ] },
    PromiseLine { name: "function/abs.{t}", cuda: "", ir: "call {ir} @llvm.fabs.{t}({ir} %a)", types: "{t} -> {t}",
        over: &[(&["t", "ir"], &[&["f16", "half"], &["bf16", "bfloat"], &["f64", "double"]])],
        cases: &[ConditionalPromise { when: "", means: "abs.{t}", source: BITS }] },
    PromiseLine { name: "function/abs.f32", cuda: "", ir: "call float @llvm.fabs.f32(float %a)", types: "f32 -> f32", over: &[],
        cases: &[
            ConditionalPromise { when: "llvm-ir", means: "abs.f32", source: BITS },
            ConditionalPromise { when: "", means: "abs{?z}.f32", source: FLUSHED },
        ] },
];
