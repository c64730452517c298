//! How much is tested: the number of vectors per tier, and nothing else.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use vectors::Variant;
use vectors::sweep::{Length, Sweep};

/// How deep a run goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Every variant by every idea, in about a minute.
    Quick,
    /// The same ideas far deeper, in about an hour.
    Nightly,
    /// All operands wherever 2^32 vectors suffice for that, the nightly depth elsewhere.
    Exhaustive,
}

impl Tier {
    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Quick => "quick",
            Tier::Nightly => "nightly",
            Tier::Exhaustive => "exhaustive",
        }
    }
}

/// A lane's operands are exhausted below the exhaustive tier too, up to this many vectors.
const EXHAUST_ALWAYS: u64 = 1 << 24;
/// Vectors of a sweep without end, in the quick tier.
const QUICK: u64 = 1 << 18;
/// The same, nightly.
const NIGHTLY: u64 = 1 << 25;

/// How many vectors of `sweep` a variant gets.
pub fn budget(tier: Tier, variant: &Variant, sweep: &Sweep) -> u64 {
    let exhaustive = Sweep::named("exhaustive").expect("the table of sweeps has it");
    let whole_space = match exhaustive.length(variant) {
        Length::Finite(all) if tier == Tier::Exhaustive || all <= EXHAUST_ALWAYS => Some(all),
        _ => None,
    };
    match sweep.length(variant) {
        Length::None => 0,
        Length::Finite(_) if sweep.name == exhaustive.name => whole_space.unwrap_or(0),
        // Where every lane sees all its operands, only how lanes mix is left to ask.
        _ if whole_space.is_some() && sweep.name != "lanes" => 0,
        Length::Finite(all) => all,
        Length::Endless if tier == Tier::Quick || whole_space.is_some() => QUICK,
        Length::Endless => NIGHTLY,
    }
}
