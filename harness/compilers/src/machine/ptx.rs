//! Rows of PTX: what ptxas contracts, and what it makes of modifiers.
//!
//! "An add instruction with no rounding modifier defaults to round-to-nearest-even and may be optimized aggressively
//! by the code optimizer. In particular, mul/add sequences with no rounding modifiers may be optimized to use
//! fused-multiply-add instructions on the target device" (PTX ISA, add). Where ptxas may contract, both outcomes are
//! right, and the one that ptxas has chosen is counted.

use std::fmt::Write;

use super::rows::{MachineLine, MachineRow};
use crate::rows::Hole;

const MAY: &str = "PTX ISA, add, sub and mul: without rounding modifiers, products and sums \"may be optimized to use \
                   fused-multiply-add instructions\"";
const MUST: &str = "PTX ISA, add, sub and mul: an explicit rounding modifier is \"treated conservatively by the code optimizer\"";
const OTHERWISE: &str = "PTX ISA, fma: one rounding, one .ftz and one .sat, which is of the sum: a pair in which they differ is \
                         no fma";
const OPTION: &str =
    "ptxas --help: -fmad=false disables \"the contraction of floating-point multiplies and adds\"";
const MODIFIERS: &str = "PTX ISA, add, sub, mul, fma, min and max: what .rz, .rm, .rp, .ftz, .sat, .relu, .oob and .NaN mean";

/// The targets of instructions that are older than `sm_100`.
const OLD: &[&str] = &["sm_90", "sm_100"];
/// The target of instructions that no older one has.
const NEW: &[&str] = &["sm_100"];
/// The options of rows that contraction may concern, which `-fmad=false` would decide.
const LEVELS: &[&str] = &["-O3", "-O0"];
/// The options of rows that have to hold under any, contraction switched off among them.
const EVERY: &[&str] = &["-O3", "-O0", "-fmad=false"];

/// Types, with the names of their operations in machine code.
const TYPES: Hole = (
    &["t", "ADD", "MUL", "FMA"],
    &[
        &["f32", "FADD", "FMUL", "FFMA"],
        &["f64", "DADD", "DMUL", "DFMA"],
        &["f16", "HADD2", "HMUL2", "HFMA2"],
        &["bf16", "HADD2.BF16", "HMUL2.BF16", "HFMA2.BF16"],
        &["f16x2", "HADD2", "HMUL2", "HFMA2"],
        &["bf16x2", "HADD2.BF16", "HMUL2.BF16", "HFMA2.BF16"],
    ],
);
/// The types that flush and clamp, with the names of their operations in machine code.
const HALVES: Hole = (
    &["t", "ADD", "MUL", "FMA"],
    &[
        &["f32", "FADD", "FMUL", "FFMA"],
        &["f16", "HADD2", "HMUL2", "HFMA2"],
        &["f16x2", "HADD2", "HMUL2", "HFMA2"],
    ],
);
const F32X2: Hole = (&["t", "ADD", "MUL", "FMA"], &[&["f32x2", "FADD2", "FMUL2", "FFMA2"]]);
/// The sum of a product and an addend, and both differences.
const SUMS: Hole = (
    &["sum", "op", "l", "r"],
    &[&["add", "add", "%m", "%c"], &["sub", "sub", "%m", "%c"], &["sub-from", "sub", "%c", "%m"]],
);
/// Where a rounding may be written: on the product and the sum, or on one of them.
const ROUNDED: Hole =
    (&["on", "x", "y"], &[&["both", ".rn", ".rn"], &["product", ".rn", ""], &["sum", "", ".rn"]]);
const ROUNDINGS: Hole =
    (&["rnd", "RND"], &[&[".rn", ""], &[".rz", ".RZ"], &[".rm", ".RM"], &[".rp", ".RP"]]);
