//! Compares the sweeps of a variant in two reports, and refuses sweeps that did not ask the same.

use std::collections::BTreeSet;

use super::{Change, Unlike};
use crate::{SweepReport, VariantReport};

/// A sweep's name, and what each of two reports has of it.
type Pair<'a> = (&'a str, [Option<&'a SweepReport>; 2]);

/// Adds the changes of the sweeps of a variant that both reports have tested.
///
/// # Errors
/// If the sweeps did not ask the same, or other results were expected of the same vectors.
pub fn changes(
    before: &VariantReport,
    after: &VariantReport,
    changes: &mut Vec<Change>,
) -> Result<(), Unlike> {
    // By name, since either report may lack a sweep.
    let names: BTreeSet<&str> =
        before.sweeps.iter().chain(&after.sweeps).map(|sweep| &*sweep.name).collect();
    let pair = |name| [before, after].map(|of| of.sweeps.iter().find(|sweep| sweep.name == name));
    let pairs: Vec<Pair> = names.into_iter().map(|name| (name, pair(name))).collect();
    asked_alike(&before.variant, &pairs)?;
    fewer(before, after, &pairs, changes);
    // Classes that changed tell already that there are other mismatches.
    if !changes.iter().any(|change| matches!(change, Change::Class { .. })) {
        mismatches(&pairs, changes);
    }
    changes.extend(results(&pairs));
    Ok(())
}

/// Refuses sweeps that did not ask the same.
///
/// Fewer vectors of every sweep are a shorter run; fewer of one sweep and more of another are another question.
fn asked_alike(variant: &str, pairs: &[Pair]) -> Result<(), Unlike> {
    let planned = |sweep: Option<&SweepReport>| sweep.map_or(0, |sweep| sweep.planned);
    let larger = |at: usize| {
        let mut pairs = pairs.iter();
        pairs.find(|(_, of)| planned(of[at]) > planned(of[1 - at])).map(|(name, _)| (*name).to_owned())
    };
    if let (Some(before), Some(after)) = (larger(0), larger(1)) {
        return Err(Unlike::Sweeps { variant: variant.to_owned(), before, after });
    }
    for (sweep, pair) in pairs {
        let [Some(before), Some(after)] = pair else { continue };
        let (variant, sweep) = (variant.to_owned(), (*sweep).to_owned());
        // The digests are of all vectors that were asked, and tell nothing where their number differs.
        if before.asked() == after.asked() {
            if before.inputs != after.inputs {
                return Err(Unlike::Vectors { variant, sweep });
            } else if before.expected != after.expected {
                return Err(Unlike::Expected { variant, sweep });
            }
        }
    }
    Ok(())
}

/// Adds the sweeps that have fewer results, unless the number for all sweeps together tells it, and those that came or
/// went.
fn fewer(before: &VariantReport, after: &VariantReport, pairs: &[Pair], changes: &mut Vec<Change>) {
    let is_told = after.vectors < before.vectors;
    // A variant that does not compile has no sweep at all.
    let one_has_none = before.sweeps.is_empty() || after.sweeps.is_empty();
    for (sweep, pair) in pairs {
        let [before, after] = pair.map(|sweep| sweep.map_or(0, |sweep| sweep.vectors));
        let came_or_went = pair.contains(&None) && !one_has_none;
        if came_or_went || after < before && !is_told {
            changes.push(Change::Sweep { sweep: (*sweep).to_owned(), before, after });
        }
    }
}

/// Adds the sweeps that have another number of mismatches.
fn mismatches(pairs: &[Pair], changes: &mut Vec<Change>) {
    for (sweep, pair) in pairs {
        let [before, after] = pair.map(|sweep| sweep.map_or(0, |sweep| sweep.mismatches));
        if before != after {
            changes.push(Change::Mismatches { sweep: (*sweep).to_owned(), before, after });
        }
    }
}

/// Returns the sweeps that have other results of the same vectors; `None` if there are none.
fn results(pairs: &[Pair]) -> Option<Change> {
    let (mut sweeps, mut right) = (Vec::new(), true);
    for (sweep, pair) in pairs {
        let [Some(before), Some(after)] = pair else { continue };
        // The digest covers missing results, too.
        let as_many = (before.vectors, before.unanswered) == (after.vectors, after.unanswered);
        if as_many && before.results != after.results {
            // Without a result a vector is not right, even if it is no mismatch.
            right &= before.unanswered == 0 && before.mismatches == 0 && after.mismatches == 0;
            sweeps.push((*sweep).to_owned());
        }
    }
    (!sweeps.is_empty()).then_some(Change::Results { sweeps, right })
}
