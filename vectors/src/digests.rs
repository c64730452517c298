//! Digests of columns, and those of results that have been proven: an implementer without MPFR can
//! check 2^32 results against a line.

pub mod triples;

use std::collections::HashMap;
use std::sync::OnceLock;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::column::Column;
use crate::isa::Variant;
use crate::sweep::Sweep;

/// Bytes of a column that are hashed together.
pub const CHUNK: usize = 16;
/// The chunks of a column are numbered from this multiple of the column's number.
pub const COLUMN: u64 = 1 << 56;

/// The digest of some rows, of which the first is number `first` of its sweep, a multiple of
/// [`CHUNK`]. It is a sum modulo 2^64: that of all rows is the sum over any parts of them, in any
/// order, so that threads, shards and devices can share the work.
///
/// Each column is cut into chunks of 16 bytes, the last one filled up with zeros. Chunk *n* of column
/// *j*, counted from the sweep's first vector, adds its XXH3-64 with the seed [`COLUMN`]·*j* + *n*.
pub fn digest(first: u64, columns: &[Column]) -> u64 {
    let mut sum = 0_u64;
    for (number, column) in columns.iter().enumerate() {
        let chunk = first.wrapping_mul(column.row_bytes() as u64) / CHUNK as u64;
        let mut seed = (number as u64).wrapping_mul(COLUMN).wrapping_add(chunk);
        let mut add = |chunk: &[u8; CHUNK]| {
            sum = sum.wrapping_add(xxh3_64_with_seed(chunk, seed));
            seed = seed.wrapping_add(1);
        };
        let (chunks, rest) = column.bytes().as_chunks::<CHUNK>();
        chunks.iter().for_each(&mut add);
        if !rest.is_empty() {
            let mut last = [0; CHUNK];
            last[..rest.len()].copy_from_slice(rest);
            add(&last);
        }
    }
    sum
}

/// What MPFR found all vectors of a sweep to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// How many vectors, from the first on.
    pub vectors: u64,
    /// Digest of the inputs.
    pub inputs: u64,
    /// Digest of the results under the first interpretation of every open point, NaNs canonical.
    pub results: u64,
}

/// One line each: variant, sweep, number of vectors, digest of inputs, digest of results, and how
/// they were found where MPFR did not judge every vector: the file says more.
const PROVEN: &str = include_str!("../digests/proven.txt");

impl Proof {
    /// The proof about the first `vectors` vectors of a sweep, if there is one. Of all triples the digests
    /// are those of [`triples::Weights`].
    pub fn of(variant: &Variant, sweep: &str, vectors: u64) -> Option<&'static Proof> {
        static PROOFS: OnceLock<HashMap<String, Proof>> = OnceLock::new();
        let key = |variant: &str, sweep: &str, vectors: u64| format!("{variant} {sweep} {vectors}");
        let proofs = PROOFS.get_or_init(|| {
            let proofs = PROVEN.lines().filter_map(read);
            let known = |((variant, sweep), proof): ((&str, &str), Proof)| match sweep {
                triples::TRIPLES => {
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

    /// That of all triples of several lanes, from that of one.
    const fn of_lanes(self, lanes: usize) -> Proof {
        let Proof { vectors, inputs, results } = self;
        let [inputs, results] = [triples::of_lanes(inputs, lanes), triples::of_lanes(results, lanes)];
        Proof { vectors, inputs, results }
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
    use crate::sweep::{Length, columns_for};

    /// Computed in another language, from the description of XXH3.
    #[test]
    fn a_digest_is_what_its_definition_says() {
        let mut columns = [Column::new(2, 9), Column::new(8, 9)];
        (0..9).for_each(|row| columns[0].set(row, 0x3c00 + row as u64));
        columns[1].set(8, u64::MAX);
        assert_eq!(digest(0, &columns), 0x8378_23a6_3891_ae52);
        assert_eq!(digest(1 << 16, &columns), 0x2ae6_c2fb_2e69_69d5);
    }

    #[test]
    fn digests_see_every_bit_and_its_place() {
        let mut column = Column::new(2, 9);
        let zero = digest(0, std::slice::from_ref(&column));
        let mut seen =
            std::collections::HashSet::from([zero, digest(16, std::slice::from_ref(&column))]);
        for bit in 0..9 * 16 {
            column.set(bit / 16, 1 << (bit % 16));
            assert!(seen.insert(digest(0, std::slice::from_ref(&column))), "bit {bit}");
            column.set(bit / 16, 0);
        }
        assert!(seen.insert(digest(0, &[column.clone(), column])));
    }

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
}
