//! Execution of one instruction over a batch of rows.

use std::ptr;

use formats::Column;

/// A loop over rows that loads operands, executes the instruction and stores what it gives, all in one block of
/// assembly: nothing that the compiler made runs under the changed control register.
///
/// The function takes the control register's value, where the operands and the results begin, and the number of
/// rows.
///
/// # Safety
/// The processor must have the instruction and the bits of the control register that are set; each
/// operand and each result must have so many rows, of the widths that the [`HostBatch`] says; and there
/// must be a row.
pub type Loop = unsafe fn(u64, [*const u8; 3], [*mut u8; 2], usize);

/// A [`Loop`], and the columns that it takes.
#[derive(Clone, Copy, Debug)]
pub struct HostBatch {
    /// Bytes in a row of each operand.
    pub operands: &'static [usize],
    /// Bytes in a row of each result.
    pub results: &'static [usize],
    /// Loop that goes through the rows.
    pub rows: Loop,
}

impl HostBatch {
    /// Computes every row of `results`. The control register is the caller's again afterwards.
    ///
    /// # Panics
    /// If the columns are not those that the loop takes.
    ///
    /// # Safety
    /// The processor must have the instruction, and every bit of its control register that is set in
    /// `control`.
    pub unsafe fn run(&self, control: u64, operands: &[Column], results: &mut [Column]) {
        let rows = results[0].rows();
        let fit = |columns: &[Column], widths: &[usize]| {
            let found = columns.iter().map(|column| (column.row_bytes(), column.rows()));
            found.eq(widths.iter().map(|&width| (width, rows)))
        };
        assert!(
            fit(operands, self.operands) && fit(results, self.results),
            "the columns are not those that the instruction takes"
        );
        if rows == 0 {
            return;
        }
        let (mut from, mut into) = ([ptr::null(); 3], [ptr::null_mut(); 2]);
        from.iter_mut().zip(operands).for_each(|(from, column)| *from = column.bytes().as_ptr());
        into.iter_mut().zip(results).for_each(|(into, column)| *into = column.bytes_mut().as_mut_ptr());
        // SAFETY: the columns have the rows and widths that the loop goes through, as was just
        // asserted; of the rest the caller has made sure.
        unsafe { (self.rows)(control, from, into, rows) }
    }
}
