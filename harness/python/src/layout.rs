//! How arrays of elements become columns of registers, and back.

use std::ops::Range;

use anyhow::{Result, bail};
use formats::Column;
use isa::{LaneData, LaneSlot, Register, Variant};

/// The arrays of a variant: one for each input of a lane, and one for each output.
pub struct Layout {
    /// The number of lanes: how many elements of an array one row of registers takes.
    pub lanes: usize,
    /// The arrays of operands.
    pub inputs: Vec<Datum>,
    /// The arrays of results.
    pub outputs: Vec<Datum>,
}

/// One array: where its elements lie in the registers.
pub struct Datum {
    /// The bytes of one element of the array: 1, 2, 4 or 8.
    pub bytes: usize,
    /// The elements of a row: one for each lane, or one that all lanes share.
    pub slots: Vec<LaneSlot>,
    /// The column that is a copy of the array, if the elements fill a register in the order of the lanes.
    whole: Option<usize>,
    /// Whether each element is a register of its own.
    registers: bool,
}

impl Datum {
    /// Finds out where the elements of a datum lie in `registers`.
    fn new(data: &LaneData, registers: &[Register]) -> Datum {
        let bytes = (data.format.width() as usize).div_ceil(8).next_power_of_two();
        let mut slots = data.slots.clone();
        if data.is_shared() {
            slots.truncate(1);
        }
        let in_order = |(lane, slot): (usize, &LaneSlot)| {
            slot.register == slots[0].register && slot.shift as usize == lane * bytes * 8
        };
        let fills = registers.get(slots[0].register).is_some_and(|register| {
            register.ty.row_bytes() == slots.len() * bytes && data.format.width() as usize == 8 * bytes
        });
        let whole = (fills && slots.iter().enumerate().all(in_order)).then(|| slots[0].register);
        let alone = |slot: &LaneSlot| {
            slot.shift == 0
                && data.format.width() as usize == 8 * bytes
                && registers.get(slot.register).is_some_and(|register| register.ty.row_bytes() == bytes)
        };
        let registers = slots.iter().all(alone);
        Datum { bytes, slots, whole, registers }
    }

    /// Returns the number of elements that an array has for so many rows.
    pub fn elements(&self, rows: usize) -> usize {
        rows * self.slots.len()
    }

    /// Copies the elements of some rows into columns, which have as many rows and zeros where nothing was copied yet.
    fn fill(&self, array: &[u8], rows: Range<usize>, columns: &mut [Column]) {
        let elements =
            &array[self.elements(rows.start) * self.bytes..self.elements(rows.end) * self.bytes];
        if let Some(register) = self.whole {
            columns[register].bytes_mut().copy_from_slice(elements);
            return;
        }
        if self.registers {
            for (lane, slot) in self.slots.iter().enumerate() {
                let registers = columns[slot.register].bytes_mut().chunks_exact_mut(self.bytes);
                let own = elements.chunks_exact(self.bytes).skip(lane).step_by(self.slots.len());
                copy(self.bytes, own, registers);
            }
            return;
        }
        for (number, element) in elements.chunks_exact(self.bytes).enumerate() {
            let (row, slot) = (number / self.slots.len(), &self.slots[number % self.slots.len()]);
            let column = &mut columns[slot.register];
            column.set(row, column.get(row) | slot.put(word(element)));
        }
    }

    /// Copies columns into the elements of some rows.
    fn take(&self, columns: &[Column], rows: Range<usize>, array: &mut [u8]) {
        let elements =
            &mut array[self.elements(rows.start) * self.bytes..self.elements(rows.end) * self.bytes];
        if let Some(register) = self.whole {
            elements.copy_from_slice(columns[register].bytes());
            return;
        }
        if self.registers {
            for (lane, slot) in self.slots.iter().enumerate() {
                let registers = columns[slot.register].bytes().chunks_exact(self.bytes);
                let own = elements.chunks_exact_mut(self.bytes).skip(lane).step_by(self.slots.len());
                copy(self.bytes, registers, own);
            }
            return;
        }
        for (number, element) in elements.chunks_exact_mut(self.bytes).enumerate() {
            let (row, slot) = (number / self.slots.len(), &self.slots[number % self.slots.len()]);
            let bits = slot.take(columns[slot.register].get(row)).to_le_bytes();
            element.copy_from_slice(&bits[..element.len()]);
        }
    }
}

