//! Lists the rows of LLVM's flags, one by one and all at once.

use super::{ConditionalPromise, Hole, PromiseLine};

/// The types of rows: the ending of a row's name, the type as PTX and LLVM call it, and the condition of the promise.
/// Halves have a condition, because other rows promise that options of single precision leave them alone.
const TYPES: Hole = (
    &["n", "t", "ir", "z", "y", "when"],
    &[
        &["", "f32", "float", "{.z}", "{?z}", ""],
        &[".f64", "f64", "double", "", "", ""],
        &[".f16", "f16", "half", "", "", UNFLUSHED],
        &[".bf16", "bf16", "bfloat", "", "", UNFLUSHED],
    ],
);
const UNFLUSHED: &str = "!ftz !ftz-results";
/// The types of rows of several operations. Halves are missing: for several operations on them, LLVM does not say what
/// is rounded where nothing is infinite.
const WIDE: Hole =
    (&["n", "t", "ir", "z"], &[&["", "f32", "float", "{.z}"], &[".f64", "f64", "double", ""]]);
const ARITHMETIC: Hole = (&["name"], &[&["add"], &["sub"], &["mul"]]);
const ARCP: &str =
    "LLVM Language Reference, arcp: the reciprocal of a divisor may be used instead of a division";
const NNAN: &str = "LLVM Language Reference, nnan and fast: neither operands nor results are NaN";
const NINF: &str = "LLVM Language Reference, ninf: neither operands nor results are infinite";
const NSZ: &str = "LLVM Language Reference, nsz and fast: the sign of a zero is insignificant";
const REASSOC: &str = "LLVM Language Reference, reassoc: reassociation is permitted";
const AFN: &str = "LLVM Language Reference, afn: functions may be approximated";
const FAST: &str = "LLVM Language Reference, fast: all seven flags at once";
const NONE: &str =
    "LLVM Language Reference: without flags, as IEEE 754 has it in the default environment";

