//! The kernel of a variant: one thread a row, operands loaded from columns, results stored to
//! columns, and nothing between but the one instruction.

use std::fmt::Write;

use vectors::Variant;
use vectors::isa::{Register, Type};

use super::{Class, instruction};

/// An entry of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What the driver finds it by.
    pub name: String,
    /// Its text, whole lines.
    pub text: String,
}

/// A variant's text as an identifier: `min.f32(a,b,c)` is `min_f32_a_b_c_` (PTX ISA 4.4).
pub fn name(variant: &Variant) -> String {
    variant.text().replace(|letter: char| !letter.is_ascii_alphanumeric(), "_")
}

/// The kernel that executes a variant on each row of its columns.
///
/// Parameters: the addresses of the columns of results, then of those of operands, and the number of
/// rows, 32 bits. Threads beyond the last row do nothing. The operands come from memory, so that no
/// assembler can compute anything before it is run.
pub fn kernel(variant: &Variant) -> Entry {
    let name = name(variant);
    let columns = || variant.results().iter().chain(variant.operands());
    let mut text = format!("// {variant}\n.visible .entry {name}(");
    columns().for_each(|column| text += &format!(".param .u64 {}, ", parameter(column)));
    text += ".param .u32 rows)\n{\n";
    text += &declarations(variant);
    text += "\
        .reg .b32 %row, %size, %rows;\n\
        .reg .pred %beyond;\n\
        mov.u32 %row, %ctaid.x;\n\
        mov.u32 %size, %ntid.x;\n\
        mov.u32 %rows, %tid.x;\n\
        mad.lo.u32 %row, %row, %size, %rows;\n\
        ld.param.u32 %rows, [rows];\n\
        setp.ge.u32 %beyond, %row, %rows;\n\
        @%beyond ret;\n";
    for operand in variant.operands() {
        text += &address(operand);
        text += &load(operand);
    }
    text += &instruction(variant.spelling(), variant.results(), variant.operands(), |register| {
        register.name.to_owned()
    });
    text.push('\n');
    for result in variant.results() {
        text += &address(result);
        text += &store(result, 0);
    }
    text += "ret;\n}\n";
    Entry { name, text }
}

/// The registers that a kernel needs for what it loads, executes and stores. They have the manual's
/// names for them; the kernel's own begin with `%`, as no name of the manual's does.
pub(super) fn declarations(variant: &Variant) -> String {
    let mut text = String::new();
    for register in variant.results().iter().chain(variant.operands()) {
        writeln!(text, ".reg {} {};", Class::of(&register.ty), register.name).expect("memory");
    }
    text += ".reg .b64 %at;\n.reg .b16 %flag;\n";
    text
}

/// The parameter with the address of a register's column.
pub(super) fn parameter(register: &Register) -> String {
    format!("column_{}", register.name)
}

/// Whether a type is a predicate, of which a column has bytes: 0 or 1.
pub(super) fn is_predicate(ty: &Type) -> bool {
    Class::of(ty) == Class::Predicate
}

/// `%at` is the address of the thread's row in a register's column.
fn address(register: &Register) -> String {
    let (parameter, bytes) = (parameter(register), register.ty.row_bytes());
    format!(
        "ld.param.u64 %at, [{parameter}];\n\
         cvta.to.global.u64 %at, %at;\n\
         mad.wide.u32 %at, %row, {bytes}, %at;\n"
    )
}

fn load(register: &Register) -> String {
    let Register { name, ty } = register;
    if is_predicate(ty) {
        return format!("ld.global.u8 %flag, [%at];\nsetp.ne.u16 {name}, %flag, 0;\n");
    }
    format!("ld.global.b{} {name}, [%at];\n", ty.width())
}

/// Stores a register `offset` bytes behind `%at`.
pub(super) fn store(register: &Register, offset: usize) -> String {
    let Register { name, ty } = register;
    if is_predicate(ty) {
        return format!("selp.u16 %flag, 1, 0, {name};\nst.global.u8 [%at+{offset}], %flag;\n");
    }
    format!("st.global.b{} [%at+{offset}], {name};\n", ty.width())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn text(variant: &str) -> String {
        kernel(&variant.parse().unwrap()).text
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