/// Copies pieces of 1, 2, 4 or 8 bytes. A length that is known when this is compiled makes a copy one instruction.
fn copy<'a, 'b>(
    bytes: usize,
    from: impl Iterator<Item = &'a [u8]>,
    to: impl Iterator<Item = &'b mut [u8]>,
) {
    macro_rules! copied {
        ($length:literal) => {
            from.zip(to).for_each(|(from, to)| to[..$length].copy_from_slice(&from[..$length]))
        };
    }
    match bytes {
        1 => copied!(1),
        2 => copied!(2),
        4 => copied!(4),
        _ => copied!(8),
    }
}

/// Reads an element of at most eight bytes.
fn word(element: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    bytes[..element.len()].copy_from_slice(element);
    u64::from_le_bytes(bytes)
}

impl Layout {
    /// Finds out the arrays of a variant.
    pub fn of(variant: &Variant) -> Layout {
        let data = |all: &[LaneData], registers: &[Register]| {
            all.iter().map(|data| Datum::new(data, registers)).collect()
        };
        Layout {
            lanes: variant.lanes(),
            inputs: data(variant.inputs(), variant.operands()),
            outputs: data(variant.outputs(), variant.results()),
        }
    }

    /// Returns the number of rows of some arrays of operands, or of results.
    ///
    /// # Errors
    /// If there are too many arrays or too few, or if their lengths do not belong together.
    pub fn rows(data: &[Datum], arrays: &[&[u8]], word: &str) -> Result<usize> {
        if arrays.len() != data.len() {
            bail!("{} {word} arrays were given, and {} are wanted", arrays.len(), data.len());
        }
        let rows_of = |datum: &Datum, array: &[u8]| array.len() / (datum.bytes * datum.slots.len());
        let rows =
            data.iter().zip(arrays).map(|(datum, array)| rows_of(datum, array)).max().unwrap_or(0);
        for (number, (datum, array)) in data.iter().zip(arrays).enumerate() {
            let wanted = datum.elements(rows) * datum.bytes;
            if array.len() != wanted {
                bail!("{word} array {number} has {} bytes, and {wanted} are wanted", array.len());
            }
        }
        Ok(rows)
    }

    /// Copies some rows of arrays of operands into columns of registers.
    pub fn fill(&self, arrays: &[&[u8]], rows: Range<usize>, columns: &mut [Column]) {
        fill(&self.inputs, arrays, rows, columns);
    }

    /// Copies some rows of arrays of results into columns of registers.
    pub fn fill_results(&self, arrays: &[&[u8]], rows: Range<usize>, columns: &mut [Column]) {
        fill(&self.outputs, arrays, rows, columns);
    }

    /// Copies columns of results into some rows of arrays.
    pub fn take(&self, columns: &[Column], rows: Range<usize>, arrays: &mut [Vec<u8>]) {
        take(&self.outputs, columns, rows, arrays);
    }

    /// Copies columns of operands into some rows of arrays.
    pub fn take_operands(&self, columns: &[Column], rows: Range<usize>, arrays: &mut [Vec<u8>]) {
        take(&self.inputs, columns, rows, arrays);
    }
}

/// Copies some rows of arrays into columns.
fn fill(data: &[Datum], arrays: &[&[u8]], rows: Range<usize>, columns: &mut [Column]) {
    for column in &mut *columns {
        column.resize(rows.len());
    }
    if data.iter().any(|datum| datum.whole.is_none()) {
        columns.iter_mut().for_each(|column| column.bytes_mut().fill(0));
    }
    for (datum, array) in data.iter().zip(arrays) {
        datum.fill(array, rows.clone(), columns);
    }
}

/// Copies columns into some rows of arrays.
fn take(data: &[Datum], columns: &[Column], rows: Range<usize>, arrays: &mut [Vec<u8>]) {
    for (datum, array) in data.iter().zip(arrays) {
        datum.take(columns, rows.clone(), array);
    }
}
