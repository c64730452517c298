//! Bounds of errors in the text of a meaning: `within 2 ulp of `.

use std::fmt;

use anyhow::{Result, bail};
use formats::{Class, Format, UlpReading};

/// The words around the number of a bound.
const WORDS: [&str; 2] = ["within ", " ulp of "];

/// A maximum of the distance of a result from the correctly rounded one, in ulp of the latter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UlpBound(f64);

impl UlpBound {
    /// Takes the bound off the beginning of a meaning, such as `within 2 ulp of ex2.approx.f32`. Returns the bound, if
    /// there is one, and what is behind it.
    ///
    /// # Errors
    /// If the text begins like a bound and is none.
    pub fn take(text: &str) -> Result<(Option<UlpBound>, &str)> {
        let Some(rest) = text.strip_prefix(WORDS[0]) else { return Ok((None, text)) };
        let Some((number, rest)) = rest.split_once(WORDS[1]) else {
            bail!("--as `{text}`: write `within N ulp of` and a meaning");
        };
        match number.trim().parse() {
            Ok(most) if most >= 0.0 && f64::is_finite(most) => Ok((Some(UlpBound(most)), rest.trim())),
            _ => bail!("--as: `{number}` is no number of ulp, such as 2 or 0.5"),
        }
    }

    /// Returns the bound in words that say what errors are counted from.
    pub fn in_words(self) -> String {
        format!("{} ulp from the correctly rounded result", self.0)
    }

    /// Returns the maximum in ulp.
    pub const fn ulp(self) -> f64 {
        self.0
    }

    /// Whether a result of a floating-point format is near enough to the correctly rounded one. If that one is infinite,
    /// no other is near. An infinite result stands for the power of two behind the largest number.
    pub fn permits(self, format: &Format, result: u64, rounded: u64) -> bool {
        let is_same = result == rounded;
        is_same
            || format.class(rounded) != Class::Infinity
                && UlpReading::CorrectlyRounded.distance(format, result, rounded) <= self.0
    }
}

/// Returns the distance of a result from the correctly rounded one in ulp of the latter. It is infinite if only one of them
/// is NaN, or if only the correctly rounded one is infinite.
pub fn error_in_ulp(format: &Format, result: u64, rounded: u64) -> f64 {
    match [result, rounded].map(|bits| format.is_nan(bits)) {
        [true, true] => 0.0,
        [false, false] if result == rounded => 0.0,
        [false, false] if format.class(rounded) != Class::Infinity => {
            UlpReading::CorrectlyRounded.distance(format, result, rounded)
        }
        _ => f64::INFINITY,
    }
}

impl fmt::Display for UlpBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [before, behind] = WORDS;
        write!(f, "{before}{}{behind}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use formats::F32;

    use super::*;

    #[test]
    fn nothing_is_near_an_infinite_result() {
        let (largest, infinity) = (F32.max_finite(), F32.infinity().expect("it has one"));
        let permits = |ulp, result, rounded| UlpBound(ulp).permits(&F32, result, rounded);
        assert!(permits(0.0, infinity, infinity) && !permits(1e30, largest, infinity));
        // Infinity comes where a sum that is off by one ulp is rounded.
        assert!(permits(1.0, infinity, largest) && !permits(0.5, infinity, largest));
        assert!(!permits(1e30, F32.canonical_nan(), largest));
    }
}
