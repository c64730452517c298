//! Lists the rows of intrinsic functions that name their rounding, which no option changes but flushing.

use super::{Case, Hole, Line};

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
pub const LINES: &[Line] = &[
    Line { name: "intrinsic/__f{name}_{r}", cuda: "__f{name}_{r}(a, b)", ir: "", types: "f32 f32 -> f32",
        over: &[(&["name"], &[&["add"], &["sub"], &["mul"], &["div"]]), DIRECTIONS],
        cases: &[Case { when: "", means: "{name}.{ptx}{.z}.f32", source: NAMED }] },
    Line { name: "intrinsic/__f{name}_{r}", cuda: "__f{name}_{r}(a)", ir: "", types: "f32 -> f32",
        over: &[(&["name"], &[&["rcp"], &["sqrt"]]), DIRECTIONS],
        cases: &[Case { when: "", means: "{name}.{ptx}{.z}.f32", source: NAMED }] },
    Line { name: "intrinsic/__fmaf_{r}", cuda: "__fmaf_{r}(a, b, c)", ir: "", types: "f32 f32 f32 -> f32", over: &[DIRECTIONS],
        cases: &[Case { when: "", means: "fma.{ptx}{.z}.f32", source: NAMED }] },
    Line { name: "intrinsic/__fmaf_ieee_{r}", cuda: "__fmaf_ieee_{r}(a, b, c)", ir: "", types: "f32 f32 f32 -> f32", over: &[DIRECTIONS],
        cases: &[Case { when: "", means: "fma.{ptx}.f32", source: "CUDA Math API, intrinsics: \"ignoring -ftz=true\"" }] },
    Line { name: "intrinsic/__d{name}_{r}", cuda: "__d{name}_{r}(a, b)", ir: "", types: "f64 f64 -> f64",
        over: &[(&["name"], &[&["add"], &["sub"], &["mul"], &["div"]]), DIRECTIONS],
        cases: &[Case { when: "", means: "{name}.{ptx}.f64", source: NAMED }] },
    Line { name: "intrinsic/__d{name}_{r}", cuda: "__d{name}_{r}(a)", ir: "", types: "f64 -> f64",
        over: &[(&["name"], &[&["rcp"], &["sqrt"]]), DIRECTIONS],
        cases: &[Case { when: "", means: "{name}.{ptx}.f64", source: NAMED }] },
    Line { name: "intrinsic/__fma_{r}", cuda: "__fma_{r}(a, b, c)", ir: "", types: "f64 f64 f64 -> f64", over: &[DIRECTIONS],
        cases: &[Case { when: "", means: "fma.{ptx}.f64", source: NAMED }] },
    Line { name: "function/{name}f", cuda: "{name}f(a)", ir: "", types: "f32 -> f32",
        over: &[(&["name", "ptx"], &[&["floor", "rmi"], &["ceil", "rpi"], &["trunc", "rzi"], &["rint", "rni"]])],
        cases: &[Case { when: "", means: "cvt.{ptx}{.z}.f32.f32", source: OPEN }] },
    Line { name: "function/{name}", cuda: "{name}(a)", ir: "call double @llvm.{llvm}.f64(double %a)", types: "f64 -> f64",
        over: &[(&["name", "llvm", "ptx"], &[&["floor", "floor", "rmi"], &["ceil", "ceil", "rpi"], &["trunc", "trunc", "rzi"], &["rint", "rint", "rni"]])],
        cases: &[Case { when: "", means: "cvt.{ptx}.f64.f64", source: OPEN }] },
    Line { name: "intrinsic/__saturatef", cuda: "__saturatef(a)", ir: "", types: "f32 -> f32", over: &[],
        cases: &[Case { when: "", means: "cvt{.z}.sat.f32.f32", source: "CUDA Math API, intrinsics: clamped to [+0, 1], NaN to +0" }] },
    Line { name: "function/{name}.f32", cuda: "", ir: "call float @llvm.{name}.f32(float %a)", types: "f32 -> f32", over: &[INTEGRAL],
        cases: &[Case { when: "", means: "cvt.{ptx}{?z}.f32.f32", source: LANGREF }] },
    Line { name: "function/{name}.f64", cuda: "", ir: "call double @llvm.{name}.f64(double %a)", types: "f64 -> f64", over: &[(&["name"], &[&["nearbyint"], &["roundeven"]])],
        cases: &[Case { when: "", means: "cvt.rni.f64.f64", source: LANGREF }] },
    Line { name: "function/{name}.{t}", cuda: "", ir: "call {ir} @llvm.{name}.{t}({ir} %a)", types: "{t} -> {t}", over: &[INTEGRAL, HALVES],
        cases: &[Case { when: "", means: "cvt.rn.{t}.f32(cvt.{ptx}.f32.f32(cvt.f32.{t}(a)))", source: LANGREF }] },
    Line { name: "function/nearbyint{f}", cuda: "nearbyint{f}(a)", ir: "", types: "{t} -> {t}", over: &[(&["f", "t", "z"], &[&["f", "f32", "{.z}"], &["", "f64", ""]])],
        cases: &[Case { when: "", means: "cvt.rni{z}.{t}.{t}", source: OPEN }] },
    // A sum that is rounded toward zero comes to no integer that it does not reach; what may be flushed becomes zero anyway.
    Line { name: "function/round.{t}", cuda: "{c}(a)", ir: "call {ir} @llvm.round.{t}({ir} %a)", types: "{t} -> {t}",
        over: &[(&["t", "ir", "c"], &[&["f32", "float", "roundf"], &["f64", "double", "round"]])],
        cases: &[Case { when: "", means: "cvt.rzi.{t}.{t}(add.rz.{t}(a, copysign.{t}(a, 0.5)))", source: AWAY }] },
    Line { name: "function/round.{t}", cuda: "", ir: "call {ir} @llvm.round.{t}({ir} %a)", types: "{t} -> {t}", over: &[HALVES],
        cases: &[Case { when: "", means: "cvt.rn.{t}.f32(cvt.rzi.f32.f32(add.rz.f32(cvt.f32.{t}(a), copysign.f32(cvt.f32.{t}(a), 0.5))))", source: AWAY }] },
];
