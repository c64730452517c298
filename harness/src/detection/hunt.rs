//! The hunt for the mutants of one variant: vectors of a generator, until each has been found.

use emulator::{Backend, Kernel};
use judge::{Batch, Judge, Truth};
use model::Model;
use oracle::Oracle;
use vectors::isa::Variant;
use vectors::sweep::{columns_for, results_for};
use vectors::{Column, column};

use super::Flaw;
use super::generator::Generator;
use super::proof;
use crate::budget::EXHAUSTIVE;

/// Vectors tried at once: few at first, because most mutants are found by the first.
const CHUNK_MIN: u64 = 64;
const CHUNK_MAX: u64 = 1 << 13;
/// A mutant of which there is a proof that it cannot be found, or that is permitted so far, is hunted
/// for so many vectors at least, lest the proof be wrong.
pub const PROVEN: u64 = 1 << 15;

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// One of its results is a mismatch.
    Found(Found),
    /// Some of its results are others than the right ones, and all of those are accepted, because the
    /// manual leaves that open.
    Permitted,
    /// None of its results differs, because none can, for this reason.
    Equivalent(&'static str),
    /// It was not found, and nothing says that it could not be.
    Missed,
}

/// The vector that a mutant was found by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The sweep, or the generator.
    pub sweep: &'static str,
    /// The vector's number in it.
    pub index: u64,
    /// How many vectors had been tried, this one included.
    pub after: u64,
}

/// A mutant and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunted {
    /// What is wrong with it.
    pub flaw: Flaw,
    /// Its fate.
    pub fate: Fate,
    /// Whether it was found in spite of a proof that it cannot be.
    pub disproved: bool,
}

/// A mutant that is still at large.
struct Quarry {
    flaw: Flaw,
    proof: Option<&'static str>,
    /// Some of its results differed and were accepted.
    differed: bool,
    found: Option<Found>,
}

/// Hunts the mutants of a variant that have these flaws; those with a proof for `proven` vectors, see
/// [`PROVEN`].
pub fn hunt(
    variant: &Variant,
    flaws: &[Flaw],
    generator: Generator,
    seed: u64,
    proven: u64,
) -> Vec<Hunted> {
    let quarry = |&flaw: &Flaw| {
        let proof = proof::of(flaw, variant);
        Quarry { flaw, proof, differed: false, found: None }
    };
    let mut quarries: Vec<Quarry> = flaws.iter().map(quarry).collect();
    let mut ground = Ground::new(variant);
    let parts = generator.parts(variant);
    let mut tried = 0;
    for part in &parts {
        let mut first = 0;
        while first < part.vectors {
            let rows = tried.clamp(CHUNK_MIN, CHUNK_MAX).min(part.vectors - first);
            let hunted = |quarry: &&mut Quarry| {
                let hopeless =
                    quarry.proof.is_some() || quarry.differed && proof::permits(quarry.flaw, variant);
                quarry.found.is_none() && !(hopeless && tried >= proven)
            };
            let mut at_large = quarries.iter_mut().filter(hunted).peekable();
            if at_large.peek().is_none() {
                break;
            }
            ground.lay(|operands| part.fill(variant, seed, first, operands), rows as usize);
            for quarry in at_large {
                let (row, differed) = ground.track(quarry.flaw);
                quarry.differed |= differed;
                quarry.found = row.map(|row| Found {
                    sweep: part.name,
                    index: first + row,
                    after: tried + row + 1,
                });
            }
            first += rows;
            tried += rows;
        }
    }
    let exhausted = parts.iter().any(|part| part.name == EXHAUSTIVE);
    let hunted = |quarry: Quarry| {
        let permitted = || proof::permits(quarry.flaw, variant);
        let fate = match (quarry.found, quarry.proof) {
            (Some(found), _) => Fate::Found(found),
            (None, _) if quarry.differed && permitted() => Fate::Permitted,
            (None, Some(proof)) if !quarry.differed => Fate::Equivalent(proof),
            (None, _) if exhausted && !quarry.differed => Fate::Equivalent(proof::EXHAUSTED),
            _ => Fate::Missed,
        };
        let disproved = quarry.proof.is_some() && matches!(fate, Fate::Found(_));
        Hunted { flaw: quarry.flaw, fate, disproved }
    };
    quarries.into_iter().map(hunted).collect()
}

/// Where mutants are hunted: some vectors of a variant, their right results, and a judge.
struct Ground<'a> {
    variant: &'a Variant,
    operands: Vec<Column>,
    right: Right,
    results: Vec<Column>,
    oracle: Oracle,
    truth: Truth,
    judge: Judge,
}

/// Results that the judge accepts: whatever does not differ from them need not be judged.
enum Right {
    /// The emulator's.
    Emulated(Kernel, Vec<Column>),
    /// The oracle's, of approximations, with the intervals that mutants leave.
    Truth(Truth),
}

impl Ground<'_> {
    fn new(variant: &Variant) -> Ground<'_> {
        let kernel = Kernel::of(variant, Backend::Lanes).filter(|_| Model::covers(variant));
        let right = match kernel {
            Some(kernel) => Right::Emulated(kernel, results_for(variant, 0)),
            None => Right::Truth(Truth::new(variant)),
        };
        Ground {
            variant,
            operands: columns_for(variant, 0),
            right,
            results: results_for(variant, 0),
            oracle: Oracle::new(variant),
            truth: Truth::new(variant),
            judge: Judge::new(variant),
        }
    }

    /// Makes vectors, and computes what is right.
    fn lay(&mut self, fill: impl FnOnce(&mut [Column]), rows: usize) {
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

    /// The first vector that a mutant is found by, and whether any of its results differs.
    fn track(&mut self, flaw: Flaw) -> (Option<u64>, bool) {
        match (flaw, &self.right) {
            (Flaw::Stage(deviation), _) => {
                Model::new(self.variant, deviation).run(&self.operands, &mut self.results);
            }
            (Flaw::Range(narrow), Right::Truth(truth)) => {
                narrow.spoil(self.variant, &self.operands, truth, &mut self.results);
            }
            (Flaw::Range(_), Right::Emulated(..)) => unreachable!("of approximations only"),
        }
        let right = match &self.right {
            Right::Emulated(_, right) => right,
            Right::Truth(truth) => &truth.results,
        };
        let rows: Vec<usize> = column::differing(&self.results, right).collect();
        (self.judged(&rows), !rows.is_empty())
    }

    /// The first of some rows that is a mismatch.
    fn judged(&mut self, rows: &[usize]) -> Option<u64> {
        // Most mutants are found by the first row that differs.
        let (few, rest) = rows.split_at(rows.len().min(8));
        [few, rest].into_iter().filter(|rows| !rows.is_empty()).find_map(|rows| {
            let [operands, results] = [&self.operands, &self.results].map(|of| column::select(of, rows));
            self.oracle.expect(&operands, &mut self.truth);
            let verdicts = self.judge.verdicts(&self.truth, Batch::new(&operands, &results));
            verdicts.first().map(|&(place, _)| rows[place] as u64)
        })
    }
}
