//! The fields of formats, as their bits lie in a value, and the place where a value is cut when it is rounded to a
//! narrower format.

use crate::{Datum, Lane};

/// The largest number of bits of a value.
const WIDTH: usize = 64;

/// The number of bits of each field of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    /// The number of bits of the sign: 1, or 0 where nothing is negative.
    pub sign: usize,
    /// The number of bits of the exponent.
    pub exponent: usize,
    /// The number of bits of the significand behind the point.
    pub significand: usize,
}

impl Fields {
    /// Returns the fields of a format of PTX; `None` for integers and for what is not known.
    pub fn of(ty: &str) -> Option<Fields> {
        let fields = |sign, exponent, significand| Some(Fields { sign, exponent, significand });
        match ty {
            "f16" => return fields(1, 5, 10),
            "bf16" => return fields(1, 8, 7),
            "f32" => return fields(1, 8, 23),
            "f64" => return fields(1, 11, 52),
            // A tf32 value has these bits alone, wherever they stand in its register.
            "tf32" => return fields(1, 8, 10),
            _ => {}
        }
        let (sign, digits) = match (ty.strip_prefix("ue"), ty.strip_prefix('e')) {
            (Some(digits), _) => (0, digits),
            (None, Some(digits)) => (1, digits),
            (None, None) => return None,
        };
        let (exponent, significand) = digits.split_once('m')?;
        // Behind the digits stands what names no field: `fnuz`, or `p4` for four bits that are not used.
        let end = significand.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(significand.len());
        // Anybody may have written the type: a size beyond any value's is no size.
        let size = |digits: &str| digits.parse().ok().filter(|size| *size <= WIDTH);
        let all = fields(sign, size(exponent)?, size(&significand[..end])?);
        all.filter(|fields| fields.all() <= WIDTH)
    }

    /// Returns how many bits a value has.
    pub fn all(self) -> usize {
        self.sign + self.exponent + self.significand
    }

    /// Returns the number of columns before the significand, those of spaces included.
    pub fn columns_before_significand(self) -> usize {
        self.sign + usize::from(self.sign > 0) + self.exponent + 1
    }
}

/// Returns the type of each of the `lanes` values of a packed type: `f16` of `f16x2` and of `2 x f16`.
pub fn element(ty: &str, lanes: usize) -> &str {
    let is_count = |count: &str| count.parse() == Ok(lanes);
    if let Some((_, element)) = ty.split_once(" x ").filter(|(count, _)| is_count(count)) {
        return element;
    }
    ty.rsplit_once('x').filter(|(_, count)| is_count(count)).map_or(ty, |(element, _)| element)
}

/// Returns how many bits are drawn of a value that has the digits of `hex` in a report.
pub fn width(ty: &str, hex: &str) -> usize {
    let digits = hex.len().saturating_sub(2) * 4;
    match ty {
        "pred" => 1,
        _ => Fields::of(ty).map_or(digits, Fields::all).min(WIDTH),
    }
}

/// Returns the lowest `width` bits of a hex string as zeros and ones; all zeros if it is no hex string.
pub fn digits(hex: &str, width: usize) -> String {
    let digits = hex.trim_start_matches("0x");
    let nibbles: Option<String> =
        digits.chars().map(|digit| digit.to_digit(16).map(|digit| format!("{digit:04b}"))).collect();
    let bits = nibbles.unwrap_or_default();
    // A text with fewer digits would be too short for the slice below.
    let bits = format!("{bits:0>width$}");
    bits[bits.len() - width..].to_owned()
}

/// A number: a significand in binary times a power of two.
#[derive(Clone, Copy, PartialEq, Eq)]
struct BinaryNumber {
    is_negative: bool,
    /// All digits of the significand.
    digits: u64,
    /// The number of digits that stand behind the point.
    fraction: u32,
    exponent: i32,
}

impl BinaryNumber {
    /// Reads a number from a report; `None` for what is no number, or one that no format has.
    fn of(lane: &Lane) -> Option<BinaryNumber> {
        let (significand, exponent) = match (&lane.significand, lane.exponent) {
            (Some(significand), Some(exponent)) => (significand.as_str(), exponent),
            // Older reports have significand and exponent in a text alone: `-1.01×2^3`.
            _ => {
                let (significand, exponent) = lane.fields.split_once("×2^")?;
                (significand, exponent.parse().ok()?)
            }
        };
        let is_negative = significand.starts_with('-');
        let significand = significand.trim_start_matches(['+', '-']);
        let (whole, fraction) = significand.split_once('.').unwrap_or((significand, ""));
        let digits = u64::from_str_radix(&format!("{whole}{fraction}"), 2).ok()?;
        // Whoever wrote a report may have written any number.
        let exponent = Some(exponent).filter(|of: &i32| of.unsigned_abs() < 1 << 16)?;
        Some(BinaryNumber { is_negative, digits, fraction: fraction.len() as u32, exponent })
    }

    /// Returns the exponent of the power of two that the last digit stands for.
    fn last(self) -> i32 {
        self.exponent - self.fraction as i32
    }

