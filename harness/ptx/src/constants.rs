//! Kernels of constants, the second kind of kernel that a variant has. The operands stand in the text, so that an
//! assembler can compute the results beforehand; that puts its constant folder to the test.

use formats::FormatId;
use isa::{Register, Variant};

use crate::builder::Body;
use crate::device::has_kernel;
use crate::instruction::instruction;
use crate::memory;
use crate::row::{declarations, is_predicate, named, parameter, parameters, store};
use crate::syntax::{Entry, Operand, PRED, Scalar, U8, U16, U64, hex};

/// Returns a kernel for one thread: it executes a variant once for each of `vectors`, whose data are the operands in
/// order. The results of vector *i* go to row *i* of the columns of results, whose addresses are the kernel's
/// parameters.
///
/// # Panics
/// If the variant [has none](has_constants).
pub fn constants(variant: &Variant, name: &str, vectors: &[Vec<u64>]) -> Entry {
    assert!(has_constants(variant), "{variant} has no kernel of constants");
    if variant.is_in_memory() {
        let mut body = memory::declared(variant);
        for (row, operands) in vectors.iter().enumerate() {
            memory::constants(&mut body, variant, row, operands);
        }
        return entry(variant, name, body);
    }
    let mut body = declarations(variant);
    // Data in braces are registers.
    let braces = !variant.lane_signature().braces.is_empty();
    let literal = |operand, bits| literal(operand, bits).filter(|_| !braces);
    for (row, operands) in vectors.iter().enumerate() {
        let mut list = variant.operands().iter().zip(operands);
        for (operand, &bits) in list.clone() {
            if literal(operand, bits).is_none() {
                load(&mut body, operand, bits);
            }
        }
        // The results come first, and are no constants.
        let mut results = variant.results().len();
        body.push(instruction(variant.spelling(), variant.lane_signature(), |register| {
            let named = Operand::Register(named(register));
            if results > 0 {
                results -= 1;
                return named;
            }
            let (operand, &bits) = list.next().expect("as many data as operands");
            literal(operand, bits).unwrap_or(named)
        }));
        for result in variant.results() {
            body.ld_param(U64, "%at", parameter(result));
            body.to_global("%at");
            store(&mut body, result, row * result.ty.row_bytes());
        }
    }
    entry(variant, name, body)
}

/// Returns the entry with this body and a `ret` behind it.
fn entry(variant: &Variant, name: &str, mut body: Body) -> Entry {
    body.ret();
    Entry {
        comment: Some(variant.to_string()),
        name: name.to_owned(),
        parameters: parameters(variant, variant.results()).collect(),
        block: None,
        body: body.statements(),
    }
}

/// Whether a variant has a kernel of constants. A variant that a warp executes has none, since one thread has no
/// operands of others.
pub fn has_constants(variant: &Variant) -> bool {
    has_kernel(variant) && !variant.is_of_warp()
}

/// Whether ptxas 13.5 crashes on a variant's kernel of constants. It does where all lanes share a scale of eight bits
/// that it knows.
pub fn is_fatal(variant: &Variant) -> bool {
    variant.operands().iter().any(|operand| operand.name == "scale" && operand.ty.width() == 8)
}

/// Returns an operand as a literal, if there are literals of its type that can hold any bits (PTX ISA 4.5.2).
fn literal(register: &Register, bits: u64) -> Option<Operand> {
    match (register.ty.format.id, register.ty.lanes) {
        (FormatId::F32, 1) => Some(Operand::Single(bits as u32)),
        (FormatId::F64, 1) => Some(Operand::Double(bits)),
        _ => None,
    }
}

/// Fills a register with a constant.
fn load(body: &mut Body, register: &Register, bits: u64) {
    let (name, ty) = (named(register), &register.ty);
    match ty.width() {
        _ if is_predicate(ty) => body.mov(PRED, name.as_str(), bits),
        // No `mov` has registers of 8 bits.
        8 => body.cvt(U8, U16, &name, hex(bits)),
        _ => body.mov(Scalar::of(ty), name.as_str(), hex(bits)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(variant: &str, vectors: &[Vec<u64>]) -> String {
        constants(&variant.parse().unwrap(), "k", vectors).to_string()
    }

    #[test]
    fn operands_stand_in_the_text() {
        let fma = text("fma.rn.f32", &[vec![1, 0x3f80_0000, 0x7fa0_0001], vec![2, 3, 4]]);
        for part in [
            ".entry k(\n.param .u64 column_d\n)\n",
            "fma.rn.f32 %d, 0f00000001, 0f3f800000, 0f7fa00001;\n",
            "st.global.f32 [%at], %d;\n",
            "fma.rn.f32 %d, 0f00000002, 0f00000003, 0f00000004;\n",
            "st.global.f32 [%at+4], %d;\nret;\n",
        ] {
            assert!(fma.contains(part), "no {part} in {fma}");
        }
        let slct = text("slct.b64.f32", &[vec![1, u64::MAX, 0x8000_0000]]);
        assert!(
            slct.contains("mov.b64 %b, 0xffffffffffffffff;\nslct.b64.f32 %d, %a, %b, 0f80000000;\n")
        );
    }

    #[test]
    fn what_has_no_literals_is_moved_to_registers() {
        let mixed = text("fma.rn.f32.bf16", &[vec![0x3f80, 0x7f81, 0x8000_0000]]);
        let part = "mov.b16 %a, 0x3f80;\nmov.b16 %b, 0x7f81;\nfma.rn.f32.bf16 %d, %a, %b, 0f80000000;\n";
        assert!(mixed.contains(part), "{mixed}");
        let setp = text("setp.eq.and.f64", &[vec![1, 2, 1]]);
        let part = "mov.pred %c, 1;\n\
                    setp.eq.and.f64 %p|%q, 0d0000000000000001, 0d0000000000000002, %c;\n";
        assert!(setp.contains(part), "{setp}");
        let whole = text("cvt.rn.f32.s8", &[vec![0x80]]);
        assert!(whole.contains("cvt.u8.u16 %a, 0x80;\ncvt.rn.f32.s8 %d, %a;\n"), "{whole}");
        let four = text("cvt.rs.satfinite.e4m3x4.f32", &[vec![1, 2, 3, 4, 5]]);
        assert!(four.contains("mov.b32 %f, 0x4;\nmov.b32 %rbits, 0x5;\n"), "{four}");
        assert!(four.contains(" %d, {%a, %b, %e, %f}, %rbits;\n"), "{four}");
    }
}
