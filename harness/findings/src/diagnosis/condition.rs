//! Conditions on the operands of a lane, under which an implementation may have a fault that it does not have
//! elsewhere.

use std::cmp::Ordering;

use formats::{Class, Format, Scale};
use isa::Variant;

use super::range::Range;

/// A condition on the inputs of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Some inputs are data of a kind.
    Kind(Which, Kind),
    /// The first two inputs, or a product and its addend, are in a relation.
    Pair(Relation),
    /// Something that the lane computes with lies in a range.
    Within(Range),
}

/// A conjunction of one or two conditions on a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Only {
    first: Condition,
    second: Option<Condition>,
}

impl Only {
    /// Returns the conjunction of two conditions.
    pub fn both(first: Condition, second: Condition) -> Only {
        Only { first, second: Some(second) }
    }

    fn each(self) -> impl Iterator<Item = Condition> {
        std::iter::once(self.first).chain(self.second)
    }

    /// Whether a lane with these inputs and this right result fulfils the conditions.
    pub fn holds(self, variant: &Variant, inputs: &[u64], right: u64) -> bool {
        self.each().all(|of| of.holds(variant, inputs, right))
    }

    /// Returns the conditions in words.
    pub fn words(self, variant: &Variant) -> String {
        self.each().map(|of| of.words(variant)).collect::<Vec<_>>().join(" and ")
    }

    /// Returns the name of the conditions, behind that of a fault.
    pub fn id(self, variant: &Variant) -> String {
        self.each().map(|of| of.id(variant)).collect::<Vec<_>>().join("-and-")
    }

    /// How complicated the conditions are: few of them are simpler than many, and a range with one end than one with two.
    pub fn complexity(self) -> usize {
        let of = |condition| match condition {
            Condition::Within(range) if range.is_bounded() => 2,
            _ => 1,
        };
        self.each().map(of).sum()
    }
}

impl From<Condition> for Only {
    fn from(first: Condition) -> Only {
        Only { first, second: None }
    }
}

/// The inputs that a condition is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// One input, by its place.
    One(usize),
    /// Every input.
    Every,
    /// At least one of the inputs.
    Some,
}

/// The kind of datum that an input has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A class of data, of either sign.
    Of(Class),
    /// A NaN whose quiet bit is not set.
    Signalling,
    /// A NaN whose quiet bit is set.
    Quiet,
    /// The zero without a sign bit.
    PositiveZero,
    /// The zero with a sign bit.
    NegativeZero,
    /// A datum with a sign bit.
    Negative,
    /// A datum without a sign bit.
    Positive,
    /// A normal number whose significand is 1.
    PowerOfTwo,
}

/// A relation of two inputs, or of a product and the third input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The first two have the same sign.
    SameSign,
    /// The first two have different signs.
    OtherSign,
    /// The product of the first two has the sign of the third.
    ProductSameSign,
    /// The product of the first two has the other sign than the third.
    ProductOtherSign,
    /// The magnitude of the first is compared with that of the second.
    Magnitude(Ordering),
}

const CLASSES: [Kind; 6] = [
    Kind::Of(Class::Zero),
    Kind::Of(Class::Subnormal),
    Kind::Of(Class::Normal),
    Kind::Of(Class::Infinity),
    Kind::Of(Class::Nan),
    Kind::Signalling,
];
const OF_ONE: [Kind; 6] = [
    Kind::PositiveZero,
    Kind::NegativeZero,
    Kind::Negative,
    Kind::Positive,
    Kind::Quiet,
    Kind::PowerOfTwo,
];
const RELATIONS: [Relation; 7] = [
    Relation::SameSign,
    Relation::OtherSign,
    Relation::ProductSameSign,
    Relation::ProductOtherSign,
    Relation::Magnitude(Ordering::Greater),
    Relation::Magnitude(Ordering::Less),
    Relation::Magnitude(Ordering::Equal),
];

impl Condition {
    /// Returns the conditions that a fault of a variant may have: on one input, on several where there are, and on the
    /// relation of two.
    pub fn of(variant: &Variant) -> Vec<Condition> {
        let inputs = variant.inputs().len();
        let one = (0..inputs).flat_map(|input| {
            CLASSES.into_iter().chain(OF_ONE).map(move |kind| Condition::Kind(Which::One(input), kind))
        });
        let several = [Which::Every, Which::Some].into_iter().filter(|_| inputs > 1);
        let several = several.flat_map(|which| CLASSES.map(|kind| Condition::Kind(which, kind)));
        let pairs = RELATIONS.into_iter().map(Condition::Pair);
        one.chain(several).chain(pairs).filter(|of| of.is_possible(variant)).collect()
    }

    /// Whether the formats of the inputs have such data.
    fn is_possible(self, variant: &Variant) -> bool {
        let inputs = variant.inputs();
        match self {
            Condition::Kind(Which::One(input), kind) => kind.is_in(inputs[input].format),
            Condition::Kind(Which::Every, kind) => inputs.iter().all(|input| kind.is_in(input.format)),
            Condition::Kind(Which::Some, kind) => inputs.iter().any(|input| kind.is_in(input.format)),
            Condition::Pair(relation) => relation.is_possible(variant),
            Condition::Within(_) => true,
        }
    }

