//! Number formats: how bits encode numbers. A format is a line of `table.rs`; everything else about it is
//! derived.

mod derived;
mod own;
mod shown;
mod table;
#[cfg(test)]
mod tests;
mod value;

use std::fmt;

use derived::Derived;

pub use own::{
    DEFINITION_HELP, Definition, DefinitionError, OWN_FORMATS_MAX, define, own, own_definitions,
};
pub use shown::Shown;
pub use table::*;

/// The rule by which some encodings of a format are not finite numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Specials {
    /// IEEE 754: an all-ones exponent field means infinity where the trailing significand is zero,
    /// NaN elsewhere.
    Ieee,
    /// OCP E4M3: no infinity, NaN only where all bits but the sign are ones.
    NanAllOnes,
    /// The FNUZ formats of ML libraries: no infinity and no −0, whose encoding is the only NaN.
    NanNegativeZero,
    /// No special encodings: every encoding is a finite number.
    None,
}

/// The way in which the bits below the sign stand for a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Floating point: biased exponent, then trailing significand; the exponent field 0 means subnormals and
    /// zero.
    Floating,
    /// A biased exponent alone: all numbers are powers of two, and there is no zero.
    Power,
    /// Fixed point, without an exponent: an integer, negative ones in two's complement, times `2^-bias`.
    Fixed,
}

/// A number format: how at most 64 bits encode a number by sign, biased exponent and trailing significand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// The identity of the format, for code that treats a format in a way of its own.
    pub id: FormatId,
    /// The name that PTX gives the format, without the leading dot.
    pub name: &'static str,
    /// The way in which the bits below the sign stand for a number.
    pub scale: Scale,
    /// Whether the highest bit is a sign.
    pub signed: bool,
    /// Width of the exponent field, in bits.
    pub exponent_bits: u32,
    /// Width of the trailing significand field, in bits: the precision less the implicit bit.
    pub trailing_bits: u32,
    /// The number that is added to the exponent of a normal number to give its exponent field.
    pub bias: i32,
    /// The rule by which some encodings are not finite numbers.
    pub specials: Specials,
    /// Masks and limits that follow from the other fields, computed once.
    derived: Derived,
}

/// The kind of datum that a bit pattern encodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Zero of either sign, ±0.
    Zero,
    /// A non-zero number below the smallest normal number in magnitude.
    Subnormal,
    /// A finite number with full precision; any fixed-point number but 0.
    Normal,
    /// Infinity of either sign, ±∞.
    Infinity,
    /// Not a number, quiet or signalling.
    Nan,
}

impl Format {
    /// Returns the width of an encoding, in bits.
    #[inline]
    pub const fn width(&self) -> u32 {
        self.derived.width
    }

    /// Returns the number of significand bits of a normal number, the implicit one included.
    #[inline]
    pub const fn precision(&self) -> u32 {
        self.derived.precision
    }

    /// Whether this is an integer format or another fixed-point format.
    #[inline]
    pub const fn is_fixed(&self) -> bool {
        matches!(self.scale, Scale::Fixed)
    }

    /// Returns the exponent of the smallest normal number: `1.0 × 2^exponent_min`.
    #[inline]
    pub const fn exponent_min(&self) -> i32 {
        self.derived.exponent_min
    }

    /// Returns the exponent of the largest finite number.
    #[inline]
    pub const fn exponent_max(&self) -> i32 {
        self.derived.exponent_max
    }

    /// Returns the exponent of the smallest positive number: every finite number is a multiple of
    /// `2^exponent_of_lsb` (but for [`Scale::Power`], where it is the smallest number).
    #[inline]
    pub const fn exponent_of_lsb(&self) -> i32 {
        self.derived.exponent_of_lsb
    }

    /// Returns a mask of every bit of an encoding.
    #[inline]
    pub const fn mask(&self) -> u64 {
        self.derived.mask
    }

    /// Returns a mask of the sign bit, which is 0 where the format has no sign.
    #[inline]
    pub const fn sign_mask(&self) -> u64 {
        self.derived.sign_mask
    }

    /// Returns a mask of every bit of an encoding but the sign.
    #[inline]
    pub const fn magnitude_mask(&self) -> u64 {
        self.derived.mask ^ self.derived.sign_mask
    }

    /// Returns a mask of the trailing significand field.
    #[inline]
    pub const fn trailing_mask(&self) -> u64 {
        self.magnitude_mask() ^ self.derived.exponent_mask
    }

    /// Returns a mask of the bit that tells a quiet NaN from a signalling one, where the format has both.
    #[inline]
    pub const fn quiet_bit(&self) -> u64 {
        // The mask and itself, moved by a bit, differ in the highest bit alone.
        self.trailing_mask() ^ self.trailing_mask() >> 1
    }

    /// Returns a mask of the exponent field, in place.
    #[inline]
    pub const fn exponent_mask(&self) -> u64 {
        self.derived.exponent_mask
    }

    /// Returns the encoding of +∞; `None` where the format has no infinity.
    #[inline]
    pub const fn infinity(&self) -> Option<u64> {
        match self.specials {
            Specials::Ieee => Some(self.exponent_mask()),
            _ => None,
        }
    }

    /// Returns the encoding of the largest finite number.
    #[inline]
    pub const fn max_finite(&self) -> u64 {
        self.derived.max_finite
    }

