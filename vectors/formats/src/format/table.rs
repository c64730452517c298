//! The table of number formats, a line each: all else that is said of a format follows from its line.

use crate::Scale::{Floating, Power};
use crate::Specials::{NanAllOnes, NanNegativeZero};
use crate::{Format, Scale, Specials, own};

/// Makes a constant of each line of the table, and the [`FormatId`] that names it.
macro_rules! formats {
    ($($constant:ident $id:ident $name:literal $make:ident($($figure:expr),+) $doc:literal;)+) => {
        $(
            #[doc = $doc]
            pub const $constant: Format = $make(FormatId::$id, $($figure),+);
        )+

        /// The identity of a format: `match` on it where formats are treated each in its own way, so that a new
        /// one cannot be forgotten.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FormatId {
            $(
                #[doc = concat!("[`", stringify!($constant), "`]: ", $doc)]
                $id,
            )+
            /// The format that a user defined, by its number in [`own`].
            Own(u8),
        }

        impl FormatId {
            /// Every format of the table.
            pub const ALL: [FormatId; [$(FormatId::$id),+].len()] = [$(FormatId::$id),+];

            /// Returns the name that PTX gives the format, without the leading dot; that of ML libraries where PTX lacks the
            /// format, or that of its user.
            ///
            /// # Panics
            /// If the identity is that of a format that was not defined.
            pub fn name(self) -> &'static str {
                self.format().name
            }

            /// Returns the format that has this identity.
            ///
            /// # Panics
            /// If the identity is that of a format that was not defined.
            pub fn format(self) -> &'static Format {
                match self {
                    FormatId::Own(number) => own()[usize::from(number)],
                    listed => listed.listed(),
                }
            }

            /// Returns a format of the table, which the compiler knows.
            const fn listed(self) -> &'static Format {
                match self {
                    $(FormatId::$id => &$constant,)+
                    FormatId::Own(_) => panic!("a format that is not in the table"),
                }
            }

            /// Returns the name of a format of the table, which the compiler knows.
            pub(super) const fn listed_name(self) -> &'static str {
                match self {
                    $(FormatId::$id => $name,)+
                    FormatId::Own(_) => panic!("a format that is not in the table"),
                }
            }
        }
    };
}

// A line has the constant, its identity and its name; what makes it, and of which figures; what it is.
formats! {
    F16      F16      "f16"      ieee(5, 10)                      "IEEE binary16.";
    BF16     Bf16     "bf16"     ieee(8, 7)                       "bfloat16: binary32 with the lower half of its bits cut off.";
    TF32     Tf32     "tf32"     ieee(8, 10)                      "TensorFloat-32: the upper 19 bits of binary32.";
    F32      F32      "f32"      ieee(8, 23)                      "IEEE binary32.";
    F64      F64      "f64"      ieee(11, 52)                     "IEEE binary64.";
    E5M2     E5m2     "e5m2"     ieee(5, 2)                       "OCP OFP8 E5M2.";
    E4M3     E4m3     "e4m3"     signed(4, 3, 0, NanAllOnes)      "OCP OFP8 E4M3: 448 is its largest number.";
    E2M3     E2m3     "e2m3"     signed(2, 3, 0, Specials::None)            "OCP MX E2M3.";
    E3M2     E3m2     "e3m2"     signed(3, 2, 0, Specials::None)            "OCP MX E3M2.";
    E2M1     E2m1     "e2m1"     signed(2, 1, 0, Specials::None)            "OCP MX E2M1.";
    UE8M0    Ue8m0    "ue8m0"    unsigned(Power, 8, 0)            "OCP MX E8M0: the scale of a block.";
    UE5M3    Ue5m3    "ue5m3"    unsigned(Floating, 5, 3)         "E5M3 without a sign (PTX ISA 9.4).";
    UE4M3    Ue4m3    "ue4m3"    unsigned(Floating, 4, 3)         "E4M3 without a sign: the scale of a block (PTX ISA 8.7). Of the byte that holds it the top bit is ignored.";
    S2F6     S2f6     "s2f6"     fixed(true, 7, 6)                "Fixed point: 8 bits in two's complement, six of them behind the point: −2 to 2 − 2^−6.";
    E4M3FNUZ E4m3fnuz "e4m3fnuz" signed(4, 3, 1, NanNegativeZero) "E4M3 of ML libraries: bias 8, one NaN, no infinity, no −0. Not a PTX type.";
    E5M2FNUZ E5m2fnuz "e5m2fnuz" signed(5, 2, 1, NanNegativeZero) "E5M2 of ML libraries: bias 16, one NaN, no infinity, no −0. Not a PTX type.";
    E4M3IEEE E4m3ieee "e4m3ieee" ieee(4, 3)                       "E4M3 with the infinities and NaNs of IEEE 754: ml_dtypes' float8_e4m3. Not a PTX type.";
    E3M4     E3m4     "e3m4"     ieee(3, 4)                       "E3M4 with the infinities and NaNs of IEEE 754: ml_dtypes' float8_e3m4. Not a PTX type.";
    E4M3B11FNUZ E4m3b11fnuz "e4m3b11fnuz" signed(4, 3, 4, NanNegativeZero) "E4M3 of ML libraries: bias 11, one NaN, no infinity, no −0. Not a PTX type.";
    PRED     Pred     "pred"     fixed(false, 1, 0)               "A predicate, true or false: one bit.";
    U8       U8       "u8"       fixed(false, 8, 0)               "Unsigned integer of 8 bits.";
    U16      U16      "u16"      fixed(false, 16, 0)              "Unsigned integer of 16 bits.";
    U32      U32      "u32"      fixed(false, 32, 0)              "Unsigned integer of 32 bits.";
    U64      U64      "u64"      fixed(false, 64, 0)              "Unsigned integer of 64 bits.";
    S8       S8       "s8"       fixed(true, 7, 0)                "Signed integer of 8 bits.";
    S16      S16      "s16"      fixed(true, 15, 0)               "Signed integer of 16 bits.";
    S32      S32      "s32"      fixed(true, 31, 0)               "Signed integer of 32 bits.";
    S64      S64      "s64"      fixed(true, 63, 0)               "Signed integer of 64 bits.";
}

