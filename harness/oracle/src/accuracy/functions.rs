//! The mathematics of approximate functions: their exact values and the sizes of their bounds, computed by MPFR.

use formats::Format;
use isa::{Bound, Op};
use rug::Float;
use rug::float::Round;
use rug::ops::AssignRound;

use crate::operand::Operand;

/// Bits of an exact value of a result narrower than f64: it is as good as exact beside bounds of some 24 bits.
pub const PRECISION: u32 = 96;
/// Bits of an exact value of an f64 result. Beyond 2 × 53 bits, the distance of a root or reciprocal from a number or
/// middle shows.
const DOUBLE_PRECISION: u32 = 192;

/// Returns the number of bits to which MPFR computes the exact values of results of a format.
pub fn precision(result: &Format) -> u32 {
    if result.width() == 64 { DOUBLE_PRECISION } else { PRECISION }
}

/// Returns the size of a bound: 2 to the power that it states, and 1 for a bound in ulps, for zero and where none is
/// stated.
pub fn power(bound: Bound) -> Float {
    let log2 = match bound {
        Bound::Absolute(log2) | Bound::Relative(log2) => log2,
        Bound::Ulp(_) | Bound::Zero | Bound::Unstated(_) => 0.0,
    };
    let mut power = Float::with_val(PRECISION, log2);
    power.exp2_mut();
    power
}

/// Computes an approximate function by MPFR, to the bits that `exact` has.
pub fn compute(op: Op, exact: &mut Float, [a, b]: &[Operand; 2]) {
    let (a, round) = (a.get(), Round::Nearest);
    match op {
        Op::Div => exact.assign_round(&*a / &*b.get(), round),
        Op::Rcp => exact.assign_round(a.recip_ref(), round),
        Op::Sqrt => exact.assign_round(a.sqrt_ref(), round),
        Op::Rsqrt => exact.assign_round(a.recip_sqrt_ref(), round),
        Op::Sin => exact.assign_round(a.sin_ref(), round),
        Op::Cos => exact.assign_round(a.cos_ref(), round),
        Op::Lg2 => exact.assign_round(a.log2_ref(), round),
        Op::Ex2 => exact.assign_round(a.exp2_ref(), round),
        Op::Tanh => exact.assign_round(a.tanh_ref(), round),
        op => unreachable!("{op:?} is not approximate"),
    };
}
