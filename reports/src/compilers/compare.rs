//! Compares two reports of compilers.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{CompilerReport, CompilerTotals, CompilerWork, Finding, Sources, Standing};
use crate::compact::is_shortened;
use crate::compare::{Ends, Unlike};
use crate::text::elided;

/// Longest text of a list that an error message tells, in letters.
const TOLD: usize = 200;

/// The differences of a compiler's report from an earlier one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CompilerComparison {
    /// The differences between the runs as a whole.
    pub run: Vec<RunChange>,
    /// The classes of findings that differ from the earlier report, in the order of their names.
    pub classes: Vec<ClassChange>,
}

/// A difference between two runs as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
#[non_exhaustive]
pub enum RunChange {
    /// Only one of the runs reached its end.
    Complete(Ends),
    /// There are more or fewer of something: sources, cells, cells with one outcome, or vectors.
    Count {
        /// The name of what is counted, as the report names it.
        of: &'static str,
        /// The count in the earlier report.
        before: u64,
        /// The count in the later report.
        after: u64,
    },
    /// Other waivers than before cover nothing any more.
    Stale {
        /// Waivers that cover nothing according to the earlier report, but not according to the later one.
        went: Vec<String>,
        /// Waivers that cover nothing according to the later report, but not according to the earlier one.
        came: Vec<String>,
    },
}

/// A class of findings that differs from the earlier report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClassChange {
    /// The class's name.
    pub class: String,
    /// Number of cells with the class in the earlier report.
    pub before: u64,
    /// Number of cells with the class in the later report.
    pub after: u64,
    /// Whether the same vectors have other wrong results, by their counts and kinds.
    pub results: bool,
    /// The gravest meaning for the verdict among the class's findings, in the earlier and in the later report. Left out
    /// where its findings mean the same in both, or one report has none of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<[Standing; 2]>,
    /// Whether the class is in as many cells as before, but in other ones.
    pub places: bool,
    /// Whether other instructions were made of the class's sources.
    pub instructions: bool,
}

impl CompilerComparison {
    /// Whether the two reports differ in anything.
    pub fn differs(&self) -> bool {
        !self.run.is_empty() || !self.classes.is_empty()
    }
}

impl CompilerReport {
    /// Compares this report with a later one, and returns in what the later one differs.
    ///
    /// # Errors
    /// If the two were not asked alike, so that a difference would say nothing, or if one contradicts itself.
    pub fn compare(&self, after: &CompilerReport) -> Result<CompilerComparison, Unlike> {
        asked_alike(self, after)?;
        Unlike::unless_consistent([self.contradictions(), after.contradictions()])?;
        Ok(CompilerComparison { run: self.run_changes(after), classes: self.changes(after) })
    }

    /// Returns the differences between the runs as a whole.
    fn run_changes(&self, after: &CompilerReport) -> Vec<RunChange> {
        let ends = Ends::differing(self.complete, after.complete);
        let mut changes: Vec<RunChange> = ends.map(RunChange::Complete).into_iter().collect();
        for ((of, before), (_, after)) in counts(self).into_iter().zip(counts(after)) {
            if before != after {
                changes.push(RunChange::Count { of, before, after });
            }
        }
        let without = |one: &CompilerReport, other: &CompilerReport| -> Vec<String> {
            one.stale.iter().filter(|waiver| !other.stale.contains(waiver)).cloned().collect()
        };
        let (went, came) = (without(self, after), without(after, self));
        if !went.is_empty() || !came.is_empty() {
            changes.push(RunChange::Stale { went, came });
        }
        changes
    }

    /// Returns the classes that another report lacks, has in other places, with another meaning, with other results or
    /// of other instructions, or has alone. They are in the order of their names.
    pub fn changes(&self, after: &CompilerReport) -> Vec<ClassChange> {
        let mut classes: BTreeMap<&str, [ClassContent; 2]> = BTreeMap::new();
        // Of each note, a shortened copy has the first place alone.
        let shortened = [self, after].iter().any(|report| is_shortened(&report.reduced));
        for (at, report) in [self, after].into_iter().enumerate() {
            for finding in &report.findings {
                let lacks_places = shortened && finding.status == Standing::Note;
                classes.entry(&finding.class).or_default()[at].add(finding, lacks_places);
            }
        }
        let changed =
            |(class, [mut own, mut other]): (&str, [ClassContent; 2])| own.change(class, &mut other);
        classes.into_iter().filter_map(changed).collect()
    }
}

/// The mismatches of a finding by their kinds: each kind's name and count.
type Kinds<'a> = Vec<(&'a str, u64)>;

