//! Proves a fused multiply-add of two-byte data for all its 2^48 triples.
//!
//! The caller says what results are held against, a [`Reference`]. For the suite that is its oracle, by MPFR, and
//! below the reference is called MPFR.
//!
//! # The argument
//!
//! 1. The emulator's kernel is three functions, one after the other (`emulator::stages`). The first
//!    sees the factors alone, and what it leaves is a kind and two words. It is run for **all pairs of
//!    factors**. Each result is held against the product of the two, in integers read from the format,
//!    and every distinct one is kept, with a pair that has it (`products`).
//! 2. The second is run for **every product that was kept and every addend**, and the third for every
//!    sum. So every triple's result is known, as the code computes it (`steps`). Where subjects
//!    multiply alike, or have one basis, the first subject is run for all of them.
//! 3. For one addend, and products in order of value, those results are a staircase. At both ends of
//!    every step **MPFR is asked**, with factors that have that product. An exact sum that is rounded
//!    once, flushed and clamped does not decrease as the product grows. So where MPFR gives one result
//!    at both ends of a step, it gives it all along.
//! 4. Products that are zeros, infinities and NaN are lists of their own, no step passes from one to
//!    another, and in such a list all products are one. That MPFR takes them so is asked as well: for
//!    **every pair of factors of which one is infinite, NaN or flushed**, with an addend that tells (`specials`).
//!
//! # What it assumes
//!
//! MPFR's `fma` is a function of the exact product, correctly rounded, and the oracle's handling of the result is
//! monotone. The compiler makes of one function of the source the same function wherever it is used. Subjects with
//! one basis have the same stages, but for the end and for what `.oob` clears: that is read in the source, where sums
//! and rounding are given nothing else, and not run. Where a choice is left to the implementation, the results are
//! those of its first interpretation.
//!
//! It is a proof about this code, because of how the code is composed. About a black box, only what was run is known.

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

pub use group::{Multiplied, Prover, SubjectGroup, digests};
pub use planted::Fault;
pub use products::StoppableThreads;
pub use steps::Steps;

/// A reference, which says what triples should give.
pub trait Reference: Send {
    /// Computes the results of triples, and writes them to `results` in place of what is there.
    fn results(&mut self, operands: [&[u16]; 3], results: &mut Vec<u16>);
}

/// A subject: what is to be proven.
pub struct ProofSubject {
    /// The name of the subject.
    pub name: String,
    /// The format of operands and result.
    pub format: &'static Format,
    /// Whether subnormal factors count as zeros.
    pub flush: bool,
    /// The magnitude of a NaN that makes results zero.
    pub out_of_bounds: Option<u64>,
    /// The stages that compute results.
    pub machine: Box<dyn Stages>,
    /// A function that makes a reference, to be asked about the results.
    pub reference: Box<dyn Fn() -> Box<dyn Reference> + Send + Sync>,
}

impl ProofSubject {
    /// Returns how many data the subject's format has.
    fn data(&self) -> u32 {
        self.format.mask() as u32 + 1
    }

    /// Whether two subjects have one second stage, for products that are not cleared.
    fn adds_like(&self, other: &ProofSubject) -> bool {
        self.machine.basis() == other.machine.basis()
    }

    /// Whether two subjects have one first stage.
    fn multiplies_like(&self, other: &ProofSubject) -> bool {
        self.adds_like(other) && self.out_of_bounds == other.out_of_bounds
    }
}

/// A refutation: what disproves something that was to be proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refutation {
    /// The first stage gives another product than that of its factors: kind, significand, exponent.
    Product {
        /// The name of the subject that was to be proven.
        subject: String,
        /// The factors.
        pair: [u16; 2],
        /// The product that the first stage gives: kind, significand, exponent.
        found: [u32; 3],
    },
    /// The second stage gives something that is no sum.
    Sum {
        /// The name of the subject that was to be proven.
        subject: String,
        /// The factors of the product.
        pair: [u16; 2],
        /// The addend.
        c: u16,
    },
    /// The stages give another result than the reference.
    Result {
        /// The name of the subject that was to be proven.
        subject: String,
        /// The operands.
        operands: [u16; 3],
        /// The result that the stages give.
        given: u16,
        /// The result that the reference gives.
        expected: u16,
    },
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refutation::Product { subject, pair: [a, b], found: [kind, significand, exponent] } => {
                write!(
                    f,
                    "{subject}: the first stage gives a wrong product of {a:#06x} and {b:#06x}: kind \
                     {kind:#x}, significand {significand:#010x}, exponent {}",
                    exponent.cast_signed()
                )
            }
            Refutation::Sum { subject, pair: [a, b], c } => write!(
                f,
                "{subject}: the second stage gives a wrong sum of the product of {a:#06x} and {b:#06x} \
                 and the addend {c:#06x}"
            ),
            Refutation::Result { subject, operands: [a, b, c], given, expected } => write!(
                f,
                "{subject}: for {a:#06x}, {b:#06x} and {c:#06x} the emulator gives {given:#06x}, not \
                 {expected:#06x}"
            ),
        }
    }
}
