//! Groups classes of mismatches that have a cause in common, as far as a report tells.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::{Class, Explanation, Flaw, RootCause, Status, VariantReport, total};

/// Flaws that are not a modifier without effect although their names end as if they were. They matter in reports whose
/// explanations have no parts.
const NO_MODIFIERS: [&str; 5] =
    ["predicate-ignored", "random-ignored", "scale-ignored", "scale-nan-ignored", "third-ignored"];
/// The text between the flaws in the words of an explanation, in reports whose explanations have no parts.
const BETWEEN: &str = "; and ";

/// The cause that classes of mismatches may have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause<'a> {
    /// The named modifiers have no effect, and nothing else is wrong.
    Ignored(&'a [String]),
    /// The classes have the same explanation, if modifiers without effect are left out.
    Flaws(&'a [String]),
    /// The classes have no explanation, but share the operation, the kind of wrongness, and a pattern.
    Unexplained {
        /// The kind of wrongness: the end of a class's name.
        kind: &'a str,
        /// The operation, like `fma`.
        operation: &'a str,
        /// The properties that the mismatches have in common, or what the implementation says of them; the name of the
        /// class where there is neither. Such a class stands by itself, since a name alone is no cause.
        pattern: &'a str,
    },
}

/// A group of classes of mismatches with one cause, at least one class.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CauseGroup<'a> {
    /// The cause that the classes have in common.
    pub cause: Cause<'a>,
    /// The classes, in the order of the report.
    pub classes: Vec<&'a Class>,
}

/// Groups the classes of the failing variants by their causes, in the order of each group's first class. Waived classes
/// are known and left out.
pub fn groups(variants: &[VariantReport]) -> Vec<CauseGroup<'_>> {
    let failing = variants.iter().filter(|variant| variant.status == Status::Fail);
    let mut groups: Vec<CauseGroup> = Vec::new();
    let mut places: HashMap<Cause, usize> = HashMap::new();
    let classes = failing.flat_map(|variant| &variant.classes);
    for class in classes.filter(|class| class.waiver.is_none()) {
        let cause = Cause::of(class);
        let place = *places.entry(cause).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.classes.push(class),
            None => groups.push(CauseGroup { cause, classes: vec![class] }),
        }
    }
    groups
}

impl RootCause {
    /// Returns the causes behind the classes of the failing variants, each once.
    pub fn all(variants: &[VariantReport]) -> Vec<RootCause> {
        let classes = |group: &CauseGroup| group.classes.iter().map(|class| class.id.clone()).collect();
        let groups = groups(variants);
        groups.iter().map(|group| RootCause { words: group.words(), classes: classes(group) }).collect()
    }
}

impl<'a> Cause<'a> {
    /// Returns the cause that a class tells of itself.
    fn of(class: &'a Class) -> Cause<'a> {
        match &class.explanation {
            // A flaw may be the lack of a modifier's effect and have another name, which other variants share.
            Some(of) if !of.ignores.is_empty() && of.modifiers() == of.flaws.len() => {
                return Cause::Ignored(&of.ignores);
            }
            Some(of) => return Cause::Flaws(of.beside_modifiers()),
            None => {}
        }
        let (variant, kind) = class.id.rsplit_once('/').unwrap_or((&class.id, ""));
        let operation = variant.split('.').next().unwrap_or(variant);
        let words = class.examples.first().and_then(|example| example.words.as_deref());
        let pattern = class.pattern.as_deref().or(words).unwrap_or(&class.id);
        Cause::Unexplained { kind, operation, pattern }
    }
}

impl Explanation {
    /// Returns the flaws one by one, where the report has them so.
    fn parts(&self) -> Option<&[Flaw]> {
        // Parts that contradict the names are not believed; older reports have none.
        let ids = self.parts.iter().map(|flaw| &flaw.id);
        ids.eq(&self.flaws).then_some(&self.parts)
    }

    /// Counts the flaws that are modifiers without effect; they stand first.
    fn modifiers(&self) -> usize {
        match self.parts() {
            Some(parts) => parts.iter().take_while(|flaw| flaw.modifier.is_some()).count(),
            None => {
                let is_of_modifier = |flaw: &&String| {
                    flaw.ends_with("-ignored") && !NO_MODIFIERS.contains(&flaw.as_str())
                };
                self.flaws.iter().take_while(is_of_modifier).count()
            }
        }
    }

    /// Returns the flaws beside modifiers without effect, which stand first; all flaws if there are no others.
    fn beside_modifiers(&self) -> &[String] {
        match self.flaws.split_at(self.modifiers()) {
            (all, []) => all,
            (_, others) => others,
        }
    }

    /// Returns the last `count` flaws in words.
    fn words_of_last(&self, count: usize) -> String {
        if count >= self.flaws.len() {
            return self.words.clone();
        }
        let words: Vec<&str> = match self.parts() {
            Some(parts) => parts.iter().map(|flaw| &*flaw.words).collect(),
            // Each flaw has a part of its own, but modifiers without effect share the first.
            None => self.words.split(BETWEEN).collect(),
        };
        words[words.len().saturating_sub(count)..].join(BETWEEN)
    }
}

impl CauseGroup<'_> {
    /// Returns the variants of the group's classes, each once, in the order of the report.
    pub fn names(&self) -> Vec<&str> {
        let mut known = BTreeSet::new();
        let variants = self.classes.iter().filter_map(|class| class.id.rsplit_once('/'));
        variants.map(|(variant, _)| variant).filter(|variant| known.insert(*variant)).collect()
    }

    /// Returns the number of variants of the group's classes.
    pub fn variants(&self) -> usize {
        self.names().len()
    }

    /// Returns the cause in words: what the group's classes have in common.
    pub fn words(&self) -> String {
        match self.cause {
            Cause::Ignored(modifiers) => format!("ignores {}", modifiers.join(" ")),
            Cause::Unexplained { kind, operation, .. } => match &self.classes[0].pattern {
                Some(pattern) => format!("unexplained: {operation}, {kind}: {pattern}"),
                None => format!("unexplained: {operation}, {kind}"),
            },
            Cause::Flaws(flaws) => {
                let of = self.classes[0].explanation.as_ref();
                of.map(|of| of.words_of_last(flaws.len())).unwrap_or_default()
            }
        }
    }

    /// Returns the modifiers without effect, those of most classes first.
    pub fn ignored(&self) -> Vec<&str> {
        let mut classes: BTreeMap<&str, usize> = BTreeMap::new();
        for explanation in self.classes.iter().filter_map(|class| class.explanation.as_ref()) {
            explanation.ignores.iter().for_each(|modifier| *classes.entry(modifier).or_default() += 1);
        }
        let mut modifiers: Vec<(&str, usize)> = classes.into_iter().collect();
        modifiers.sort_by_key(|&(_, classes)| std::cmp::Reverse(classes));
        modifiers.into_iter().map(|(modifier, _)| modifier).collect()
    }

    /// Returns the number of mismatches in the group's classes.
    pub fn mismatches(&self) -> u64 {
        total(self.classes.iter().map(|class| class.count))
    }
}
