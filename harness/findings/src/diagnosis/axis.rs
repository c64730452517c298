//! Ranges of an operand that hold the operands of all wrong results of a class.

use formats::{Class, Format};

/// A range of one operand that holds the operands of all wrong results.
pub struct Axis {
    /// The range in words, with how many of its operands have wrong results.
    pub words: String,
    /// Whether the range is a class of data, like NaN, in words; `None` for a range of magnitudes.
    pub class: Option<String>,
    wrong: usize,
    /// The number of elements, right or wrong, whose operand is in the range.
    all: usize,
}

impl Axis {
    /// Makes the narrowest range that holds all wrong operands: by class, by sign, and else by magnitude.
    ///
    /// # Panics
    /// If there is no wrong operand.
    pub fn new(format: &Format, name: &str, wrong: &[u64], right: &[u64]) -> Axis {
        if format.is_fixed() {
            return Axis::of_integers(format, name, wrong, right);
        }
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
        let within = |bits: &u64| {
            let magnitude = bits & format.magnitude_mask();
            let alike = if special.is_some() {
                format.class(*bits) == class
            } else {
                (low..=high).contains(&magnitude)
            };
            alike && sign.is_none_or(|negative| format.is_negative(*bits) == negative)
        };
        let all = wrong.len() + right.iter().filter(|bits| within(bits)).count();
        let shown = |bits: u64| format.value(bits).map_or("infinity".into(), short);
        let is_special = special.is_some();
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
        let words = format!("{range}, where {} of {all} re-run are wrong", wrong.len());
        Axis { words, class: is_special.then_some(range), wrong: wrong.len(), all }
    }

    /// Makes the narrowest range of integers that holds all wrong operands.
    fn of_integers(format: &Format, name: &str, wrong: &[u64], right: &[u64]) -> Axis {
        let value = |&bits: &u64| match format.signed {
            true => i128::from(((bits << (64 - format.width())) as i64) >> (64 - format.width())),
            false => i128::from(bits),
        };
        let values = wrong.iter().map(value);
        let (low, high) =
            values.fold((i128::MAX, i128::MIN), |(low, high), of| (low.min(of), high.max(of)));
        let all = wrong.len() + right.iter().filter(|bits| (low..=high).contains(&value(bits))).count();
        let range = match low == high {
            true => format!("{name} is {low}"),
            false => format!("{name} from {low} to {high}"),
        };
        let words = format!("{range}, where {} of {all} re-run are wrong", wrong.len());
        Axis { words, class: None, wrong: wrong.len(), all }
    }

    /// Returns the share of the range's elements that are wrong.
    pub fn share(&self) -> f64 {
        self.wrong as f64 / self.all as f64
    }
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
