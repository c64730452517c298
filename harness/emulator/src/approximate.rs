//! The functions behind PTX's approximate instructions, from integers alone.
//!
//! Every function takes a finite number other than zero, and gives the significand of the result to
//! 64 bits, with what rounding has to know of the rest. That is far more than the manual asks for
//! (its tightest bound is relative 2^-23), so that the result, rounded once, is the correctly
//! rounded one but for inputs too rare to matter. Zeros, infinities, NaNs, flushing and rounding are
//! left to the caller, since they differ from instruction to instruction.
//!
//! Fixed-point numbers are called by their count of fraction bits: in Q63 the unit is 2^63. There
//! are no tables but those that `const fn`s compute from the series of `constant`.

mod constant;
pub(crate) mod estimate;
mod exponential;
mod logarithm;
mod pi;
mod reciprocal;
mod series;
mod tangent;
mod trigonometric;

pub use exponential::ex2;
pub use logarithm::lg2;
pub use reciprocal::{rcp, rsqrt};
pub use tangent::tanh;
pub use trigonometric::{cos, sin};

/// A finite number: ±`significand` × 2^(`exponent` − 63).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Real {
    /// Whether the number is below zero.
    pub negative: bool,
    /// The significand, a number from 1 to 2 in Q63: its leading bit is bit 63. It is zero if the number is.
    pub significand: u64,
    /// The power of two that `significand` in Q63 is scaled by. It means nothing for zero.
    pub exponent: i32,
}

impl Real {
    /// Returns ±`integer` × 2^`scale`, exactly.
    #[inline]
    pub fn new(negative: bool, integer: u64, scale: i32) -> Real {
        if integer == 0 {
            return Real { negative, significand: 0, exponent: 0 };
        }
        let zeros = integer.leading_zeros();
        Real { negative, significand: integer << zeros, exponent: scale + 63 - zeros as i32 }
    }
}

/// The value of a function as far as it is known.
///
/// The magnitude of the true value is at least that of `value`, and above it by less than a relative
/// 2^-59. Rounding may therefore take `value` for the first digits of the true value and `inexact`
/// for the sticky bit of the others: that is right unless a number of the format, or the middle
/// between two of them, lies in the gap. One result in 2^35 of f32 or so may be that unlucky.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Approximation {
    /// The approximation, towards zero from the true value.
    pub value: Real,
    /// Whether the true value differs from `value`.
    pub inexact: bool,
}

/// The negated exponent of the relative error, 2^-`MARGIN_BITS`, that `Approximation::within_margin` allows for.
const MARGIN_BITS: u32 = 60;

impl Approximation {
    /// Returns a result without error.
    fn exact(value: Real) -> Approximation {
        Approximation { value, inexact: false }
    }

    /// Returns an irrational result that was cut off; the leading bit of `significand` is bit 63.
    #[inline]
    fn truncated(negative: bool, significand: u64, exponent: i32) -> Approximation {
        debug_assert!(significand >> 63 == 1, "normalised");
        Approximation { value: Real { negative, significand, exponent }, inexact: true }
    }

    /// Returns an irrational result that was computed as `magnitude` × 2^(`exponent` − 127), with an error of either
    /// sign below a relative 2^-60. The magnitude is lowered by that much, which makes the result one that was cut off.
    #[inline]
    fn within_margin(negative: bool, magnitude: u128, exponent: i32) -> Approximation {
        let zeros = magnitude.leading_zeros();
        let normalised = magnitude << zeros;
        let lowered = normalised - (normalised >> MARGIN_BITS);
        // The margin of a power of two costs it its leading bit.
        let borrowed = lowered.leading_zeros();
        let significand = ((lowered << borrowed) >> 64) as u64;
        Approximation::truncated(negative, significand, exponent - (zeros + borrowed) as i32)
    }
}

/// Returns the upper half of the product: Qm times Q64 gives Qm, cut off.
#[inline]
fn multiply_high(a: u64, b: u64) -> u64 {
    ((a as u128 * b as u128) >> 64) as u64
}
