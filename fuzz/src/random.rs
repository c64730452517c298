//! Random numbers for the changes of inputs: a seed determines them, so that a change can be repeated.

use sweeps::CounterRng;

/// A generator of the random numbers that a seed determines.
#[derive(Clone, Debug)]
pub struct Random(CounterRng);

impl Random {
    /// Makes the generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random(CounterRng::new(seed, 0))
    }

    /// Returns the next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next()
    }

    /// Returns a random number below `count`, which must not be 0.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// Returns the counter-based generator itself, for functions that draw from one.
    pub const fn counter(&mut self) -> &mut CounterRng {
        &mut self.0
    }

    /// Returns a random element of a slice, or `None` if it is empty.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        (!of.is_empty()).then(|| &of[self.below(of.len())])
    }
}
