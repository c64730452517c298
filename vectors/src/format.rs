//! How bits encode numbers. A format is one constant; everything else about it is derived.

use std::fmt;

/// Which encodings are not finite numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Specials {
    /// IEEE 754: an all-ones exponent field means infinity where the trailing significand is zero,
    /// NaN elsewhere.
    Ieee,
    /// OCP E4M3: no infinity, NaN only where all bits but the sign are ones.
    NanAllOnes,
    /// The FNUZ formats of ML libraries: no infinity and no −0, whose encoding is the only NaN.
    NanNegativeZero,
    /// None: every encoding is a finite number.
    None,
}

/// How the bits below the sign stand for a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Biased exponent, trailing significand; the exponent field 0 means subnormals and zero.
    Floating,
    /// A biased exponent alone: powers of two, no zero.
    Power,
    /// No exponent: an integer, negative ones in two's complement, times `2^-bias`.
    Fixed,
}

/// How at most 64 bits encode a number: sign, biased exponent, trailing significand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// The name PTX gives it, without the leading dot.
    pub name: &'static str,
    /// How the bits below the sign stand for a number.
    pub scale: Scale,
    /// Whether the highest bit is a sign.
    pub signed: bool,
    /// Width of the exponent field, in bits.
    pub exponent_bits: u32,
    /// Width of the trailing significand field, in bits: the precision less the implicit bit.
    pub trailing_bits: u32,
    /// What is added to the exponent of a normal number to give its exponent field.
    pub bias: i32,
    /// Which encodings are not finite numbers.
    pub specials: Specials,
}

const fn ieee(name: &'static str, exponent_bits: u32, trailing_bits: u32) -> Format {
    let bias = (1 << (exponent_bits - 1)) - 1;
    let (scale, specials) = (Scale::Floating, Specials::Ieee);
    Format { name, scale, signed: true, exponent_bits, trailing_bits, bias, specials }
}

/// Two's complement, or unsigned, with so many bits beside the sign and below the point.
const fn fixed(name: &'static str, signed: bool, trailing_bits: u32, fraction: i32) -> Format {
    let (scale, specials) = (Scale::Fixed, Specials::None);
    Format { name, scale, signed, exponent_bits: 0, trailing_bits, bias: fraction, specials }
}

/// IEEE binary16.
pub const F16: Format = ieee("f16", 5, 10);
/// bfloat16: binary32 with the lower half of its bits cut off.
pub const BF16: Format = ieee("bf16", 8, 7);
/// TensorFloat-32: the upper 19 bits of binary32.
pub const TF32: Format = ieee("tf32", 8, 10);
/// IEEE binary32.
pub const F32: Format = ieee("f32", 8, 23);
/// IEEE binary64.
pub const F64: Format = ieee("f64", 11, 52);
/// OCP OFP8 E5M2.
pub const E5M2: Format = ieee("e5m2", 5, 2);
/// OCP OFP8 E4M3: 448 is its largest number.
pub const E4M3: Format = Format { specials: Specials::NanAllOnes, ..ieee("e4m3", 4, 3) };
/// OCP MX E2M3.
pub const E2M3: Format = Format { specials: Specials::None, ..ieee("e2m3", 2, 3) };
/// OCP MX E3M2.
pub const E3M2: Format = Format { specials: Specials::None, ..ieee("e3m2", 3, 2) };
/// OCP MX E2M1.
pub const E2M1: Format = Format { specials: Specials::None, ..ieee("e2m1", 2, 1) };
/// OCP MX E8M0: the scale of a block.
pub const UE8M0: Format =
    Format { scale: Scale::Power, signed: false, specials: Specials::NanAllOnes, ..ieee("ue8m0", 8, 0) };
/// E5M3 without a sign (PTX ISA 9.4).
pub const UE5M3: Format =
    Format { signed: false, specials: Specials::NanAllOnes, ..ieee("ue5m3", 5, 3) };
