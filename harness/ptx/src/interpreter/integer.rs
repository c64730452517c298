//! What the instructions of integers do to the words of one thread.

use crate::syntax::{B32, Binary, Carried, Carry, Integer, Logic, Relation, Scalar, Space, Unary};

/// The low bits of a word that a type has.
#[inline(always)]
fn bits(ty: Scalar, word: u64) -> u64 {
    u64::MAX.checked_shr(64 - ty.width()).map_or(0, |mask| word & mask)
}

/// The integer that a word is in a type.
#[inline(always)]
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
        Integer::Binary(Binary::MulWide, ty) => integral(ty) && ty.width() <= 32,
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

/// What a legal instruction makes of the sources of each thread, of which the first count as many as it
/// has; all are of one length.
pub fn compute_all(integer: Integer, sources: [&[u64]; 4], into: &mut [u64]) {
    /// The frequent ones are constants in loops of their own, which the compiler makes fast.
    macro_rules! frequent {
        ($($pattern:pat => $integer:expr,)*) => {
            match integer {
                $($pattern => each(sources, into, |words| compute($integer, words)),)*
                integer => each(sources, into, |words| compute(integer, words)),
            }
        };
    }
    frequent! {
        Integer::Move(ty) => Integer::Move(ty),
        Integer::Convert(to, from) => Integer::Convert(to, from),
        Integer::Select(ty) => Integer::Select(ty),
        Integer::Unary(Unary::Not, ty) => Integer::Unary(Unary::Not, ty),
        Integer::Compare(Relation::Equal, ty) => Integer::Compare(Relation::Equal, ty),
        Integer::Compare(Relation::NotEqual, ty) => Integer::Compare(Relation::NotEqual, ty),
        Integer::Compare(Relation::Greater, ty) => Integer::Compare(Relation::Greater, ty),
        Integer::Binary(Binary::Add, ty) => Integer::Binary(Binary::Add, ty),
        Integer::Binary(Binary::Sub, ty) => Integer::Binary(Binary::Sub, ty),
        Integer::Binary(Binary::MulLow, ty) => Integer::Binary(Binary::MulLow, ty),
        Integer::Binary(Binary::Min, ty) => Integer::Binary(Binary::Min, ty),
        Integer::Binary(Binary::Max, ty) => Integer::Binary(Binary::Max, ty),
        Integer::Binary(Binary::And, ty) => Integer::Binary(Binary::And, ty),
        Integer::Binary(Binary::Or, ty) => Integer::Binary(Binary::Or, ty),
        Integer::Binary(Binary::Xor, ty) => Integer::Binary(Binary::Xor, ty),
        Integer::Binary(Binary::ShiftLeft, ty) => Integer::Binary(Binary::ShiftLeft, ty),
        Integer::Binary(Binary::ShiftRight, ty) => Integer::Binary(Binary::ShiftRight, ty),
        Integer::MultiplyAdd(Binary::MulLow, ty) => Integer::MultiplyAdd(Binary::MulLow, ty),
        Integer::MultiplyAdd(Binary::MulWide, ty) => Integer::MultiplyAdd(Binary::MulWide, ty),
    }
}

#[inline(always)]
fn each([a, b, c, d]: [&[u64]; 4], into: &mut [u64], compute: impl Fn([u64; 4]) -> u64) {
    let sources = a.iter().zip(b).zip(c).zip(d);
    into.iter_mut().zip(sources).for_each(|(into, (((a, b), c), d))| *into = compute([*a, *b, *c, *d]));
}

