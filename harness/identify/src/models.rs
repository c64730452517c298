//! The known models, and units like them.

use std::fmt;
use std::sync::OnceLock;

use emulator::dot::DotKernel;
use formats::FormatId;
use isa::Target;
use isa::matrix::{Generation, Lowering, MatrixVariant, Unit, UnitRounding};

use super::order::SummationOrder;
use super::question::Places;
use super::readings::Readings;
use super::sum_computation::SumComputation;

/// A known model: a way to compute a sum, with the targets that compute so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    pub lowering: Lowering,
    pub targets: Vec<Target>,
    /// The instruction that the model is known of, where that is another one.
    pub of: Option<&'static str>,
}

impl Model {
    /// Returns the model as a way to compute a sum.
    pub fn way(&self) -> SumComputation {
        SumComputation::Lowered(self.lowering)
    }
}

/// Returns the models of a variant itself.
pub fn models_of(variant: &MatrixVariant) -> Vec<Model> {
    let known =
        Lowering::group_by_lowering(variant, Target::all().map(|(target, _)| target)).into_iter();
    let model = |(lowering, mut targets): (Lowering, Vec<Target>)| {
        targets.sort_unstable();
        Model { lowering, targets, of: None }
    };
    known.map(model).collect()
}

/// A model of some variant, with the formats of that variant's operands and result.
type Kin = ([FormatId; 3], Model);

/// Returns the models of other instructions with the same operands that could compute the variant.
pub fn models_of_related(variant: &MatrixVariant) -> Vec<Model> {
    // The list is made once, since it takes the models of every variant.
    static ALL: OnceLock<Vec<Kin>> = OnceLock::new();
    let formats = |variant: &MatrixVariant| {
        let dot = variant.dot();
        [dot.a.id, dot.b.id, dot.d.id]
    };
    let all = ALL.get_or_init(|| {
        let mut all: Vec<Kin> = Vec::new();
        for other in MatrixVariant::all() {
            for mut model in models_of(other) {
                model.of = other.words().first().copied();
                let key = formats(other);
                let same = |(of, known): &Kin| *of == key && known.lowering == model.lowering;
                if !all.iter().any(same) {
                    all.push((key, model));
                }
            }
        }
        all
    });
    let own = models_of(variant);
    let (key, new) =
        (formats(variant), |model: &&Model| own.iter().all(|known| known.lowering != model.lowering));
    let models = all.iter().filter(|(of, _)| *of == key).map(|(_, model)| model);
    models
        .filter(new)
        .filter(|model| DotKernel::with_lowering(variant, model.lowering).is_some())
        .cloned()
        .collect()
}

/// Returns units that are not known, each of which agrees with what answers tell of order and widths.
pub fn imaginable_models(
    variant: &MatrixVariant,
    places: &Places,
    order: &SummationOrder,
    readings: &Readings,
) -> Vec<Lowering> {
    let d = variant.dot().d;
    let terms = variant.dot().stored();
    let groups: Vec<u32> = match order.group(places) {
        Some(size) if size < places.count => vec![(size * places.step) as u32],
        Some(_) => vec![terms],
        // A sum through f16 has half of the terms in each group, at most.
        None => (0..8).map(|power| 1 << power).filter(|size| *size <= terms).collect(),
    };
    let widths = match readings.fraction_bits {
        Some(bits) => bits..=bits,
        None => 8..=46,
    };
    let zeros: Vec<i32> = match readings.zero_exponent {
        Some(exponent) => vec![exponent],
        None => (0..=24).map(|below| d.exponent_min() - below).collect(),
    };
    let roundings = [UnitRounding::TowardZero, UnitRounding::TowardZero13, UnitRounding::NearestEven];
    let mut all = Vec::new();
    for rounding in roundings {
        for &group in &groups {
            for fraction_bits in widths.clone() {
                for &zero_exponent in &zeros {
                    let unit = Unit { fraction_bits, group, zero_exponent, rounding };
                    let shapes = [
                        Lowering::Unit(unit),
                        Lowering::ThroughHalf(unit),
                        Lowering::Narrowed(unit),
                        Lowering::Scaled(unit),
                        Lowering::ScaledGroups(unit),
                    ];
                    all.extend(
                        shapes.into_iter().filter(|l| DotKernel::with_lowering(variant, *l).is_some()),
                    );
                }
            }
        }
    }
    all
}

/// Prints a way as a row of the table has it.
pub fn row(way: SumComputation) -> String {
    let SumComputation::Lowered(lowering) = way else {
        return "the exact sum, rounded once to nearest even".into();
    };
    let shape = match lowering {
        Lowering::Unit(_) => "a unit",
        Lowering::ThroughHalf(_) => {
            "a unit of f16, for terms 0 and 1 of each four, then the others, then c"
        }
        Lowering::Narrowed(_) => "a unit that accumulates f32, rounded to f16",
        Lowering::Scaled(_) => "a unit of scaled products",
        Lowering::ScaledGroups(_) => "a unit of scaled sums of 16 products",
        Lowering::SingleSoftware => return "single operations of f32, the addend last".into(),
        Lowering::HalfSoftware => return "single operations of f32 in pairs, rounded to f16".into(),
        Lowering::Fused => return "a chain of fused operations of f64".into(),
    };
    match lowering.unit() {
        Some(Unit { fraction_bits, group, zero_exponent, rounding }) => {
            format!("{shape}: unit({fraction_bits}, {group}, {zero_exponent}, {rounding:?})")
        }
        None => shape.into(),
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut generations: Vec<String> = Vec::new();
        let mut numbers: Vec<u16> = Vec::new();
        for target in &self.targets {
            if let Some(generation) = Generation::of(*target) {
                let name = match generation {
                    Generation::RtxBlackwell => "RTX Blackwell".to_owned(),
                    other => format!("{other:?}"),
                };
                if !generations.contains(&name) {
                    generations.push(name);
                }
            }
            numbers.push(target.number);
        }
        // Targets are in order, so that equal numbers are neighbours.
        numbers.dedup();
        // The first target of an architecture's number stands for all of them, or is the only one.
        let shown = |number: &u16| {
            let mut of = self.targets.iter().filter(|target| target.number == *number);
            of.next().map(ToString::to_string).unwrap_or_default()
        };
        let targets: Vec<String> = numbers.iter().map(shown).collect();
        write!(f, "{} ({})", generations.join(", "), targets.join(", "))?;
        match self.of {
            Some(of) => write!(f, ", as of {of}"),
            None => Ok(()),
        }
    }
}
