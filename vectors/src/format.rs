//! How bits encode numbers. A format is one constant; everything else about it is derived.

use std::fmt;

/// What the encodings with an all-ones exponent field mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Specials {
    /// IEEE 754: infinity where the trailing significand is zero, NaN elsewhere.
    Ieee,
    /// OCP E4M3: no infinity, NaN only where the trailing significand is all ones too.
    NanAllOnes,
}

/// A binary floating-point format of at most 64 bits: sign, biased exponent, trailing significand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// The name PTX gives it, without the leading dot.
    pub name: &'static str,
    /// Width of the exponent field, in bits.
    pub exponent_bits: u32,
    /// Width of the trailing significand field, in bits: the precision less the implicit bit.
    pub trailing_bits: u32,
    /// What an all-ones exponent field encodes.
    pub specials: Specials,
}

const fn ieee(name: &'static str, exponent_bits: u32, trailing_bits: u32) -> Format {
    Format { name, exponent_bits, trailing_bits, specials: Specials::Ieee }
}

/// IEEE binary16.
pub const F16: Format = ieee("f16", 5, 10);
/// bfloat16: binary32 with the lower half of its bits cut off.
pub const BF16: Format = ieee("bf16", 8, 7);
/// IEEE binary32.
pub const F32: Format = ieee("f32", 8, 23);
/// IEEE binary64.
pub const F64: Format = ieee("f64", 11, 52);
/// OCP OFP8 E5M2.
pub const E5M2: Format = ieee("e5m2", 5, 2);
/// OCP OFP8 E4M3: 448 is its largest number.
pub const E4M3: Format = Format { specials: Specials::NanAllOnes, ..ieee("e4m3", 4, 3) };

/// Every format above.
pub const ALL: [&Format; 6] = [&F16, &BF16, &F32, &F64, &E5M2, &E4M3];

/// Which kind of datum a bit pattern encodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// ±0.
    Zero,
    /// Non-zero, below the smallest normal number in magnitude.
    Subnormal,
    /// A finite number with full precision.
    Normal,
    /// ±∞.
    Infinity,
    /// Not a number, quiet or signalling.
    Nan,
}

impl Format {
    /// Width of an encoding, in bits.
    pub const fn width(&self) -> u32 {
        1 + self.exponent_bits + self.trailing_bits
    }

    /// Significand bits of a normal number, the implicit one included.
    pub const fn precision(&self) -> u32 {
        self.trailing_bits + 1
    }

