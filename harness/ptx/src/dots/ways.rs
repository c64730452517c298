//! The ways in which an instruction is written down: they differ in the registers that are operands more than
//! once, and in selectors. The number of the group chooses.

use super::Placement;
use super::writer::{WAYS as COUNT, Writer, vector};
use crate::syntax::{Operand, Relation, Scalar, U32};

/// Which registers are operands more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shared {
    /// None.
    Nothing,
    /// D is C.
    InPlace,
    /// Addends that are the same are one register.
    Addends,
    /// D begins where A does …
    OverA,
    /// … or B …
    OverB,
    /// … or what selectors choose from.
    OverSelected,
}

const WAYS: [Shared; COUNT as usize] = [
    Shared::Nothing,
    Shared::InPlace,
    Shared::Addends,
    Shared::OverA,
    Shared::OverB,
    Shared::OverSelected,
    Shared::InPlace,
    Shared::Nothing,
];

/// The registers of an instruction.
pub struct Matrices {
    /// Of A, of B and of C.
    pub operands: [Vec<String>; 3],
    /// Of each register of C, the first that holds the same in the placement.
    pub alike: Vec<usize>,
    /// How many D has, and of how many bits.
    pub sums: (usize, u32),
}

/// Writes an instruction in all ways, and leaves its sums in `d0`, `d1` …; `behind` gives the operands behind
/// the matrices of the way with a number.
pub fn write(
    writer: &mut Writer,
    matrices: &Matrices,
    mut behind: impl FnMut(&mut Writer, u64) -> Vec<Operand>,
) {
    for number in 1..u64::from(COUNT) {
        writer.body.setp(Relation::Equal, U32, "%p", "%arm", number);
        writer.body.bra_where("%p", format!("WAY_{number}"));
    }
    for (number, way) in (0..).zip(WAYS) {
        if number > 0 {
            writer.body.label(format!("WAY_{number}"));
        }
        let behind = behind(writer, number);
        write_one(writer, matrices, way, behind);
        writer.body.bra("DONE");
    }
    writer.body.label("DONE");
}

fn write_one(writer: &mut Writer, matrices: &Matrices, way: Shared, behind: Vec<Operand>) {
    let Matrices { operands: [a, b, c], alike, sums: (count, width) } = matrices;
    let mut addends = c.clone();
    if way == Shared::Addends && writer.placement == Placement::Diagonal {
        addends = alike.iter().map(|&first| c[first].clone()).collect();
    }
    let over = match way {
        Shared::Nothing | Shared::Addends => Vec::new(),
        Shared::InPlace => c.clone(),
        Shared::OverA => a.clone(),
        Shared::OverB => b.clone(),
        Shared::OverSelected => {
            let last = behind.iter().rev().find_map(|operand| match operand {
                Operand::Register(name) => Some(name.clone()),
                _ => None,
            });
            last.into_iter().collect()
        }
    };
    let own: Vec<String> = (0..*count).map(|number| writer.numbered("d", number, *width)).collect();
    let sums: Vec<String> =
        own.iter().enumerate().map(|(n, own)| over.get(n).unwrap_or(own).clone()).collect();
    let matrices = [sums.clone(), a.clone(), b.clone(), addends].map(vector);
    writer.execute(matrices.into_iter().chain(behind).collect());
    for (own, sum) in own.iter().zip(&sums).filter(|(own, sum)| own != sum) {
        writer.body.mov(Scalar::Bits(*width), own.as_str(), sum.as_str());
    }
}