/// The content of a report about one class, gathered from all its findings.
#[derive(Default)]
struct ClassContent<'a> {
    cells: u64,
    /// Numbers of vectors and of mismatches, and the mismatches by kind, for each finding.
    results: Vec<(u64, u64, Kinds<'a>)>,
    statuses: Vec<Standing>,
    places: Vec<(&'a str, &'a str)>,
    /// Whether there may be more places than `places` has, because the report is a shortened copy.
    lacks_places: bool,
    instructions: Vec<&'a [String]>,
}

impl<'a> ClassContent<'a> {
    /// Adds a finding of the class. `lacks_places` says whether it may have had more places than are left.
    fn add(&mut self, finding: &'a Finding, lacks_places: bool) {
        self.cells = self.cells.saturating_add(finding.cells);
        let mut kinds: Kinds = finding.classes.iter().map(|of| (&*of.id, of.count)).collect();
        kinds.sort_unstable();
        self.results.push((finding.vectors, finding.mismatches, kinds));
        self.statuses.push(finding.status);
        self.lacks_places |= lacks_places;
        for sequence in &finding.sequences {
            self.instructions.push(&sequence.instructions);
            for place in &sequence.places {
                self.places.extend(place.settings.iter().map(|setting| (&*place.target, &**setting)));
            }
        }
    }

    /// Returns in what another report differs about the class, in whichever order each report has its findings.
    fn change(&mut self, class: &str, after: &mut ClassContent<'a>) -> Option<ClassChange> {
        fn differ<T: Ord>(before: &mut [T], after: &mut [T]) -> bool {
            before.sort_unstable();
            after.sort_unstable();
            before != after
        }
        let both = !self.statuses.is_empty() && !after.statuses.is_empty();
        let other_status = both && differ(&mut self.statuses, &mut after.statuses);
        // `differ` has sorted the statuses, of which a failure is the first.
        let gravest = |class: &ClassContent| class.statuses.first().copied();
        let change = ClassChange {
            class: class.into(),
            before: self.cells,
            after: after.cells,
            results: both && differ(&mut self.results, &mut after.results),
            status: gravest(self)
                .zip(gravest(after))
                .filter(|_| other_status)
                .map(|(one, two)| [one, two]),
            places: both
                && self.cells == after.cells
                && !self.lacks_places
                && !after.lacks_places
                && differ(&mut self.places, &mut after.places),
            instructions: both && differ(&mut self.instructions, &mut after.instructions),
        };
        let ClassChange { before, after, results, places, instructions, .. } = change;
        (!both || before != after || results || other_status || places || instructions).then_some(change)
    }
}

/// Returns the counts of a report, by the names of its fields.
fn counts(report: &CompilerReport) -> [(&'static str, u64); 11] {
    let CompilerTotals { cells, right, selected, wrong, refused, died, illegal, unexecuted, .. } =
        report.totals;
    [
        ("sources", report.work.count),
        ("cells", cells),
        ("right", right),
        ("selected", selected),
        ("wrong", wrong),
        ("refused", refused),
        ("died", died),
        ("illegal", illegal),
        ("unexecuted", unexecuted),
        ("vectors", report.totals.vectors),
        ("undecided", report.totals.undecided),
    ]
}

/// Refuses two reports that were not asked alike: of other sources, or with another language, target, setting, seed,
/// first program or number of vectors.
///
/// The number of sources may differ: a newer suite has more, and a search that is stopped has fewer.
fn asked_alike(before: &CompilerReport, after: &CompilerReport) -> Result<(), Unlike> {
    let (one, two) = (&before.work, &after.work);
    if one.sources != two.sources {
        return Err(Unlike::Sources { before: one.sources.name(), after: two.sources.name() });
    }
    let seed = |work: &CompilerWork| work.seed.clone().unwrap_or_else(|| "none".into());
    Unlike::unless_equal([
        ("language", before.compiler.language.clone(), after.compiler.language.clone()),
        ("targets", targets(one), targets(two)),
        ("settings", settings(one, two), settings(two, one)),
        ("seed", seed(one), seed(two)),
        ("number of the first program", one.first.to_string(), two.first.to_string()),
        ("number of vectors", one.vectors.to_string(), two.vectors.to_string()),
    ])
}

fn targets(work: &CompilerWork) -> String {
    let targets: BTreeSet<&str> = work.targets.iter().map(String::as_str).collect();
    elided(&targets.into_iter().collect::<Vec<_>>().join(", "), TOLD)
}

/// Returns the settings that another report lacks, with their options, as a text.
fn settings(work: &CompilerWork, other: &CompilerWork) -> String {
    let own = work.settings.iter().filter(|(name, options)| other.settings.get(*name) != Some(*options));
    let own: Vec<String> =
        own.map(|(name, options)| format!("{name} ({})", options.join(" "))).collect();
    if own.is_empty() { "(none of its own)".into() } else { elided(&own.join(", "), TOLD) }
}

impl Sources {
    /// Returns the word that stands for the kind of sources in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Sources::Rows => "rows",
            Sources::Programs => "programs",
        }
    }
}