    /// What is added to the exponent of a normal number to give its exponent field.
    pub const fn bias(&self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// Exponent of the smallest normal number: `1.0 × 2^exponent_min`.
    pub const fn exponent_min(&self) -> i32 {
        1 - self.bias()
    }

    /// Exponent of the largest finite number.
    pub const fn exponent_max(&self) -> i32 {
        match self.specials {
            Specials::Ieee => self.bias(),
            Specials::NanAllOnes => self.bias() + 1,
        }
    }

    /// The sign bit.
    pub const fn sign_mask(&self) -> u64 {
        1 << (self.width() - 1)
    }

    /// Every bit but the sign.
    pub const fn magnitude_mask(&self) -> u64 {
        self.sign_mask() - 1
    }

    /// The trailing significand field.
    pub const fn trailing_mask(&self) -> u64 {
        (1 << self.trailing_bits) - 1
    }

    /// The exponent field, in place.
    pub const fn exponent_mask(&self) -> u64 {
        self.magnitude_mask() & !self.trailing_mask()
    }

    /// Every bit of an encoding.
    pub const fn mask(&self) -> u64 {
        self.sign_mask() | self.magnitude_mask()
    }

    /// +∞, where the format has it.
    pub const fn infinity(&self) -> Option<u64> {
        match self.specials {
            Specials::Ieee => Some(self.exponent_mask()),
            Specials::NanAllOnes => None,
        }
    }

    /// The largest finite number.
    pub const fn max_finite(&self) -> u64 {
        match self.specials {
            Specials::Ieee => self.exponent_mask() - 1,
            Specials::NanAllOnes => self.magnitude_mask() - 1,
        }
    }

    /// The smallest positive normal number.
    pub const fn min_normal(&self) -> u64 {
        1 << self.trailing_bits
    }

    /// The number 1.
    pub const fn one(&self) -> u64 {
        (self.bias() as u64) << self.trailing_bits
    }

    /// The NaN that PTX calls canonical: all magnitude bits set, except for f64's `0x7ff8…`.
    ///
    /// The manual does not print the value beside the instructions; 0x7fff and 0x7fffffff are in
    /// the CUDA C++ Programming Guide's section on the floating-point standard.
    pub const fn canonical_nan(&self) -> u64 {
        if self.width() == 64 {
            self.exponent_mask() | 1 << (self.trailing_bits - 1)
        } else {
            self.magnitude_mask()
        }
    }

    /// Kind of datum in the low `width` bits.
    pub const fn class(&self, bits: u64) -> Class {
        let magnitude = bits & self.magnitude_mask();
        if magnitude == 0 {
            Class::Zero
        } else if magnitude < self.min_normal() {
            Class::Subnormal
        } else if magnitude <= self.max_finite() {
            Class::Normal
        } else if matches!(self.specials, Specials::Ieee) && magnitude == self.exponent_mask() {
            Class::Infinity
        } else {
            Class::Nan
        }
    }

    /// Whether the bits are a NaN of any kind.
    pub const fn is_nan(&self, bits: u64) -> bool {
        matches!(self.class(bits), Class::Nan)
    }

    /// Whether the sign bit is set.
    pub const fn is_negative(&self, bits: u64) -> bool {
        bits & self.sign_mask() != 0
    }

    /// A finite datum as `(significand, exponent)`: its magnitude is `significand × 2^exponent`.
    /// `None` for infinities and NaN.
    pub const fn decode(&self, bits: u64) -> Option<(u64, i32)> {
        let field = ((bits & self.exponent_mask()) >> self.trailing_bits) as i32;
        let trailing = bits & self.trailing_mask();
        let unit = self.exponent_min() - self.trailing_bits as i32;
        match self.class(bits) {
            Class::Zero | Class::Subnormal => Some((trailing, unit)),
            Class::Normal => Some((trailing | self.min_normal(), unit + field - 1)),
            Class::Infinity | Class::Nan => None,
        }
    }

    /// The bits written out for a person: hexadecimal, decimal, then sign, exponent and significand.
    pub const fn show(&self, bits: u64) -> Shown<'_> {
        Shown { format: self, bits }
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A datum on its way to a person; see [`Format::show`].
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    format: &'a Format,
    bits: u64,
}

impl Shown<'_> {
    /// The bits as `0x…`, at the format's full width.
    pub fn hex(&self) -> String {
        let digits = self.format.width().div_ceil(4) as usize;
        format!("0x{:0digits$x}", self.bits & self.format.mask())
    }

    /// The value in decimal (the shortest text that names it among the numbers of f64).
    pub fn decimal(&self) -> String {
        let sign = if self.format.is_negative(self.bits) { "-" } else { "" };
        match self.format.decode(self.bits) {
            None if self.format.is_nan(self.bits) => "NaN".into(),
            None => format!("{sign}inf"),
            Some((significand, exponent)) => {
                // Exact: a significand of at most 53 bits, scaled in two steps that stay normal
                // until the last.
                let half = exponent / 2;
                let value = significand as f64 * 2f64.powi(half) * 2f64.powi(exponent - half);
                if value == 0.0 || (1e-4..1e6).contains(&value) {
                    format!("{sign}{value}")
                } else {
                    format!("{sign}{value:e}")
                }
            }
        }
    }

