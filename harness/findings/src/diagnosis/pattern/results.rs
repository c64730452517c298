//! The properties that wrong results, and the right ones in their place, have in common.

use formats::{Class, Format};
use isa::Variant;
use judge::MismatchKind;

use super::{Element, input_name};

/// Says in words what all wrong results are; `None` if they have nothing in common that the kind of mismatch does not
/// say.
pub fn actual(
    variant: &Variant,
    format: &Format,
    kind: MismatchKind,
    wrong: &[Element],
) -> Option<String> {
    let all = |holds: &dyn Fn(&Element) -> bool| wrong.iter().all(holds);
    let is = |class: Class| all(&|of| format.class(of.actual) == class);
    let first = wrong[0].actual;
    let special = match () {
        () if is(Class::Nan) => Some("NaN"),
        () if is(Class::Infinity) => Some("infinity"),
        () if is(Class::Zero) => Some("zero"),
        () if all(&|of| of.actual & format.magnitude_mask() == format.max_finite())
            && !format.is_fixed() =>
        {
            Some("the largest finite number")
        }
        () if is(Class::Subnormal) && !all(&|of| of.actual == first) => Some("subnormal"),
        () => None,
    };
    if let Some(special) = special.filter(|special| !tells(kind, special)) {
        return Some(format!("every actual result is {special}"));
    }
    if special.is_none() && all(&|of| of.actual == first) && wrong.len() > 1 {
        return Some(format!("every actual result is {first:#x}"));
    }
    let sign = format.sign_mask();
    if sign != 0
        && !format.is_fixed()
        && kind != MismatchKind::ZeroSign
        && all(&|of| of.actual ^ of.expected == sign)
    {
        return Some("the actual result is the right one with the other sign".into());
    }
    if let Some(power) = power(format, wrong) {
        return Some(power);
    }
    let copied = variant
        .inputs()
        .iter()
        .enumerate()
        .find(|(index, input)| input.format == format && all(&|of| of.actual == of.inputs[*index]));
    if let Some((index, _)) = copied {
        let operand = if variant.lanes() == 1 { "the operand " } else { "" };
        return Some(format!("the actual result is {operand}{}", input_name(variant, index)));
    }
    let flipped = wrong[0].actual ^ wrong[0].expected;
    let steps =
        matches!(kind, MismatchKind::UlpAbove | MismatchKind::UlpBelow | MismatchKind::NextInteger);
    (!steps && !format.is_fixed() && special.is_none() && all(&|of| of.actual ^ of.expected == flipped))
        .then(|| format!("the actual result differs from the right one in the bits {flipped:#x}"))
}

/// Whether a kind of mismatch says already that results are, or should be, something special.
fn tells(kind: MismatchKind, special: &str) -> bool {
    use MismatchKind::*;
    match special {
        "NaN" => matches!(kind, NanAppeared | NanLost | NanBits),
        "infinity" => matches!(kind, Overflow | NoOverflow),
        "zero" => matches!(kind, ZeroAppeared | ZeroLost | ZeroSign | NotFlushed),
        "subnormal" => kind == NotFlushed,
        _ => false,
    }
}

/// Says which power of two every wrong result is times the right one, if it is the same one for all.
fn power(format: &Format, wrong: &[Element]) -> Option<String> {
    let ratio = |of: &Element| {
        let (actual, expected) = (format.decode(of.actual)?, format.decode(of.expected)?);
        let odd = |(significand, exponent): (u64, i32)| {
            let zeros = significand.trailing_zeros();
            (significand.checked_shr(zeros).unwrap_or(0), exponent + zeros as i32)
        };
        let (actual, expected) = (odd(actual), odd(expected));
        (actual.0 == expected.0 && actual.0 != 0).then_some(actual.1 - expected.1)
    };
    let first = ratio(&wrong[0]).filter(|ratio| *ratio != 0)?;
    wrong.iter().all(|of| ratio(of) == Some(first)).then(|| {
        let times = match first {
            -1 => "half".into(),
            1 => "twice".into(),
            power => format!("2^{power} times"),
        };
        format!("the actual result is {times} the right one")
    })
}

/// Says in words what all right results are in whose place there are wrong ones, if few other right results are that.
pub fn expected(
    format: &Format,
    kind: MismatchKind,
    wrong: &[Element],
    right: &[Element],
) -> Option<String> {
    let significand = |bits: u64| bits & format.trailing_mask();
    let largest = |bits: u64| bits & format.magnitude_mask() == format.max_finite();
    let float = !format.is_fixed();
    let is = |class: Class| move |bits: u64| format.class(bits) == class;
    let power = |bits: u64| format.class(bits) == Class::Normal && significand(bits) == 0;
    let properties: [(&str, &dyn Fn(u64) -> bool); 6] = [
        ("NaN", &is(Class::Nan)),
        ("infinity", &is(Class::Infinity)),
        ("zero", &is(Class::Zero)),
        ("the largest finite number", &|bits| float && largest(bits)),
        ("a subnormal number", &is(Class::Subnormal)),
        ("a power of two", &|bits| float && power(bits)),
    ];
    let holds = |property: &dyn Fn(u64) -> bool| wrong.iter().all(|of| property(of.expected));
    let (words, property) =
        properties.iter().find(|(words, property)| !tells(kind, words) && holds(property))?;
    let others = right.iter().filter(|of| property(of.expected)).count();
    // What most results are anyway says nothing.
    (2 * others <= right.len()).then(|| format!("where {words} is right"))
}
