//! Formats as types, for kernels that are compiled once per format.

use bytemuck::Pod;
use vectors::format::{self, Format};

/// An unsigned integer that a column stores: an element of one lane.
pub trait Element: Pod + Into<u32> {
    /// The low bits of a word.
    fn truncate(word: u32) -> Self;
}

macro_rules! element {
    ($($unsigned:ty)+) => {$(
        impl Element for $unsigned {
            #[inline(always)]
            fn truncate(word: u32) -> $unsigned {
                word as $unsigned
            }
        }
    )+};
}

element!(u8 u16 u32);

/// A [`Format`] of at most 32 bits, with infinities, as a type. Every constant is derived from it.
pub trait Encoding {
    /// The format.
    const FORMAT: Format;
    /// What a column stores it in.
    type Element: Element;

    /// See [`Format::width`].
    const WIDTH: u32 = Self::FORMAT.width();
    /// See [`Format::trailing_bits`].
    const TRAILING: u32 = Self::FORMAT.trailing_bits;
    /// See [`Format::precision`].
    const PRECISION: u32 = Self::FORMAT.precision();
    /// See [`Format::bias`].
    const BIAS: u32 = Self::FORMAT.bias as u32;
    /// See [`Format::sign_mask`].
    const SIGN: u32 = Self::FORMAT.sign_mask() as u32;
    /// See [`Format::magnitude_mask`].
    const MAGNITUDE: u32 = Self::FORMAT.magnitude_mask() as u32;
    /// See [`Format::infinity`].
    const INFINITY: u32 = Self::FORMAT.infinity().expect("formats here have infinities") as u32;
    /// See [`Format::max_finite`].
    const MAX_FINITE: u32 = Self::FORMAT.max_finite() as u32;
    /// See [`Format::min_normal`].
    const MIN_NORMAL: u32 = Self::FORMAT.min_normal() as u32;
    /// See [`Format::one`].
    const ONE: u32 = Self::FORMAT.one() as u32;
    /// See [`Format::canonical_nan`].
    const CANONICAL_NAN: u32 = Self::FORMAT.canonical_nan() as u32;
}

macro_rules! encoding {
    ($($name:ident in $element:ty;)+) => {$(
        #[doc = concat!("[`format::", stringify!($name), "`] as a type.")]
        pub enum $name {}

        impl Encoding for $name {
            const FORMAT: Format = format::$name;
            type Element = $element;
        }
    )+};
}

encoding! {
    F16 in u16;
    BF16 in u16;
    F32 in u32;
    E5M2 in u8;
}
