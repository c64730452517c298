//! The candidates for what an implementation computes, level by level, the simplest first.

use std::collections::{BTreeMap, BTreeSet};

use isa::Variant;
use judge::MismatchKind;
use model::{Fault, Faults};

use super::candidate::{Candidate, Computes};
use super::condition::{Condition, Only};
use super::given::Given;
use super::hypotheses::Known;
use super::integers::Integers;
use super::range::Quantity;
use super::siblings::Sibling;

/// The faults and the siblings of a variant, from which candidates are made.
pub struct CandidateSource {
    faults: Vec<Fault>,
    /// The siblings that ignore modifiers of the variant.
    ignoring: Vec<Sibling>,
    variant: &'static Variant,
}

/// A way to make candidates from what is known of a variant and its results.
pub type Level = fn(&CandidateSource, &Known) -> Vec<Candidate>;

/// The place in `LEVELS` of the candidates with two faults.
pub const PAIRS: usize = 2;

/// The levels of candidates that are tried, the simplest first.
pub const LEVELS: [Level; 9] = [
    |source, _| source.single(),
    |source, _| source.no_floats(),
    |source, _| source.pairs(),
    |source, _| source.under_conditions(),
    CandidateSource::in_ranges,
    CandidateSource::pairs_in_ranges,
    |source, _| source.other_variants(),
    |source, _| source.ignoring_with_fault(),
    |source, _| source.ignoring_with_pair(),
];

impl CandidateSource {
    /// Collects the faults and the siblings that a variant can have.
    pub fn of(variant: &'static Variant) -> CandidateSource {
        CandidateSource { faults: concerning(variant), ignoring: Sibling::ignoring(variant), variant }
    }

    /// Returns the candidates with one fault, and those that ignore modifiers, several at once.
    fn single(&self) -> Vec<Candidate> {
        let faults = self.faults.iter().map(|&fault| Candidate::faulty(fault));
        let only = self.ignoring.iter().filter(|sibling| sibling.only_ignores());
        faults.chain(only.map(|&sibling| Candidate::of(Computes::Sibling(sibling)))).collect()
    }

    /// Returns the candidates that compute nothing, or integers.
    fn no_floats(&self) -> Vec<Candidate> {
        let integers = Integers::of(self.variant).into_iter().map(Computes::Integers);
        std::iter::once(Computes::Zero).chain(integers).map(Candidate::of).collect()
    }

    /// Returns the candidates with one fault under a condition on the operands, and right elsewhere.
    fn under_conditions(&self) -> Vec<Candidate> {
        if self.variant.outputs().len() > 1 {
            return Vec::new();
        }
        let conditions = Condition::of(self.variant);
        let faults = self.faults.iter().flat_map(|&fault| {
            conditions
                .iter()
                .map(move |&only| Candidate { only: Some(only.into()), ..Candidate::faulty(fault) })
        });
        faults.collect()
    }

    /// Returns the candidates of the first two levels, each in a range and right elsewhere.
    fn in_ranges(&self, known: &Known) -> Vec<Candidate> {
        self.where_wrong(known, self.single().into_iter().chain(self.no_floats()))
    }

    /// Returns the candidates with two faults in a range, and right elsewhere. Both faults must be needed for some class: one
    /// of them alone was tried before.
    fn pairs_in_ranges(&self, known: &Known) -> Vec<Candidate> {
        let alone = |&fault: &Fault| (fault, known.gives_few(&Candidate::faulty(fault)));
        let alone: BTreeMap<Fault, BTreeSet<MismatchKind>> = self.faults.iter().map(alone).collect();
        let needed = |pair: &Candidate| {
            let by_one: BTreeSet<MismatchKind> =
                pair.faults.iter().flat_map(|fault| alone[&fault].iter().copied()).collect();
            !known.gives_few(pair).is_subset(&by_one)
        };
        self.where_wrong(known, self.pairs().into_iter().filter(needed))
    }

    /// Returns some candidates under conditions, the simplest conditions first. These hold of the wrong results that a
    /// candidate gives, and of no right result that it makes wrong.
    fn where_wrong(&self, known: &Known, everywhere: impl Iterator<Item = Candidate>) -> Vec<Candidate> {
        if self.variant.outputs().len() > 1 {
            return Vec::new();
        }
        let (conditions, quantities) = (Condition::of(self.variant), Quantity::all_of(self.variant));
        let under = |candidate: Candidate| {
            let kinds = known.gives_few(&candidate);
            let given = (!kinds.is_empty())
                .then(|| Given::by(&candidate, known.rerun, known.evidence, &kinds))
                .flatten();
            let only = given.map(|given| given.conditions(self.variant, &conditions, &quantities));
            let only = only.unwrap_or_default().into_iter();
            only.map(move |only| Candidate { only: Some(only), ..candidate })
        };
        let mut all: Vec<Candidate> = everywhere.flat_map(under).collect();
        all.sort_by_key(|of| of.only.map_or(0, Only::complexity));
        all
    }

    /// Returns the candidates that are any other variant of the operation.
    fn other_variants(&self) -> Vec<Candidate> {
        let others = Sibling::siblings_of(self.variant).into_iter().map(Computes::Sibling);
        others.map(Candidate::of).collect()
    }

    /// Returns every set of two of the faults, each once.
    fn pairs_of(faults: &[Fault]) -> impl Iterator<Item = Faults> {
        faults.iter().enumerate().flat_map(move |(place, &first)| {
            let others = faults[place + 1..].iter().filter(move |of| !(first.limits() && of.limits()));
            others.map(move |&second| Faults::from(first).and(second.into()))
        })
    }

    /// Returns the candidates with two faults.
    fn pairs(&self) -> Vec<Candidate> {
        CandidateSource::pairs_of(&self.faults).map(Candidate::faulty).collect()
    }

    /// Returns, for each sibling that ignores modifiers, a candidate with each set that `faults` makes of the faults
    /// that the sibling can have.
    fn ignoring_with(&self, faults: fn(&[Fault]) -> Vec<Faults>) -> Vec<Candidate> {
        let of_sibling = |&sibling: &Sibling| {
            let concerned = concerning(sibling.variant);
            let computes = Computes::Sibling(sibling);
            faults(&concerned).into_iter().map(move |faults| Candidate { computes, faults, only: None })
        };
        self.ignoring.iter().flat_map(of_sibling).collect()
    }

    /// Returns the candidates that ignore modifiers and have one fault beside.
    fn ignoring_with_fault(&self) -> Vec<Candidate> {
        self.ignoring_with(|faults| faults.iter().map(|&fault| Faults::from(fault)).collect())
    }

    /// Returns the candidates that ignore modifiers and have two faults beside.
    fn ignoring_with_pair(&self) -> Vec<Candidate> {
        self.ignoring_with(|faults| CandidateSource::pairs_of(faults).collect())
    }
}

/// Returns the faults that a variant can have.
fn concerning(variant: &Variant) -> Vec<Fault> {
    Fault::ALL.iter().copied().filter(|fault| fault.concerns(variant)).collect()
}
