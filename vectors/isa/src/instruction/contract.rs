//! What PTX promises about a result; the points where it leaves a choice are in `choices/`.

use std::fmt;

/// The promise of an instruction about its results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contract {
    /// Bit for bit the correctly rounded result, but for the choices that the manual leaves.
    Exact,
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
    /// The manual states none: what is there may be inaccurate, but for this.
    Unstated(Minimum),
}

/// What is promised of a function where no bound is: what a result may not be, however inaccurate.
/// Nowhere may it be NaN, since the function has a value there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Minimum {
    /// The sign is that of the exact value; zeros and infinities are among the results. `div.approx`,
    /// "computed as d = a * (1/b)" (9.7.3.8), where 1/b overflows.
    Signed,
    /// The sign is that of the exact value, and the magnitude one that the function comes to for some
    /// number: from 2 to the first power to 2 to the second, a relative 2^[`GROSS`] more or less. Where
    /// `.ftz` stands, exact values below the smallest normal number give zero, and those within a relative
    /// 2^[`GROSS`] of it zero or what is as near to it from above ([`Relaxation::GrossTininess`](crate::Relaxation::GrossTininess)).
    Values(i32, i32),
    /// The magnitude is at most 1, and 2 to this power, which is the widest bound that is stated: all of
    /// a circle may be missed, but not left.
    Unit(f64),
}

/// How far, relatively and as a power of two, "a fast, gross approximation" (9.7.3.14) may lie from where the
/// function ends. The manual states no accuracy, so the number is the suite's: that of the coarsest estimate of
/// a reciprocal that is an instruction of a processor, `fres` of PowerPC, "one part in 256".
pub const GROSS: i32 = -8;

impl fmt::Display for Minimum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Minimum::Signed => f.write_str("a number of the right sign"),
            Minimum::Values(from, to) => {
                write!(f, "a number of the right sign, of a magnitude from 2^{from} to 2^{to}")
            }
            Minimum::Unit(log2) => write!(f, "at most 1 + 2^{log2} in magnitude"),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Ulp(count) => write!(f, "{count} ulp"),
            Bound::Absolute(log2) => write!(f, "absolute 2^{log2}"),
            Bound::Relative(log2) => write!(f, "relative 2^{log2}"),
            Bound::Zero => f.write_str("a zero"),
            Bound::Unstated(minimum) => write!(f, "unstated ({minimum})"),
        }
    }
}