    /// Returns the encoding of the lowest finite number; 0 where the format has no sign.
    pub const fn min_finite(&self) -> u64 {
        match self.scale {
            _ if !self.signed => 0,
            Scale::Fixed => self.sign_mask(),
            _ => self.sign_mask() | self.max_finite(),
        }
    }

    /// Returns the encoding of the smallest positive normal number.
    #[inline]
    pub const fn min_normal(&self) -> u64 {
        self.derived.min_normal
    }

    /// Returns the encoding of the number 1.
    pub const fn one(&self) -> u64 {
        match self.scale {
            Scale::Fixed => 1 << self.bias,
            _ => (self.bias as u64) << self.trailing_bits,
        }
    }

    /// Returns the NaN that PTX calls canonical: all magnitude bits set, except for f64's `0x7ff8…`. `None` in
    /// a format without NaN.
    ///
    /// The manual does not print the value beside the instructions; 0x7fff and 0x7fffffff are in
    /// the CUDA C++ Programming Guide's section on the floating-point standard.
    pub const fn nan(&self) -> Option<u64> {
        match self.specials {
            Specials::Ieee if matches!(self.id, FormatId::F64) => {
                Some(self.exponent_mask() | 1 << (self.trailing_bits - 1))
            }
            Specials::Ieee | Specials::NanAllOnes => Some(self.magnitude_mask()),
            Specials::NanNegativeZero => Some(self.sign_mask()),
            Specials::None => None,
        }
    }

    /// Returns [`Format::nan`] of a format that has a NaN, and panics for any other.
    pub const fn canonical_nan(&self) -> u64 {
        match self.nan() {
            Some(nan) => nan,
            None => panic!("a format without NaN"),
        }
    }

    /// Classifies the datum in the low `width` bits.
    #[inline]
    pub const fn class(&self, bits: u64) -> Class {
        let magnitude = bits & self.magnitude_mask();
        match self.scale {
            Scale::Fixed => {
                return if bits & self.mask() == 0 { Class::Zero } else { Class::Normal };
            }
            Scale::Floating if magnitude == 0 => {
                let nan = matches!(self.specials, Specials::NanNegativeZero) && self.is_negative(bits);
                return if nan { Class::Nan } else { Class::Zero };
            }
            Scale::Floating if magnitude < self.min_normal() => return Class::Subnormal,
            _ => {}
        }
        if magnitude <= self.max_finite() {
            Class::Normal
        } else if matches!(self.specials, Specials::Ieee) && magnitude == self.exponent_mask() {
            Class::Infinity
        } else {
            Class::Nan
        }
    }

    /// Whether the bits are a NaN of any kind.
    #[inline]
    pub const fn is_nan(&self, bits: u64) -> bool {
        matches!(self.class(bits), Class::Nan)
    }

    /// Whether exactly one encoding of the format is NaN.
    pub const fn has_one_nan(&self) -> bool {
        match self.specials {
            Specials::NanNegativeZero => true,
            Specials::NanAllOnes => !self.signed,
            Specials::Ieee | Specials::None => false,
        }
    }

    /// Whether the sign bit is set.
    #[inline]
    pub const fn is_negative(&self, bits: u64) -> bool {
        bits & self.sign_mask() != 0
    }

    /// Decodes a finite datum as `(significand, exponent)`: its magnitude is `significand × 2^exponent`. `None`
    /// for infinities and NaN.
    #[inline]
    pub const fn decode(&self, bits: u64) -> Option<(u64, i32)> {
        let (magnitude, unit) = (bits & self.magnitude_mask(), self.exponent_of_lsb());
        match self.scale {
            Scale::Floating if magnitude != 0 && magnitude <= self.max_finite() => {
                // A subnormal has the exponent of the smallest normal number, and no implicit bit.
                let field = magnitude >> self.trailing_bits;
                let normal = (field != 0) as u64;
                let significand = magnitude & self.trailing_mask() | normal << self.trailing_bits;
                Some((significand, unit + (field - normal) as i32))
            }
            // In FNUZ formats the magnitude 0 with a sign is NaN, so the class decides.
            Scale::Floating if matches!(self.class(bits), Class::Zero) => Some((0, unit)),
            Scale::Power if magnitude <= self.max_finite() => Some((1, unit + magnitude as i32)),
            Scale::Floating | Scale::Power => None,
            Scale::Fixed if self.is_negative(bits) => Some((bits.wrapping_neg() & self.mask(), unit)),
            Scale::Fixed => Some((bits & self.mask(), unit)),
        }
    }

    /// Whether the format has numbers below its smallest normal one.
    pub const fn has_subnormals(&self) -> bool {
        matches!(self.scale, Scale::Floating) && self.trailing_bits > 0
    }

    /// Whether this floating-point format has every number of another one, subnormal ones included.
    pub const fn holds(&self, other: &Format) -> bool {
        self.precision() >= other.precision()
            && self.exponent_of_lsb() <= other.exponent_of_lsb()
            && self.exponent_max() >= other.exponent_max()
    }

    /// Whether the numbers of the format are integers.
    pub const fn is_integer(&self) -> bool {
        self.is_fixed() && self.exponent_of_lsb() == 0
    }

    /// Shows the bits to a person: hexadecimal, decimal, then sign, exponent and significand.
    pub const fn show(&self, bits: u64) -> Shown<'_> {
        Shown { format: self, bits }
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
