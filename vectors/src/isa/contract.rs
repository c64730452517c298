//! What PTX promises about a result, and the points where it leaves a choice.

use std::fmt;

use super::meaning::{Clamp, Meaning};
use super::modifier::Rounding;
use super::operation::Op;

/// The promise of an instruction about its results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contract {
    /// Bit for bit the correctly rounded result, but for the named choices.
    Exact(&'static [Relaxation]),
    /// A result within a bound of the exact one, and bit for bit what the table of special inputs
    /// says; any NaN where that is NaN.
    Within(&'static Accuracy),
}

/// How near to the exact value an approximate function comes.
#[derive(Debug, PartialEq)]
pub struct Accuracy {
    /// The ranges of operands, the narrowest first: the first that holds a vector counts.
    pub ranges: &'static [Range],
    /// The results of special inputs, as the manual tabulates them: `-inf` gives `-0`.
    pub specials: &'static [(&'static str, &'static str)],
    /// The choices that it leaves.
    pub relaxations: &'static [Relaxation],
}

/// A range of operands, with its bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// In words, for reports.
    pub name: &'static str,
    /// Which operand.
    pub operand: usize,
    /// Its smallest magnitude …
    pub from: f64,
    /// … and its largest.
    pub to: f64,
    /// What is promised there.
    pub bound: Bound,
}

/// A bound on the difference from the exact value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// So many units in the last place of the correctly rounded result, from that.
    Ulp(u32),
    /// 2 to this power.
    Absolute(f64),
    /// The exact value times 2 to this power.
    Relative(f64),
    /// The result is a zero, whatever the exact value.
    Zero,
    /// The manual states none: what is there is measured, and never wrong.
    Unstated,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Ulp(count) => write!(f, "{count} ulp"),
            Bound::Absolute(log2) => write!(f, "absolute 2^{log2}"),
            Bound::Relative(log2) => write!(f, "relative 2^{log2}"),
            Bound::Zero => f.write_str("a zero"),
            Bound::Unstated => f.write_str("unstated"),
        }
    }
}

/// A choice that the manual leaves to the implementation. Each is declared by the rows that it
/// concerns, and a report counts how often it arose and what the implementation chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relaxation {
    /// Which NaN a NaN result is.
    AnyNan,
    /// Whether `.ftz` looks at the exact result or at a rounded one.
    FtzTininess,
    /// Whether a result of −0 passes `.sat` or `.relu` unchanged.
    ZeroSign,
    /// Which NaN patterns are the out-of-bounds NaN.
    OobPattern,
    /// Whether the addend counts as an operand that may be out of bounds.
    OobAddend,
    /// Whether `.ftz` flushes the input of a conversion that is compiled without it.
    FtzIgnored,
    /// Whether a NaN whose payload does not fit stays one.
    TruncatedNan,
    /// How random bits are dealt to four results.
    RandomLayout,
    /// Whether a factor of another format is rounded before it is multiplied.
    FactorConversion,
    /// What a negative number is in a format without a sign.
    UnsignedNegative,
    /// Whether saturated fixed point reaches its lowest number.
    FixedMinimum,
    /// What an approximate function gives outside the ranges that have a bound.
    UnstatedAccuracy,
    /// Whether a bound in units in the last place reaches infinity.
    BoundOverflow,
}

