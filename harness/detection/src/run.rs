//! Runs the mutants of one variant on vectors of a generator, until each mutant has been killed.

use std::ops::ControlFlow;

use emulator::{Backend, Kernel};
use faults::Mutation;
use formats::{Column, column};
use isa::{Variant, columns_for, results_for};
use judge::{Batch, Judge, Truth};
use model::Model;
use oracle::Oracle;
use sweeps::Sweep;

use super::generator::{Generator, GeneratorPart};
use super::order::BlockOrder;
use super::proof::{self, EquivalenceProof};

/// Number of vectors of each sweep in the first round: few, because most mutants are killed by the first.
const CHUNK_MIN: u64 = 64;
/// Largest number of vectors of each sweep in a round.
const CHUNK_MAX: u64 = 1 << 13;
/// Least number of lanes for a mutant with a proof that it cannot be killed, or that is tolerated so far: it is run on
/// so many, lest the proof be wrong. A vector of a packed variant has several lanes. All sweeps have a share in them.
pub const EQUIVALENCE_LANES: u64 = 1 << 14;

/// The outcome of running a mutant.
#[derive(Clone, Debug)]
pub enum MutantOutcome {
    /// A result of the mutant is a mismatch.
    Killed(Killed),
    /// Some of the mutant's results are others than the right ones, and all of those are accepted, because the manual
    /// leaves that open.
    Tolerated,
    /// No result of the mutant differs, because none can, for this reason.
    Equivalent(&'static EquivalenceProof),
    /// The mutant was not killed, and nothing says that it could not be.
    Survived,
}

/// The vector that a mutant was killed by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Killed {
    /// The name of the sweep, or of the generator.
    pub sweep: &'static str,
    /// The number of the vector in the sweep, or in the generator's vectors.
    pub index: u64,
    /// The number of vectors that had been tried, this one included.
    pub after: u64,
}

/// A mutant and the outcome of running it.
#[derive(Clone, Debug)]
pub struct MutantResult {
    /// The mutation: what is wrong with the mutant.
    pub mutation: Mutation,
    /// The outcome of running the mutant.
    pub outcome: MutantOutcome,
    /// Whether the mutant was killed in spite of a proof that it cannot be.
    pub proof_refuted: bool,
}

/// A mutant that has not been killed yet.
struct LivingMutant {
    mutation: Mutation,
    proof: Option<&'static EquivalenceProof>,
    /// Whether some of the mutant's results differed and were accepted.
    differed: bool,
    killed: Option<Killed>,
}

/// Runs the mutants of a variant that have these mutations, and returns the outcome of each. Those with a proof are
/// run on `equivalence_lanes` lanes, see [`EQUIVALENCE_LANES`].
pub fn run_mutants(
    variant: &Variant,
    mutations: &[Mutation],
    generator: Generator,
    seed: u64,
    equivalence_lanes: u64,
) -> Vec<MutantResult> {
    let candidate = |&mutation: &Mutation| {
        let proof = proof::of(mutation, variant);
        LivingMutant { mutation, proof, differed: false, killed: None }
    };
    let mut candidates: Vec<LivingMutant> = mutations.iter().map(candidate).collect();
    let parts = generator.parts(variant);
    let mut bed = TestBed::new(variant);
    try_in_rounds(&parts, |part, first, rows, tried| {
        let enough = tried * variant.lanes() as u64 >= equivalence_lanes;
        let goes_on = |one: &&mut LivingMutant| {
            let hopeless =
                one.proof.is_some() || one.differed && faults::is_tolerated(one.mutation, variant);
            one.killed.is_none() && !(hopeless && enough)
        };
        let mut alive = candidates.iter_mut().filter(goes_on).peekable();
        if alive.peek().is_none() {
            return ControlFlow::Break(());
        }
        bed.make_vectors(|operands| part.fill(variant, seed, first, operands), rows as usize);
        for candidate in alive {
            let (row, differed) = bed.run_one(candidate.mutation);
            candidate.differed |= differed;
            candidate.killed =
                row.map(|row| Killed { sweep: part.name, index: first + row, after: tried + row + 1 });
        }
        ControlFlow::Continue(())
    });
    let integers = small_integers(variant);
    if let Some(integers) = &integers {
        bed.make_vectors(
            |operands| operands.clone_from_slice(std::slice::from_ref(integers)),
            integers.rows(),
        );
        for candidate in candidates.iter_mut().filter(|one| one.killed.is_none() && one.proof.is_none())
        {
            // Whatever differs here is no kill: the sweeps have not shown it.
            candidate.differed |= bed.run_one(candidate.mutation).1;
        }
    }
    // A budget has the exhaustive sweep whole or not at all, so that having it means having all inputs.
    let exhausted = parts.iter().any(|part| part.name == Sweep::exhaustive().name);
    let proof = match integers {
        _ if exhausted => Some(proof::EXHAUSTED),
        Some(_) => Some(proof::SMALL_INTEGERS),
        None => None,
    };
    candidates.into_iter().map(|candidate| candidate.result(variant, proof)).collect()
}

