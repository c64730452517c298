//! What a generator needs to know of a variant, and nothing more.

use formats::Format;
use isa::limits::INPUTS_MAX;
use isa::{Clamp, Conversion, Family, Op, Scaling, Variant};

/// The inputs of one lane; those that the operation lacks are 0.
pub type Lane = [u64; INPUTS_MAX];

/// What the second input of a conversion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// There is none.
    None,
    /// Random bits that decide the rounding.
    Random,
    /// The biased exponent of a power of two that the input is divided by.
    Divisor,
    /// The biased exponent of a power of two that the converted number is multiplied by.
    Factor,
}

/// Operation and formats of a lane. Of the family of [`Family::SumsAndProducts`], the exact result is always
/// `X + Y`: the product, or the first operand where there is no product, plus the addend, or minus it
/// in a subtraction, if there is one. A conversion is an X alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// What is computed: of operations that no sweep tells apart, one.
    pub op: Op,
    /// Of which family that is.
    pub family: Family,
    /// Input formats; only the first `arity` count.
    pub formats: [&'static Format; INPUTS_MAX],
    /// Number of inputs.
    pub arity: usize,
    /// Which inputs all lanes share; if any, then the last ones.
    pub shared: [bool; INPUTS_MAX],
    /// The factors of X; the second is 1 where there is no product.
    pub factors: [Span; 2],
    /// The addend: the last operand.
    pub addend: Span,
    /// The destination: its format, or the integers in it where the result is one.
    pub destination: Span,
    /// The destination's format.
    pub result: &'static Format,
    /// What the second input of a conversion is.
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

/// Precision and range of one operand as the toolkit calculates with them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Significand bits.
    pub precision: i32,
    /// Exponent of the last bit of a subnormal: no operand has a bit below it.
    pub unit: i32,
    /// Exponent of the leading bit of the largest number.
    pub max: i32,
}

impl Span {
    /// Of a format.
    pub const fn of(format: &Format) -> Span {
        Span {
            precision: format.precision() as i32,
            unit: format.exponent_of_lsb(),
            max: format.exponent_max(),
        }
    }

    /// The factor 1, where there is no second one.
    pub const ONE: Span = Span { precision: 1, unit: 0, max: 0 };

    /// Exponent of the leading bit of the smallest normal number.
    #[inline]
    pub const fn min(&self) -> i32 {
        self.unit + self.precision - 1
    }

    /// The exponents that the last bit of an integer of `length` bits may have.
    #[inline]
    pub const fn exponents(&self, length: i32) -> (i32, i32) {
        (self.unit, self.max - length + 1)
    }

    /// The exponents that a leading bit may have.
    #[inline]
    pub const fn leading(&self) -> (i32, i32) {
        (self.unit, self.max)
    }

    /// The numbers that are in both.
    #[inline]
    pub fn common(&self, other: &Span) -> Span {
        let precision = self.precision.min(other.precision);
        let min = self.min().max(other.min());
        Span { precision, unit: min - precision + 1, max: self.max.min(other.max) }
    }
}

impl Shape {
    /// That of a variant.
    pub fn of(variant: &Variant) -> Shape {
        let inputs = variant.inputs();
        let formats: Vec<&'static Format> = inputs.iter().map(|input| input.format).collect();
        let meaning = variant.meaning();
        let shape = Shape::new(meaning.op, &formats, variant.outputs()[0].format);
        let is_integer = shape.result.is_integer();
        let Span { precision, max, .. } = shape.destination;
        let integers = Span { precision: if is_integer { max + 1 } else { precision }, unit: 0, max };
        let converted = |at: usize| match meaning.converted == Some(at) {
            // What survives the conversion to the destination counts.
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

    /// One lane of an operation without modifiers.
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
            factors: [Span::of(formats[0]), Span::ONE],
            addend: Span::of(formats[arity - 1]),
            destination: Span::of(result),
            result,
            extra: Extra::None,
            lanes: 1,
            clamps: false,
            oob: false,
            approximate: false,
        };
        let second = if op.multiplies() { Span::of(three[1]) } else { Span::ONE };
        Shape { factors: [shape.factors[0], second], ..shape }
    }

    /// The inputs' formats.
    pub fn operands(&self) -> &[&'static Format] {
        &self.formats[..self.arity]
    }

    /// Bits of a lane's inputs together.
    pub fn operand_bits(&self) -> u32 {
        self.operands().iter().map(|format| format.width()).sum()
    }

    /// Bits of the inputs that all lanes share.
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

    /// Whether it is of the family of sums and products.
    pub fn has_terms(&self) -> bool {
        self.family == Family::SumsAndProducts
    }
}

/// The operation that the sweeps ask in the place of another: how numbers are compared or converted is nothing to
/// them, but for the random bits.
const fn asked_as(op: Op) -> Op {
    match op {
        Op::Convert(Conversion::Fixed | Conversion::Integral) => Op::Convert(Conversion::Rounded),
        Op::Neg | Op::Copysign | Op::Test(_) | Op::Extremum(_) | Op::Compare(_) => Op::Abs,
        _ => op,
    }
}
