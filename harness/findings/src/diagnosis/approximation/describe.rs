//! Describes in words where wrong approximations lie, and how they are wrong.

use formats::{Class, Format};
use isa::Variant;
use judge::MismatchKind;

use super::element::{self, MeasuredElement};
use super::seam;
use crate::diagnosis::axis::{Axis, short};
use crate::diagnosis::evidence::Evidence;
use crate::diagnosis::pattern::{Pattern, input_name, of_rerun};

/// The least share of wrong results in a range of an operand at which the range is told beside a seam.
const TELLING: f64 = 0.1;

/// Describes a class of `count` mismatches: how its results are wrong, and which operands have wrong results. Where
/// fewer mismatches were run again, the words say that they are of those. Returns `None` if none was.
pub fn describe(
    variant: &Variant,
    evidence: &[Evidence],
    kind: MismatchKind,
    count: u64,
) -> Option<Pattern> {
    let elements = element::all(variant, evidence);
    let (wrong, right): (Vec<MeasuredElement>, Vec<MeasuredElement>) = elements
        .into_iter()
        .filter(|of| of.kind.is_none_or(|of| of == kind))
        .partition(|of| of.kind.is_some());
    if wrong.is_empty() {
        return None;
    }
    let of_results = match kind {
        // Neither the size of such results tells anything, nor their distance from the right ones.
        MismatchKind::Padding => "all have bits where zeros are due".into(),
        MismatchKind::NotFlushed => "all are subnormal, where the zero of their sign is due".into(),
        _ => results(variant.outputs()[0].format, &wrong, kind),
    };
    // Errors and ranges have numbers, which differ between variants.
    let common = of_results.split(", by ").next().filter(|way| !way.starts_with("by up to"));
    let common = common.map(str::to_owned);
    let words: Vec<String> = [of_results].into_iter().chain(operands(variant, &wrong, &right)).collect();
    Some(Pattern { words: of_rerun(wrong.len() as u64, count) + &words.join("; "), common })
}

/// Describes how the results of a class are wrong.
fn results(format: &Format, wrong: &[MeasuredElement], kind: MismatchKind) -> String {
    let all = |holds: &dyn Fn(&MeasuredElement) -> bool| wrong.iter().all(holds);
    let is = |bits: u64, class| format.class(bits) == class;
    let opposite = |of: &MeasuredElement| {
        let negative = format.is_negative(of.actual);
        of.exact != 0.0 && !of.exact.is_nan() && negative == (of.exact > 0.0)
    };
    let sign = if all(&opposite) { ", of the wrong sign" } else { "" };
    if all(&|of| is(of.actual, Class::Nan)) {
        return "all are NaN".into();
    }
    if all(&|of| is(of.actual, Class::Infinity)) {
        return format!("all are infinite{sign}");
    }
    if all(&|of| is(of.actual, Class::Zero)) {
        let due = if all(&|of| is(of.expected, Class::Subnormal)) {
            ", where a subnormal number is due"
        } else {
            ""
        };
        return format!("all are zero{due}{sign}");
    }
    if all(&|of| is(of.expected, Class::Nan)) {
        let finite = all(&|of| !is(of.actual, Class::Infinity));
        return if finite { "all are finite" } else { "some are infinite and some finite" }.into();
    }
    if matches!(kind, MismatchKind::UlpAbove | MismatchKind::UlpBelow) {
        return next(wrong);
    }
    let magnitude = |bits: u64| bits & format.magnitude_mask();
    let way = match () {
        () if all(&opposite) => "all have the wrong sign",
        () if all(&|of| magnitude(of.actual) > magnitude(of.expected)) => {
            "all are too large in magnitude"
        }
        () if all(&|of| magnitude(of.actual) < magnitude(of.expected)) => {
            "all are too small in magnitude"
        }
        () => "some are too large in magnitude and some too small",
    };
    let finite = match counted(wrong).all(|of| of.error.is_finite()) {
        true => "",
        false => ", where the result and the exact value are finite",
    };
    match largest(wrong) {
        // The judge has this largest number stand for every larger error of an exact value that is finite.
        Some(f64::MAX) => format!("{way}, by more than 1e308 ulp{finite}"),
        Some(most) => format!("{way}, by up to {} ulp{finite}", short(most)),
        None => way.into(),
    }
}

/// Describes how far results that lie beside the right ones are wrong. A unit of such a result may be two units of
/// the exact value.
fn next(wrong: &[MeasuredElement]) -> String {
    match largest(wrong) {
        Some(most @ ..=1.5) => format!("by up to {} ulp of the exact value", short(most)),
        Some(most) => {
            let less = "which are half as large below a power of two";
            format!("by up to {} ulp of the exact value, {less}", short(most))
        }
        None => "beside infinity".into(),
    }
}

/// Returns the elements whose errors count: those with an exact result other than zero, which has no last place.
fn counted(wrong: &[MeasuredElement]) -> impl Iterator<Item = &MeasuredElement> {
    wrong.iter().filter(|of| of.exact != 0.0)
}

/// Returns the largest finite error, in units in the last place of the exact result.
fn largest(wrong: &[MeasuredElement]) -> Option<f64> {
    counted(wrong).map(|of| of.error).filter(|error| error.is_finite()).reduce(f64::max)
}

/// Describes which operands have wrong results, by what they have in common in the one operand that tells most.
fn operands(variant: &Variant, wrong: &[MeasuredElement], right: &[MeasuredElement]) -> Option<String> {
    let axes = variant.inputs().iter().enumerate().map(|(index, input)| {
        let name = &*input_name(variant, index);
        let of = |elements: &[MeasuredElement]| {
            elements.iter().map(|of| of.inputs[index]).collect::<Vec<_>>()
        };
        let (wrong, right) = (of(wrong), of(right));
        let axis = Axis::new(input.format, name, &wrong, &right);
        let seam = seam::common(variant.meaning().op, input.format, name, &wrong, &right);
        (axis, seam)
    });
    // The operand tells most whose range has the fewest right results in it.
    let (axis, seam) = axes.max_by(|(a, _), (b, _)| a.share().total_cmp(&b.share()))?;
    Some(match seam {
        Some(seam) if axis.share() < TELLING => seam,
        Some(seam) => format!("{}; {seam}", axis.words()),
        None => axis.words(),
    })
}
