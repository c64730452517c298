//! What sums have that faults are about.

use vectors::format::FormatId;
use vectors::matrix::{Dot, DotOperand, Lowering, Role, SCALED_GROUP, Sparsity, Unit, UnitRounding};

/// A sum, as the table of faults asks about it.
#[derive(Clone, Copy)]
pub struct Sum<'a> {
    pub dot: &'a Dot,
    pub operands: &'a [DotOperand],
    pub lowering: Lowering,
}

/// The unit of a lowering.
pub fn unit_of(lowering: &mut Lowering) -> Option<&mut Unit> {
    match lowering {
        Lowering::Unit(unit)
        | Lowering::ThroughHalf(unit)
        | Lowering::Narrowed(unit)
        | Lowering::Scaled(unit)
        | Lowering::ScaledGroups(unit) => Some(unit),
        Lowering::SingleSoftware | Lowering::HalfSoftware | Lowering::Fused => None,
    }
}

impl Sum<'_> {
    /// The unit that computes it.
    pub fn unit(mut self) -> Option<Unit> {
        unit_of(&mut self.lowering).copied()
    }

    /// Products that a unit takes as one term.
    fn products(self) -> usize {
        if matches!(self.lowering, Lowering::ScaledGroups(_)) { SCALED_GROUP } else { 1 }
    }

    /// How many terms a unit adds at once.
    pub fn group(self) -> usize {
        self.unit().map_or(1, |unit| unit.group as usize / self.products())
    }

    /// How many terms one chain of groups has.
    pub fn chain(self) -> usize {
        let terms = self.dot.stored() as usize / self.products();
        if matches!(self.lowering, Lowering::ThroughHalf(_)) { terms / 2 } else { terms }
    }

    /// How many roundings follow one another.
    pub fn steps(self) -> usize {
        let halves = if matches!(self.lowering, Lowering::ThroughHalf(_)) { 2 } else { 1 };
        halves * self.chain().div_ceil(self.group())
    }

    /// Whether a unit adds the addend.
    pub fn joins_addend(self) -> bool {
        self.unit().is_some() && !matches!(self.lowering, Lowering::ThroughHalf(_))
    }

    /// Whether terms of a unit have exponents of products.
    pub fn is_aligned_by_products(self) -> bool {
        self.unit().is_some() && !matches!(self.lowering, Lowering::ScaledGroups(_))
    }

    /// Whether a unit rounds to f32 …
    pub fn accumulates_single(self) -> bool {
        self.unit().is_some_and(|unit| unit.rounding != UnitRounding::NearestEven)
    }

    /// … all bits of it …
    pub fn is_single(self) -> bool {
        self.unit().is_some_and(|unit| unit.rounding == UnitRounding::TowardZero)
    }

    /// … or to f16.
    pub fn accumulates_half(self) -> bool {
        self.unit().is_some_and(|unit| unit.rounding == UnitRounding::NearestEven)
    }

    /// Whether A or B have subnormal numbers.
    pub fn has_subnormal_elements(self) -> bool {
        self.dot.a.has_subnormals() || self.dot.b.has_subnormals()
    }

    /// Whether A or B have infinities.
    pub fn multiplies_infinities(self) -> bool {
        self.dot.a.infinity().is_some() || self.dot.b.infinity().is_some()
    }

    /// How many scales a row has.
    pub fn blocks(self) -> u32 {
        self.dot.scales.map_or(0, |scales| scales.count)
    }

    /// Whether metadata are pairs of indices.
    pub fn has_pairs(self) -> bool {
        matches!(self.dot.sparsity, Some(Sparsity::TwoOfFour | Sparsity::PairsOfEight))
    }

    /// Whether operands say what of it is added.
    pub fn has_controls(self) -> bool {
        self.operands.iter().any(|operand| operand.role == Role::Controls)
    }

    pub fn is_tf32(self) -> bool {
        self.dot.a.id == FormatId::Tf32
    }
}
