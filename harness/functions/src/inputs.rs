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
    /// Chooses at most `most` inputs, but no fewer than the rules allow. With operands of 32 bits the number of inputs
    /// is a power of two, at least 2^16. Pairs are whole rows of one divisor. One narrower operand has all its inputs.
    pub fn new(width: u32, arity: u32, most: u64) -> Inputs {
        let all = 1u64 << (width * arity);
        let some = match (width, arity) {
            // 2^16 inputs are 128 in each binade, which has room for both ends.
            (32, _) => 1 << most.max(1 << 16).ilog2(),
            (_, 1) => all,
            _ => (most >> width).max(1) << width,
        };
        Inputs { width, arity, count: some.min(all) }
    }

    /// Whether these are all inputs that the function has.
    pub fn is_all(self) -> bool {
        self.count == 1 << (self.width * self.arity)
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

    #[test]
    fn all_inputs_are_themselves() {
        let all = Inputs::new(16, 2, u64::MAX);
        assert!(all.is_all() && all.count == 1 << 32 && all.operands(0x1234_5678) == [0x5678, 0x1234]);
        assert!(Inputs::new(32, 1, 1 << 32).is_all() && Inputs::new(16, 1, 1).is_all());
    }
}
