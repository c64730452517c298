//! The promises that PTX makes about results; the points where it leaves a choice are in `choices/`.

use std::fmt;

/// The promise that an instruction makes about its results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contract {
    /// The correctly rounded result, bit for bit, but for the choices that the manual leaves.
    Exact,
    /// A result within a bound of the exact one, and bit for bit what the table of special inputs says; any NaN will do
    /// where the table says NaN.
    Within(&'static Accuracy),
}

/// The accuracy of an approximate function: how near to the exact value its results come.
#[derive(Debug, PartialEq)]
#[non_exhaustive]
pub struct Accuracy {
    /// The ranges of operands, the narrowest first: the first range that holds a vector counts.
    pub ranges: &'static [Range],
    /// The results of special inputs, as the manual tabulates them: `-inf` gives `-0`.
    pub specials: &'static [(&'static str, &'static str)],
}

/// A range of an operand, with the bound that holds in it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Range {
    /// The range in words, for reports.
    pub name: &'static str,
    /// The number of the operand that the range is about.
    pub operand: usize,
    /// The smallest magnitude in the range.
    pub from: f64,
    /// The largest magnitude in the range.
    pub to: f64,
    /// The bound that is promised within the range.
    pub bound: Bound,
}

/// A bound on the difference of a result from the exact value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// At most this many units in the last place of the correctly rounded result, counted from that result.
    Ulp(u32),
    /// An absolute error of at most 2 to this power.
    Absolute(f64),
    /// A relative error: at most the exact value times 2 to this power.
    Relative(f64),
    /// The result is a zero, whatever the exact value.
    Zero,
    /// No bound is stated by the manual: results may be inaccurate, but have to keep the given minimum.
    Unstated(Minimum),
}

/// The minimum that is promised of a function where no bound is stated: limits that results keep, however inaccurate
/// they are. No result may be NaN there, since the function has a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Minimum {
    /// The sign is that of the exact value; zeros and infinities are allowed. It holds for `div.approx`,
    /// "computed as d = a * (1/b)" (9.7.3.8), where 1/b overflows.
    Signed,
    /// The sign is that of the exact value, and the magnitude is one that the function reaches for some number: from 2
    /// to the first power to 2 to the second, a relative 2^[`GROSS`] more or less. With `.ftz`, exact values below the
    /// smallest normal number give zero, and those within a relative 2^[`GROSS`] of that number give zero or a result
    /// as near to it from above ([`Relaxation::GrossTininess`](crate::Relaxation::GrossTininess)).
    Values(i32, i32),
    /// The magnitude is at most 1 plus 2 to this power, which is the widest bound that is stated: a result may miss its
    /// place on the circle entirely, but not leave the circle.
    Unit(f64),
}

/// The relative distance, as a power of two, that "a fast, gross approximation" (9.7.3.14) may lie beyond the end of
/// the function's values. The manual states no accuracy, so the number is the suite's own. It is the accuracy of the
/// coarsest estimate of a reciprocal that is an instruction of a processor: `fres` of PowerPC, "one part in 256".
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
