//! Makes the random numbers of test vectors, so that each vector can be made without those before it: draw *k* of
//! vector *i* is a pure function of the seed, the sweep's name, the lane, *i* and *k*. Only integers are computed
//! with; `SWEEPS.md` defines every function here.

/// The increment of splitmix64: 2^64 divided by the golden ratio, made odd.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns output number `n`, counted from 0, of splitmix64 seeded with `state`.
#[inline]
pub const fn nth(state: u64, n: u64) -> u64 {
    let z = state.wrapping_add(n.wrapping_add(1).wrapping_mul(GAMMA));
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns the 64-bit FNV-1a hash of `bytes`.
pub const fn fnv1a(bytes: &[u8]) -> u64 {
    // The offset basis of FNV-1a, and below its prime.
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        at += 1;
    }
    hash
}

/// Returns the key of a lane's stream of random numbers in a sweep.
pub const fn key(seed: u64, sweep: &str, lane: usize) -> u64 {
    nth(nth(seed, 0) ^ fnv1a(sweep.as_bytes()), lane as u64)
}

/// The draws of one vector, in order.
#[derive(Clone, Debug)]
pub struct CounterRng {
    /// The state of splitmix64, whose output 0 is the next draw.
    state: u64,
}

impl CounterRng {
    /// Returns the draws of vector `index` of the stream with `key`.
    #[inline]
    pub const fn new(key: u64, index: u64) -> CounterRng {
        CounterRng { state: nth(key, index) }
    }

    /// Draws the next 64 random bits.
    #[inline]
    pub const fn next(&mut self) -> u64 {
        let drawn = nth(self.state, 0);
        self.state = self.state.wrapping_add(GAMMA);
        drawn
    }

    /// Draws `width` random bits, at most 64; makes no draw if `width` is 0.
    #[inline]
    pub const fn bits(&mut self, width: i32) -> u64 {
        if width == 0 { 0 } else { self.next() >> (64 - width) }
    }

    /// Draws an integer in `0..n`, for `n` of at most 31 bits.
    #[inline]
    pub const fn below(&mut self, n: i32) -> i32 {
        // The upper half of the draw as a fraction of 2^32, times n.
        (((self.next() >> 32) * n as u64) >> 32) as i32
    }

    /// Draws an integer in `low..=high`.
    #[inline]
    pub const fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below(high - low + 1)
    }

    /// Tosses a fair coin.
    #[inline]
    pub const fn flag(&mut self) -> bool {
        self.bits(1) == 1
    }

    /// Draws an integer inside all of the ranges, ends included. Where the ranges have none in common, returns the
    /// largest of the lower ends, moved into the first range, without a draw.
    #[inline]
    pub fn common(&mut self, ranges: &[(i32, i32)]) -> i32 {
        let low = ranges.iter().map(|range| range.0).max().expect("a range");
        let high = ranges.iter().map(|range| range.1).min().expect("a range");
        // The first range is the one that has to hold.
        if low <= high { self.between(low, high) } else { low.min(ranges[0].1).max(ranges[0].0) }
    }

    /// Draws an integer of at most `width` bits: dense in half of the cases, else walking ones, walking zeros and
    /// runs. Makes no draw if `width` is 0.
    #[inline]
    pub const fn patterned(&mut self, width: i32) -> u64 {
        if width == 0 {
            return 0;
        }
        let dense = self.bits(width);
        let control = self.next();
        let ones = u64::MAX >> (64 - width);
        // Two places below `width`: 24 bits of the control word each, scaled.
        let i = ((control >> 8 & 0xff_ffff) * width as u64) >> 24;
        let j = ((control >> 32 & 0xff_ffff) * width as u64) >> 24;
        // Three bits choose one of the sparse patterns, and the bit above them the dense one in its place. It is a
        // table and a mask: a jump would be mispredicted every time.
        let sparse = [
            0,
            1 << i,
            ones,
            ones ^ 1 << i,
            ones >> i,
            ones << i & ones,
            1 << i | 1 << j,
            ones >> i & ones << j,
        ][(control & 7) as usize];
        let all_if_dense = 0u64.wrapping_sub(control >> 3 & 1);
        sparse ^ ((sparse ^ dense) & all_if_dense)
    }

    /// Draws a significand of exactly `width` bits: the leading bit, and [`CounterRng::patterned`] bits below it.
    #[inline]
    pub const fn significand(&mut self, width: i32) -> u64 {
        1 << (width - 1) | self.patterned(width - 1)
    }

    /// Draws a [`CounterRng::significand`] of exactly `width` bits with the trailing bit set.
    #[inline]
    pub const fn odd(&mut self, width: i32) -> u64 {
        self.significand(width) | 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs of splitmix64 seeded with 1234567, as its authors' C code prints them.
    #[test]
    fn is_splitmix64_and_fnv1a() {
        let outputs = [6457827717110365317, 3203168211198807973, 9817491932198370423];
        assert_eq!([0, 1, 2].map(|n| nth(1234567, n)), outputs);
        let mut draws = CounterRng { state: 1234567 };
        assert_eq!([0, 1, 2].map(|_| draws.next()), outputs);
        assert_eq!((fnv1a(b""), fnv1a(b"a")), (0xcbf29ce484222325, 0xaf63dc4c8601ec8c));
    }

    #[test]
    fn draws_stay_in_range_and_reach_its_ends() {
        let mut draws = CounterRng::new(7, 0);
        let mut seen = [false; 5];
        for _ in 0..1000 {
            seen[(draws.between(-2, 2) + 2) as usize] = true;
            let significand = draws.significand(11);
            assert!((1 << 10..1 << 11).contains(&significand));
            assert!(draws.patterned(3) < 8 && draws.patterned(1) < 2);
        }
        assert_eq!(seen, [true; 5]);
        assert_eq!(draws.common(&[(-5, 5), (9, 12)]), 5);
        assert_eq!(draws.common(&[(-5, 5), (-12, -9)]), -5);
    }
}
