//! Lists the rows of comparisons, whose results are 0 and -1.

use super::{ConditionalPromise, Hole, PromiseLine};

const TYPES: Hole = (
    &["t", "ir", "z"],
    &[&["f32", "float", "{?z}"], &["f64", "double", ""], &["f16", "half", ""], &["bf16", "bfloat", ""]],
);
const OPERATORS: &str = "CUDA C++ Programming Guide, floating-point standard: as IEEE 754 has it; CUDA Math API, half and bfloat16 comparison: \
                         of NaN only != holds; LLVM Language Reference, fcmp: ordered, and une of != unordered";
const FCMP: &str =
    "LLVM Language Reference, fcmp: of NaN the ordered ones are false and the unordered ones true";
const CLASSES: &str = "CUDA Math API, isnan, isinf, isfinite and signbit: nonzero where it holds, of infinities, zeros and NaN too";

#[rustfmt::skip] // a table
pub const LINES: &[PromiseLine] = &[
    PromiseLine { name: "compare/{p}.{t}", cuda: "-(a {c} b)", ir: "%k = fcmp {p} {ir} %a, %b; sext i1 %k to i32", types: "{t} {t} -> s32",
        over: &[(&["p", "c", "ptx"], &[&["oeq", "==", "eq"], &["une", "!=", "neu"], &["olt", "<", "lt"], &["ole", "<=", "le"], &["ogt", ">", "gt"], &["oge", ">=", "ge"]]), TYPES],
        cases: &[ConditionalPromise { when: "", means: "set.{ptx}{z}.s32.{t}", source: OPERATORS }] },
    PromiseLine { name: "compare/{p}.{t}", cuda: "", ir: "%k = fcmp {p} {ir} %a, %b; sext i1 %k to i32", types: "{t} {t} -> s32",
        over: &[(&["p", "ptx"], &[&["one", "ne"], &["ord", "num"], &["ueq", "equ"], &["ult", "ltu"], &["ule", "leu"], &["ugt", "gtu"], &["uge", "geu"], &["uno", "nan"]]), TYPES],
        cases: &[ConditionalPromise { when: "", means: "set.{ptx}{z}.s32.{t}", source: FCMP }] },
    PromiseLine { name: "compare/{c}.{t}", cuda: "-({c}(a) != 0)", ir: "", types: "{t} -> s32",
        over: &[(&["c", "means"], &[&["isnan", "set.nan.s32.{t}(a, a)"], &["isinf", "set.eq.s32.{t}(abs.{t}(a), {inf})"],
                               &["isfinite", "set.lt.s32.{t}(abs.{t}(a), {inf})"], &["signbit", "set.lt.s32.{t}(copysign.{t}(a, 1.0), 0.0)"]]),
                (&["t", "inf"], &[&["f32", "0x7f800000"], &["f64", "0x7ff0000000000000"]])],
        cases: &[ConditionalPromise { when: "", means: "{means}", source: CLASSES }] },
];
