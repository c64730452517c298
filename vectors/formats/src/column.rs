//! Columns of bit patterns, in which a batch of vectors is kept: one column for each register.

use std::ops::Range;

use bytemuck::Pod;

use crate::RowBits;

#[cfg(target_endian = "big")]
compile_error!("lanes are read from columns in place, lane 0 first: the host must be little-endian");

/// A column of bit patterns, all of one width, row behind row without a gap.
///
/// Rows are bits, never floats: signalling NaNs survive, and the same bytes go to a GPU, a pipe or a digest. A
/// row of a packed type may be looked at whole or lane by lane; lane 0 is the low end of the row. Rows of at
/// most 64 bits are words, for [`get`](Self::get) and [`set`](Self::set). Wider rows are bytes, or elements of
/// which a whole number makes a row.
#[derive(Clone, Debug)]
pub struct Column {
    row_bytes: usize,
    rows: usize,
    /// Storage of all rows in 64-bit words, so that any view is aligned.
    words: Vec<u64>,
}

impl Column {
    /// Creates a column of `rows` rows that are zero, each of `row_bytes` bytes; `row_bytes` is at least 1.
    pub fn new(row_bytes: usize, rows: usize) -> Column {
        assert!(row_bytes > 0, "a row has no bits");
        let mut column = Column { row_bytes, rows: 0, words: Vec::new() };
        column.resize(rows);
        column
    }

    /// Changes the number of rows; new rows hold zero, and old storage is kept.
    pub fn resize(&mut self, rows: usize) {
        let bytes = rows * self.row_bytes;
        self.words.resize(bytes.div_ceil(8), 0);
        // The last word may reach beyond the last row. What rows leave there that go would be in rows that come later.
        if rows < self.rows {
            bytemuck::cast_slice_mut::<u64, u8>(&mut self.words)[bytes..].fill(0);
        }
        self.rows = rows;
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of bytes in a row.
    pub fn row_bytes(&self) -> usize {
        self.row_bytes
    }

    /// Returns the bytes of all rows, row after row, each little-endian.
    pub fn bytes(&self) -> &[u8] {
        // The last word may reach beyond the last row.
        &bytemuck::cast_slice(&self.words)[..self.rows * self.row_bytes]
    }

    /// Returns the bytes of all rows for writing, row after row, each little-endian.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.words)[..self.rows * self.row_bytes]
    }

    /// Returns the column as elements of `T`: rows, or the lanes of rows if `T` is narrower than a row.
    pub fn elements<T: Pod>(&self) -> &[T] {
        assert!(self.row_bytes.is_multiple_of(size_of::<T>()), "an element does not span rows");
        bytemuck::cast_slice(self.bytes())
    }

    /// Returns the column as elements of `T` for writing: rows, or the lanes of rows if `T` is narrower than a
    /// row.
    pub fn elements_mut<T: Pod>(&mut self) -> &mut [T] {
        assert!(self.row_bytes.is_multiple_of(size_of::<T>()), "an element does not span rows");
        bytemuck::cast_slice_mut(self.bytes_mut())
    }

    /// Returns the bytes of a range of rows.
    pub fn bytes_of(&self, rows: Range<usize>) -> &[u8] {
        &self.bytes()[rows.start * self.row_bytes..rows.end * self.row_bytes]
    }

    /// Returns the bytes of a range of rows, for writing.
    pub fn bytes_of_mut(&mut self, rows: Range<usize>) -> &mut [u8] {
        let row_bytes = self.row_bytes;
        &mut self.bytes_mut()[rows.start * row_bytes..rows.end * row_bytes]
    }

    /// Copies the rows with the numbers `rows` into a new column, in the order of `rows`.
    fn select(&self, rows: &[usize]) -> Column {
        let mut column = Column::new(self.row_bytes, rows.len());
        for (at, &row) in rows.iter().enumerate() {
            column.row_bytes_of_mut(at).copy_from_slice(self.row_bytes_of(row));
        }
        column
    }

    /// Returns the bytes of one row, little-endian.
    pub fn row_bytes_of(&self, row: usize) -> &[u8] {
        assert!(row < self.rows, "there is no row {row}");
        &bytemuck::cast_slice(&self.words)[row * self.row_bytes..][..self.row_bytes]
    }

    /// Returns the bytes of one row for writing, little-endian.
    pub fn row_bytes_of_mut(&mut self, row: usize) -> &mut [u8] {
        assert!(row < self.rows, "there is no row {row}");
        let row_bytes = self.row_bytes;
        &mut bytemuck::cast_slice_mut(&mut self.words)[row * row_bytes..][..row_bytes]
    }

    /// Returns the bits of one row, of any width.
    pub fn row_bits(&self, row: usize) -> RowBits {
        RowBits::from_bytes(self.row_bytes_of(row))
    }

