//! Lists the rows of intrinsic functions that name their rounding, which no option changes but flushing.

use super::{ConditionalPromise, Hole, PromiseLine};

/// The directions of rounding, as CUDA and PTX call them.
const DIRECTIONS: Hole = (&["r", "ptx"], &[&["rn", "rn"], &["rz", "rz"], &["rd", "rm"], &["ru", "rp"]]);
const HALVES: Hole = (&["t", "ir"], &[&["f16", "half"], &["bf16", "bfloat"]]);
/// The operations that make integers of numbers, as LLVM and PTX call them.
const INTEGRAL: Hole = (
    &["name", "ptx"],
    &[
        &["floor", "rmi"],
        &["ceil", "rpi"],
        &["trunc", "rzi"],
        &["rint", "rni"],
        &["nearbyint", "rni"],
        &["roundeven", "rni"],
    ],
);
const LANGREF: &str = "LLVM Language Reference, llvm.floor, ceil, trunc, rint, nearbyint and roundeven: as libm, in the default environment";
const AWAY: &str = "CUDA Math API, roundf and round, and LLVM Language Reference, llvm.round: to the nearest integer, halfway cases away from zero";
const NAMED: &str = "CUDA Math API, intrinsics: rounded in the mode that the name says; additions and multiplications \
                     are never merged";
const OPEN: &str = "CUDA C++ Programming Guide, floating-point standard: as IEEE 754 has it";

#[rustfmt::skip] // a table
pub const LINES: &[PromiseLine] = &[
    PromiseLine { name: "intrinsic/__f{name}_{r}", cuda: "__f{name}_{r}(a, b)", ir: "", types: "f32 f32 -> f32",
        over: &[(&["name"], &[&["add"], &["sub"], &["mul"], &["div"]]), DIRECTIONS],
        cases: &[ConditionalPromise { when: "", means: "{name}.{ptx}{.z}.f32", source: NAMED }] },
    PromiseLine { name: "intrinsic/__f{name}_{r}", cuda: "__f{name}_{r}(a)", ir: "", types: "f32 -> f32",
        over: &[(&["name"], &[&["rcp"], &["sqrt"]]), DIRECTIONS],
        cases: &[ConditionalPromise { when: "", means: "{name}.{ptx}{.z}.f32", source: NAMED }] },
    PromiseLine { name: "intrinsic/__fmaf_{r}", cuda: "__fmaf_{r}(a, b, c)", ir: "", types: "f32 f32 f32 -> f32", over: &[DIRECTIONS],
        cases: &[ConditionalPromise { when: "", means: "fma.{ptx}{.z}.f32", source: NAMED }] },
    PromiseLine { name: "intrinsic/__fmaf_ieee_{r}", cuda: "__fmaf_ieee_{r}(a, b, c)", ir: "", types: "f32 f32 f32 -> f32", over: &[DIRECTIONS],
        cases: &[ConditionalPromise { when: "", means: "fma.{ptx}.f32", source: "CUDA Math API, intrinsics: \"ignoring -ftz=true\"" }] },
    PromiseLine { name: "intrinsic/__d{name}_{r}", cuda: "__d{name}_{r}(a, b)", ir: "", types: "f64 f64 -> f64",
        over: &[(&["name"], &[&["add"], &["sub"], &["mul"], &["div"]]), DIRECTIONS],
        cases: &[ConditionalPromise { when: "", means: "{name}.{ptx}.f64", source: NAMED }] },
    PromiseLine { name: "intrinsic/__d{name}_{r}", cuda: "__d{name}_{r}(a)", ir: "", types: "f64 -> f64",
        over: &[(&["name"], &[&["rcp"], &["sqrt"]]), DIRECTIONS],
        cases: &[ConditionalPromise { when: "", means: "{name}.{ptx}.f64", source: NAMED }] },
    PromiseLine { name: "intrinsic/__fma_{r}", cuda: "__fma_{r}(a, b, c)", ir: "", types: "f64 f64 f64 -> f64", over: &[DIRECTIONS],
        cases: &[ConditionalPromise { when: "", means: "fma.{ptx}.f64", source: NAMED }] },
    PromiseLine { name: "function/{name}f", cuda: "{name}f(a)", ir: "", types: "f32 -> f32",
        over: &[(&["name", "ptx"], &[&["floor", "rmi"], &["ceil", "rpi"], &["trunc", "rzi"], &["rint", "rni"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.{ptx}{.z}.f32.f32", source: OPEN }] },
    PromiseLine { name: "function/{name}", cuda: "{name}(a)", ir: "call double @llvm.{llvm}.f64(double %a)", types: "f64 -> f64",
        over: &[(&["name", "llvm", "ptx"], &[&["floor", "floor", "rmi"], &["ceil", "ceil", "rpi"], &["trunc", "trunc", "rzi"], &["rint", "rint", "rni"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.{ptx}.f64.f64", source: OPEN }] },
    PromiseLine { name: "intrinsic/__saturatef", cuda: "__saturatef(a)", ir: "", types: "f32 -> f32", over: &[],
        cases: &[ConditionalPromise { when: "", means: "cvt{.z}.sat.f32.f32", source: "CUDA Math API, intrinsics: clamped to [+0, 1], NaN to +0" }] },
    PromiseLine { name: "function/{name}.f32", cuda: "", ir: "call float @llvm.{name}.f32(float %a)", types: "f32 -> f32", over: &[INTEGRAL],
        cases: &[ConditionalPromise { when: "", means: "cvt.{ptx}{?z}.f32.f32", source: LANGREF }] },
    PromiseLine { name: "function/{name}.f64", cuda: "", ir: "call double @llvm.{name}.f64(double %a)", types: "f64 -> f64", over: &[(&["name"], &[&["nearbyint"], &["roundeven"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.rni.f64.f64", source: LANGREF }] },
    PromiseLine { name: "function/{name}.{t}", cuda: "", ir: "call {ir} @llvm.{name}.{t}({ir} %a)", types: "{t} -> {t}", over: &[INTEGRAL, HALVES],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn.{t}.f32(cvt.{ptx}.f32.f32(cvt.f32.{t}(a)))", source: LANGREF }] },
    PromiseLine { name: "function/nearbyint{f}", cuda: "nearbyint{f}(a)", ir: "", types: "{t} -> {t}", over: &[(&["f", "t", "z"], &[&["f", "f32", "{.z}"], &["", "f64", ""]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.rni{z}.{t}.{t}", source: OPEN }] },
    // A sum that is rounded toward zero comes to no integer that it does not reach; what may be flushed becomes zero anyway.
    PromiseLine { name: "function/round.{t}", cuda: "{c}(a)", ir: "call {ir} @llvm.round.{t}({ir} %a)", types: "{t} -> {t}",
        over: &[(&["t", "ir", "c"], &[&["f32", "float", "roundf"], &["f64", "double", "round"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.rzi.{t}.{t}(add.rz.{t}(a, copysign.{t}(a, 0.5)))", source: AWAY }] },
    PromiseLine { name: "function/round.{t}", cuda: "", ir: "call {ir} @llvm.round.{t}({ir} %a)", types: "{t} -> {t}", over: &[HALVES],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn.{t}.f32(cvt.rzi.f32.f32(add.rz.f32(cvt.f32.{t}(a), copysign.f32(cvt.f32.{t}(a), 0.5))))", source: AWAY }] },
];