/// What a legal instruction makes of its sources, of which the first count as many as it has.
#[inline(always)]
fn compute(integer: Integer, [a, b, c, d]: [u64; 4]) -> u64 {
    match integer {
        Integer::Move(ty) => bits(ty, a),
        Integer::Convert(to, from) => bits(to, value(from, a) as u64),
        Integer::ConvertSaturated(to, from) => bits(to, nearest(to, value(from, a)) as u64),
        Integer::ConvertAddress(_) | Integer::ConvertToGeneric(_) => a,
        Integer::Unary(operation, ty) => unary(operation, ty, a),
        Integer::Binary(operation, ty) => binary(operation, ty, a, b),
        Integer::MultiplyAdd(Binary::MulWide, ty) => {
            let sum = binary(Binary::MulWide, ty, a, b).wrapping_add(c);
            sum & u64::MAX >> (64 - 2 * ty.width())
        }
        Integer::MultiplyAdd(product, ty) => bits(ty, binary(product, ty, a, b).wrapping_add(c)),
        Integer::DifferenceAdd(ty) => {
            bits(ty, (value(ty, a).abs_diff(value(ty, b)) as u64).wrapping_add(c))
        }
        Integer::Compare(relation, ty) => holds(relation, ty, a, b).into(),
        Integer::CompareWith(relation, logic, ty) => joined(logic, holds(relation, ty, a, b).into(), c),
        Integer::Set(relation, to, from) => {
            if holds(relation, from, a, b) {
                bits(to, u64::MAX)
            } else {
                0
            }
        }
        Integer::Select(ty) => bits(ty, if c == 1 { a } else { b }),
        Integer::SelectBySign(ty) => bits(ty, if value(Scalar::Signed(32), c) >= 0 { a } else { b }),
        Integer::Permute => permute(a, b, c),
        Integer::Funnel { left, wraps } => {
            let words = bits(B32, b) << 32 | bits(B32, a);
            let count = if wraps { c & 31 } else { bits(B32, c).min(32) };
            bits(B32, if left { words << count >> 32 } else { words >> count })
        }
        Integer::ExtractField(ty) => {
            let (a, (position, length)) = (bits(ty, a), field(ty, b, c));
            // "sbit = a[min(pos+len-1,msb)]"
            let sign = (c & 0xff != 0 && matches!(ty, Scalar::Signed(_)))
                .then(|| a >> ((b & 0xff) + (c & 0xff) - 1).min(u64::from(ty.width()) - 1) & 1);
            let rest = if sign == Some(1) { !ones(length) } else { 0 };
            bits(ty, a.checked_shr(position).unwrap_or(0) & ones(length) | rest)
        }
        Integer::InsertField(ty) => {
            let (position, length) = field(ty, c, d);
            let mask = ones(length).checked_shl(position).unwrap_or(0);
            bits(ty, b & !mask | a.checked_shl(position).unwrap_or(0) & mask)
        }
        Integer::Logic3 => {
            let term = |number: u64| {
                let [a, b, c] = [(a, 4), (b, 2), (c, 1)]
                    .map(|(word, bit)| if number & bit == 0 { !word } else { word });
                if d >> number & 1 == 0 { 0 } else { a & b & c }
            };
            bits(B32, (0..8).fold(0, |terms, number| terms | term(number)))
        }
    }
}

/// What an instruction of extended precision gives, and its carry, from the last one's.
pub fn carried(carry: Carry, [a, b, c]: [u64; 3], last: bool) -> (u64, bool) {
    let Carry { of, takes, ty, .. } = carry;
    let last = u128::from(takes && last);
    let low = |word: u64| u128::from(bits(ty, word));
    let product = |half| low(binary(half, ty, a, b)).wrapping_add(low(c));
    let sum = match of {
        Carried::Add => low(a) + low(b) + last,
        // What is borrowed is all above, of which one bit is looked at.
        Carried::Sub => low(a).wrapping_sub(low(b)).wrapping_sub(last),
        Carried::MultiplyAddLow => product(Binary::MulLow) + last,
        Carried::MultiplyAddHigh => product(Binary::MulHigh) + last,
    };
    (bits(ty, sum as u64), sum >> ty.width() & 1 == 1)
}

