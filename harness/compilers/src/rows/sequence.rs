//! Lists the rows of sequences: what may be contracted, and what may not.

use super::{ConditionalPromise, Hole, PromiseLine};

const TYPES: Hole = (&["t", "ir", "z"], &[&["f32", "float", "{.z}"], &["f64", "double", ""]]);
const SIGNS: Hole = (&["name", "c"], &[&["add", "+"], &["sub", "-"]]);
const CONTRACTED: &str = "NVRTC and libnvvm, -fmad and -fma: contraction of multiplications with additions and subtractions; LLVM \
                          Language Reference, contract: a multiplication and an addition may be fused";
const APART: &str = "NVRTC and libnvvm, -fmad=false and -fma=0: no contraction; LLVM Language Reference: without contract none";
const MERGED: &str = "CUDA Math API, intrinsics: additions and multiplications of these names are never merged into a \
                      fused multiply-add";
const ONE_FLAG: &str = "LLVM Language Reference, contract: \"allow floating-point contraction\", of which it does not say \
                        whether both operations need it";
const SELECTED: &str = "LLVM Language Reference: operations may flush, and a selection is none; NVRTC and libnvvm, -ftz: \
                        \"single-precision floating-point operations\"";
const CASTS: &str = "LLVM Language Reference, fptrunc and fpext, and ISO C++, conv.double: each conversion rounds to its type";
const HALF: &str = "CUDA Math API: rounded to nearest even, never contracted into a fused multiply-add";

