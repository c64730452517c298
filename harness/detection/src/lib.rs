#![doc = include_str!("../README.md")]
//!
//! ## How it is made
//!
//! Measures how much the suite catches: mutants of every variant, run on its sweeps and on other generators' vectors.
//!
//! A mutant is a variant with one [`Mutation`](faults::Mutation): of an exact variant a [`Fault`](model::Fault) of the
//! staged model; of an approximate one, results just outside the bound for few operands
//! ([`LocalizedFault`](faults::LocalizedFault)). It is
//! killed when the judge calls one of its results a mismatch. Where it is not, there must be a proof
//! that it cannot be (`proof`), or it has survived the sweeps.

mod generator;
mod order;
mod proof;
mod run;
mod score;
mod table;

pub use generator::{Generator, GeneratorPart};
pub use proof::EquivalenceProof;
pub use run::{EQUIVALENCE_LANES, Killed, MutantOutcome, MutantResult, run_mutants};
pub use score::{Counts, Family, GeneratorComparison, Score, ScoreRequest, score};
pub use table::percent;
