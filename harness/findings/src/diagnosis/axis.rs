//! Ranges of an operand that hold the operands of all wrong results of a class.

use formats::{Class, Format};

use super::range::integer;

/// A range of one operand that holds the operands of all wrong results.
pub struct Axis {
    /// The range in words.
    pub range: String,
    /// Whether the range is a class of data, like NaN, and not one of magnitudes.
    pub is_class: bool,
    format: &'static Format,
    span: Span,
    wrong: usize,
    /// The number of elements, right or wrong, whose operand is in the range.
    all: usize,
}

/// The operands in a range.
#[derive(Clone, Copy)]
enum Span {
    /// Data of a class, of one sign where there is one; `true` is negative.
    Class(Class, Option<bool>),
    /// Zeros and infinities, and nothing between them.
    ZeroOrInfinite,
    /// Numbers whose magnitudes lie between two encodings, other ones for negative numbers, which come first.
    TwoSided([(u64, u64); 2]),
    /// Numbers whose magnitudes lie between two encodings, of one sign where there is one; `true` is negative.
    Magnitudes(u64, u64, Option<bool>),
    /// Integers between two others.
    Integers(i128, i128),
}

impl Axis {
    /// Makes the narrowest range that holds all wrong operands: by class, by sign, and else by magnitude.
    ///
    /// # Panics
    /// If there is no wrong operand.
    pub fn new(format: &'static Format, name: &str, wrong: &[u64], right: &[u64]) -> Axis {
        let (range, span) = match format.is_fixed() {
            true => integers(format, name, wrong),
            false => two_sets(format, name, wrong, right).unwrap_or(floats(format, name, wrong)),
        };
        let all = wrong.len() + right.iter().filter(|&&bits| span.has(format, bits)).count();
        let is_class = matches!(span, Span::Class(..) | Span::ZeroOrInfinite);
        Axis { range, is_class, format, span, wrong: wrong.len(), all }
    }

    /// Whether the range has an operand.
    pub fn has(&self, bits: u64) -> bool {
        self.span.has(self.format, bits)
    }

    /// Returns the range in words, with how many of its operands have wrong results.
    pub fn words(&self) -> String {
        format!("{}, where {} of {} re-run are wrong", self.range, self.wrong, self.all)
    }

    /// Returns the share of the range's elements that are wrong.
    pub fn share(&self) -> f64 {
        self.wrong as f64 / self.all as f64
    }
}

impl Span {
    /// Whether an operand of a format is among those of the range.
    fn has(self, format: &Format, bits: u64) -> bool {
        let of_sign = |sign: Option<bool>| sign.is_none_or(|of| format.is_negative(bits) == of);
        match self {
            Span::Class(class, sign) => format.class(bits) == class && of_sign(sign),
            Span::ZeroOrInfinite => matches!(format.class(bits), Class::Zero | Class::Infinity),
            Span::TwoSided([negative, positive]) => {
                let (low, high) = if format.is_negative(bits) { negative } else { positive };
                (low..=high).contains(&(bits & format.magnitude_mask()))
            }
            Span::Magnitudes(low, high, sign) => {
                (low..=high).contains(&(bits & format.magnitude_mask())) && of_sign(sign)
            }
            Span::Integers(low, high) => (low..=high).contains(&integer(format, bits)),
        }
    }
}

/// Finds two sets of floats that hold some operands, where one range of magnitudes would hold many others: zeros and
/// infinities, or a range of negative numbers and another one of positive numbers. Says them in words.
fn two_sets(format: &Format, name: &str, wrong: &[u64], right: &[u64]) -> Option<(String, Span)> {
    let class = |of: Class| wrong.iter().any(|bits| format.class(*bits) == of);
    let others = class(Class::Subnormal) || class(Class::Normal) || class(Class::Nan);
    if class(Class::Zero) && class(Class::Infinity) && !others {
        return Some((format!("{name} is zero or infinite"), Span::ZeroOrInfinite));
    }
    if class(Class::Nan) || !others {
        return None;
    }
    let range = |negative: bool| {
        let of_sign = wrong.iter().filter(|bits| format.is_negative(**bits) == negative);
        let magnitudes = of_sign.map(|bits| bits & format.magnitude_mask());
        magnitudes.fold(None, |range: Option<(u64, u64)>, of| {
            let (low, high) = range.unwrap_or((of, of));
            Some((low.min(of), high.max(of)))
        })
    };
    let (negative, positive) = (range(true)?, range(false)?);
    let both = (negative.0.min(positive.0), negative.1.max(positive.1));
    let span = Span::TwoSided([negative, positive]);
    let count = |of: Span| right.iter().filter(|bits| of.has(format, **bits)).count();
    // Two ranges are told where they leave out half of what one would take in.
    if 2 * count(span) >= count(Span::Magnitudes(both.0, both.1, None)) {
        return None;
    }
    let shown = |bits: u64| format.value(bits).map_or("infinity".into(), short);
    let negative = match negative {
        (low, high) if low == high => format!("{name} is -{}", shown(low)),
        (low, high) => format!("{name} from -{} to -{}", shown(high), shown(low)),
    };
    let positive = match positive {
        (low, high) if low == high => format!("is {}", shown(low)),
        (low, high) => format!("from {} to {}", shown(low), shown(high)),
    };
    Some((format!("{negative} or {positive}"), span))
}

