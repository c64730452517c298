//! Writes instructions on memory behind a handle, or on a tensor that a map describes, as PTX does: no operand is a
//! datum.

use isa::{Register, Type};

use crate::syntax::{MEMBERS, Operand, hex};

/// The size of a block of memory in bytes.
const BLOCK: u64 = 16;
/// The types of the registers of an address, of a handle, and of the map of a tensor with the handle that stands for
/// the tensor.
const ADDRESS: &[&str] = &["b64"];
const HANDLE: &[&str] = &["b32", "b64"];
const MAP_AND_HANDLE: &[&str] = &["b64", "b32", "b64"];

/// Returns the operands of `fabric` and of `cp.reduce.async.bulk.tensor`, in the manual's order, with the operand
/// that `name` returns for each register: `[le, offset], [source], 16, [barrier]`. `None` for any other spelling.
pub fn elsewhere(spelling: &str, name: &mut impl FnMut(&Register) -> Operand) -> Option<Vec<Operand>> {
    Some(match () {
        () if spelling.starts_with("cp.reduce.async.bulk.tensor") => {
            vec![in_tensor(name, ADDRESS), memory_operand(name, ADDRESS)]
        }
        // The spelling of the next case begins this one too, so tensors are looked for first.
        () if spelling.starts_with("fabric.try_red.async.tensor") => {
            vec![
                in_tensor(name, MAP_AND_HANDLE),
                memory_operand(name, ADDRESS),
                BLOCK.into(),
                memory_operand(name, ADDRESS),
            ]
        }
        () if spelling.starts_with("fabric.try_red") => {
            vec![
                memory_operand(name, HANDLE),
                memory_operand(name, ADDRESS),
                BLOCK.into(),
                memory_operand(name, ADDRESS),
            ]
        }
        () if spelling.starts_with("fabric.try_pullred") => {
            vec![
                memory_operand(name, ADDRESS),
                memory_operand(name, HANDLE),
                BLOCK.into(),
                memory_operand(name, ADDRESS),
                hex(MEMBERS).into(),
            ]
        }
        () if spelling.starts_with("fabric.try_atom") => {
            vec![
                memory_operand(name, HANDLE),
                memory_operand(name, ADDRESS),
                memory_operand(name, ADDRESS),
                memory_operand(name, ADDRESS),
            ]
        }
        () => return None,
    })
}

/// Returns a place in memory by its registers: `[q0]`, `[r0, q0]`
fn memory_operand(name: &mut impl FnMut(&Register) -> Operand, types: &[&str]) -> Operand {
    Operand::Place(registers(name, types))
}

/// Returns a place in a tensor of one dimension, by its registers and a coordinate: `[q0, {r0}]`
fn in_tensor(name: &mut impl FnMut(&Register) -> Operand, types: &[&str]) -> Operand {
    let mut each = registers(name, types);
    each.push(Operand::Vector(registers(name, &["b32"])));
    Operand::Place(each)
}

/// Returns a new register of each of these types, as `name` names it.
fn registers(name: &mut impl FnMut(&Register) -> Operand, types: &[&str]) -> Vec<Operand> {
    let types = types.iter().map(|ty| Type::named(ty).expect("a type of registers"));
    types.map(|ty| name(&Register { name: "%place", ty })).collect()
}
