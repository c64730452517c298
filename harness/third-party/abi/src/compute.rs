//! A way to compute a variant: a function of the numbers in its registers, and the loop over the rows.

use std::ffi::c_void;
use std::slice;

/// A value that a row of a column holds: a number, or the lanes of a packed register, the first in the low bits.
///
/// No register is larger than a word: a function of a larger one does not compile.
///
/// ```
/// assert_eq!(ptx_abi::unary(|a: [u32; 2]| a[1]).vector(&[5 << 32]), 5);
/// ```
///
/// ```compile_fail,E0080
/// ptx_abi::unary(|a: [u64; 6]| a[5]).vector(&[1]);
/// ```
///
/// ```compile_fail,E0080
/// ptx_abi::unary(|a: u64| [a; 64]).vector(&[1]);
/// ```
///
/// # Safety
/// Any pattern of bits is a value of the type.
pub unsafe trait Register: Copy + 'static {
    /// A check that the type fits into a word. Whatever reads or writes a column of the type asks for it.
    #[doc(hidden)]
    const FITS: () = assert!(size_of::<Self>() <= size_of::<u64>(), "a register has at most 64 bits");
}

macro_rules! registers {
    ($($number:ty)+) => {$(
        // SAFETY: any pattern of bits is a number of the type.
        unsafe impl Register for $number {}
    )+};
}
registers! { u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 }

// SAFETY: an array has nothing between its elements.
unsafe impl<T: Register, const N: usize> Register for [T; N] {}

/// The columns of a call: those of its operands and those of its results.
pub(crate) struct Columns {
    pub rows: usize,
    pub operands: *const *const c_void,
    pub results: *const *mut c_void,
}

impl Columns {
    /// Returns the column of an operand, by its number.
    ///
    /// # Safety
    /// There is an operand of that number, whose column has as many rows as the call, each of type `T`.
    unsafe fn operand<T: Register>(&self, at: usize) -> &[T] {
        const { T::FITS };
        // SAFETY: the caller's promise; columns are aligned to 8 bytes.
        unsafe { slice::from_raw_parts((*self.operands.add(at)).cast(), self.rows) }
    }

    /// Writes the column of results.
    ///
    /// # Safety
    /// The column has as many rows as the call, each of type `T`, and there are no more values than rows.
    unsafe fn fill<T: Register>(&self, values: impl Iterator<Item = T>) {
        const { T::FITS };
        // SAFETY: the caller's promise.
        let column = unsafe { (*self.results).cast::<T>() };
        for (row, value) in values.enumerate() {
            // SAFETY: the caller's promise. What was there need not have been initialised.
            unsafe { column.add(row).write(value) };
        }
    }
}

/// A way to compute a variant with one result.
pub struct Compute {
    operands: usize,
    rows: Box<dyn Fn(&Columns)>,
}

impl Compute {
    /// Computes all rows.
    ///
    /// # Safety
    /// The columns are those of the variant that this computes.
    pub(crate) unsafe fn rows(&self, columns: &Columns) {
        (self.rows)(columns);
    }

    /// Computes one vector, whose operands and result are bits in the low end of words.
    ///
    /// # Panics
    /// If there are not as many operands as the variant takes.
    pub fn vector(&self, operands: &[u64]) -> u64 {
        assert_eq!(operands.len(), self.operands);
        let columns: Vec<*const c_void> =
            operands.iter().map(|word| (word as *const u64).cast()).collect();
        let mut result = 0_u64;
        let results = [(&raw mut result).cast::<c_void>()];
        let columns = Columns { rows: 1, operands: columns.as_ptr(), results: results.as_ptr() };
        // SAFETY: no register is larger than a word, and on a little-endian machine its low bits come
        // first; there are as many as the function takes.
        unsafe { self.rows(&columns) };
        result
    }
}

/// Makes a way to compute a variant from a function of one operand.
pub fn unary<A: Register, R: Register>(function: impl Fn(A) -> R + 'static) -> Compute {
    let rows = Box::new(move |columns: &Columns| {
        // SAFETY: who calls `Compute::rows` promises that the columns are the variant's.
        let a = unsafe { columns.operand::<A>(0) };
        let values = a.iter().map(|&a| function(a));
        // SAFETY: the same promise.
        unsafe { columns.fill(values) };
    });
    Compute { operands: 1, rows }
}

/// Makes a way to compute a variant from a function of two operands.
pub fn binary<A: Register, B: Register, R: Register>(function: impl Fn(A, B) -> R + 'static) -> Compute {
    let rows = Box::new(move |columns: &Columns| {
        // SAFETY: who calls `Compute::rows` promises that the columns are the variant's.
        let (a, b) = unsafe { (columns.operand::<A>(0), columns.operand::<B>(1)) };
        let values = a.iter().zip(b).map(|(&a, &b)| function(a, b));
        // SAFETY: the same promise.
        unsafe { columns.fill(values) };
    });
    Compute { operands: 2, rows }
}

/// Makes a way to compute a variant from a function of three operands.
pub fn ternary<A: Register, B: Register, C: Register, R: Register>(
    function: impl Fn(A, B, C) -> R + 'static,
) -> Compute {
    let rows = Box::new(move |columns: &Columns| {
        // SAFETY: who calls `Compute::rows` promises that the columns are the variant's.
        let (a, b) = unsafe { (columns.operand::<A>(0), columns.operand::<B>(1)) };
        // SAFETY: the same promise.
        let c = unsafe { columns.operand::<C>(2) };
        let values = a.iter().zip(b).zip(c).map(|((&a, &b), &c)| function(a, b, c));
        // SAFETY: the same promise.
        unsafe { columns.fill(values) };
    });
    Compute { operands: 3, rows }
}

const _: () = assert!(cfg!(target_endian = "little"), "lanes and vectors have their low bits first");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_and_results_keep_their_widths_and_order() {
        let function =
            ternary(|a: u8, b: i16, c: [u8; 4]| i64::from(b) * 1000 + i64::from(a) + i64::from(c[3]));
        assert_eq!(function.vector(&[0xff07, 0xffff, 0x2000_0000]) as i64, -1000 + 7 + 0x20);
        assert_eq!(unary(|[low, high]: [u16; 2]| [high, low]).vector(&[0x1234_5678]), 0x5678_1234);
    }

    #[test]
    fn each_row_has_its_result() {
        let (a, b) = ([1_u32, 2, 3], [10_u16, 20, 30]);
        let mut results = [0_u64; 3];
        let operands = [a.as_ptr().cast(), b.as_ptr().cast()];
        let columns = Columns {
            rows: 3,
            operands: operands.as_ptr(),
            results: &[results.as_mut_ptr().cast()] as *const _,
        };
        let difference = binary(|a: u32, b: u16| u64::from(b) - u64::from(a));
        // SAFETY: columns of these types.
        unsafe { difference.rows(&columns) };
        assert_eq!(results, [9, 18, 27]);
    }

    #[test]
    #[should_panic(expected = "assertion")]
    fn a_vector_has_as_many_operands_as_the_function() {
        unary(|a: u8| a).vector(&[1, 2]);
    }
}
