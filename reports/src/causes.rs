//! Classes that have a cause in common, as far as a report tells.

use crate::{Class, Status, VariantReport};

/// What classes may have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause<'a> {
    /// The same explanation.
    Flaws(&'a [String]),
    /// None, but what their results look like, and of which operation.
    Unexplained {
        /// The kind of wrongness, the end of a class's name.
        kind: &'a str,
        /// The operation, like `fma`.
        operation: &'a str,
    },
}

/// Classes with one cause, at least one.
#[derive(Clone, Debug)]
pub struct Group<'a> {
    /// The cause.
    pub cause: Cause<'a>,
    /// The classes, in the order of the report.
    pub classes: Vec<&'a Class>,
}

/// The classes of the failing variants, group by group, in the order of their first ones. Waived ones
/// are known and left out.
pub fn groups(variants: &[VariantReport]) -> Vec<Group<'_>> {
    let failing = variants.iter().filter(|variant| variant.status == Status::Fail);
    let mut groups: Vec<Group> = Vec::new();
    let classes = failing.flat_map(|variant| &variant.classes);
    for class in classes.filter(|class| class.waiver.is_none()) {
        let cause = Cause::of(class);
        match groups.iter_mut().find(|group| group.cause == cause) {
            Some(group) => group.classes.push(class),
            None => groups.push(Group { cause, classes: vec![class] }),
        }
    }
    groups
}

impl<'a> Cause<'a> {
    fn of(class: &'a Class) -> Cause<'a> {
        if let Some(explanation) = &class.explanation {
            return Cause::Flaws(&explanation.flaws);
        }
        let (variant, kind) = class.id.rsplit_once('/').unwrap_or((&class.id, ""));
        Cause::Unexplained { kind, operation: variant.split('.').next().unwrap_or(variant) }
    }
}

impl Group<'_> {
    /// How many mismatches its classes have.
    pub fn mismatches(&self) -> u64 {
        self.classes.iter().map(|class| class.count).sum()
    }
}