    /// Sign, exponent and significand: `-1.0110000000×2^-3`, `+0.0000000001×2^-14` for a subnormal.
    pub fn fields(&self) -> String {
        let format = self.format;
        let sign = if format.is_negative(self.bits) { '-' } else { '+' };
        let trailing = self.bits & format.trailing_mask();
        let width = format.trailing_bits as usize;
        match format.class(self.bits) {
            Class::Zero => format!("{sign}0"),
            Class::Infinity => format!("{sign}inf"),
            Class::Nan => format!("{sign}nan, payload {trailing:0width$b}"),
            class => {
                let (_, exponent) = format.decode(self.bits).expect("finite, by its class");
                let leading = u32::from(class == Class::Normal);
                let exponent = exponent + format.trailing_bits as i32;
                format!("{sign}{leading}.{trailing:0width$b}×2^{exponent}")
            }
        }
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}  {}  {}", self.hex(), self.decimal(), self.fields())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_limits_are_the_published_ones() {
        let limits = |f: &Format| (f.width(), f.bias(), f.exponent_min(), f.exponent_max());
        assert_eq!(limits(&F16), (16, 15, -14, 15));
        assert_eq!(limits(&BF16), (16, 127, -126, 127));
        assert_eq!(limits(&F32), (32, 127, -126, 127));
        assert_eq!(limits(&F64), (64, 1023, -1022, 1023));
        assert_eq!(limits(&E5M2), (8, 15, -14, 15));
        assert_eq!(limits(&E4M3), (8, 7, -6, 8));
        assert_eq!(F16.show(F16.max_finite()).decimal(), "65504");
        assert_eq!(E5M2.show(E5M2.max_finite()).decimal(), "57344");
        assert_eq!(E4M3.show(E4M3.max_finite()).decimal(), "448");
        assert_eq!(F32.max_finite(), u64::from(f32::MAX.to_bits()));
        assert_eq!(F64.max_finite(), f64::MAX.to_bits());
        assert_eq!(F32.min_normal(), u64::from(f32::MIN_POSITIVE.to_bits()));
        assert_eq!(BF16.show(1).decimal(), "9.183549615799121e-41");
        assert_eq!(F64.show(1).decimal(), "5e-324");
    }

    #[test]
    fn canonical_nans_are_nans_of_the_catalogue() {
        assert_eq!([F16, BF16].map(|f| f.canonical_nan()), [0x7fff; 2]);
        assert_eq!(F32.canonical_nan(), 0x7fff_ffff);
        assert_eq!(F64.canonical_nan(), 0x7ff8_0000_0000_0000);
        assert_eq!([E5M2, E4M3].map(|f| f.canonical_nan()), [0x7f; 2]);
        assert!(ALL.iter().all(|f| f.is_nan(f.canonical_nan())));
    }

    #[test]
    fn e4m3_has_no_infinity_and_two_nans() {
        let nans: Vec<u64> = (0..256).filter(|&bits| E4M3.is_nan(bits)).collect();
        assert_eq!(nans, [0x7f, 0xff]);
        assert!((0..256).all(|bits| E4M3.class(bits) != Class::Infinity));
    }

    /// The `half` crate decodes; it knows nothing of this one.
    #[test]
    fn every_16_bit_datum_is_what_half_says() {
        for bits in 0..=u16::MAX {
            let data = [
                (&F16, half::f16::from_bits(bits).to_f64()),
                (&BF16, half::bf16::from_bits(bits).to_f64()),
            ];
            for (format, value) in data {
                let bits = bits.into();
                let class = match value.classify() {
                    std::num::FpCategory::Nan => Class::Nan,
                    std::num::FpCategory::Infinite => Class::Infinity,
                    std::num::FpCategory::Zero => Class::Zero,
                    _ if value.abs() < 2f64.powi(format.exponent_min()) => Class::Subnormal,
                    _ => Class::Normal,
                };
                assert_eq!(format.class(bits), class, "{format:?} {bits:#x}");
                let Some((significand, exponent)) = format.decode(bits) else { continue };
                let decoded = significand as f64 * 2f64.powi(exponent);
                assert_eq!(decoded, value.abs(), "{format:?} {bits:#x}");
                assert_eq!(format.is_negative(bits), value.is_sign_negative());
                assert_eq!(format.show(bits).decimal().parse(), Ok(value), "{format:?} {bits:#x}");
            }
        }
    }

    #[test]
    fn shown_for_a_person() {
        assert_eq!(F16.show(0xb580).to_string(), "0xb580  -0.34375  -1.0110000000×2^-2");
        assert_eq!(F16.show(1).fields(), "+0.0000000001×2^-14");
        assert_eq!(F16.show(0x7c01).to_string(), "0x7c01  NaN  +nan, payload 0000000001");
        assert_eq!(F16.show(0xfc00).to_string(), "0xfc00  -inf  -inf");
        assert_eq!(F32.show(0x8000_0000).to_string(), "0x80000000  -0  -0");
    }
}
