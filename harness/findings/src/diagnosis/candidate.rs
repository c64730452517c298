//! Guesses at what an implementation computes in the place of a variant: the variant with faults, another variant of
//! its operation, its registers as integers, or nothing.

use emulator::{Backend, Kernel};
use faults::inject;
use formats::Column;
use isa::{Modifier, Variant};
use model::{Fault, Faults, Model};
use reports::Flaw;

use super::Explanation;
use super::condition::Only;
use super::integers::Integers;
use super::siblings::Sibling;

/// The words for a fault where nothing is computed.
const ZERO: &str = "nothing is computed: all results are zero";

/// A guess at what an implementation computes in the place of a variant.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The computation that stands in the place of the variant.
    pub computes: Computes,
    /// The faults of the computation; none for integers and zeros.
    pub faults: Faults,
    /// The conditions under which the guess is computed, if the variant is right everywhere else.
    pub only: Option<Only>,
}

/// The computation that stands in the place of a variant.
#[derive(Clone, Copy, Debug)]
pub enum Computes {
    /// The variant itself.
    Itself,
    /// A sibling: another variant of the same operation.
    Sibling(Sibling),
    /// The variant's operation on its registers as integers.
    Integers(Integers),
    /// Nothing: all results are 0.
    Zero,
}

impl Candidate {
    /// Returns the guess that the variant itself is computed with `faults`.
    pub fn faulty(faults: impl Into<Faults>) -> Candidate {
        Candidate { computes: Computes::Itself, faults: faults.into(), only: None }
    }

    /// Returns the guess that `computes` is computed, with no faults beside.
    pub fn of(computes: Computes) -> Candidate {
        Candidate { computes, faults: Faults::default(), only: None }
    }

    /// Computes every row of `results`, which are columns of `variant`, as the guess has it.
    pub fn run(&self, variant: &Variant, operands: &[Column], results: &mut [Column]) {
        if let Some(condition) = self.only {
            let everywhere = Candidate { only: None, ..*self };
            return everywhere.run_only(condition, variant, operands, results);
        }
        match self.computes {
            Computes::Itself => Model::new(variant, self.faults).run(operands, results),
            Computes::Sibling(sibling) => self.run_sibling(sibling.variant, operands, results),
            Computes::Integers(integers) => integers.run(variant, operands, results),
            Computes::Zero => results.iter_mut().for_each(|column| column.bytes_mut().fill(0)),
        }
    }

    /// Computes every row of `results`, of a variant with one output: as the guess has it in lanes that fulfil a
    /// condition, and rightly in all others.
    fn run_only(&self, condition: Only, variant: &Variant, operands: &[Column], results: &mut [Column]) {
        let rows = operands[0].rows();
        self.run(variant, operands, results);
        let mut wrong = vec![0; rows * variant.lanes()];
        variant.outputs()[0].gather(variant.results(), results, 0..rows, &mut wrong);
        let mut right = isa::results_for(variant, rows);
        match Kernel::of(variant, Backend::Scalar) {
            Some(kernel) => kernel.run(operands, &mut right),
            None => Model::new(variant, None).run(operands, &mut right),
        }
        inject(variant, operands, &right, results, |element, inputs, right| {
            if condition.holds(variant, inputs, right) { wrong[element] } else { right }
        });
    }

    /// Computes every row of `results` by another variant on the low bits of the first registers; results that it has
    /// no register for become zeros.
    fn run_sibling(&self, sibling: &'static Variant, operands: &[Column], results: &mut [Column]) {
        let rows = operands[0].rows();
        let mut own = isa::columns_for(sibling, rows);
        for (own, (column, register)) in own.iter_mut().zip(operands.iter().zip(sibling.operands())) {
            copy(column, own, register.ty.mask());
        }
        let mut given = isa::results_for(sibling, rows);
        // The emulator has no faults, so the model computes where some are supposed.
        let kernel = Kernel::of(sibling, Backend::Scalar).filter(|_| self.faults.is_empty());
        match kernel {
            Some(kernel) => kernel.run(&own, &mut given),
            None => Model::new(sibling, self.faults).run(&own, &mut given),
        }
        for (number, column) in results.iter_mut().enumerate() {
            match given.get(number) {
                Some(given) => copy(given, column, u64::MAX),
                None => column.bytes_mut().fill(0),
            }
        }
    }

