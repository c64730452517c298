//! The definition of a fuzz target: its name, and the functions that libFuzzer's calls end in.

use crate::{Findings, Random};

/// The environment variable that is set where the implementation under test is a library for this very process.
pub const IN_PROCESS: &str = "FUZZ_IN_PROCESS";

/// A fuzz target, by the functions that make, change and try its inputs.
pub struct FuzzTarget {
    /// Name of the target, of its program and of its folders.
    pub name: &'static str,
    /// Unit of what the target tries, as the line of statistics counts it.
    pub unit: &'static str,
    /// Runs before all else, since libFuzzer asks then what is instrumented.
    pub begin: fn() -> anyhow::Result<()>,
    /// Returns the inputs of a new corpus.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Returns a changed input.
    pub mutate: fn(&[u8], &mut Random) -> Vec<u8>,
    /// Tries an input. A panic is a finding, too.
    pub attempt: fn(&[u8], &mut Findings),
}
