//! Writes the instruction under test into a kernel several times, in different *ways*. Ways differ in the registers that
//! serve more than one operand, and in selectors. When the kernel runs, three bits of the group's number choose the way.

use super::Placement;
use super::writer::{WAYS as COUNT, Writer, vector};
use crate::syntax::{Operand, Relation, Scalar, U32};

/// The registers that an instruction uses for more than one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SharedRegisters {
    /// Every operand has registers of its own.
    Nothing,
    /// D is in the registers of C.
    InPlace,
    /// Addends that are equal share one register.
    Addends,
    /// D begins in the first register of A.
    OverA,
    /// D begins in the first register of B.
    OverB,
    /// D begins in the last register that selectors choose from.
    OverSelected,
}

/// The shared registers of each way, by the way's number. There are eight ways, so that three bits of the group's number
/// choose one. The last two share registers as the second and the first do, but have other selectors, if there are any.
const WAYS: [SharedRegisters; COUNT as usize] = [
    SharedRegisters::Nothing,
    SharedRegisters::InPlace,
    SharedRegisters::Addends,
    SharedRegisters::OverA,
    SharedRegisters::OverB,
    SharedRegisters::OverSelected,
    SharedRegisters::InPlace,
    SharedRegisters::Nothing,
];

/// The registers of an instruction's matrices.
pub struct Matrices {
    /// Names of the registers of A, of B and of C.
    pub operands: [Vec<String>; 3],
    /// For each register of C, the number of the first that holds the same addends in the placement.
    pub alike: Vec<usize>,
    /// Number of D's registers, and the bits of each.
    pub sums: (usize, u32),
}

/// Writes an instruction in all ways, and leaves its sums in `d0`, `d1` …. `behind` returns the operands that follow
/// the matrices in the way with the given number.
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

/// Writes the instruction once, in one way, and moves its sums to D's own registers `d0`, `d1` …. `behind` are the
/// operands that follow the matrices.
fn write_one(writer: &mut Writer, matrices: &Matrices, way: SharedRegisters, behind: Vec<Operand>) {
    let Matrices { operands: [a, b, c], alike, sums: (count, width) } = matrices;
    let mut addends = c.clone();
    // In tiles every sum has an addend of its own, and none are known to be equal.
    if way == SharedRegisters::Addends && writer.placement == Placement::Diagonal {
        addends = alike.iter().map(|&first| c[first].clone()).collect();
    }
    let over = match way {
        SharedRegisters::Nothing | SharedRegisters::Addends => Vec::new(),
        SharedRegisters::InPlace => c.clone(),
        SharedRegisters::OverA => a.clone(),
        SharedRegisters::OverB => b.clone(),
        SharedRegisters::OverSelected => {
            let last = behind.iter().rev().find_map(|operand| match operand {
                Operand::Register(name) => Some(name.clone()),
                _ => None,
            });
            last.into_iter().collect()
        }
    };
    let own: Vec<String> = (0..*count).map(|number| writer.numbered("d", number, *width)).collect();
    // D may have more registers than what it lies over; the others are its own.
    let sums: Vec<String> =
        own.iter().enumerate().map(|(n, own)| over.get(n).unwrap_or(own).clone()).collect();
    let matrices = [sums.clone(), a.clone(), b.clone(), addends].map(vector);
    writer.execute(matrices.into_iter().chain(behind).collect());
    for (own, sum) in own.iter().zip(&sums).filter(|(own, sum)| own != sum) {
        writer.body.mov(Scalar::Bits(*width), own.as_str(), sum.as_str());
    }
}
