//! The parts of kernels that have one row a thread: the row's number, its place in columns, and the registers of a
//! variant.

use isa::{Register, Type, Variant};

use crate::builder::Body;
use crate::instruction::instruction;
use crate::syntax::{
    B16, B64, Binary, Instruction, Operand, PRED, Parameter, Relation, S32, S64, Scalar, U8, U16, U32,
    U64,
};

/// The label where threads go that have no row.
pub const DONE: &str = "DONE";

/// Declares the registers for the number and the place of a thread's row.
pub fn declare_row(body: &mut Body) {
    for name in ["%row", "%size", "%thread", "%rows"] {
        body.declare(U32, [name]);
    }
    body.declare(PRED, ["%beyond"]);
    body.declare(B64, ["%offset"]);
}

/// Sets `%row` to the number of the thread's row, and `%rows` to the number of all rows.
pub fn number_row(body: &mut Body) {
    body.mov(U32, "%row", "%ctaid.x");
    body.mov(U32, "%size", "%ntid.x");
    body.mov(U32, "%thread", "%tid.x");
    // Compilers write the signed type here; the low bits of the product are the same.
    body.mad(Binary::MulLow, S32, "%row", ["%row", "%size"], "%thread");
    body.ld_param(U32, "%rows", "rows");
}

/// Sends threads that have no row to a label.
pub fn leave_beyond(body: &mut Body, label: &str) {
    body.setp(Relation::GreaterOrEqual, U32, "%beyond", "%row", "%rows");
    body.bra_where("%beyond", label);
}

/// Declares the registers that a kernel loads, executes and stores with, each by itself. They have the manual's
/// names, behind `%`.
pub fn declarations(variant: &Variant) -> Body {
    let mut body = Body::default();
    let all = || variant.results().iter().chain(variant.operands());
    // ptxas 13.5 takes no wider registers for the bytes of these conversions.
    let narrow = all().any(|register| register.ty.name == "bf16");
    for register in all() {
        let ty = &register.ty;
        let ty = if narrow && ty.width() == 8 { Scalar::of(ty) } else { declared(ty) };
        body.declare(ty, [named(register)]);
    }
    body.declare(B64, ["%at"]);
    if variant.results().iter().chain(variant.operands()).any(|register| is_predicate(&register.ty)) {
        body.declare(B16, ["%flag"]);
    }
    body
}

/// Returns the type that compilers declare a register with that holds a type of the table. It is f32, f64 and
/// integers as such, but an integer of 8 bits in 16; data that are packed, or of another format, are untyped and as
/// wide as they are.
pub fn declared(ty: &Type) -> Scalar {
    match Scalar::read_any(ty.name) {
        Some(Scalar::Unsigned(8)) => U16,
        Some(Scalar::Signed(8)) => Scalar::Signed(16),
        Some(typed @ (Scalar::Float("f32" | "f64", _) | Scalar::Unsigned(_) | Scalar::Signed(_)))
            if typed.width() == ty.width() =>
        {
            typed
        }
        _ => Scalar::of(ty),
    }
}

/// Returns the name of a register in the text: the manual's name behind `%`.
pub fn named(register: &Register) -> String {
    format!("%{}", register.name)
}

/// Returns the instruction of the variant, in the registers of [`declarations`].
pub fn executed(variant: &Variant) -> Instruction {
    let name = |register: &Register| Operand::Register(named(register));
    instruction(variant.spelling(), variant.lane_signature(), name)
}

/// Returns the name of the parameter with the address of a register's column. It is `column_m` for `m`, and for `m0`
/// and `m1`, which are one word.
pub fn parameter(register: &Register) -> String {
    format!("column_{}", word_name(register))
}

/// Returns the name of the word that a register holds, or holds a part of.
pub fn word_name(register: &Register) -> &'static str {
    register.name.trim_end_matches(|letter: char| letter.is_ascii_digit())
}

/// Returns the width in bytes of the word that registers hold together.
pub fn word_bytes(parts: &[Register]) -> usize {
    parts.iter().map(|part| part.ty.row_bytes()).sum()
}

/// Returns the parameters of a variant's results, or of its operands: one for the column of each word.
pub fn parameters<'a>(
    variant: &Variant,
    registers: &'a [Register],
) -> impl Iterator<Item = Parameter> + use<'a> {
    let words = registers.chunks(variant.lane_signature().parts);
    words.map(|parts| Parameter::new(U64, parameter(&parts[0])))
}

/// Whether a type is a predicate, whose column has a byte for each row: 0 or 1.
pub fn is_predicate(ty: &Type) -> bool {
    Scalar::of(ty) == PRED
}

/// Sets `%at` to the address of the thread's row in a register's column.
pub fn address(body: &mut Body, register: &Register) {
    address_of_word(body, std::slice::from_ref(register));
}

/// Sets `%at` to the address of the thread's row in the column of a word that registers hold together.
pub fn address_of_word(body: &mut Body, parts: &[Register]) {
    address_in_column(body, parameter(&parts[0]), word_bytes(parts));
}

/// Sets `%at` to the address of the thread's row in a column with rows of `bytes` bytes, whose address is the
/// parameter named `column`.
pub fn address_in_column(body: &mut Body, column: String, bytes: usize) {
    body.ld_param(U64, "%at", column);
    body.to_global("%at");
    row_behind(body, bytes);
}

/// Sets `%at` to the generic address of the thread's row in the column of a word that registers hold together.
pub fn generic_address(body: &mut Body, parts: &[Register]) {
    generic_address_in_column(body, parameter(&parts[0]), word_bytes(parts));
}

/// Sets `%at` to the generic address of the thread's row in a column with rows of `bytes` bytes, whose address is the
/// parameter named `column`.
pub fn generic_address_in_column(body: &mut Body, column: String, bytes: usize) {
    body.ld_param(U64, "%at", column);
    row_behind(body, bytes);
}

/// Adds to `%at` the offset of the thread's row in a column with rows of `bytes` bytes.
fn row_behind(body: &mut Body, bytes: usize) {
    body.mul_wide(U32, "%offset", "%row", bytes as u64);
    body.add(S64, "%at", "%at", "%offset");
}

/// Returns the type that a register's row is loaded and stored with.
pub fn moved(ty: &Type) -> Scalar {
    if ty.width() == 8 { U8 } else { declared(ty) }
}

/// Loads a register from `%at`.
pub fn load(body: &mut Body, register: &Register) {
    let name = named(register);
    if is_predicate(&register.ty) {
        body.ld_global(U8, "%flag", "%at");
        body.setp(Relation::NotEqual, U16, &name, "%flag", 0);
    } else {
        body.ld_global(moved(&register.ty), &name, "%at");
    }
}

/// Stores a register `offset` bytes behind `%at`.
pub fn store(body: &mut Body, register: &Register, offset: usize) {
    let name = named(register);
    if is_predicate(&register.ty) {
        body.selp(U16, "%flag", 1, 0, &name);
        body.st_global(U8, "%at", offset as u64, "%flag");
    } else {
        body.st_global(moved(&register.ty), "%at", offset as u64, &name);
    }
}
