//! The inputs of a function that are measured: all, or some that are chosen by rule and not by chance alone.

use sweeps::CounterRng;

/// A choice of inputs of a function, which are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// The width of one operand, in bits.
    pub width: u32,
    /// How many operands there are.
    pub arity: u32,
    /// How many inputs there are.
    pub count: u64,
}

/// How many numbers at each end of a binade are always among the inputs.
const ENDS: u64 = 16;
/// The number of trailing bits of a significand of f32.
const TRAILING: u32 = 23;
/// The number of numbers in a binade of f32.
const BINADE: u64 = 1 << TRAILING;
/// The number of binades of f32: one for each sign and exponent field.
const BINADES: u64 = 512;

impl Inputs {
    /// Chooses at most `most` inputs, but no fewer than the rules allow. With one operand of 32 bits the number of
    /// inputs is a power of two, at least 2^16. Pairs are whole rows of one divisor. One narrower operand has all its
    /// inputs.
    ///
    /// # Panics
    /// If an operand has more than 32 bits, or there are more than two.
    pub fn new(width: u32, arity: u32, most: u64) -> Inputs {
        assert!(width <= 32 && (1..=2).contains(&arity), "{arity} operands of {width} bits");
        let some = match (width, arity) {
            // 2^16 inputs are 128 in each binade, which has room for both ends.
            (32, 1) => 1 << most.max(1 << 16).ilog2(),
            (_, 1) => 1 << width,
            _ => (most >> width).max(1) << width,
        };
        Inputs { width, arity, count: all(width, arity).map_or(some, |all| some.min(all)) }
    }

    /// Whether these are all inputs that the function has.
    pub fn is_all(self) -> bool {
        all(self.width, self.arity) == Some(self.count)
    }

    /// Returns how the inputs are chosen, in words for people.
    pub fn chosen(self) -> String {
        match (self.is_all(), self.arity) {
            (true, 1) => "all inputs".into(),
            (true, _) => "all pairs".into(),
            (false, 1) if self.count / 2 < BINADE => {
                format!("{} of every binade, spread evenly, its ends among them", self.count / BINADES)
            }
            (false, 1) => format!(
                "half of them whole binades from [1, 2) outwards, half {} of every binade, spread evenly, its ends among them",
                self.count / 2 / BINADES
            ),
            (false, _) => format!(
                "every first operand, with {} second ones, spread evenly",
                self.count >> self.width
            ),
        }
    }

    /// Returns the operands of an input, by its number; the second operand of a function of one is 0.
    #[inline]
    pub fn operands(self, number: u64) -> [u64; 2] {
        let mask = (1 << self.width) - 1;
        if self.arity == 2 {
            let second = number >> self.width;
            // The bits in reverse: signs and exponents first, then the first bits of significands.
            let second = if self.is_all() { second } else { second.reverse_bits() >> (64 - self.width) };
            return [number & mask, second];
        }
        if self.is_all() {
            return [number, 0];
        }
        let half = self.count / 2;
        if number < half && half >= BINADE {
            return [(binade_bits(number / BINADE) << TRAILING) | (number % BINADE), 0];
        }
        let (number, of) = match half >= BINADE {
            true => (number - half, half / BINADES),
            false => (number, self.count / BINADES),
        };
        let (binade, at) = (number / of, number % of);
        let trailing = match at {
            at if at < ENDS => at,
            at if at >= of - ENDS => BINADE - (of - at),
            // The seed is fixed, so that each run measures the same inputs.
            at => at * (BINADE / of) + CounterRng::new(0, number).next() % (BINADE / of),
        };
        [binade << TRAILING | trailing, 0]
    }
}

/// Returns how many inputs there are; `None` of pairs of operands of 32 bits, which are more than are counted here.
fn all(width: u32, arity: u32) -> Option<u64> {
    1u64.checked_shl(width * arity)
}

/// Returns the sign and exponent field of binade `number` in the order of measuring: from [1, 2) on, positive and
/// negative ones, above and below.
fn binade_bits(number: u64) -> u64 {
    let (sign, away) = (number & 1, number / 2);
    let field = if away & 1 == 0 { 127 + away / 2 } else { 127 - away.div_ceil(2) };
    sign << 8 | field
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_input_comes_twice_of_whole_binades_nor_of_pairs() {
        let some = Inputs::new(32, 1, 1 << 25);
        assert_eq!(
            [binade_bits(0), binade_bits(1), binade_bits(2), binade_bits(3), binade_bits(4)],
            [127, 256 | 127, 126, 256 | 126, 128]
        );
        assert_eq!(some.operands(0)[0], 0x3f80_0000);
        assert_eq!(some.operands(BINADE + 5)[0], 0xbf80_0005);
        let pairs = Inputs::new(16, 2, 128 << 16);
        let seconds: HashSet<u64> = (0..128).map(|at| pairs.operands(at << 16)[1]).collect();
        assert_eq!((pairs.count, seconds.len()), (128 << 16, 128));
        assert!([0, 0x3c00, 0xc200].iter().all(|bits| seconds.contains(bits)), "{seconds:x?}");
    }

    /// Checks that zeros, infinities, the ends of subnormal and of normal numbers, and every binade are measured.
    #[test]
    fn reduced_inputs_have_the_ends_of_every_binade() {
        for some in [1 << 16, 1 << 25].map(|count| Inputs::new(32, 1, count)) {
            assert!(!some.is_all() && some.count.is_power_of_two());
            let mut ends = [[false; 2]; BINADES as usize];
            for operand in (0..some.count).map(|number| some.operands(number)[0]) {
                let ends = &mut ends[(operand >> TRAILING) as usize];
                let trailing = operand % BINADE;
                ends[0] |= trailing == 0;
                ends[1] |= trailing == BINADE - 1;
            }
            assert_eq!(ends, [[true; 2]; BINADES as usize]);
        }
    }

    /// All pairs of operands of 32 bits are 2^64, one more than the largest count.
    #[test]
    fn pairs_of_wide_operands_are_rows_of_some_divisors() {
        let rows = |most| Inputs::new(32, 2, most);
        assert_eq!([0, 1 << 33, u64::MAX].map(|most| rows(most).count >> 32), [1, 2, u64::MAX >> 32]);
        assert!([0, 1 << 33, u64::MAX].iter().all(|&most| !rows(most).is_all()));
        let two = rows(1 << 33);
        assert_eq!(
            [0, 0x1234, 1 << 32].map(|number| two.operands(number)),
            [[0, 0], [0x1234, 0], [0, 0x8000_0000]]
        );
        assert_eq!(two.chosen(), "every first operand, with 2 second ones, spread evenly");
    }

    #[test]
    fn all_inputs_are_themselves() {
        let all = Inputs::new(16, 2, u64::MAX);
        assert!(all.is_all() && all.count == 1 << 32 && all.operands(0x1234_5678) == [0x5678, 0x1234]);
        assert!(Inputs::new(32, 1, 1 << 32).is_all() && Inputs::new(16, 1, 1).is_all());
    }
}
