//! Finds the other variants of an operation that an implementation may compute in the place of one: without some of
//! its modifiers, in another type, in the lowest lane, or without the last operands.

use std::collections::BTreeSet;

use isa::{Modifier, Variant};
use model::Model;
use reports::Flaw;

/// A variant that may be computed in the place of another one of the same operation.
#[derive(Clone, Copy, Debug)]
pub struct Sibling {
    /// The variant that is computed.
    pub variant: &'static Variant,
    /// The variant in whose place it is computed.
    of: &'static Variant,
}

impl Sibling {
    /// Returns the siblings that lack some modifiers of `of`, the fewest first: in the registers of `of` itself, or in
    /// the lowest lane of packed ones.
    pub fn ignoring(of: &'static Variant) -> Vec<Sibling> {
        let mut all = Sibling::all(of, |sibling| sibling.only_ignores() || sibling.is_narrow());
        // In the place of `add.rz.f32`, `add.f32` and `add.rn.f32` are one sibling.
        let mut known = BTreeSet::new();
        all.retain(|sibling| {
            let ignored: Vec<&str> = sibling.ignored().iter().map(|modifier| modifier.text()).collect();
            known.insert((sibling.is_narrow(), ignored))
        });
        all
    }

    /// Returns the siblings whose registers `of` has and that do not only lack modifiers; those of the same types
    /// come first.
    pub fn siblings_of(of: &'static Variant) -> Vec<Sibling> {
        Sibling::all(of, |sibling| !sibling.only_ignores())
    }

    /// Returns the wanted siblings that fit into the registers of `of` and have a model, the nearest first.
    fn all(of: &'static Variant, wanted: fn(&Sibling) -> bool) -> Vec<Sibling> {
        let registers = |variant: &Variant| (variant.operands().len(), variant.results().len());
        let whole = registers(of);
        let fits = |variant: &&Variant| {
            let own = registers(variant);
            // A sibling may have fewer and narrower registers: what it does not fill becomes zero.
            let widths = variant.results().iter().zip(of.results());
            own.0 <= whole.0
                && own.1 <= whole.1
                && widths.into_iter().all(|(own, whole)| own.ty.width() <= whole.ty.width())
                && *variant != of
                && Model::covers(variant)
        };
        let kin = Variant::all().iter().filter(|variant| variant.operation() == of.operation());
        let siblings = kin.filter(fits).map(|variant| Sibling { variant, of });
        let mut all: Vec<Sibling> = siblings.filter(wanted).collect();
        all.sort_by_cached_key(|sibling| sibling.distance());
        all
    }

    /// Whether the sibling has one lane where the variant has several, in the same formats, and adds no modifier.
    pub fn is_narrow(&self) -> bool {
        let formats = |variant: &'static Variant| variant.printed().iter().map(|ty| ty.format);
        self.of.lanes() > 1
            && self.variant.lanes() == 1
            && formats(self.variant).eq(formats(self.of))
            && self.added().next().is_none()
    }

    /// Whether the sibling differs from the variant only in that it lacks modifiers; without a direction it rounds to
    /// nearest.
    pub fn only_ignores(&self) -> bool {
        let alike = self.variant.operands().iter().map(|register| register.ty);
        let same_registers = self.variant.printed() == self.of.printed()
            && alike.eq(self.of.operands().iter().map(|register| register.ty));
        same_registers && self.added().next().is_none() && !self.ignored().is_empty()
    }

    /// Returns the modifiers of the variant that the sibling lacks, `.rn` left out.
    pub fn ignored(&self) -> Vec<Modifier> {
        let of = self.of.modifiers().iter();
        // Without a direction, `.rn` is meant.
        of.filter(|&&modifier| modifier != Modifier::Rn && !self.variant.has(modifier))
            .copied()
            .collect()
    }

    /// Returns the modifiers of the sibling that the variant lacks, `.rn` left out.
    fn added(&self) -> impl Iterator<Item = Modifier> {
        let own = self.variant.modifiers().iter();
        let of = self.of;
        own.copied().filter(move |&modifier| modifier != Modifier::Rn && !of.has(modifier))
    }

    /// Returns how far the sibling lies from the variant: whether it is of other types, how many modifiers it adds,
    /// and how many it lacks.
    fn distance(&self) -> (bool, usize, usize) {
        let other_types = self.variant.printed() != self.of.printed()
            || self.variant.operands().len() != self.of.operands().len();
        (other_types, self.added().count(), self.ignored().len())
    }

    /// Whether the sibling is narrow and has all operands, and so the lowest lane of each of them.
    fn is_lowest_lane(&self) -> bool {
        self.is_narrow() && self.variant.operands().len() == self.of.operands().len()
    }

    /// Returns the flaws of an implementation that computes the sibling, one by one, modifiers without effect first.
    pub fn flaws(&self) -> Vec<Flaw> {
        let ignored = self.ignored().into_iter().map(|modifier| Flaw {
            id: format!("{}-ignored", modifier.text().to_lowercase()),
            words: format!("`{modifier}` has no effect"),
            modifier: Some(modifier.to_string()),
        });
        match () {
            () if self.only_ignores() => ignored.collect(),
            () if self.is_lowest_lane() => {
                let lowest = Flaw::new("lowest-lane-only", self.only_the_lowest_lane());
                ignored.chain([lowest]).collect()
            }
            () => vec![Flaw::new("another-variant", self.words())],
        }
    }

    /// Returns the words for a packed variant of which the lowest lane alone is computed.
    fn only_the_lowest_lane(&self) -> String {
        format!("only the lowest lane is computed, as by `{}`", self.variant)
    }

    /// Returns in words all that is wrong where the sibling is computed.
    pub fn words(&self) -> String {
        let ignored: Vec<String> =
            self.ignored().iter().map(|modifier| format!("`{modifier}`")).collect();
        let effect = match &ignored[..] {
            [] => String::new(),
            [one] => format!("{one} has no effect: "),
            [others @ .., last] => format!("{} and {last} have no effect: ", others.join(", ")),
        };
        match () {
            () if self.only_ignores() => format!("{effect}results are those of `{}`", self.variant),
            () if self.is_lowest_lane() => effect + &self.only_the_lowest_lane(),
            () => format!("results are those of `{}`", self.variant),
        }
    }
}
