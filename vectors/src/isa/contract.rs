//! What PTX promises about a result, and the points where it leaves a choice.

use super::modifier::Modifier;

/// The promise of an instruction about its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contract {
    /// Bit for bit the correctly rounded result, but for the named choices.
    Exact(&'static [Relaxation]),
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
}

impl Relaxation {
    /// Every relaxation.
    pub const ALL: [Relaxation; 5] = [
        Relaxation::AnyNan,
        Relaxation::FtzTininess,
        Relaxation::ZeroSign,
        Relaxation::OobPattern,
        Relaxation::OobAddend,
    ];

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Relaxation::AnyNan => "any-nan",
            Relaxation::FtzTininess => "ftz-tininess",
            Relaxation::ZeroSign => "zero-sign",
            Relaxation::OobPattern => "oob-pattern",
            Relaxation::OobAddend => "oob-addend",
        }
    }

    /// The readings an implementation may follow; the first is the one the suite's own emulator
    /// follows, and the one hardware was seen to follow where anyone has looked.
    pub const fn readings(self) -> &'static [&'static str] {
        match self {
            Relaxation::AnyNan => &["canonical", "other"],
            Relaxation::FtzTininess => &["exact", "unbounded", "rounded"],
            Relaxation::ZeroSign => &["+0", "-0"],
            Relaxation::OobPattern => &["7ff7", "7ff7 and 7eff"],
            Relaxation::OobAddend => &["multiplicands", "multiplicands and addend"],
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
        }
    }

    /// Whether the choice can arise in a variant that carries these modifiers.
    pub fn concerns(self, modifiers: &[Modifier]) -> bool {
        let any = |of: &[Modifier]| of.iter().any(|modifier| modifiers.contains(modifier));
        match self {
            Relaxation::AnyNan => !any(&[Modifier::Sat, Modifier::Relu]),
            Relaxation::FtzTininess => any(&[Modifier::Ftz]),
            Relaxation::ZeroSign => any(&[Modifier::Sat, Modifier::Relu]),
            Relaxation::OobPattern | Relaxation::OobAddend => any(&[Modifier::Oob]),
        }
    }
}