#[rustfmt::skip] // a table
pub const LINES: &[PromiseLine] = &[
    // The constant 0x3eaaaaab is the reciprocal of 3 in single precision, and 0x3fd5555555555555 in double precision.
    PromiseLine { name: "flag/arcp-constant", cuda: "", ir: "fdiv arcp float %a, 3.0", types: "f32 -> f32", over: &[],
        cases: &[ConditionalPromise { when: "prec-div", means: "div.rn{.z}.f32(a, 3.0) or mul.rn{.z}.f32(a, 0x3eaaaaab)", source: ARCP }] },
    PromiseLine { name: "flag/arcp", cuda: "", ir: "fdiv arcp float %a, %b", types: "f32 f32 -> f32", over: &[],
        cases: &[ConditionalPromise { when: "prec-div", means: "div.rn{.z}.f32(a, b) or mul.rn{.z}.f32(a, rcp.rn{.z}.f32(b))", source: ARCP }] },
    PromiseLine { name: "flag/arcp-constant.f64", cuda: "", ir: "fdiv arcp double %a, 3.0", types: "f64 -> f64", over: &[],
        cases: &[ConditionalPromise { when: "", means: "div.rn.f64(a, 3.0) or mul.rn.f64(a, 0x3fd5555555555555)", source: ARCP }] },
    PromiseLine { name: "flag/arcp.f64", cuda: "", ir: "fdiv arcp double %a, %b", types: "f64 f64 -> f64", over: &[],
        cases: &[ConditionalPromise { when: "", means: "div.rn.f64(a, b) or mul.rn.f64(a, rcp.rn.f64(b))", source: ARCP }] },
    PromiseLine { name: "flag/{flag}-{name}{n}", cuda: "", ir: "f{name} {flag} {ir} %a, %b", types: "{t} {t} -> {t}",
        over: &[TYPES, ARITHMETIC, (&["flag"], &[&["nnan"], &["ninf"], &["nsz"]])],
        cases: &[
            ConditionalPromise { when: "{when}", means: "{name}.rn{z}.{t}(a, b); {flag}", source: "LLVM Language Reference, nnan, ninf and nsz" },
        ] },
    PromiseLine { name: "flag/fast-{name}{n}", cuda: "", ir: "f{name} fast {ir} %a, %b", types: "{t} {t} -> {t}",
        over: &[TYPES, ARITHMETIC],
        cases: &[ConditionalPromise { when: "{when}", means: "{name}.rn{z}.{t}(a, b); nnan ninf nsz", source: FAST }] },
    PromiseLine { name: "flag/{name}{n}", cuda: "", ir: "{op} {ir} %a, 0.0", types: "{t} -> {t}",
        over: &[TYPES, (&["name", "op", "open"], &[&["nsz-plus-zero", "fadd nsz", "; nsz"], &["fast-plus-zero", "fadd fast", "; nnan ninf nsz"]])],
        cases: &[ConditionalPromise { when: "{when}", means: "add.rn{y}.{t}(a, 0x0){open}", source: NSZ }] },
    PromiseLine { name: "flag/plus-zero{n}", cuda: "", ir: "fadd {ir} %a, 0.0", types: "{t} -> {t}", over: &[TYPES],
        cases: &[ConditionalPromise { when: "{when}", means: "add.rn{y}.{t}(a, 0x0)", source: NONE }] },
    PromiseLine { name: "flag/{name}{n}", cuda: "", ir: "{op} {ir} 0.0, %a", types: "{t} -> {t}",
        over: &[TYPES, (&["name", "op", "open"], &[&["nsz-zero-minus", "fsub nsz", "; nsz"], &["fast-zero-minus", "fsub fast", "; nnan ninf nsz"]])],
        cases: &[ConditionalPromise { when: "{when}", means: "sub.rn{y}.{t}(0x0, a){open}", source: NSZ }] },
    PromiseLine { name: "flag/zero-minus{n}", cuda: "", ir: "fsub {ir} 0.0, %a", types: "{t} -> {t}", over: &[TYPES],
        cases: &[ConditionalPromise { when: "{when}", means: "sub.rn{y}.{t}(0x0, a)", source: NONE }] },
    PromiseLine { name: "flag/{name}-same-minus{n}", cuda: "", ir: "fsub {op} {ir} %a, %a", types: "{t} -> {t}",
        over: &[TYPES, (&["name", "op", "open"], &[&["nnan-ninf", "nnan ninf", "; nnan ninf"], &["fast", "fast", "; nnan ninf nsz"]])],
        cases: &[ConditionalPromise { when: "{when}", means: "sub.rn{y}.{t}(a, a){open}", source: NNAN }] },
    PromiseLine { name: "flag/same-minus{n}", cuda: "", ir: "fsub {ir} %a, %a", types: "{t} -> {t}", over: &[TYPES],
        cases: &[ConditionalPromise { when: "{when}", means: "sub.rn{y}.{t}(a, a)", source: NONE }] },
    PromiseLine { name: "flag/{name}-times-zero{n}", cuda: "", ir: "fmul {op} {ir} %a, 0.0", types: "{t} -> {t}",
        over: &[TYPES, (&["name", "op", "open"], &[&["nnan-nsz", "nnan nsz", "; nnan nsz"], &["fast", "fast", "; nnan ninf nsz"]])],
        cases: &[ConditionalPromise { when: "{when}", means: "mul.rn{y}.{t}(a, 0x0){open}", source: NNAN }] },
    PromiseLine { name: "flag/ninf-divided", cuda: "", ir: "fdiv ninf float %a, %b", types: "f32 f32 -> f32", over: &[],
        cases: &[ConditionalPromise { when: "prec-div", means: "div.rn{.z}.f32(a, b); ninf", source: NINF }] },
    PromiseLine { name: "flag/ninf-divided.f64", cuda: "", ir: "fdiv ninf double %a, %b", types: "f64 f64 -> f64", over: &[],
        cases: &[ConditionalPromise { when: "", means: "div.rn.f64(a, b); ninf", source: NINF }] },
    PromiseLine { name: "flag/reassoc{n}", cuda: "", ir: "%s = fadd reassoc nsz {ir} %a, %b; fadd reassoc nsz {ir} %s, %c", types: "{t} {t} {t} -> {t}", over: &[TYPES],
        cases: &[ConditionalPromise { when: "{when}", source: REASSOC,
            means: "add.rn{z}.{t}(add.rn{z}.{t}(a, b), c) or add.rn{z}.{t}(a, add.rn{z}.{t}(b, c)) or add.rn{z}.{t}(add.rn{z}.{t}(a, c), b); nsz" }] },
    PromiseLine { name: "flag/no-reassoc{n}", cuda: "", ir: "%s = fadd {ir} %a, %b; fadd {ir} %s, %c", types: "{t} {t} {t} -> {t}", over: &[TYPES],
        cases: &[ConditionalPromise { when: "{when}", means: "add.rn{z}.{t}(add.rn{z}.{t}(a, b), c)", source: NONE }] },
    PromiseLine { name: "flag/reassoc-constants{n}", cuda: "", ir: "%s = fadd reassoc nsz {ir} %a, 0.5; fadd reassoc nsz {ir} %s, 3.0", types: "{t} -> {t}", over: &[WIDE],
        cases: &[ConditionalPromise { when: "", means: "add.rn{z}.{t}(add.rn{z}.{t}(a, 0.5), 3.0) or add.rn{z}.{t}(add.rn{z}.{t}(a, 3.0), 0.5) or add.rn{z}.{t}(a, 3.5); nsz", source: REASSOC }] },
    PromiseLine { name: "flag/fast-constants{n}", cuda: "", ir: "%s = fadd fast {ir} %a, 0.5; fadd fast {ir} %s, 3.0", types: "{t} -> {t}", over: &[WIDE],
        cases: &[ConditionalPromise { when: "", means: "add.rn{z}.{t}(add.rn{z}.{t}(a, 0.5), 3.0) or add.rn{z}.{t}(add.rn{z}.{t}(a, 3.0), 0.5) or add.rn{z}.{t}(a, 3.5); nnan ninf nsz", source: FAST }] },
    PromiseLine { name: "flag/no-reassoc-constants{n}", cuda: "", ir: "%s = fadd {ir} %a, 0.5; fadd {ir} %s, 3.0", types: "{t} -> {t}", over: &[WIDE],
        cases: &[ConditionalPromise { when: "", means: "add.rn{z}.{t}(add.rn{z}.{t}(a, 0.5), 3.0)", source: NONE }] },
    PromiseLine { name: "flag/fast-sum{n}", cuda: "", ir: "%s = fadd fast {ir} %a, %b; fadd fast {ir} %s, %c", types: "{t} {t} {t} -> {t}", over: &[WIDE],
        cases: &[ConditionalPromise { when: "", source: FAST,
            means: "add.rn{z}.{t}(add.rn{z}.{t}(a, b), c) or add.rn{z}.{t}(a, add.rn{z}.{t}(b, c)) or add.rn{z}.{t}(add.rn{z}.{t}(a, c), b); nnan ninf nsz" }] },
    PromiseLine { name: "flag/fast-mul-add{n}", cuda: "", ir: "%m = fmul fast {ir} %a, %b; fadd fast {ir} %m, %c", types: "{t} {t} {t} -> {t}", over: &[WIDE],
        cases: &[ConditionalPromise { when: "", means: "fma.rn{z}.{t}(a, b, c) or add.rn{z}.{t}(mul.rn{z}.{t}(a, b), c); nnan ninf nsz", source: FAST }] },
    PromiseLine { name: "flag/afn-sqrt", cuda: "", ir: "call afn float @llvm.sqrt.f32(float %a)", types: "f32 -> f32", over: &[],
        cases: &[
            ConditionalPromise { when: "prec-sqrt", means: "sqrt.approx{.z}.f32", source: AFN },
            ConditionalPromise { when: "", means: "sqrt.approx{.z}.f32", source: AFN },
        ] },
    PromiseLine { name: "flag/afn-{name}", cuda: "", ir: "call afn float @llvm.{name}.f32(float %a)", types: "f32 -> f32",
        over: &[(&["name"], &[&["sin"], &["cos"]])],
        cases: &[ConditionalPromise { when: "llvm-ir", means: "{name}.approx{.z}.f32", source: AFN }] },
    PromiseLine { name: "flag/afn-div", cuda: "", ir: "fdiv afn float %a, %b", types: "f32 f32 -> f32", over: &[],
        cases: &[ConditionalPromise { when: "prec-div", means: "div.rn{.z}.f32 or div.approx{.z}.f32", source: "LLVM Language Reference, afn: functions may be approximated; whether a quotient is one it does not say" }] },
];
