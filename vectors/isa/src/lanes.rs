//! Conversion between registers and lanes, so that code can compute one lane at a time where data are packed, spread or
//! shared. An element is one lane of one row; elements are stored row by row, lane 0 first.

use std::ops::Range;

use formats::{Column, Element, of_width};

use crate::{LaneData, LaneSlot, Register, Variant};

impl LaneData {
    /// Gathers the elements of some rows from the registers that hold them, into the first `rows × lanes` elements of
    /// `into`.
    pub fn gather<T: Element>(
        &self,
        registers: &[Register],
        columns: &[Column],
        rows: Range<usize>,
        into: &mut [T],
    ) {
        fn lane<R: Element, T: Element>(rows: &[R], shift: u32, mask: u64, into: &mut [T], step: usize) {
            let element = |row: &R| T::of(row.bits() >> shift & mask);
            match step {
                // Without a stride the compiler does many at once.
                1 => rows.iter().zip(into).for_each(|(row, into)| *into = element(row)),
                _ => {
                    let into = into.iter_mut().step_by(step);
                    rows.iter().zip(into).for_each(|(row, into)| *into = element(row));
                }
            }
        }
        if rows.is_empty() {
            return;
        }
        let lanes = self.slots.len();
        for (number, slot) in self.slots.iter().enumerate() {
            let (&LaneSlot { register, shift, mask, .. }, column) = (slot, &columns[slot.register]);
            debug_assert_eq!(column.row_bytes(), registers[register].ty.row_bytes());
            // Elements lie row by row: those of one lane are `lanes` apart.
            let into = &mut into[number..rows.len() * lanes];
            of_width!(column, elements, all => lane(&all[rows.clone()], shift, mask, into, lanes));
        }
    }

    /// Puts the elements of some rows into the registers that hold them. Bits of a register that belong to none of
    /// these lanes stay as they were: a register begins as zeros.
    pub fn scatter<T: Element>(
        &self,
        registers: &[Register],
        elements: &[T],
        rows: Range<usize>,
        columns: &mut [Column],
    ) {
        fn lane<R: Element, T: Element>(
            elements: &[T],
            step: usize,
            shift: u32,
            mask: u64,
            rows: &mut [R],
        ) {
            let put = |(element, row): (&T, &mut R)| {
                let others = row.bits() & !(mask << shift);
                *row = R::of(others | (element.bits() & mask) << shift);
            };
            match step {
                1 => elements.iter().zip(rows).for_each(put),
                _ => elements.iter().step_by(step).zip(rows).for_each(put),
            }
        }
        if rows.is_empty() {
            return;
        }
        let lanes = self.slots.len();
        for (number, slot) in self.slots.iter().enumerate() {
            let (&LaneSlot { register, shift, mask, .. }, column) = (slot, &mut columns[slot.register]);
            debug_assert_eq!(column.row_bytes(), registers[register].ty.row_bytes());
            let elements = &elements[number..rows.len() * lanes];
            of_width!(column, elements_mut, all =>
                lane(elements, lanes, shift, mask, &mut all[rows.clone()]));
        }
    }

    /// Returns the elements in place, where a column of registers is a column of lanes of `T`; `None` elsewhere.
    pub fn view<'a, T: Element>(
        &self,
        registers: &[Register],
        columns: &'a [Column],
    ) -> Option<&'a [T]> {
        let register = self.dense::<T>(registers)?;
        Some(columns[register].elements())
    }

    /// Returns the elements in place, to be written, where a column of registers is a column of lanes of `T`; `None`
    /// elsewhere.
    pub fn view_mut<'a, T: Element>(
        &self,
        registers: &[Register],
        columns: &'a mut [Column],
    ) -> Option<&'a mut [T]> {
        let register = self.dense::<T>(registers)?;
        Some(columns[register].elements_mut())
    }

    /// Returns the register that these lanes fill, if they do: as many lanes as it has, and in the same order.
    fn dense<T: Element>(&self, registers: &[Register]) -> Option<usize> {
        let register = self.slots[0].register;
        let ty = registers[register].ty;
        let in_order = |(lane, slot): (usize, &LaneSlot)| slot.register == register && slot.lane == lane;
        let dense = ty.is_dense() && ty.stride == 8 * size_of::<T>() as u32;
        let all = ty.lanes == self.slots.len() && self.slots.iter().enumerate().all(in_order);
        (dense && all).then_some(register)
    }
}

/// Returns columns for the operands of a variant, of `rows` rows each.
pub fn columns_for(variant: &Variant, rows: usize) -> Vec<Column> {
    variant.operands().iter().map(|operand| Column::new(operand.ty.row_bytes(), rows)).collect()
}

/// Returns columns for the results of a variant, of `rows` rows each.
pub fn results_for(variant: &Variant, rows: usize) -> Vec<Column> {
    variant.results().iter().map(|result| Column::new(result.ty.row_bytes(), rows)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LaneSignature, Type};

    fn signature(printed: &[&str], registers: &'static str) -> LaneSignature {
        let printed: Vec<Type> = printed.iter().map(|name| Type::named(name).unwrap()).collect();
        LaneSignature::read(&printed, registers)
    }

    #[test]
    fn spread_registers_become_lanes_and_lanes_registers() {
        let s = signature(&["e2m1x2", "f32"], "d:dtype, a/b");
        let mut operands = [Column::new(4, 3), Column::new(4, 3)];
        for row in 0..3 {
            operands[0].set(row, 0xa0 + row as u64);
            operands[1].set(row, 0xb0 + row as u64);
        }
        let mut elements = [0u64; 4];
        s.inputs[0].gather(&s.operands, &operands, 1..3, &mut elements);
        assert_eq!(elements, [0xb1, 0xa1, 0xb2, 0xa2]);
        assert!(s.inputs[0].view::<u32>(&s.operands, &operands).is_none());

        let mut results = [Column::new(1, 3)];
        s.outputs[0].scatter(&s.results, &[1u32, 2, 3, 4], 1..3, &mut results);
        assert_eq!(results[0].elements::<u8>(), [0, 0x21, 0x43]);
        // Of no rows there are none.
        s.inputs[0].gather(&s.operands, &operands, 1..1, &mut elements[..0]);
        s.outputs[0].scatter::<u32>(&s.results, &[], 1..1, &mut results);
        assert_eq!(results[0].elements::<u8>(), [0, 0x21, 0x43]);
    }

    #[test]
    fn a_dense_column_is_a_column_of_lanes() {
        let s = signature(&["f16x2", "e4m3x2"], "d:dtype, a");
        let mut column = [Column::new(2, 2)];
        column[0].set(1, 0x3412);
        assert_eq!(s.inputs[0].view::<u8>(&s.operands, &column).unwrap(), [0, 0, 0x12, 0x34]);
        assert!(s.inputs[0].view::<u16>(&s.operands, &column).is_none());
        let padded = signature(&["f16x2", "e2m3x2"], "d:dtype, a");
        assert!(padded.inputs[0].view::<u8>(&padded.operands, &column).is_none());
    }
}
