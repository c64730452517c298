//! Chained instructions that compute dot products, and which dot products each computes.

use std::ptr;

use formats::{Column, Format, FormatId};
use isa::Rounding;
use isa::matrix::{Controls, Dot, DotOperand, MatrixVariant, Role};

use super::architecture::Feature;

/// A loop over dot products, and in it one over the instruction, which adds a step of products to what it
/// has: a block of assembly like a [`Loop`](super::batch::Loop).
///
/// The function takes the control register's value; where A, B and the addends begin, and the results; the number
/// of rows; and the number of instructions for a row.
///
/// # Safety
/// The processor must have the instruction and the bits of the control register that are set; each column
/// must have so many rows, of the widths that the [`Chain`] says, A and B so many steps in each; and there
/// must be a row and a step.
pub type ChainLoop = unsafe fn(u64, [*const u8; 3], *mut u8, usize, usize);

/// An instruction that computes every dot product of some formats, from the first element to the last.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    /// Format of the elements of A and of B.
    pub multiplicands: FormatId,
    /// Format of the addend and the sum.
    pub sum: FormatId,
    /// Number of products that one instruction adds.
    pub step: usize,
    /// Feature that the processor must have.
    pub feature: Feature,
    /// Function that returns the control register's value for the rounding of a variant, if that is stated.
    pub control: fn(Option<Rounding>) -> u64,
    /// Loop that goes through the rows.
    pub rows: ChainLoop,
}

impl Chain {
    /// Whether the chain computes these dot products. Scales and metadata are no part of any instruction.
    pub fn computes(&self, dot: &Dot) -> bool {
        let formats = [dot.a, dot.b, dot.c, dot.d].map(|format| format.id);
        let [multiplicands, sum] = [self.multiplicands, self.sum];
        formats == [multiplicands, multiplicands, sum, sum]
            && dot.scales.is_none()
            && dot.sparsity.is_none()
            && (dot.k as usize).is_multiple_of(self.step)
    }

    /// Computes every row of `results` from the variant's columns. The control register is the caller's again
    /// afterwards.
    ///
    /// # Panics
    /// If the chain does not compute the variant, or the columns are not the variant's.
    ///
    /// # Safety
    /// The processor must have the instruction.
    pub unsafe fn run(&self, variant: &MatrixVariant, operands: &[Column], results: &mut [Column]) {
        let (dot, rows) = (variant.dot(), results[0].rows());
        assert!(self.computes(dot), "the instruction does not compute {variant}");
        let widths = variant.operands().iter().map(DotOperand::row_bytes);
        let fit = operands.iter().all(|column| column.rows() == rows)
            && operands.iter().map(Column::row_bytes).eq(widths)
            && results.iter().map(Column::row_bytes).eq([variant.result().row_bytes()]);
        assert!(fit, "the columns are not those of {variant}");
        if rows == 0 {
            return;
        }
        let controlled = follow_controls(variant, operands);
        let operands = controlled.as_deref().unwrap_or(operands);
        let mut from = [ptr::null(); 3];
        from.iter_mut().zip(operands).for_each(|(from, column)| *from = column.bytes().as_ptr());
        let into = results[0].bytes_mut().as_mut_ptr();
        let (control, steps) = ((self.control)(dot.rounding), dot.k as usize / self.step);
        // SAFETY: A and B have K elements in a row and the others one, of the chain's formats, as was just
        // asserted, and no K is zero; of the rest the caller has made sure.
        unsafe { (self.rows)(control, from, into, rows, steps) };
    }
}

/// Returns the columns with what the variant's controls ask for: signs are changed, an addend that is not added
/// is +0, and other addends are divided. `None` where the variant has no controls.
fn follow_controls(variant: &MatrixVariant, operands: &[Column]) -> Option<Vec<Column>> {
    let all = variant.operands();
    let place = all.iter().position(|operand| operand.role == Role::Controls)?;
    let mut columns = operands.to_vec();
    for row in 0..operands[place].rows() {
        let controls =
            Controls::from_bits(variant.dot(), all[place].get(operands[place].row_bytes_of(row), 0));
        for (operand, column) in all.iter().zip(&mut columns) {
            let bytes = column.row_bytes_of_mut(row);
            match (operand.role, operand.format) {
                (Role::A, Some(format)) if controls.negate_a => negate(format, bytes),
                (Role::B, Some(format)) if controls.negate_b => negate(format, bytes),
                (Role::C, _) if !controls.accumulate => bytes.fill(0),
                (Role::C, _) if controls.addend_scale > 0 => divide(bytes, controls.addend_scale),
                _ => {}
            }
        }
    }
    Some(columns)
}

/// Divides an addend of f32 by a power of two, as this processor does.
fn divide(addend: &mut [u8], by: u8) {
    if let Ok(bytes) = <&mut [u8; 4]>::try_from(addend) {
        // `by` has four bits, so the power of two fits.
        *bytes = (f32::from_le_bytes(*bytes) / f32::from(1_u16 << by)).to_le_bytes();
    }
}

/// Changes the sign of elements that fill their bytes: it is the highest bit of an element's last byte.
fn negate(format: &Format, row: &mut [u8]) {
    for element in row.chunks_exact_mut(format.width() as usize / 8) {
        element[element.len() - 1] ^= 0x80;
    }
}