const DIRECTED: Hole = (&["rnd", "RND"], &[&[".rz", ".RZ"], &[".rm", ".RM"], &[".rp", ".RP"]]);
const FTZ: Hole = (&["z", "Z"], &[&["", ""], &[".ftz", ".FTZ"]]);
const SAT: Hole = (&["s", "S"], &[&["", ""], &[".sat", ".SAT"]]);
const OPERATIONS: Hole = (
    &["op", "OP", "c"],
    &[&["add", "ADD", ""], &["sub", "ADD", ""], &["mul", "MUL", ""], &["fma", "FMA", ", %c"]],
);
const WITHOUT_FMA: Hole = (&["op", "OP"], &[&["add", "ADD"], &["sub", "ADD"], &["mul", "MUL"]]);

#[rustfmt::skip] // a table
pub const LINES: &[MachineLine] = &[
    // What may be contracted.
    MachineLine { name: "contract/{sum}.{t}", types: "{t}", text: "mul.{t} %m, %a, %b; {op}.{t} %d, {l}, {r};",
        over: &[TYPES, SUMS], due: "{FMA} | {MUL} {ADD}", options: LEVELS, targets: OLD, source: MAY },
    MachineLine { name: "contract/{sum}.{t}", types: "{t}", text: "mul.{t} %m, %a, %b; {op}.{t} %d, {l}, {r};",
        over: &[F32X2, SUMS], due: "{FMA} | {MUL} {ADD}", options: LEVELS, targets: NEW, source: MAY },
    MachineLine { name: "contract/add.ftz.{t}", types: "{t}", text: "mul.ftz.{t} %m, %a, %b; add.ftz.{t} %d, %m, %c;",
        over: &[HALVES], due: "{FMA}.FTZ | {MUL}.FTZ {ADD}.FTZ", options: LEVELS, targets: OLD, source: MAY },
    MachineLine { name: "contract/add.ftz.{t}", types: "{t}", text: "mul.ftz.{t} %m, %a, %b; add.ftz.{t} %d, %m, %c;",
        over: &[F32X2], due: "{FMA}.FTZ | {MUL}.FTZ {ADD}.FTZ", options: LEVELS, targets: NEW, source: MAY },
    MachineLine { name: "contract/add.sat.{t}", types: "{t}", text: "mul.{t} %m, %a, %b; add.sat.{t} %d, %m, %c;",
        over: &[HALVES], due: "{FMA}.SAT | {MUL} {ADD}.SAT", options: LEVELS, targets: OLD, source: MAY },
    MachineLine { name: "contract/neg-between.{t}", types: "{t}", text: "mul.{t} %m, %a, %b; neg.{t} %n, %m; add.{t} %d, %n, %c;",
        over: &[TYPES], due: "{FMA} | {MUL} {ADD}", options: LEVELS, targets: OLD, source: MAY },
    // What must not be contracted.
    MachineLine { name: "apart/rn-on-{on}/{sum}.{t}", types: "{t}", text: "mul{x}.{t} %m, %a, %b; {op}{y}.{t} %d, {l}, {r};",
        over: &[TYPES, SUMS, ROUNDED], due: "{MUL} {ADD}", options: LEVELS, targets: OLD, source: MUST },
    MachineLine { name: "apart/rn-on-{on}/{sum}.{t}", types: "{t}", text: "mul{x}.{t} %m, %a, %b; {op}{y}.{t} %d, {l}, {r};",
        over: &[F32X2, SUMS, ROUNDED], due: "{MUL} {ADD}", options: LEVELS, targets: NEW, source: MUST },
    MachineLine { name: "apart/directed{rnd}/add.{t}", types: "{t}", text: "mul{rnd}.{t} %m, %a, %b; add{rnd}.{t} %d, %m, %c;",
        over: &[(&["t", "ADD", "MUL"], &[&["f32", "FADD", "FMUL"], &["f64", "DADD", "DMUL"]]), DIRECTED],
        due: "{MUL}{RND} {ADD}{RND}", options: LEVELS, targets: OLD, source: MUST },
    MachineLine { name: "apart/directed{rnd}/add.{t}", types: "{t}", text: "mul{rnd}.{t} %m, %a, %b; add{rnd}.{t} %d, %m, %c;",
        over: &[F32X2, DIRECTED], due: "{MUL}{RND} {ADD}{RND}", options: LEVELS, targets: NEW, source: MUST },
    MachineLine { name: "apart/directed{rnd}-product/add.{t}", types: "{t}", text: "mul{rnd}.{t} %m, %a, %b; add.{t} %d, %m, %c;",
        over: &[(&["t", "ADD", "MUL"], &[&["f32", "FADD", "FMUL"], &["f64", "DADD", "DMUL"]]), DIRECTED],
        due: "{MUL}{RND} {ADD}", options: LEVELS, targets: OLD, source: MUST },
    MachineLine { name: "apart/ftz-on-product/add.{t}", types: "{t}", text: "mul.ftz.{t} %m, %a, %b; add.{t} %d, %m, %c;",
        over: &[HALVES], due: "{MUL}.FTZ {ADD}", options: EVERY, targets: OLD, source: OTHERWISE },
    MachineLine { name: "apart/ftz-on-sum/add.{t}", types: "{t}", text: "mul.{t} %m, %a, %b; add.ftz.{t} %d, %m, %c;",
        over: &[HALVES], due: "{MUL} {ADD}.FTZ", options: EVERY, targets: OLD, source: OTHERWISE },
    MachineLine { name: "apart/ftz-on-product/add.{t}", types: "{t}", text: "mul.ftz.{t} %m, %a, %b; add.{t} %d, %m, %c;",
        over: &[F32X2], due: "{MUL}.FTZ {ADD}", options: EVERY, targets: NEW, source: OTHERWISE },
    MachineLine { name: "apart/ftz-on-sum/add.{t}", types: "{t}", text: "mul.{t} %m, %a, %b; add.ftz.{t} %d, %m, %c;",
        over: &[F32X2], due: "{MUL} {ADD}.FTZ", options: EVERY, targets: NEW, source: OTHERWISE },
    MachineLine { name: "apart/sat-on-product/add.{t}", types: "{t}", text: "mul.sat.{t} %m, %a, %b; add.{t} %d, %m, %c;",
        over: &[HALVES], due: "{MUL}.SAT {ADD}", options: EVERY, targets: OLD, source: OTHERWISE },
    MachineLine { name: "apart/abs-between/add.{t}", types: "{t}", text: "mul.{t} %m, %a, %b; abs.{t} %n, %m; add.{t} %d, %n, %c;",
        over: &[TYPES], due: "{MUL} {ADD}", options: EVERY, targets: OLD,
        source: "PTX ISA, abs: a·b + c of a magnitude is no fma of the operands" },
    MachineLine { name: "apart/fmad-false/{sum}.{t}", types: "{t}", text: "mul.{t} %m, %a, %b; {op}.{t} %d, {l}, {r};",
        over: &[TYPES, SUMS], due: "{MUL} {ADD}", options: &["-fmad=false"], targets: OLD, source: OPTION },
    MachineLine { name: "apart/fmad-false/{sum}.{t}", types: "{t}", text: "mul.{t} %m, %a, %b; {op}.{t} %d, {l}, {r};",
        over: &[F32X2, SUMS], due: "{MUL} {ADD}", options: &["-fmad=false"], targets: NEW, source: OPTION },
    MachineLine { name: "apart/fmad-false/neg-between.{t}", types: "{t}", text: "mul.{t} %m, %a, %b; neg.{t} %n, %m; add.{t} %d, %n, %c;",
        over: &[TYPES], due: "{MUL} {ADD}", options: &["-fmad=false"], targets: OLD, source: OPTION },
    // Modifiers.
    MachineLine { name: "modifier/{op}{rnd}{z}{s}.f32", types: "f32", text: "{op}{rnd}{z}{s}.f32 %d, %a, %b{c};",
        over: &[OPERATIONS, ROUNDINGS, FTZ, SAT], due: "F{OP}{RND}{Z}{S}", options: EVERY, targets: OLD, source: MODIFIERS },
    MachineLine { name: "modifier/{op}{rnd}{z}.f32x2", types: "f32x2", text: "{op}{rnd}{z}.f32x2 %d, %a, %b{c};",
        over: &[OPERATIONS, ROUNDINGS, FTZ], due: "F{OP}2{RND}{Z}", options: EVERY, targets: NEW, source: MODIFIERS },
    MachineLine { name: "modifier/{op}{rnd}.f64", types: "f64", text: "{op}{rnd}.f64 %d, %a, %b{c};",
        over: &[OPERATIONS, ROUNDINGS], due: "D{OP}{RND}", options: EVERY, targets: OLD, source: MODIFIERS },
    MachineLine { name: "modifier/{op}.rn{z}{s}.{t}", types: "{t}", text: "{op}.rn{z}{s}.{t} %d, %a, %b{c};",
        over: &[OPERATIONS, FTZ, SAT, (&["t"], &[&["f16"], &["f16x2"]])], due: "H{OP}2{Z}{S}", options: EVERY, targets: OLD, source: MODIFIERS },
    MachineLine { name: "modifier/{op}.rn.{t}", types: "{t}", text: "{op}.rn.{t} %d, %a, %b;",
        over: &[WITHOUT_FMA, (&["t"], &[&["bf16"], &["bf16x2"]])], due: "H{OP}2.BF16", options: EVERY, targets: OLD, source: MODIFIERS },
    MachineLine { name: "modifier/fma.rn{z}{m}.{t}", types: "{t}", text: "fma.rn{z}{m}.{t} %d, %a, %b, %c;",
        over: &[FTZ, (&["m", "M"], &[&[".relu", ".RELU"]]), (&["t"], &[&["f16"], &["f16x2"]])],
        due: "HFMA2{Z}{M}", options: EVERY, targets: OLD, source: MODIFIERS },
    MachineLine { name: "modifier/fma.rn{m}.{t}", types: "{t}", text: "fma.rn{m}.{t} %d, %a, %b, %c;",
        over: &[(&["m", "M"], &[&["", ""], &[".relu", ".RELU"], &[".oob", ".OOB"], &[".oob.relu", ".OOB.RELU"]]), (&["t"], &[&["bf16"], &["bf16x2"]])],
        due: "HFMA2.BF16{M}", options: EVERY, targets: OLD, source: MODIFIERS },
    MachineLine { name: "modifier/fma.rn{m}.{t}", types: "{t}", text: "fma.rn{m}.{t} %d, %a, %b, %c;",
        over: &[(&["m", "M"], &[&[".oob", ".OOB"], &[".oob.relu", ".OOB.RELU"]]), (&["t"], &[&["f16"], &["f16x2"]])],
        due: "HFMA2{M}", options: EVERY, targets: OLD, source: MODIFIERS },
    MachineLine { name: "modifier/{op}{z}{n}.f32", types: "f32", text: "{op}{z}{n}.f32 %d, %a, %b;",
        over: &[(&["op"], &[&["min"], &["max"]]), FTZ, (&["n", "N"], &[&["", ""], &[".NaN", ".NAN"]])],
        due: "FMNMX{Z}{N}", options: EVERY, targets: OLD, source: MODIFIERS },
];

