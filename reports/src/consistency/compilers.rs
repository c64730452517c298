//! Checks whether the report of a compiler agrees with itself.

use super::{Contradictions, short};
use crate::compilers::{CompilerReport, CompilerTotals, CompilerWork, Finding, Sources, Standing};
use crate::total;

impl CompilerReport {
    /// Returns where the report contradicts itself, a line each: empty for all reports that the suite writes.
    pub fn contradictions(&self) -> Vec<String> {
        let mut found = Contradictions::default();
        self.sums(&mut found);
        for finding in &self.findings {
            let of = format!("{}: ", short(&finding.class));
            found.0.extend(self.wrong_with(finding).map(|what| format!("{of}{what}")));
            finding.counts(&of, &mut found);
        }
        found.0
    }

    /// Checks the totals against each other and against the findings.
    fn sums(&self, found: &mut Contradictions) {
        let CompilerTotals { cells, right, selected, wrong, refused, died, illegal, unexecuted, .. } =
            self.totals;
        let sum = total([right, wrong, refused, died, illegal, unexecuted]);
        // A run that was stopped has cells of which nothing is known.
        let known = if self.complete { sum } else { sum.max(cells) };
        found.unequal("", "totals.cells", cells, "their outcomes give", known);
        if selected > right {
            found.0.push("`totals.selected` is more than `totals.right`, of which it is a part".into());
        }
        let fails = self.findings.iter().any(|finding| finding.status != Standing::Note);
        if self.complete && self.work.sources == Sources::Rows && wrong > 0 && !fails {
            found.0.push("`totals.wrong` is more than 0, but no finding says what is wrong".into());
        }
    }

    /// Returns what is wrong with a finding, held against the rest of the report; `None` if nothing is.
    fn wrong_with(&self, finding: &Finding) -> Option<&'static str> {
        let CompilerTotals { wrong, refused, died, illegal, unexecuted, .. } = self.totals;
        // Machine code that is refused is wrong: its rows are legal.
        let counted = match finding.kind() {
            "computed" | "accepted" => wrong,
            "refused" => refused.saturating_add(wrong),
            "died" => died,
            "illegal" => illegal,
            // A cell with an illegal instruction may have names of unexecuted ones beside it.
            "unexecuted" => unexecuted.saturating_add(illegal),
            _ => u64::MAX,
        };
        let mut places = finding.sequences.iter().flat_map(|sequence| &sequence.places);
        if finding.cells > 0 && counted == 0 {
            Some("`totals` counts no such cell")
        } else if (finding.status == Standing::Waived) != finding.waiver.is_some() {
            Some("it is `waived` without a waiver, or has a waiver and is not `waived`")
        } else if places.any(|place| !self.work.has(&place.target, &place.settings)) {
            Some("its target or setting is not in `work`")
        } else {
            None
        }
    }
}

impl CompilerWork {
    fn has(&self, target: &String, settings: &[String]) -> bool {
        self.targets.contains(target) && settings.iter().all(|name| self.settings.contains_key(name))
    }
}

impl Finding {
    /// Checks the finding's counts against each other. Where the finding is that the results of two functions differ,
    /// no number of vectors is told.
    fn counts(&self, of: &str, found: &mut Contradictions) {
        if self.vectors > 0 && self.mismatches > self.vectors {
            found.0.push(format!("{of}it has more mismatches than vectors"));
        }
        self.classes.iter().for_each(|class| class.contradictions(of, found));
        if !self.classes.is_empty() {
            let counts = total(self.classes.iter().map(|class| class.count));
            found.unequal(of, "mismatches", self.mismatches, "its classes give", counts);
        }
    }
}