    /// Returns how many digits behind the number's point are kept, if `result` is what it is rounded to and some
    /// are not kept.
    fn cut(self, result: BinaryNumber) -> Option<usize> {
        let mut dropped = u32::try_from(result.last() - self.last()).ok()?;
        let mut rounded = result.digits;
        // A number that was rounded up to the next power of two was cut before it grew.
        if result.exponent == self.exponent + 1 && rounded.is_power_of_two() {
            dropped = dropped.checked_sub(1)?;
            rounded <<= 1;
        }
        let kept = self.digits.checked_shr(dropped)?;
        let is_rounded = self.is_negative == result.is_negative
            && (rounded == kept || rounded == kept.wrapping_add(1));
        let kept = self.fraction.checked_sub(dropped).filter(|_| is_rounded && dropped > 0)?;
        Some(kept as usize)
    }
}

/// Returns how many bits of an operand's significand are kept in one of the expected results. It returns `None` if
/// the operand differs from all of them by more than rounding: where it is scaled, added to something, clamped, or
/// smaller than all of them.
pub fn cut(operand: &Lane, results: &[Datum]) -> Option<usize> {
    let number = BinaryNumber::of(operand)?;
    let results = results.iter().flat_map(|result| &result.lanes).filter_map(BinaryNumber::of);
    results.filter_map(|result| number.cut(result)).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_the_fields_that_their_names_say() {
        let widths = |ty: &str| Fields::of(ty).map(|of| (of.sign, of.exponent, of.significand));
        for (ty, due) in [
            ("f16", (1, 5, 10)),
            ("bf16", (1, 8, 7)),
            ("f32", (1, 8, 23)),
            ("f64", (1, 11, 52)),
            ("tf32", (1, 8, 10)),
            ("e4m3", (1, 4, 3)),
            ("e2m1p4", (1, 2, 1)),
            ("e3m2", (1, 3, 2)),
            ("e2m3", (1, 2, 3)),
            ("e5m2fnuz", (1, 5, 2)),
            ("e4m3ieee", (1, 4, 3)),
            ("e4m3b11fnuz", (1, 4, 3)),
            ("ue8m0", (0, 8, 0)),
            ("ue5m3", (0, 5, 3)),
        ] {
            assert_eq!(widths(ty), Some(due), "{ty}");
        }
        for other in ["u32", "s2f6", "b16", "e", "em", "e9999999999m1", "e60m60", "", "pred"] {
            assert_eq!(widths(other), None, "{other}");
        }
        assert_eq!(
            (width("pred", "0x0"), width("s16", "0x0000"), width("tf32", "0x1fc01")),
            (1, 16, 19)
        );
    }

    /// A column of space stands behind the sign, where there is one, and another behind the exponent.
    #[test]
    fn significands_begin_behind_the_rest() {
        let before = |ty: &str| Fields::of(ty).map(Fields::columns_before_significand);
        assert_eq!(["f16", "f32", "ue8m0"].map(before), [Some(8), Some(11), Some(9)]);
    }

    #[test]
    fn a_packed_type_has_elements() {
        let elements = [("e2m1p4x4", 4), ("f16x2", 2), ("16 x f16", 16), ("f16x2", 1), ("2 x f16", 1)];
        let due = ["e2m1p4", "f16", "f16", "f16x2", "2 x f16"];
        assert_eq!(elements.map(|(ty, lanes)| element(ty, lanes)), due);
    }

    #[test]
    fn a_number_is_cut_where_its_result_ends() {
        let older = |fields: &str| Lane { bits: "0x0".into(), fields: fields.into(), ..Lane::default() };
        let lane = |fields: &str| match fields.split_once("×2^") {
            Some((significand, exponent)) => Lane {
                significand: Some(significand.into()),
                exponent: exponent.parse().ok(),
                ..older("in words")
            },
            None => older(fields),
        };
        let of = |operand: &str, result: &str| {
            let [now, before] = [&lane as &dyn Fn(&str) -> Lane, &older].map(|lane| {
                let lanes = vec![lane("+0"), lane(result)];
                let result = Datum { name: "d".into(), ty: "t".into(), bits: "0x0".into(), lanes };
                cut(&lane(operand), &[result])
            });
            assert_eq!(now, before);
            now
        };
        assert_eq!(of("+1.0101×2^3", "+1.01×2^3"), Some(2));
        assert_eq!(of("+1.0111×2^3", "+1.10×2^3"), Some(2));
        // In turn: rounded up to the next power of two; a subnormal result; a cut before all digits; nothing behind
        // the cut.
        assert_eq!(of("-1.1111×2^3", "-1.00×2^4"), Some(2));
        assert_eq!(of("+1.1010×2^-16", "+0.11×2^-15"), Some(1));
        assert_eq!(of("+1.1010×2^-18", "+0.01×2^-15"), None);
        assert_eq!(of("+1.01×2^3", "+1.0100×2^3"), None);
        assert_eq!(of("+1.01×2^3", "+1.01×2^3"), None);
        // No format has such exponents.
        assert_eq!(of("+1.0101×2^65535", "+1.01×2^65535"), Some(2));
        assert_eq!(of("+1.0101×2^65536", "+1.01×2^65536"), None);
        // Results that are scaled, clamped, of another sign, or no number show no cut.
        for other in ["+1.01×2^2", "+1.11×2^3", "-1.01×2^3", "+inf", "+1.01×2^99999999999", "", "+×2^3"]
        {
            assert_eq!(of("+1.0101×2^3", other), None, "{other}");
        }
    }
}
