//! The properties of a sum of products that say whether it has what a fault is about.

use formats::FormatId;
use isa::Rounding;
use isa::matrix::{
    Dot, DotOperand, Lowering, MatrixVariant, Role, SCALED_GROUP, Sparsity, Unit, UnitRounding,
};

use super::stages::Grid;

/// A sum, as the table of faults asks about it.
#[derive(Clone, Copy)]
pub struct Sum<'a> {
    pub dot: &'a Dot,
    pub operands: &'a [DotOperand],
    pub lowering: Lowering,
    of_wgmma: bool,
}

impl Sum<'_> {
    /// Returns a variant's sum, by the lowering that a target has for it.
    pub fn new(variant: &MatrixVariant, lowering: Lowering) -> Sum<'_> {
        let of_wgmma = variant.text().starts_with("wgmma");
        Sum { dot: variant.dot(), operands: variant.operands(), lowering, of_wgmma }
    }

    /// Returns the unit that computes the sum; `None` where operations on single numbers do.
    pub fn unit(self) -> Option<Unit> {
        self.lowering.unit()
    }

    /// Returns how many products a unit takes as one term.
    fn products(self) -> usize {
        if matches!(self.lowering, Lowering::ScaledGroups(_)) { SCALED_GROUP } else { 1 }
    }

    /// Returns how many terms a unit adds at once.
    pub fn group(self) -> usize {
        self.unit().map_or(1, |unit| unit.group as usize / self.products())
    }

    /// Returns how many terms one chain of groups has.
    pub fn chain(self) -> usize {
        let terms = self.dot.stored() as usize / self.products();
        if matches!(self.lowering, Lowering::ThroughHalf(_)) { terms / 2 } else { terms }
    }

    /// Returns how many roundings follow one another.
    pub fn steps(self) -> usize {
        let halves = if matches!(self.lowering, Lowering::ThroughHalf(_)) { 2 } else { 1 };
        halves * self.chain().div_ceil(self.group())
    }

    /// Whether a unit adds the addend.
    pub fn joins_addend(self) -> bool {
        self.unit().is_some() && !matches!(self.lowering, Lowering::ThroughHalf(_))
    }

    /// Whether a unit aligns its terms by the exponents of products.
    pub fn is_aligned_by_products(self) -> bool {
        self.unit().is_some() && !matches!(self.lowering, Lowering::ScaledGroups(_))
    }

    /// Whether alignment keeps no more fraction bits than the accumulator has: all 23 of f32, or 13 of them.
    pub fn has_no_spare_bits(self) -> bool {
        self.unit().is_some_and(|unit| match unit.rounding {
            UnitRounding::TowardZero => unit.fraction_bits == 23,
            UnitRounding::TowardZero13 => unit.fraction_bits == 13,
            UnitRounding::NearestEven => false,
        })
    }

    /// Whether a unit rounds to f32, with all fraction bits or 13 of them.
    pub fn accumulates_single(self) -> bool {
        self.unit().is_some_and(|unit| unit.rounding != UnitRounding::NearestEven)
    }

    /// Whether a unit rounds to f32 with all its fraction bits.
    pub fn is_single(self) -> bool {
        self.unit().is_some_and(|unit| unit.rounding == UnitRounding::TowardZero)
    }

    /// Whether a unit rounds to f16.
    pub fn accumulates_half(self) -> bool {
        self.unit().is_some_and(|unit| unit.rounding == UnitRounding::NearestEven)
    }

    /// Whether fused operations of f64 compute the sum.
    pub fn is_fused(self) -> bool {
        self.lowering == Lowering::Fused
    }

    /// Whether fused operations of f64 have a rounding that depends on what lies below the last place: toward zero it
    /// does not.
    pub fn shows_lost_bits(self) -> bool {
        self.is_fused() && self.dot.rounding != Some(Rounding::TowardZero)
    }

    /// Whether products of full precision are longer than the accumulator's numbers.
    pub fn rounds_products(self) -> bool {
        let longest = self.dot.a.precision() + self.dot.b.precision();
        let kept = match self.unit() {
            Some(unit) => Grid::of(&unit).precision,
            // Other sequences have more precise numbers in between than their products need.
            None if self.is_fused() => self.dot.d.precision(),
            None => return false,
        };
        longest > kept
    }

    /// Whether A or B have subnormal numbers.
    pub fn has_subnormal_elements(self) -> bool {
        self.dot.a.has_subnormals() || self.dot.b.has_subnormals()
    }

    /// Whether A or B have infinities.
    pub fn multiplies_infinities(self) -> bool {
        self.dot.a.infinity().is_some() || self.dot.b.infinity().is_some()
    }

    /// Whether zeros of a sparse A may meet NaN or infinities.
    pub fn meets_zeros(self) -> bool {
        let special = self.dot.b.nan().is_some() || self.dot.b.infinity().is_some();
        self.dot.sparsity.is_some() && special
    }

    /// How many scales a row has.
    pub fn blocks(self) -> u32 {
        self.dot.scales.map_or(0, |scales| scales.count)
    }

    /// Whether metadata are pairs of indices.
    pub fn has_pairs(self) -> bool {
        matches!(self.dot.sparsity, Some(Sparsity::TwoOfFour | Sparsity::PairsOfEight))
    }

    /// Whether operands control the sum: the signs of A's and B's elements, and the adding and scaling of the addend.
    pub fn has_controls(self) -> bool {
        self.operands.iter().any(|operand| operand.role == Role::Controls)
    }

    /// Whether the manual says that low bits of a register are cut off: of tf32 in `wgmma` (9.7.17.5.2).
    pub fn cuts_registers(self) -> bool {
        self.dot.a.id == FormatId::Tf32 && self.of_wgmma
    }

    /// Whether a unit's sum in f32 is rounded before the last group is added, or is stored as f32.
    pub fn keeps_single(self) -> bool {
        let narrowed_at_once = matches!(self.lowering, Lowering::Narrowed(_)) && self.steps() == 1;
        self.accumulates_single() && !narrowed_at_once
    }

    /// Whether sums may be infinite because they are too large: where products reach the last place of the
    /// largest number.
    pub fn overflows(self) -> bool {
        let Dot { a, b, d, .. } = self.dot;
        if self.dot.rounding == Some(Rounding::TowardZero) {
            return false;
        }
        let scales = self.dot.scales.map_or(0, |scales| 2 * scales.format.exponent_max());
        // Each significand is below 2, and as many terms are added as A stores.
        let sum = a.exponent_max() + b.exponent_max() + 2 + self.dot.stored().ilog2() as i32;
        sum + scales > d.exponent_max() - d.precision() as i32
    }

    /// Whether a sum may be subnormal: where its addend is, or a product.
    pub fn may_be_subnormal(self) -> bool {
        let Dot { a, b, c, d, .. } = self.dot;
        let scales = self.dot.scales.map_or(0, |scales| 2 * scales.format.exponent_of_lsb());
        let product = a.exponent_of_lsb() + b.exponent_of_lsb() + scales;
        c.exponent_of_lsb().min(product) < d.exponent_min()
    }

    /// Whether products may be so small that they are aligned to an exponent that is `above_zero` above that of a zero,
    /// and then have bits that are cut off.
    pub fn ends_at(self, above_zero: i32) -> bool {
        let Some(unit) = self.unit() else { return false };
        let scales = self.dot.scales.map_or(0, |scales| 2 * scales.format.exponent_min());
        let [a, b] = [self.dot.a, self.dot.b];
        let last = a.exponent_of_lsb() + b.exponent_of_lsb();
        let products = match self.lowering {
            // Elements are numbers of f16 here, aligned by their leading bits.
            Lowering::ThroughHalf(_) => last,
            Lowering::ScaledGroups(_) => 0,
            _ => a.exponent_min() + b.exponent_min(),
        };
        let end = unit.zero_exponent + above_zero;
        products + scales < end && last + scales < end - unit.fraction_bits as i32
    }
}
