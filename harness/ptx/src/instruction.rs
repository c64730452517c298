//! Writes an instruction of the table with its operands, as PTX does: a vector in braces, two predicates as a pair.

mod elsewhere;
pub mod memory;

use isa::{LaneSignature, Register, Site};

use crate::syntax::{Instruction, MEMBERS, Opcode, Operand, hex};
use elsewhere::elsewhere;

/// Returns an instruction of the table, such as `setp.eq.f32 p|q, a, b;`, with the operand that `name` returns for
/// each register.
///
/// `atom` and `red` have a word in memory, whose address is a register of 64 bits and named last. The address of the
/// words that `multimem.ld_reduce` loads is such a register, too; an address of tensor memory has 32 bits. For
/// `fabric` and tensors all operands are addresses, handles, sizes and coordinates, and `name` sees their registers
/// instead. The threads of a warp have all operands of `redux` in one register, for which the first stands.
///
/// `name` sees the results first and then the operands, each once. Results must be registers. Data that make one
/// result stand in braces: `d, {a, b, e, f}, rbits`.
///
/// # Panics
/// If there are neither one nor two results, or two of which one is no register.
pub fn instruction(
    spelling: &str,
    signature: &LaneSignature,
    mut name: impl FnMut(&Register) -> Operand,
) -> Instruction {
    if let Some(operands) = elsewhere(spelling, &mut name) {
        return Instruction::new(Opcode::Tested(spelling.into()), operands);
    }
    match signature.site {
        Site::Registers => {}
        Site::Warp => return redux(spelling, signature, name),
        Site::Word | Site::Turns | Site::Bulk => return memory::instruction(spelling, signature, name),
        Site::Copies { .. } | Site::TensorMemory => return memory::reduction(spelling, signature, name),
    }
    let mut results: Vec<Operand> = signature.results.iter().map(&mut name).collect();
    // The last result comes off first.
    let results = match (results.pop(), results.pop()) {
        (Some(one), None) => one,
        (Some(Operand::Register(second)), Some(Operand::Register(first))) => {
            Operand::Pair(first, second)
        }
        _ => panic!("{spelling} has one result or two predicates"),
    };
    let mut operands: Vec<Operand> = signature.operands.iter().map(name).collect();
    let vector: Vec<Operand> = operands.drain(signature.braces.clone()).collect();
    if !vector.is_empty() {
        operands.insert(signature.braces.start, Operand::Vector(vector));
    }
    let opcode = Opcode::Tested(spelling.into());
    Instruction::new(opcode, [results].into_iter().chain(operands))
}

/// Returns `redux.sync.min.f32 d, a, 0xffffffff;` with the operands that `name` returns for the result and the first
/// operand.
fn redux(
    spelling: &str,
    signature: &LaneSignature,
    mut name: impl FnMut(&Register) -> Operand,
) -> Instruction {
    let registers = signature.results.iter().chain(signature.operands.first());
    let operands: Vec<Operand> = registers.map(&mut name).chain([hex(MEMBERS).into()]).collect();
    Instruction::new(Opcode::Tested(spelling.into()), operands)
}

#[cfg(test)]
mod tests {
    use isa::Variant;

    use super::*;
    use crate::numbered::RegisterNumbers;

    fn text(variant: &str) -> String {
        let variant: Variant = variant.parse().unwrap();
        let name = |register: &Register| Operand::from(register.name);
        instruction(variant.spelling(), variant.lane_signature(), name).to_string()
    }

    #[test]
    fn operands_are_the_manuals() {
        assert_eq!(text("fma.rn.ftz.f32"), "fma.rn.ftz.f32 d, a, b, c;");
        assert_eq!(text("max.NaN.f32(a,b,c)"), "max.NaN.f32 d, a, b, c;");
        assert_eq!(text("redux.sync.max.abs.f32"), "redux.sync.max.abs.f32 d, a, 0xffffffff;");
        assert_eq!(
            text("tcgen05.ld.red.sync.aligned.16x32bx2.x2.min.f32"),
            "tcgen05.ld.red.sync.aligned.16x32bx2.x2.min.f32 {a, a}, d, [%word], 16;"
        );
        assert_eq!(
            text("tcgen05.ld.red.spcompress.sync.aligned.32x32b.x4.min.sp::2:4.f32.b2"),
            "tcgen05.ld.red.spcompress.sync.aligned.32x32b.x4.min.sp::2:4.f32.b2 {a}, {a, a}, d, [%word];"
        );
        assert_eq!(text("setp.eq.and.f16x2"), "setp.eq.and.f16x2 p|q, a, b, c;");
        assert_eq!(
            text("cvt.rs.satfinite.e4m3x4.f32"),
            "cvt.rs.satfinite.e4m3x4.f32 d, {a, b, e, f}, rbits;"
        );
        assert_eq!(
            text("cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32"),
            "cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32 d, a, b, scale;"
        );
    }

    #[test]
    fn of_what_lies_elsewhere_operands_say_where() {
        let mut seen = Vec::new();
        for variant in Variant::all() {
            let mut names = RegisterNumbers::default();
            let name = |register: &Register| names.next(register);
            let text = instruction(variant.spelling(), variant.lane_signature(), name).to_string();
            let (spelling, operands) = text.split_once(' ').unwrap();
            let start = spelling.split(".shared").next().unwrap();
            let known = (start.to_owned(), operands.to_owned());
            let elsewhere = start.starts_with("fabric") || start.contains("bulk.tensor");
            if elsewhere && !seen.contains(&known) {
                seen.push(known);
            }
        }
        let seen: Vec<(&str, &str)> = seen.iter().map(|(one, other)| (&**one, &**other)).collect();
        assert_eq!(
            seen,
            [
                ("cp.reduce.async.bulk.tensor.1d.global", "[q0, {r0}], [q1];"),
                ("fabric.try_red.async", "[r0, q0], [q1], 16, [q2];"),
                ("fabric.try_red.async.multimem", "[r0, q0], [q1], 16, [q2];"),
                ("fabric.try_pullred.async.multimem", "[q0], [r0, q1], 16, [q2], 0xffffffff;"),
                ("fabric.try_red.async.tensor.1d", "[q0, r0, q1, {r1}], [q2], 16, [q3];"),
                ("fabric.try_red.async.tensor.multimem.1d", "[q0, r0, q1, {r1}], [q2], 16, [q3];"),
                ("fabric.try_atom.async", "[r0, q0], [q1], [q2], [q3];"),
            ]
        );
    }
}
