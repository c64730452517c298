//! The formats, a constant each.

use crate::{Format, FormatId, Scale, Specials};

/// With a sign, infinities and NaNs as IEEE 754 has them.
const fn ieee(id: FormatId, exponent_bits: u32, trailing_bits: u32) -> Format {
    signed(id, exponent_bits, trailing_bits, 0, Specials::Ieee)
}

/// With a sign, and a bias that is by so much more than that of IEEE 754.
const fn signed(
    id: FormatId,
    exponent_bits: u32,
    trailing_bits: u32,
    more: i32,
    specials: Specials,
) -> Format {
    let bias = (1 << (exponent_bits - 1)) - 1 + more;
    Format::with_exponent(id, (Scale::Floating, true), (exponent_bits, trailing_bits, bias), specials)
}

/// Without a sign, and with one NaN.
const fn unsigned(id: FormatId, scale: Scale, exponent_bits: u32, trailing_bits: u32) -> Format {
    let bias = (1 << (exponent_bits - 1)) - 1;
    let fields = (exponent_bits, trailing_bits, bias);
    Format::with_exponent(id, (scale, false), fields, Specials::NanAllOnes)
}

/// IEEE binary16.
pub const F16: Format = ieee(FormatId::F16, 5, 10);
/// bfloat16: binary32 with the lower half of its bits cut off.
pub const BF16: Format = ieee(FormatId::Bf16, 8, 7);
/// TensorFloat-32: the upper 19 bits of binary32.
pub const TF32: Format = ieee(FormatId::Tf32, 8, 10);
/// IEEE binary32.
pub const F32: Format = ieee(FormatId::F32, 8, 23);
/// IEEE binary64.
pub const F64: Format = ieee(FormatId::F64, 11, 52);
/// OCP OFP8 E5M2.
pub const E5M2: Format = ieee(FormatId::E5m2, 5, 2);
/// OCP OFP8 E4M3: 448 is its largest number.
pub const E4M3: Format = signed(FormatId::E4m3, 4, 3, 0, Specials::NanAllOnes);
/// OCP MX E2M3.
pub const E2M3: Format = signed(FormatId::E2m3, 2, 3, 0, Specials::None);
/// OCP MX E3M2.
pub const E3M2: Format = signed(FormatId::E3m2, 3, 2, 0, Specials::None);
/// OCP MX E2M1.
pub const E2M1: Format = signed(FormatId::E2m1, 2, 1, 0, Specials::None);
/// OCP MX E8M0: the scale of a block.
pub const UE8M0: Format = unsigned(FormatId::Ue8m0, Scale::Power, 8, 0);
/// E5M3 without a sign (PTX ISA 9.4).
pub const UE5M3: Format = unsigned(FormatId::Ue5m3, Scale::Floating, 5, 3);
/// E4M3 without a sign: the scale of a block (PTX ISA 8.7). Of the byte that holds it the top bit is ignored.
pub const UE4M3: Format = unsigned(FormatId::Ue4m3, Scale::Floating, 4, 3);
/// Fixed point with a sign, two bits before the point and six behind it, two's complement.
pub const S2F6: Format = Format::fixed(FormatId::S2f6, true, 7, 6);
/// E4M3 of ML libraries: bias 8, one NaN, no infinity, no −0. Not a PTX type.
pub const E4M3FNUZ: Format = signed(FormatId::E4m3fnuz, 4, 3, 1, Specials::NanNegativeZero);
/// E5M2 of ML libraries: bias 16, one NaN, no infinity, no −0. Not a PTX type.
pub const E5M2FNUZ: Format = signed(FormatId::E5m2fnuz, 5, 2, 1, Specials::NanNegativeZero);
/// One bit.
pub const PRED: Format = Format::fixed(FormatId::Pred, false, 1, 0);
/// Unsigned integer of 8 bits.
pub const U8: Format = Format::fixed(FormatId::U8, false, 8, 0);
/// Unsigned integer of 16 bits.
pub const U16: Format = Format::fixed(FormatId::U16, false, 16, 0);
/// Unsigned integer of 32 bits.
pub const U32: Format = Format::fixed(FormatId::U32, false, 32, 0);
/// Unsigned integer of 64 bits.
pub const U64: Format = Format::fixed(FormatId::U64, false, 64, 0);
/// Signed integer of 8 bits.
pub const S8: Format = Format::fixed(FormatId::S8, true, 7, 0);
/// Signed integer of 16 bits.
pub const S16: Format = Format::fixed(FormatId::S16, true, 15, 0);
/// Signed integer of 32 bits.
pub const S32: Format = Format::fixed(FormatId::S32, true, 31, 0);
/// Signed integer of 64 bits.
pub const S64: Format = Format::fixed(FormatId::S64, true, 63, 0);

/// Every floating-point format above, casts' included.
pub const FLOATS: [&Format; 15] = [
    &F16, &BF16, &TF32, &F32, &F64, &E5M2, &E4M3, &E2M3, &E3M2, &E2M1, &UE8M0, &UE5M3, &UE4M3,
    &E4M3FNUZ, &E5M2FNUZ,
];

/// Every fixed-point format above.
pub const FIXED: [&Format; 10] = [&S2F6, &PRED, &U8, &U16, &U32, &U64, &S8, &S16, &S32, &S64];
