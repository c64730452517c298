//! The kernel of a variant: one thread a row, operands loaded from columns, results stored to
//! columns, and nothing between but the one instruction.

use vectors::Variant;
use vectors::isa::{Register, Type};

use crate::builder::Body;
use crate::instruction;
use crate::memory;
use crate::syntax::{
    B16, B64, Binary, Entry, Instruction, Operand, PRED, Parameter, Relation, Scalar, U8, U16, U32, U64,
};

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
/// rows, 32 bits. Threads beyond the last row do nothing. The operands come from memory, so that no
/// assembler can compute anything before it is run.
pub fn kernel(variant: &Variant) -> Entry {
    let columns = variant.results().iter().chain(variant.operands()).map(column);
    let rows = Parameter::new(U32, "rows");
    let in_memory = variant.is_in_memory();
    let mut body = if in_memory { memory::declared(variant) } else { declarations(variant) };
    body.declare(Scalar::Bits(32), ["%row", "%size", "%rows"]);
    body.declare(PRED, ["%beyond"]);
    body.mov(U32, "%row", "%ctaid.x");
    body.mov(U32, "%size", "%ntid.x");
    body.mov(U32, "%rows", "%tid.x");
    body.mad(Binary::MulLow, U32, "%row", ["%row", "%size"], "%rows");
    body.ld_param(U32, "%rows", "rows");
    body.setp(Relation::GreaterOrEqual, U32, "%beyond", "%row", "%rows");
    body.ret_where("%beyond");
    if in_memory {
        memory::row(&mut body, variant);
    } else {
        for operand in variant.operands() {
            address(&mut body, operand);
            load(&mut body, operand);
        }
        body.push(executed(variant));
        for result in variant.results() {
            address(&mut body, result);
            store(&mut body, result, 0);
        }
    }
    body.ret();
    Entry {
        comment: Some(variant.to_string()),
        name: name(variant),
        parameters: columns.chain([rows]).collect(),
        body: body.statements(),
    }
}

/// The registers that a kernel needs for what it loads, executes and stores. They have the manual's
/// names for them; the kernel's own begin with `%`, as no name of the manual's does.
pub(super) fn declarations(variant: &Variant) -> Body {
    let mut body = Body::default();
    for register in variant.results().iter().chain(variant.operands()) {
        body.declare(Scalar::of(&register.ty), [register.name]);
    }
    body.declare(B64, ["%at"]);
    body.declare(B16, ["%flag"]);
    body
}

/// The variant itself, in the registers of [`declarations`].
pub(super) fn executed(variant: &Variant) -> Instruction {
    let name = |register: &Register| Operand::Register(register.name.into());
    instruction(variant.spelling(), variant.lane_signature(), name)
}

/// The name of the parameter with the address of a register's column.
pub(super) fn parameter(register: &Register) -> String {
    format!("column_{}", register.name)
}

/// That parameter.
pub(super) fn column(register: &Register) -> Parameter {
    Parameter::new(U64, parameter(register))
}

/// Whether a type is a predicate, of which a column has bytes: 0 or 1.
pub(super) fn is_predicate(ty: &Type) -> bool {
    Scalar::of(ty) == PRED
}

/// `%at` is the address of the thread's row in a register's column.
pub(super) fn address(body: &mut Body, register: &Register) {
    row_of(body, register);
    body.to_global("%at");
}

/// `%at` is the generic address of that.
pub(super) fn row_of(body: &mut Body, register: &Register) {
    body.ld_param(U64, "%at", parameter(register));
    let bytes = register.ty.row_bytes() as u64;
    body.mad(Binary::MulWide, U32, "%at", ["%row".into(), Operand::from(bytes)], "%at");
}

fn load(body: &mut Body, Register { name, ty }: &Register) {
    if is_predicate(ty) {
        body.ld_global(U8, "%flag", "%at");
        body.setp(Relation::NotEqual, U16, name, "%flag", 0);
    } else {
        body.ld_global(Scalar::of(ty), name, "%at");
    }
}

/// Stores a register `offset` bytes behind `%at`.
pub(super) fn store(body: &mut Body, Register { name, ty }: &Register, offset: usize) {
    if is_predicate(ty) {
        body.selp(U16, "%flag", 1, 0, name);
        body.st_global(U8, "%at", offset as u64, "%flag");
    } else {
        body.st_global(Scalar::of(ty), "%at", offset as u64, name);
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
            ".visible .entry fma_rn_f32_bf16(.param .u64 column_d, .param .u64 column_a, ",
            ".reg .b32 d;\n.reg .b16 a;\n",
            "@%beyond ret;\n",
            "mad.wide.u32 %at, %row, 2, %at;\nld.global.b16 a, [%at];\n",
            "mad.wide.u32 %at, %row, 4, %at;\nld.global.b32 c, [%at];\n",
            "fma.rn.f32.bf16 d, a, b, c;\n",
            "st.global.b32 [%at+0], d;\nret;\n}\n",
        ];
        let places: Vec<usize> = order.map(|part| text.find(part).expect(part)).into();
        assert!(places.is_sorted(), "{text}");
    }

    #[test]
    fn predicates_are_bytes_in_memory() {
        let text = text("setp.eq.and.f16x2");
        for part in [
            ".reg .pred p;\n.reg .pred q;\n",
            "ld.global.u8 %flag, [%at];\nsetp.ne.u16 c, %flag, 0;\n",
            "setp.eq.and.f16x2 p|q, a, b, c;\n",
            "selp.u16 %flag, 1, 0, q;\nst.global.u8 [%at+0], %flag;\n",
        ] {
            assert!(text.contains(part), "no {part} in {text}");
        }
    }
}
