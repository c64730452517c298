//! The kernel of a variant: one thread a row, operands loaded from columns, results stored to
//! columns, and nothing between but the one instruction.

use isa::{Register, Type, Variant};

use crate::builder::Body;
use crate::instruction;
use crate::memory;
use crate::syntax::{
    B16, B64, Binary, Entry, Instruction, Operand, PRED, Parameter, Relation, S32, S64, Scalar, U8, U16,
    U32, U64,
};
use crate::warp;

/// Where threads go that have no row.
pub(super) const DONE: &str = "DONE";

/// A variant's text as an identifier: `min.f32(a,b,c)` is `min_f32_a_b_c_` (PTX ISA 4.4).
pub fn name(variant: &Variant) -> String {
    identifier(variant.text())
}

/// A text as an identifier.
pub(super) fn identifier(text: &str) -> String {
    text.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_")
}

/// The kernel that executes a variant on each row of its columns.
///
/// Parameters: the addresses of the columns of results, then of those of operands, and the number of
/// rows, 32 bits. Threads beyond the last row do nothing; where a warp executes the variant, blocks must
/// be whole warps. The operands come from memory, so that no
/// assembler can compute anything before it is run.
///
/// It is in the words that compilers of CUDA use, since small parsers know no others: names of registers
/// begin with `%`, each is declared by itself and with the type that it is used as, addresses are sums of
/// products, and the one `ret` is the last instruction.
///
/// # Panics
/// If there is none, see [`has_kernel`](crate::has_kernel).
pub fn kernel(variant: &Variant) -> Entry {
    assert!(crate::has_kernel(variant), "{variant} has no kernel");
    let columns = parameters(variant, variant.results()).chain(parameters(variant, variant.operands()));
    let rows = Parameter::new(U32, "rows");
    let (in_memory, of_warp) = (variant.is_in_memory(), variant.is_of_warp());
    let mut body = if in_memory { memory::declared(variant) } else { declarations(variant) };
    declare_row(&mut body);
    match of_warp {
        true if in_memory => memory::declare(&mut body, variant),
        true => warp::declare(&mut body),
        false => {}
    }
    number_row(&mut body);
    match of_warp {
        true if in_memory => memory::in_turn(&mut body, variant, DONE),
        true => warp::reduce(&mut body, variant, DONE),
        false => {
            leave_beyond(&mut body, DONE);
            each_row(&mut body, variant);
        }
    }
    body.label(DONE);
    body.ret();
    Entry {
        comment: Some(variant.to_string()),
        name: name(variant),
        parameters: columns.chain([rows]).collect(),
        body: body.statements(),
    }
}

/// Declares what a thread knows its row by.
pub(super) fn declare_row(body: &mut Body) {
    for name in ["%row", "%size", "%thread", "%rows"] {
        body.declare(U32, [name]);
    }
    body.declare(PRED, ["%beyond"]);
    body.declare(B64, ["%offset"]);
}

/// `%row` is the number of the thread's row, `%rows` that of all.
pub(super) fn number_row(body: &mut Body) {
    body.mov(U32, "%row", "%ctaid.x");
    body.mov(U32, "%size", "%ntid.x");
    body.mov(U32, "%thread", "%tid.x");
    body.mad(Binary::MulLow, S32, "%row", ["%row", "%size"], "%thread");
    body.ld_param(U32, "%rows", "rows");
}

/// Threads that have no row go to a label.
pub(super) fn leave_beyond(body: &mut Body, label: &str) {
    body.setp(Relation::GreaterOrEqual, U32, "%beyond", "%row", "%rows");
    body.bra_where("%beyond", label);
}

/// What a thread does with its row.
fn each_row(body: &mut Body, variant: &Variant) {
    if variant.is_in_memory() {
        memory::row(body, variant);
    } else {
        for operand in variant.operands() {
            address(body, operand);
            load(body, operand);
        }
        body.push(executed(variant));
        for result in variant.results() {
            address(body, result);
            store(body, result, 0);
        }
    }
}

/// The registers that a kernel needs for what it loads, executes and stores, a declaration each. They have
/// the manual's names for them, behind `%`.
pub(super) fn declarations(variant: &Variant) -> Body {
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

/// What compilers declare a register as that holds a type of the table: f32, f64 and integers as what they
/// are, an integer of 8 bits in 16; what is packed, or of another format, untyped and as wide as it is.
pub(super) fn declared(ty: &Type) -> Scalar {
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

/// The name of a register.
pub(super) fn named(register: &Register) -> String {
    format!("%{}", register.name)
}

/// The variant itself, in the registers of [`declarations`].
pub(super) fn executed(variant: &Variant) -> Instruction {
    let name = |register: &Register| Operand::Register(named(register));
    instruction(variant.spelling(), variant.lane_signature(), name)
}

/// The name of the parameter with the address of a register's column: `column_m` of `m`, and of `m0` and `m1`,
/// which are one word.
pub(super) fn parameter(register: &Register) -> String {
    format!("column_{}", word_name(register))
}

/// The name of the word that a register holds, or a part of.
pub(super) fn word_name(register: &Register) -> &'static str {
    register.name.trim_end_matches(|letter: char| letter.is_ascii_digit())
}

/// How wide the word is that registers hold together, in bytes.
pub(super) fn word_bytes(parts: &[Register]) -> usize {
    parts.iter().map(|part| part.ty.row_bytes()).sum()
}

/// The parameters of a variant's results, or of its operands.
pub(super) fn parameters<'a>(
    variant: &Variant,
    registers: &'a [Register],
) -> impl Iterator<Item = Parameter> + use<'a> {
    let words = registers.chunks(variant.lane_signature().parts);
    words.map(|parts| Parameter::new(U64, parameter(&parts[0])))
}

