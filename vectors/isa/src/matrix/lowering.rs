//! The sequence of units by which a target computes a matrix instruction.
//!
//! The sequences were read from the machine code that ptxas 13.5.37 makes, except where another source is named. A
//! driver's compiler may decide otherwise; a module of machine code pins the choice.

use std::collections::HashSet;

use formats::FormatId;

use super::unit::{Generation, Multiplicands, Unit};
use super::variant::MatrixVariant;
use crate::Target;

/// The way in which the terms of one element are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lowering {
    /// By a unit, group after group, starting from the addend.
    Unit(Unit),
    /// By a unit of f16, to which 8-bit operands are converted. It sums the terms whose place is 0 or 1 modulo 4,
    /// starting from zero, then the other terms, starting from that sum. The addend is added last, rounded to nearest
    /// even in its own format.
    ThroughHalf(Unit),
    /// By a unit that accumulates f32, whose result is rounded once more, to nearest even in f16. An addend of f16 is
    /// widened.
    Narrowed(Unit),
    /// By instructions for single numbers with f32 in between, each rounded to nearest even. Four products are added as
    /// `p3 + (p2 + (p1 + p0))`, fused, and the addend last.
    SingleSoftware,
    /// By instructions for single numbers where f16 is accumulated: `(c + (p0 + p1)) + (p2 + p3)` with f32 in between,
    /// each rounded to nearest even, and f16 at the end.
    HalfSoftware,
    /// By a unit whose products are scaled, one by one.
    Scaled(Unit),
    /// By a unit whose sums of [`SCALED_GROUP`](super::SCALED_GROUP) products are scaled.
    ScaledGroups(Unit),
    /// By a chain of fused operations of f64, in the rounding of the instruction.
    Fused,
}

impl Lowering {
    /// Returns the unit, or `None` where no unit computes the terms.
    pub const fn unit(self) -> Option<Unit> {
        let mut of = self;
        match of.unit_mut() {
            Some(unit) => Some(*unit),
            None => None,
        }
    }

    /// Returns the unit, to be changed, or `None` where no unit computes the terms.
    pub const fn unit_mut(&mut self) -> Option<&mut Unit> {
        match self {
            Lowering::Unit(unit)
            | Lowering::ThroughHalf(unit)
            | Lowering::Narrowed(unit)
            | Lowering::Scaled(unit)
            | Lowering::ScaledGroups(unit) => Some(unit),
            Lowering::SingleSoftware | Lowering::HalfSoftware | Lowering::Fused => None,
        }
    }

    /// Returns all lowerings of a variant among the given targets, each with its targets, in the order given.
    pub fn group_by_lowering(
        variant: &MatrixVariant,
        targets: impl IntoIterator<Item = Target>,
    ) -> Vec<(Lowering, Vec<Target>)> {
        let mut known: Vec<(Lowering, Vec<Target>)> = Vec::new();
        for target in targets {
            let Some(lowering) = Lowering::assumed(variant, target) else { continue };
            match known.iter_mut().find(|(other, _)| *other == lowering) {
                Some((_, targets)) => targets.push(target),
                None => known.push((lowering, vec![target])),
            }
        }
        known
    }

    /// Returns a variant and a target for every sum that differs, in every way in which some target computes it.
    pub fn every() -> Vec<(&'static MatrixVariant, Target)> {
        let mut seen = HashSet::new();
        let mut every = Vec::new();
        for variant in MatrixVariant::all() {
            // Everything but the name that a sum depends on.
            let sum = format!("{:?} {:?} {}", variant.dot(), variant.operands(), variant.is_unordered());
            for (lowering, targets) in
                Lowering::group_by_lowering(variant, Target::all().map(|(target, _)| target))
            {
                if seen.insert(format!("{sum} {lowering:?}")) {
                    every.push((variant, targets[0]));
                }
            }
        }
        every
    }

    /// Returns the lowering of a variant on a target. `None` where the target lacks the variant, and where nobody has
    /// published what the target computes: for a sparse A, and for K of 96.
    pub fn of(variant: &MatrixVariant, target: Target) -> Option<Lowering> {
        let dot = variant.dot();
        let published = dot.sparsity.is_none() && dot.k != 96;
        published.then(|| Lowering::assumed(variant, target)).flatten()
    }

