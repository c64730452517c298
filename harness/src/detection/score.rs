//! What the hunts of many variants add up to.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde::Serialize;
use vectors::Variant;

use super::{Fate, Flaw, Found, Generator, Hunted, hunt};
use crate::budget::Tier;

/// The score of a tier, as written to `mutants.json`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Score {
    /// Version of this file's layout.
    pub schema: &'static str,
    /// The tier.
    pub tier: String,
    /// The seed of every random vector.
    pub seed: String,
    /// The patterns that variants were chosen by; none for all.
    pub only: Vec<String>,
    /// Variants that were hunted.
    pub variants: u64,
    /// Those that were not, because the hunt was broken off.
    #[serde(skip_serializing_if = "is_none")]
    pub left: u64,
    /// Sums over all mutants.
    pub totals: Counts,
    /// Other generators on a budget.
    pub comparison: Comparison,
    /// By sweep, how many mutants it was that found them first.
    pub sweeps: BTreeMap<&'static str, u64>,
    /// For each flaw and operation.
    pub families: Vec<Family>,
    /// Mutants that were missed, `VARIANT FLAW`.
    pub missed: Vec<String>,
    /// Those that were found in spite of a proof that they cannot be.
    pub disproved: Vec<String>,
}

/// How many mutants had which fate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// All.
    pub mutants: u64,
    /// Found.
    pub found: u64,
    /// Their wrong results are permitted.
    pub permitted: u64,
    /// Their results cannot differ.
    pub equivalent: u64,
    /// Neither.
    pub missed: u64,
}

/// What three generators find of the mutants that the tier finds, given as many vectors each.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Comparison {
    /// The most vectors of a sweep; the others get as many vectors of a variant as its sweeps together.
    pub vectors_per_sweep: u64,
    /// The vectors of all variants together.
    pub vectors: u64,
    /// Mutants that were hunted.
    pub mutants: u64,
    /// Found by the suite's sweeps.
    pub sweeps: u64,
    /// Found by uniformly random bits.
    pub uniform: u64,
    /// Found by the method of Berkeley TestFloat.
    pub testfloat: u64,
}

/// The mutants of one flaw in the variants of one operation.
#[derive(Clone, Debug, Serialize)]
pub struct Family {
    /// The flaw.
    pub flaw: String,
    /// In words.
    pub words: &'static str,
    /// The operation.
    pub operation: &'static str,
    /// Their fates.
    #[serde(flatten)]
    pub counts: Counts,
    /// The vectors that it took to find half of those that were found …
    pub median: Option<u64>,
    /// … and all of them.
    pub most: Option<u64>,
    /// The mutant that took most: variant, sweep and number of the vector.
    pub hardest: Option<String>,
    /// The sweeps that found them first, with how many.
    pub sweeps: BTreeMap<&'static str, u64>,
    /// Found on the budget by sweeps, by uniform bits and by TestFloat's method.
    pub compared: [u64; 3],
    /// Why mutants are equivalent, with how many.
    pub proofs: BTreeMap<&'static str, u64>,
    #[serde(skip)]
    taken: Vec<(u64, String)>,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Hunting {
    /// How deep.
    pub tier: Tier,
    /// Of which variants.
    pub only: Vec<String>,
    /// Seed of every random vector.
    pub seed: u64,
    /// The comparison's vectors for each sweep.
    pub budget: u64,
    /// How many vectors each proof is tried on at least.
    pub proven: u64,
    /// Number of threads.
    pub jobs: usize,
}

/// The hunts of one variant.
struct Result {
    whole: Vec<Hunted>,
    /// For each of `whole` that was found, by which generators on the budget.
    compared: Vec<[bool; 3]>,
    vectors: u64,
}

/// Hunts every mutant of `variants`, until `stop` is set; `progress` is told of each variant that is done.
pub fn score(
    variants: &[&'static Variant],
    hunting: &Hunting,
    stop: &AtomicBool,
    progress: &(dyn Fn(u64) + Sync),
) -> Score {
    let results: Vec<Mutex<Option<Result>>> = variants.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..hunting.jobs {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(variant) = variants.get(place) else { break };
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let result = Result::of(variant, hunting);
                    *results[place].lock().expect("no thread panics with it") = Some(result);
                    progress(1);
                }
            });
        }
    });
    let results = results.into_iter().map(|result| result.into_inner().expect("as above"));
    let done = variants.iter().copied().zip(results).filter_map(|(variant, of)| Some((variant, of?)));
    let done: Vec<_> = done.collect();
    Score { left: (variants.len() - done.len()) as u64, ..Score::of(&done, hunting) }
}

