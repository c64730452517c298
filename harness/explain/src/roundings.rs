//! Names roundings in words.

use isa::Rounding;

/// Returns the words for a rounding.
pub fn words(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::NearestEven => "to nearest, ties to even",
        Rounding::NearestAway => "to nearest, ties away from zero",
        Rounding::TowardZero => "towards zero",
        Rounding::Down => "down",
        Rounding::Up => "up",
        Rounding::Stochastic => "by random bits",
    }
}