/// Finds the narrowest range of floats that holds some operands, and says it in words.
fn floats(format: &Format, name: &str, wrong: &[u64]) -> (String, Span) {
    let class = format.class(wrong[0]);
    let one_class = wrong.iter().all(|bits| format.class(*bits) == class);
    let special = match class {
        Class::Subnormal if one_class => Some(format!("{name} is subnormal")),
        Class::Zero if one_class => Some(format!("{name} is zero")),
        Class::Infinity if one_class => Some(format!("{name} is infinite")),
        Class::Nan if one_class => Some(format!("{name} is NaN")),
        _ => None,
    };
    let is_one_sign = |negative| wrong.iter().all(|bits| format.is_negative(*bits) == negative);
    let sign = match (is_one_sign(false), is_one_sign(true)) {
        (true, _) => Some(false),
        (_, true) => Some(true),
        _ => None,
    };
    let magnitudes = wrong.iter().map(|bits| bits & format.magnitude_mask());
    let (low, high) = magnitudes.fold((u64::MAX, 0), |(low, high), of| (low.min(of), high.max(of)));
    let shown = |bits: u64| format.value(bits).map_or("infinity".into(), short);
    let span = match special {
        Some(_) => Span::Class(class, sign),
        None => Span::Magnitudes(low, high, sign),
    };
    let range = match (special, sign) {
        (Some(special), None) => special,
        (Some(special), Some(true)) => format!("{special} and negative"),
        (Some(special), Some(false)) => format!("{special} and positive"),
        (None, None) if low == high => format!("|{name}| is {}", shown(low)),
        (None, Some(false)) if low == high => format!("{name} is {}", shown(low)),
        (None, Some(true)) if low == high => format!("{name} is -{}", shown(low)),
        (None, None) => format!("|{name}| from {} to {}", shown(low), shown(high)),
        (None, Some(false)) => format!("{name} from {} to {}", shown(low), shown(high)),
        (None, Some(true)) => format!("{name} from -{} to -{}", shown(high), shown(low)),
    };
    (range, span)
}

/// Finds the narrowest range of integers that holds some operands, and says it in words.
fn integers(format: &Format, name: &str, wrong: &[u64]) -> (String, Span) {
    let values = wrong.iter().map(|&bits| integer(format, bits));
    let (low, high) = values.fold((i128::MAX, i128::MIN), |(low, high), of| (low.min(of), high.max(of)));
    let range = match low == high {
        true => format!("{name} is {low}"),
        false => format!("{name} from {low} to {high}"),
    };
    (range, Span::Integers(low, high))
}

/// Writes a number with few digits.
pub fn short(value: f64) -> String {
    let magnitude = value.abs();
    match magnitude {
        0.0 => "0".into(),
        _ if value.fract() == 0.0 && magnitude < 1e6 => format!("{value}"),
        1e-3..1e6 => {
            // Four significant digits.
            let places = (3 - magnitude.log10().floor() as i32).max(0) as usize;
            let text = format!("{value:.places$}");
            if text.contains('.') {
                text.trim_end_matches('0').trim_end_matches('.').into()
            } else {
                text
            }
        }
        _ => format!("{value:.3e}"),
    }
}

#[cfg(test)]
mod tests {
    use formats::F32;

    use super::*;

    fn range(wrong: &[f32], right: &[f32]) -> String {
        let bits = |of: &[f32]| of.iter().map(|of| of.to_bits().into()).collect::<Vec<u64>>();
        Axis::new(&F32, "a", &bits(wrong), &bits(right)).words()
    }

    /// Two separate sets of operands are not said to be all that lies between them.
    #[test]
    fn separate_sets_are_told_apart() {
        let right = [1.0, 2.0, 127.0, 126.75, -3.0, -127.75, 140.0, 130.0];
        let ends = range(&[0.0, f32::INFINITY, -0.0], &right);
        assert_eq!(ends, "a is zero or infinite, where 3 of 3 re-run are wrong");
        let sides = range(&[-140.0, -128.0, 127.5, 128.0], &right);
        assert_eq!(sides, "a from -140 to -128 or from 127.5 to 128, where 4 of 4 re-run are wrong");
        let one = range(&[-140.0, 127.0, 128.0], &[1.0]);
        assert_eq!(one, "|a| from 127 to 140, where 3 of 3 re-run are wrong");
    }
}
