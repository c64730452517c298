//! Masks, limits and exponents that follow from a format's definition and are asked for with every datum.

use crate::{Format, FormatId, Scale, Specials};

/// Masks, limits and exponents of a [`Format`], each described at the method of the same name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Derived {
    pub width: u32,
    pub precision: u32,
    pub exponent_min: i32,
    pub exponent_max: i32,
    pub exponent_of_lsb: i32,
    pub mask: u64,
    pub sign_mask: u64,
    pub exponent_mask: u64,
    pub max_finite: u64,
    pub min_normal: u64,
}

impl Format {
    /// Makes a format that has an exponent, with everything that is derived from its definition.
    pub(super) const fn with_exponent(
        (id, name): (FormatId, &'static str),
        (scale, signed): (Scale, bool),
        (exponent_bits, trailing_bits, bias): (u32, u32, i32),
        specials: Specials,
    ) -> Format {
        let width = signed as u32 + exponent_bits + trailing_bits;
        let mask = u64::MAX >> (64 - width);
        let sign_mask = (signed as u64) << (width - 1);
        let exponent_mask = ((1 << exponent_bits) - 1) << trailing_bits;
        let max_finite = match specials {
            // Encodings are in the order of their magnitudes: the largest number stands before the first special one.
            Specials::Ieee => exponent_mask - 1,
            Specials::NanAllOnes => (mask ^ sign_mask) - 1,
            Specials::NanNegativeZero | Specials::None => mask ^ sign_mask,
        };
        let (exponent_min, exponent_of_lsb, min_normal) = match scale {
            Scale::Floating => (1 - bias, 1 - bias - trailing_bits as i32, 1 << trailing_bits),
            // The encoding 0 is a number like the others: there is no zero, and nothing is subnormal.
            Scale::Power | Scale::Fixed => (-bias, -bias, 0),
        };
        let derived = Derived {
            width,
            precision: trailing_bits + 1,
            exponent_min,
            exponent_max: (max_finite >> trailing_bits) as i32 - bias,
            exponent_of_lsb,
            mask,
            sign_mask,
            exponent_mask,
            max_finite,
            min_normal,
        };
        Format { id, name, scale, signed, exponent_bits, trailing_bits, bias, specials, derived }
    }

    /// Makes a fixed-point format, in two's complement if `signed`, with `trailing_bits` bits beside the sign,
    /// of which `fraction` are behind the point.
    pub const fn fixed(id: FormatId, signed: bool, trailing_bits: u32, fraction: i32) -> Format {
        let width = signed as u32 + trailing_bits;
        let mask = u64::MAX >> (64 - width);
        let sign_mask = (signed as u64) << (width - 1);
        let derived = Derived {
            width,
            precision: trailing_bits,
            exponent_min: -fraction,
            exponent_max: trailing_bits as i32 - 1 - fraction,
            exponent_of_lsb: -fraction,
            mask,
            sign_mask,
            exponent_mask: 0,
            max_finite: mask ^ sign_mask,
            // No number is subnormal: the smallest encoding but 0 counts as normal.
            min_normal: 1,
        };
        Format {
            id,
            name: id.listed_name(),
            scale: Scale::Fixed,
            signed,
            exponent_bits: 0,
            trailing_bits,
            bias: fraction,
            specials: Specials::None,
            derived,
        }
    }
}
