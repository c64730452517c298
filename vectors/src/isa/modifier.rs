//! What a mnemonic can carry: operations, modifiers, and the rounding that follows from them.

use std::fmt;

/// What an instruction computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a × b`.
    Mul,
    /// `a × b + c`, rounded once.
    Fma,
}

impl Operation {
    /// Every operation.
    pub const ALL: [Operation; 4] = [Operation::Add, Operation::Sub, Operation::Mul, Operation::Fma];

    /// The mnemonic, up to the first dot.
    pub const fn mnemonic(self) -> &'static str {
        match self {
            Operation::Add => "add",
            Operation::Sub => "sub",
            Operation::Mul => "mul",
            Operation::Fma => "fma",
        }
    }
}

/// A part of the mnemonic between the operation and the types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Modifier {
    /// Round to nearest, ties to even.
    Rn,
    /// Round towards zero.
    Rz,
    /// Round towards negative infinity.
    Rm,
    /// Round towards positive infinity.
    Rp,
    /// Flush subnormal inputs and results to zero, keeping the sign.
    Ftz,
    /// Clamp the result to [0, 1], NaN to +0.
    Sat,
    /// Clamp a negative result to 0, NaN to the canonical NaN.
    Relu,
    /// Make the result +0 where an operand is the out-of-bounds NaN.
    Oob,
}

impl Modifier {
    /// Every modifier.
    pub const ALL: [Modifier; 8] = [
        Modifier::Rn,
        Modifier::Rz,
        Modifier::Rm,
        Modifier::Rp,
        Modifier::Ftz,
        Modifier::Sat,
        Modifier::Relu,
        Modifier::Oob,
    ];

    /// As PTX spells it, without the leading dot.
    pub const fn text(self) -> &'static str {
        match self {
            Modifier::Rn => "rn",
            Modifier::Rz => "rz",
            Modifier::Rm => "rm",
            Modifier::Rp => "rp",
            Modifier::Ftz => "ftz",
            Modifier::Sat => "sat",
            Modifier::Relu => "relu",
            Modifier::Oob => "oob",
        }
    }

    /// The modifier of this text (without the dot), if there is one.
    pub fn named(text: &str) -> Option<Modifier> {
        Modifier::ALL.into_iter().find(|modifier| modifier.text() == text)
    }

    /// The rounding it asks for, if it is a rounding modifier.
    pub const fn rounding(self) -> Option<Rounding> {
        match self {
            Modifier::Rn => Some(Rounding::NearestEven),
            Modifier::Rz => Some(Rounding::TowardZero),
            Modifier::Rm => Some(Rounding::Down),
            Modifier::Rp => Some(Rounding::Up),
            _ => None,
        }
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
    /// To the one nearer zero.
    TowardZero,
    /// To the lower.
    Down,
    /// To the higher.
    Up,
}

impl Rounding {
    /// Every rounding.
    pub const ALL: [Rounding; 4] =
        [Rounding::NearestEven, Rounding::TowardZero, Rounding::Down, Rounding::Up];
}