/// Returns the type of a register and its width in bytes: in half precision the type of its bits.
fn register(ty: &str) -> (&str, usize) {
    match ty {
        "f32" => ("f32", 4),
        "f64" => ("f64", 8),
        "f16" | "bf16" => ("b16", 2),
        "f32x2" => ("b64", 8),
        _ => ("b32", 4),
    }
}

/// Returns the source of a kernel that loads three operands and stores the result, volatile, so that none of it is
/// optimised away.
pub fn kernel(row: &MachineRow, name: &str, target: &str) -> String {
    let (register, bytes) = register(&row.types);
    // PTX 8.6 is the first version that has `sm_100`, and instructions of `f32x2`.
    let mut text = format!(
        ".version 8.6\n.target {target}\n.address_size 64\n.visible .entry {name}(.param .u64 to)\n{{\n\
         .reg .{register} %a, %b, %c, %d, %m, %n;\n.reg .b64 %to;\nld.param.u64 %to, [to];\n"
    );
    for (at, operand) in ["%a", "%b", "%c"].iter().enumerate() {
        let _ = writeln!(text, "ld.volatile.global.{register} {operand}, [%to+{}];", at * bytes);
    }
    let lines = row.text.split_inclusive("; ").map(str::trim_end);
    lines.for_each(|line| text += &format!("{line}\n"));
    text + &format!("st.volatile.global.{register} [%to+{}], %d;\nret;\n}}\n", 4 * bytes)
}
