//! The other variants of an operation that somebody may compute in the place of one: without some of its
//! modifiers, in another type, in the lowest lane, without the last operands.

use std::collections::BTreeSet;

use model::Model;
use vectors::Variant;
use vectors::isa::Modifier;

/// Another variant of the same operation.
#[derive(Clone, Copy, Debug)]
pub struct Sibling {
    /// What is computed in the place of …
    pub variant: &'static Variant,
    /// … this.
    of: &'static Variant,
}

impl Sibling {
    /// What could stand in the place of a variant that has a model, the likeliest first: those of its types that
    /// lack some of its modifiers, then all others that find their registers.
    pub fn all(of: &'static Variant) -> Vec<Sibling> {
        let fits = |variant: &Variant| {
            let registers = |variant: &Variant| (variant.operands().len(), variant.results().len());
            let (own, whole) = (registers(variant), registers(of));
            let widths = variant.results().iter().zip(of.results());
            variant.operation() == of.operation()
                && own.0 <= whole.0
                && own.1 <= whole.1
                && widths.into_iter().all(|(own, whole)| own.ty.width() <= whole.ty.width())
                && variant != of
                && Model::covers(variant)
        };
        let sibling = |variant| Sibling { variant, of };
        let mut all: Vec<Sibling> =
            Variant::all().iter().filter(|variant| fits(variant)).map(sibling).collect();
        all.sort_by_key(|sibling| sibling.distance());
        // `add.f32` and `add.rn.f32` are one in the place of `add.rz.f32`.
        let mut known = BTreeSet::new();
        all.retain(|sibling| !sibling.only_ignores() || {
            let ignored: Vec<&str> = sibling.ignored().iter().map(|modifier| modifier.text()).collect();
            known.insert(ignored)
        });
        all
    }

    /// Whether it differs in nothing but that it lacks modifiers; without a direction it rounds to nearest.
    pub fn only_ignores(&self) -> bool {
        let alike = self.variant.operands().iter().map(|register| register.ty);
        let same_registers = self.variant.printed() == self.of.printed()
            && alike.eq(self.of.operands().iter().map(|register| register.ty));
        same_registers && self.added().next().is_none() && !self.ignored().is_empty()
    }

    /// The modifiers of the variant that it lacks.
    pub fn ignored(&self) -> Vec<Modifier> {
        let of = self.of.modifiers().iter();
        // `.rn` is what is meant without it.
        of.filter(|&&modifier| modifier != Modifier::Rn && !self.variant.has(modifier)).copied().collect()
    }

    /// The modifiers that the variant lacks.
    fn added(&self) -> impl Iterator<Item = Modifier> {
        let own = self.variant.modifiers().iter();
        let of = self.of;
        own.copied().filter(move |&modifier| modifier != Modifier::Rn && !of.has(modifier))
    }

    /// How far it lies from the variant: whether it is of other types, by how many modifiers it differs.
    fn distance(&self) -> (bool, usize, usize) {
        let other_types = self.variant.printed() != self.of.printed()
            || self.variant.operands().len() != self.of.operands().len();
        (other_types, self.added().count(), self.ignored().len())
    }

    /// The names of what is wrong.
    pub fn flaws(&self) -> Vec<String> {
        match self.only_ignores() {
            true => {
                let names = self.ignored().into_iter();
                names.map(|modifier| format!("{}-ignored", modifier.text().to_lowercase())).collect()
            }
            false => vec!["another-variant".into()],
        }
    }

    /// The same in words.
    pub fn words(&self) -> String {
        let ignored: Vec<String> =
            self.ignored().iter().map(|modifier| format!("`{modifier}`")).collect();
        let (listed, have) = match &ignored[..] {
            [one] => (one.clone(), "has"),
            [others @ .., last] => (format!("{} and {last}", others.join(", ")), "have"),
            [] => (String::new(), ""),
        };
        match self.only_ignores() {
            true => format!("{listed} {have} no effect: results are those of `{}`", self.variant),
            false => format!("results are those of `{}`", self.variant),
        }
    }
}