#[rustfmt::skip] // a table
pub const LINES: &[PromiseLine] = &[
    PromiseLine { name: "sequence/mul-{name}.{t}", cuda: "a * b {c} c", ir: "%m = fmul{contract} {ir} %a, %b; f{name}{contract} {ir} %m, %c",
        types: "{t} {t} {t} -> {t}", over: &[(&["name", "c"], &[&["add", "+"]]), TYPES],
        cases: &[
            ConditionalPromise { when: "fma", means: "fma.rn{z}.{t}(a, b, c) or {name}.rn{z}.{t}(mul.rn{z}.{t}(a, b), c)", source: CONTRACTED },
            ConditionalPromise { when: "", means: "{name}.rn{z}.{t}(mul.rn{z}.{t}(a, b), c)", source: APART },
        ] },
    PromiseLine { name: "sequence/mul-sub.{t}", cuda: "a * b - c", ir: "%m = fmul{contract} {ir} %a, %b; fsub{contract} {ir} %m, %c",
        types: "{t} {t} {t} -> {t}", over: &[TYPES],
        cases: &[
            ConditionalPromise { when: "fma", means: "fma.rn{z}.{t}(a, b, neg.{t}(c)) or sub.rn{z}.{t}(mul.rn{z}.{t}(a, b), c)", source: CONTRACTED },
            ConditionalPromise { when: "", means: "sub.rn{z}.{t}(mul.rn{z}.{t}(a, b), c)", source: APART },
        ] },
    PromiseLine { name: "sequence/sub-mul.{t}", cuda: "c - a * b", ir: "%m = fmul{contract} {ir} %a, %b; fsub{contract} {ir} %c, %m",
        types: "{t} {t} {t} -> {t}", over: &[TYPES],
        cases: &[
            ConditionalPromise { when: "fma", means: "fma.rn{z}.{t}(neg.{t}(a), b, c) or sub.rn{z}.{t}(c, mul.rn{z}.{t}(a, b))", source: CONTRACTED },
            ConditionalPromise { when: "", means: "sub.rn{z}.{t}(c, mul.rn{z}.{t}(a, b))", source: APART },
        ] },
    PromiseLine { name: "sequence/mul-add-unflagged.{t}", cuda: "", ir: "%m = fmul {ir} %a, %b; fadd {ir} %m, %c",
        types: "{t} {t} {t} -> {t}", over: &[TYPES],
        cases: &[
            ConditionalPromise { when: "nvvm-ir fma", means: "fma.rn{z}.{t}(a, b, c) or add.rn{z}.{t}(mul.rn{z}.{t}(a, b), c)", source: CONTRACTED },
            ConditionalPromise { when: "", means: "add.rn{z}.{t}(mul.rn{z}.{t}(a, b), c)", source: APART },
        ] },
    PromiseLine { name: "sequence/mul-add-{flagged}-flagged.{t}", cuda: "", ir: "%m = fmul {f} {ir} %a, %b; fadd {g} {ir} %m, %c",
        types: "{t} {t} {t} -> {t}", over: &[(&["flagged", "f", "g"], &[&["mul", "contract", "nsz"], &["add", "nsz", "contract"]]), TYPES],
        cases: &[ConditionalPromise { when: "", means: "fma.rn{z}.{t}(a, b, c) or add.rn{z}.{t}(mul.rn{z}.{t}(a, b), c); nsz", source: ONE_FLAG }] },
    PromiseLine { name: "sequence/mul-add.{t}", cuda: "", ir: "%m = fmul{contract} {ir} %a, %b; fadd{contract} {ir} %m, %c",
        types: "{t} {t} {t} -> {t}", over: &[(&["t", "ir"], &[&["f16", "half"], &["bf16", "bfloat"]])],
        cases: &[
            ConditionalPromise { when: "fma", means: "fma.rn.{t}(a, b, c) or add.rn.{t}(mul.rn.{t}(a, b), c)", source: CONTRACTED },
            ConditionalPromise { when: "", means: "add.rn.{t}(mul.rn.{t}(a, b), c)", source: APART },
        ] },
    PromiseLine { name: "sequence/__fmul_{r}-__f{name}_{r}", cuda: "__f{name}_{r}(__fmul_{r}(a, b), c)", ir: "", types: "f32 f32 f32 -> f32",
        over: &[(&["name", "c"], &[&["add", "+"], &["sub", "-"]]), (&["r", "ptx"], &[&["rn", "rn"], &["rz", "rz"], &["rd", "rm"], &["ru", "rp"]])],
        cases: &[ConditionalPromise { when: "", means: "{name}.{ptx}{.z}.f32(mul.{ptx}{.z}.f32(a, b), c)", source: MERGED }] },
    PromiseLine { name: "sequence/__dmul_{r}-__d{name}_{r}", cuda: "__d{name}_{r}(__dmul_{r}(a, b), c)", ir: "", types: "f64 f64 f64 -> f64",
        over: &[SIGNS, (&["r", "ptx"], &[&["rn", "rn"], &["rz", "rz"], &["rd", "rm"], &["ru", "rp"]])],
        cases: &[ConditionalPromise { when: "", means: "{name}.{ptx}.f64(mul.{ptx}.f64(a, b), c)", source: MERGED }] },
    PromiseLine { name: "sequence/__fmul_rn-add", cuda: "__fmul_rn(a, b) + c", ir: "", types: "f32 f32 f32 -> f32", over: &[],
        cases: &[ConditionalPromise { when: "", means: "add.rn{.z}.f32(mul.rn{.z}.f32(a, b), c)", source: MERGED }] },
    PromiseLine { name: "sequence/mul-__fadd_rn", cuda: "__fadd_rn(a * b, c)", ir: "", types: "f32 f32 f32 -> f32", over: &[],
        cases: &[ConditionalPromise { when: "", means: "add.rn{.z}.f32(mul.rn{.z}.f32(a, b), c)", source: MERGED }] },
    PromiseLine { name: "sequence/select-{c}.f32", cuda: "a {o} __int_as_float(0x007fffff) ? a : __int_as_float(0x007fffff)",
        ir: "%k = fcmp o{c} float %a, 0x380FFFFFC0000000; select i1 %k, float %a, float 0x380FFFFFC0000000", types: "f32 -> f32",
        over: &[(&["c", "o", "name", "far"], &[&["ge", ">=", "max", "-3.4028235e38"], &["le", "<=", "min", "3.4028235e38"]])],
        cases: &[
            // Where the comparison flushes, a subnormal `a` and the constant are both flushed and so equal, and `a` is
            // selected.
            ConditionalPromise { when: "ftz", means: "{name}.f32(a, 0x007fffff) or {name}.f32(a, fma.rn.f32(set.eq.ftz.f32.f32(a, 0.0), {far}, 0x007fffff))", source: SELECTED },
            ConditionalPromise { when: "", means: "{name}.f32(a, 0x007fffff)", source: SELECTED },
        ] },
    PromiseLine { name: "sequence/cast-{from}.{via}.{to}", cuda: "{c}", ir: "%m = fptrunc {irfrom} %a to {irvia}; fpext {irvia} %m to {irto}", types: "{from} -> {to}",
        over: &[(&["from", "irfrom", "via", "irvia", "to", "irto", "c", "z"], &[
            &["f32", "float", "f16", "half", "f32", "float", "__half2float(__float2half_rn(a))", ""],
            &["f64", "double", "f32", "float", "f64", "double", "(double)(float)a", "{?z}"],
            &["f64", "double", "f16", "half", "f64", "double", "(double)__half2float(__double2half(a))", ""],
        ])],
        cases: &[ConditionalPromise { when: "", means: "cvt{z}.{to}.{via}(cvt.rn{z}.{via}.{from}(a))", source: CASTS }] },
    // Halves that flush are left out: other rows say what becomes of them.
    PromiseLine { name: "sequence/cast-f32.bf16.f32", cuda: "__bfloat162float(__float2bfloat16_rn(a))", ir: "%m = fptrunc float %a to bfloat; fpext bfloat %m to float", types: "f32 -> f32", over: &[],
        cases: &[ConditionalPromise { when: "!ftz !ftz-results", means: "cvt.f32.bf16(cvt.rn.bf16.f32(a))", source: CASTS }] },
    PromiseLine { name: "sequence/cast-bf16.f16.f32", cuda: "__half2float(__float2half_rn(__bfloat162float(a)))", ir: "%w = fpext bfloat %a to float; %m = fptrunc float %w to half; fpext half %m to float", types: "bf16 -> f32", over: &[],
        cases: &[ConditionalPromise { when: "", means: "cvt.f32.f16(cvt.rn.f16.f32(cvt.f32.bf16(a)))", source: CASTS }] },
    PromiseLine { name: "sequence/__hmul_rn-__hadd_rn.{t}", cuda: "__hadd_rn(__hmul_rn(a, b), c)", ir: "", types: "{t} {t} {t} -> {t}",
        over: &[(&["t"], &[&["f16"], &["bf16"]])],
        cases: &[ConditionalPromise { when: "", means: "add.rn.{t}(mul.rn.{t}(a, b), c)", source: HALF }] },
    PromiseLine { name: "sequence/__hmul-__hadd.{t}", cuda: "__hadd(__hmul(a, b), c)", ir: "", types: "{t} {t} {t} -> {t}",
        over: &[(&["t"], &[&["f16"], &["bf16"]])],
        cases: &[ConditionalPromise { when: "", means: "fma.rn.{t}(a, b, c) or add.rn.{t}(mul.rn.{t}(a, b), c)", source: CONTRACTED }] },
];
