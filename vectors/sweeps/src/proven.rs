//! Digests of results that have been proven: an implementer without MPFR can check 2^32 results against a line.

use std::collections::HashMap;
use std::sync::OnceLock;

use formats::digests::triples;
use isa::Variant;

use crate::{Length, Sweep};

/// Whether the exhaustive sweep of a variant has all triples of a lane's operands.
pub fn has_all_triples(variant: &Variant) -> bool {
    Sweep::exhaustive().length(variant) == Length::Finite(triples::ALL)
}

/// The results that MPFR found a sweep's vectors to give, as digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Number of vectors, from the first on.
    pub vectors: u64,
    /// Digest of the inputs.
    pub inputs: u64,
    /// Digest of the results under the first interpretation of every open point, NaNs canonical.
    pub results: u64,
}

/// The file of proven digests. Each line has a variant, a sweep, the number of vectors, the digest of inputs, the
/// digest of results, and how they were found where MPFR did not judge every vector. The file says more.
// A link to the file in `vectors/digests`: a package has only what is in its own folder.
const PROVEN: &str = include_str!("../proven.txt");

impl Proof {
    /// Returns the proof about the first `vectors` vectors of a sweep, if there is one. For all triples the digests
    /// are those of [`triples::Weights`].
    pub fn of(variant: &Variant, sweep: &str, vectors: u64) -> Option<&'static Proof> {
        static PROOFS: OnceLock<HashMap<String, Proof>> = OnceLock::new();
        let key = |variant: &str, sweep: &str, vectors: u64| format!("{variant} {sweep} {vectors}");
        let proofs = PROOFS.get_or_init(|| {
            let proofs = PROVEN.lines().filter_map(read);
            let known = |((variant, sweep), proof): ((&str, &str), Proof)| match sweep {
                triples::TRIPLES => {
                    // A test parses every name of the file, so that none gets the default of one lane.
                    let lanes = variant.parse().map_or(1, |variant: Variant| variant.lanes());
                    let exhaustive = Sweep::exhaustive().name;
                    (key(variant, exhaustive, proof.vectors), proof.of_lanes(lanes))
                }
                _ => (key(variant, sweep, proof.vectors), proof),
            };
            proofs.map(known).collect()
        });
        proofs.get(&key(variant.text(), sweep, vectors))
    }

    /// Turns the proof about all triples of one lane into the proof for several lanes.
    const fn of_lanes(self, lanes: usize) -> Proof {
        let Proof { vectors, inputs, results } = self;
        let [inputs, results] = [triples::of_lanes(inputs, lanes), triples::of_lanes(results, lanes)];
        Proof { vectors, inputs, results }
    }
}

/// Reads a line of a file of digests; returns `None` for a comment or an empty line.
///
/// # Panics
/// If the line is none of these: the project's own tests read all lines.
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
    use formats::digests::digest;
    use formats::digests::triples::{Weights, addend, pair};
    use isa::columns_for;

    use super::*;

    #[test]
    fn the_digest_of_a_sweep_is_the_sum_over_its_parts() {
        let variant: Variant = "cvt.rn.f16.f32".parse().unwrap();
        let sweep = Sweep::named("exhaustive").unwrap();
        let part = |first: u64, rows: usize| {
            let mut columns = columns_for(&variant, rows);
            sweep.fill(&variant, 0, first, &mut columns);
            digest(first, &columns)
        };
        let whole = part(1 << 20, 4096);
        let parts = [(0, 1024), (1024, 16), (1040, 3056)];
        let sum = parts.map(|(first, rows)| part((1 << 20) + first, rows)).into_iter();
        assert_eq!(sum.fold(0, u64::wrapping_add), whole);
    }

    #[test]
    fn every_line_is_of_a_variant_and_a_sweep_that_has_so_many_vectors() {
        for line in PROVEN.lines() {
            let Some(((variant, sweep), proof)) = read(line) else { continue };
            let variant: Variant = variant.parse().unwrap();
            if sweep == triples::TRIPLES {
                assert!(variant.inputs().iter().all(|input| input.format.width() == 16), "{line}");
                assert_eq!((variant.inputs().len(), proof.vectors), (3, triples::ALL), "{line}");
                let known = Proof::of(&variant, Sweep::exhaustive().name, triples::ALL).unwrap();
                assert_eq!(*known, proof.of_lanes(variant.lanes()), "{line}");
                continue;
            }
            let length = Sweep::named(sweep).unwrap().length(&variant);
            assert!(matches!(length, Length::Finite(all) if proof.vectors <= all), "{line}");
        }
    }

    /// The digests of a variant with two lanes are those of the definition, computed lane by lane: the first lane
    /// counts once, the second three times.
    #[test]
    fn lanes_count_once_and_three_times() {
        let variant: Variant = "fma.rn.f16x2".parse().unwrap();
        assert!(has_all_triples(&variant) && !has_all_triples(&"fma.rn.f32.f16".parse().unwrap()));
        let mut operands = columns_for(&variant, 5);
        let first = 0x1234_5678_fffe;
        Sweep::exhaustive().fill(&variant, 0, first, &mut operands);
        let mut results = operands[2].clone();
        (0..5).for_each(|row| results.set(row, 0x0007_0003 + row as u64));
        let [mut inputs, mut digest] = [0_u64; 2];
        for row in 0..5 {
            for (lane, result) in [3 + row, 7].into_iter().enumerate() {
                let triple = first + row + ((lane as u64) << 16);
                let [a, b, c] = [32, 16, 0].map(|bits| (triple >> bits) as u16);
                let weight = pair(a, b).wrapping_mul(addend(c)).wrapping_mul([1, 3][lane]);
                inputs = inputs.wrapping_add(weight);
                digest = digest.wrapping_add(weight.wrapping_mul(result));
            }
        }
        let weights = Weights::of(&operands);
        assert_eq!((weights.inputs(), weights.results(&results)), (inputs, digest));
        assert_eq!(triples::of_lanes(5, 1), 5);
        assert_eq!(triples::of_lanes(5, 2), 5 + 3 * 5);
    }
}
