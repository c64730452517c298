//! `set` and `setp`.

use vectors::isa::{Combination, Comparison, Relation};

use super::Instruction;
use crate::arithmetic::{Unpacked, unpack};
use crate::fields::FloatFields;
use crate::word::Word;

/// `set` and `setp` (PTX ISA 9.7.7, 9.7.8). A third input is a predicate.
#[derive(Clone, Copy, Debug)]
pub struct Compare {
    /// The format of the operands.
    pub format: FloatFields,
    /// Whether subnormal operands count as zeros.
    pub flush: bool,
    /// When it holds, and how the predicate comes in.
    pub comparison: Comparison,
    /// What stands for true; false is 0.
    pub yes: u64,
}

impl Compare {
    /// Mask of where the comparison holds.
    #[inline(always)]
    fn holds<W: Word>(&self, a: W, b: W) -> W {
        let a = unpack(self.format, self.flush, a);
        let b = unpack(self.format, self.flush, b);
        // As signed words, moved up so that unsigned ones compare alike. Both zeros are one.
        let middle = W::from(1) << (W::BITS - 1);
        let key = |x: Unpacked<W>| ((x.magnitude ^ x.negative) - x.negative) + middle;
        let (x, y) = (key(a), key(b));
        let unordered = a.nan | b.nan;
        let Relation { less, equal, greater, unordered: nan } = self.comparison.relation;
        let ordered = (y.exceeds(x) & W::mask(less))
            | (x.equals(y) & W::mask(equal))
            | (x.exceeds(y) & W::mask(greater));
        unordered.select(W::mask(nan), ordered)
    }
}

impl Instruction<2> for Compare {
    #[inline(always)]
    fn compute<W: Word>(&self, [a, b]: [W; 2]) -> W {
        self.holds(a, b) & W::of(self.yes)
    }
}

impl Instruction<3> for Compare {
    #[inline(always)]
    fn compute<W: Word>(&self, [a, b, c]: [W; 3]) -> W {
        let (holds, predicate) = (self.holds(a, b), W::from(0) - c);
        let is = |combination| W::mask(self.comparison.combination == Some(combination));
        let combined = (holds & predicate & is(Combination::And))
            | ((holds | predicate) & is(Combination::Or))
            | ((holds ^ predicate) & is(Combination::Xor));
        combined & W::of(self.yes)
    }
}