    /// Returns the explanation that this guess gives of a variant, with no mismatches counted yet. The faults in
    /// `open`, which the manual leaves open, are not among its flaws; its words tell how they are taken.
    pub fn explanation(&self, variant: &Variant, open: Faults) -> Explanation {
        let mut parts = match self.computes {
            Computes::Itself => vec![],
            Computes::Sibling(sibling) => sibling.flaws(),
            Computes::Integers(integers) => vec![Flaw::new("computed-as-integers", integers.words())],
            Computes::Zero => vec![Flaw::new("always-zero", ZERO)],
        };
        if let Some(condition) = self.only {
            let computed = parts.into_iter().map(|part| part.id);
            let ids: Vec<String> = computed.chain(self.faults.iter().map(Fault::id)).collect();
            let id = format!("{}-where-{}", ids.join("-and-"), condition.id(variant));
            return Explanation::of(vec![Flaw::new(
                id,
                self.words(open) + ", but only where " + &condition.words(variant),
            )]);
        }
        let faults = self.faults.iter().filter(|fault| !open.has(*fault));
        parts.extend(faults.map(|fault| Flaw {
            modifier: named_after(fault, variant),
            ..Flaw::new(fault.id(), fault.words())
        }));
        Explanation { words: self.words(open), ..Explanation::of(parts) }
    }

    /// Returns in words what is wrong, and how the points in `open`, which the manual leaves open, are taken.
    fn words(&self, open: Faults) -> String {
        let computed = match self.computes {
            Computes::Itself => None,
            Computes::Sibling(sibling) => Some(sibling.words()),
            Computes::Integers(integers) => Some(integers.words().into()),
            Computes::Zero => Some(ZERO.into()),
        };
        let faults = self.faults.iter().filter(|fault| !open.has(*fault));
        let parts: Vec<String> = computed.into_iter().chain(faults.map(Fault::words)).collect();
        let taken: Vec<String> = open.iter().map(Fault::words).collect();
        match taken.is_empty() {
            true => parts.join("; and "),
            false => format!(
                "{}; and, which the manual leaves open, {}",
                parts.join("; and "),
                taken.join(", ")
            ),
        }
    }

    /// Returns the modifiers of a variant that have no effect by this guess, if nothing else is wrong.
    pub fn ignored(&self, variant: &Variant) -> Option<Vec<String>> {
        let mut faults = self.faults.iter().filter(|_| self.only.is_none());
        match (self.computes, faults.next(), faults.next()) {
            (Computes::Sibling(sibling), None, _) if sibling.only_ignores() => {
                Some(sibling.ignored().iter().map(|modifier| modifier.to_string()).collect())
            }
            (Computes::Itself, Some(fault), None) => Some(vec![modifier_of(fault, variant)?]),
            _ => None,
        }
    }
}

/// Copies the bits of `mask` of every row into a column whose rows may have another width.
fn copy(from: &Column, into: &mut Column, mask: u64) {
    // A mask that takes no bit away lets a whole column be copied at once.
    let all = u64::MAX >> (64 - 8 * from.row_bytes());
    if from.row_bytes() == into.row_bytes() && mask & all == all {
        into.bytes_mut().copy_from_slice(from.bytes());
    } else {
        (0..from.rows()).for_each(|row| into.set(row, from.get(row) & mask));
    }
}

/// Returns the modifier that a fault takes all effect from, if it does so.
fn modifier_of(fault: Fault, variant: &Variant) -> Option<String> {
    let text = match fault {
        Fault::NearestInstead | Fault::DownIgnored => {
            let mut rounding = variant.modifiers().iter().filter(|of| of.rounding().is_some());
            return rounding.next().map(|modifier| modifier.to_string());
        }
        Fault::SatIgnored => ".sat",
        Fault::ReluIgnored => ".relu",
        Fault::SatfiniteIgnored => ".satfinite",
        Fault::PzoIgnored => ".pzo",
        Fault::OobIgnored => ".oob",
        Fault::MagnitudesIgnored => ".abs",
        Fault::NanLoses => ".NaN",
        _ => return None,
    };
    Some(text.into())
}

