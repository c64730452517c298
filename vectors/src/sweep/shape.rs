//! What a generator needs to know of a variant, and nothing more.

use crate::format::Format;
use crate::isa::{Modifier, Operation, Variant};

/// The operands of one lane; those that the operation lacks are 0.
pub type Lane = [u64; 3];

/// Operation and formats of a lane. The exact result is always `X + Y`: the product, or the first
/// operand where there is no product, plus the addend, or minus it in a subtraction, if there is one.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// What is computed.
    pub operation: Operation,
    /// Operand formats; only the first `arity` count.
    pub formats: [&'static Format; 3],
    /// Number of operands.
    pub arity: usize,
    /// The factors of X; the second is 1 where there is no product.
    pub factors: [Span; 2],
    /// The addend: the last operand.
    pub addend: Span,
    /// The destination.
    pub destination: Span,
    /// The destination's format.
    pub result: &'static Format,
    /// Number of lanes.
    pub lanes: usize,
    /// Whether the result is clamped, by `.sat` or `.relu`.
    pub clamps: bool,
    /// Whether the variant looks for the out-of-bounds NaN.
    pub oob: bool,
}

/// Precision and range of one operand as the toolkit calculates with them.
#[derive(Clone, Copy, Debug)]
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
            unit: format.exponent_min() - format.trailing_bits as i32,
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
}

impl Shape {
    /// That of a variant.
    pub fn of(variant: &Variant) -> Shape {
        let formats: Vec<&'static Format> = variant.inputs().iter().map(|input| input.format).collect();
        let shape = Shape::new(variant.operation(), &formats, variant.outputs()[0].format);
        let any = |of: &[Modifier]| of.iter().any(|&modifier| variant.has(modifier));
        Shape {
            lanes: variant.lanes(),
            clamps: any(&[Modifier::Sat, Modifier::Relu]),
            oob: any(&[Modifier::Oob]),
            ..shape
        }
    }

    /// One lane of an operation without modifiers.
    pub fn new(operation: Operation, formats: &[&'static Format], result: &'static Format) -> Shape {
        let multiplies = matches!(operation, Operation::Mul | Operation::Fma);
        let arity = if operation == Operation::Fma { 3 } else { 2 };
        assert_eq!(formats.len(), arity, "operands of {operation:?}");
        let mut three = [formats[0]; 3];
        three[..arity].copy_from_slice(formats);
        let second = if multiplies { Span::of(formats[1]) } else { Span::ONE };
        Shape {
            operation,
            formats: three,
            arity,
            factors: [Span::of(formats[0]), second],
            addend: Span::of(formats[arity - 1]),
            destination: Span::of(result),
            result,
            lanes: 1,
            clamps: false,
            oob: false,
        }
    }

    /// The operands' formats.
    pub fn operands(&self) -> &[&'static Format] {
        &self.formats[..self.arity]
    }

    /// Bits of a lane's operands together.
    pub fn operand_bits(&self) -> u32 {
        self.operands().iter().map(|format| format.width()).sum()
    }

    /// Whether X is a product.
    #[inline]
    pub const fn multiplies(&self) -> bool {
        matches!(self.operation, Operation::Mul | Operation::Fma)
    }

    /// Whether there is an addend Y.
    #[inline]
    pub const fn adds(&self) -> bool {
        !matches!(self.operation, Operation::Mul)
    }
}