/// Calls `attempt` with each part, first vector and number of vectors of a batch, and the number of vectors before it,
/// until it breaks off or all vectors have been tried. Each round has a batch of every part, because a mutant that
/// survives one sweep may be killed by the first vectors of another.
fn try_in_rounds(
    parts: &[GeneratorPart],
    mut attempt: impl FnMut(&GeneratorPart, u64, u64, u64) -> ControlFlow<()>,
) {
    let order =
        |part: &GeneratorPart| BlockOrder::new(part.vectors, part.name == Sweep::exhaustive().name);
    let mut orders: Vec<BlockOrder> = parts.iter().map(order).collect();
    let (mut tried, mut rows_of_round) = (0, CHUNK_MIN);
    loop {
        let before = tried;
        for (part, order) in parts.iter().zip(&mut orders) {
            let Some((first, rows)) = order.next_batch(rows_of_round) else { continue };
            if attempt(part, first, rows, tried).is_break() {
                return;
            }
            tried += rows;
        }
        if tried == before {
            return;
        }
        // Batches grow with the number of vectors that the mutants have survived.
        rows_of_round = (2 * rows_of_round).min(CHUNK_MAX);
    }
}

/// The largest exponent of two below which all integers are tried.
const INTEGERS_EXPONENT_MAX: i32 = 18;

/// Returns all integers up to four times the largest number of the result's format in magnitude, for a conversion of
/// integers to floats, if these are few.
fn small_integers(variant: &Variant) -> Option<Column> {
    let (from, to) = (variant.inputs()[0].format, variant.outputs()[0].format);
    let is_plain = variant.is_from_integer() && variant.operands().len() == 1 && variant.lanes() == 1;
    let exponent = to.exponent_max() + 3;
    let bits = from.width() - u32::from(from.signed);
    if !is_plain || to.is_fixed() || exponent > INTEGERS_EXPONENT_MAX || exponent >= bits as i32 {
        return None;
    }
    let most = 1i64 << exponent;
    let least = if from.signed { -most } else { 0 };
    let mut column = Column::new(variant.operands()[0].ty.row_bytes(), (most - least + 1) as usize);
    (least..=most).enumerate().for_each(|(row, integer)| column.set(row, integer as u64 & from.mask()));
    Some(column)
}

