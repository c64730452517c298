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

    /// Vectors of a sweep without end.
    const fn endless(self) -> u64 {
        match self {
            Tier::Quick => 1 << 12,
            Tier::Nightly | Tier::Exhaustive => 1 << 19,
        }
    }

    /// Vectors of a finite sweep, which is cut off there: its first vectors cover its idea, if
    /// coarsely.
    const fn finite(self) -> u64 {
        match self {
            Tier::Quick => 1 << 14,
            Tier::Nightly | Tier::Exhaustive => 1 << 22,
        }
    }

    /// A lane's inputs are exhausted up to this many vectors.
    const fn exhausted(self) -> u64 {
        match self {
            Tier::Quick | Tier::Nightly => 1 << 16,
            Tier::Exhaustive => 1 << 32,
        }
    }
}

/// Formats of so few bits are exhausted in any tier, whatever the number of operands, up to …
const SMALL_FORMAT: u32 = 8;
/// … so many vectors.
const SMALL_SPACE: u64 = 1 << 24;

/// How many vectors of `sweep` a variant gets.
pub fn budget(tier: Tier, variant: &Variant, sweep: &Sweep) -> u64 {
    let exhaustive = Sweep::named("exhaustive").expect("the table of sweeps has it");
    let small = variant.inputs().iter().all(|input| input.format.width() <= SMALL_FORMAT);
    let limit = if small { tier.exhausted().max(SMALL_SPACE) } else { tier.exhausted() };
    let whole_space = match exhaustive.length(variant) {
        Length::Finite(all) if all <= limit => Some(all),
        _ => None,
    };
    match sweep.length(variant) {
        Length::None => 0,
        Length::Finite(_) if sweep.name == exhaustive.name => whole_space.unwrap_or(0),
        // Where every lane sees all its inputs, only how lanes mix is left to ask.
        _ if whole_space.is_some() && sweep.name != "lanes" => 0,
        Length::Finite(all) => all.min(tier.finite()),
        Length::Endless => tier.endless(),
    }
}
