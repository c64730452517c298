//! The instructions `set` and `setp`.

use isa::{Combination, Comparison, Relation};

use super::Instruction;
use crate::arithmetic::{Unpacked, unpack};
use crate::fields::FloatFields;
use crate::word::Word;

/// A way of turning data into words that compare, unsigned, as the data do.
pub trait Keys: Copy + Send + Sync + 'static {
    /// Returns the words of two data, and a mask of where one of the data is NaN.
    fn keys<W: Word>(self, data: [W; 2]) -> ([W; 2], W);
}

/// The [`Keys`] of floating-point numbers: their format, and whether subnormal ones count as zeros.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// The format of the operands.
    pub format: FloatFields,
    /// Whether subnormal operands count as zeros.
    pub flush: bool,
}

impl Keys for Numbers {
    #[inline(always)]
    fn keys<W: Word>(self, data: [W; 2]) -> ([W; 2], W) {
        // `map` of an array is not inlined here, and would be compiled without the backend's instructions.
        let [a, b] = data;
        let (a, b) = (unpack(self.format, self.flush, a), unpack(self.format, self.flush, b));
        // As signed words, moved up so that unsigned ones compare alike. Both zeros are one.
        let middle = W::from(1) << (W::BITS - 1);
        let key = |x: Unpacked<W>| ((x.magnitude ^ x.negative) - x.negative) + middle;
        ([key(a), key(b)], a.nan | b.nan)
    }
}

/// The [`Keys`] of integers: their sign bit, with which negative ones come before the others; 0 if unsigned.
#[derive(Clone, Copy, Debug)]
pub struct Integers {
    /// The sign bit; 0 if the integers are unsigned.
    pub sign: u64,
}

impl Keys for Integers {
    #[inline(always)]
    fn keys<W: Word>(self, data: [W; 2]) -> ([W; 2], W) {
        let ([a, b], sign) = (data, W::of(self.sign));
        ([a ^ sign, b ^ sign], W::from(0))
    }
}

/// `set` and `setp` (PTX ISA 9.7.7, 9.7.8). A third input is a predicate.
#[derive(Clone, Copy, Debug)]
pub struct Compare<K> {
    /// The keys by which operands compare.
    pub keys: K,
    /// The relation for which the comparison holds, and how the predicate comes in.
    pub comparison: Comparison,
    /// The word that stands for true; false is 0.
    pub yes: u64,
}

impl<K: Keys> Compare<K> {
    /// Returns the mask of where the comparison holds.
    #[inline(always)]
    fn holds<W: Word>(&self, a: W, b: W) -> W {
        let ([x, y], unordered) = self.keys.keys([a, b]);
        let Relation { less, equal, greater, unordered: nan } = self.comparison.relation;
        let ordered = (y.exceeds(x) & W::mask(less))
            | (x.equals(y) & W::mask(equal))
            | (x.exceeds(y) & W::mask(greater));
        unordered.select(W::mask(nan), ordered)
    }
}

impl<K: Keys> Instruction<2> for Compare<K> {
    #[inline(always)]
    fn compute<W: Word>(&self, [a, b]: [W; 2]) -> W {
        self.holds(a, b) & W::of(self.yes)
    }
}

impl<K: Keys> Instruction<3> for Compare<K> {
    #[inline(always)]
    fn compute<W: Word>(&self, [a, b, c]: [W; 3]) -> W {
        // A predicate is 0 or 1, which becomes a mask.
        let (holds, predicate) = (self.holds(a, b), W::from(0) - c);
        let is = |combination| W::mask(self.comparison.combination == Some(combination));
        let combined = (holds & predicate & is(Combination::And))
            | ((holds | predicate) & is(Combination::Or))
            | ((holds ^ predicate) & is(Combination::Xor));
        combined & W::of(self.yes)
    }
}
