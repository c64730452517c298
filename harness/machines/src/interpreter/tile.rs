//! Moves matrices of `wmma` between memory and the registers of a warp.

use ptx::syntax::TileAccess;

use super::fragments::{Fragment, MatrixCell};
use super::{Memory, MemoryError, Problem, Values, WARP};

/// The bytes that the beginnings of rows are aligned to at least; for small fragments it is less.
const ROW_ALIGNMENT: u64 = 16;

/// The place of a matrix in memory: the address of its first element, and how many elements its rows, or columns, lie
/// apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corner {
    first: u64,
    stride: u64,
}

/// A matrix that is moved, and the fragment of it that a warp's registers hold.
pub struct Moved {
    tile: TileAccess,
    fragment: Fragment,
}

/// Returns the fragment of a matrix in the registers of a warp.
pub fn fragment(tile: &TileAccess) -> Fragment {
    Fragment::of_wmma(tile.matrix, tile.shape, (tile.ty, tile.bits()), tile.by_rows)
}

impl Moved {
    /// Returns the matrix that an instruction moves.
    pub fn new(tile: TileAccess) -> Moved {
        Moved { tile, fragment: fragment(&tile) }
    }

    /// Returns the number of registers of the fragment.
    pub fn registers(&self) -> usize {
        self.fragment.registers()
    }

    /// Returns the place of the matrix, which all threads must agree on (9.7.16.4.3), and which must be aligned
    /// (9.7.16.4.2).
    ///
    /// # Errors
    /// If threads do not agree, if the place is not aligned, or if rows lie in each other.
    pub fn corner_at(
        &self,
        addresses: [Option<u64>; WARP],
        stride: Option<Values>,
    ) -> Result<Corner, Problem> {
        let [rows, columns] = self.tile.sides().map(u64::from);
        let least = if self.tile.by_rows { columns } else { rows };
        let [first, ..] = addresses;
        // Without a stride, one line begins where the line before ends.
        let strides = stride.unwrap_or([least; WARP]);
        let [stride, ..] = strides;
        let first = first.filter(|_| addresses == [first; WARP] && strides == [stride; WARP]);
        let first = first.ok_or(Problem::Apart)?;
        let apart = stride.checked_mul(u64::from(self.tile.bits() / 8)).ok_or(Problem::Stride)?;
        let aligned = self.fragment.bytes();
        if stride < least || stride > u32::MAX.into() || apart % aligned.min(ROW_ALIGNMENT) != 0 {
            return Err(Problem::Stride);
        }
        match first.is_multiple_of(aligned) {
            true => Ok(Corner { first, stride }),
            false => Err(Problem::Memory(MemoryError::Alignment)),
        }
    }

    /// Returns the address of an element.
    fn address(&self, place: Corner, cell: MatrixCell) -> u64 {
        let (row, column) = (cell.row as u64, cell.column as u64);
        let (line, along) = if self.tile.by_rows { (row, column) } else { (column, row) };
        let number = line.wrapping_mul(place.stride).wrapping_add(along);
        place.first.wrapping_add(number.wrapping_mul(u64::from(self.tile.bits() / 8)))
    }

    /// Loads the registers of the matrix from memory.
    ///
    /// # Errors
    /// If the matrix reaches where nothing is.
    pub fn load(&self, place: Corner, memory: &mut dyn Memory) -> Result<Vec<Values>, MemoryError> {
        let (bytes, mut failure) = (self.tile.bits() as usize / 8, None);
        // `scatter` cannot stop half way, so a failure is kept until it is done.
        let registers = self.fragment.scatter(|cell| {
            let loaded = memory.load(self.address(place, cell), bytes);
            loaded.unwrap_or_else(|error| {
                failure = Some(error);
                0
            })
        });
        failure.map_or(Ok(registers), Err)
    }

    /// Stores the matrix that registers hold.
    ///
    /// # Errors
    /// If the matrix reaches where nothing is.
    pub fn store(
        &self,
        place: Corner,
        registers: &[Values],
        memory: &mut dyn Memory,
    ) -> Result<(), MemoryError> {
        let (bytes, mut outcome) = (self.tile.bits() as usize / 8, Ok(()));
        self.fragment.gather(registers, |cell, word| {
            outcome = outcome.and_then(|()| memory.store(self.address(place, cell), bytes, word));
        });
        outcome
    }
}
