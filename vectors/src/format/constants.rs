//! The formats, a constant each.

use super::{Format, FormatId, Scale, Specials};

const fn ieee(id: FormatId, exponent_bits: u32, trailing_bits: u32) -> Format {
    let bias = (1 << (exponent_bits - 1)) - 1;
    let (name, scale, specials) = (id.name(), Scale::Floating, Specials::Ieee);
    Format { id, name, scale, signed: true, exponent_bits, trailing_bits, bias, specials }
}

/// Two's complement, or unsigned, with so many bits beside the sign and below the point.
const fn fixed(id: FormatId, signed: bool, trailing_bits: u32, fraction: i32) -> Format {
    let (name, scale, specials) = (id.name(), Scale::Fixed, Specials::None);
    Format { id, name, scale, signed, exponent_bits: 0, trailing_bits, bias: fraction, specials }
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
pub const E4M3: Format = Format { specials: Specials::NanAllOnes, ..ieee(FormatId::E4m3, 4, 3) };
/// OCP MX E2M3.
pub const E2M3: Format = Format { specials: Specials::None, ..ieee(FormatId::E2m3, 2, 3) };
/// OCP MX E3M2.
pub const E3M2: Format = Format { specials: Specials::None, ..ieee(FormatId::E3m2, 3, 2) };
/// OCP MX E2M1.
pub const E2M1: Format = Format { specials: Specials::None, ..ieee(FormatId::E2m1, 2, 1) };
/// OCP MX E8M0: the scale of a block.
pub const UE8M0: Format = Format {
    scale: Scale::Power,
    signed: false,
    specials: Specials::NanAllOnes,
    ..ieee(FormatId::Ue8m0, 8, 0)
};
/// E5M3 without a sign (PTX ISA 9.4).
pub const UE5M3: Format =
    Format { signed: false, specials: Specials::NanAllOnes, ..ieee(FormatId::Ue5m3, 5, 3) };
/// E4M3 without a sign: the scale of a block (PTX ISA 8.7). Of the byte that holds it the top bit is ignored.
pub const UE4M3: Format =
    Format { signed: false, specials: Specials::NanAllOnes, ..ieee(FormatId::Ue4m3, 4, 3) };
/// Fixed point with a sign, two bits before the point and six behind it, two's complement.
pub const S2F6: Format = fixed(FormatId::S2f6, true, 7, 6);
/// E4M3 of ML libraries: bias 8, one NaN, no infinity, no −0. Not a PTX type.
pub const E4M3FNUZ: Format =
    Format { bias: 8, specials: Specials::NanNegativeZero, ..ieee(FormatId::E4m3fnuz, 4, 3) };
/// E5M2 of ML libraries: bias 16, one NaN, no infinity, no −0. Not a PTX type.
pub const E5M2FNUZ: Format =
    Format { bias: 16, specials: Specials::NanNegativeZero, ..ieee(FormatId::E5m2fnuz, 5, 2) };
/// One bit.
pub const PRED: Format = fixed(FormatId::Pred, false, 1, 0);
/// Unsigned integer of 8 bits.
pub const U8: Format = fixed(FormatId::U8, false, 8, 0);
/// Unsigned integer of 16 bits.
pub const U16: Format = fixed(FormatId::U16, false, 16, 0);
/// Unsigned integer of 32 bits.
pub const U32: Format = fixed(FormatId::U32, false, 32, 0);
/// Unsigned integer of 64 bits.
pub const U64: Format = fixed(FormatId::U64, false, 64, 0);
/// Signed integer of 8 bits.
pub const S8: Format = fixed(FormatId::S8, true, 7, 0);
/// Signed integer of 16 bits.
pub const S16: Format = fixed(FormatId::S16, true, 15, 0);
/// Signed integer of 32 bits.
pub const S32: Format = fixed(FormatId::S32, true, 31, 0);
/// Signed integer of 64 bits.
pub const S64: Format = fixed(FormatId::S64, true, 63, 0);

/// Every floating-point format above, casts' included.
pub const FLOATS: [&Format; 15] = [
    &F16, &BF16, &TF32, &F32, &F64, &E5M2, &E4M3, &E2M3, &E3M2, &E2M1, &UE8M0, &UE5M3, &UE4M3,
    &E4M3FNUZ, &E5M2FNUZ,
];

/// Every fixed-point format above.
pub const FIXED: [&Format; 10] = [&S2F6, &PRED, &U8, &U16, &U32, &U64, &S8, &S16, &S32, &S64];
