//! Compares one variant in two reports.

use std::collections::{BTreeMap, BTreeSet};

use super::{Change, Unlike, errors, sweeps};
use crate::{Class, Status, VariantReport};

/// Returns what changed about one variant, which either report may lack.
///
/// # Errors
/// If the sweeps of the variant did not ask the same in both reports, or other results were expected of the same
/// vectors.
pub(super) fn changes(
    before: Option<&VariantReport>,
    after: Option<&VariantReport>,
) -> Result<Vec<Change>, Unlike> {
    let tested = |variant: Option<&VariantReport>| {
        variant.map(|variant| variant.status).filter(|status| *status != Status::Unsupported)
    };
    let mut changes = Vec::new();
    let (was, is) = (tested(before), tested(after));
    if was != is {
        changes.push(Change::Status { before: was, after: is });
    }
    let counts = |variant: Option<&VariantReport>| -> BTreeMap<String, u64> {
        let classes = variant.map_or(&[][..], |variant| &variant.classes);
        classes.iter().map(|Class { id, count, .. }| (id.clone(), *count)).collect()
    };
    let (old, new) = (counts(before), counts(after));
    if let Some((before, after)) = before.zip(after).filter(|_| was.is_some() && is.is_some()) {
        // By its classes alone a variant that is tested no more would seem to have become better.
        let ids: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for id in ids {
            let [before, after] = [&old, &new].map(|counts| counts.get(id).copied().unwrap_or(0));
            if before != after {
                changes.push(Change::Class { id: id.clone(), before, after });
            }
        }
        causes(before, after, &mut changes);
        if before.vectors != after.vectors {
            changes.push(Change::Vectors { before: before.vectors, after: after.vectors });
        }
        choices(before, after, &mut changes);
        errors::changes(before, after, &mut changes);
        sweeps::changes(before, after, &mut changes)?;
    } else {
        // A variant that begins to be tested tells what is wrong with it.
        let came = new.into_iter().filter(|_| is.is_some());
        changes.extend(came.map(|(id, after)| Change::Class { id, before: 0, after }));
    }
    Ok(changes)
}

/// Adds the classes of both reports that other flaws explain.
fn causes(before: &VariantReport, after: &VariantReport, changes: &mut Vec<Change>) {
    fn present(classes: &[Class]) -> BTreeMap<&str, &Class> {
        classes.iter().filter(|class| class.count > 0).map(|class| (&*class.id, class)).collect()
    }
    // Names of flaws are compared, since a later suite may say the same in other words.
    let flaws = |class: &Class| class.explanation.as_ref().map(|of| of.flaws.clone());
    let words = |class: &Class| class.explanation.as_ref().map(|of| of.words.clone());
    let later = present(&after.classes);
    for (id, old) in present(&before.classes) {
        if let Some(new) = later.get(id).filter(|new| flaws(new) != flaws(old)) {
            changes.push(Change::Cause { id: id.to_owned(), before: words(old), after: words(new) });
        }
    }
}

/// Adds the relaxations whose answers differ, and not only in how often each answer was given; a choice that did not
/// arise has no answers.
fn choices(before: &VariantReport, after: &VariantReport, changes: &mut Vec<Change>) {
    if before.vectors == 0 || after.vectors == 0 {
        return;
    }
    let names = before.relaxations.iter().chain(&after.relaxations).map(|of| &of.name);
    for name in names.collect::<BTreeSet<_>>() {
        let answers = |variant: &VariantReport| -> Vec<String> {
            let found = variant.relaxations.iter().filter(|of| of.name == *name);
            found.flat_map(|of| of.answers.keys().cloned()).collect()
        };
        let (before, after) = (answers(before), answers(after));
        if before != after {
            changes.push(Change::Choice { relaxation: name.clone(), before, after });
        }
    }
}
