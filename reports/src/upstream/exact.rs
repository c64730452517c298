//! Exact values of numbers, as products of an integer and a power of two.

use crate::model::Lane;

/// Returns the exact value of a number: an odd integer times a power of two, like `-193 · 2^-7`, or an integer. Of what
/// is no number, or is zero, the text is what the report says of its fields, and of NaN its sign and payload.
pub fn exact(lane: &Lane) -> String {
    product(&lane.fields).unwrap_or_else(|| match lane.fields.is_empty() {
        true => lane.value.clone(),
        false => nan(&lane.fields).unwrap_or_else(|| lane.fields.clone()),
    })
}

/// Reads the fields of a NaN, like `-nan, payload 01`, and tells its sign and its payload.
fn nan(fields: &str) -> Option<String> {
    let (sign, payload) = fields.split_once("nan, payload ")?;
    Some(format!("NaN, sign {sign}, payload bits {payload}"))
}

/// Reads the fields of a number, like `-1.0110×2^-3`, and returns its exact value.
fn product(fields: &str) -> Option<String> {
    let (significand, exponent) = fields.split_once("×2^")?;
    let exponent: i64 = exponent.parse::<i32>().ok()?.into();
    let (sign, digits) = match significand.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", significand.strip_prefix('+').unwrap_or(significand)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let integer = u128::from_str_radix(&format!("{whole}{fraction}"), 2).ok()?;
    if integer == 0 {
        return None;
    }
    let zeros = integer.trailing_zeros();
    let (odd, exponent) = (integer >> zeros, exponent - fraction.len() as i64 + i64::from(zeros));
    Some(match exponent {
        0 => format!("{sign}{odd}"),
        // Integers that people read at a glance.
        1..=20 if odd < 1 << 20 => format!("{sign}{}", odd << exponent),
        _ if odd == 1 => format!("{sign}2^{exponent}"),
        _ => format!("{sign}{odd} · 2^{exponent}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_products_of_an_integer_and_a_power_of_two() {
        for (fields, due) in [
            ("-1.1000001×2^0", Some("-193 · 2^-7")),
            ("+1.1000000×2^0", Some("3 · 2^-1")),
            ("+0.0000001×2^-126", Some("2^-133")),
            ("+1.01000000000000000000000×2^3", Some("10")),
            ("+1×2^0", Some("1")),
            ("-1.0×2^200", Some("-2^200")),
            ("+0", None),
            ("+inf", None),
            ("+1.2×2^3", None),
            ("+1×2^99999999999", None),
            ("×2^", None),
        ] {
            assert_eq!(product(fields).as_deref(), due, "{fields}");
        }
        let many = format!("+1.{}×2^0", "0".repeat(1_000));
        assert_eq!(product(&many), None);
    }

    #[test]
    fn what_is_no_number_is_told_by_its_fields() {
        let lane = |value: &str, fields: &str| Lane {
            value: value.into(),
            fields: fields.into(),
            ..Lane::default()
        };
        assert_eq!(exact(&lane("NaN", "+nan, payload 01")), "NaN, sign +, payload bits 01");
        assert_eq!(exact(&lane("7", "")), "7");
    }
}
