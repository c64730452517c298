//! Findings: the results of trying an input.

use std::collections::BTreeSet;

/// A finding: something wrong that an input of a target shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FuzzFinding {
    /// The class that the finding shares with others like it, such as `mul.f16/ulp-above`.
    pub class: String,
    /// An input of the target that shows it.
    pub bytes: Vec<u8>,
    /// The finding described for a person, on one line.
    pub words: String,
}

/// The result of trying an input.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// The findings, one of each class.
    pub found: Vec<FuzzFinding>,
    /// Number of further findings, of classes that `found` has already.
    pub more: u64,
    /// Number of mismatches that did not come again in a process of their own.
    pub unconfirmed: u64,
    /// Amount that was tried, in the target's unit.
    pub tried: u64,
    /// The variants that were tried.
    pub variants: BTreeSet<&'static str>,
}

impl Findings {
    /// Adds a finding; only the first of each class is kept, and the others are counted.
    pub fn add(&mut self, class: impl Into<String>, bytes: &[u8], words: impl Into<String>) {
        let (class, words) = (class.into(), words.into());
        match self.found.iter().any(|finding| finding.class == class) {
            true => self.more += 1,
            false => self.found.push(FuzzFinding { class, bytes: bytes.to_vec(), words }),
        }
    }
}
