//! Instructions on signs and classes of data, which round nothing.

use formats::Class;
use isa::ClassMask;

use super::Instruction;
use crate::arithmetic::unpack;
use crate::fields::FloatFields;
use crate::word::Word;

/// `abs` and `neg` (PTX ISA 9.7.3.9, 9.7.3.10, 9.7.4.5, 9.7.4.6).
#[derive(Clone, Copy, Debug)]
pub struct Sign {
    /// The format of the operand and the result.
    pub format: FloatFields,
    /// Whether subnormal operands count as zeros.
    pub flush: bool,
    /// Whether the sign is flipped; otherwise it is cleared.
    pub negate: bool,
    /// The encoding that NaN becomes. If there is none, NaN is treated like a number, or let through if
    /// `unchanged` is set.
    pub nan: Option<u64>,
    /// Whether NaN is let through as it is, where `nan` is none.
    pub unchanged: bool,
}

impl Instruction<1> for Sign {
    #[inline(always)]
    fn compute<W: Word>(&self, [a]: [W; 1]) -> W {
        let a = unpack(self.format, self.flush, a);
        let negative =
            (!a.negative & W::mask(self.negate)) | (a.negative & a.nan & W::mask(self.unchanged));
        let sign = negative & W::of(self.format.sign);
        let canonical = a.nan & W::mask(self.nan.is_some());
        canonical.select(W::of(self.nan.unwrap_or(0)), a.magnitude | sign)
    }
}

/// `copysign`: the magnitude of the second operand, the sign of the first (PTX ISA 9.7.3.2).
#[derive(Clone, Copy, Debug)]
pub struct Copysign(pub FloatFields);

impl Instruction<2> for Copysign {
    #[inline(always)]
    fn compute<W: Word>(&self, [a, b]: [W; 2]) -> W {
        (a & W::of(self.0.sign)) | (b & W::of(self.0.magnitude))
    }
}

/// `testp` (PTX ISA 9.7.3.1).
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// The format of the operand.
    pub format: FloatFields,
    /// The classes that give 1.
    pub classes: ClassMask,
}

impl Instruction<1> for Test {
    #[inline(always)]
    fn compute<W: Word>(&self, [a]: [W; 1]) -> W {
        let a = unpack(self.format, false, a);
        let zero = a.magnitude.equals(0);
        let small = W::of(self.format.implicit).exceeds(a.magnitude);
        let is = |class| W::mask(self.classes.contains(class));
        let is = (zero & is(Class::Zero))
            | (small & !zero & is(Class::Subnormal))
            | (!(small | a.infinite) & is(Class::Normal))
            | (a.infinite & !a.nan & is(Class::Infinity))
            | (a.nan & is(Class::Nan));
        is & 1
    }
}
