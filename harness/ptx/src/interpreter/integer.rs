//! What the instructions of integers do to the words of one thread.

use crate::syntax::{Binary, Integer, Relation, Scalar, Unary};

/// The low bits of a word that a type has.
fn bits(ty: Scalar, word: u64) -> u64 {
    u64::MAX.checked_shr(64 - ty.width()).map_or(0, |mask| word & mask)
}

/// The integer that a word is in a type.
fn value(ty: Scalar, word: u64) -> i128 {
    let unused = 64 - ty.width();
    match ty {
        Scalar::Signed(_) => i128::from((word << unused) as i64 >> unused),
        _ => i128::from(bits(ty, word)),
    }
}

/// How many sources an instruction has.
pub fn sources(integer: Integer) -> usize {
    match integer {
        Integer::Move(_) | Integer::Convert(..) | Integer::ConvertAddress(_) | Integer::Unary(..) => 1,
        Integer::Binary(..) | Integer::Compare(..) => 2,
        Integer::MultiplyAdd(..) | Integer::Select(_) | Integer::Permute => 3,
    }
}

/// Whether all types of an instruction are of widths that registers have, and it has such types.
pub fn is_legal(integer: Integer) -> bool {
    let integral = |ty: Scalar| ty.is_legal() && ty != Scalar::Predicate;
    match integer {
        Integer::Move(ty) => ty.is_legal(),
        Integer::Convert(to, from) => integral(to) && integral(from),
        Integer::ConvertAddress(_) | Integer::Permute => true,
        Integer::Binary(Binary::MulWide, ty) => integral(ty) && ty.width() <= 32,
        Integer::MultiplyAdd(Binary::MulWide, ty) => integral(ty) && ty.width() <= 32,
        Integer::MultiplyAdd(product, ty) => integral(ty) && product == Binary::MulLow,
        Integer::Unary(_, ty)
        | Integer::Binary(_, ty)
        | Integer::Compare(_, ty)
        | Integer::Select(ty) => integral(ty),
    }
}

/// What a legal instruction makes of its sources, of which the first count as many as it has.
pub fn compute(integer: Integer, [a, b, c]: [u64; 3]) -> u64 {
    match integer {
        Integer::Move(ty) => bits(ty, a),
        Integer::Convert(to, from) => bits(to, value(from, a) as u64),
        Integer::ConvertAddress(_) => a,
        Integer::Unary(unary, ty) => match unary {
            Unary::Not => bits(ty, !a),
            Unary::Abs => bits(ty, value(ty, a).unsigned_abs() as u64),
            Unary::CountLeadingZeros => {
                u64::from(bits(ty, a).leading_zeros()).saturating_sub(64 - u64::from(ty.width()))
            }
        },
        Integer::Binary(operation, ty) => binary(operation, ty, a, b),
        Integer::MultiplyAdd(Binary::MulWide, ty) => {
            let sum = binary(Binary::MulWide, ty, a, b).wrapping_add(c);
            sum & u64::MAX >> (64 - 2 * ty.width())
        }
        Integer::MultiplyAdd(product, ty) => bits(ty, binary(product, ty, a, b).wrapping_add(c)),
        Integer::Compare(relation, ty) => {
            let (a, b) = (value(ty, a), value(ty, b));
            u64::from(match relation {
                Relation::Equal => a == b,
                Relation::NotEqual => a != b,
                Relation::Less => a < b,
                Relation::LessOrEqual => a <= b,
                Relation::Greater => a > b,
                Relation::GreaterOrEqual => a >= b,
            })
        }
        Integer::Select(ty) => bits(ty, if c == 1 { a } else { b }),
        Integer::Permute => permute(a, b, c),
    }
}

fn binary(operation: Binary, ty: Scalar, one: u64, other: u64) -> u64 {
    let (a, b) = (value(ty, one), value(ty, other));
    // "Shift amounts greater than the register width N are clamped to N", and have no sign.
    let amount = bits(Scalar::Unsigned(32), other).min(ty.width().into()) as u32;
    let result = match operation {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::MulLow => a.wrapping_mul(b),
        Binary::MulHigh => a.wrapping_mul(b) >> ty.width(),
        Binary::MulWide => return a.wrapping_mul(b) as u64 & u64::MAX >> (64 - 2 * ty.width()),
        // "Division by zero yields an unspecified, machine-specific value": something that nobody
        // would take for a quotient.
        Binary::Div => a.checked_div(b).unwrap_or(0xdead_beef_dead_beef),
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::ShiftLeft => a << amount,
        Binary::ShiftRight => a >> amount,
    };
    bits(ty, result as u64)
}

/// Each byte of the result is one of the eight of both sources, by a digit of the selector, or its
/// sign eight times (PTX ISA, `prmt`).
fn permute(a: u64, b: u64, selector: u64) -> u64 {
    let bytes = bits(Scalar::Bits(32), b) << 32 | bits(Scalar::Bits(32), a);
    let byte = |place: u32| {
        let digit = selector >> (4 * place) & 0xf;
        let byte = bytes >> (8 * (digit & 7)) & 0xff;
        if digit & 8 == 0 { byte } else { 0xff * (byte >> 7) }
    };
    (0..4).map(|place| byte(place) << (8 * place)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Opcode;

    fn computed(opcode: &str, sources: [u64; 3]) -> u64 {
        match Opcode::read(opcode) {
            Opcode::Integer(integer) => compute(integer, sources),
            _ => panic!("{opcode}"),
        }
    }

    #[test]
    fn integers_are_of_their_width_and_sign() {
        let ones = u64::MAX;
        for (opcode, sources, result) in [
            ("add.u32", [0xffff_ffff, 2, 0], 1),
            ("sub.u64", [0, 1, 0], ones),
            ("mul.hi.u64", [ones, ones, 0], ones - 1),
            ("mul.hi.u32", [0xffff_ffff, 0xffff_ffff, 0], 0xffff_fffe),
            ("mul.wide.u32", [0xffff_ffff, 0xffff_ffff, 0], 0xffff_fffe_0000_0001),
            ("mad.wide.u32", [3, 4, 1 << 40], (1 << 40) + 12),
            ("mad.lo.u32", [0x8000_0000, 2, 5], 5),
            ("div.u32", [7, 2, 0], 3),
            ("div.u32", [7, 0, 0], 0xdead_beef),
            ("max.s32", [0xffff_ffff, 1, 0], 1),
            ("abs.s64", [1 << 63, 0, 0], 1 << 63),
            ("abs.s32", [0xffff_ffff, 0, 0], 1),
            ("clz.b32", [1, 0, 0], 31),
            ("clz.b64", [0, 0, 0], 64),
            ("shl.b64", [1, 64, 0], 0),
            ("shl.b32", [3, 31, 0], 0x8000_0000),
            ("shr.u64", [ones, 64, 0], 0),
            ("shr.s32", [0x8000_0000, 99, 0], 0xffff_ffff),
            ("cvt.u8.u16", [0x1ff, 0, 0], 0xff),
            ("cvt.u64.u32", [ones, 0, 0], 0xffff_ffff),
            ("setp.gt.u64", [ones, 1, 0], 1),
            ("selp.b32", [7, 8, 0], 8),
            ("prmt.b32", [0x1122_3344, 0, 0x0123], 0x4433_2211),
            // Bytes 0 and 4, and the signs of both.
            ("prmt.b32", [0x80, 0x55, 0x4c80], 0x5500_ff80),
        ] {
            assert_eq!(computed(opcode, sources), result, "{opcode} {sources:x?}");
        }
    }
}
