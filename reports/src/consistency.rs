//! Checks whether a report agrees with itself: its sums with what is summed, its outcomes with what was counted.
//!
//! A checksum tells that nothing has changed since a report was written. A contradiction that is found here was written
//! so, or was made by whoever changed the report and left the checksum out.

mod campaign;
mod compilers;

use std::collections::BTreeSet;

use crate::compact::is_shortened;
use crate::text::{elided, thousands};
use crate::{
    AnyReport, Class, Explanation, RangeReport, Report, Status, SweepReport, Totals, VariantReport,
    total,
};

impl AnyReport {
    /// Returns where the report contradicts itself, a line each: empty for all reports that the suite writes.
    pub fn contradictions(&self) -> Vec<String> {
        match self {
            AnyReport::Implementation(report) => report.contradictions(),
            AnyReport::Compiler(report) => report.contradictions(),
        }
    }
}

impl Report {
    /// Returns where the report contradicts itself, a line each: empty for all reports that the suite writes.
    pub fn contradictions(&self) -> Vec<String> {
        let mut found = Contradictions::default();
        self.sums(&mut found);
        let names = self.variants.iter().map(|variant| &*variant.variant);
        found.twice("", "variant", names);
        let classes = self.variants.iter().flat_map(|variant| &variant.classes);
        found.twice("", "class", classes.map(|class| &*class.id));
        if self.complete && self.totals.incomplete > 0 {
            found.0.push("`complete` is true, but some variants were not tested to their end".into());
        }
        self.variants.iter().for_each(|variant| variant.contradictions(&mut found));
        campaign::contradictions(self, &mut found);
        found.0
    }

    /// Checks the totals against the variants.
    fn sums(&self, found: &mut Contradictions) {
        let (said, own) = (&self.totals, Totals::of(&self.variants));
        // A shortened copy lacks the variants that the implementation does not have, some of which were asked.
        let shortened = is_shortened(&self.reduced);
        let left_out = if shortened { said.variants.saturating_sub(own.variants) } else { 0 };
        let unanswered = if shortened { said.unanswered.max(own.unanswered) } else { own.unanswered };
        for (what, said, own) in [
            ("variants", said.variants, own.variants.saturating_add(left_out)),
            ("passed", said.passed, own.passed),
            ("failed", said.failed, own.failed),
            ("unsupported", said.unsupported, own.unsupported.saturating_add(left_out)),
            ("waived", said.waived, own.waived),
            ("incomplete", said.incomplete, own.incomplete),
            ("vectors", said.vectors, own.vectors),
            ("unanswered", said.unanswered, unanswered),
            ("mismatches", said.mismatches, own.mismatches),
            ("relaxed", said.relaxed, own.relaxed),
        ] {
            found.unequal("", &format!("totals.{what}"), said, "the variants give", own);
        }
    }
}

impl VariantReport {
    /// Adds where the findings for a variant contradict each other.
    fn contradictions(&self, found: &mut Contradictions) {
        let of = &format!("{}: ", short(&self.variant));
        let sum = |count: fn(&SweepReport) -> u64| total(self.sweeps.iter().map(count));
        for (what, said, sum) in [
            ("vectors", self.vectors, sum(|sweep| sweep.vectors)),
            ("unanswered", self.unanswered, sum(|sweep| sweep.unanswered)),
            ("mismatches", self.mismatches, sum(|sweep| sweep.mismatches)),
        ] {
            found.unequal(of, what, said, "its sweeps give", sum);
        }
        let counts = total(self.classes.iter().map(|class| class.count));
        found.unequal(of, "mismatches", self.mismatches, "its classes give", counts);
        self.classes.iter().for_each(|class| class.contradictions(of, found));
        found.twice(of, "sweep", self.sweeps.iter().map(|sweep| &*sweep.name));
        // Mismatches are not compared with the vectors: there may be more, as a vector that is tried again may mismatch
        // again.
        for sweep in self.sweeps.iter().filter(|sweep| sweep.asked() > sweep.planned) {
            found.0.push(format!("{of}sweep {} has more vectors than planned", short(&sweep.name)));
        }
        found.twice(of, "relaxation", self.relaxations.iter().map(|relaxation| &*relaxation.name));
        for relaxation in &self.relaxations {
            let (name, answers) = (short(&relaxation.name), total(relaxation.answers.values().copied()));
            found.unequal(
                of,
                &format!("results of {name}"),
                relaxation.results,
                "its answers give",
                answers,
            );
        }
        self.errors(of, found);
        if !self.may_have_its_status(sum(|sweep| sweep.planned)) {
            found.0.push(format!(
                "{of}`status` is {}, which does not follow from its counts",
                self.status.name()
            ));
        }
    }

