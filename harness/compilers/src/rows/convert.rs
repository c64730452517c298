//! Lists the rows of conversions.

use super::{ConditionalPromise, Hole, PromiseLine};

const DIRECTIONS: Hole = (&["r", "ptx"], &[&["rn", "rn"], &["rz", "rz"], &["rd", "rm"], &["ru", "rp"]]);
const INTEGERS: Hole =
    (&["c", "int"], &[&["int", "s32"], &["uint", "u32"], &["ll", "s64"], &["ull", "u64"]]);
const NAMED: &str = "CUDA Math API, type casting intrinsics: rounded in the mode that the name says";
const LANGREF: &str = "LLVM Language Reference: rounded to nearest, ties to even";
const CUT: &str = "LLVM Language Reference, fptosi and fptoui: rounded toward zero, and poison where the value does not fit; ISO C++, conv.fpint: truncated, and undefined where the value cannot be represented";
const WHOLE: &str = "LLVM Language Reference, sitofp and uitofp: the value, rounded to nearest, ties to even; ISO C++, conv.fpint: exact where that is possible";
const TRUTH: &str = "ISO C++, conv.bool: of zero false, of any other value true";
const ONE_BIT: &str = "LLVM Language Reference, fptosi and fptoui: rounded toward zero, and poison where the value does not fit; a bit with a sign is 0 or -1";
/// The floating-point types, as PTX and LLVM call them.
const FLOATS: Hole = (
    &["t", "ir", "z"],
    &[&["f32", "float", "{?z}"], &["f64", "double", ""], &["f16", "half", ""], &["bf16", "bfloat", ""]],
);
/// The floating-point types of CUDA C++ that are no classes.
const WIDE: Hole = (&["t", "ir", "z"], &[&["f32", "float", "{?z}"], &["f64", "double", ""]]);
const HALVES: Hole = (&["t", "ir", "z"], &[&["f16", "half", ""], &["bf16", "bfloat", ""]]);
/// The integers of 8 and 16 bits, as PTX, LLVM and CUDA C++ call them, with the letter of LLVM's operations.
const NARROW: Hole = (
    &["int", "irint", "c", "s"],
    &[
        &["s8", "i8", "signed char", "s"],
        &["u8", "i8", "unsigned char", "u"],
        &["s16", "i16", "short", "s"],
        &["u16", "i16", "unsigned short", "u"],
    ],
);
/// The integers of one bit of LLVM's language, in an integer of 8 bits, with the operation that makes it wider.
const BIT: Hole =
    (&["bit", "s", "int", "ext"], &[&["s1", "s", "s8", "sext"], &["u1", "u", "u8", "zext"]]);
const FLUSHED: &str = "LLVM Language Reference: rounded to nearest, ties to even; denormal-fp-math: an operand may be zero where it is \
                       subnormal";

