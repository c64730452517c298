//! Scores: the outcomes of the mutants of many variants, added up.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use base::pool::Pool;
use faults::Mutation;
use isa::Variant;
use selection::budget::Tier;
use serde::Serialize;

use super::{Generator, Killed, MutantOutcome, MutantResult, run_mutants};

/// The number of groups among which one that computes the same is looked for.
const MOST_BETWEEN: usize = 256;

/// The score of a tier, as written to `mutants.json`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Score {
    /// The version of the layout of `mutants.json`.
    pub schema: &'static str,
    /// The name of the tier.
    pub tier: String,
    /// The seed of every random vector.
    pub seed: String,
    /// The patterns that variants were chosen by; none for all.
    pub only: Vec<String>,
    /// The number of variants whose mutants were run.
    pub variants: u64,
    /// The number of variants whose mutants were not run, because the run was broken off.
    #[serde(skip_serializing_if = "is_none")]
    pub left: u64,
    /// Sums over all mutants.
    pub totals: Counts,
    /// The comparison with other generators, on a budget.
    pub comparison: GeneratorComparison,
    /// For each sweep, how many mutants it was the first to kill.
    pub sweeps: BTreeMap<&'static str, u64>,
    /// The mutants of each mutation and operation.
    pub families: Vec<Family>,
    /// Mutants that survived, `VARIANT MUTATION`.
    #[serde(rename = "missed")]
    pub survived: Vec<String>,
    /// Mutants that were killed in spite of a proof that they cannot be.
    #[serde(rename = "disproved")]
    pub proofs_refuted: Vec<String>,
}

/// The numbers of mutants by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// The number of all mutants.
    pub mutants: u64,
    /// The number of mutants that were killed.
    #[serde(rename = "found")]
    pub killed: u64,
    /// The number of mutants whose wrong results are accepted.
    #[serde(rename = "permitted")]
    pub tolerated: u64,
    /// The number of mutants whose results cannot differ.
    pub equivalent: u64,
    /// The number of mutants that were neither killed nor tolerated, and are not equivalent.
    #[serde(rename = "missed")]
    pub survived: u64,
}

/// The mutants that the tier kills, and how many of them three generators kill, given as many vectors each.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GeneratorComparison {
    /// The most vectors of a sweep; the other generators get as many vectors of a variant as its sweeps together.
    pub vectors_per_sweep: u64,
    /// The number of vectors of all variants together.
    pub vectors: u64,
    /// The number of mutants that the tier kills.
    pub mutants: u64,
    /// The number of mutants killed by the suite's sweeps.
    pub sweeps: u64,
    /// The number of mutants killed by uniformly random bits.
    pub uniform: u64,
    /// The number of mutants killed by the method of Berkeley TestFloat.
    pub testfloat: u64,
}

/// The mutants of one mutation in the variants of one operation.
#[derive(Clone, Debug, Serialize)]
pub struct Family {
    /// The mutation.
    #[serde(rename = "flaw")]
    pub mutation: String,
    /// The mutation in words.
    pub words: String,
    /// The operation.
    pub operation: &'static str,
    /// The outcomes of the mutants.
    #[serde(flatten)]
    pub counts: Counts,
    /// The number of vectors that it took to kill half of the mutants that were killed.
    pub median: Option<u64>,
    /// The number of vectors that it took to kill all of the mutants that were killed.
    pub most: Option<u64>,
    /// The mutant that took most vectors: variant, sweep and number of the vector.
    pub hardest: Option<String>,
    /// The sweeps that killed mutants first, with how many.
    pub sweeps: BTreeMap<&'static str, u64>,
    /// The numbers of mutants killed on the budget by sweeps, by uniform bits and by TestFloat's method.
    pub compared: [u64; 3],
    /// The reasons why mutants are equivalent, with how many.
    pub proofs: BTreeMap<&'static str, u64>,
    #[serde(skip)]
    taken: Vec<(u64, String)>,
}

