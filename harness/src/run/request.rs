//! What a run is asked for.

use anyhow::Result;
use clap::ValueEnum;
use isa::Target;
use serde::{Deserialize, Serialize};

use crate::budget::Tier;

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Judging {
    /// Of spaces that MPFR has judged before, the emulator as far as results agree with its own; of
    /// approximate functions that are exhausted, series.
    #[default]
    Screened,
    /// MPFR every vector.
    Mpfr,
    /// As `Screened`; and of runs of inputs with one result, MPFR both ends ([`oracle::Oracle::by_runs`]).
    #[value(skip)]
    Runs,
}

/// One of `count` equal parts, numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which part.
    pub index: u64,
    /// Of how many.
    pub count: u64,
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parse = || {
            let (index, count) = text.split_once('/')?;
            Some(Shard { index: index.parse().ok()?, count: count.parse().ok()? })
        };
        match parse() {
            Some(shard) if (1..=shard.count).contains(&shard.index) => Ok(shard),
            Some(shard) if shard.count == 0 => {
                Err("there are no parts of 0: write a shard like 2/4".into())
            }
            Some(shard) => Err(format!(
                "there is no part {} of {}; parts are 1/{1} to {1}/{1}",
                shard.index, shard.count
            )),
            None => Err("write a shard like 2/4, the second of four parts".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_that_do_not_exist_are_refused() {
        assert_eq!("2/4".parse(), Ok(Shard { index: 2, count: 4 }));
        for text in ["5/4", "0/4", "1/0", "1", "a/b", "-1/4", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        assert!("3/2".parse::<Shard>().unwrap_err().ends_with("parts are 1/2 to 2/2"));
        assert!(!"1/0".parse::<Shard>().unwrap_err().contains("0/0"));
    }
}
