//! Compares the errors of an approximation in two reports, range by range of its operands.
//!
//! One range may have an error that is larger than all others, as where the manual states no bound. So the largest
//! error of all ranges says nothing of the rest.

use super::Change;
use crate::{RangeReport, VariantReport};

/// Largest number of histogram bins that are looked at, which is more than the suite has.
const BINS: usize = 64;

/// Adds the changes of the errors of a variant that both reports have tested.
pub fn changes(before: &VariantReport, after: &VariantReport, changes: &mut Vec<Change>) {
    let (old, new) = (&before.accuracy, &after.accuracy);
    // Ranges of the earlier report come first, and then those that only the later one has.
    let came = new.iter().filter(|range| named(old, &range.range).is_none());
    for RangeReport { range, .. } in old.iter().chain(came) {
        let pair = [old, new].map(|ranges| named(ranges, range));
        let worst = pair.map(|of| RangeReport::worst_of(of.map_or(&[], std::slice::from_ref)));
        changes.extend(largest(Some(range), worst));
        if let [Some(before), Some(after)] = pair {
            changes.extend(histogram(before, after));
        }
    }
    // A shortened copy may have no ranges.
    if old.is_empty() || new.is_empty() {
        let worst = [before.worst(), after.worst()];
        let neither_has_ranges = old.is_empty() && new.is_empty();
        let is_comparable = neither_has_ranges || worst.iter().all(Option::is_some);
        changes.extend(largest(None, worst).filter(|_| is_comparable));
    }
}

fn named<'a>(ranges: &'a [RangeReport], name: &str) -> Option<&'a RangeReport> {
    ranges.iter().find(|range| range.range == name)
}

/// Returns the change of the largest error, or that only one of the two reports gives one; `None` if neither is so.
fn largest(range: Option<&String>, worst: [Option<f64>; 2]) -> Option<Change> {
    let range = range.cloned();
    match worst {
        [Some(before), Some(after)] if before.to_bits() != after.to_bits() => {
            let [before, after] = [before, after].map(|ulp| ulp.is_finite().then_some(ulp));
            Some(Change::Error { range, before, after })
        }
        [before, after] if before.is_some() != after.is_some() => {
            Some(Change::Given { range, after: after.is_some() })
        }
        _ => None,
    }
}

/// Returns the change in how many results have an error above a threshold; `None` if no threshold shows one.
///
/// The threshold is one above which there are more results than before, by more than the number of all results grew; of
/// several, the one where that is so most. If there is none, and both reports have as many results, it is the one above
/// which the number fell most.
fn histogram(before: &RangeReport, after: &RangeReport) -> Option<Change> {
    let bins = before.histogram.len().min(after.histogram.len()).min(BINS);
    let above = |range: &RangeReport, bin: usize| crate::total(range.histogram[bin..].iter().copied());
    // More results in all may mean more above every threshold, and that is nothing worse.
    let came = after.results.saturating_sub(before.results);
    // Bin 0 and all behind it have every result, so the first threshold is the end of bin 0.
    let pairs = (1..bins).map(|bin| (bin, above(before, bin), above(after, bin)));
    let grew = |before: u64, after: u64| after.saturating_sub(before).saturating_sub(came);
    let worse = pairs.clone().filter(|&(_, before, after)| grew(before, after) > 0);
    let worse = worse.max_by_key(|&(bin, before, after)| (grew(before, after), std::cmp::Reverse(bin)));
    let better = || {
        let fewer = pairs.filter(|(_, old, new)| before.results == after.results && new < old);
        fewer.max_by_key(|&(bin, old, new)| (old - new, std::cmp::Reverse(bin)))
    };
    let (bin, before_count, after_count) = worse.or_else(better)?;
    Some(Change::Histogram {
        range: before.range.clone(),
        // Bin 0 ends at ½ ulp, and each other one at twice the end of the bin before it.
        above: 2f64.powi(bin as i32 - 2),
        before: before_count,
        after: after_count,
    })
}