    /// Checks the errors of an approximation against each other.
    fn errors(&self, of: &str, found: &mut Contradictions) {
        found.twice(of, "range", self.accuracy.iter().map(|range| &*range.range));
        for RangeReport { range, results, histogram, .. } in &self.accuracy {
            let what = format!("results of {}", short(range));
            found.unequal(of, &what, *results, "the histogram gives", total(histogram.iter().copied()));
        }
        // Beside an infinite error, older reports have the largest finite one.
        let worst = RangeReport::worst_of(&self.accuracy).filter(|ulp| ulp.is_finite());
        if worst.is_some() && worst != self.max_ulp {
            found.0.push(format!("{of}`max_ulp` is not the largest error of its ranges"));
        }
    }

    /// Whether the variant's status follows from its counts, or something that is not counted explains it.
    fn may_have_its_status(&self, planned: u64) -> bool {
        let counted = Status::of(planned, self.vectors, self.unanswered, self.mismatches);
        match self.status {
            // A variant that does not compile, or has a waiver that is over, has no mismatch and a reason.
            Status::Fail => counted == Status::Fail || self.reason.is_some(),
            Status::Waived => {
                counted == Status::Fail && self.classes.iter().all(|class| class.waiver.is_some())
            }
            // Most unsupported variants were never asked.
            Status::Unsupported => self.vectors == 0 && self.mismatches == 0,
            Status::Pass | Status::Incomplete => counted == self.status,
        }
    }
}

impl Class {
    /// Adds where the explanation of a class has `flaws` that are not those of its `parts`.
    fn contradictions(&self, of: &str, found: &mut Contradictions) {
        let Some(Explanation { flaws, parts, .. }) = &self.explanation else { return };
        if !parts.is_empty() && !parts.iter().map(|flaw| &flaw.id).eq(flaws) {
            let id = short(&self.id);
            found.0.push(format!(
                "{of}class {id} is explained by `flaws` that are not those of its `parts`"
            ));
        }
    }
}

/// The contradictions that were found so far, a line each.
#[derive(Default)]
struct Contradictions(Vec<String>);

impl Contradictions {
    /// Adds a contradiction if a count is given in two ways that differ.
    fn unequal(&mut self, of: &str, what: &str, said: u64, by: &str, counted: u64) {
        if said != counted {
            self.0.push(format!("{of}`{what}` is {}, and {by} {}", thousands(said), thousands(counted)));
        }
    }

    /// Adds a contradiction for each name that is listed more than once.
    fn twice<'a>(&mut self, of: &str, what: &str, names: impl Iterator<Item = &'a str>) {
        let (mut known, mut told) = (BTreeSet::new(), BTreeSet::new());
        for name in names {
            // A name that is listed often is told once.
            if !known.insert(name) && told.insert(name) {
                self.0.push(format!("{of}{what} {} is listed twice", short(name)));
            }
        }
    }
}

/// Returns a name as messages show it, cut if it is longer than any name that the suite writes.
fn short(name: &str) -> String {
    elided(name, 200)
}