    /// Sets a row of any width to the low bytes of `bits`, of which all count.
    pub fn set_row_bits(&mut self, row: usize, bits: &RowBits) {
        bits.write(self.row_bytes_of_mut(row));
    }

    /// Returns the bits of row `row`, zero-extended.
    ///
    /// # Panics
    /// If rows have more than 64 bits.
    pub fn get(&self, row: usize) -> u64 {
        // Rows of the widths that registers have are read without a call to copy their bytes.
        match *self.row_bytes_of(row) {
            [a] => a.into(),
            [a, b] => u16::from_le_bytes([a, b]).into(),
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
            [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            ref bytes => {
                let mut wide = [0; 8];
                wide[..bytes.len()].copy_from_slice(bytes);
                u64::from_le_bytes(wide)
            }
        }
    }

    /// Sets row `row` to the low bytes of `bits`.
    ///
    /// # Panics
    /// If rows have more than 64 bits.
    pub fn set(&mut self, row: usize, bits: u64) {
        let into = self.row_bytes_of_mut(row);
        match into.len() {
            1 => into.copy_from_slice(&(bits as u8).to_le_bytes()),
            2 => into.copy_from_slice(&(bits as u16).to_le_bytes()),
            4 => into.copy_from_slice(&(bits as u32).to_le_bytes()),
            bytes => into.copy_from_slice(&bits.to_le_bytes()[..bytes]),
        }
    }
}

/// Reads one row of each column, none of which has rows of more than 64 bits.
pub fn row(columns: &[Column], row: usize) -> Vec<u64> {
    columns.iter().map(|column| column.get(row)).collect()
}

/// Sets one row of each column, none of which has rows of more than 64 bits.
pub fn set_row(columns: &mut [Column], row: usize, registers: &[u64]) {
    columns.iter_mut().zip(registers).for_each(|(column, &bits)| column.set(row, bits));
}

/// Reads one row of each column, whatever their widths.
pub fn row_bits(columns: &[Column], row: usize) -> Vec<RowBits> {
    columns.iter().map(|column| column.row_bits(row)).collect()
}

/// Sets one row of each column, whatever their widths.
pub fn set_row_bits(columns: &mut [Column], row: usize, registers: &[RowBits]) {
    columns.iter_mut().zip(registers).for_each(|(column, bits)| column.set_row_bits(row, bits));
}

/// Joins each `parts` columns into one, whose rows are theirs side by side, as memory holds a word that is too
/// wide for a register.
pub fn join(columns: &[Column], parts: usize) -> Vec<Column> {
    let joined = |of_one: &[Column]| {
        let bytes: usize = of_one.iter().map(Column::row_bytes).sum();
        let mut joined = Column::new(bytes, of_one[0].rows());
        for row in 0..joined.rows() {
            let mut into = joined.row_bytes_of_mut(row);
            for part in of_one {
                let (here, behind) = into.split_at_mut(part.row_bytes());
                here.copy_from_slice(part.row_bytes_of(row));
                into = behind;
            }
        }
        joined
    };
    columns.chunks(parts).map(joined).collect()
}

/// Divides joined columns among their parts `into`: the inverse of [`join`].
pub fn divide(joined: &[Column], into: &mut [Column]) {
    let parts = into.len() / joined.len().max(1);
    for (joined, of_one) in joined.iter().zip(into.chunks_mut(parts.max(1))) {
        for row in 0..joined.rows() {
            let mut from = joined.row_bytes_of(row);
            for part in &mut *of_one {
                let (here, behind) = from.split_at(part.row_bytes());
                part.row_bytes_of_mut(row).copy_from_slice(here);
                from = behind;
            }
        }
    }
}

/// Copies the rows with the numbers `rows` out of each column, in the order of `rows`.
pub fn select(columns: &[Column], rows: &[usize]) -> Vec<Column> {
    columns.iter().map(|column| column.select(rows)).collect()
}

/// Returns the numbers of the rows in which some columns differ from others, in ascending order.
pub fn differing<'a>(some: &'a [Column], others: &'a [Column]) -> impl Iterator<Item = usize> + 'a {
    let differs = move |&row: &usize| {
        some.iter().zip(others).any(|(a, b)| a.row_bytes_of(row) != b.row_bytes_of(row))
    };
    // Where the columns are equal as a whole, no row has to be looked at.
    let rows = if some == others { 0 } else { some[0].rows() };
    (0..rows).filter(differs)
}

impl PartialEq for Column {
    fn eq(&self, other: &Column) -> bool {
        self.row_bytes == other.row_bytes && self.bytes() == other.bytes()
    }
}

impl Eq for Column {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_several_columns_go_together() {
        let mut columns = [Column::new(2, 3), Column::new(8, 3)];
        set_row(&mut columns, 2, &[7, 0]);
        columns[1].set(0, u64::MAX);
        assert_eq!(row(&columns, 2), [7, 0]);
        let selected = select(&columns, &[2, 0]);
        assert_eq!([row(&selected, 0), row(&selected, 1)], [[7, 0], [0, u64::MAX]]);
        let zeros = [Column::new(2, 3), Column::new(8, 3)];
        assert_eq!(differing(&columns, &zeros).collect::<Vec<_>>(), [0, 2]);
    }

