//! Dot products as tensor cores compute them, from integers.

mod lowered;
mod nearest;
mod round;
mod term;

#[cfg(test)]
mod tests;

use vectors::Format;
use vectors::format::FormatId;
use vectors::matrix::Unit;

pub use lowered::Lowered;
pub use nearest::convert;
use round::round;
use term::{Sum, Term};

/// A unit with its operands' formats.
#[derive(Clone, Copy, Debug)]
pub struct DotProduct {
    unit: Unit,
    a: &'static Format,
    b: &'static Format,
    /// Format of the addend, and of the result.
    accumulated: &'static Format,
}

impl DotProduct {
    /// A unit that multiplies numbers of `a` with numbers of `b`, and adds them to numbers of `accumulated`,
    /// which is f32 or f16 as the unit rounds.
    pub const fn new(
        unit: Unit,
        a: &'static Format,
        b: &'static Format,
        accumulated: &'static Format,
    ) -> DotProduct {
        DotProduct { unit, a, b, accumulated }
    }

    /// `Σ a[k] × b[k] + c`, a group after the other in the order of k. An operand of tf32 is a register of 32
    /// bits, of which the upper 19 count.
    ///
    /// # Panics
    /// If there are not as many of `a` as of `b`.
    pub fn compute(&self, a: &[u64], b: &[u64], c: u64) -> u64 {
        assert_eq!(a.len(), b.len(), "as many rows as columns");
        let group = self.unit.group as usize;
        a.chunks(group).zip(b.chunks(group)).fold(c, |c, (a, b)| self.group(a, b, c))
    }

    fn group(&self, a: &[u64], b: &[u64], c: u64) -> u64 {
        let addend = Term::number(self.accumulated, c);
        let terms = a.iter().zip(b).map(|(&a, &b)| {
            Term::number(self.a, significant(self.a, a))
                .times(Term::number(self.b, significant(self.b, b)))
        });
        let terms: Vec<Term> = terms.chain([addend]).collect();
        match Sum::of(&terms, self.unit.fraction_bits, self.unit.zero_exponent) {
            Sum::Nan => self.accumulated.canonical_nan(),
            Sum::Infinite { negative } => {
                let sign = if negative { self.accumulated.sign_mask() } else { 0 };
                sign | self.accumulated.infinity().expect("f32 and f16 have it")
            }
            Sum::Finite { units, exponent } => {
                round(units, exponent, self.unit.rounding, self.accumulated)
            }
        }
    }
}

/// The bits that count of an operand's register.
fn significant(format: &Format, register: u64) -> u64 {
    match format.id {
        FormatId::Tf32 => register >> 13 & format.mask(),
        _ => register & format.mask(),
    }
}
