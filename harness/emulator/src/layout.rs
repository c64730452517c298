//! Formats as kernels see them: fields, limits, and where the numbers end.

use vectors::format::{self, Format, Scale, Specials};

use super::value::Value;

/// A floating-point [`Format`], in masks and shifts.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// See [`Format::width`].
    pub width: u32,
    /// See [`Format::signed`].
    pub signed: bool,
    /// See [`Format::trailing_bits`].
    pub trailing: u32,
    /// See [`Format::precision`].
    pub precision: u32,
    /// See [`Format::bias`].
    pub bias: u32,
    /// The lowest exponent field of a normal number: 1, or 0 where there are no subnormals.
    pub lowest: u32,
    /// See [`Format::magnitude_mask`].
    pub magnitude: u64,
    /// See [`Format::sign_mask`].
    pub sign: u64,
    /// The implicit bit of a significand.
    pub implicit: u64,
    /// See [`Format::max_finite`].
    pub max_finite: u64,
    /// The largest magnitude that is no NaN: infinity, or the largest finite number.
    pub last: u64,
    /// The encoding of −0, where that is the only NaN.
    pub negative_nan: Option<u64>,
}

impl Layout {
    /// The layout of a floating-point format.
    pub const fn new(format: &Format) -> Layout {
        assert!(!format.is_fixed(), "integers have no exponent");
        Layout {
            width: format.width(),
            signed: format.signed,
            trailing: format.trailing_bits,
            precision: format.precision(),
            bias: format.bias as u32,
            lowest: match format.scale {
                Scale::Power => 0,
                _ => 1,
            },
            magnitude: format.magnitude_mask(),
            sign: format.sign_mask(),
            implicit: 1 << format.trailing_bits,
            max_finite: format.max_finite(),
            last: match format.infinity() {
                Some(infinity) => infinity,
                None => format.max_finite(),
            },
            negative_nan: match format.specials {
                Specials::NanNegativeZero => Some(format.sign_mask()),
                _ => None,
            },
        }
    }
}

impl Value<Layout> for Layout {
    const CONSTANT: bool = false;

    #[inline(always)]
    fn get(&self) -> &Layout {
        self
    }
}

/// A format that kernels may be compiled for.
pub trait Encoding: Copy + Default + Send + Sync + 'static {
    /// The format.
    const FORMAT: Format;
    /// Its layout.
    const LAYOUT: Layout = Layout::new(&Self::FORMAT);
}

impl<E: Encoding> Value<Layout> for E {
    const CONSTANT: bool = true;

    #[inline(always)]
    fn get(&self) -> &Layout {
        const { &E::LAYOUT }
    }
}

macro_rules! encodings {
    ($($name:ident)+) => {$(
        #[doc = concat!("[`format::", stringify!($name), "`] as a type.")]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;

        impl Encoding for $name {
            const FORMAT: Format = format::$name;
        }
    )+};
}

encodings!(F16 BF16 F32 F64 E5M2);
