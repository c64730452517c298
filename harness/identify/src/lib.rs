#![doc = include_str!("../README.md")]
//!
//! ## How it is made
//!
//! Identification of the tensor core whose matrix instructions an implementation has, from its answers.
//!
//! The order of a sum is found first, then its widths, both from vectors that decide one thing each. Known models are
//! held against all of these answers, and a model that has them all is tried on the sweeps. Where none has them, the
//! sum may be exact and rounded once, or a row of the same kind is sought that has them.

mod examiner;
mod models;
mod order;
mod proof;
mod question;
mod readings;
mod sum_computation;
mod text;
mod tree;
mod width;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use anyhow::{Result, bail};
use base::interrupt::{self, Interrupted};
use base::invocation;
use base::pool::Pool;
use implementations::{Implementation, Support, Worker};
use isa::matrix::MatrixVariant;
use selection::select::Selection;
use selection::subject::Subject;
use serde::Serialize;
use sweeps::matrix::DotSweep;

use examiner::Examiner;
use models::Model;
use order::ExponentSpan;
use proof::SOUGHT;
pub use proof::{TrialMismatch, TrialOutcome};
use question::Places;
use readings::Readings;
use sum_computation::SumComputation;

/// The number of vectors of each sweep that a guess is tried on, unless told otherwise.
pub const VECTORS: u64 = 2048;
/// The number of vectors of each sweep for each further variant that computes the same from the same columns.
const SAMPLE: u64 = 32;
/// The number of times that a vector which a guess does not explain becomes evidence for another guess.
const ROUNDS: usize = 8;
/// The number of vectors of each sweep that tell apart units which are no known unit.
const REFINED: u64 = 64;

/// The finding about variants that compute the same from the same columns.
#[derive(Clone, Debug, Serialize)]
pub struct VariantFinding {
    /// The names of the variants; the first was asked about everything, the others are held against it.
    pub variants: Vec<&'static str>,
    /// The order of the sum, in words.
    pub order: String,
    /// The widths of the sum, in words.
    pub widths: Vec<String>,
    /// Known models that give every answer, the best first, each with its targets.
    pub models: Vec<String>,
    /// The parameters of the guess, as the table of units has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// The questions that are open about the guess, in words.
    pub open: Vec<String>,
    /// The number of deciding vectors that were asked for.
    pub asked: usize,
    /// The outcome of trying the guess on the sweeps.
    pub proof: TrialOutcome,
    /// Whether a known model gives all the answers.
    pub known: bool,
    #[serde(skip)]
    way: Option<SumComputation>,
}

impl VariantFinding {
    /// Whether the guess is a known model, which every vector confirms.
    pub fn is_proven(&self) -> bool {
        self.known && self.way.is_some() && self.proof.mismatches == 0
    }
}

/// The findings about an implementation.
#[derive(Clone, Debug, Serialize)]
pub struct ImplementationIdentity {
    /// The name of the implementation.
    pub implementation: String,
    /// A finding for each group of variants.
    pub findings: Vec<VariantFinding>,
}

impl ImplementationIdentity {
    /// Whether every group of variants is a known model, and proven to be.
    pub fn is_proven(&self) -> bool {
        self.findings.iter().all(VariantFinding::is_proven)
    }
}

/// Groups variants that compute the same from the same columns, and are computed alike on every target.
fn groups(variants: &[&'static MatrixVariant]) -> Vec<Vec<&'static MatrixVariant>> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut groups: Vec<Vec<&'static MatrixVariant>> = Vec::new();
    for &variant in variants {
        let mnemonic = variant.words().first().copied().unwrap_or_default();
        let models = models::models_of(variant);
        let key = format!("{mnemonic} {:?} {:?} {models:?}", variant.dot(), variant.operands());
        let place = *places.entry(key).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(variant),
            None => groups.push(vec![variant]),
        }
    }
    groups
}

/// Identifies an implementation's variants among those that are asked for, on `jobs` threads. `advance` hears of each
/// group that is done, and how many there are.
///
/// # Errors
/// If the implementation has none of the variants, or fails to answer.
pub fn run(
    implementation: &dyn Implementation,
    only: &[String],
    vectors: u64,
    jobs: usize,
    advance: &(dyn Fn(usize) + Sync),
) -> Result<ImplementationIdentity> {
    let name = implementation.describe().name;
    let selected = Selection::of(only, None)?.matrices;
    if selected.is_empty() {
        bail!(
            "--only selects no matrix instruction: `{} --only '*mma*'` prints all",
            invocation::line("list")
        );
    }
    // The implementation may begin slow work for all of them.
    implementation.prepare(&selected.iter().copied().map(Subject::Matrix).collect::<Vec<_>>());
    let mut refusal = None;
    let mut variants = Vec::new();
    for variant in selected {
        if interrupt::requested() {
            return Err(Interrupted.into());
        }
        match implementation.support_matrix(variant) {
            Support::Yes => variants.push(variant),
            Support::No(reason) => refusal = refusal.or(Some(reason)),
            Support::Fails(reason) => bail!("{name} fails at {variant}: {reason}"),
        }
    }
    if variants.is_empty() {
        let reason = refusal.unwrap_or_default();
        bail!(
            "{name} has none of the selected matrix instructions ({reason}): give another \
             implementation with --impl"
        );
    }
    let groups = groups(&variants);
    let identified = |worker: &mut Box<dyn Worker + '_>, group: &Vec<&'static MatrixVariant>| {
        let finding = identify(group, worker.as_mut(), vectors)?;
        advance(groups.len());
        Ok(finding)
    };
    let pool = Pool::new(jobs).stopped_by(interrupt::flag());
    let findings = pool.run_on_each(&groups, || implementation.worker(), identified).all()?;
    Ok(ImplementationIdentity { implementation: name, findings })
}