/// Returns the modifier that a fault is named after, if the fault is that this modifier has no effect.
fn named_after(fault: Fault, variant: &Variant) -> Option<String> {
    let text = match fault {
        // The fault of all rounding directions, and the fault of a single NaN, have names of their own.
        Fault::NearestInstead | Fault::NanLoses => return None,
        Fault::XorsignIgnored => ".xorsign.abs",
        Fault::AccumulatorIgnored => {
            let mut modifiers = variant.modifiers().iter().map(Modifier::to_string);
            return modifiers.find(|modifier| modifier.starts_with(".acc"));
        }
        _ => return modifier_of(fault, variant),
    };
    Some(text.into())
}

#[cfg(test)]
mod tests {
    use isa::Modifier;

    use super::*;
    use crate::diagnosis::siblings::Sibling;

    /// Names that end as if a modifier were ignored, though none is. Older reports have only names, by whose ends
    /// modifiers are told.
    const NO_MODIFIERS: [&str; 5] =
        ["predicate-ignored", "random-ignored", "scale-ignored", "scale-nan-ignored", "third-ignored"];

    #[test]
    fn a_flaw_that_is_named_after_a_modifier_has_it() {
        let mut others = Vec::new();
        for variant in Variant::all() {
            for &fault in Fault::ALL.iter().filter(|fault| fault.concerns(variant)) {
                let explained = Candidate::faulty(fault).explanation(variant, Faults::default());
                let [flaw] = &explained.parts[..] else { panic!("{variant}: {explained:?}") };
                assert_eq!((&flaw.words, &*explained.flaws), (&explained.words, &[flaw.id.clone()][..]));
                let is_of_modifier = flaw.id.ends_with("-ignored") && !NO_MODIFIERS.contains(&&*flaw.id);
                assert_eq!(flaw.modifier.is_some(), is_of_modifier, "{variant}: {flaw:?}");
                if let Some(modifier) = &flaw.modifier {
                    assert!(variant.text().contains(&**modifier), "{variant}: {flaw:?}");
                } else if flaw.id.ends_with("-ignored") && !others.contains(&flaw.id) {
                    others.push(flaw.id.clone());
                }
            }
        }
        others.sort();
        assert_eq!(others, NO_MODIFIERS);
    }

    #[test]
    fn a_sibling_has_a_flaw_for_each_modifier_and_one_for_the_rest() {
        let explained = |text: &str, wanted: fn(&Sibling) -> bool| {
            let variant = Variant::named(text).expect("a variant");
            let sibling = Sibling::ignoring(variant).into_iter().find(wanted).expect("a sibling");
            let faults = Fault::Unfused.into();
            Candidate { computes: Computes::Sibling(sibling), faults, only: None }
                .explanation(variant, Faults::default())
        };
        let ftz =
            Flaw { modifier: Some(".ftz".into()), ..Flaw::new("ftz-ignored", "`.ftz` has no effect") };
        let unfused = Flaw::new(Fault::Unfused.id(), Fault::Unfused.words());
        let own = explained("fma.rz.ftz.f32", |of| of.ignored() == [Modifier::Ftz]);
        assert_eq!(own.parts, [ftz.clone(), unfused.clone()]);
        assert_eq!(own.flaws, ["ftz-ignored", "unfused"]);
        assert!(own.words.starts_with("`.ftz` has no effect: results are those of `fma.rz.f32`; and "));
        let lowest =
            explained("fma.rn.ftz.f16x2", |of| of.is_narrow() && of.ignored() == [Modifier::Ftz]);
        assert_eq!(lowest.flaws, ["ftz-ignored", "lowest-lane-only", "unfused"]);
        assert_eq!((&lowest.parts[0], &lowest.parts[2]), (&ftz, &unfused));
        assert_eq!(lowest.parts[1].words, "only the lowest lane is computed, as by `fma.rn.f16`");
    }
}