/// Fixed point with a sign, two bits before the point and six behind it, two's complement.
pub const S2F6: Format = fixed("s2f6", true, 7, 6);
/// E4M3 of ML libraries: bias 8, one NaN, no infinity, no −0. Not a PTX type.
pub const E4M3FNUZ: Format =
    Format { bias: 8, specials: Specials::NanNegativeZero, ..ieee("e4m3fnuz", 4, 3) };
/// E5M2 of ML libraries: bias 16, one NaN, no infinity, no −0. Not a PTX type.
pub const E5M2FNUZ: Format =
    Format { bias: 16, specials: Specials::NanNegativeZero, ..ieee("e5m2fnuz", 5, 2) };
/// One bit.
pub const PRED: Format = fixed("pred", false, 1, 0);
/// Unsigned integer of 8 bits.
pub const U8: Format = fixed("u8", false, 8, 0);
/// Unsigned integer of 16 bits.
pub const U16: Format = fixed("u16", false, 16, 0);
/// Unsigned integer of 32 bits.
pub const U32: Format = fixed("u32", false, 32, 0);
/// Unsigned integer of 64 bits.
pub const U64: Format = fixed("u64", false, 64, 0);
/// Signed integer of 8 bits.
pub const S8: Format = fixed("s8", true, 7, 0);
/// Signed integer of 16 bits.
pub const S16: Format = fixed("s16", true, 15, 0);
/// Signed integer of 32 bits.
pub const S32: Format = fixed("s32", true, 31, 0);
/// Signed integer of 64 bits.
pub const S64: Format = fixed("s64", true, 63, 0);

/// Every floating-point format above, casts' included.
pub const FLOATS: [&Format; 14] = [
    &F16, &BF16, &TF32, &F32, &F64, &E5M2, &E4M3, &E2M3, &E3M2, &E2M1, &UE8M0, &UE5M3, &E4M3FNUZ,
    &E5M2FNUZ,
];

/// Every fixed-point format above.
pub const FIXED: [&Format; 10] = [&S2F6, &PRED, &U8, &U16, &U32, &U64, &S8, &S16, &S32, &S64];

/// Which kind of datum a bit pattern encodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// ±0.
    Zero,
    /// Non-zero, below the smallest normal number in magnitude.
    Subnormal,
    /// A finite number with full precision; any fixed-point number but 0.
    Normal,
    /// ±∞.
    Infinity,
    /// Not a number, quiet or signalling.
    Nan,
}

impl Format {
    /// Width of an encoding, in bits.
    pub const fn width(&self) -> u32 {
        self.signed as u32 + self.exponent_bits + self.trailing_bits
    }

    /// Significand bits of a normal number, the implicit one included.
    pub const fn precision(&self) -> u32 {
        match self.scale {
            Scale::Fixed => self.trailing_bits,
            _ => self.trailing_bits + 1,
        }
    }

    /// Whether it is an integer or another fixed-point format.
    pub const fn is_fixed(&self) -> bool {
        matches!(self.scale, Scale::Fixed)
    }

    /// Exponent of the smallest normal number: `1.0 × 2^exponent_min`.
    pub const fn exponent_min(&self) -> i32 {
        match self.scale {
            Scale::Floating => 1 - self.bias,
            Scale::Power | Scale::Fixed => -self.bias,
        }
    }

    /// Exponent of the largest finite number.
    pub const fn exponent_max(&self) -> i32 {
        match self.scale {
            Scale::Fixed => self.trailing_bits as i32 - 1 - self.bias,
            _ => (self.max_finite() >> self.trailing_bits) as i32 - self.bias,
        }
    }

    /// Exponent of the smallest positive number: every finite one is a multiple of `2^unit` (but for
    /// [`Scale::Power`], where it is the smallest number).
    pub const fn unit(&self) -> i32 {
        match self.scale {
            Scale::Floating => self.exponent_min() - self.trailing_bits as i32,
            Scale::Power | Scale::Fixed => -self.bias,
        }
    }