/// Identifies a group of variants that compute the same from the same columns.
fn identify(
    group: &[&'static MatrixVariant],
    worker: &mut dyn Worker,
    vectors: u64,
) -> Result<VariantFinding> {
    let variant = group[0];
    let places = Places::of(variant);
    let mut examiner = Examiner::new(variant, worker);
    let span = ExponentSpan::of(&examiner, &places);
    let order = match span {
        Some(span) => order::find(&mut examiner, &places, span)?,
        None => order::SummationOrder::None,
    };
    let readings = width::find(&mut examiner, &places, span, &order)?;

    let suspects = |examiner: &mut Examiner| guess(examiner, &places, &order, &readings);
    let mut guessed = suspects(&mut examiner)?;
    let mut proof = TrialOutcome::default();
    for round in 0.. {
        let Some(way) = guessed.way else { break };
        proof = proof::prove(examiner.worker(), variant, way, vectors)?;
        // After so many rounds the last guess is told with its mismatch, which makes it unproven.
        let Some(first) = proof.first.as_ref().filter(|_| round < ROUNDS) else { break };
        // A vector that the guess does not explain decides more than those before.
        examiner.ask_columns(first.columns())?;
        match suspects(&mut examiner)? {
            // Where nothing explains it either, the guess stays, with its mismatches.
            Guess { way: None, .. } => break,
            other => guessed = other,
        }
    }
    let asked = examiner.asked();
    if let Some(way) = guessed.way {
        for other in &group[1..] {
            proof.join(proof::prove(worker, other, way, SAMPLE.min(vectors))?);
        }
    }
    let (order, readings) = match guessed.way {
        // No bits are lost: the reading of a width or of an order was the result's rounding.
        Some(SumComputation::RoundedOnce) => {
            let Readings { nan, negative_zero, .. } = readings;
            let all = format!("all {} terms and the addend together", variant.dot().stored());
            (all, Readings { nan, negative_zero, ..Readings::default() })
        }
        _ => (order.text(&places), readings),
    };
    Ok(VariantFinding {
        variants: group.iter().map(|variant| variant.text()).collect(),
        order,
        widths: readings.lines(variant.dot().d),
        models: guessed.models.iter().map(Model::to_string).collect(),
        row: guessed.way.map(models::row),
        open: guessed.open,
        asked,
        proof,
        known: !guessed.models.is_empty(),
        way: guessed.way,
    })
}

/// A guess: the models that have all the answers so far.
struct Guess {
    /// The known models, the best first.
    models: Vec<Model>,
    /// The guess itself: the first of the known models, or a way that is none of them.
    way: Option<SumComputation>,
    /// The questions that are open about the guess, in words.
    open: Vec<String>,
}

/// Finds the models that have all the answers so far. They are the variant's own; else those of other instructions;
/// else the exact sum; else rows of the same kind.
fn guess(
    examiner: &mut Examiner,
    places: &Places,
    order: &order::SummationOrder,
    readings: &Readings,
) -> Result<Guess> {
    let variant = examiner.variant;
    for mut models in [models::models_of(variant), models::models_of_related(variant)] {
        models.retain(|model| examiner.agrees(model.way()));
        let open = separate(examiner, &mut models)?;
        if let Some(first) = models.first() {
            return Ok(Guess { way: Some(first.way()), models, open });
        }
    }
    if examiner.agrees(SumComputation::RoundedOnce) {
        return Ok(Guess {
            models: Vec::new(),
            way: Some(SumComputation::RoundedOnce),
            open: Vec::new(),
        });
    }
    let rows = models::imaginable_models(variant, places, order, readings);
    let mut rows: Vec<SumComputation> = rows.into_iter().map(SumComputation::Lowered).collect();
    rows.retain(|row| examiner.agrees(*row));
    if rows.len() > 1 {
        for sweep in DotSweep::all() {
            for (_, operands) in proof::batches(variant, sweep, REFINED) {
                examiner.ask_columns(operands)?;
            }
        }
        let refined: Vec<SumComputation> =
            rows.iter().copied().filter(|row| examiner.agrees(*row)).collect();
        // Where no row is left, the first mismatch tells more of one that has all deciding answers.
        if !refined.is_empty() {
            rows = refined;
        }
    }
    let open = match rows[..] {
        [first, .., last] => {
            let [first, last] = [first, last].map(models::row);
            vec![format!("{} such rows have these answers, from {first} to {last}", rows.len())]
        }
        _ => Vec::new(),
    };
    Ok(Guess { models: Vec::new(), way: rows.first().copied(), open })
}

/// Asks for vectors on which the models that are left differ, until one is left or no sweep has such a vector. Returns
/// in words which models could not be separated.
fn separate(examiner: &mut Examiner, models: &mut Vec<Model>) -> Result<Vec<String>> {
    let mut open = Vec::new();
    let mut next = 1;
    while next < models.len() {
        let pair = [models[0].way(), models[next].way()];
        let Some((sweep, number)) = proof::split(examiner.variant, pair, SOUGHT) else {
            open.push(format!("{} has the same result on {SOUGHT} vectors of each sweep", models[next]));
            next += 1;
            continue;
        };
        let asked = proof::vector(examiner.variant, sweep, number);
        examiner.ask_columns(asked)?;
        models.retain(|model| examiner.agrees(model.way()));
        // The models that are left are compared anew.
        (open, next) = (Vec::new(), 1);
    }
    Ok(open)
}
