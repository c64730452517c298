//! The request for a run: what it is asked to do.

use isa::Target;
pub use selection::Shard;
use selection::budget::Tier;
use serde::{Deserialize, Serialize};

/// A request for a run.
#[derive(Clone, Debug)]
pub struct RunRequest {
    /// The tier: how deep the run goes.
    pub tier: Tier,
    /// The seed of every random sweep.
    pub seed: u64,
    /// Patterns (`*`, `?`) of which a variant must match one; none asks for all variants.
    pub only: Vec<String>,
    /// Patterns of which a variant must match none.
    pub skip: Vec<String>,
    /// The target that a variant must be available on, if one is named.
    pub target: Option<Target>,
    /// The target whose results matrix instructions are held to, bit for bit, and not to the contract.
    pub model: Option<Target>,
    /// The part that is run, of several equal parts of the blocks.
    pub shard: Option<Shard>,
    /// The judges of the results.
    pub judging: Judging,
}

impl RunRequest {
    /// Creates the request for a tier of the variants that match some patterns: the default seed, every target, no
    /// shard.
    pub fn of(tier: Tier, only: Vec<String>) -> RunRequest {
        let judging = Judging::Screened;
        let skip = Vec::new();
        RunRequest { tier, seed: 0, only, skip, target: None, model: None, shard: None, judging }
    }
}

/// Who judges what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Judging {
    /// In a sweep for which MPFR has already confirmed all results of the suite's emulator, the emulator's results
    /// decide. Where all inputs of an approximate f32 function are tested, polynomials with a proven error bound
    /// decide. MPFR decides the rest.
    #[default]
    Screened,
    /// MPFR decides about every vector.
    Mpfr,
    /// As `Screened`; and of runs of inputs with one result, MPFR both ends ([`oracle::Oracle::by_runs`]).
    #[cfg_attr(feature = "clap", value(skip))]
    Runs,
}