/// The opposite of a comparison's result, for the second destination: the third source stays.
pub fn opposite(integer: Integer, [a, b, c]: [u64; 3]) -> Option<u64> {
    match integer {
        Integer::Compare(relation, ty) => Some((!holds(relation, ty, a, b)).into()),
        Integer::CompareWith(relation, logic, ty) => {
            Some(joined(logic, (!holds(relation, ty, a, b)).into(), c))
        }
        _ => None,
    }
}

/// So many low bits.
fn ones(count: u32) -> u64 {
    u64::MAX.checked_shr(64 - count).unwrap_or(0)
}

/// The place of a field, and how many of its bits a type has: "restricted to 0..255 range".
fn field(ty: Scalar, position: u64, length: u64) -> (u32, u32) {
    let position = (position & 0xff) as u32;
    (position, ((length & 0xff) as u32).min(ty.width().saturating_sub(position)))
}

/// The integer of a type that is nearest to another.
fn nearest(ty: Scalar, integer: i128) -> i128 {
    let (lowest, highest) = match ty {
        Scalar::Signed(width) => (-1 << (width - 1), (1 << (width - 1)) - 1),
        _ => (0, (1 << ty.width()) - 1),
    };
    integer.clamp(lowest, highest)
}

#[inline(always)]
fn holds(relation: Relation, ty: Scalar, a: u64, b: u64) -> bool {
    let (a, b) = (value(ty, a), value(ty, b));
    match relation {
        Relation::Equal => a == b,
        Relation::NotEqual => a != b,
        Relation::Less | Relation::Lower => a < b,
        Relation::LessOrEqual | Relation::LowerOrSame => a <= b,
        Relation::Greater | Relation::Higher => a > b,
        Relation::GreaterOrEqual | Relation::HigherOrSame => a >= b,
    }
}

/// Two predicates as one.
fn joined(logic: Logic, a: u64, b: u64) -> u64 {
    match logic {
        Logic::And => a & b,
        Logic::Or => a | b,
        Logic::Xor => a ^ b,
    }
}

#[inline(always)]
fn unary(operation: Unary, ty: Scalar, a: u64) -> u64 {
    let width = u64::from(ty.width());
    let word = bits(ty, a);
    let find = || {
        let integer = value(ty, a);
        let word = bits(ty, if integer < 0 { !a } else { a });
        // "0xffffffff" where there is none.
        word.checked_ilog2().map(u64::from)
    };
    match operation {
        Unary::Not => bits(ty, !a),
        Unary::Abs => bits(ty, value(ty, a).unsigned_abs() as u64),
        Unary::Negate => bits(ty, a.wrapping_neg()),
        Unary::LogicalNot => (word == 0).into(),
        Unary::CountLeadingZeros => u64::from(word.leading_zeros()).saturating_sub(64 - width),
        Unary::CountOnes => word.count_ones().into(),
        Unary::ReverseBits => word.reverse_bits() >> (64 - width),
        Unary::FindBit => find().unwrap_or(0xffff_ffff),
        Unary::FindShift => find().map_or(0xffff_ffff, |place| width - 1 - place),
    }
}