impl Result {
    fn of(variant: &Variant, hunting: &Hunting) -> Result {
        let sweeps = Generator::Sweeps(hunting.tier, None);
        let whole = hunt(variant, &Flaw::of(variant), sweeps, hunting.seed, hunting.proven);
        let found: Vec<Flaw> = whole.iter().filter(|one| is_found(one)).map(|one| one.flaw).collect();
        let sweeps = Generator::Sweeps(hunting.tier, Some(hunting.budget));
        let vectors = sweeps.parts(variant).iter().map(|part| part.vectors).sum();
        let generators = [sweeps, Generator::Uniform(vectors), Generator::TestFloat(vectors)];
        let mut compared = vec![[false; 3]; found.len()];
        for (place, generator) in generators.into_iter().enumerate() {
            let hunted = hunt(variant, &found, generator, hunting.seed, hunting.proven);
            hunted.iter().zip(&mut compared).for_each(|(one, by)| by[place] = is_found(one));
        }
        Result { whole, compared, vectors }
    }
}

fn is_none(count: &u64) -> bool {
    *count == 0
}

fn is_found(hunted: &Hunted) -> bool {
    matches!(hunted.fate, Fate::Found(_))
}

impl Counts {
    fn add(&mut self, fate: &Fate) {
        self.mutants += 1;
        *match fate {
            Fate::Found(_) => &mut self.found,
            Fate::Permitted => &mut self.permitted,
            Fate::Equivalent(_) => &mut self.equivalent,
            Fate::Missed => &mut self.missed,
        } += 1;
    }
}

impl Score {
    fn of(results: &[(&'static Variant, Result)], hunting: &Hunting) -> Score {
        let mut score = Score {
            schema: "ptx-conformance-mutants/1",
            tier: hunting.tier.name().into(),
            seed: format!("{:#x}", hunting.seed),
            only: hunting.only.clone(),
            variants: results.len() as u64,
            ..Score::default()
        };
        score.comparison.vectors_per_sweep = hunting.budget;
        let mut families: BTreeMap<_, Family> = BTreeMap::new();
        for (variant, result) in results {
            score.comparison.vectors += result.vectors;
            let mut compared = result.compared.iter();
            for hunted in &result.whole {
                let operation = variant.operation();
                let family = families
                    .entry((hunted.flaw, operation.text()))
                    .or_insert_with(|| Family::new(hunted.flaw, operation.text()));
                let name = format!("{variant} {}", hunted.flaw.id());
                family.counts.add(&hunted.fate);
                score.totals.add(&hunted.fate);
                match &hunted.fate {
                    Fate::Found(found) => {
                        *score.sweeps.entry(found.sweep).or_default() += 1;
                        let by = compared.next().expect("one for each that was found");
                        score.comparison.mutants += 1;
                        score.comparison.sweeps += u64::from(by[0]);
                        score.comparison.uniform += u64::from(by[1]);
                        score.comparison.testfloat += u64::from(by[2]);
                        family.found(variant, found, *by);
                    }
                    Fate::Equivalent(proof) => *family.proofs.entry(proof).or_default() += 1,
                    Fate::Missed => score.missed.push(name.clone()),
                    Fate::Permitted => {}
                }
                if hunted.disproved {
                    score.disproved.push(name);
                }
            }
        }
        score.families = families.into_values().map(Family::finished).collect();
        score
    }
}

impl Family {
    fn new(flaw: Flaw, operation: &'static str) -> Family {
        Family {
            flaw: flaw.id(),
            words: flaw.words(),
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

    fn found(&mut self, variant: &Variant, found: &Found, by: [bool; 3]) {
        *self.sweeps.entry(found.sweep).or_default() += 1;
        self.compared.iter_mut().zip(by).for_each(|(count, by)| *count += u64::from(by));
        self.taken.push((found.after, format!("{variant} {}[{}]", found.sweep, found.index)));
    }

    fn finished(mut self) -> Family {
        self.taken.sort();
        let taken = std::mem::take(&mut self.taken);
        self.median = taken.get(taken.len() / 2).map(|(after, _)| *after);
        self.most = taken.last().map(|(after, _)| *after);
        self.hardest = taken.into_iter().next_back().map(|(_, where_)| where_);
        self
    }
}
