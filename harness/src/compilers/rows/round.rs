//! Intrinsic functions that name their rounding, which no option changes but flushing.

use super::{Case, Hole, Line};

/// As CUDA and PTX call directions.
const DIRECTIONS: Hole = (&["r", "ptx"], &[&["rn", "rn"], &["rz", "rz"], &["rd", "rm"], &["ru", "rp"]]);
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
];
