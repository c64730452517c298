//! The shape of a variant: all that a generator needs to know of it, and nothing more.

use formats::Format;
use isa::limits::INPUTS_MAX;
use isa::{Clamp, Conversion, Family, Op, Scaling, Variant};

/// The inputs of one lane; inputs that the operation lacks are 0.
pub type Lane = [u64; INPUTS_MAX];

/// The meaning of a conversion's second input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// No second input.
    None,
    /// Random bits that decide the rounding.
    Random,
    /// The biased exponent of a power of two that the input is divided by.
    Divisor,
    /// The biased exponent of a power of two that the converted number is multiplied by.
    Factor,
}

/// The operation and the formats of a lane.
///
/// In the family [`Family::SumsAndProducts`], the exact result is always `X + Y`. X is the product, or the first
/// operand where there is no product. Y is the addend, if there is one, negated in a subtraction. A conversion is an X
/// alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// The operation computed; one operation stands for all those that no sweep tells apart.
    pub op: Op,
    /// The family of the operation.
    pub family: Family,
    /// Input formats; only the first `arity` count.
    pub formats: [&'static Format; INPUTS_MAX],
    /// Number of inputs.
    pub arity: usize,
    /// Whether all lanes share an input, for each input; shared inputs are always the last ones.
    pub shared: [bool; INPUTS_MAX],
    /// The factors of X; the second is 1 where there is no product.
    pub factors: [OperandSpan; 2],
    /// The addend: the last operand.
    pub addend: OperandSpan,
    /// The destination: the span of its format, or of the integers in that format where the result is one.
    pub destination: OperandSpan,
    /// The destination's format.
    pub result: &'static Format,
    /// The meaning of a conversion's second input.
    pub extra: Extra,
    /// Number of lanes.
    pub lanes: usize,
    /// Whether the result is clamped, by `.sat` or `.relu`.
    pub clamps: bool,
    /// Whether the variant looks for the out-of-bounds NaN.
    pub oob: bool,
    /// Whether the result is an approximation.
    pub approximate: bool,
}

/// The precision and the range of one operand, as the toolkit calculates with them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OperandSpan {
    /// Number of significand bits.
    pub precision: i32,
    /// Exponent of the last bit of a subnormal: no operand has a bit below it.
    pub unit: i32,
    /// Exponent of the leading bit of the largest number.
    pub max: i32,
}

impl OperandSpan {
    /// Returns the span of a format's numbers.
    pub const fn of(format: &Format) -> OperandSpan {
        OperandSpan {
            precision: format.precision() as i32,
            unit: format.exponent_of_lsb(),
            max: format.exponent_max(),
        }
    }

    /// The span of the factor 1, used where there is no second factor.
    pub const ONE: OperandSpan = OperandSpan { precision: 1, unit: 0, max: 0 };

    /// Returns the exponent of the leading bit of the smallest normal number.
    #[inline]
    pub const fn min(&self) -> i32 {
        self.unit + self.precision - 1
    }

    /// Returns the lowest and the highest exponent that the last bit of an integer of `length` bits may have.
    #[inline]
    pub const fn exponents(&self, length: i32) -> (i32, i32) {
        (self.unit, self.max - length + 1)
    }

    /// Returns the lowest and the highest exponent that a leading bit may have.
    #[inline]
    pub const fn leading(&self) -> (i32, i32) {
        (self.unit, self.max)
    }

    /// Returns the span of the numbers that are in both spans.
    #[inline]
    pub fn common(&self, other: &OperandSpan) -> OperandSpan {
        let precision = self.precision.min(other.precision);
        let min = self.min().max(other.min());
        OperandSpan { precision, unit: min - precision + 1, max: self.max.min(other.max) }
    }
}

