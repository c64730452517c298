//! Explains why a result that is chosen among inputs, or says something about them, is what it is.

use std::cmp::Ordering;

use formats::{Class, Format};
use isa::{ClassMask, Combination, Comparison, Extremum, NanRule, Op, Variant};

/// Returns the reason for a result of an operation that chooses or compares; `None` for any other operation.
pub fn reason(variant: &Variant, inputs: &[u64], flushed: &[bool]) -> Option<String> {
    let format = |index: usize| variant.inputs()[index].format;
    let seen =
        inputs.iter().zip(flushed).enumerate().map(|(index, (&bits, &flushed))| {
            if flushed { bits & format(index).sign_mask() } else { bits }
        });
    let seen: Vec<u64> = seen.collect();
    Some(match variant.meaning().op {
        Op::Extremum(extremum) => extreme(format(0), extremum, &seen),
        Op::Compare(comparison) => compared(format(0), comparison, &seen),
        Op::Test(classes) => tested(format(0).class(inputs[0]), classes),
        Op::Copysign => "the magnitude of input 2 with the sign of input 1".into(),
        Op::Select => selected(format(2), seen[2]).into(),
        op @ (Op::Abs | Op::Neg) => signed(op, format(0), seen[0], variant.meaning().nan).into(),
        _ => return None,
    })
}

/// Explains which inputs are the minimum or maximum.
fn extreme(format: &Format, extremum: Extremum, inputs: &[u64]) -> String {
    let numbers: Vec<(usize, u64)> =
        inputs.iter().copied().enumerate().filter(|(_, bits)| !format.is_nan(*bits)).collect();
    let beside_nan = numbers.len() < inputs.len();
    if numbers.is_empty() {
        return "no input is a number: NaN".into();
    }
    if beside_nan && extremum.propagates_nan {
        return "an input is NaN, and so the result is: `.NaN`".into();
    }
    let magnitude = |bits: u64| bits & format.magnitude_mask();
    // Magnitudes are ranked as they are; among numbers with signs, the ranks of negative ones run the other way.
    let rank = |bits: u64| match extremum.of_magnitudes || !format.is_negative(bits) {
        true => magnitude(bits) as i64,
        false => !(magnitude(bits) as i64),
    };
    let ranks = numbers.iter().map(|(_, bits)| rank(*bits));
    let best = if extremum.largest { ranks.max() } else { ranks.min() };
    let of_best: Vec<&(usize, u64)> =
        numbers.iter().filter(|(_, bits)| Some(rank(*bits)) == best).collect();
    let word = if extremum.largest { "largest" } else { "smallest" };
    let names: Vec<String> = of_best.iter().map(|(index, _)| (index + 1).to_string()).collect();
    let (is, names) = match (names.len(), extremum.of_magnitudes) {
        (1, false) => ("is", format!("input {}", names[0])),
        (1, true) => ("has", format!("input {}", names[0])),
        (_, false) => ("are", format!("inputs {}", names.join(" and "))),
        (_, true) => ("have", format!("inputs {}", names.join(" and "))),
    };
    let what = if extremum.of_magnitudes { " magnitude" } else { "" };
    let mut words = Vec::new();
    if beside_nan {
        words.push("NaN does not count beside a number".into());
    }
    let zeros = numbers.iter().filter(|(_, bits)| magnitude(*bits) == 0);
    let signs: Vec<bool> = zeros.map(|(_, bits)| format.is_negative(*bits)).collect();
    if signs.contains(&true) && signs.contains(&false) && !extremum.of_magnitudes {
        words.push("-0 is less than +0".into());
    }
    words.push(format!("{names} {is} the {word}{what}"));
    if extremum.with_product_of_signs {
        words.push("its sign is the product of the signs".into());
    }
    words.join("; ")
}

/// Explains the result of a relation between two inputs, combined with the third where there is a combination.
fn compared(
    format: &Format,
    Comparison { relation, combination }: Comparison,
    inputs: &[u64],
) -> String {
    let [a, b] = [inputs[0], inputs[1]];
    let zeros = [a, b].iter().all(|bits| format.class(*bits) == Class::Zero);
    let (stand, holds) = match order(format, a, b) {
        None => ("an input is NaN", relation.unordered),
        Some(Ordering::Less) => ("input 1 is less than input 2", relation.less),
        Some(Ordering::Greater) => ("input 1 is greater than input 2", relation.greater),
        Some(Ordering::Equal) if zeros && a != b => ("-0 and +0 are equal", relation.equal),
        Some(Ordering::Equal) => ("the inputs are equal", relation.equal),
    };
    let truth = |of: bool| if of { "true" } else { "false" };
    let word = match combination {
        None => return format!("{stand}: the relation is {}", truth(holds)),
        Some(Combination::And) => "and",
        Some(Combination::Or) => "or",
        Some(Combination::Xor) => "xor",
    };
    let third = truth(inputs[2] != 0);
    format!("{stand}: the relation is {}, {word} input 3, which is {third}", truth(holds))
}

/// Returns how two data of a format compare; `None` if one is NaN.
fn order(format: &Format, a: u64, b: u64) -> Option<Ordering> {
    if format.is_nan(a) || format.is_nan(b) {
        return None;
    }
    let value = |bits: u64| match (format.is_negative(bits), format.is_fixed()) {
        (false, _) => i128::from(bits),
        // A fixed-point number is a two's complement.
        (true, true) => i128::from(bits) - i128::from(format.mask()) - 1,
        (true, false) => -i128::from(bits & format.magnitude_mask()),
    };
    Some(value(a).cmp(&value(b)))
}

/// Explains whether the class of the input is among the classes asked for.
fn tested(class: Class, classes: ClassMask) -> String {
    let name = match class {
        Class::Zero => "zero",
        Class::Subnormal => "a subnormal number",
        Class::Normal => "a normal number",
        Class::Infinity => "an infinity",
        Class::Nan => "NaN",
    };
    let is = if classes.contains(class) { "among" } else { "not among" };
    format!("the input is {name}, which is {is} the classes asked for")
}

/// Explains whether the first input or the second is selected, by the third.
fn selected(format: &Format, selector: u64) -> &'static str {
    match format.class(selector) {
        Class::Nan => "input 3 is NaN, which is not at least 0: input 2",
        Class::Zero if format.is_negative(selector) => "input 3 is -0, which is at least 0: input 1",
        _ if format.is_negative(selector) => "input 3 is below 0: input 2",
        _ => "input 3 is at least 0: input 1",
    }
}

/// Explains what an absolute value or a negation does to a sign, or to a NaN.
fn signed(op: Op, format: &Format, bits: u64, nan: NanRule) -> &'static str {
    match (format.is_nan(bits), nan) {
        (true, NanRule::Unchanged) => "a NaN passes unchanged",
        (true, NanRule::Operand) => "a NaN changes its sign as a number does",
        (true, _) => "a NaN becomes the canonical one",
        _ if op == Op::Abs => "the sign is taken away",
        _ => "the sign is changed",
    }
}
