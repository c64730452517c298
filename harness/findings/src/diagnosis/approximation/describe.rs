//! Describes in words where wrong approximations lie, and how they are wrong.

use formats::{Class, Format};
use isa::Variant;
use judge::MismatchKind;

use super::element::{self, MeasuredElement};
use super::seam::{self, short};
use crate::diagnosis::evidence::Evidence;

/// The least share of wrong results in a range of an operand at which the range is told beside a seam.
const TELLING: f64 = 0.1;

/// Describes a class of `count` mismatches: how its results are wrong, and which operands have wrong results. Where
/// fewer mismatches were run again, the words say that they are of those. Returns `None` if none was.
pub fn describe(
    variant: &Variant,
    evidence: &[Evidence],
    kind: MismatchKind,
    count: u64,
) -> Option<String> {
    let elements = element::all(variant, evidence);
    let (wrong, right): (Vec<MeasuredElement>, Vec<MeasuredElement>) = elements
        .into_iter()
        .filter(|of| of.kind.is_none_or(|of| of == kind))
        .partition(|of| of.kind.is_some());
    if wrong.is_empty() {
        return None;
    }
    let mut words = vec![match kind {
        // Neither the size of such results tells anything, nor their distance from the right ones.
        MismatchKind::Padding => "all have bits where zeros are due".into(),
        MismatchKind::NotFlushed => "all are subnormal, where the zero of their sign is due".into(),
        _ => results(variant.outputs()[0].format, &wrong, kind),
    }];
    words.extend(operands(variant, &wrong, &right));
    let whose = match wrong.len() {
        all if all as u64 >= count => String::new(),
        1 => "of the one re-run: ".into(),
        some => format!("of the {some} re-run: "),
    };
    Some(whose + &words.join("; "))
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
        false => " of those where that and the exact value are finite",
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
        let name = variant.operands().get(index).map_or("a", |register| register.name);
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
        Some(seam) => format!("{}; {seam}", axis.words),
        None => axis.words,
    })
}

/// A range of one operand that holds the operands of all wrong results.
struct Axis {
    words: String,
    wrong: usize,
    /// The number of elements, right or wrong, whose operand is in the range.
    all: usize,
}

impl Axis {
    /// Makes the narrowest range that holds all wrong operands: by class, by sign, and else by magnitude.
    fn new(format: &Format, name: &str, wrong: &[u64], right: &[u64]) -> Axis {
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
        Axis { words, wrong: wrong.len(), all }
    }

    /// Returns the share of the range's elements that are wrong.
    fn share(&self) -> f64 {
        self.wrong as f64 / self.all as f64
    }
}
