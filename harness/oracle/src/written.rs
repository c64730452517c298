//! Numbers that people write, as data of a format.

use std::cmp::Ordering;

use formats::Format;
use rug::ops::Pow;
use rug::{Integer, Rational};

/// The datum that a written number stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenDatum {
    /// The encoding.
    pub bits: u64,
    /// Whether the datum is the number itself. Otherwise it is the nearest one of its format, of two the even one.
    pub exact: bool,
}

/// The largest exponent of 10 or 2 that is read: beyond those of every format.
const EXPONENT_MAX: i64 = 9999;
/// The most digits that are read.
const DIGITS_MAX: usize = 4000;

/// Reads a number in decimal (`1.5`, `-2e-3`), as a multiple of a power of two (`2^-24`, `-1.5*2^10`), as `inf` or as
/// `nan`, as a datum of `format`.
///
/// # Errors
/// If the text is none of these, or the format has no such datum; the text says which.
pub fn datum_of_text(format: &Format, text: &str) -> Result<WrittenDatum, String> {
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let sign = if negative { format.sign_mask() } else { 0 };
    let lacks = |what: &str| format!("{} has no {what}", format.name);
    let exact = |bits: Option<u64>, what: &str| match bits {
        Some(bits) => Ok(WrittenDatum { bits, exact: true }),
        None => Err(lacks(what)),
    };
    match magnitude.to_ascii_lowercase().as_str() {
        "nan" => return exact(format.nan(), "NaN"),
        "inf" | "infinity" if negative && !format.signed => return Err(lacks("negative numbers")),
        "inf" | "infinity" => return exact(format.infinity().map(|bits| bits | sign), "infinity"),
        _ => {}
    }
    let value = rational(magnitude).ok_or_else(|| {
        format!("`{text}` is not a number: write it like 1.5, -2e-3, 2^-24, 1.5*2^10, inf or nan")
    })?;
    if negative && !format.signed && !value.is_zero() {
        return Err(lacks("negative numbers"));
    }
    let written = nearest(format, &value, negative).ok_or_else(|| {
        format!(
            "{} is too large for {}, whose largest number is {}",
            text,
            format.name,
            largest(format, negative)
        )
    })?;
    if format.is_fixed() {
        let bits = if negative { written.bits.wrapping_neg() & format.mask() } else { written.bits };
        return Ok(WrittenDatum { bits, ..written });
    }
    let bits = written.bits | sign;
    match format.class(bits) {
        formats::Class::Nan => Err(lacks("negative zero")),
        _ => Ok(WrittenDatum { bits, ..written }),
    }
}

/// Returns the largest number of a format, or the lowest one, in decimal.
fn largest(format: &Format, negative: bool) -> String {
    let bits = if negative { format.min_finite() } else { format.max_finite() };
    format.show(bits).decimal()
}

/// Returns the encoding of the magnitude next to `value`, of two equally near ones the even one; `None` if the value is
/// half a unit or more beyond the largest number.
fn nearest(format: &Format, value: &Rational, negative: bool) -> Option<WrittenDatum> {
    // Two's complement has one number more below zero.
    let last = format.max_finite() + u64::from(format.is_fixed() && format.signed && negative);
    let at = |bits: u64| magnitude(format, bits);
    // The largest magnitude that is not above the value, or the smallest one of a format without zero.
    let (mut low, mut high) = (0, last);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if at(middle) <= *value { low = middle } else { high = middle - 1 }
    }
    let below = at(low);
    if below == *value {
        return Some(WrittenDatum { bits: low, exact: true });
    }
    if low == last {
        let half = Rational::from(&below - &at(last - 1)) / 2;
        return (Rational::from(value - &below) < half)
            .then_some(WrittenDatum { bits: last, exact: false });
    }
    let (down, up) = (Rational::from(value - &below), at(low + 1) - value);
    let above = match down.cmp(&up) {
        Ordering::Less => false,
        Ordering::Equal => low & 1 == 1,
        Ordering::Greater => true,
    };
    Some(WrittenDatum { bits: low + u64::from(above), exact: false })
}