#[rustfmt::skip] // a table
pub const LINES: &[PromiseLine] = &[
    PromiseLine { name: "cast/__double2float_{r}", cuda: "__double2float_{r}(a)", ir: "", types: "f64 -> f32", over: &[DIRECTIONS],
        cases: &[ConditionalPromise { when: "", means: "cvt.{ptx}{.z}.f32.f64", source: NAMED }] },
    PromiseLine { name: "cast/__float2{c}_{r}", cuda: "__float2{c}_{r}(a)", ir: "", types: "f32 -> {int}", over: &[INTEGERS, DIRECTIONS],
        cases: &[ConditionalPromise { when: "", means: "cvt.{ptx}i{.z}.{int}.f32", source: NAMED }] },
    PromiseLine { name: "cast/__double2{c}_{r}", cuda: "__double2{c}_{r}(a)", ir: "", types: "f64 -> {int}", over: &[INTEGERS, DIRECTIONS],
        cases: &[ConditionalPromise { when: "", means: "cvt.{ptx}i.{int}.f64", source: NAMED }] },
    PromiseLine { name: "cast/__{c}2float_{r}", cuda: "__{c}2float_{r}(a)", ir: "", types: "{int} -> f32", over: &[INTEGERS, DIRECTIONS],
        cases: &[ConditionalPromise { when: "", means: "cvt.{ptx}.f32.{int}", source: NAMED }] },
    PromiseLine { name: "cast/__{c}2double_{r}", cuda: "__{c}2double_{r}(a)", ir: "", types: "{int} -> f64", over: &[(&["c", "int"], &[&["ll", "s64"], &["ull", "u64"]]), DIRECTIONS],
        cases: &[ConditionalPromise { when: "", means: "cvt.{ptx}.f64.{int}", source: NAMED }] },
    PromiseLine { name: "cast/{from}.{to}", cuda: "", ir: "fptrunc {irfrom} %a to {irto}", types: "{from} -> {to}",
        over: &[(&["from", "irfrom", "to", "irto"], &[&["f32", "float", "f16", "half"], &["f64", "double", "f16", "half"], &["f64", "double", "bf16", "bfloat"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn.{to}.{from}", source: LANGREF }] },
    // A product with 1 is a number itself, flushed.
    PromiseLine { name: "cast/f32.bf16", cuda: "", ir: "fptrunc float %a to bfloat", types: "f32 -> bf16", over: &[],
        cases: &[
            ConditionalPromise { when: "ftz", means: "cvt.rn.bf16.f32 or cvt.rn.bf16.f32(mul.rn.ftz.f32(a, 1.0))", source: FLUSHED },
            ConditionalPromise { when: "", means: "cvt.rn.bf16.f32", source: LANGREF },
        ] },
    PromiseLine { name: "cast/f64.f32", cuda: "(float)a", ir: "fptrunc double %a to float", types: "f64 -> f32", over: &[],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn{?z}.f32.f64", source: LANGREF }] },
    PromiseLine { name: "cast/{from}.{to}", cuda: "", ir: "fpext {irfrom} %a to {irto}", types: "{from} -> {to}",
        over: &[(&["from", "irfrom", "to", "irto"], &[&["f16", "half", "f64", "double"], &["bf16", "bfloat", "f64", "double"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.{to}.{from}", source: "LLVM Language Reference: every number has its value" }] },
    PromiseLine { name: "cast/{from}.f32", cuda: "", ir: "fpext {ir} %a to float", types: "{from} -> f32",
        over: &[(&["from", "ir"], &[&["f16", "half"], &["bf16", "bfloat"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt{?z}.f32.{from}", source: "LLVM Language Reference: every number has its value, where a result is not flushed" }] },
    PromiseLine { name: "cast/{int}.{to}", cuda: "", ir: "{op} {irint} %a to {irto}", types: "{int} -> {to}",
        over: &[(&["op", "int", "irint"], &[&["sitofp", "s32", "i32"], &["uitofp", "u32", "i32"], &["sitofp", "s64", "i64"], &["uitofp", "u64", "i64"]]),
                (&["to", "irto"], &[&["f16", "half"], &["bf16", "bfloat"], &["f32", "float"], &["f64", "double"]])],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn.{to}.{int}", source: LANGREF }] },
    PromiseLine { name: "cast/{t}.{int}", cuda: "({c})a", ir: "fpto{s}i {ir} %a to {irint}", types: "{t} -> {int}", over: &[WIDE, NARROW],
        cases: &[ConditionalPromise { when: "", means: "cvt.rzi{z}.{int}.{t}; fits-{int}", source: CUT }] },
    PromiseLine { name: "cast/{t}.{int}", cuda: "", ir: "fpto{s}i {ir} %a to {irint}", types: "{t} -> {int}", over: &[HALVES, NARROW],
        cases: &[ConditionalPromise { when: "", means: "cvt.rzi.{int}.{t}; fits-{int}", source: CUT }] },
    PromiseLine { name: "cast/{int}.{t}", cuda: "({ir})a", ir: "{s}itofp {irint} %a to {ir}", types: "{int} -> {t}", over: &[WIDE, NARROW],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn.{t}.{int}", source: WHOLE }] },
    PromiseLine { name: "cast/{int}.{t}", cuda: "", ir: "{s}itofp {irint} %a to {ir}", types: "{int} -> {t}", over: &[HALVES, NARROW],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn.{t}.{int}", source: WHOLE }] },
    PromiseLine { name: "cast/{t}.{bit}", cuda: "", ir: "%k = fpto{s}i {ir} %a to i1; {ext} i1 %k to i8", types: "{t} -> {int}", over: &[FLOATS, BIT],
        cases: &[ConditionalPromise { when: "", means: "cvt.rzi{z}.{int}.{t}; fits-{bit}", source: ONE_BIT }] },
    PromiseLine { name: "cast/{bit}.{t}", cuda: "", ir: "%k = trunc i8 %a to i1; {s}itofp i1 %k to {ir}", types: "{int} -> {t}", over: &[FLOATS, BIT],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn.{t}.{int}; fits-{bit}", source: WHOLE }] },
    PromiseLine { name: "cast/{t}.bool", cuda: "-(int)(bool)a", ir: "", types: "{t} -> s32", over: &[WIDE],
        cases: &[ConditionalPromise { when: "", means: "set.neu{z}.s32.{t}(a, 0.0)", source: TRUTH }] },
    PromiseLine { name: "cast/bool.{t}", cuda: "({ir})(bool)a", ir: "", types: "u8 -> {t}", over: &[WIDE],
        cases: &[ConditionalPromise { when: "", means: "cvt.rn.{t}.u8; fits-u1", source: WHOLE }] },
];