    /// Whether a lane with these inputs and this right result fulfils the condition.
    pub fn holds(self, variant: &Variant, inputs: &[u64], right: u64) -> bool {
        let is = |kind: Kind| {
            variant.inputs().iter().zip(inputs).map(move |(input, &bits)| kind.is(input.format, bits))
        };
        match self {
            Condition::Kind(Which::One(input), kind) => is(kind).nth(input).unwrap_or(false),
            Condition::Kind(Which::Every, kind) => is(kind).all(|is| is),
            Condition::Kind(Which::Some, kind) => is(kind).any(|is| is),
            Condition::Pair(relation) => relation.holds(variant.inputs()[0].format, inputs),
            Condition::Within(range) => range.has(variant, inputs, right),
        }
    }

    /// Returns the condition in words.
    pub fn words(self, variant: &Variant) -> String {
        let name = |input: usize| variant.operands().get(input).map_or("a", |register| register.name);
        match self {
            Condition::Kind(Which::One(input), kind) => format!("{} is {}", name(input), kind.words()),
            Condition::Kind(Which::Every, kind) => format!("every operand is {}", kind.words()),
            Condition::Kind(Which::Some, kind) => format!("an operand is {}", kind.words()),
            Condition::Pair(relation) => relation.words([0, 1, 2].map(name)),
            Condition::Within(range) => range.words(variant),
        }
    }

    /// Returns the name of the condition, behind that of a fault.
    pub fn id(self, variant: &Variant) -> String {
        match self {
            Condition::Within(range) => range.id(variant),
            _ => self.words(variant).replace([' ', '+', '−'], "-"),
        }
    }
}

impl Kind {
    /// Whether a format has data of the kind.
    fn is_in(self, format: &Format) -> bool {
        match self {
            _ if format.is_fixed() => matches!(self, Kind::Of(Class::Zero | Class::Normal)),
            Kind::Of(Class::Subnormal) => format.has_subnormals(),
            Kind::Of(Class::Infinity) => format.infinity().is_some(),
            Kind::Of(Class::Nan) => format.nan().is_some(),
            Kind::Signalling | Kind::Quiet => format.infinity().is_some() && format.nan().is_some(),
            Kind::Of(_) | Kind::Positive | Kind::PositiveZero => true,
            Kind::Negative | Kind::NegativeZero => format.signed,
            Kind::PowerOfTwo => format.scale == Scale::Floating,
        }
    }

    fn is(self, format: &Format, bits: u64) -> bool {
        let (class, negative) = (format.class(bits), format.is_negative(bits));
        match self {
            Kind::Of(of) => class == of,
            Kind::Signalling => class == Class::Nan && bits & format.quiet_bit() == 0,
            Kind::Quiet => class == Class::Nan && bits & format.quiet_bit() != 0,
            Kind::PositiveZero => class == Class::Zero && !negative,
            Kind::NegativeZero => class == Class::Zero && negative,
            Kind::Negative => negative,
            Kind::Positive => !negative,
            Kind::PowerOfTwo => class == Class::Normal && bits & format.trailing_mask() == 0,
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
            Kind::Quiet => "a quiet NaN",
            Kind::PositiveZero => "positive zero",
            Kind::NegativeZero => "negative zero",
            Kind::Negative => "negative",
            Kind::Positive => "positive",
            Kind::PowerOfTwo => "a power of two",
        }
    }
}

impl Relation {
    /// Whether a variant has so many inputs, of one format with signs.
    fn is_possible(self, variant: &Variant) -> bool {
        let wanted = match self {
            Relation::ProductSameSign | Relation::ProductOtherSign => 3,
            _ => 2,
        };
        let inputs = variant.inputs();
        let first = inputs[0].format;
        let float = first.scale == Scale::Floating && first.signed;
        float && inputs.len() >= wanted && inputs[..wanted].iter().all(|input| input.format == first)
    }

    /// Whether inputs of a format are in the relation.
    fn holds(self, format: &Format, inputs: &[u64]) -> bool {
        let negative = |input: usize| format.is_negative(inputs[input]);
        let [a, b] = [0, 1].map(|input| inputs[input] & format.magnitude_mask());
        match self {
            Relation::SameSign => negative(0) == negative(1),
            Relation::OtherSign => negative(0) != negative(1),
            Relation::ProductSameSign => (negative(0) != negative(1)) == negative(2),
            Relation::ProductOtherSign => (negative(0) != negative(1)) != negative(2),
            Relation::Magnitude(order) => a.cmp(&b) == order,
        }
    }

    /// Returns the relation in words, for inputs of these names.
    fn words(self, [a, b, c]: [&str; 3]) -> String {
        match self {
            Relation::SameSign => format!("{a} and {b} have the same sign"),
            Relation::OtherSign => format!("{a} and {b} have different signs"),
            Relation::ProductSameSign => format!("the product and {c} have the same sign"),
            Relation::ProductOtherSign => format!("the product and {c} have different signs"),
            Relation::Magnitude(Ordering::Greater) => format!("{a} is larger than {b} in magnitude"),
            Relation::Magnitude(Ordering::Less) => format!("{a} is smaller than {b} in magnitude"),
            Relation::Magnitude(Ordering::Equal) => format!("{a} and {b} have the same magnitude"),
        }
    }
}
