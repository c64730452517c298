//! Dot products as tensor cores compute them, from integers.

mod kernel;
mod lowered;
mod nearest;
mod round;
mod term;

#[cfg(test)]
mod tests;

use formats::Format;
use isa::matrix::{SCALED_GROUP, Unit, without_tf32_padding};
pub use kernel::DotKernel;
pub use lowered::Lowered;
// Public for the example `published_sums` and for `explain`, which show a sum step by step.
#[doc(hidden)]
pub use nearest::{convert, divided};
use round::round;
use term::{Sum, Term};

/// A unit of a tensor core with its operands' formats.
#[derive(Clone, Copy, Debug)]
pub struct DotProduct {
    unit: Unit,
    a: &'static Format,
    b: &'static Format,
    /// The format of the addend, and of the result.
    accumulated: &'static Format,
}

impl DotProduct {
    /// Returns a unit that multiplies numbers of `a` with numbers of `b`, and adds the products to numbers of
    /// `accumulated`, which is f32 or f16 as the unit rounds.
    pub const fn new(
        unit: Unit,
        a: &'static Format,
        b: &'static Format,
        accumulated: &'static Format,
    ) -> DotProduct {
        DotProduct { unit, a, b, accumulated }
    }

    /// Computes `Σ a[k] × b[k] + c`, one group after the other in the order of k. An operand of tf32 is a register of
    /// 32 bits, of which the upper 19 count.
    ///
    /// # Panics
    /// If there are not as many elements of `a` as of `b`.
    pub fn compute(&self, a: &[u64], b: &[u64], c: u64) -> u64 {
        assert_eq!(a.len(), b.len(), "as many rows as columns");
        let group = self.unit.group as usize;
        a.chunks(group).zip(b.chunks(group)).fold(c, |c, (a, b)| self.group(a, b, c))
    }

    /// Computes `Σ a[k] × b[k] + c` with scales, among which the elements are divided equally. `groups` tells whether a
    /// scale multiplies sums of [`SCALED_GROUP`] products, or each product.
    ///
    /// # Panics
    /// If there are not as many elements of `a` as of `b`, or if their number is no multiple of the number of scales.
    pub fn compute_scaled(&self, [a, b]: [&[u64]; 2], c: u64, scales: Scales, groups: bool) -> u64 {
        assert_eq!(a.len(), b.len(), "as many rows as columns");
        let each = a.len() / scales.a.len();
        let size = if groups { SCALED_GROUP } else { 1 };
        let scaled = |first: usize| {
            let scale =
                |bits: &[u64]| Term::number(scales.format, bits[first / each] & scales.format.mask());
            let (x, y) = (scale(scales.a), scale(scales.b));
            let products = (first..first + size).map(|k| self.product(a[k], b[k]));
            match groups {
                true => Term::sum_at(products, 0, GROUP_FRACTION).times(x).times(y),
                // `size` is 1, so that this multiplies one product by both scales.
                false => products.fold(x.times(y), Term::times),
            }
        };
        let group = self.unit.group as usize;
        (0..a.len()).step_by(group).fold(c, |c, start| {
            let terms = (start..a.len().min(start + group)).step_by(size).map(scaled);
            self.sum(terms, c)
        })
    }

    /// Returns the sum of a group of products and an addend, rounded.
    fn group(&self, a: &[u64], b: &[u64], c: u64) -> u64 {
        self.sum(a.iter().zip(b).map(|(&a, &b)| self.product(a, b)), c)
    }

    /// Multiplies an element of A by one of B, exactly.
    fn product(&self, a: u64, b: u64) -> Term {
        let a = Term::number(self.a, without_tf32_padding(self.a, a));
        a.times(Term::number(self.b, without_tf32_padding(self.b, b)))
    }

    /// Returns the sum of terms and an addend, rounded.
    fn sum(&self, terms: impl Iterator<Item = Term>, c: u64) -> u64 {
        let terms: Vec<Term> = terms.chain([Term::number(self.accumulated, c)]).collect();
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

/// The scales of a row of A and of a column of B, equally many of each.
#[derive(Clone, Copy, Debug)]
pub struct Scales<'a> {
    /// The format of the scales; what lies above it in a byte does not count.
    pub format: &'static Format,
    /// The scales of A, the first for the first elements.
    pub a: &'a [u64],
    /// The scales of B, the first for the first elements.
    pub b: &'a [u64],
}

/// The number of fraction bits of a group's sum: products of e2m1 are multiples of a quarter.
const GROUP_FRACTION: u32 = 2;
