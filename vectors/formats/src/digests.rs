//! Digests of columns of bits: sums that threads, shards and devices can each add their part to.

pub mod triples;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::Column;

/// Number of bytes of a column that are hashed together.
pub const CHUNK: usize = 16;
/// Distance between the first chunk numbers of two neighbouring columns: the chunks of column *j* are numbered
/// from `COLUMN`·*j*.
pub const COLUMN: u64 = 1 << 56;

/// Computes the digest of some rows, of which the first is number `first` of its sweep, a multiple of
/// [`CHUNK`]. The digest is a sum modulo 2^64: that of all rows is the sum over any parts of them, in any
/// order, so that threads, shards and devices can share the work.
///
/// Each column is cut into chunks of 16 bytes, the last one filled up with zeros. Chunk *n* of column
/// *j*, counted from the sweep's first vector, adds its XXH3-64 with the seed [`COLUMN`]·*j* + *n*.
pub fn digest(first: u64, columns: &[Column]) -> u64 {
    let mut sum = 0_u64;
    for (number, column) in columns.iter().enumerate() {
        // `first` is a multiple of the chunk's bytes, so its row begins a chunk, whatever the width of rows.
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

#[cfg(test)]
mod tests {

    use super::*;

    /// Compares with digests that were computed in another language, from the description of XXH3.
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
}