impl Shape {
    /// Returns the shape of a variant.
    pub fn of(variant: &Variant) -> Shape {
        let inputs = variant.inputs();
        let formats: Vec<&'static Format> = inputs.iter().map(|input| input.format).collect();
        let meaning = variant.meaning();
        let shape = Shape::new(meaning.op, &formats, variant.outputs()[0].format);
        let is_integer = shape.result.is_integer();
        let OperandSpan { precision, max, .. } = shape.destination;
        let integers =
            // An integer format has every bit down to the units; a floating-point one has its precision.
            OperandSpan { precision: if is_integer { max + 1 } else { precision }, unit: 0, max };
        let converted = |at: usize| match meaning.converted == Some(at) {
            // The bits that survive the conversion to the destination count.
            true => shape.factors[at].common(&shape.destination),
            false => shape.factors[at],
        };
        Shape {
            shared: std::array::from_fn(|n| inputs.get(n).is_some_and(|input| input.is_shared())),
            factors: [converted(0), converted(1)],
            destination: if variant.is_integral() { integers } else { shape.destination },
            extra: match (meaning.op, meaning.scale) {
                (Op::Convert(Conversion::Stochastic(_)), _) => Extra::Random,
                (_, Some(Scaling::Multiply)) => Extra::Factor,
                (_, Some(Scaling::Divide)) => Extra::Divisor,
                (_, None) => Extra::None,
            },
            lanes: variant.lanes(),
            clamps: meaning.clamp != Clamp::None,
            oob: meaning.out_of_bounds,
            approximate: !variant.is_exact(),
            ..shape
        }
    }

    /// Returns the shape of one lane of an operation without modifiers.
    pub fn new(op: Op, formats: &[&'static Format], result: &'static Format) -> Shape {
        let family = op.family();
        let arity = formats.len();
        assert!((1..=INPUTS_MAX).contains(&arity), "inputs of {op:?}");
        let mut three = [formats[0]; INPUTS_MAX];
        three[..arity].copy_from_slice(formats);
        let shape = Shape {
            op: asked_as(op),
            family,
            formats: three,
            arity,
            shared: [false; INPUTS_MAX],
            factors: [OperandSpan::of(formats[0]), OperandSpan::ONE],
            addend: OperandSpan::of(formats[arity - 1]),
            destination: OperandSpan::of(result),
            result,
            extra: Extra::None,
            lanes: 1,
            clamps: false,
            oob: false,
            approximate: false,
        };
        let second = if op.multiplies() { OperandSpan::of(three[1]) } else { OperandSpan::ONE };
        Shape { factors: [shape.factors[0], second], ..shape }
    }

    /// Returns the inputs' formats.
    pub fn operands(&self) -> &[&'static Format] {
        &self.formats[..self.arity]
    }

    /// Returns the number of bits of a lane's inputs together.
    pub fn operand_bits(&self) -> u32 {
        self.operands().iter().map(|format| format.width()).sum()
    }

    /// Returns the number of bits of the inputs that all lanes share.
    pub fn shared_bits(&self) -> u32 {
        let widths = self.operands().iter().zip(self.shared);
        widths.map(|(format, shared)| if shared { format.width() } else { 0 }).sum()
    }

    /// Whether X is a product.
    #[inline]
    pub const fn multiplies(&self) -> bool {
        self.op.multiplies()
    }

    /// Whether there is an addend Y.
    #[inline]
    pub const fn adds(&self) -> bool {
        self.op.adds()
    }

    /// Whether the result is an integer in a floating-point format.
    pub fn is_integral(&self) -> bool {
        self.destination.unit == 0 && !self.result.is_fixed()
    }

    /// Whether the operation is of the family of sums and products.
    pub fn has_terms(&self) -> bool {
        self.family == Family::SumsAndProducts
    }
}

/// Returns the operation that the sweeps ask in the place of `op`. How numbers are compared or converted is nothing to
/// the sweeps, except for a conversion's random bits.
const fn asked_as(op: Op) -> Op {
    match op {
        Op::Convert(Conversion::Fixed | Conversion::Integral) => Op::Convert(Conversion::Rounded),
        Op::Neg | Op::Copysign | Op::Test(_) | Op::Extremum(_) | Op::Compare(_) => Op::Abs,
        _ => op,
    }
}
