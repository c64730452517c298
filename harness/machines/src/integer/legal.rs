//! Says which instructions of integers there are, and how many sources each has.

use ptx::syntax::{Binary, Integer, Scalar, Space, Unary};

/// Returns the number of sources of an instruction.
pub fn sources(integer: Integer) -> usize {
    match integer {
        Integer::Move(_)
        | Integer::Convert(..)
        | Integer::ConvertSaturated(..)
        | Integer::ConvertAddress(_)
        | Integer::ConvertToGeneric(_)
        | Integer::Unary(..) => 1,
        Integer::Binary(..) | Integer::Compare(..) | Integer::Set(..) => 2,
        Integer::MultiplyAdd(..)
        | Integer::DifferenceAdd(_)
        | Integer::CompareWith(..)
        | Integer::Select(_)
        | Integer::SelectBySign(_)
        | Integer::Permute
        | Integer::Funnel { .. }
        | Integer::ExtractField(_) => 3,
        Integer::InsertField(_) | Integer::Logic3 => 4,
    }
}

/// Whether all types of an instruction are of widths that registers have, and it has such types.
pub fn is_legal(integer: Integer) -> bool {
    let integral = Scalar::is_integral;
    let wide = |ty: Scalar| integral(ty) && ty.width() >= 32;
    match integer {
        Integer::Move(ty) => ty.is_legal(),
        Integer::Convert(to, from) => integral(to) && integral(from),
        Integer::ConvertSaturated(to, from) => integral(to) && integral(from),
        // Shared memory has no place among the addresses that are the same in all spaces.
        Integer::ConvertAddress(space) | Integer::ConvertToGeneric(space) => space != Space::Shared,
        Integer::Permute | Integer::Funnel { .. } | Integer::Logic3 => true,
        // The result is twice as wide, and no register has more than 64 bits.
        Integer::Binary(Binary::MulWide, ty) => integral(ty) && ty.width() <= 32,
        // PTX ISA, `add` and `sub`: `.sat` applies to `.s32` alone.
        Integer::Binary(Binary::AddSaturated | Binary::SubSaturated, ty) => ty == Scalar::Signed(32),
        Integer::Binary(Binary::And | Binary::Or | Binary::Xor, Scalar::Predicate)
        | Integer::Unary(Unary::Not, Scalar::Predicate) => true,
        Integer::MultiplyAdd(Binary::MulWide, ty) => integral(ty) && ty.width() <= 32,
        Integer::MultiplyAdd(product, ty) => {
            integral(ty) && matches!(product, Binary::MulLow | Binary::MulHigh)
        }
        Integer::Unary(Unary::Not | Unary::Abs | Unary::Negate | Unary::LogicalNot, ty)
        | Integer::Unary(Unary::CountLeadingZeros, ty) => integral(ty),
        Integer::Unary(_, ty) | Integer::ExtractField(ty) | Integer::InsertField(ty) => wide(ty),
        Integer::Set(_, to, from) => integral(to) && integral(from),
        Integer::Select(ty) | Integer::SelectBySign(ty) => ty.is_legal() && ty != Scalar::Predicate,
        Integer::Binary(_, ty)
        | Integer::Compare(_, ty)
        | Integer::CompareWith(_, _, ty)
        | Integer::DifferenceAdd(ty) => integral(ty),
    }
}
