//! Helpers for the tests of wrapper crates.

use std::collections::BTreeMap;
use std::fs;

use crate::Library;

/// The file that has every variant of the suite as the first word of a line.
const VARIANTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../vectors/digests/quick.txt");

/// Counts the variants of each instruction that a library has.
///
/// # Panics
/// If the suite's list of variants cannot be read.
pub fn counts(library: &Library) -> BTreeMap<String, usize> {
    let text = fs::read_to_string(VARIANTS).expect("vectors/digests/quick.txt can be read");
    let mut variants: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split(' ').next())
        .collect();
    variants.dedup();
    let mut counts = BTreeMap::new();
    for variant in variants.into_iter().filter(|variant| (library.find)(variant).is_some()) {
        let instruction = variant.split('.').next().unwrap_or(variant);
        *counts.entry(instruction.to_owned()).or_default() += 1;
    }
    counts
}

/// Computes one vector of a variant.
///
/// # Panics
/// If the library does not have the variant.
pub fn vector(library: &Library, variant: &str, operands: &[u64]) -> u64 {
    library.compute(variant).unwrap_or_else(|why| panic!("{variant}: {why}")).vector(operands)
}
