//! The modifiers: the parts of a mnemonic between the operation and the types, and the rounding that each asks for.

use std::fmt;

use formats::Class;

use super::meaning::{ClassMask, Combination, Relation};
use super::texts::texts;

texts! {
    /// A part of the mnemonic between the operation and the types.
    Modifier {
        // Modifiers that continue the mnemonic come first: NVIDIA's assembler takes all others in any order.
        /// Change the words that one address stands for on several devices, each by itself (`multimem.red`).
        Red = "red",
        /// Load the words that one address stands for on several devices, and reduce them to one
        /// (`multimem.ld_reduce`).
        LdReduce = "ld_reduce",
        /// Change the words that one address stands for on several devices, each by itself, by words of shared memory.
        Cp = "cp",
        /// Reduce a block of words into another, by a sum or the like, at some time before it is waited for.
        ReduceAsyncBulk = "reduce.async.bulk",
        /// Reduce a block of words into a block of a tensor, at some time before it is waited for; a map of the tensor
        /// says what its elements are.
        ReduceTensor = "reduce.async.bulk.tensor",
        /// Change words behind a handle, each by itself, by words of shared memory.
        TryRed = "try_red.async",
        /// Change a block of a tensor behind a handle, each element by itself, by words of shared memory; a map of the
        /// tensor says what its elements are.
        TryRedTensor = "try_red.async.tensor",
        /// Load words behind a handle of several devices, and reduce them to one.
        TryPullred = "try_pullred.async",
        /// Change a word behind a handle, and give it as it was.
        TryAtom = "try_atom.async",
        /// The handle stands for words of several devices.
        Multimem = "multimem",
        /// The tensor has one dimension.
        Dim1 = "1d",
        /// Reduce the data that a warp loads from tensor memory, each lane's to one.
        LdRed = "ld.red.sync.aligned",
        /// Reduce the data that a warp loads from tensor memory, each lane's to one, and keep half of the data.
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
        /// Compute a fast approximation.
        Approx = "approx",
        /// Compute a fast approximation over the full range.
        Full = "full",
        /// Flush subnormal inputs and results to zero, keeping the sign.
        Ftz = "ftz",
        /// Clamp the result to [0, 1], NaN to +0; an integer result is clamped to its range.
        Sat = "sat",
        /// Clamp the result to the largest finite magnitude.
        Satfinite = "satfinite",
        /// Clamp a negative result to 0, NaN to the canonical NaN.
        Relu = "relu",
        /// Make a result of −0 positive.
        Pzo = "pzo",
        /// Make the result +0 where an operand is the out-of-bounds NaN.
        Oob = "oob",
        /// Give NaN where an operand is NaN.
        PropagateNan = "NaN",
        /// Compare magnitudes, and give one of them with the product of the operands' signs.
        XorsignAbs = "xorsign.abs",
        /// Compare magnitudes, and give one of them.
        Abs = "abs",
        /// Divide by a power of two before converting.
        ScaledDown = "scaled::n1::ue8m0",
        /// Multiply by a power of two after converting.
        ScaledUp = "scaled::n2::ue8m0",
        /// Test for equal; false where an operand is NaN.
        Eq = "eq",
        /// Test for not equal; false where an operand is NaN.
        Ne = "ne",
        /// Test for less; false where an operand is NaN.
        Lt = "lt",
        /// Test for less or equal; false where an operand is NaN.
        Le = "le",
        /// Test for greater; false where an operand is NaN.
        Gt = "gt",
        /// Test for greater or equal; false where an operand is NaN.
        Ge = "ge",
        /// Test unsigned integers for less.
        Lo = "lo",
        /// Test unsigned integers for less or equal.
        Ls = "ls",
        /// Test unsigned integers for greater.
        Hi = "hi",
        /// Test unsigned integers for greater or equal.
        Hs = "hs",
        /// Test for equal; true where an operand is NaN.
        Equ = "equ",
        /// Test for not equal; true where an operand is NaN.
        Neu = "neu",
        /// Test for less; true where an operand is NaN.
        Ltu = "ltu",
        /// Test for less or equal; true where an operand is NaN.
        Leu = "leu",
        /// Test for greater; true where an operand is NaN.
        Gtu = "gtu",
        /// Test for greater or equal; true where an operand is NaN.
        Geu = "geu",
        /// Test whether neither operand is NaN.
        Num = "num",
        /// Test whether at least one operand is NaN.
        Unordered = "nan",
        /// Combine the comparison and a predicate by "and".
        And = "and",
        /// Combine the comparison and a predicate by "or".
        Or = "or",
        /// Combine the comparison and a predicate by "exclusive or": true where they differ.
        Xor = "xor",
        /// Test whether the operand is neither infinite nor NaN.
        Finite = "finite",
        /// Test whether the operand is ±∞.
        Infinite = "infinite",
        /// Test whether the operand is not NaN.
        Number = "number",
        /// Test whether the operand is NaN.
        Notanumber = "notanumber",
        /// Test whether the operand is normal: neither subnormal, infinite nor NaN. ±0 counts as normal.
        Normal = "normal",
        /// Test whether the operand is subnormal.
        Subnormal = "subnormal",
        /// The word lies in global memory.
        Global = "global",
        /// The word lies in shared memory.
        Shared = "shared",
        /// Reduce words to their sum.
        Add = "add",
        /// Reduce words to the smaller number.
        Min = "min",
        /// Reduce words to the larger number.
        Max = "max",
        /// Flush nothing, where the state space alone would flush subnormal numbers.
        Noftz = "noftz",
        /// The operand is a vector of two words side by side.
        V2 = "v2",
        /// The operand is a vector of four words side by side.
        V4 = "v4",
        /// The operand is a vector of eight words side by side.
        V8 = "v8",
        /// The shape in tensor memory is 32 lanes by a given number of columns of 32 bits.
        Lanes32 = "32x32b",
        /// The shape in tensor memory is twice 16 lanes, of which one group lies elsewhere.
        Lanes16Twice = "16x32bx2",
        /// The shape has 2 columns.
        X2 = "x2",
        /// The shape has 4 columns.
        X4 = "x4",
        /// The shape has 8 columns.
        X8 = "x8",
        /// The shape has 16 columns.
        X16 = "x16",
        /// The shape has 32 columns.
        X32 = "x32",
        /// The shape has 64 columns.
        X64 = "x64",
        /// The shape has 128 columns.
        X128 = "x128",
        /// All threads of the warp that take part execute the instruction together.
        Sync = "sync",
        /// The source words lie in the shared memory of the thread's own block.
        SharedCta = "shared::cta",
        /// The tensor has the same layout at the destination as in shared memory.
        Tile = "tile",
        /// Two of each four elements are kept.
        Sparse24 = "sp::2:4",
        /// A barrier counts what is done, 16 bytes at a time, and reports what failed.
        Report = "mbarrier::complete_tx::16B.mbarrier::report::fabric",
        /// A barrier counts what is done, byte by byte, and reports what failed.
        ReportBytes = "mbarrier::complete_tx::bytes.mbarrier::report::fabric",
        /// The tensor lies at another address than its map says.
        OverrideAddress = "override::global_address",
        /// The access has no order among other words, on all devices.
        RelaxedSys = "relaxed.sys",
        /// The thread waits for a group of such instructions.
        BulkGroup = "bulk_group",
        /// Words of several devices are added in f32, whatever their type.
        AccF32 = "acc::f32",
        /// Words of several devices are added in f16, whatever their type.
        AccF16 = "acc::f16",
    }
}

