//! What a mnemonic can carry between the operation and the types, and the rounding that follows from it.

use std::fmt;

use formats::Class;

use super::meaning::{ClassMask, Combination, Relation};
use super::texts::texts;

texts! {
    /// A part of the mnemonic between the operation and the types.
    Modifier {
        // What the mnemonic goes on with comes first: with the others NVIDIA's assembler takes any order.
        /// The words that an address stands for on several devices are changed, each by itself.
        Red = "red",
        /// They are loaded, and one is made of them.
        LdReduce = "ld_reduce",
        /// They are changed, each by itself, by words of shared memory.
        Cp = "cp",
        /// A block of words is added to another, or the like, some time before it is waited for.
        ReduceAsyncBulk = "reduce.async.bulk",
        /// The same of a block of a tensor, of which a map says what its elements are.
        ReduceTensor = "reduce.async.bulk.tensor",
        /// Words behind a handle are changed, each by itself, by words of shared memory.
        TryRed = "try_red.async",
        /// The same of a block of a tensor, of which a map says what its elements are.
        TryRedTensor = "try_red.async.tensor",
        /// Words behind a handle of several devices are loaded, and one is made of them.
        TryPullred = "try_pullred.async",
        /// A word behind a handle is changed, and given as it was.
        TryAtom = "try_atom.async",
        /// The handle is one of several devices.
        Multimem = "multimem",
        /// Of a tensor of one dimension.
        Dim1 = "1d",
        /// The data that a warp loads from tensor memory are reduced, those of each lane to one.
        LdRed = "ld.red.sync.aligned",
        /// The same, and half of them are kept.
        LdRedSpcompress = "ld.red.spcompress.sync.aligned",
        /// Round to nearest, ties to even.
        Rn = "rn",
        /// Round towards zero.
        Rz = "rz",
        /// Round towards negative infinity.
        Rm = "rm",
        /// Round towards positive infinity.
        Rp = "rp",
        /// Round to nearest, ties away from zero.
        Rna = "rna",
        /// Round by random bits: away from zero where they and the discarded bits together carry.
        Rs = "rs",
        /// Round to an integer: to nearest, ties to even.
        Rni = "rni",
        /// Round to an integer towards zero.
        Rzi = "rzi",
        /// Round to an integer towards negative infinity.
        Rmi = "rmi",
        /// Round to an integer towards positive infinity.
        Rpi = "rpi",
        /// A fast approximation.
        Approx = "approx",
        /// A fast approximation over the full range.
        Full = "full",
        /// Flush subnormal inputs and results to zero, keeping the sign.
        Ftz = "ftz",
        /// Clamp the result to [0, 1], NaN to +0; as an integer, to its range.
        Sat = "sat",
        /// Clamp the result to the largest finite magnitude.
        Satfinite = "satfinite",
        /// Clamp a negative result to 0, NaN to the canonical NaN.
        Relu = "relu",
        /// Make a result of −0 positive.
        Pzo = "pzo",
        /// Make the result +0 where an operand is the out-of-bounds NaN.
        Oob = "oob",
        /// NaN where an operand is.
        PropagateNan = "NaN",
        /// Of the magnitudes, with the product of the signs.
        XorsignAbs = "xorsign.abs",
        /// Of the magnitudes.
        Abs = "abs",
        /// Divide by a power of two before converting.
        ScaledDown = "scaled::n1::ue8m0",
        /// Multiply by a power of two after converting.
        ScaledUp = "scaled::n2::ue8m0",
        /// Equal, and neither is NaN.
        Eq = "eq",
        /// Not equal, and neither is NaN.
        Ne = "ne",
        /// Less, and neither is NaN.
        Lt = "lt",
        /// Less or equal, and neither is NaN.
        Le = "le",
        /// Greater, and neither is NaN.
        Gt = "gt",
        /// Greater or equal, and neither is NaN.
        Ge = "ge",
        /// Less, of unsigned integers.
        Lo = "lo",
        /// Less or equal, of unsigned integers.
        Ls = "ls",
        /// Greater, of unsigned integers.
        Hi = "hi",
        /// Greater or equal, of unsigned integers.
        Hs = "hs",
        /// Equal, or one is NaN.
        Equ = "equ",
        /// Not equal, or one is NaN.
        Neu = "neu",
        /// Less, or one is NaN.
        Ltu = "ltu",
        /// Less or equal, or one is NaN.
        Leu = "leu",
        /// Greater, or one is NaN.
        Gtu = "gtu",
        /// Greater or equal, or one is NaN.
        Geu = "geu",
        /// Neither is NaN.
        Num = "num",
        /// One is NaN.
        Unordered = "nan",
        /// The comparison and a predicate.
        And = "and",
        /// The comparison or a predicate.
        Or = "or",
        /// The comparison differs from a predicate.
        Xor = "xor",
        /// Neither infinite nor NaN.
        Finite = "finite",
        /// ±∞.
        Infinite = "infinite",
        /// Not NaN.
        Number = "number",
        /// NaN.
        Notanumber = "notanumber",
        /// Neither subnormal, infinite nor NaN; ±0 is.
        Normal = "normal",
        /// Subnormal.
        Subnormal = "subnormal",
        /// Of a word in global memory.
        Global = "global",
        /// Of a word in shared memory.
        Shared = "shared",
        /// What is done to the word: the sum.
        Add = "add",
        /// What is done to the word: the smaller.
        Min = "min",
        /// What is done to the word: the larger.
        Max = "max",
        /// Flush nothing, where the state space would.
        Noftz = "noftz",
        /// Two words side by side.
        V2 = "v2",
        /// Four words side by side.
        V4 = "v4",
        /// Eight words side by side.
        V8 = "v8",
        /// 32 lanes of tensor memory, and so many columns of 32 bits.
        Lanes32 = "32x32b",
        /// Twice 16 lanes, one of them elsewhere.
        Lanes16Twice = "16x32bx2",
        /// 2 columns.
        X2 = "x2",
        /// 4 columns.
        X4 = "x4",
        /// 8 columns.
        X8 = "x8",
        /// 16 columns.
        X16 = "x16",
        /// 32 columns.
        X32 = "x32",
        /// 64 columns.
        X64 = "x64",
        /// 128 columns.
        X128 = "x128",
        /// All threads of a warp that are meant execute it together.
        Sync = "sync",
        /// By words of the shared memory of the thread's own block.
        SharedCta = "shared::cta",
        /// The tensor is laid out there as here.
        Tile = "tile",
        /// Two of each four are kept.
        Sparse24 = "sp::2:4",
        /// A barrier counts what is done, 16 bytes at a time, and says what failed.
        Report = "mbarrier::complete_tx::16B.mbarrier::report::fabric",
        /// The same, byte by byte.
        ReportBytes = "mbarrier::complete_tx::bytes.mbarrier::report::fabric",
        /// The tensor lies elsewhere than its map says.
        OverrideAddress = "override::global_address",
        /// No order among other words, on all devices.
        RelaxedSys = "relaxed.sys",
        /// A group of such instructions is what is waited for.
        BulkGroup = "bulk_group",
        /// Words of several devices are added in f32, whatever their type.
        AccF32 = "acc::f32",
        /// They are added in f16.
        AccF16 = "acc::f16",
    }
}