    /// Tests rows of which a word holds several, rows that end within a word, and rows of whole words.
    #[test]
    fn rows_that_come_later_hold_zero() {
        for row_bytes in [1, 2, 3, 4, 6, 8, 12, 16] {
            for (before, between) in [(8, 0), (8, 1), (8, 3), (8, 7), (5, 2)] {
                let mut column = Column::new(row_bytes, before);
                column.bytes_mut().fill(0xff);
                column.resize(between);
                column.resize(10);
                let (kept, new) = column.bytes().split_at(between * row_bytes);
                assert!(kept.iter().all(|&byte| byte == 0xff), "{row_bytes} {before} {between}");
                assert!(new.iter().all(|&byte| byte == 0), "{row_bytes} {before} {between}: {new:x?}");
            }
        }
    }

    #[test]
    fn parts_of_a_word_lie_side_by_side() {
        let mut columns = [Column::new(8, 2), Column::new(8, 2), Column::new(8, 2), Column::new(8, 2)];
        set_row(&mut columns, 1, &[1, 2, 3, 4]);
        let joined = join(&columns, 2);
        assert_eq!(joined.iter().map(Column::row_bytes).collect::<Vec<_>>(), [16, 16]);
        assert_eq!(joined[1].elements::<u64>(), [0, 0, 3, 4]);
        let mut again = columns.clone();
        again.iter_mut().for_each(|column| column.bytes_mut().fill(0xff));
        divide(&joined, &mut again);
        assert_eq!(again, columns);
        assert_eq!(join(&columns, 1), columns);
    }

    /// Tests rows that are a word, rows of which a word holds several, and rows that take more than a word.
    #[test]
    fn rows_have_any_width() {
        for row_bytes in [1, 2, 3, 4, 5, 8, 9, 16, 20, 160] {
            let mut columns = [Column::new(row_bytes, 5)];
            let rows: Vec<RowBits> = (0..5)
                .map(|row| {
                    let bytes: Vec<u8> = (0..row_bytes).map(|at| (row * 37 + at + 1) as u8).collect();
                    RowBits::from_bytes(&bytes)
                })
                .collect();
            for (row, bits) in rows.iter().enumerate() {
                set_row_bits(&mut columns, row, std::slice::from_ref(bits));
            }
            let column = &columns[0];
            assert_eq!(column.bytes().len(), 5 * row_bytes, "one behind the other");
            assert_eq!(rows, (0..5).map(|row| column.row_bits(row)).collect::<Vec<_>>());
            assert_eq!(column.row_bytes_of(2)[0], 75);
            assert_eq!(column.bytes_of(3..4), column.row_bytes_of(3));
            if row_bytes <= 8 {
                assert_eq!(column.get(4), rows[4].word());
            }
            if row_bytes % 4 == 0 {
                assert_eq!(column.elements::<u32>().len(), 5 * row_bytes / 4, "aligned for views");
            }
            let selected = select(&columns, &[4, 0]);
            assert_eq!([0, 1].map(|row| row_bits(&selected, row)), [&rows[4..], &rows[..1]]);
            let mut other = columns.clone();
            other[0].row_bytes_of_mut(3)[row_bytes - 1] ^= 0x80;
            assert_eq!(differing(&columns, &other).collect::<Vec<_>>(), [3]);
        }
    }

    #[test]
    #[should_panic = "an element does not span rows"]
    fn no_element_spans_rows() {
        Column::new(3, 4).elements::<u16>();
    }

    #[test]
    fn rows_and_lanes_are_views_of_the_same_bits() {
        let mut column = Column::new(4, 3);
        column.set(1, 0x1234_abcd);
        assert_eq!(column.elements::<u32>(), [0, 0x1234_abcd, 0]);
        assert_eq!(column.elements::<u16>(), [0, 0, 0xabcd, 0x1234, 0, 0]);
        assert_eq!(column.get(1), 0x1234_abcd);
        assert_eq!(column.bytes_of(1..2), [0xcd, 0xab, 0x34, 0x12]);
        column.bytes_of_mut(2..3).fill(7);
        assert_eq!(column.select(&[2, 0]).elements::<u32>(), [0x0707_0707, 0]);
        column.resize(1);
        assert_eq!(column.bytes().len(), 4);
        assert_eq!(column, Column::new(4, 1), "what lies behind the last row does not count");
    }
}