/// Whether a type is a predicate, of which a column has bytes: 0 or 1.
pub(super) fn is_predicate(ty: &Type) -> bool {
    Scalar::of(ty) == PRED
}

/// `%at` is the address of the thread's row in a register's column.
pub(super) fn address(body: &mut Body, register: &Register) {
    address_of_word(body, std::slice::from_ref(register));
}

/// The same of a word that registers hold together.
pub(super) fn address_of_word(body: &mut Body, parts: &[Register]) {
    address_in_column(body, parameter(&parts[0]), word_bytes(parts));
}

/// The same of a column whose address is a parameter of this name, with rows of so many bytes.
pub(super) fn address_in_column(body: &mut Body, column: String, bytes: usize) {
    body.ld_param(U64, "%at", column);
    body.to_global("%at");
    row_behind(body, bytes);
}

/// `%at` is the generic address of that.
pub(super) fn generic_address(body: &mut Body, parts: &[Register]) {
    body.ld_param(U64, "%at", parameter(&parts[0]));
    row_behind(body, word_bytes(parts));
}

fn row_behind(body: &mut Body, bytes: usize) {
    body.mul_wide(U32, "%offset", "%row", bytes as u64);
    body.add(S64, "%at", "%at", "%offset");
}

/// What a register's row is loaded and stored as.
pub(super) fn moved(ty: &Type) -> Scalar {
    if ty.width() == 8 { U8 } else { declared(ty) }
}

fn load(body: &mut Body, register: &Register) {
    let name = named(register);
    if is_predicate(&register.ty) {
        body.ld_global(U8, "%flag", "%at");
        body.setp(Relation::NotEqual, U16, &name, "%flag", 0);
    } else {
        body.ld_global(moved(&register.ty), &name, "%at");
    }
}

/// Stores a register `offset` bytes behind `%at`.
pub(super) fn store(body: &mut Body, register: &Register, offset: usize) {
    let name = named(register);
    if is_predicate(&register.ty) {
        body.selp(U16, "%flag", 1, 0, &name);
        body.st_global(U8, "%at", offset as u64, "%flag");
    } else {
        body.st_global(moved(&register.ty), "%at", offset as u64, &name);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn text(variant: &str) -> String {
        kernel(&variant.parse().unwrap()).to_string()
    }

    #[test]
    fn names_are_identifiers_and_no_two_the_same() {
        let names: HashSet<String> = Variant::all().iter().map(name).collect();
        assert_eq!(names.len(), Variant::all().len());
        assert!(names.contains("min_f32_a_b_c_"));
        let identifier = |name: &&String| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        assert!(names.iter().all(|name| identifier(&name)));
    }

    #[test]
    fn operands_are_loaded_and_results_stored_at_the_width_of_their_rows() {
        let text = text("fma.rn.f32.bf16");
        let order = [
            ".visible .entry fma_rn_f32_bf16(\n.param .u64 column_d,\n.param .u64 column_a,\n",
            ".reg .f32 %d;\n.reg .b16 %a;\n",
            "@%beyond bra DONE;\n",
            "mul.wide.u32 %offset, %row, 2;\nadd.s64 %at, %at, %offset;\nld.global.b16 %a, [%at];\n",
            "mul.wide.u32 %offset, %row, 4;\nadd.s64 %at, %at, %offset;\nld.global.f32 %c, [%at];\n",
            "fma.rn.f32.bf16 %d, %a, %b, %c;\n",
            "st.global.f32 [%at], %d;\nDONE:\nret;\n}\n",
        ];
        let places: Vec<usize> = order.map(|part| text.find(part).expect(part)).into();
        assert!(places.is_sorted(), "{text}");
    }

    #[test]
    fn registers_have_the_types_that_compilers_give_them() {
        let declared = |variant: &str| {
            let text = text(variant);
            let lines = text.lines().filter_map(|line| line.strip_prefix(".reg ."));
            lines.take_while(|line| !line.contains("%at")).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(declared("cvt.rni.s8.f64"), "s16 %d; f64 %a;");
        assert_eq!(declared("cvt.rni.s8.bf16"), "b8 %d; b16 %a;");
        assert_eq!(declared("set.eq.u32.f16x2"), "b32 %d; b32 %a; b32 %b;");
        assert_eq!(declared("set.eq.u32.f32"), "u32 %d; f32 %a; f32 %b;");
        assert_eq!(declared("add.f32x2"), "b64 %d; b64 %a; b64 %b;");
        assert_eq!(declared("cvt.rna.tf32.f32"), "b32 %d; f32 %a;");
        assert_eq!(declared("cvt.rn.f64.u64"), "f64 %d; u64 %a;");
    }

    #[test]
    fn predicates_are_bytes_in_memory() {
        let text = text("setp.eq.and.f16x2");
        for part in [
            ".reg .pred %p;\n.reg .pred %q;\n",
            "ld.global.u8 %flag, [%at];\nsetp.ne.u16 %c, %flag, 0;\n",
            "setp.eq.and.f16x2 %p|%q, %a, %b, %c;\n",
            "selp.u16 %flag, 1, 0, %q;\nst.global.u8 [%at], %flag;\n",
        ] {
            assert!(text.contains(part), "no {part} in {text}");
        }
    }
}
