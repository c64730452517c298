//! Kernels of `wgmma.mma_async`: four warps work together, with B in shared memory by descriptors, and A as well
//! unless the name says that it is in registers. The controls of a dot are operands of the instruction. So it is
//! executed once for each of their values, and each dot takes its sum from the execution with its own controls.

use isa::matrix::{Controls, DotOperand, MatrixVariant};

use super::fragment::{ElementPlace, Fragment, SIDE, accumulator, multiplicand};
use super::selectors;
use super::shared::Pieces;
use super::writer::{FactorSide, Writer, vector};
use super::{DotKernel, Placement};
use crate::matrix::WARPGROUP;
use crate::syntax::{B32, B64, Opcode, Operand, PRED, Relation, U32, U64, hex};

/// Rows of a warp; the four warps of a group make up a block.
const ROWS: u32 = 16;
/// Bytes of a row of a core matrix, which has eight rows.
const CORE_ROW: u32 = 16;
/// Bytes of a core matrix.
const CORE: u32 = 8 * CORE_ROW;

/// Returns the kernel of a variant; `None` if the variant has no shape.
pub fn kernel(variant: &MatrixVariant, placement: Placement) -> Option<DotKernel> {
    let [m, n, _] = variant.shape()?;
    let [a, b, c] = [0, 1, 2].map(|at| variant.operands()[at]);
    let mut writer = Writer::new(variant, placement, [m, n], 1, WARPGROUP, 1);
    writer.begin();
    let words = variant.words();
    let in_registers = words.contains(&"a-regs");
    let a_operand = match in_registers {
        true => {
            let fragment = of_four_warps(multiplicand(ROWS, a.elements, a.stride));
            writer.load("a", &a, &fragment, FactorSide::A, a.stride);
            vector((0..fragment.registers()).map(|number| format!("a{number}")))
        }
        false => described(&mut writer, "a", &a, FactorSide::A, m),
    };
    // N may be an odd multiple of 8, and rows are carried 16 at a time.
    let b_operand = described(&mut writer, "b", &b, FactorSide::B, n.next_multiple_of(ROWS));
    let selected = selectors::of(variant.operands());
    for (one, operand) in &selected {
        one.load(&mut writer, operand);
    }
    // The asynchronous proxy is to see what was written to shared memory.
    tested(&mut writer, "fence.proxy.async.shared::cta", Vec::new());
    writer.body.op(Opcode::Barrier, [0.into()]);
    for (ty, name) in [(B32, "%controls"), (PRED, "%added")] {
        writer.register(ty, name);
    }
    writer.body.mov(U32, "%controls", 0);
    writer.body.label("CONTROLS");
    let sums = of_four_warps(accumulator(ROWS, n, c.stride));
    let unit = if placement == Placement::Tile { c.stride } else { 0 };
    writer.load("d", &c, &sums, FactorSide::A, unit);
    // Bit 0 of the controls says whether C is added, bits 1 and 2 which factors change their signs.
    writer.body.and(B32, "%t", "%controls", Controls::PLAIN.bits());
    writer.body.setp(Relation::NotEqual, U32, "%added", "%t", 0);
    let d_operand = vector((0..sums.registers()).map(|number| format!("d{number}")));
    // The signs are immediates.
    for signs in 0..4 {
        let label = format!("SIGNS_{signs}");
        writer.body.shr(U32, "%t", "%controls", 1);
        writer.body.setp(Relation::NotEqual, U32, "%p", "%t", signs);
        writer.body.bra_where("%p", label.as_str());
        let mut operands = vec![d_operand.clone(), a_operand.clone(), b_operand.clone()];
        // Each selector is tried with either sign of each matrix.
        let selector = signs ^ signs >> 1;
        operands.extend(selected.iter().flat_map(|(one, _)| one.operands(&mut writer, selector)));
        operands.push("%added".into());
        operands.extend([signs & 1, signs >> 1].map(|negated| sign(negated == 1)));
        // Types of 16 bits have a transposition for each matrix in shared memory, which is not used.
        if a.stride == 16 {
            let described = if in_registers { 1 } else { 2 };
            operands.extend((0..described).map(|_| Operand::from(0)));
        }
        // Ordinary instructions wrote the registers of D before: `wgmma` may read them only behind this fence.
        tested(&mut writer, "wgmma.fence.sync.aligned", Vec::new());
        writer.execute(operands);
        writer.body.label(label);
    }
    tested(&mut writer, "wgmma.commit_group.sync.aligned", Vec::new());
    tested(&mut writer, "wgmma.wait_group.sync.aligned", vec![0.into()]);
    writer.store("d", &sums);
    writer.body.add(U32, "%controls", "%controls", 1);
    writer.body.setp(Relation::Less, U32, "%p", "%controls", 8);
    writer.body.bra_where("%p", "CONTROLS");
    Some(writer.end(WARPGROUP))
}

/// Adds an instruction that the tree has no opcode for.
fn tested(writer: &mut Writer, text: &str, operands: Vec<Operand>) {
    writer.body.op(Opcode::Tested(text.into()), operands);
}

/// Returns the operand `imm-scale`: 1, or −1.
fn sign(negative: bool) -> Operand {
    match negative {
        // No literal of the tree has a sign.
        true => Operand::Register("-1".into()),
        false => 1.into(),
    }
}

/// Extends a warp's fragment to four warps, whose rows follow each other (PTX ISA 9.7.17.5.1.1).
fn of_four_warps(fragment: Fragment) -> Fragment {
    let lanes = fragment.lanes.iter().copied().chain([[ROWS, 0], [2 * ROWS, 0]]).collect();
    Fragment { lanes, ..fragment }
}

/// Carries a matrix to shared memory, and returns the register with its descriptor (PTX ISA 9.7.17.5.1.2). The matrix
/// is not swizzled, and its terms lie beside each other. Core matrices of eight rows of 16 bytes follow each other
/// along the terms, and then along the rows.
fn described(
    writer: &mut Writer,
    name: &str,
    operand: &DotOperand,
    side: FactorSide,
    rows: u32,
) -> Operand {
    let row_bytes = operand.row_bytes() as u32;
    let base = writer.shared(&format!("matrix_{name}"), rows * row_bytes);
    let address = |[row, term]: ElementPlace| {
        let byte = term * operand.stride / 8;
        row / SIDE * SIDE * row_bytes + byte / CORE_ROW * CORE + row % SIDE * CORE_ROW + byte % CORE_ROW
    };
    // Rows are carried a power of two at a time.
    let each = Pieces::Words.of([ROWS, operand.elements], operand.stride, WARPGROUP);
    let elements = (0..rows / ROWS)
        .flat_map(|part| each.elements.iter().map(move |&[row, term]| [ROWS * part + row, term]))
        .collect();
    writer.stage(operand, &Fragment { elements, ..each }, side, operand.stride, &base, address);
    let descriptor = writer.register(B64, format!("%{name}_descriptor"));
    // A descriptor has its address from bit 0 on, and its strides from bits 16 and 32, all without their four low bits.
    let (leading, stride) = (u64::from(CORE), u64::from(SIDE * row_bytes));
    let strides = leading >> 4 << 16 | stride >> 4 << 32;
    // The address has 18 bits, of which a descriptor keeps the upper 14.
    writer.body.and(B32, "%t", base.as_str(), hex(0x3_ffff));
    writer.body.shr(U32, "%t", "%t", 4);
    writer.body.cvt(U64, U32, &descriptor, "%t");
    writer.body.or(B64, &descriptor, descriptor.as_str(), hex(strides));
    descriptor.as_str().into()
}
