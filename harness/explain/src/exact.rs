//! Shows exact results as text.

use isa::{Op, Variant};
use model::ExactValue;
use oracle::decimal;

/// Returns an exact value as text: a number in decimal, as a hexadecimal float and in binary.
pub fn exact_value(exact: ExactValue) -> String {
    exact_result(exact, true)
}

/// Returns an exact result as text. If `is_whole` is false its lowest bit stands for all bits from there on, and the
/// text has "…" in their place.
pub fn exact_result(exact: ExactValue, is_whole: bool) -> String {
    match exact {
        ExactValue::Nan => "not a number".into(),
        ExactValue::Infinity(negative) => format!("{}infinity", if negative { "-" } else { "+" }),
        ExactValue::Finite { negative, significand: 0, .. } => if negative { "-0" } else { "+0" }.into(),
        ExactValue::Finite { negative, significand, exponent } => {
            let sign = if negative { "-" } else { "+" };
            let more_bits = if is_whole { "" } else { "…" };
            // The sticky bit is none of the number's.
            let (significand, exponent) =
                if is_whole { (significand, exponent) } else { (significand >> 1, exponent + 1) };
            let bits = u128::BITS - significand.leading_zeros();
            // The leading bit is shifted out. In one step that would be a shift by all 128 bits for a significand of
            // 1.
            let fraction = significand << (u128::BITS - bits) << 1;
            let leading = exponent + bits as i32 - 1;
            let digits = format!("{fraction:032x}");
            let digits = digits.trim_end_matches('0');
            let point = if digits.is_empty() { "" } else { "." };
            let binary = format!("{significand:b}");
            let binary = binary.trim_end_matches('0');
            let (one, more) = binary.split_at(1);
            let dot = if more.is_empty() { "" } else { "." };
            let (tens, all_digits) = decimal(significand, exponent);
            let tens = shortened(&tens, is_whole && all_digits);
            format!(
                "{sign}{tens} = {sign}0x1{point}{digits}{more_bits}p{leading} = {sign}{one}{dot}{more}{more_bits} \
                 × 2^{leading}"
            )
        }
    }
}

/// Returns a decimal number without the zeros at the end of its fraction, or with "…" behind its digits if these are not
/// all.
fn shortened(decimal: &str, are_all: bool) -> String {
    let (digits, exponent) = decimal.split_at(decimal.find('e').unwrap_or(decimal.len()));
    match are_all {
        false => format!("{digits}…{exponent}"),
        true if digits.contains('.') => {
            format!("{}{exponent}", digits.trim_end_matches('0').trim_end_matches('.'))
        }
        true => decimal.into(),
    }
}

/// Returns an exact number as an integer times a power of two; `None` of zero, infinity and NaN.
pub fn product(exact: ExactValue) -> Option<String> {
    match exact {
        ExactValue::Finite { negative, significand, exponent } if significand != 0 => {
            let zeros = significand.trailing_zeros();
            let sign = if negative { "-" } else { "" };
            Some(format!("{sign}{}{}", significand >> zeros, power(exponent + zeros as i32)))
        }
        _ => None,
    }
}

/// Returns the exact result of a division as a quotient of two odd integers times a power of two; `None` of other
/// operations, and of inputs that are no numbers.
pub fn quotient(variant: &Variant, inputs: &[u64]) -> Option<String> {
    let (Op::Div, [a, b]) = (variant.meaning().op, inputs) else { return None };
    let decoded = variant.inputs().iter().zip([a, b]).map(|(data, &bits)| {
        let (significand, exponent) = data.format.decode(bits).filter(|number| number.0 != 0)?;
        let zeros = significand.trailing_zeros();
        let odd = significand >> zeros;
        Some((data.format.is_negative(bits), odd, exponent + zeros as i32))
    });
    let [a, b] = <[_; 2]>::try_from(decoded.collect::<Option<Vec<_>>>()?).ok()?;
    let common = common_divisor(a.1, b.1);
    let sign = if a.0 == b.0 { "" } else { "-" };
    // Of a small integer the powers of two are part.
    let exponent = a.2 - b.2;
    let (above, exponent) = match exponent {
        1..=20 if a.1 / common < 1 << 20 => ((a.1 / common) << exponent, 0),
        _ => (a.1 / common, exponent),
    };
    let below = b.1 / common;
    Some(match exponent {
        0 => format!("{sign}{above} / {below}"),
        _ => format!("{sign}({above} / {below}){}", power(exponent)),
    })
}

/// Returns the factor 2^`exponent` as it stands behind another factor; nothing for 1.
fn power(exponent: i32) -> String {
    if exponent == 0 { String::new() } else { format!(" · 2^{exponent}") }
}

/// Returns the largest common divisor of two integers, by Euclid's algorithm.
fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}
