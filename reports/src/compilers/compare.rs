//! In what two reports of compilers differ.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{CompilerReport, Finding};

/// A class that is other than it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The class.
    pub class: String,
    /// In how many cells it was …
    pub before: u64,
    /// … and in how many it is.
    pub after: u64,
    /// Whether the same vectors have other counts of wrong results.
    pub results: bool,
}

impl CompilerReport {
    /// The classes that another report lacks, has in other places, or with other results; in their order.
    pub fn changes(&self, after: &CompilerReport) -> Vec<Change> {
        type Of<'a> = (u64, Vec<&'a Finding>);
        let mut classes: BTreeMap<&str, [Of; 2]> = BTreeMap::new();
        for (at, report) in [self, after].into_iter().enumerate() {
            for finding in &report.findings {
                let (cells, findings) = &mut classes.entry(&finding.class).or_default()[at];
                *cells = cells.saturating_add(finding.cells);
                findings.push(finding);
            }
        }
        let counts = |findings: &[&Finding]| {
            let mut counts: Vec<_> = findings.iter().map(|of| (of.vectors, of.mismatches)).collect();
            counts.sort_unstable();
            counts
        };
        let changed = |(class, [(before, own), (after, other)]): (&str, [Of; 2])| {
            let results = before.min(after) > 0 && counts(&own) != counts(&other);
            (results || before != after).then(|| Change { class: class.into(), before, after, results })
        };
        classes.into_iter().filter_map(changed).collect()
    }
}
