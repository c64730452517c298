//! Digests of results that have been proven: an implementer without MPFR can check 2^32 results
//! against a line.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::isa::Variant;

/// What MPFR found all vectors of a sweep to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// How many vectors, from the first on.
    pub vectors: u64,
    /// Digest of the inputs.
    pub inputs: u64,
    /// Digest of the results under the first reading of every open point, NaNs canonical.
    pub results: u64,
}

/// One line each: variant, sweep, number of vectors, digest of inputs, digest of results, and how
/// they were found where MPFR did not judge every vector: the file says more.
const PROVEN: &str = include_str!("../digests/proven.txt");

impl Proof {
    /// The proof about the first `vectors` vectors of a sweep, if there is one.
    pub fn of(variant: &Variant, sweep: &str, vectors: u64) -> Option<&'static Proof> {
        static PROOFS: OnceLock<HashMap<String, Proof>> = OnceLock::new();
        let key = |variant: &str, sweep: &str, vectors: u64| format!("{variant} {sweep} {vectors}");
        let proofs = PROOFS.get_or_init(|| {
            let proofs = PROVEN.lines().filter_map(read);
            proofs.map(|((variant, sweep), proof)| (key(variant, sweep, proof.vectors), proof)).collect()
        });
        proofs.get(&key(variant.text(), sweep, vectors))
    }
}

/// A line of a file of digests; `None` for a comment.
///
/// # Panics
/// If it is neither: the project's own tests read all of them.
fn read(line: &str) -> Option<((&str, &str), Proof)> {
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let fields: Vec<&str> = line.split(' ').collect();
    let [variant, sweep, vectors, inputs, results, ..] = fields[..] else {
        panic!("not a line of digests: `{line}`")
    };
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("`{text}` in `{line}`"));
    let hex = |text: &str| {
        let digits = text.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
        digits.unwrap_or_else(|| panic!("`{text}` in `{line}`"))
    };
    let proof = Proof { vectors: number(vectors), inputs: hex(inputs), results: hex(results) };
    Some(((variant, sweep), proof))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::{Length, Sweep};

    #[test]
    fn every_line_is_of_a_variant_and_a_sweep_that_has_so_many_vectors() {
        for line in PROVEN.lines() {
            let Some(((variant, sweep), proof)) = read(line) else { continue };
            let variant: Variant = variant.parse().unwrap();
            let length = Sweep::named(sweep).unwrap().length(&variant);
            assert!(matches!(length, Length::Finite(all) if proof.vectors <= all), "{line}");
        }
    }
}
