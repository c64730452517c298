//! Bounds on where the bits of exact results lie.

use formats::{Format, Scale};
use isa::{Op, Variant};

/// The bits that an exact result may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactBits {
    /// The exponent of a power of two that the result is a multiple of.
    pub low: i32,
    /// The exponent of a power of two that the result's magnitude is smaller than.
    pub high: i32,
    /// The exponent of a power of two that the result's magnitude is at least, unless the result is zero.
    pub least: i32,
    /// The most bits from the result's leading one to its last one.
    pub bits: u32,
    /// The terms, where the result is a sum; the second has no more bits than the first.
    pub terms: Option<[ExactTerm; 2]>,
}

/// A term of a sum, with fields as those of [`ExactBits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactTerm {
    pub low: i32,
    pub high: i32,
    pub bits: u32,
}

impl ExactBits {
    /// Computes the bounds for a variant that adds, multiplies or converts; `None` for any other, and for a sum of
    /// three terms without an accumulator.
    pub fn of(variant: &Variant) -> Option<ExactBits> {
        let inputs: Vec<ExactBits> =
            (0..variant.inputs().len()).map(|i| ExactBits::input(variant, i)).collect();
        let exact = match (variant.meaning().op, inputs.as_slice()) {
            (Op::Add | Op::Sub, &[a, b]) => a.plus(b),
            // The last sum has the precision that sums are made in, and is a multiple of what its terms are.
            (Op::Add, &[a, _, _]) => {
                let wide = ExactBits::number(variant.meaning().accumulator?);
                ExactBits { low: a.low, least: a.low, ..wide }
            }
            (Op::Mul, &[a, b]) => a.times(b),
            (Op::Fma, &[a, b, c]) => a.times(b).plus(c),
            (Op::Convert(_), &[a, ..]) if variant.meaning().scale.is_some() => {
                // A scale is a power of two from 2^-127 to 2^127.
                ExactBits { low: a.low - 127, high: a.high + 127, least: a.least - 127, ..a }
            }
            (Op::Convert(_), &[a, ..]) => a,
            _ => return None,
        };
        Some(exact)
    }

    /// Computes the bounds of the exact product in a variant that adds to one; `None` for any other.
    pub fn product(variant: &Variant) -> Option<ExactBits> {
        let fused = variant.meaning().op == Op::Fma;
        let [a, b] =
            [0, 1].map(|input| variant.inputs().get(input).map(|of| ExactBits::number(of.format)));
        fused.then_some(a?.times(b?))
    }

    /// Whether all bits of the result are those of a number of this format.
    pub fn fits(self, format: &Format) -> bool {
        self.bits <= format.precision()
            && self.low >= format.exponent_of_lsb()
            && self.high <= format.exponent_max() + 1
    }

    /// Whether the result has no more bits than a number of this format, wherever they lie.
    pub fn is_short(self, format: &Format) -> bool {
        self.bits <= format.precision()
    }

    /// Whether the result is the sum of terms that have no more bits than a number of this format.
    pub fn terms_fit(self, format: &Format) -> bool {
        self.terms.is_some_and(|[wide, _]| wide.bits <= format.precision())
    }

    /// Computes the bounds of the numbers of a format.
    fn number(format: &Format) -> ExactBits {
        let high = match format.scale {
            Scale::Fixed => format.exponent_of_lsb() + format.width() as i32,
            _ => format.exponent_max() + 1,
        };
        let (low, bits) = match format.scale {
            // The lowest number of a signed format is a power of two, and all others are smaller.
            Scale::Fixed => (format.exponent_of_lsb(), format.width() - u32::from(format.signed)),
            Scale::Power => (format.exponent_min().min(-127), 1),
            Scale::Floating => (format.exponent_of_lsb(), format.precision()),
        };
        ExactBits { low, high, least: low, bits, terms: None }
    }

    /// Computes the bounds of the numbers of an input's format, as they are computed with.
    fn input(variant: &Variant, index: usize) -> ExactBits {
        let (format, meaning) = (variant.inputs()[index].format, variant.meaning());
        let (mut exact, to) = (ExactBits::number(format), variant.outputs()[0].format);
        if meaning.converted == Some(index) {
            exact.bits = exact.bits.min(to.precision());
            exact.low = exact.low.max(to.exponent_of_lsb());
        }
        let flushed = meaning.flush.inputs[index];
        ExactBits { least: if flushed { format.exponent_min() } else { exact.low }, ..exact }
    }

    /// Computes the bounds of exact products.
    fn times(self, other: ExactBits) -> ExactBits {
        ExactBits {
            low: self.low + other.low,
            high: self.high + other.high,
            least: self.least + other.least,
            bits: self.bits + other.bits,
            terms: None,
        }
    }

    /// Computes the bounds of exact sums.
    fn plus(self, other: ExactBits) -> ExactBits {
        // A sum of two may be twice as large as the larger one.
        let (low, high) = (self.low.min(other.low), self.high.max(other.high) + 1);
        let mut terms =
            [self, other].map(|ExactBits { low, high, bits, .. }| ExactTerm { low, high, bits });
        terms.sort_by_key(|term| std::cmp::Reverse(term.bits));
        ExactBits { low, high, least: low, bits: (high - low) as u32, terms: Some(terms) }
    }
}