    /// Returns the lowering of a variant on a target, with an assumption where nobody has published what the target
    /// computes: a sparse A is its stored elements alone, and terms beyond a group form another group. `None` where the
    /// target lacks the variant.
    pub fn assumed(variant: &MatrixVariant, target: Target) -> Option<Lowering> {
        let dot = variant.dot();
        let generation = Generation::of(target)?;
        if !variant.form().available(Some(target), None) {
            return None;
        }
        let [d, a, c] = [dot.d.id, dot.a.id, dot.c.id];
        if d == FormatId::F64 {
            return Some(Lowering::Fused);
        }
        let unit = |accumulated| Unit::of(generation, a, accumulated).copied();
        let words = variant.words();
        if dot.scales.is_some() {
            let four = words.iter().any(|word| word.starts_with("kind::mxf4"));
            let find = |operands| Unit::find(generation, operands, d).copied();
            return Some(match four {
                true => Lowering::ScaledGroups(find(Multiplicands::ScaledFour)?),
                false => Lowering::Scaled(find(Multiplicands::ScaledEight)?),
            });
        }
        let first = matches!(generation, Generation::Volta | Generation::Turing);
        match words[0] {
            // Generations after Turing have no unit for m8n8k4 of f16.
            "mma" if dot.k == 4 && a == FormatId::F16 && !first => Some(match d {
                FormatId::F16 => Lowering::HalfSoftware,
                _ => Lowering::SingleSoftware,
            }),
            // Turing keeps Volta's instruction for m8n8k4.
            "mma" if dot.k == 4 && a == FormatId::F16 => {
                Some(Lowering::Unit(*Unit::of(Generation::Volta, a, d)?))
            }
            "mma"
                if dot.a.width() <= 8
                    && matches!(generation, Generation::Hopper | Generation::Blackwell) =>
            {
                Some(Lowering::ThroughHalf(*Unit::of(generation, FormatId::F16, d)?))
            }
            // m16n16k8 is two instructions of K = 4.
            "wmma" if a == FormatId::Tf32 => {
                let unit = unit(d)?;
                Some(Lowering::Unit(Unit { group: unit.group.min(4), ..unit }))
            }
            "wmma" if d != c => match d {
                FormatId::F16 => Some(Lowering::Narrowed(unit(FormatId::F32)?)),
                _ => Some(Lowering::Unit(unit(d)?)),
            },
            _ => Some(Lowering::Unit(unit(d)?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lowering(text: &str, target: &str) -> Option<Lowering> {
        Lowering::of(&text.parse().unwrap(), target.parse().unwrap())
    }

    #[test]
    fn targets_make_different_sequences_of_one_instruction() {
        let fp8 = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32";
        let unit = |text, target| match lowering(text, target) {
            Some(Lowering::Unit(unit)) => (unit.fraction_bits, unit.group),
            other => panic!("{text} on {target}: {other:?}"),
        };
        assert_eq!((unit(fp8, "sm_89"), unit(fp8, "sm_120")), ((13, 16), (25, 32)));
        for target in ["sm_90", "sm_100a", "sm_110"] {
            assert!(matches!(lowering(fp8, target), Some(Lowering::ThroughHalf(_))), "{target}");
        }
        assert_eq!(
            unit("wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3(a-desc)", "sm_90a"),
            (13, 32)
        );
        let (mma, wmma) = (
            "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
            "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32",
        );
        assert_eq!(
            (unit(mma, "sm_90"), unit(wmma, "sm_90"), unit(mma, "sm_80")),
            ((25, 8), (25, 4), (24, 4))
        );
        let small = "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32";
        assert_eq!(
            (unit(small, "sm_70"), lowering(small, "sm_80")),
            ((23, 4), Some(Lowering::SingleSoftware))
        );
        assert_eq!(
            lowering("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "sm_80"),
            Some(Lowering::Fused)
        );
    }

    #[test]
    fn what_a_target_lacks_or_nobody_published_has_none() {
        assert_eq!(lowering("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "sm_75"), None);
        assert_eq!(lowering("mma.sp.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "sm_80"), None);
        // Every other form has a lowering wherever the form exists.
        for variant in MatrixVariant::all() {
            let dot = variant.dot();
            for (target, _) in
                Target::all().filter(|(target, _)| variant.form().available(Some(*target), None))
            {
                let published = dot.sparsity.is_none() && dot.k != 96;
                assert_eq!(Lowering::of(variant, target).is_some(), published, "{variant} on {target}");
            }
        }
    }
}