/// Groups of modifiers that a syntax may name, as the manual does.
pub(super) const GROUPS: &[(&str, &str)] = &[
    ("rnd", "rn|rz|rm|rp"),
    ("irnd", "rni|rzi|rmi|rpi"),
    ("cmp", "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"),
    ("order", "eq|ne|lt|le|gt|ge"),
    ("bool", "and|or|xor"),
];

impl Modifier {
    /// The rounding it asks for, if it is a rounding modifier.
    pub const fn rounding(self) -> Option<Rounding> {
        Some(match self {
            Modifier::Rn | Modifier::Rni => Rounding::NearestEven,
            Modifier::Rz | Modifier::Rzi => Rounding::TowardZero,
            Modifier::Rm | Modifier::Rmi => Rounding::Down,
            Modifier::Rp | Modifier::Rpi => Rounding::Up,
            Modifier::Rna => Rounding::NearestAway,
            Modifier::Rs => Rounding::Stochastic,
            _ => return None,
        })
    }

    /// The operand that it brings with it, behind the others, as an operand list has it.
    pub const fn operand(self) -> Option<&'static str> {
        match self {
            Modifier::And | Modifier::Or | Modifier::Xor => Some("c:pred"),
            Modifier::Rs => Some("rbits:b32"),
            Modifier::ScaledDown => Some("scale:ue8m0"),
            Modifier::ScaledUp => Some("scale:ue8m0x2"),
            _ => None,
        }
    }

    /// Whether it rounds to an integer, whatever the destination.
    pub const fn is_integral(self) -> bool {
        matches!(self, Modifier::Rni | Modifier::Rzi | Modifier::Rmi | Modifier::Rpi)
    }

    /// The relation between two numbers that it asks for, if it is a comparison (9.3.1): those
    /// without `u` are false, the others true, where one is NaN. Unsigned integers have other names
    /// for the same relations.
    pub const fn relation(self) -> Option<Relation> {
        let (holds, unordered) = match self {
            Modifier::Eq | Modifier::Equ => ([false, true, false], matches!(self, Modifier::Equ)),
            Modifier::Ne | Modifier::Neu => ([true, false, true], matches!(self, Modifier::Neu)),
            Modifier::Lt | Modifier::Ltu | Modifier::Lo => {
                ([true, false, false], matches!(self, Modifier::Ltu))
            }
            Modifier::Le | Modifier::Leu | Modifier::Ls => {
                ([true, true, false], matches!(self, Modifier::Leu))
            }
            Modifier::Gt | Modifier::Gtu | Modifier::Hi => {
                ([false, false, true], matches!(self, Modifier::Gtu))
            }
            Modifier::Ge | Modifier::Geu | Modifier::Hs => {
                ([false, true, true], matches!(self, Modifier::Geu))
            }
            Modifier::Num => ([true, true, true], false),
            Modifier::Unordered => ([false, false, false], true),
            _ => return None,
        };
        let [less, equal, greater] = holds;
        Some(Relation { less, equal, greater, unordered })
    }

    /// What joins a comparison and a predicate, if it does that.
    pub const fn combination(self) -> Option<Combination> {
        Some(match self {
            Modifier::And => Combination::And,
            Modifier::Or => Combination::Or,
            Modifier::Xor => Combination::Xor,
            _ => return None,
        })
    }

    /// The classes of data that it asks for, if it is a question of `testp` (9.7.3.1).
    pub const fn classes(self) -> Option<ClassMask> {
        use Class::{Infinity, Nan, Normal, Subnormal, Zero};
        Some(match self {
            Modifier::Finite => ClassMask::of(&[Zero, Subnormal, Normal]),
            Modifier::Infinite => ClassMask::of(&[Infinity]),
            Modifier::Number => ClassMask::of(&[Zero, Subnormal, Normal, Infinity]),
            Modifier::Notanumber => ClassMask::of(&[Nan]),
            // "As a special case, positive and negative zero are considered normal numbers."
            Modifier::Normal => ClassMask::of(&[Zero, Normal]),
            Modifier::Subnormal => ClassMask::of(&[Subnormal]),
            _ => return None,
        })
    }
}

impl fmt::Display for Modifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", self.text())
    }
}

/// Where a result between two numbers of a format goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// To the nearest, ties to the one whose last significand bit is 0.
    NearestEven,
    /// To the nearest, ties to the one further from zero.
    NearestAway,
    /// To the one nearer zero.
    TowardZero,
    /// To the lower.
    Down,
    /// To the higher.
    Up,
    /// Away from zero where the discarded bits and random bits together carry, else towards zero.
    Stochastic,
}

impl Rounding {
    /// The roundings of IEEE 754 that arithmetic has.
    pub const IEEE: [Rounding; 4] =
        [Rounding::NearestEven, Rounding::TowardZero, Rounding::Down, Rounding::Up];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_unique() {
        for modifier in Modifier::ALL {
            assert_eq!(Modifier::named(modifier.text()), Some(*modifier));
        }
        assert_eq!(Modifier::ALL.iter().filter(|m| m.relation().is_some()).count(), 18);
        assert!(GROUPS.iter().all(|(name, _)| Modifier::named(name).is_none()));
    }
}
