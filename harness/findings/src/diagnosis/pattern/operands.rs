//! The operands that have wrong results: what all of them have in common, and right ones rarely have.

use formats::{Class, Format, Scale};
use isa::Variant;

use super::{Element, input_name};
use crate::diagnosis::axis::Axis;
use crate::diagnosis::condition::{Condition, Kind, Which};

/// The least share of wrong results among those that a description holds for, at which it says something.
const TELLING: f64 = 0.02;
/// The factor by which a property has to raise that share, to be told beside others.
const BETTER: f64 = 1.5;
/// The most properties that are told.
const MOST: usize = 3;
/// The least number of wrong results that ranges of results and of exponents are told of. Few results lie in a narrow
/// range by accident.
const ENOUGH: usize = 8;

/// The operands with wrong results, in words.
pub struct Described {
    /// The properties that the operands have in common, with how many of such operands have wrong results.
    pub words: String,
    /// The part that has no numbers, if there is one.
    pub common: Option<String>,
}

/// A property that all wrong results have.
struct Property {
    words: String,
    /// Whether the words have no numbers.
    is_general: bool,
    /// For each right result, whether it has the property too.
    of_right: Vec<bool>,
}

/// Describes the operands of wrong results: by the property that fewest right results have too, and by others as long as
/// they rule out many more of those. Returns `None` if nothing tells the wrong results from the right ones.
pub fn describe(
    variant: &Variant,
    format: &'static Format,
    wrong: &[Element],
    right: &[Element],
) -> Option<Described> {
    let properties = properties(variant, format, wrong, right);
    let mut left = vec![true; right.len()];
    let count = |left: &[bool]| wrong.len() + left.iter().filter(|is| **is).count();
    let mut told: Vec<&Property> = Vec::new();
    while told.len() < MOST {
        let with = |of: &Property| left.iter().zip(&of.of_right).filter(|(a, b)| **a && **b).count();
        let best = properties.iter().map(|of| (wrong.len() + with(of), of)).min_by_key(|(all, _)| *all);
        let Some((all, best)) = best else { break };
        if (count(&left) as f64) < BETTER * all as f64 {
            break;
        }
        left.iter_mut().zip(&best.of_right).for_each(|(left, has)| *left &= has);
        told.push(best);
    }
    let all = count(&left);
    if told.is_empty() || (wrong.len() as f64) < TELLING * all as f64 {
        return None;
    }
    let words = |of: &[&Property]| of.iter().map(|of| of.words.as_str()).collect::<Vec<_>>().join("; ");
    let general: Vec<&Property> = told.iter().copied().filter(|of| of.is_general).collect();
    Some(Described {
        words: format!("{}, where {} of {all} re-run are wrong", words(&told), wrong.len()),
        common: (!general.is_empty()).then(|| words(&general)),
    })
}

/// Collects the properties that all wrong results have, the simplest first.
fn properties(
    variant: &Variant,
    format: &'static Format,
    wrong: &[Element],
    right: &[Element],
) -> Vec<Property> {
    let property = |words: String, is_general, has: &dyn Fn(&Element) -> bool| {
        debug_assert!(wrong.iter().all(has), "{words}");
        Property { words, is_general, of_right: right.iter().map(has).collect() }
    };
    let holds = |condition: Condition| {
        move |of: &Element| condition.holds(variant, &of.inputs[..variant.inputs().len()], of.expected)
    };
    let conditions = Condition::of(variant).into_iter().filter(|of| is_told(*of));
    let conditions = conditions.filter(|of| wrong.iter().all(holds(*of)));
    let conditions = conditions.map(|of| property(of.words(variant), true, &holds(of)));
    let axes = variant.inputs().iter().enumerate().map(|(index, input)| {
        let of = |elements: &[Element]| elements.iter().map(|of| of.inputs[index]).collect::<Vec<_>>();
        let axis = Axis::new(input.format, &input_name(variant, index), &of(wrong), &of(right));
        property(axis.range.clone(), axis.is_class, &|of| axis.has(of.inputs[index]))
    });
    let mut all: Vec<Property> = conditions.chain(axes).collect();
    if wrong.len() >= ENOUGH {
        all.extend(exponents(variant, wrong).map(|(words, low, high)| {
            let within =
                |of: &Element| distance(variant, of).is_some_and(|by| (low..=high).contains(&by));
            property(words, false, &within)
        }));
        let finite = |of: &Element| format.class(of.expected) != Class::Nan;
        if !format.is_fixed() && wrong.iter().all(finite) {
            let of = |elements: &[Element]| elements.iter().map(|of| of.expected).collect::<Vec<_>>();
            let axis = Axis::new(format, "expected result", &of(wrong), &of(right));
            // Classes of right results are told beside the operands.
            if !axis.is_class {
                let within = |of: &Element| finite(of) && axis.has(of.expected);
                all.push(property(axis.range.clone(), false, &within));
            }
        }
    }
    all
}

