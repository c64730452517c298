//! Shows exact results as text.

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