impl Relaxation {
    /// Every relaxation.
    pub const ALL: [Relaxation; 13] = [
        Relaxation::AnyNan,
        Relaxation::FtzTininess,
        Relaxation::ZeroSign,
        Relaxation::OobPattern,
        Relaxation::OobAddend,
        Relaxation::FtzIgnored,
        Relaxation::TruncatedNan,
        Relaxation::RandomLayout,
        Relaxation::FactorConversion,
        Relaxation::UnsignedNegative,
        Relaxation::FixedMinimum,
        Relaxation::UnstatedAccuracy,
        Relaxation::BoundOverflow,
    ];

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Relaxation::AnyNan => "any-nan",
            Relaxation::FtzTininess => "ftz-tininess",
            Relaxation::ZeroSign => "zero-sign",
            Relaxation::OobPattern => "oob-pattern",
            Relaxation::OobAddend => "oob-addend",
            Relaxation::FtzIgnored => "ftz-ignored",
            Relaxation::TruncatedNan => "truncated-nan",
            Relaxation::RandomLayout => "random-layout",
            Relaxation::FactorConversion => "factor-conversion",
            Relaxation::UnsignedNegative => "unsigned-negative",
            Relaxation::FixedMinimum => "fixed-minimum",
            Relaxation::UnstatedAccuracy => "unstated-accuracy",
            Relaxation::BoundOverflow => "bound-overflow",
        }
    }

    /// The interpretations an implementation may follow; the first is the one the suite's own emulator
    /// follows, and the one hardware was seen to follow where anyone has looked.
    pub const fn interpretations(self) -> &'static [&'static str] {
        match self {
            Relaxation::AnyNan => &["canonical", "other"],
            Relaxation::FtzTininess => &["exact", "unbounded", "rounded"],
            Relaxation::ZeroSign => &["+0", "-0"],
            Relaxation::OobPattern => &["7ff7", "7ff7 and 7eff"],
            Relaxation::OobAddend => &["multiplicands", "multiplicands and addend"],
            Relaxation::FtzIgnored => &["kept", "flushed"],
            Relaxation::TruncatedNan => &["nan", "truncated"],
            Relaxation::RandomLayout => &["first reversed", "as they are"],
            Relaxation::FactorConversion => &["rounded", "exact"],
            Relaxation::UnsignedNegative => &["magnitude", "zero"],
            Relaxation::FixedMinimum => &["symmetric", "lowest"],
            Relaxation::UnstatedAccuracy => &["any"],
            Relaxation::BoundOverflow => &["finite", "infinite"],
        }
    }

    /// What the manual says, and what it does not.
    pub const fn reason(self) -> &'static str {
        match self {
            Relaxation::AnyNan => {
                "PTX ISA 9.7.4 and 9.7.5 have NaN results without naming their bits; 0x7fff and \
                 0x7fffffff were measured"
            }
            Relaxation::FtzTininess => {
                "`.ftz` \"flushes subnormal inputs and results to sign-preserving zero\": whether \
                 a result just below the smallest normal number, which rounding carries up to it, \
                 is subnormal is not said. Read by the exact result, by the result rounded as if the \
                 exponent were unbounded, or by the rounded result; f16 arithmetic was measured to \
                 go by the exact one"
            }
            Relaxation::ZeroSign => {
                "`.sat` \"clamps the result to [0.0, 1.0]\", `.relu` \"clamps the result to 0 if \
                 negative\": neither says whether -0 stays; +0 was measured"
            }
            Relaxation::OobPattern => {
                "\"OOB NaN (defined under Tensors)\", where no pattern is printed; 0x7ff7 with \
                 either sign was measured, CUTLASS's software path for f16 uses 0x7eff"
            }
            Relaxation::OobAddend => {
                "\"clamps the result to 0 if either of the operands is OOB NaN\": of three \
                 operands; a and b were measured to count, c not to"
            }
            Relaxation::FtzIgnored => {
                "`.ftz` applies \"to single precision (.f32) inputs and results\"; NVIDIA's assembler \
                 emits the same machine code for `cvt.f16.f32` with and without it, which flushes \
                 nothing"
            }
            Relaxation::TruncatedNan => {
                "\"If the input value is NaN, then the result is NaN\" is said of `.satfinite`; \
                 NVIDIA's assembler expands `.rna` into integer code that cuts the low bits off, \
                 payload included, which may leave an infinity"
            }
            Relaxation::RandomLayout => {
                "the manual gives two results one field of 16 random bits, and the layout within it \
                 in figures only; on sm_100a the first of two was measured to read its field in \
                 reverse"
            }
            Relaxation::FactorConversion => {
                "\"the operand is converted to the destination type\" does not say whether that \
                 rounds, where the conversion is not exact"
            }
            Relaxation::UnsignedNegative => {
                "\"a positive MAX_NORM in .ue8m0x2 and .ue5m3x2 for which the destination sign is \
                 not supported\" is all that is said of negative inputs; ue8m0 was measured to take \
                 the magnitude"
            }
            Relaxation::FixedMinimum => {
                "\"sign-preserved MAX_NORM\" of a two's complement format may be its lowest number \
                 or the negative of its largest"
            }
            Relaxation::UnstatedAccuracy => {
                "the manual's error bounds hold in stated ranges; elsewhere it promises nothing"
            }
            Relaxation::BoundOverflow => {
                "\"the maximum ulp error is 2\" does not say whether infinity, which is no number of \
                 units from anything, is 2^128 where the exact value is that near to it"
            }
        }
    }

    /// Whether the choice can arise where a row that declares it has this meaning.
    pub fn concerns(self, meaning: &Meaning) -> bool {
        let propagates = |op| matches!(op, Op::Extremum(extremum) if extremum.propagates_nan);
        match self {
            Relaxation::AnyNan => meaning.clamp == Clamp::None && !propagates(meaning.op),
            // Nothing is carried up by rounding towards zero.
            Relaxation::FtzTininess => meaning.flush.result && meaning.rounding != Rounding::TowardZero,
            Relaxation::FtzIgnored => meaning.flush.open,
            Relaxation::ZeroSign => meaning.clamp != Clamp::None,
            Relaxation::OobPattern | Relaxation::OobAddend => meaning.out_of_bounds,
            Relaxation::FixedMinimum => meaning.clamp != Clamp::Positive,
            Relaxation::TruncatedNan
            | Relaxation::RandomLayout
            | Relaxation::FactorConversion
            | Relaxation::UnsignedNegative
            | Relaxation::UnstatedAccuracy
            | Relaxation::BoundOverflow => true,
        }
    }
}