/// Every floating-point format in the order of the table, including those that PTX lacks and only casts have.
pub const FLOATS: [&Format; count(false)] = all(false);

/// Every fixed-point format in the order of the table. Integers and the predicate are among them.
pub const FIXED: [&Format; count(true)] = all(true);

/// Makes a format with a sign, infinities and NaNs as IEEE 754 has them, of so many exponent bits and trailing
/// bits.
const fn ieee(id: FormatId, exponent_bits: u32, trailing_bits: u32) -> Format {
    signed(id, exponent_bits, trailing_bits, 0, Specials::Ieee)
}

/// Makes a floating-point format with a sign, of so many exponent bits and trailing bits. Its bias is `more`
/// above that of IEEE 754, and `specials` tells which encodings are no finite numbers.
const fn signed(
    id: FormatId,
    exponent_bits: u32,
    trailing_bits: u32,
    more: i32,
    specials: Specials,
) -> Format {
    let bias = (1 << (exponent_bits - 1)) - 1 + more;
    let name = id.listed_name();
    Format::with_exponent((id, name), (Floating, true), (exponent_bits, trailing_bits, bias), specials)
}

/// Makes a format without a sign and with one NaN, of so many exponent bits and trailing bits.
const fn unsigned(id: FormatId, scale: Scale, exponent_bits: u32, trailing_bits: u32) -> Format {
    let bias = (1 << (exponent_bits - 1)) - 1;
    let name = id.listed_name();
    Format::with_exponent((id, name), (scale, false), (exponent_bits, trailing_bits, bias), NanAllOnes)
}

/// Makes a fixed-point format: whether it has a sign, the bits beside the sign, and how many of these are
/// behind the point.
const fn fixed(id: FormatId, signed: bool, trailing_bits: u32, fraction: i32) -> Format {
    Format::fixed(id, signed, trailing_bits, fraction)
}

/// Counts the formats that are fixed-point ones, or those that are not.
const fn count(is_fixed: bool) -> usize {
    let (mut number, mut count) = (0, 0);
    // A `const` function cannot iterate, but it can count.
    while number < FormatId::ALL.len() {
        count += (FormatId::ALL[number].listed().is_fixed() == is_fixed) as usize;
        number += 1;
    }
    count
}

/// Returns the formats that are fixed-point ones, or those that are not, in the order of the table; `N` is
/// their number.
const fn all<const N: usize>(is_fixed: bool) -> [&'static Format; N] {
    let mut all = [&F16; N];
    let (mut number, mut found) = (0, 0);
    while number < FormatId::ALL.len() {
        let format = FormatId::ALL[number].listed();
        if format.is_fixed() == is_fixed {
            all[found] = format;
            found += 1;
        }
        number += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_format_has_an_identity_and_a_name_of_its_own() {
        for id in FormatId::ALL {
            assert_eq!((id.format().id, id.format().name), (id, id.name()));
        }
        let names: HashSet<&str> = FormatId::ALL.into_iter().map(FormatId::name).collect();
        assert_eq!(names.len(), FormatId::ALL.len());
    }

    #[test]
    fn every_format_is_floating_or_fixed_point() {
        let mut listed: Vec<FormatId> =
            FLOATS.into_iter().chain(FIXED).map(|format| format.id).collect();
        listed.sort();
        assert_eq!(listed, FormatId::ALL);
        assert!(FIXED.iter().all(|format| format.is_fixed()));
    }
}
