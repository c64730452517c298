#![doc = include_str!("../README.md")]
//!
//! ## How it is made
//!
//! `vectors prove`: the emulator's fused multiply-adds of two-byte data, held against MPFR for all triples.
//!
//! The crate `prover` has the argument and the arithmetic. This crate has what `prover` is asked about, and
//! what is kept on disk, so that a proof can be broken off and divided.

mod run;
mod state;
#[cfg(test)]
mod tests;

use emulator::{Backend, stages};
use formats::Column;
use isa::Variant;
use judge::Truth;
use oracle::Oracle;
use prover::triples::{ProofSubject, Reference};

pub use run::{ProofOutcome, ProofSettings, prove};
pub use state::{Proven, merge};

/// The out-of-bounds NaN of `.oob`, but for its sign; see `isa/choices`.
const OUT_OF_BOUNDS: u64 = 0x7ff7;

/// Returns the emulator's kernel of a variant and MPFR, to be held against each other; `None` unless the kernel
/// has stages and the variant has one lane.
pub fn subject(variant: &Variant) -> Option<ProofSubject> {
    let machine = stages::of(variant, Backend::Lanes).filter(|_| variant.lanes() == 1)?;
    let asked = variant.clone();
    Some(ProofSubject {
        name: variant.text().to_owned(),
        format: variant.outputs()[0].format,
        flush: variant.meaning().flush.inputs[0],
        out_of_bounds: variant.meaning().out_of_bounds.then_some(OUT_OF_BOUNDS),
        machine,
        reference: Box::new(move || Box::new(Mpfr::new(&asked))),
    })
}

/// The oracle of a variant whose registers hold one datum of 16 bits.
struct Mpfr {
    oracle: Oracle,
    operands: Vec<Column>,
    truth: Truth,
}

impl Mpfr {
    fn new(variant: &Variant) -> Mpfr {
        let columns = variant.operands().iter().map(|register| Column::new(register.ty.row_bytes(), 0));
        Mpfr { oracle: Oracle::new(variant), operands: columns.collect(), truth: Truth::new(variant) }
    }
}

impl Reference for Mpfr {
    fn results(&mut self, operands: [&[u16]; 3], results: &mut Vec<u16>) {
        for (column, operand) in self.operands.iter_mut().zip(operands) {
            column.resize(operand.len());
            column.elements_mut().copy_from_slice(operand);
        }
        self.oracle.expect(&self.operands, &mut self.truth);
        results.clear();
        results.extend_from_slice(self.truth.results[0].elements());
    }
}
