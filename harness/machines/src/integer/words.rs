//! Computes instructions with one source or two, and `prmt`.

use ptx::syntax::{Binary, Scalar, Unary};

use super::{bits, nearest, value};

/// Computes an instruction with one source.
#[inline(always)]
pub(super) fn unary(operation: Unary, ty: Scalar, a: u64) -> u64 {
    let width = u64::from(ty.width());
    let word = bits(ty, a);
    let find = || {
        let integer = value(ty, a);
        // `bfind` looks for the first bit that differs from the sign, and in a negative number that is a 0.
        let word = bits(ty, if integer < 0 { !a } else { a });
        // "0xffffffff" where there is none.
        word.checked_ilog2().map(u64::from)
    };
    match operation {
        Unary::Not => bits(ty, !a),
        Unary::Abs => bits(ty, value(ty, a).unsigned_abs() as u64),
        Unary::Negate => bits(ty, a.wrapping_neg()),
        Unary::LogicalNot => (word == 0).into(),
        // `leading_zeros` counts the unused bits above the type as well.
        Unary::CountLeadingZeros => u64::from(word.leading_zeros()).saturating_sub(64 - width),
        Unary::CountOnes => word.count_ones().into(),
        // The bits of the type are at the upper end after the reversal.
        Unary::ReverseBits => word.reverse_bits() >> (64 - width),
        Unary::FindBit => find().unwrap_or(0xffff_ffff),
        Unary::FindShift => find().map_or(0xffff_ffff, |place| width - 1 - place),
    }
}

/// Computes an instruction with two sources.
#[inline(always)]
pub(super) fn binary(operation: Binary, ty: Scalar, one: u64, other: u64) -> u64 {
    let (a, b) = (value(ty, one), value(ty, other));
    // "Shift amounts greater than the register width N are clamped to N", and have no sign.
    let amount = bits(Scalar::Unsigned(32), other).min(ty.width().into()) as u32;
    // "Division by zero yields an unspecified, machine-specific value": something that nobody
    // would take for a quotient.
    let unspecified = 0xdead_beef_dead_beef;
    let result = match operation {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::MulLow => a.wrapping_mul(b),
        Binary::MulHigh => a.wrapping_mul(b) >> ty.width(),
        // The product has twice the width of the type, which `bits` below would cut.
        Binary::MulWide => return a.wrapping_mul(b) as u64 & u64::MAX >> (64 - 2 * ty.width()),
        Binary::Div => a.checked_div(b).unwrap_or(unspecified),
        Binary::Rem => a.checked_rem(b).unwrap_or(unspecified),
        Binary::AddSaturated => nearest(ty, a.wrapping_add(b)),
        Binary::SubSaturated => nearest(ty, a.wrapping_sub(b)),
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        // An `i128` can be shifted by the full width of 64, which overflows in a `u64`.
        Binary::ShiftLeft => a << amount,
        Binary::ShiftRight => a >> amount,
    };
    bits(ty, result as u64)
}

/// Computes `prmt` (PTX ISA, `prmt`): each byte of the result is one of the eight of both sources, by a digit of the
/// selector, or its sign eight times.
pub(super) fn permute(a: u64, b: u64, selector: u64) -> u64 {
    let bytes = bits(Scalar::Bits(32), b) << 32 | bits(Scalar::Bits(32), a);
    let byte = |place: u32| {
        let digit = selector >> (4 * place) & 0xf;
        let byte = bytes >> (8 * (digit & 7)) & 0xff;
        if digit & 8 == 0 { byte } else { 0xff * (byte >> 7) }
    };
    (0..4).map(|place| byte(place) << (8 * place)).sum()
}