/// Whether a condition is told of operands, as a range of one operand does not say the same.
fn is_told(condition: Condition) -> bool {
    match condition {
        Condition::Kind(Which::One(_), kind) => {
            matches!(kind, Kind::Signalling | Kind::Quiet | Kind::PowerOfTwo)
        }
        _ => true,
    }
}

/// Returns the range of the distances between the exponents of the first two operands of wrong results, in words and as
/// its ends; `None` if these are not always numbers of one format other than zero.
fn exponents(variant: &Variant, wrong: &[Element]) -> Option<(String, u32, u32)> {
    let distances: Option<Vec<u32>> = wrong.iter().map(|of| distance(variant, of)).collect();
    let distances = distances?;
    let (low, high) = (*distances.iter().min()?, *distances.iter().max()?);
    let [a, b] = [0, 1].map(|index| input_name(variant, index));
    let words = match low == high {
        true => format!("the exponents of {a} and {b} differ by {low}"),
        false => format!("the exponents of {a} and {b} differ by {low} to {high}"),
    };
    Some((words, low, high))
}

/// Returns by how much the exponents of the first two operands differ, if they are numbers of one format other than zero.
fn distance(variant: &Variant, of: &Element) -> Option<u32> {
    let [a, b] = variant.inputs().get(..2)? else { return None };
    if a.format != b.format || a.format.scale != Scale::Floating {
        return None;
    }
    let leading = |bits: u64| {
        let (significand, exponent) = a.format.decode(bits)?;
        Some(exponent + significand.checked_ilog2()? as i32)
    };
    Some(leading(of.inputs[0])?.abs_diff(leading(of.inputs[1])?))
}

#[cfg(test)]
mod tests {
    use isa::limits::INPUTS_MAX;

    use super::*;

    /// Describes operands of `add.rn.f32`, of which those have wrong results for which `is_wrong` holds.
    fn described(is_wrong: impl Fn(f32, f32) -> bool) -> Option<String> {
        let variant = Variant::named("add.rn.f32").unwrap();
        let specials = [0.0, f32::INFINITY, f32::NAN, 1e-40, 1.5, 3e20];
        let numbers = (0..40).map(|number| 1.25 * 2f32.powi(3 * number - 60));
        let all: Vec<f32> = numbers.chain(specials).flat_map(|number| [number, -number]).collect();
        let pairs = all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b)));
        let element = |(a, b): (f32, f32)| {
            let mut inputs = [0; INPUTS_MAX];
            inputs[..2].copy_from_slice(&[a, b].map(|of| of.to_bits().into()));
            Element { inputs, expected: (a + b).to_bits().into(), actual: 0x1234_5678 }
        };
        let (wrong, right): (Vec<_>, Vec<_>) = pairs.partition(|(a, b)| is_wrong(*a, *b));
        let [wrong, right] = [wrong, right].map(|of| of.into_iter().map(element).collect::<Vec<_>>());
        describe(variant, variant.outputs()[0].format, &wrong, &right).map(|of| of.words)
    }

    #[test]
    fn two_operands_are_described_by_what_they_have_in_common() {
        let words = |of: Option<String>| of.expect("a description");
        let both = words(described(|a, b| a.is_nan() && b.is_nan()));
        assert_eq!(both, "every operand is NaN, where 4 of 4 re-run are wrong");
        let some = words(described(|a, b| a.is_infinite() || b.is_infinite()));
        assert!(some.starts_with("an operand is infinite, where "), "{some}");
        let signs = words(described(|a, b| a.is_sign_positive() != b.is_sign_positive()));
        assert!(signs.starts_with("a and b have different signs, where "), "{signs}");
        let far = words(described(|a, b| {
            let (a, b) = (a.abs(), b.abs());
            a.is_normal() && b.is_normal() && (a / b > 1e12 || b / a > 1e12)
        }));
        assert!(far.contains("the exponents of a and b differ by 41 to "), "{far}");
        assert_eq!(described(|_, _| true), None);
    }
}
