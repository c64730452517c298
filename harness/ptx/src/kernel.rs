//! The kernel of a variant: each thread takes one row. Operands are loaded from columns and results stored to
//! columns, with nothing between but the one instruction.

use isa::Variant;

use crate::builder::Body;
use crate::device::has_kernel;
use crate::row::{
    DONE, address, declarations, declare_row, executed, leave_beyond, load, number_row, parameters,
    store,
};
use crate::syntax::{Entry, Parameter, U32};
use crate::{memory, warp};

/// Returns a variant's text as an identifier: `min.f32(a,b,c)` is `min_f32_a_b_c_` (PTX ISA 4.4).
pub fn name(variant: &Variant) -> String {
    identifier(variant.text())
}

/// Returns a text as an identifier: each character that is no letter or digit of ASCII becomes `_`.
pub fn identifier(text: &str) -> String {
    text.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_")
}

/// Returns the kernel that executes a variant on each row of its columns.
///
/// Parameters: the addresses of the columns of results, then of the columns of operands, and the number of rows, 32
/// bits. Threads beyond the last row do nothing; where a warp executes the variant, blocks must be whole warps. The
/// operands come from memory, so that no assembler can compute anything before the kernel is run.
///
/// The kernel uses only words that compilers of CUDA use, since small parsers know no others. Names of registers
/// begin with `%`, and each is declared by itself and with the type that it is used as. Addresses are sums of
/// products, and the one `ret` is the last instruction.
///
/// # Panics
/// If the variant has no kernel, see [`has_kernel`].
pub fn kernel(variant: &Variant) -> Entry {
    assert!(has_kernel(variant), "{variant} has no kernel");
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
        block: None,
        body: body.statements(),
    }
}

/// Writes the code for a thread's row.
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
