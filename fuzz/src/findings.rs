//! What trying an input gives.

use std::collections::BTreeSet;

/// Something wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What sets its like apart, such as `mul.f16/ulp-above`.
    pub class: String,
    /// An input of the target that shows it.
    pub bytes: Vec<u8>,
    /// The same for a person, on one line.
    pub words: String,
}

/// What trying an input gives.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// What is wrong, one finding of each class …
    pub found: Vec<Finding>,
    /// … and how many more of them there were.
    pub more: u64,
    /// What seemed wrong and did not come again.
    pub unconfirmed: u64,
    /// How much was tried, in the target's unit.
    pub tried: u64,
    /// The variants that were tried.
    pub variants: BTreeSet<&'static str>,
}

impl Findings {
    /// Adds a finding.
    pub fn add(&mut self, class: impl Into<String>, bytes: &[u8], words: impl Into<String>) {
        let (class, words) = (class.into(), words.into());
        match self.found.iter().any(|finding| finding.class == class) {
            true => self.more += 1,
            false => self.found.push(Finding { class, bytes: bytes.to_vec(), words }),
        }
    }
}
