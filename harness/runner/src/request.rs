//! What a run is asked for.

use isa::Target;
pub use selection::Shard;
use selection::budget::Tier;
use serde::{Deserialize, Serialize};

/// What was asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// How deep.
    pub tier: Tier,
    /// Seed of every random sweep.
    pub seed: u64,
    /// Patterns (`*`, `?`) of which a variant must match one; none asks for all variants.
    pub only: Vec<String>,
    /// Patterns of which a variant must match none.
    pub skip: Vec<String>,
    /// Only variants that this target has.
    pub target: Option<Target>,
    /// Hold matrix instructions to what this target computes, bit for bit, and not to the contract.
    pub model: Option<Target>,
    /// Only one of several equal parts of the blocks.
    pub shard: Option<Shard>,
    /// Who judges.
    pub judging: Judging,
}

impl Request {
    /// A tier of the variants that match some patterns: the default seed, every target, no shard.
    pub fn of(tier: Tier, only: Vec<String>) -> Request {
        let judging = Judging::Screened;
        let skip = Vec::new();
        Request { tier, seed: 0, only, skip, target: None, model: None, shard: None, judging }
    }
}

/// Who judges what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Judging {
    /// Of spaces that MPFR has judged before, the emulator as far as results agree with its own; of
    /// approximate functions that are exhausted, series.
    #[default]
    Screened,
    /// MPFR every vector.
    Mpfr,
    /// As `Screened`; and of runs of inputs with one result, MPFR both ends ([`oracle::Oracle::by_runs`]).
    #[cfg_attr(feature = "clap", value(skip))]
    Runs,
}
