//! Writes arithmetic on words in memory as PTX does: `atom`, `red`, `cp.reduce.async.bulk`, and instructions that
//! load like them.

use isa::{LaneSignature, Register, Site, Type};

use crate::syntax::{Instruction, Opcode, Operand};

/// The register with the address of a thread's word in memory.
pub const WORD: &str = "%word";
/// The register with the address of a word of shared memory that is the other operand.
pub const OTHER: &str = "%other";
/// The number of columns between the beginnings of the first 16 lanes and of the other 16.
const SPLIT: u64 = 16;

/// Returns an instruction such as `atom.global.add.v2.f32 {d, d}, [a], {b, b};` with the operand that `name` returns
/// for each register, in that order. The address of the word is a register of 64 bits. Elements of a vector stand in
/// braces. An operand that is memory as well has the next such register, and the size of both in bytes stands behind:
/// `[a], [b], 16`.
///
/// # Panics
/// If `name` returns something else than a register for an address.
pub fn instruction(
    spelling: &str,
    signature: &LaneSignature,
    mut name: impl FnMut(&Register) -> Operand,
) -> Instruction {
    let mut group = |parts: &[Register]| word(signature, &parts[0], &mut name);
    let parts = signature.parts;
    if signature.site == Site::Bulk {
        let bytes = signature.results.iter().map(|part| part.ty.row_bytes() as u64).sum::<u64>();
        let operands = [address(&mut name, WORD), address(&mut name, OTHER), bytes.into()];
        return Instruction::new(Opcode::Tested(spelling.into()), operands);
    }
    // The first word of results, and of operands, is the word in memory itself, which no register holds.
    let mut operands: Vec<Operand> = signature.results[parts..].chunks(parts).map(&mut group).collect();
    // Two threads have their operands in one register.
    let sources =
        if signature.site == Site::Turns { parts..2 * parts } else { parts..signature.operands.len() };
    let sources: Vec<Operand> = signature.operands[sources].chunks(parts).map(&mut group).collect();
    operands.push(address(&mut name, WORD));
    operands.extend(sources);
    Instruction::new(Opcode::Tested(spelling.into()), operands)
}

/// Returns `multimem.ld_reduce.global.add.v2.f16 {d, d}, [a];`, where words are loaded and not changed, or
/// `tcgen05.ld.red.sync.aligned.32x32b.x2.min.f32 {a, a}, d, [t];`. The latter gives the loaded data as well, or,
/// with `.spcompress`, indices and half of the data: `{a}, {a, a}, d, [t];`.
///
/// # Panics
/// If `name` returns something else than a register for an address.
pub fn reduction(
    spelling: &str,
    signature: &LaneSignature,
    mut name: impl FnMut(&Register) -> Operand,
) -> Instruction {
    let opcode = Opcode::Tested(spelling.into());
    let result = word(signature, &signature.results[0], &mut name);
    if spelling.starts_with("tcgen05") {
        // A word such as `x4` says how many columns are loaded, each into a register.
        let columns = spelling.split('.').find_map(|word| word.strip_prefix('x')?.parse().ok());
        let columns: usize = columns.unwrap_or(1);
        let loaded = match spelling.contains(".spcompress") {
            // 16 pairs of indices of 2 bits each, and half of the data.
            true => vec![columns.div_ceil(32), (columns / 2).max(1)],
            false => vec![columns],
        };
        let mut vector = |count| (0..count).map(|_| name(&signature.operands[0])).collect();
        let loaded: Vec<Operand> =
            loaded.into_iter().map(|count| Operand::Vector(vector(count))).collect();
        let halves = spelling.contains(".16x32bx2").then_some(Operand::from(SPLIT));
        let address = memory(&mut name, WORD, "b32");
        return Instruction::new(opcode, loaded.into_iter().chain([result, address]).chain(halves));
    }
    Instruction::new(opcode, [result, address(&mut name, WORD)])
}

/// Returns the operand for a word that registers hold, of which `first` is the first: its elements, in braces where
/// there are several.
fn word(
    signature: &LaneSignature,
    first: &Register,
    name: &mut impl FnMut(&Register) -> Operand,
) -> Operand {
    let element = element(signature, first);
    let mut each: Vec<Operand> = (0..signature.words()).map(|_| name(&element)).collect();
    if each.len() > 1 { Operand::Vector(each) } else { each.remove(0) }
}

/// Returns the memory at the address of 64 bits that a register has.
fn address(name: &mut impl FnMut(&Register) -> Operand, register: &'static str) -> Operand {
    memory(name, register, "b64")
}

/// Returns the memory at the address, of type `ty`, that a register has.
fn memory(
    name: &mut impl FnMut(&Register) -> Operand,
    register: &'static str,
    ty: &'static str,
) -> Operand {
    let ty = Type::named(ty).expect("a type");
    let Operand::Register(base) = name(&Register { name: register, ty }) else {
        panic!("an address is a register")
    };
    Operand::Memory { base, offset: None }
}

/// Returns a register for one of the elements that PTX splits registers of the signature into.
pub fn element(signature: &LaneSignature, register: &Register) -> Register {
    // A spelling that is not legal may have fewer elements than registers.
    let lanes = (signature.lanes() / signature.words()).min(register.ty.lanes);
    Register { ty: Type { lanes, ..register.ty }, ..*register }
}