/// Returns the value of a finite magnitude's encoding; of an integer's, one beyond the largest as well.
fn magnitude(format: &Format, bits: u64) -> Rational {
    let (significand, exponent) = match format.is_fixed() {
        true => (bits, format.exponent_of_lsb()),
        false => format.decode(bits).expect("encodings up to the largest number are finite"),
    };
    Rational::from(significand) * Rational::from(2).pow(exponent)
}

/// Reads a number without a sign: decimal digits with a point and an exponent, or `m*2^e`, or `2^e`.
fn rational(text: &str) -> Option<Rational> {
    if text.len() > DIGITS_MAX {
        return None;
    }
    if let Some((factor, exponent)) = text.split_once("2^") {
        let factor = match factor {
            "" => Rational::from(1),
            _ => decimal(factor.strip_suffix('*')?)?,
        };
        return Some(factor * Rational::from(2).pow(bounded(exponent)?));
    }
    decimal(text)
}

/// Reads decimal digits, with or without a point and an exponent of ten.
fn decimal(text: &str) -> Option<Rational> {
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, bounded(exponent)?),
        None => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let integer: Integer = all.parse().ok()?;
    Some(Rational::from(integer) * Rational::from(10).pow(exponent - fraction.len() as i32))
}

/// Reads an exponent that is not beyond those of every format.
fn bounded(text: &str) -> Option<i32> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let number =
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<i64>().ok())??;
    (number.abs() <= EXPONENT_MAX).then_some(number as i32)
}

#[cfg(test)]
mod tests {
    use formats::{BF16, E2M1, E4M3, E4M3FNUZ, F16, F32, F64, S8, U8, UE8M0};

    use super::*;

    fn bits(format: &Format, text: &str) -> (u64, bool) {
        let written = datum_of_text(format, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        (written.bits, written.exact)
    }

    #[test]
    fn written_numbers_are_the_nearest_data() {
        assert_eq!(bits(&F16, "1.5"), (0x3e00, true));
        assert_eq!(bits(&F16, "-2^-24"), (0x8001, true));
        assert_eq!(bits(&F16, "0.1"), (0x2e66, false));
        assert_eq!(bits(&F16, "65519.999"), (0x7bff, false));
        assert_eq!(bits(&F16, "-0"), (0x8000, true));
        assert_eq!(bits(&F32, "1.5*2^10"), (0x44c0_0000, true));
        // Half of the smallest number is a tie, and zero is even.
        assert_eq!(bits(&F16, "2^-25"), (0, false));
        assert_eq!(bits(&F16, "1.5*2^-24"), (2, false));
        assert_eq!([bits(&BF16, "nan").0, bits(&F16, "-inf").0], [BF16.nan().unwrap(), 0xfc00]);
        assert_eq!([bits(&E4M3, "448"), bits(&E2M1, "-6")], [(0x7e, true), (0xf, true)]);
        assert_eq!(
            [bits(&S8, "-128"), bits(&U8, "255"), bits(&S8, "-1")],
            [(0x80, true), (0xff, true), (0xff, true)]
        );
        assert_eq!(bits(&UE8M0, "2^-127"), (0, true));
    }

    /// The nearest f64 of a text is what Rust's own parser, by others, makes of it.
    #[test]
    fn doubles_are_those_of_another_parser() {
        for text in [
            "0.1",
            "3.141592653589793238",
            "1e-320",
            "2.2250738585072011e-308",
            "1.7976931348623157e308",
        ] {
            assert_eq!(bits(&F64, text).0, text.parse::<f64>().unwrap().to_bits(), "{text}");
            assert_eq!(bits(&F32, "0.1").0, u64::from(0.1f32.to_bits()));
        }
    }

    #[test]
    fn what_a_format_lacks_is_refused() {
        for (format, text, words) in [
            (&F16, "65520", "too large"),
            (&F16, "abc", "not a number"),
            (&F16, "", "not a number"),
            (&F16, "1e99999999999", "not a number"),
            (&E4M3, "inf", "e4m3 has no infinity"),
            (&E2M1, "nan", "e2m1 has no NaN"),
            (&U8, "-1", "no negative numbers"),
            (&E4M3FNUZ, "-0", "no negative zero"),
            (&S8, "128", "too large"),
        ] {
            let error = datum_of_text(format, text).expect_err(text);
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
