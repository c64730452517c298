//! Arithmetic, comparisons and tests within a format.

use ptx_abi::{Compute, binary, comparison, ternary, unary};
use rustc_apfloat::ieee::IeeeFloat;
use rustc_apfloat::{Float, Round, StatusAnd};

use crate::format::{Format, decode, encode};

/// A function of the library with two operands and a rounding.
type Rounded<F> = fn(F, F, Round) -> StatusAnd<F>;

/// Returns an arithmetic operation with a rounding, if it is one of those that the library has.
pub fn arithmetic<S: Format>(operation: &str, round: Round) -> Option<Compute> {
    let function: Rounded<IeeeFloat<S>> = match operation {
        "add" => Float::add_r,
        "sub" => Float::sub_r,
        "mul" => Float::mul_r,
        "div" => Float::div_r,
        // Since sm_20 `fma` and `mad` are one.
        "fma" | "mad" => {
            return Some(ternary(move |a, b, c| {
                encode(decode::<S>(a).mul_add_r(decode(b), decode(c), round).value)
            }));
        }
        _ => return None,
    };
    Some(binary(move |a, b| encode(function(decode::<S>(a), decode(b), round).value)))
}

/// Returns the function that gives the larger or smaller of two numbers, where a NaN wins or loses.
pub fn extremum<S: Format>(operation: &str, nan_wins: bool) -> Option<Compute> {
    let function: fn(IeeeFloat<S>, IeeeFloat<S>) -> IeeeFloat<S> = match (operation, nan_wins) {
        ("min", false) => Float::min,
        ("max", false) => Float::max,
        ("min", true) => Float::minimum,
        ("max", true) => Float::maximum,
        _ => return None,
    };
    Some(binary(move |a, b| encode(function(decode::<S>(a), decode(b)))))
}

/// Returns the conversion to an integer within the format.
pub fn integral<S: Format>(round: Round) -> Compute {
    unary(move |a| encode(decode::<S>(a).round_to_integral(round).value))
}

/// Returns the test for a property of a number. (PTX calls zero normal, and the library does not.)
pub fn test<S: Format>(property: &str) -> Option<Compute> {
    let holds: fn(IeeeFloat<S>) -> bool = match property {
        "finite" => Float::is_finite,
        "infinite" => Float::is_infinite,
        "notanumber" => Float::is_nan,
        "subnormal" => Float::is_denormal,
        _ => return None,
    };
    Some(unary(move |a| u8::from(holds(decode::<S>(a)))))
}

/// Returns a comparison that writes a predicate.
pub fn compare<S: Format>(word: &str) -> Option<Compute> {
    let holds = comparison::<IeeeFloat<S>>(word)?;
    Some(binary(move |a, b| u8::from(holds(&decode(a), &decode(b)))))
}

/// Returns a comparison that writes ones or zeros in all 32 bits.
pub fn compare_into<S: Format>(word: &str) -> Option<Compute> {
    let holds = comparison::<IeeeFloat<S>>(word)?;
    Some(binary(move |a, b| if holds(&decode(a), &decode(b)) { u32::MAX } else { 0 }))
}