/// A request for a score.
#[derive(Clone, Debug)]
pub struct ScoreRequest {
    /// The tier: how deep the sweeps go.
    pub tier: Tier,
    /// The patterns that variants are chosen by.
    pub only: Vec<String>,
    /// The seed of every random vector.
    pub seed: u64,
    /// The most vectors of each sweep in the comparison.
    pub budget: u64,
    /// The number of lanes that each proof is tried on at least.
    pub equivalence_lanes: u64,
    /// The number of threads.
    pub jobs: usize,
}

/// The outcomes of the mutants of one variant.
struct VariantResult {
    whole: Vec<MutantResult>,
    /// For each mutant of `whole` that was killed, whether each of the three generators kills it on the budget.
    compared: Vec<[bool; 3]>,
    vectors: u64,
}

/// Runs every mutant of `variants`, until `stop` is set, and returns the score; `progress` is told of each variant
/// that is done.
///
/// # Errors
/// If a thread could not be started, or panicked.
pub fn score(
    variants: &[&'static Variant],
    request: &ScoreRequest,
    stop: &AtomicBool,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Score> {
    let groups = group_alike(variants);
    let ended = Pool::new(request.jobs).stopped_by(stop).run_on_each(
        &groups,
        || Ok(()),
        |(), alike| {
            let result = VariantResult::of(alike[0], request);
            progress(alike.len() as u64);
            Ok(result)
        },
    );
    ended.error.map_or(Ok(()), Err)?;
    let done: Vec<_> = groups
        .iter()
        .zip(&ended.results)
        .filter_map(|(alike, result)| Some((alike, result.as_ref()?)))
        .flat_map(|(alike, result)| alike.iter().map(move |&variant| (variant, result)))
        .collect();
    Ok(Score { left: (variants.len() - done.len()) as u64, ..Score::of(&done, request) })
}

/// Groups variants that compute the same of the same registers and promise the same, such as `add.f32` and
/// `add.rn.f32`: they have the same vectors, mutants and results, so one of them is run.
fn group_alike(variants: &[&'static Variant]) -> Vec<Vec<&'static Variant>> {
    let mut groups: Vec<Vec<&'static Variant>> = Vec::new();
    for &variant in variants {
        let alike = |group: &&mut Vec<&'static Variant>| {
            let other = group[0];
            variant.meaning() == other.meaning()
                && std::ptr::eq(variant.lane_signature(), other.lane_signature())
                && variant.mnemonic() == other.mnemonic()
                && (variant.form().contract, variant.site()) == (other.form().contract, other.site())
        };
        // Variants of one form stand together.
        match groups.iter_mut().rev().take(MOST_BETWEEN).find(alike) {
            Some(group) => group.push(variant),
            None => groups.push(vec![variant]),
        }
    }
    groups
}

impl VariantResult {
    /// Runs all mutants of a variant by its sweeps, and those killed by each generator on the budget.
    fn of(variant: &Variant, request: &ScoreRequest) -> VariantResult {
        let sweeps = Generator::Sweeps(request.tier, None);
        let run = |mutations: &[Mutation], generator| {
            run_mutants(variant, mutations, generator, request.seed, request.equivalence_lanes)
        };
        let whole = run(&Mutation::of(variant), sweeps);
        let killed = whole.iter().filter(|one| is_killed(one)).map(|one| one.mutation);
        let killed: Vec<Mutation> = killed.collect();
        let sweeps = Generator::Sweeps(request.tier, Some(request.budget));
        // The other generators get as many vectors as the sweeps have on the budget.
        let vectors = sweeps.parts(variant).iter().map(|part| part.vectors).sum();
        let generators = [sweeps, Generator::Uniform(vectors), Generator::TestFloat(vectors)];
        let mut compared = vec![[false; 3]; killed.len()];
        for (place, generator) in generators.into_iter().enumerate() {
            let results = run(&killed, generator);
            results.iter().zip(&mut compared).for_each(|(one, by)| by[place] = is_killed(one));
        }
        VariantResult { whole, compared, vectors }
    }
}

fn is_none(count: &u64) -> bool {
    *count == 0
}

fn is_killed(result: &MutantResult) -> bool {
    matches!(result.outcome, MutantOutcome::Killed(_))
}

impl Counts {
    fn add(&mut self, outcome: &MutantOutcome) {
        self.mutants += 1;
        *match outcome {
            MutantOutcome::Killed(_) => &mut self.killed,
            MutantOutcome::Tolerated => &mut self.tolerated,
            MutantOutcome::Equivalent(_) => &mut self.equivalent,
            MutantOutcome::Survived => &mut self.survived,
        } += 1;
    }
}

impl Score {
    /// Adds up the results of all variants.
    fn of(results: &[(&'static Variant, &VariantResult)], request: &ScoreRequest) -> Score {
        let mut score = Score {
            schema: "ptx-conformance-mutants/1",
            tier: request.tier.name().into(),
            seed: format!("{:#x}", request.seed),
            only: request.only.clone(),
            variants: results.len() as u64,
            ..Score::default()
        };
        score.comparison.vectors_per_sweep = request.budget;
        let mut families: BTreeMap<_, Family> = BTreeMap::new();
        for (variant, result) in results {
            score.comparison.vectors += result.vectors;
            // The list has an entry for each mutant that was killed, in the order of `whole`.
            let mut compared = result.compared.iter();
            for MutantResult { mutation, outcome, proof_refuted } in &result.whole {
                let family = families
                    .entry((*mutation, variant.mnemonic()))
                    .or_insert_with(|| Family::new(*mutation, variant.mnemonic()));
                let name = format!("{variant} {}", mutation.id());
                family.counts.add(outcome);
                score.totals.add(outcome);
                match outcome {
                    MutantOutcome::Killed(killed) => {
                        *score.sweeps.entry(killed.sweep).or_default() += 1;
                        let by = compared.next().expect("one for each that was killed");
                        score.comparison.mutants += 1;
                        score.comparison.sweeps += u64::from(by[0]);
                        score.comparison.uniform += u64::from(by[1]);
                        score.comparison.testfloat += u64::from(by[2]);
                        family.killed(variant, killed, *by);
                    }
                    MutantOutcome::Equivalent(proof) => {
                        *family.proofs.entry(proof.prose).or_default() += 1;
                    }
                    MutantOutcome::Survived => score.survived.push(name.clone()),
                    MutantOutcome::Tolerated => {}
                }
                if *proof_refuted {
                    score.proofs_refuted.push(name);
                }
            }
        }
        score.families = families.into_values().map(Family::finished).collect();
        score
    }
}

impl Family {
    fn new(mutation: Mutation, operation: &'static str) -> Family {
        Family {
            mutation: mutation.id(),
            words: mutation.words(),
            operation,
            counts: Counts::default(),
            median: None,
            most: None,
            hardest: None,
            sweeps: BTreeMap::new(),
            compared: [0; 3],
            proofs: BTreeMap::new(),
            taken: Vec::new(),
        }
    }

    /// Counts a mutant that was killed; `by` tells which generators kill it on the budget.
    fn killed(&mut self, variant: &Variant, killed: &Killed, by: [bool; 3]) {
        *self.sweeps.entry(killed.sweep).or_default() += 1;
        self.compared.iter_mut().zip(by).for_each(|(count, by)| *count += u64::from(by));
        self.taken.push((killed.after, format!("{variant} {}[{}]", killed.sweep, killed.index)));
    }

    /// Returns the family with its median and its hardest mutant, which all of its mutants decide.
    fn finished(mut self) -> Family {
        self.taken.sort();
        let taken = std::mem::take(&mut self.taken);
        self.median = taken.get(taken.len() / 2).map(|(after, _)| *after);
        self.most = taken.last().map(|(after, _)| *after);
        self.hardest = taken.into_iter().next_back().map(|(_, where_)| where_);
        self
    }
}
