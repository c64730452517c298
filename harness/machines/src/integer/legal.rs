//! Says which instructions of integers there are, and how many sources each has.

use ptx::syntax::{Binary, Carry, Integer, Relation, Scalar, Space, Unary};

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

/// Whether PTX has an instruction with these types (PTX ISA 9.4, 9.7.1, 9.7.7, 9.7.9 and 9.7.10). ptxas 13.5 takes the
/// same ones in a kernel of PTX 9.0 for sm_90.
pub fn is_legal(integer: Integer) -> bool {
    let wide = |ty: Scalar| ty.width() >= 32;
    match integer {
        Integer::Move(Scalar::Predicate) => true,
        Integer::Move(ty) | Integer::Select(ty) | Integer::SelectBySign(ty) => is_data(ty),
        Integer::Convert(to, from) => is_converted(to) && is_converted(from),
        // "the .sat modifier is illegal in cases where saturation is not possible"
        Integer::ConvertSaturated(to, from) => {
            is_converted(to) && is_converted(from) && !holds_all(to, from)
        }
        // Shared memory has no place among the addresses that are the same in all spaces.
        Integer::ConvertAddress(space) | Integer::ConvertToGeneric(space) => space != Space::Shared,
        Integer::Permute | Integer::Funnel { .. } | Integer::Logic3 => true,
        Integer::Unary(unary, ty) => match unary {
            Unary::Not => is_bits(ty) || ty == Scalar::Predicate,
            Unary::LogicalNot => is_bits(ty),
            Unary::Abs | Unary::Negate => is_signed(ty),
            Unary::CountLeadingZeros | Unary::CountOnes | Unary::ReverseBits => is_bits(ty) && wide(ty),
            Unary::FindBit | Unary::FindShift => is_number(ty) && wide(ty),
        },
        Integer::Binary(binary, ty) => match binary {
            Binary::And | Binary::Or | Binary::Xor => is_bits(ty) || ty == Scalar::Predicate,
            Binary::ShiftLeft => is_bits(ty),
            Binary::ShiftRight => is_bits(ty) || is_number(ty),
            // The result is twice as wide, and no register has more than 64 bits.
            Binary::MulWide => is_number(ty) && ty.width() <= 32,
            // PTX ISA, `add` and `sub`: `.sat` applies to `.s32` alone.
            Binary::AddSaturated | Binary::SubSaturated => ty == Scalar::Signed(32),
            Binary::Add
            | Binary::Sub
            | Binary::MulLow
            | Binary::MulHigh
            | Binary::Div
            | Binary::Rem
            | Binary::Min
            | Binary::Max => is_number(ty),
        },
        Integer::MultiplyAdd(Binary::MulWide, ty) => is_number(ty) && ty.width() <= 32,
        Integer::MultiplyAdd(product, ty) => {
            is_number(ty) && matches!(product, Binary::MulLow | Binary::MulHigh)
        }
        Integer::DifferenceAdd(ty) => is_number(ty),
        Integer::Compare(relation, ty) | Integer::CompareWith(relation, _, ty) => {
            is_compared(relation, ty)
        }
        Integer::Set(relation, to, from) => {
            is_number(to) && to.width() == 32 && is_compared(relation, from)
        }
        Integer::ExtractField(ty) => is_number(ty) && wide(ty),
        Integer::InsertField(ty) => is_bits(ty) && wide(ty),
    }
}

/// Whether PTX has an instruction of extended precision with its type: an integer of 32 or 64 bits.
pub fn carries(carry: Carry) -> bool {
    is_number(carry.ty) && carry.ty.width() >= 32
}

/// Whether PTX has a `red.add` of this type of integers.
pub fn is_added_in_memory(ty: Scalar) -> bool {
    matches!(ty, Scalar::Unsigned(32 | 64) | Scalar::Signed(32))
}

/// Whether a type is one of bits in arithmetic: of 8 and of 128 bits there is none.
fn is_bits(ty: Scalar) -> bool {
    matches!(ty, Scalar::Bits(16 | 32 | 64))
}

/// Whether a type is one of integers with a sign in arithmetic.
fn is_signed(ty: Scalar) -> bool {
    matches!(ty, Scalar::Signed(16 | 32 | 64))
}

/// Whether a type is one of integers in arithmetic, with or without a sign.
fn is_number(ty: Scalar) -> bool {
    is_signed(ty) || matches!(ty, Scalar::Unsigned(16 | 32 | 64))
}

/// Whether a type is one of data that are moved or selected as they are.
fn is_data(ty: Scalar) -> bool {
    is_bits(ty) || is_number(ty) || matches!(ty, Scalar::Float("f32" | "f64", _))
}

/// Whether a type is one that `cvt` converts integers from and to.
fn is_converted(ty: Scalar) -> bool {
    is_number(ty) || matches!(ty, Scalar::Unsigned(8) | Scalar::Signed(8))
}

/// Whether a type of integers has every integer that another one has.
fn holds_all(to: Scalar, from: Scalar) -> bool {
    match (to, from) {
        (Scalar::Signed(_), Scalar::Unsigned(width)) => to.width() > width,
        (Scalar::Unsigned(_), Scalar::Signed(_)) => false,
        _ => to.width() >= from.width(),
    }
}

/// Whether a relation compares words of a type: words of bits are equal or not, and only integers without a sign are
/// lower or higher.
fn is_compared(relation: Relation, ty: Scalar) -> bool {
    match relation {
        Relation::Equal | Relation::NotEqual => is_bits(ty) || is_number(ty),
        Relation::Less | Relation::LessOrEqual | Relation::Greater | Relation::GreaterOrEqual => {
            is_number(ty)
        }
        Relation::Lower | Relation::LowerOrSame | Relation::Higher | Relation::HigherOrSame => {
            is_number(ty) && !is_signed(ty)
        }
    }
}
