//! `min`, `max` and `slct`: one of the operands.

use vectors::isa::Extremum;

use super::Instruction;
use crate::arithmetic::{Unpacked, unpack};
use crate::fields::FloatFields;
use crate::word::Word;

/// `min` and `max`, of two operands or three (PTX ISA 9.7.3.11, 9.7.3.12, 9.7.4.7, 9.7.4.8).
#[derive(Clone, Copy, Debug)]
pub struct Extreme {
    /// The format.
    pub format: FloatFields,
    /// Whether subnormal operands count as zeros.
    pub flush: bool,
    /// Which of them.
    pub extremum: Extremum,
    /// The NaN of results.
    pub nan: u64,
}

/// A candidate.
#[derive(Clone, Copy)]
struct Candidate<W> {
    negative: W,
    magnitude: W,
    nan: W,
}

impl Extreme {
    #[inline(always)]
    fn candidate<W: Word>(&self, bits: W) -> Candidate<W> {
        let Unpacked { negative, magnitude, nan, .. } = unpack(self.format, self.flush, bits);
        Candidate { negative, magnitude, nan }
    }

    /// The better of two.
    #[inline(always)]
    fn better<W: Word>(&self, a: Candidate<W>, b: Candidate<W>) -> Candidate<W> {
        // As signed words, −0 just below +0, moved up so that unsigned ones compare alike; the order
        // of complements is the reverse.
        let Extremum { largest, propagates_nan, of_magnitudes, with_product_of_signs } = self.extremum;
        let order = (W::from(1) << (W::BITS - 1)) ^ W::mask(largest);
        let signs = W::mask(!of_magnitudes);
        let key = |x: Candidate<W>| x.magnitude ^ (x.negative & signs) ^ order;
        let first = b.nan | (!a.nan & !key(a).exceeds(key(b)));
        let sign = first.select(a.negative, b.negative);
        let product = a.negative ^ b.negative;
        Candidate {
            negative: W::mask(with_product_of_signs).select(product, sign),
            magnitude: first.select(a.magnitude, b.magnitude),
            nan: (a.nan & b.nan) | ((a.nan | b.nan) & W::mask(propagates_nan)),
        }
    }

    #[inline(always)]
    fn bits<W: Word>(&self, a: Candidate<W>) -> W {
        let Extremum { of_magnitudes, with_product_of_signs, .. } = self.extremum;
        let signed = W::mask(!of_magnitudes | with_product_of_signs);
        let number = a.magnitude | (a.negative & (W::of(self.format.sign) & signed));
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

/// `slct`: the first where the third is not below zero, else the second (PTX ISA 9.7.7.3). It moves
/// bits of any type.
#[derive(Clone, Copy, Debug)]
pub struct Select {
    /// The format of the third operand.
    pub selector: FloatFields,
    /// Whether a subnormal one counts as zero.
    pub flush: bool,
}

impl Instruction<3> for Select {
    #[inline(always)]
    fn compute<W: Word>(&self, [a, b, c]: [W; 3]) -> W {
        let c = unpack(self.selector, self.flush, c);
        let below = c.nan | (c.negative & !c.magnitude.equals(0));
        below.select(b, a)
    }
}
