//! Conditions on the operands of a lane, under which an implementation may have a fault that it does not have
//! elsewhere.

use formats::{Class, Format};
use isa::Variant;

/// A condition on the inputs of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    operands: Which,
    kind: Kind,
}

/// The inputs that a condition is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    /// One input, by its place.
    One(usize),
    /// Every input.
    Every,
    /// At least one of the inputs.
    Some,
}

/// The kind of datum that an input has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Of(Class),
    /// A NaN whose quiet bit is not set.
    Signalling,
    PositiveZero,
    NegativeZero,
    Negative,
    Positive,
}

const CLASSES: [Kind; 6] = [
    Kind::Of(Class::Zero),
    Kind::Of(Class::Subnormal),
    Kind::Of(Class::Normal),
    Kind::Of(Class::Infinity),
    Kind::Of(Class::Nan),
    Kind::Signalling,
];
const SIGNS: [Kind; 4] = [Kind::PositiveZero, Kind::NegativeZero, Kind::Negative, Kind::Positive];

impl Condition {
    /// Returns the conditions that a fault of a variant may have: on one input, and on several where there are.
    pub fn of(variant: &Variant) -> Vec<Condition> {
        let inputs = variant.inputs().len();
        let one = (0..inputs).flat_map(|input| {
            CLASSES
                .into_iter()
                .chain(SIGNS)
                .map(move |kind| Condition { operands: Which::One(input), kind })
        });
        let several = [Which::Every, Which::Some].into_iter().filter(|_| inputs > 1);
        let several = several.flat_map(|operands| CLASSES.map(|kind| Condition { operands, kind }));
        one.chain(several).filter(|of| of.is_possible(variant)).collect()
    }

    /// Whether the formats of the inputs have such data.
    fn is_possible(self, variant: &Variant) -> bool {
        let has = |format: &Format| match self.kind {
            _ if format.is_fixed() => matches!(self.kind, Kind::Of(Class::Zero | Class::Normal)),
            Kind::Of(Class::Subnormal) => format.has_subnormals(),
            Kind::Of(Class::Infinity) => format.infinity().is_some(),
            Kind::Of(Class::Nan) => format.nan().is_some(),
            Kind::Signalling => format.infinity().is_some() && format.nan().is_some(),
            Kind::Of(_) | Kind::Positive | Kind::PositiveZero => true,
            Kind::Negative | Kind::NegativeZero => format.signed,
        };
        let inputs = variant.inputs();
        match self.operands {
            Which::One(input) => has(inputs[input].format),
            Which::Every => inputs.iter().all(|input| has(input.format)),
            Which::Some => inputs.iter().any(|input| has(input.format)),
        }
    }

    /// Whether the inputs of a lane fulfil the condition.
    pub fn holds(self, variant: &Variant, inputs: &[u64]) -> bool {
        let mut each =
            variant.inputs().iter().zip(inputs).map(|(input, &bits)| self.kind.is(input.format, bits));
        match self.operands {
            Which::One(input) => each.nth(input).unwrap_or(false),
            Which::Every => each.all(|is| is),
            Which::Some => each.any(|is| is),
        }
    }

    /// Returns the condition in words.
    pub fn words(self, variant: &Variant) -> String {
        let which = match self.operands {
            Which::One(input) => variant.operands().get(input).map_or("a", |register| register.name),
            Which::Every => "every operand",
            Which::Some => "an operand",
        };
        format!("{which} is {}", self.kind.words())
    }

    /// Returns the name of the condition, behind that of a fault.
    pub fn id(self, variant: &Variant) -> String {
        self.words(variant).replace([' ', '+', '−'], "-")
    }
}

impl Kind {
    fn is(self, format: &Format, bits: u64) -> bool {
        let (class, negative) = (format.class(bits), format.is_negative(bits));
        match self {
            Kind::Of(of) => class == of,
            Kind::Signalling => class == Class::Nan && bits & format.quiet_bit() == 0,
            Kind::PositiveZero => class == Class::Zero && !negative,
            Kind::NegativeZero => class == Class::Zero && negative,
            Kind::Negative => negative,
            Kind::Positive => !negative,
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Kind::Of(Class::Zero) => "zero",
            Kind::Of(Class::Subnormal) => "subnormal",
            Kind::Of(Class::Normal) => "a normal number",
            Kind::Of(Class::Infinity) => "infinite",
            Kind::Of(Class::Nan) => "NaN",
            Kind::Signalling => "a signalling NaN",
            Kind::PositiveZero => "positive zero",
            Kind::NegativeZero => "negative zero",
            Kind::Negative => "negative",
            Kind::Positive => "positive",
        }
    }
}
