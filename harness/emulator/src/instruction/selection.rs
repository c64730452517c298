//! Computes the instructions `min`, `max` and `slct`, which choose among their operands.

use isa::Extremum;

use super::Instruction;
use crate::arithmetic::{Unpacked, unpack};
use crate::fields::FloatFields;
use crate::word::Word;

/// `min` and `max`, of two operands or three (PTX ISA 9.7.3.11, 9.7.3.12, 9.7.4.7, 9.7.4.8).
#[derive(Clone, Copy, Debug)]
pub struct Extreme {
    /// The format of the operands and the result.
    pub format: FloatFields,
    /// Whether subnormal operands count as zeros.
    pub flush: bool,
    /// The NaN that results have.
    pub nan: u64,
    /// The kind of extremum, as masks.
    which: Masks,
}

/// An [`Extremum`] as masks, all ones or all zeros. They are not `bool`s, because the compiler makes branches of what
/// it knows to depend on a `bool`: no processor chooses between vectors by a single one.
#[derive(Clone, Copy, Debug)]
struct Masks {
    /// Whether the result is the largest operand, and not the smallest.
    largest: u64,
    /// Whether the result is NaN if any operand is, and not only if all are.
    propagates_nan: u64,
    /// Whether signs count when two candidates are compared.
    signs_count: u64,
    /// Whether the result has a sign.
    is_signed: u64,
    /// Whether the sign of the result is the product of the signs of all operands.
    with_product_of_signs: u64,
}

/// A candidate for the extremum, taken apart; `negative` and `nan` are masks, all ones or all zeros.
#[derive(Clone, Copy)]
struct ExtremumCandidate<W> {
    negative: W,
    magnitude: W,
    nan: W,
}

impl Extreme {
    /// Returns the `min` or `max` that `extremum` describes, for data of a format; `nan` is the NaN that results have.
    pub fn new(format: FloatFields, flush: bool, extremum: Extremum, nan: u64) -> Extreme {
        let Extremum { largest, propagates_nan, of_magnitudes, with_product_of_signs } = extremum;
        let mask = |set: bool| if set { u64::MAX } else { 0 };
        let which = Masks {
            largest: mask(largest),
            propagates_nan: mask(propagates_nan),
            signs_count: mask(!of_magnitudes),
            is_signed: mask(!of_magnitudes || with_product_of_signs),
            with_product_of_signs: mask(with_product_of_signs),
        };
        Extreme { format, flush, nan, which }
    }

    /// Takes an operand apart, flushed if it has to be.
    #[inline(always)]
    fn candidate<W: Word>(&self, bits: W) -> ExtremumCandidate<W> {
        let Unpacked { negative, magnitude, nan, .. } = unpack(self.format, self.flush, bits);
        ExtremumCandidate { negative, magnitude, nan }
    }

    /// Returns the better of two candidates.
    #[inline(always)]
    fn better<W: Word>(&self, a: ExtremumCandidate<W>, b: ExtremumCandidate<W>) -> ExtremumCandidate<W> {
        // As signed words, −0 just below +0, moved up so that unsigned ones compare alike; the order
        // of complements is the reverse.
        let order = (W::from(1) << (W::BITS - 1)) ^ W::of(self.which.largest);
        let signs = W::of(self.which.signs_count);
        let key = |x: ExtremumCandidate<W>| x.magnitude ^ (x.negative & signs) ^ order;
        let first = b.nan | (!a.nan & !key(a).exceeds(key(b)));
        let sign = first.select(a.negative, b.negative);
        let product = a.negative ^ b.negative;
        ExtremumCandidate {
            negative: W::of(self.which.with_product_of_signs).select(product, sign),
            magnitude: first.select(a.magnitude, b.magnitude),
            nan: (a.nan & b.nan) | ((a.nan | b.nan) & W::of(self.which.propagates_nan)),
        }
    }

    /// Returns the result that a candidate stands for, without a sign where results have none.
    #[inline(always)]
    fn bits<W: Word>(&self, a: ExtremumCandidate<W>) -> W {
        let sign = W::of(self.format.sign & self.which.is_signed);
        let number = a.magnitude | (a.negative & sign);
        a.nan.select(W::of(self.nan), number)
    }
}

impl Instruction<2> for Extreme {
    #[inline(always)]
    fn compute<W: Word>(&self, [a, b]: [W; 2]) -> W {
        self.bits(self.better(self.candidate(a), self.candidate(b)))
    }
}

impl Instruction<3> for Extreme {
    #[inline(always)]
    fn compute<W: Word>(&self, [a, b, c]: [W; 3]) -> W {
        let first = self.better(self.candidate(a), self.candidate(b));
        self.bits(self.better(first, self.candidate(c)))
    }
}

/// `slct` (PTX ISA 9.7.7.4): the first operand where the third is not below zero, else the second. It moves bits of any
/// type.
#[derive(Clone, Copy, Debug)]
pub struct Select {
    /// The format of the third operand.
    pub selector: FloatFields,
    /// Whether a subnormal third operand counts as zero.
    pub flush: bool,
}

impl Instruction<3> for Select {
    #[inline(always)]
    fn compute<W: Word>(&self, [a, b, c]: [W; 3]) -> W {
        let c = unpack(self.selector, self.flush, c);
        // A NaN is not at least zero, and −0 is.
        let below = c.nan | (c.negative & !c.magnitude.equals(0));
        below.select(b, a)
    }
}