/// Groups of modifiers that a syntax may name, as the manual does: the name, then its members.
pub(super) const GROUPS: &[(&str, &str)] = &[
    ("rnd", "rn|rz|rm|rp"),
    ("irnd", "rni|rzi|rmi|rpi"),
    ("cmp", "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"),
    ("order", "eq|ne|lt|le|gt|ge"),
    ("bool", "and|or|xor"),
];

impl Modifier {
    /// Returns the rounding that the modifier asks for, or `None` where it is no rounding modifier.
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

    /// Returns the operand that the modifier adds behind the others, as an operand list spells it; `None` where it adds
    /// none.
    pub const fn operand(self) -> Option<&'static str> {
        match self {
            Modifier::And | Modifier::Or | Modifier::Xor => Some("c:pred"),
            Modifier::Rs => Some("rbits:b32"),
            Modifier::ScaledDown => Some("scale:ue8m0"),
            Modifier::ScaledUp => Some("scale:ue8m0x2"),
            _ => None,
        }
    }

    /// Whether the modifier rounds to an integer, whatever the destination.
    pub const fn is_integral(self) -> bool {
        matches!(self, Modifier::Rni | Modifier::Rzi | Modifier::Rmi | Modifier::Rpi)
    }

    /// Returns the relation between two numbers that the modifier asks for, or `None` where it is no comparison
    /// (9.3.1). Where one number is NaN, relations that end in `u`, and `nan`, are true, and the others are false.
    /// Unsigned integers have other names for the same relations.
    pub const fn relation(self) -> Option<Relation> {
        // Whether the relation holds where the first number is less, equal and greater.
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

    /// Returns how the modifier joins a comparison and a predicate, or `None` where it does not.
    pub const fn combination(self) -> Option<Combination> {
        Some(match self {
            Modifier::And => Combination::And,
            Modifier::Or => Combination::Or,
            Modifier::Xor => Combination::Xor,
            _ => return None,
        })
    }

    /// Returns the classes of data that the modifier tests for, or `None` where it is no question of `testp` (9.7.3.1).
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

/// The direction in which a result between two numbers of a format is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// To the nearest number; ties go to the number whose last significand bit is 0.
    NearestEven,
    /// To the nearest number; ties go to the number further from zero.
    NearestAway,
    /// To the number nearer zero.
    TowardZero,
    /// To the lower number.
    Down,
    /// To the higher number.
    Up,
    /// Away from zero where the discarded bits and random bits together carry, otherwise toward zero.
    Stochastic,
}

impl Rounding {
    /// The roundings of IEEE 754 that arithmetic instructions have.
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
