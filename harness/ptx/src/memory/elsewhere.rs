//! How PTX writes what works on memory behind a handle, or on a tensor that a map describes: no operand is a datum.

use vectors::isa::{Register, Type};

use crate::syntax::{Operand, hex};

/// Bytes of a block.
const BLOCK: u64 = 16;
/// All threads of a warp.
const ALL: u64 = 0xffff_ffff;

/// The operands of `fabric` and of `cp.reduce.async.bulk.tensor`, in the manual's order, with what `name` gives for each
/// register: `[le, offset], [source], 16, [barrier]`. `None` of anything else.
pub fn elsewhere(spelling: &str, name: &mut impl FnMut(&Register) -> Operand) -> Option<Vec<Operand>> {
    let mut register =
        |ty| name(&Register { name: "%place", ty: Type::named(ty).expect("a type of registers") });
    let mut place = |types: &[&'static str]| types.iter().map(|ty| register(ty)).collect::<Vec<_>>();
    let mut at = |types: &[&'static str]| Operand::Place(place(types));
    Some(match () {
        () if spelling.starts_with("cp.reduce.async.bulk.tensor") => {
            vec![in_tensor(at(&["b64", "b32"])), at(&["b64"])]
        }
        () if spelling.starts_with("fabric.try_red.async.tensor") => {
            let tensor = in_tensor(at(&["b64", "b32", "b64", "b32"]));
            vec![tensor, at(&["b64"]), BLOCK.into(), at(&["b64"])]
        }
        () if spelling.starts_with("fabric.try_red") => {
            vec![at(&["b32", "b64"]), at(&["b64"]), BLOCK.into(), at(&["b64"])]
        }
        () if spelling.starts_with("fabric.try_pullred") => {
            vec![at(&["b64"]), at(&["b32", "b64"]), BLOCK.into(), at(&["b64"]), hex(ALL).into()]
        }
        () if spelling.starts_with("fabric.try_atom") => {
            vec![at(&["b32", "b64"]), at(&["b64"]), at(&["b64"]), at(&["b64"])]
        }
        () => return None,
    })
}

/// A place whose last operand is the coordinates in a tensor.
fn in_tensor(place: Operand) -> Operand {
    let Operand::Place(mut each) = place else { return place };
    let coordinates = each.pop().into_iter().collect();
    each.push(Operand::Vector(coordinates));
    Operand::Place(each)
}
