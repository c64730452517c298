//! Computes the instructions of integers, on words of threads or of rows.

mod legal;
#[cfg(test)]
mod tests;
mod words;

pub use legal::{carries, is_added_in_memory, is_legal, sources};
use ptx::syntax::{B32, Binary, Carried, Carry, Integer, Logic, Relation, Scalar, Unary};

use words::{binary, permute, unary};

/// Returns the low bits of a word, as many as a type has.
#[inline(always)]
fn bits(ty: Scalar, word: u64) -> u64 {
    u64::MAX.checked_shr(64 - ty.width()).map_or(0, |mask| word & mask)
}

/// Returns the integer that a word is in a type.
#[inline(always)]
fn value(ty: Scalar, word: u64) -> i128 {
    let unused = 64 - ty.width();
    // An `i128` holds every `u64` and every `i64`, so what follows has no cases for width and sign.
    match ty {
        // The bits above the type go out on the left, and copies of the sign come in their place.
        Scalar::Signed(_) => i128::from((word << unused) as i64 >> unused),
        _ => i128::from(bits(ty, word)),
    }
}

/// Computes a legal instruction for each thread or row, from its sources. The first slices count, as many as the
/// instruction has sources; all are of one length.
pub fn compute_all(integer: Integer, sources: [&[u64]; 4], into: &mut [u64]) {
    /// Gives each frequent instruction a loop of its own in which it is a constant, which the compiler makes fast.
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

/// Computes each word of `into` from the words at its place in the sources.
#[inline(always)]
fn each([a, b, c, d]: [&[u64]; 4], into: &mut [u64], compute: impl Fn([u64; 4]) -> u64) {
    let sources = a.iter().zip(b).zip(c).zip(d);
    into.iter_mut().zip(sources).for_each(|(into, (((a, b), c), d))| *into = compute([*a, *b, *c, *d]));
}

/// Computes a legal instruction from its sources, of which the first count, as many as it has.
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
            // Addend and sum are twice as wide as the factors, like the product.
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
            // `shf.l` gives the upper half of the pair and `shf.r` the lower one. A shift by 32 gives the other source
            // whole.
            let words = bits(B32, b) << 32 | bits(B32, a);
            let count = if wraps { c & 31 } else { bits(B32, c).min(32) };
            bits(B32, if left { words << count >> 32 } else { words >> count })
        }
        Integer::ExtractField(ty) => {
            let (a, (position, length)) = (bits(ty, a), field(ty, b, c));
            // "sbit = a[min(pos+len-1,msb)]"
            // A field of no bits has no sign, and its result is 0.
            let sign = (c & 0xff != 0 && matches!(ty, Scalar::Signed(_)))
                .then(|| a >> ((b & 0xff) + (c & 0xff) - 1).min(u64::from(ty.width()) - 1) & 1);
            let rest = if sign == Some(1) { !ones(length) } else { 0 };
            bits(ty, a.checked_shr(position).unwrap_or(0) & ones(length) | rest)
        }
        Integer::InsertField(ty) => {
            let (position, length) = field(ty, c, d);
            // A position may be as large as 255, where a plain shift would overflow. Then nothing is inserted.
            let mask = ones(length).checked_shl(position).unwrap_or(0);
            bits(ty, b & !mask | a.checked_shl(position).unwrap_or(0) & mask)
        }
        Integer::Logic3 => {
            // The last source is a truth table: its bit 4a + 2b + c is the result for the bits a, b and c.
            let term = |number: u64| {
                let [a, b, c] = [(a, 4), (b, 2), (c, 1)]
                    .map(|(word, bit)| if number & bit == 0 { !word } else { word });
                if d >> number & 1 == 0 { 0 } else { a & b & c }
            };
            bits(B32, (0..8).fold(0, |terms, number| terms | term(number)))
        }
    }
}

/// Computes an instruction of extended precision from its sources and the last instruction's carry: returns the result
/// and the carry that it gives.
pub fn carried(carry: Carry, [a, b, c]: [u64; 3], last: bool) -> (u64, bool) {
    let Carry { of, takes, ty, .. } = carry;
    let last = u128::from(takes && last);
    let low = |word: u64| u128::from(bits(ty, word));
    let product = |half| low(binary(half, ty, a, b)).wrapping_add(low(c));
    // A `u128`, so that the carry out of 64 bits is still in the sum.
    let sum = match of {
        Carried::Add => low(a) + low(b) + last,
        // A borrow sets all bits above the width, of which one is looked at.
        Carried::Sub => low(a).wrapping_sub(low(b)).wrapping_sub(last),
        Carried::MultiplyAddLow => product(Binary::MulLow) + last,
        Carried::MultiplyAddHigh => product(Binary::MulHigh) + last,
    };
    (bits(ty, sum as u64), sum >> ty.width() & 1 == 1)
}

/// Computes the opposites of a comparison's results, for its second destination; all sources are of one length.
pub fn opposite_all(integer: Integer, sources: [&[u64]; 4], into: &mut [u64]) {
    each(sources, into, |[a, b, c, _]| opposite(integer, [a, b, c]).unwrap_or(0));
}

/// Computes the opposite of a comparison's result; a predicate that it is joined with, the third source, stays as it
/// is. `None` if the instruction is no comparison.
fn opposite(integer: Integer, [a, b, c]: [u64; 3]) -> Option<u64> {
    match integer {
        Integer::Compare(relation, ty) => Some((!holds(relation, ty, a, b)).into()),
        Integer::CompareWith(relation, logic, ty) => {
            Some(joined(logic, (!holds(relation, ty, a, b)).into(), c))
        }
        _ => None,
    }
}

/// Returns a word whose lowest `count` bits are set.
fn ones(count: u32) -> u64 {
    u64::MAX.checked_shr(64 - count).unwrap_or(0)
}

/// Returns the place of a field, and how many of its bits a type has: "restricted to 0..255 range".
fn field(ty: Scalar, position: u64, length: u64) -> (u32, u32) {
    let position = (position & 0xff) as u32;
    (position, ((length & 0xff) as u32).min(ty.width().saturating_sub(position)))
}

/// Returns the integer of a type that is nearest to another.
fn nearest(ty: Scalar, integer: i128) -> i128 {
    let (lowest, highest) = match ty {
        Scalar::Signed(width) => (-1 << (width - 1), (1 << (width - 1)) - 1),
        _ => (0, (1 << ty.width()) - 1),
    };
    integer.clamp(lowest, highest)
}

/// Whether a relation holds between two words of a type.
#[inline(always)]
fn holds(relation: Relation, ty: Scalar, a: u64, b: u64) -> bool {
    // The values have the sign of their type, so the relations of unsigned numbers need no comparison of their own.
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

/// Joins two predicates to one.
fn joined(logic: Logic, a: u64, b: u64) -> u64 {
    match logic {
        Logic::And => a & b,
        Logic::Or => a | b,
        Logic::Xor => a ^ b,
    }
}
