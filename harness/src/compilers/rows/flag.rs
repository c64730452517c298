//! LLVM's flags, one by one.

use super::{Case, Line};

const ARCP: &str =
    "LLVM Language Reference, arcp: the reciprocal of a divisor may be used instead of a division";
const NNAN: &str = "LLVM Language Reference, nnan: neither operands nor results are NaN";
const NINF: &str = "LLVM Language Reference, ninf: neither operands nor results are infinite";
const NSZ: &str = "LLVM Language Reference, nsz: the sign of a zero is insignificant";
const REASSOC: &str = "LLVM Language Reference, reassoc: reassociation is permitted";
const AFN: &str = "LLVM Language Reference, afn: functions may be approximated";
const NONE: &str =
    "LLVM Language Reference: without flags, as IEEE 754 has it in the default environment";

#[rustfmt::skip] // a table
pub const LINES: &[Line] = &[
    Line { name: "flag/arcp-constant", cuda: "", ir: "fdiv arcp float %a, 3.0", types: "f32 -> f32", over: &[],
        cases: &[Case { when: "prec-div", means: "div.rn{.z}.f32(a, 3.0) or mul.rn{.z}.f32(a, 0x3eaaaaab)", source: ARCP }] },
    Line { name: "flag/arcp", cuda: "", ir: "fdiv arcp float %a, %b", types: "f32 f32 -> f32", over: &[],
        cases: &[Case { when: "prec-div", means: "div.rn{.z}.f32(a, b) or mul.rn{.z}.f32(a, rcp.rn{.z}.f32(b))", source: ARCP }] },
    Line { name: "flag/{flag}-{name}", cuda: "", ir: "f{name} {flag} float %a, %b", types: "f32 f32 -> f32",
        over: &[(&["name"], &[&["add"], &["sub"], &["mul"]]), (&["flag"], &[&["nnan"], &["ninf"], &["nsz"]])],
        cases: &[
            Case { when: "", means: "{name}.rn{.z}.f32(a, b); {flag}", source: "LLVM Language Reference, nnan, ninf and nsz" },
        ] },
    Line { name: "flag/nsz-plus-zero", cuda: "", ir: "fadd nsz float %a, 0.0", types: "f32 -> f32", over: &[],
        cases: &[Case { when: "", means: "add.rn{?z}.f32(a, 0.0); nsz", source: NSZ }] },
    Line { name: "flag/plus-zero", cuda: "", ir: "fadd float %a, 0.0", types: "f32 -> f32", over: &[],
        cases: &[Case { when: "", means: "add.rn{?z}.f32(a, 0.0)", source: NONE }] },
    Line { name: "flag/nsz-zero-minus", cuda: "", ir: "fsub nsz float 0.0, %a", types: "f32 -> f32", over: &[],
        cases: &[Case { when: "", means: "sub.rn{?z}.f32(0.0, a); nsz", source: NSZ }] },
    Line { name: "flag/zero-minus", cuda: "", ir: "fsub float 0.0, %a", types: "f32 -> f32", over: &[],
        cases: &[Case { when: "", means: "sub.rn{?z}.f32(0.0, a)", source: NONE }] },
    Line { name: "flag/nnan-ninf-same-minus", cuda: "", ir: "fsub nnan ninf float %a, %a", types: "f32 -> f32", over: &[],
        cases: &[Case { when: "", means: "sub.rn{?z}.f32(a, a); nnan ninf", source: NNAN }] },
    Line { name: "flag/same-minus", cuda: "", ir: "fsub float %a, %a", types: "f32 -> f32", over: &[],
        cases: &[Case { when: "", means: "sub.rn{?z}.f32(a, a)", source: NONE }] },
    Line { name: "flag/nnan-nsz-times-zero", cuda: "", ir: "fmul nnan nsz float %a, 0.0", types: "f32 -> f32", over: &[],
        cases: &[Case { when: "", means: "mul.rn{?z}.f32(a, 0.0); nnan nsz", source: NNAN }] },
    Line { name: "flag/ninf-divided", cuda: "", ir: "fdiv ninf float %a, %b", types: "f32 f32 -> f32", over: &[],
        cases: &[Case { when: "prec-div", means: "div.rn{.z}.f32(a, b); ninf", source: NINF }] },
    Line { name: "flag/reassoc", cuda: "", ir: "%s = fadd reassoc nsz float %a, %b; fadd reassoc nsz float %s, %c", types: "f32 f32 f32 -> f32", over: &[],
        cases: &[Case { when: "", source: REASSOC,
            means: "add.rn{.z}.f32(add.rn{.z}.f32(a, b), c) or add.rn{.z}.f32(a, add.rn{.z}.f32(b, c)) or add.rn{.z}.f32(add.rn{.z}.f32(a, c), b); nsz" }] },
    Line { name: "flag/no-reassoc", cuda: "", ir: "%s = fadd float %a, %b; fadd float %s, %c", types: "f32 f32 f32 -> f32", over: &[],
        cases: &[Case { when: "", means: "add.rn{.z}.f32(add.rn{.z}.f32(a, b), c)", source: NONE }] },
    Line { name: "flag/reassoc-constants", cuda: "", ir: "%s = fadd reassoc nsz float %a, 0.5; fadd reassoc nsz float %s, 3.0", types: "f32 -> f32", over: &[],
        cases: &[Case { when: "", means: "add.rn{.z}.f32(add.rn{.z}.f32(a, 0.5), 3.0) or add.rn{.z}.f32(a, 3.5); nsz", source: REASSOC }] },
    Line { name: "flag/no-reassoc-constants", cuda: "", ir: "%s = fadd float %a, 0.5; fadd float %s, 3.0", types: "f32 -> f32", over: &[],
        cases: &[Case { when: "", means: "add.rn{.z}.f32(add.rn{.z}.f32(a, 0.5), 3.0)", source: NONE }] },
    Line { name: "flag/afn-sqrt", cuda: "", ir: "call afn float @llvm.sqrt.f32(float %a)", types: "f32 -> f32", over: &[],
        cases: &[
            Case { when: "prec-sqrt", means: "sqrt.approx{.z}.f32", source: AFN },
            Case { when: "", means: "sqrt.approx{.z}.f32", source: AFN },
        ] },
    Line { name: "flag/afn-{name}", cuda: "", ir: "call afn float @llvm.{name}.f32(float %a)", types: "f32 -> f32",
        over: &[(&["name"], &[&["sin"], &["cos"]])],
        cases: &[Case { when: "llvm-ir", means: "{name}.approx{.z}.f32", source: AFN }] },
    Line { name: "flag/afn-div", cuda: "", ir: "fdiv afn float %a, %b", types: "f32 f32 -> f32", over: &[],
        cases: &[Case { when: "prec-div", means: "div.rn{.z}.f32 or div.approx{.z}.f32", source: "LLVM Language Reference, afn: functions may be approximated; whether a quotient is one it does not say" }] },
];
