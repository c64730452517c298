//! Proving a fused multiply-add of two-byte data for all its 2^48 triples.
//!
//! Whoever uses this says what results are held against, a [`Reference`]. For the suite that is its oracle, by
//! MPFR, and below it is called so.
//!
//! # The argument
//!
//! 1. The emulator's kernel is three functions, one after the other (`emulator::stages`). The first
//!    sees the factors alone, and what it leaves is a kind and two words. It is run for **all pairs of
//!    factors**. Each result is held against the product of the two, in integers read from the format,
//!    and every distinct one is kept, with a pair that has it ([`products`]).
//! 2. The second is run for **every product that was kept and every addend**, and the third for every
//!    sum. So every triple's result is known, as the code computes it ([`steps`]). Of subjects that
//!    multiply alike, or that have one basis, the first is run for all.
//! 3. For one addend, and products in order of value, those results are a staircase. At both ends of
//!    every step **MPFR is asked**, with factors that have that product. An exact sum that is rounded
//!    once, flushed and clamped does not decrease as the product grows. So where MPFR gives one result
//!    at both ends of a step, it gives it all along.
//! 4. Products that are zeros, infinities and NaN are lists of their own, no step passes from one to
//!    another, and in such a list all products are one. That MPFR takes them so is asked as well: for
//!    **every pair of factors of which one is infinite, NaN or flushed**, with an addend that tells ([`specials`]).
//!
//! # What it assumes
//!
//! MPFR's `fma` is a function of the exact product, correctly rounded, and the oracle's handling of the
//! result is monotone. The compiler makes of one function of the source the same function wherever it is
//! used. What has one basis has the same stages, but for the end and for what `.oob` clears: that is read
//! in the source, where sums and rounding are given nothing else, and not run. Where a choice is left to
//! the implementation, the results are those of its first interpretation.
//!
//! It is a proof about this code, because of how it is composed. Of a black box is known what was run.

mod factor;
mod group;
mod planted;
mod products;
mod specials;
mod steps;
#[cfg(test)]
mod tests;

use std::fmt;

use emulator::stages::Stages;
use formats::Format;

pub use group::{Group, Multiplied, Prover, digests};
pub use planted::Fault;
pub use products::Work;
pub use steps::Steps;

/// Says what triples should give.
pub trait Reference: Send {
    /// The results of triples, in place of what is there.
    fn results(&mut self, operands: [&[u16]; 3], results: &mut Vec<u16>);
}

/// What is to be proven.
pub struct Subject {
    /// Its name.
    pub name: String,
    /// The format of operands and result.
    pub format: &'static Format,
    /// Whether subnormal factors count as zeros.
    pub flush: bool,
    /// The magnitude of a NaN that makes results zero.
    pub out_of_bounds: Option<u64>,
    /// What computes it.
    pub machine: Box<dyn Stages>,
    /// Makes what is asked about it.
    pub reference: Box<dyn Fn() -> Box<dyn Reference> + Send + Sync>,
}

impl Subject {
    /// How many data its format has.
    fn data(&self) -> u32 {
        self.format.mask() as u32 + 1
    }

    /// Whether two have one second stage, for products that are not cleared.
    fn adds_like(&self, other: &Subject) -> bool {
        self.machine.basis() == other.machine.basis()
    }

    /// Whether two have one first stage.
    fn multiplies_like(&self, other: &Subject) -> bool {
        self.adds_like(other) && self.out_of_bounds == other.out_of_bounds
    }
}

/// Why something is not proven: what disproves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refutation {
    /// The first stage gives another product than that of its factors: kind, significand, exponent.
    Product {
        /// What was to be proven.
        subject: String,
        /// The factors.
        pair: [u16; 2],
        /// What it gives.
        found: [u32; 3],
    },
    /// The second stage gives what is no sum.
    Sum {
        /// What was to be proven.
        subject: String,
        /// Factors of the product.
        pair: [u16; 2],
        /// The addend.
        c: u16,
    },
    /// The stages give another result than the reference.
    Result {
        /// What was to be proven.
        subject: String,
        /// The operands.
        operands: [u16; 3],
        /// What the stages give.
        given: u16,
        /// What the reference gives.
        expected: u16,
    },
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refutation::Product { subject, pair: [a, b], found: [kind, significand, exponent] } => {
                write!(
                    f,
                    "{subject}: the first stage gives another product than that of {a:#06x} and {b:#06x}: kind \
                 {kind:#x}, significand {significand:#010x}, exponent {}",
                    exponent.cast_signed()
                )
            }
            Refutation::Sum { subject, pair: [a, b], c } => write!(
                f,
                "{subject}: of the product of {a:#06x} and {b:#06x} and the addend {c:#06x} the second stage \
                 gives what is no sum"
            ),
            Refutation::Result { subject, operands: [a, b, c], given, expected } => write!(
                f,
                "{subject}: of {a:#06x}, {b:#06x} and {c:#06x} the emulator gives {given:#06x}, not \
                 {expected:#06x}"
            ),
        }
    }
}
