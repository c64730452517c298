//! Formats as types, so that the loops over columns are compiled for each of them.

use bytemuck::Pod;
use vectors::Format;
use vectors::format;

/// A format, and the word that holds its bits in a column.
pub trait Encoding: 'static {
    /// The format.
    const FORMAT: Format;
    /// An element of a column.
    type Word: Pod;

    /// An element, zero-extended.
    fn widen(word: Self::Word) -> u64;

    /// The low bits, as an element.
    fn narrow(bits: u64) -> Self::Word;
}

macro_rules! encodings {
    ($($name:ident in $word:ty = $format:path;)*) => {$(
        #[doc = concat!("`", stringify!($format), "`, in elements of `", stringify!($word), "`.")]
        pub struct $name;

        impl Encoding for $name {
            const FORMAT: Format = $format;
            type Word = $word;

            #[inline]
            fn widen(word: $word) -> u64 {
                word.into()
            }

            #[inline]
            fn narrow(bits: u64) -> $word {
                bits as $word
            }
        }
    )*};
}

encodings! {
    F16 in u16 = format::F16;
    Bf16 in u16 = format::BF16;
    F32 in u32 = format::F32;
}
