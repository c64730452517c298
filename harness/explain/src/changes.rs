//! Describes the steps that make another result of a rounded number, in words.

use isa::Variant;
use model::{ExactValue, LateStage, StageChange};

use super::roundings::words;

/// Returns a word for the step of a change, and a sentence that says what becomes of the number.
pub fn change(variant: &Variant, change: &StageChange) -> (&'static str, String) {
    let format = variant.outputs()[0].format;
    let largest = format.show(format.max_finite()).decimal();
    let beyond = format!("beyond the largest number, {largest}");
    let negative = is_negative(change.from);
    let sign = if negative { "-" } else { "" };
    match (change.step, change.from) {
        (LateStage::Stopped, _) => {
            let way = words(variant.meaning().rounding);
            ("overflow", format!("{beyond}: rounding {way} stops at {sign}{largest}"))
        }
        (LateStage::Infinite, _) => ("overflow", format!("{beyond}: it becomes {sign}infinity")),
        (LateStage::Satfinite, _) => ("satfinite", format!("{beyond}: it becomes {sign}{largest}")),
        (LateStage::NanNumber, _) => {
            ("nan", format!("the result has no NaN: it becomes {}", short(change.to)))
        }
        (LateStage::Unit, ExactValue::Nan) => ("sat", "NaN becomes +0".into()),
        (LateStage::Unit, _) if negative => ("sat", "below 0: it becomes +0".into()),
        (LateStage::Unit, _) => ("sat", "above 1: it becomes 1".into()),
        (LateStage::Positive, _) => ("relu", "its sign is negative: it becomes +0".into()),
        (LateStage::PositiveZero, _) => ("pzo", "-0 becomes +0".into()),
        (LateStage::Integer, _) => {
            let last = if negative { format.min_finite() } else { format.max_finite() };
            let last = format.show(last).decimal();
            ("limit", format!("beyond the last integer on its side, {last}: it becomes that"))
        }
        (LateStage::Encoding, ExactValue::Infinity(_)) => {
            ("overflow", format!("the result has no infinity: it becomes {}", short(change.to)))
        }
        (LateStage::Encoding, ExactValue::Finite { significand: 0, .. })
            if negative && format.signed =>
        {
            ("sign", "the result has no -0: it becomes +0".into())
        }
        (LateStage::Encoding, ExactValue::Nan) => {
            ("nan", format!("the result has no NaN: it becomes {}", short(change.to)))
        }
        (LateStage::Encoding, _) => (
            "underflow",
            format!("the result has nothing smaller than {}: it becomes that", short(change.to)),
        ),
    }
}

/// Whether a value has a minus sign; NaN has none.
fn is_negative(value: ExactValue) -> bool {
    match value {
        ExactValue::Nan => false,
        ExactValue::Infinity(negative) | ExactValue::Finite { negative, .. } => negative,
    }
}

/// Returns a value in short: of a number's three forms only the decimal one.
fn short(value: ExactValue) -> String {
    let text = super::exact::exact_value(value);
    match value {
        ExactValue::Nan => "NaN".into(),
        _ => text.split(" = ").next().unwrap_or_default().to_owned(),
    }
}
