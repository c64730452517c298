//! The order in which the vectors of a sweep are tried.

/// Number of vectors of a block that is tried out of turn. The last operand of a variant of 8 bits has all its values
/// in one.
const BLOCK: u64 = 1 << 8;

/// The batches of a part of a generator, each vector in exactly one.
///
/// In a sweep of all inputs the first operand changes slowest: if only its last values show a fault, vectors in turn
/// show it after millions. So blocks of such a sweep are tried in an order that soon has been everywhere.
pub struct BlockOrder {
    vectors: u64,
    /// The number of vectors, or of blocks where these are tried out of turn, that have been returned.
    returned: u64,
    /// The number of blocks between one and the next, modulo the number of blocks; none where vectors are in turn.
    stride: Option<u64>,
}

impl BlockOrder {
    /// Makes the order of so many vectors; `scattered` has blocks out of turn.
    pub fn new(vectors: u64, scattered: bool) -> BlockOrder {
        let stride = scattered.then(|| coprime_stride(vectors.div_ceil(BLOCK)));
        BlockOrder { vectors, returned: 0, stride }
    }

    /// Returns the first vector and the number of vectors of the next batch, which has at most so many vectors if
    /// they are in turn; none after the last.
    pub fn next_batch(&mut self, most: u64) -> Option<(u64, u64)> {
        let Some(stride) = self.stride else {
            let first = self.returned;
            let rows = most.min(self.vectors - first);
            self.returned += rows;
            return (rows > 0).then_some((first, rows));
        };
        let blocks = self.vectors.div_ceil(BLOCK);
        if self.returned == blocks {
            return None;
        }
        let first = (u128::from(self.returned) * u128::from(stride) % u128::from(blocks)) as u64 * BLOCK;
        self.returned += 1;
        Some((first, BLOCK.min(self.vectors - first)))
    }
}

/// Returns a number near the golden section of `blocks` that has no factor in common with it: its multiples modulo
/// `blocks` are all blocks, and the first ones are spread evenly.
fn coprime_stride(blocks: u64) -> u64 {
    let golden = (blocks as f64 * 0.618) as u64;
    (golden.max(1)..).find(|&stride| divisor(stride, blocks) == 1).expect("a prime number is among them")
}

/// Returns the greatest common divisor of two numbers.
fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_vector_is_in_one_batch() {
        for (vectors, scattered) in
            [0, 1, 255, 256, 1000, 1 << 16, 70_001].into_iter().flat_map(|n| [(n, false), (n, true)])
        {
            let mut order = BlockOrder::new(vectors, scattered);
            let mut batches: Vec<(u64, u64)> = std::iter::from_fn(|| order.next_batch(100)).collect();
            batches.sort_unstable();
            let end = batches.iter().fold(0, |end, &(first, rows)| {
                assert_eq!(first, end, "{vectors} {scattered}");
                first + rows
            });
            assert_eq!(end, vectors, "{scattered}");
        }
    }

    #[test]
    fn blocks_out_of_turn_are_soon_everywhere() {
        let mut order = BlockOrder::new(1 << 24, true);
        let mut firsts: Vec<u64> = (0..256).map(|_| order.next_batch(1).unwrap().0).collect();
        firsts.sort_unstable();
        let gaps = firsts.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(gaps.max().unwrap() < 1 << 18);
    }
}
