//! Floating-point formats as kernels see them: fields, limits, and where the numbers end.

use formats::{Format, Scale, Specials};

use super::spec::{Spec, known};

/// A floating-point [`Format`], in masks and shifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatFields {
    /// The width in bits; see [`Format::width`].
    pub width: u32,
    /// Whether the format has a sign; see [`Format::signed`].
    pub signed: bool,
    /// The number of trailing bits of a significand; see [`Format::trailing_bits`].
    pub trailing: u32,
    /// The precision in bits; see [`Format::precision`].
    pub precision: u32,
    /// The bias of the exponent; see [`Format::bias`].
    pub bias: u32,
    /// The lowest exponent field of a normal number: 1, or 0 where there are no subnormals.
    pub lowest: u32,
    /// The mask of the magnitude; see [`Format::magnitude_mask`].
    pub magnitude: u64,
    /// The mask of the sign; see [`Format::sign_mask`].
    pub sign: u64,
    /// The implicit bit of a significand.
    pub implicit: u64,
    /// The encoding of the largest finite number; see [`Format::max_finite`].
    pub max_finite: u64,
    /// The largest magnitude that is no NaN: infinity, or the largest finite number.
    pub last: u64,
    /// The encoding of −0, where that is the only NaN.
    pub negative_nan: Option<u64>,
}

impl FloatFields {
    /// Returns the fields of a floating-point format.
    pub const fn new(format: &Format) -> FloatFields {
        assert!(!format.is_fixed(), "integers have no exponent");
        FloatFields {
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

known! {
    FloatFields:
    F16 = FloatFields::new(&formats::F16);
    BF16 = FloatFields::new(&formats::BF16);
    F32 = FloatFields::new(&formats::F32);
    F64 = FloatFields::new(&formats::F64);
    E5M2 = FloatFields::new(&formats::E5M2);
}