    /// Every bit of an encoding.
    pub const fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.width())
    }

    /// The sign bit; none where there is no sign.
    pub const fn sign_mask(&self) -> u64 {
        (self.signed as u64) << (self.width() - 1)
    }

    /// Every bit but the sign.
    pub const fn magnitude_mask(&self) -> u64 {
        self.mask() & !self.sign_mask()
    }

    /// The trailing significand field.
    pub const fn trailing_mask(&self) -> u64 {
        self.magnitude_mask() & !self.exponent_mask()
    }

    /// The exponent field, in place.
    pub const fn exponent_mask(&self) -> u64 {
        ((1 << self.exponent_bits) - 1) << (self.trailing_bits % 64)
    }

    /// +∞, where the format has it.
    pub const fn infinity(&self) -> Option<u64> {
        match self.specials {
            Specials::Ieee => Some(self.exponent_mask()),
            _ => None,
        }
    }

    /// The largest finite number.
    pub const fn max_finite(&self) -> u64 {
        match self.specials {
            Specials::Ieee => self.exponent_mask() - 1,
            Specials::NanAllOnes => self.magnitude_mask() - 1,
            Specials::NanNegativeZero | Specials::None => self.magnitude_mask(),
        }
    }

    /// The lowest finite number; 0 where there is no sign.
    pub const fn min_finite(&self) -> u64 {
        match self.scale {
            _ if !self.signed => 0,
            Scale::Fixed => self.sign_mask(),
            _ => self.sign_mask() | self.max_finite(),
        }
    }

    /// The smallest positive normal number.
    pub const fn min_normal(&self) -> u64 {
        match self.scale {
            Scale::Floating => 1 << self.trailing_bits,
            Scale::Power => 0,
            Scale::Fixed => 1,
        }
    }

    /// The number 1.
    pub const fn one(&self) -> u64 {
        match self.scale {
            Scale::Fixed => 1 << self.bias,
            _ => (self.bias as u64) << self.trailing_bits,
        }
    }

    /// The NaN that PTX calls canonical: all magnitude bits set, except for f64's `0x7ff8…`. `None`
    /// in a format without NaN.
    ///
    /// The manual does not print the value beside the instructions; 0x7fff and 0x7fffffff are in
    /// the CUDA C++ Programming Guide's section on the floating-point standard.
    pub const fn nan(&self) -> Option<u64> {
        match self.specials {
            Specials::Ieee if self.width() == 64 => {
                Some(self.exponent_mask() | 1 << (self.trailing_bits - 1))
            }
            Specials::Ieee | Specials::NanAllOnes => Some(self.magnitude_mask()),
            Specials::NanNegativeZero => Some(self.sign_mask()),
            Specials::None => None,
        }
    }

    /// [`Format::nan`] of a format that has one.
    pub const fn canonical_nan(&self) -> u64 {
        match self.nan() {
            Some(nan) => nan,
            None => panic!("a format without NaN"),
        }
    }

    /// Kind of datum in the low `width` bits.
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

    /// Whether the sign bit is set.
    #[inline]
    pub const fn is_negative(&self, bits: u64) -> bool {
        bits & self.sign_mask() != 0
    }

    /// A finite datum as `(significand, exponent)`: its magnitude is `significand × 2^exponent`.
    /// `None` for infinities and NaN.
    #[inline]
    pub const fn decode(&self, bits: u64) -> Option<(u64, i32)> {
        let field = ((bits & self.exponent_mask()) >> (self.trailing_bits % 64)) as i32;
        let trailing = bits & self.trailing_mask();
        let unit = self.unit();
        match (self.class(bits), self.scale) {
            (Class::Infinity | Class::Nan, _) => None,
            (_, Scale::Fixed) if self.is_negative(bits) => {
                Some((bits.wrapping_neg() & self.mask(), unit))
            }
            (_, Scale::Fixed) => Some((bits & self.mask(), unit)),
            (_, Scale::Power) => Some((1, unit + field)),
            (Class::Normal, _) => Some((trailing | self.min_normal(), unit + field - 1)),
            _ => Some((trailing, unit)),
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
            Some((significand, 0)) if self.format.is_fixed() => format!("{sign}{significand}"),
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
            _ if format.is_fixed() => {
                let (significand, exponent) = format.decode(self.bits).expect("finite, by its class");
                format!("{sign}{significand:b}×2^{exponent}")
            }
            _ if width == 0 => {
                let (_, exponent) = format.decode(self.bits).expect("finite, by its class");
                format!("{sign}1×2^{exponent}")
            }
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
        let limits = |f: &Format| (f.width(), f.bias, f.exponent_min(), f.exponent_max());
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
        assert!(FLOATS.iter().all(|f| f.nan().is_none_or(|nan| f.is_nan(nan))));
    }

    /// Every value of the 8-bit formats and smaller that the catalogue has a figure for.
    #[test]
    fn limits_of_small_formats_are_the_published_ones() {
        let value = |f: &Format, bits| f.show(bits).decimal().parse::<f64>().unwrap();
        #[rustfmt::skip] // a table: format, width, largest, smallest normal, smallest, NaNs
        let published = [
            (&E2M3,     6, 7.5,      1.0,               0.125,             0),
            (&E3M2,     6, 28.0,     0.25,              0.0625,            0),
            (&E2M1,     4, 6.0,      1.0,               0.5,               0),
            (&UE5M3,    8, 114688.0, 2f64.powi(-14),    2f64.powi(-17),    1),
            (&UE8M0,    8, 2f64.powi(127), 2f64.powi(-127), 2f64.powi(-126), 1),
            (&E4M3,     8, 448.0,    2f64.powi(-6),     2f64.powi(-9),     2),
            (&E5M2,     8, 57344.0,  2f64.powi(-14),    2f64.powi(-16),    6),
            (&E4M3FNUZ, 8, 240.0,    2f64.powi(-7),     2f64.powi(-10),    1),
            (&E5M2FNUZ, 8, 57344.0,  2f64.powi(-15),    2f64.powi(-17),    1),
            (&S2F6,     8, 1.984375, 2f64.powi(-6),     2f64.powi(-6),     0),
        ];
        for (format, width, max, min_normal, one, nans) in published {
            assert_eq!(format.width(), width, "{format:?}");
            assert_eq!(value(format, format.max_finite()), max, "{format:?}");
            assert_eq!(value(format, format.min_normal()), min_normal, "{format:?}");
            assert_eq!(value(format, 1), one, "{format:?}");
            assert_eq!((0..1 << width).filter(|&bits| format.is_nan(bits)).count(), nans, "{format:?}");
            let top = 2f64.powi(format.exponent_max());
            assert!(top <= max && max < 2.0 * top, "{format:?}");
        }
        assert_eq!(value(&E2M1, 0xf), -6.0);
        assert_eq!(value(&S2F6, S2F6.min_finite()), -2.0);
        assert_eq!(TF32.width(), 19);
    }

    #[test]
    fn integers_are_fixed_point() {
        assert_eq!(S64.show(i64::MIN as u64).decimal(), i64::MIN.to_string());
        assert_eq!(U64.show(u64::MAX).decimal(), u64::MAX.to_string());
        assert_eq!(S8.decode(0xff), Some((1, 0)));
        assert_eq!(S16.min_finite(), 0x8000);
        assert_eq!(PRED.show(1).to_string(), "0x1  1  +1×2^0");
        for format in FIXED {
            assert_eq!(format.class(0), Class::Zero);
            assert_eq!(format.show(format.one()).decimal(), "1");
            let (low, high) = (format.min_finite(), format.max_finite());
            assert_eq!(low.wrapping_sub(1) & format.mask(), high, "{format:?}");
        }
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
