//! How PTX writes what works on memory behind a handle, or on a tensor that a map describes: no operand is a datum.

use isa::{Register, Type};

use crate::syntax::{MEMBERS, Operand, hex};

/// Bytes of a block.
const BLOCK: u64 = 16;
/// The registers of an address, of a handle, and of the map of a tensor that a handle stands for.
const ADDRESS: &[&str] = &["b64"];
const HANDLE: &[&str] = &["b32", "b64"];
const MAP_AND_HANDLE: &[&str] = &["b64", "b32", "b64"];

/// The operands of `fabric` and of `cp.reduce.async.bulk.tensor`, in the manual's order, with what `name` gives for each
/// register: `[le, offset], [source], 16, [barrier]`. `None` of anything else.
pub fn elsewhere(spelling: &str, name: &mut impl FnMut(&Register) -> Operand) -> Option<Vec<Operand>> {
    Some(match () {
        () if spelling.starts_with("cp.reduce.async.bulk.tensor") => {
            vec![in_tensor(name, ADDRESS), at(name, ADDRESS)]
        }
        () if spelling.starts_with("fabric.try_red.async.tensor") => {
            vec![in_tensor(name, MAP_AND_HANDLE), at(name, ADDRESS), BLOCK.into(), at(name, ADDRESS)]
        }
        () if spelling.starts_with("fabric.try_red") => {
            vec![at(name, HANDLE), at(name, ADDRESS), BLOCK.into(), at(name, ADDRESS)]
        }
        () if spelling.starts_with("fabric.try_pullred") => {
            vec![
                at(name, ADDRESS),
                at(name, HANDLE),
                BLOCK.into(),
                at(name, ADDRESS),
                hex(MEMBERS).into(),
            ]
        }
        () if spelling.starts_with("fabric.try_atom") => {
            vec![at(name, HANDLE), at(name, ADDRESS), at(name, ADDRESS), at(name, ADDRESS)]
        }
        () => return None,
    })
}

/// `[q0]`, `[r0, q0]`
fn at(name: &mut impl FnMut(&Register) -> Operand, types: &[&str]) -> Operand {
    Operand::Place(registers(name, types))
}

/// The same of a tensor of one dimension, with a coordinate: `[q0, {r0}]`
fn in_tensor(name: &mut impl FnMut(&Register) -> Operand, types: &[&str]) -> Operand {
    let mut each = registers(name, types);
    each.push(Operand::Vector(registers(name, &["b32"])));
    Operand::Place(each)
}

fn registers(name: &mut impl FnMut(&Register) -> Operand, types: &[&str]) -> Vec<Operand> {
    let types = types.iter().map(|ty| Type::named(ty).expect("a type of registers"));
    types.map(|ty| name(&Register { name: "%place", ty })).collect()
}
