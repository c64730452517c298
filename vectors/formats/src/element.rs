//! Elements of columns as unsigned integers, and columns as slices of them.

use bytemuck::Pod;

/// An unsigned integer wide enough for a lane's bits.
pub trait Element: Pod + Default + PartialEq {
    /// Returns the element that holds the low bits of `bits`.
    fn of(bits: u64) -> Self;

    /// Returns the element's bits, zero-extended.
    fn bits(self) -> u64;
}

macro_rules! elements {
    ($($word:ty)*) => {$(
        impl Element for $word {
            #[inline(always)]
            fn of(bits: u64) -> $word {
                bits as $word
            }

            #[inline(always)]
            fn bits(self) -> u64 {
                u64::from(self)
            }
        }
    )*};
}
elements!(u8 u16 u32 u64);

/// Calls a generic function with the column's rows as a slice of the unsigned type of their width.
#[macro_export]
macro_rules! of_width {
    ($column:expr, $elements:ident, $rows:ident => $body:expr) => {
        match $column.row_bytes() {
            1 => {
                let $rows = $column.$elements::<u8>();
                $body
            }
            2 => {
                let $rows = $column.$elements::<u16>();
                $body
            }
            4 => {
                let $rows = $column.$elements::<u32>();
                $body
            }
            8 => {
                let $rows = $column.$elements::<u64>();
                $body
            }
            width => $crate::no_width(width),
        }
    };
}

/// Ends [`of_width!`] for a column whose rows have no unsigned type; out of the way of loops over rows.
///
/// # Panics
/// Always: no register of lanes has such a width.
#[cold]
pub fn no_width(bytes: usize) -> ! {
    panic!("no register of lanes has {bytes} bytes")
}