#[inline(always)]
fn binary(operation: Binary, ty: Scalar, one: u64, other: u64) -> u64 {
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

    fn computed<const N: usize>(opcode: &str, sources: [u64; N]) -> u64 {
        let mut four = [0; 4];
        four[..N].copy_from_slice(&sources);
        match Opcode::read(opcode) {
            Opcode::Integer(integer) => {
                assert!(is_legal(integer), "{opcode}");
                compute(integer, four)
            }
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
            ("neg.s16", [1, 0, 0], 0xffff),
            ("neg.s64", [1 << 63, 0, 0], 1 << 63),
            ("cnot.b16", [0x1_0000, 0, 0], 1),
            ("cnot.b32", [2, 0, 0], 0),
            ("popc.b64", [ones, 0, 0], 64),
            ("popc.b32", [ones, 0, 0], 32),
            ("brev.b32", [0x8000_0002, 0, 0], 0x4000_0001),
            ("brev.b64", [1, 0, 0], 1 << 63),
            ("bfind.u32", [0, 0, 0], 0xffff_ffff),
            ("bfind.s32", [0xffff_ffff, 0, 0], 0xffff_ffff),
            ("bfind.s32", [0xffff_ff00, 0, 0], 7),
            ("bfind.u64", [1 << 40, 0, 0], 40),
            ("bfind.shiftamt.u32", [1, 0, 0], 31),
            ("bfind.shiftamt.s64", [0, 0, 0], 0xffff_ffff),
            ("rem.s32", [0xffff_fff9, 3, 0], 0xffff_ffff),
            ("rem.u16", [7, 4, 0], 3),
            ("div.s32", [0xffff_fff9, 2, 0], 0xffff_fffd),
            ("div.s32", [0x8000_0000, 0xffff_ffff, 0], 0x8000_0000),
            ("rem.s64", [1 << 63, ones, 0], 0),
            ("add.sat.s32", [0x7fff_ffff, 1, 0], 0x7fff_ffff),
            ("sub.sat.s32", [0x8000_0000, 1, 0], 0x8000_0000),
            ("mul.hi.s32", [0xffff_ffff, 1, 0], 0xffff_ffff),
            ("mul.hi.s64", [ones, 2, 0], ones),
            ("mul.wide.s16", [0xffff, 2, 0], 0xffff_fffe),
            ("mul.wide.s32", [0x8000_0000, 2, 0], 0xffff_ffff_0000_0000),
            ("mul.lo.s16", [0x100, 0x101, 0], 0x100),
            ("mad.hi.u32", [0x8000_0000, 4, 0xffff_ffff], 1),
            ("mad.wide.s16", [0xffff, 1, 1], 0),
            ("sad.u32", [1, 0xffff_ffff, 3], 1),
            ("sad.s32", [1, 0xffff_ffff, 3], 5),
            ("min.s16", [0x8000, 1, 0], 0x8000),
            ("min.u16", [0x8000, 1, 0], 1),
            ("setp.lo.u32", [1, 0xffff_ffff, 0], 1),
            ("setp.hs.u16", [0x8000, 0x8000, 0], 1),
            ("setp.ge.s16", [0x8000, 0, 0], 0),
            ("setp.eq.and.b32", [5, 5, 0], 0),
            ("setp.ne.or.s64", [5, 5, 1], 1),
            ("setp.lt.xor.s32", [ones, 0, 1], 0),
            ("set.gt.u32.s32", [1, ones, 0], 0xffff_ffff),
            ("set.gt.s32.u32", [1, ones, 0], 0),
            ("slct.b64.s32", [7, 8, 0], 7),
            ("slct.u16.s32", [7, 8, 0x8000_0000], 8),
            ("selp.f64", [7, 8, 1], 7),
            ("mov.pred", [ones, 0, 0], 1),
            ("not.pred", [1, 0, 0], 0),
            ("xor.pred", [1, 1, 0], 0),
            ("cvt.s64.s8", [0x80, 0, 0], 0xffff_ffff_ffff_ff80),
            ("cvt.u32.s16", [0x8000, 0, 0], 0xffff_8000),
            ("cvt.sat.u8.s32", [ones, 0, 0], 0),
            ("cvt.sat.s8.u64", [ones, 0, 0], 0x7f),
            ("cvt.sat.u32.s16", [0x7fff, 0, 0], 0x7fff),
            ("cvt.sat.s16.s64", [1 << 63, 0, 0], 0x8000),
            ("shf.l.wrap.b32", [0x8000_0000, 1, 33], 3),
            ("shf.l.clamp.b32", [0x1234, 1, 33], 0x1234),
            ("shf.r.wrap.b32", [0x10, 3, 4], 0x3000_0001),
            ("shf.r.clamp.b32", [0x10, 3, 99], 3),
            ("bfe.u32", [0xabcd_ef01, 8, 12], 0xdef),
            ("bfe.s32", [0xabcd_ef01, 8, 12], 0xffff_fdef),
            ("bfe.s32", [0x8000_0000, 28, 9], 0xffff_fff8),
            ("bfe.s32", [0x8000_0000, 40, 9], 0xffff_ffff),
            ("bfe.s32", [0x8000_0000, 40, 0], 0),
            ("bfe.u64", [ones, 0x104, 0x140], ones >> 4),
            ("bfe.u64", [ones, 0, 64], ones),
            ("bfe.s64", [1 << 20, 0, 21], 0xffff_ffff_fff0_0000),
        ] {
            assert_eq!(computed(opcode, sources), result, "{opcode} {sources:x?}");
        }
        for (opcode, sources, result) in [
            ("bfi.b32", [0xab, 0xffff_ffff, 4, 8], 0xffff_fabf),
            ("bfi.b32", [0xff, 0, 28, 8], 0xf000_0000),
            ("bfi.b32", [0xff, 0x1234, 32, 8], 0x1234),
            ("bfi.b64", [ones, 0, 0, 255], ones),
            ("bfi.b64", [0, ones, 8, 0], ones),
            // a ∧ b ∨ ¬a ∧ c, and whichever two agree
            ("lop3.b32", [0xff00, 0x1234, 0x5678, 0xca], 0x1278),
            ("lop3.b32", [0b1100, 0b1010, 0b0110, 0xe8], 0b1110),
            ("lop3.b32", [0, 0, 0, 1], 0xffff_ffff),
        ] {
            assert_eq!(computed(opcode, sources), result, "{opcode} {sources:x?}");
        }
    }

    #[test]
    fn carries_go_on() {
        for (opcode, sources, last, result) in [
            ("add.cc.u32", [0xffff_ffff, 1, 0], true, (0, true)),
            ("addc.u32", [0xffff_ffff, 0, 0], true, (0, true)),
            ("addc.cc.s64", [1, 2, 0], true, (4, false)),
            ("sub.cc.u32", [0, 1, 0], false, (0xffff_ffff, true)),
            ("subc.cc.u64", [5, 5, 0], true, (u64::MAX, true)),
            ("subc.u32", [5, 4, 0], true, (0, false)),
            ("mad.lo.cc.u32", [0x1_0000, 0xffff, 0x1_0000], false, (0, true)),
            ("madc.hi.u32", [0xffff_ffff, 0xffff_ffff, 1], true, (0, true)),
            ("madc.hi.cc.s32", [0xffff_ffff, 1, 0], true, (0, true)),
            ("madc.lo.cc.u64", [u64::MAX, 1, 0], false, (u64::MAX, false)),
        ] {
            let Opcode::Carry(carry) = Opcode::read(opcode) else { panic!("{opcode}") };
            assert_eq!(carried(carry, sources, last), result, "{opcode} {sources:x?}");
        }
    }

    #[test]
    fn a_second_predicate_is_the_comparison_turned_round() {
        let second = |opcode: &str, sources| match Opcode::read(opcode) {
            Opcode::Integer(integer) => opposite(integer, sources),
            _ => panic!("{opcode}"),
        };
        assert_eq!(second("setp.lt.s32", [0xffff_ffff, 0, 0]), Some(0));
        assert_eq!(second("setp.lt.u32", [0xffff_ffff, 0, 0]), Some(1));
        // q = ¬(a < b) ∨ c, and c is not turned round.
        assert_eq!(second("setp.lt.or.s32", [0xffff_ffff, 0, 1]), Some(1));
        assert_eq!(second("setp.lt.and.s32", [1, 0, 0]), Some(0));
        assert_eq!(second("add.u32", [1, 0, 0]), None);
    }
}
