//! Random numbers that a seed determines.

use sweeps::CounterRng;

/// The draws of a seed.
#[derive(Clone, Debug)]
pub struct Random(CounterRng);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Random {
        Random(CounterRng::new(seed, 0))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next()
    }

    /// A number below `count`, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// The draws themselves, for generators that take them.
    pub const fn counter(&mut self) -> &mut CounterRng {
        &mut self.0
    }

    /// One of some things; `None` if there are none.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        (!of.is_empty()).then(|| &of[self.below(of.len())])
    }
}