impl LivingMutant {
    /// Returns the outcome of the mutant, if nothing more is tried. `tried` is the reason why a mutant without a differing
    /// result is equivalent, if all inputs that matter were tried.
    fn result(self, variant: &Variant, tried: Option<&'static EquivalenceProof>) -> MutantResult {
        let LivingMutant { mutation, proof, differed, killed } = self;
        let outcome = match (killed, proof) {
            (Some(killed), _) => MutantOutcome::Killed(killed),
            _ if differed && faults::is_tolerated(mutation, variant) => MutantOutcome::Tolerated,
            (None, Some(proof)) if !differed => MutantOutcome::Equivalent(proof),
            _ if differed => MutantOutcome::Survived,
            _ => tried.map_or(MutantOutcome::Survived, MutantOutcome::Equivalent),
        };
        let proof_refuted = proof.is_some() && matches!(outcome, MutantOutcome::Killed(_));
        MutantResult { mutation, outcome, proof_refuted }
    }
}

/// A test bed, where mutants are run: some vectors of a variant, their right results, and a judge.
struct TestBed<'a> {
    variant: &'a Variant,
    operands: Vec<Column>,
    right: Right,
    results: Vec<Column>,
    oracle: Oracle,
    truth: Truth,
    judge: Judge,
}

/// Results that the judge accepts: a mutant's result that does not differ from them need not be judged.
enum Right {
    /// The emulator's results.
    Emulated(Kernel, Vec<Column>),
    /// The oracle's results of approximations, with the intervals that mutants leave.
    Truth(Truth),
}

impl TestBed<'_> {
    fn new(variant: &Variant) -> TestBed<'_> {
        let kernel = Kernel::of(variant, Backend::Lanes).filter(|_| Model::covers(variant));
        let right = match kernel {
            Some(kernel) => Right::Emulated(kernel, results_for(variant, 0)),
            None => Right::Truth(Truth::new(variant)),
        };
        TestBed {
            variant,
            operands: columns_for(variant, 0),
            right,
            results: results_for(variant, 0),
            oracle: Oracle::new(variant),
            truth: Truth::new(variant),
            judge: Judge::new(variant),
        }
    }

    /// Makes vectors, and computes their right results.
    fn make_vectors(&mut self, fill: impl FnOnce(&mut [Column]), rows: usize) {
        self.operands.iter_mut().for_each(|column| column.resize(rows));
        self.results.iter_mut().for_each(|column| column.resize(rows));
        fill(&mut self.operands);
        match &mut self.right {
            Right::Emulated(kernel, right) => {
                right.iter_mut().for_each(|column| column.resize(rows));
                kernel.run(&self.operands, right);
            }
            Right::Truth(truth) => self.oracle.expect(&self.operands, truth),
        }
    }

    /// Runs a mutant, and returns the first vector that it is killed by, and whether any of its results differs.
    fn run_one(&mut self, mutation: Mutation) -> (Option<u64>, bool) {
        match (mutation, &self.right) {
            (Mutation::Stage(fault), _) => {
                Model::new(self.variant, fault).run(&self.operands, &mut self.results);
            }
            (Mutation::Localized(fault), Right::Truth(truth)) => {
                fault.inject(self.variant, &self.operands, truth, &mut self.results);
            }
            (Mutation::Localized(_), Right::Emulated(..)) => unreachable!("of approximations only"),
        }
        let right = match &self.right {
            Right::Emulated(_, right) => right,
            Right::Truth(truth) => &truth.results,
        };
        let rows: Vec<usize> = column::differing(&self.results, right).collect();
        (self.judged(&rows), !rows.is_empty())
    }

    /// Returns the first of some rows that is a mismatch.
    fn judged(&mut self, rows: &[usize]) -> Option<u64> {
        // Most mutants are killed by the first row that differs.
        let (few, rest) = rows.split_at(rows.len().min(8));
        [few, rest].into_iter().filter(|rows| !rows.is_empty()).find_map(|rows| {
            let [operands, results] = [&self.operands, &self.results].map(|of| column::select(of, rows));
            self.oracle.expect(&operands, &mut self.truth);
            let wrong = self.judge.wrong_rows(&self.truth, Batch::new(&operands, &results));
            wrong.first().map(|&place| rows[place] as u64)
        })
    }
}
