//! Tests of the tables of proofs: that each proof has a name of its own, and is needed.

use std::collections::BTreeSet;

use faults::Mutation;
use isa::Variant;

use super::{TABLES, of};

/// No two proofs have one name, and each is the first that holds of some mutant.
#[test]
fn every_proof_is_needed() {
    let ids: Vec<&str> = TABLES.iter().copied().flatten().map(|proof| proof.id).collect();
    let mut unused: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(unused.len(), ids.len());
    for variant in Variant::all() {
        for mutation in Mutation::of(variant) {
            if let Some(proof) = of(mutation, variant) {
                unused.remove(proof.id);
            }
        }
    }
    assert!(unused.is_empty(), "{unused:?}");
}
