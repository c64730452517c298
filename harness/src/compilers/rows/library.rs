//! Functions of libdevice, and intrinsics of the backend, which name their instruction.

use super::{Case, Hole, Line};

const DIRECTIONS: Hole = (&["r", "ptx"], &[&["rn", "rn"], &["rz", "rz"], &["rd", "rm"], &["ru", "rp"]]);
const ROUNDINGS: Hole = (&["r"], &[&["rn"], &["rz"], &["rm"], &["rp"]]);
const INTEGERS: Hole = (
    &["c", "int", "ir"],
    &[&["int", "s32", "i32"], &["uint", "u32", "i32"], &["ll", "s64", "i64"], &["ull", "u64", "i64"]],
);
const LIBDEVICE: &str = "libdevice User's Guide: rounded in the mode that the name says; subnormal numbers as nvvm-reflect-ftz has them";
const REFLECT: &str =
    "libdevice User's Guide, __CUDA_PREC_SQRT and nvvm-reflect-ftz: correctly rounded, or approximated";
const FAST: &str = "libdevice User's Guide, __nv_fast_*: as the intrinsic of CUDA C++ of this name";
const NVVM: &str =
    "LLVM's NVPTX Usage, intrinsics of PTX instructions: the instruction that the name says";

#[rustfmt::skip] // a table
pub const LINES: &[Line] = &[
    Line { name: "libdevice/__nv_f{name}_{r}", cuda: "", ir: "call float @__nv_f{name}_{r}(float %a, float %b)", types: "f32 f32 -> f32",
        over: &[(&["name"], &[&["add"], &["sub"], &["mul"], &["div"]]), DIRECTIONS],
        cases: &[Case { when: "nvvm-ir", means: "{name}.{ptx}{.z}.f32", source: LIBDEVICE }] },
    Line { name: "libdevice/__nv_f{name}_{r}", cuda: "", ir: "call float @__nv_f{name}_{r}(float %a)", types: "f32 -> f32",
        over: &[(&["name"], &[&["rcp"], &["sqrt"]]), DIRECTIONS],
        cases: &[Case { when: "nvvm-ir", means: "{name}.{ptx}{.z}.f32", source: LIBDEVICE }] },
    Line { name: "libdevice/__nv_fmaf_{r}", cuda: "", ir: "call float @__nv_fmaf_{r}(float %a, float %b, float %c)", types: "f32 f32 f32 -> f32",
        over: &[DIRECTIONS], cases: &[Case { when: "nvvm-ir", means: "fma.{ptx}{.z}.f32", source: LIBDEVICE }] },
    Line { name: "libdevice/__nv_d{name}_{r}", cuda: "", ir: "call double @__nv_d{name}_{r}(double %a, double %b)", types: "f64 f64 -> f64",
        over: &[(&["name"], &[&["add"], &["mul"]]), DIRECTIONS],
        cases: &[Case { when: "nvvm-ir", means: "{name}.{ptx}.f64", source: LIBDEVICE }] },
    Line { name: "libdevice/__nv_ddiv_{r}", cuda: "", ir: "call double @__nv_ddiv_{r}(double %a, double %b)", types: "f64 f64 -> f64",
        over: &[DIRECTIONS], cases: &[Case { when: "nvvm-ir", means: "div.{ptx}.f64", source: LIBDEVICE }] },
    Line { name: "libdevice/__nv_d{name}_{r}", cuda: "", ir: "call double @__nv_d{name}_{r}(double %a)", types: "f64 -> f64",
        over: &[(&["name"], &[&["rcp"], &["sqrt"]]), DIRECTIONS],
        cases: &[Case { when: "nvvm-ir", means: "{name}.{ptx}.f64", source: LIBDEVICE }] },
    Line { name: "libdevice/__nv_fma_{r}", cuda: "", ir: "call double @__nv_fma_{r}(double %a, double %b, double %c)", types: "f64 f64 f64 -> f64",
        over: &[DIRECTIONS], cases: &[Case { when: "nvvm-ir", means: "fma.{ptx}.f64", source: LIBDEVICE }] },
    Line { name: "libdevice/__nv_sqrtf", cuda: "", ir: "call float @__nv_sqrtf(float %a)", types: "f32 -> f32", over: &[],
        cases: &[
            Case { when: "nvvm-ir prec-sqrt", means: "sqrt.rn{.z}.f32", source: REFLECT },
            Case { when: "nvvm-ir", means: "sqrt.approx{.z}.f32", source: REFLECT },
        ] },
    Line { name: "libdevice/__nv_sqrt", cuda: "", ir: "call double @__nv_sqrt(double %a)", types: "f64 -> f64", over: &[],
        cases: &[Case { when: "nvvm-ir", means: "sqrt.rn.f64", source: LIBDEVICE }] },
    Line { name: "libdevice/__nv_rsqrtf", cuda: "", ir: "call float @__nv_rsqrtf(float %a)", types: "f32 -> f32", over: &[],
        cases: &[Case { when: "nvvm-ir", means: "rsqrt.approx{.z}.f32", source: "libdevice User's Guide, __nv_rsqrtf, with CUDA's table: at most 2 ulp" }] },
    Line { name: "libdevice/__nv_fast_{name}f", cuda: "", ir: "call float @__nv_fast_{name}f(float %a)", types: "f32 -> f32",
        over: &[(&["name", "ptx"], &[&["sin", "sin"], &["cos", "cos"], &["log2", "lg2"]])],
        cases: &[Case { when: "nvvm-ir", means: "{ptx}.approx{.z}.f32", source: FAST }] },
    Line { name: "libdevice/__nv_fast_fdividef", cuda: "", ir: "call float @__nv_fast_fdividef(float %a, float %b)", types: "f32 f32 -> f32", over: &[],
        cases: &[Case { when: "nvvm-ir", means: "div.approx{.z}.f32", source: FAST }] },
    Line { name: "libdevice/__nv_{name}f", cuda: "", ir: "call float @__nv_{name}f(float %a)", types: "f32 -> f32",
        over: &[(&["name", "ptx"], &[&["floor", "rmi"], &["ceil", "rpi"], &["trunc", "rzi"], &["rint", "rni"]])],
        cases: &[Case { when: "nvvm-ir", means: "cvt.{ptx}{.z}.f32.f32", source: LIBDEVICE }] },
    Line { name: "libdevice/__nv_{name}", cuda: "", ir: "call double @__nv_{name}(double %a)", types: "f64 -> f64",
        over: &[(&["name", "ptx"], &[&["floor", "rmi"], &["ceil", "rpi"], &["trunc", "rzi"], &["rint", "rni"]])],
        cases: &[Case { when: "nvvm-ir", means: "cvt.{ptx}.f64.f64", source: LIBDEVICE }] },
    Line { name: "libdevice/__nv_f{name}f", cuda: "", ir: "call float @__nv_f{name}f(float %a, float %b)", types: "f32 f32 -> f32",
        over: &[(&["name"], &[&["min"], &["max"]])],
        cases: &[Case { when: "nvvm-ir", means: "{name}{.z}.f32(a, b); nsz", source: "libdevice User's Guide: the smaller or larger operand; of NaN and a number the number" }] },
    Line { name: "libdevice/__nv_saturatef", cuda: "", ir: "call float @__nv_saturatef(float %a)", types: "f32 -> f32", over: &[],
        cases: &[Case { when: "nvvm-ir", means: "cvt{.z}.sat.f32.f32", source: "libdevice User's Guide: clamped to [+0, 1], NaN to +0" }] },
    Line { name: "libdevice/__nv_double2float_{r}", cuda: "", ir: "call float @__nv_double2float_{r}(double %a)", types: "f64 -> f32",
        over: &[DIRECTIONS], cases: &[Case { when: "nvvm-ir", means: "cvt.{ptx}{.z}.f32.f64", source: LIBDEVICE }] },
    Line { name: "libdevice/__nv_float2{c}_{r}", cuda: "", ir: "call {ir} @__nv_float2{c}_{r}(float %a)", types: "f32 -> {int}",
        over: &[INTEGERS, DIRECTIONS], cases: &[Case { when: "nvvm-ir", means: "cvt.{ptx}i{.z}.{int}.f32", source: LIBDEVICE }] },
    Line { name: "libdevice/__nv_{c}2float_{r}", cuda: "", ir: "call float @__nv_{c}2float_{r}({ir} %a)", types: "{int} -> f32",
        over: &[INTEGERS, DIRECTIONS], cases: &[Case { when: "nvvm-ir", means: "cvt.{ptx}.f32.{int}", source: LIBDEVICE }] },
    Line { name: "nvvm/{name}.{r}{z}.f", cuda: "", ir: "call float @llvm.nvvm.{name}.{r}{z}.f(float %a, float %b)", types: "f32 f32 -> f32",
        over: &[(&["name"], &[&["add"], &["mul"], &["div"]]), ROUNDINGS, (&["z"], &[&[""], &[".ftz"]])],
        cases: &[Case { when: "", means: "{name}.{r}{z}.f32", source: NVVM }] },
    Line { name: "nvvm/{name}.{r}{z}.f", cuda: "", ir: "call float @llvm.nvvm.{name}.{r}{z}.f(float %a)", types: "f32 -> f32",
        over: &[(&["name"], &[&["rcp"], &["sqrt"]]), ROUNDINGS, (&["z"], &[&[""], &[".ftz"]])],
        cases: &[Case { when: "", means: "{name}.{r}{z}.f32", source: NVVM }] },
    Line { name: "nvvm/fma.{r}{z}.f", cuda: "", ir: "call float @llvm.nvvm.fma.{r}{z}.f(float %a, float %b, float %c)", types: "f32 f32 f32 -> f32",
        over: &[ROUNDINGS, (&["z"], &[&[""], &[".ftz"]])],
        cases: &[Case { when: "", means: "fma.{r}{z}.f32", source: NVVM }] },
    Line { name: "nvvm/{name}.{r}.d", cuda: "", ir: "call double @llvm.nvvm.{name}.{r}.d(double %a, double %b)", types: "f64 f64 -> f64",
        over: &[(&["name"], &[&["add"], &["mul"], &["div"]]), ROUNDINGS],
        cases: &[Case { when: "", means: "{name}.{r}.f64", source: NVVM }] },
    Line { name: "nvvm/fma.{r}.d", cuda: "", ir: "call double @llvm.nvvm.fma.{r}.d(double %a, double %b, double %c)", types: "f64 f64 f64 -> f64",
        over: &[ROUNDINGS], cases: &[Case { when: "", means: "fma.{r}.f64", source: NVVM }] },
    Line { name: "nvvm/{name}.d", cuda: "", ir: "call double @llvm.nvvm.{name}.d(double %a)", types: "f64 -> f64",
        over: &[(&["name", "ptx"], &[&["rcp.rn", "rcp.rn"], &["rcp.rz", "rcp.rz"], &["sqrt.rn", "sqrt.rn"], &["sqrt.rp", "sqrt.rp"]])],
        cases: &[Case { when: "", means: "{ptx}.f64", source: NVVM }] },
    Line { name: "nvvm/{name}{z}.f", cuda: "", ir: "call float @llvm.nvvm.{name}{z}.f(float %a)", types: "f32 -> f32",
        over: &[(&["name"], &[&["rsqrt.approx"], &["sqrt.approx"], &["sin.approx"], &["cos.approx"], &["lg2.approx"], &["ex2.approx"]]), (&["z"], &[&[""], &[".ftz"]])],
        cases: &[Case { when: "", means: "{name}{z}.f32", source: NVVM }] },
    Line { name: "nvvm/div.{how}{z}.f", cuda: "", ir: "call float @llvm.nvvm.div.{how}{z}.f(float %a, float %b)", types: "f32 f32 -> f32",
        over: &[(&["how"], &[&["approx"], &["full"]]), (&["z"], &[&[""], &[".ftz"]])],
        cases: &[Case { when: "", means: "div.{how}{z}.f32", source: NVVM }] },
    Line { name: "nvvm/fma.rn{m}.f16", cuda: "", ir: "call half @llvm.nvvm.fma.rn{m}.f16(half %a, half %b, half %c)", types: "f16 f16 f16 -> f16",
        over: &[(&["m"], &[&[""], &[".ftz"], &[".sat"], &[".relu"]])],
        cases: &[Case { when: "", means: "fma.rn{m}.f16", source: NVVM }] },
    Line { name: "nvvm/{name}{m}.f", cuda: "", ir: "call float @llvm.nvvm.{name}{m}.f(float %a, float %b)", types: "f32 f32 -> f32",
        over: &[(&["name", "ptx"], &[&["fmin", "min"], &["fmax", "max"]]), (&["m", "p"], &[&["", ""], &[".ftz", ".ftz"], &[".nan", ".NaN"], &[".ftz.nan", ".ftz.NaN"]])],
        cases: &[Case { when: "", means: "{ptx}{p}.f32", source: NVVM }] },
];
