//! The suite's emulator as a reference, for every input of a lane. It shares no arithmetic with the oracle, only its
//! authors.

use ::emulator::{Backend, Kernel};
use isa::Variant;
use sweeps::{Length, Sweep};

use super::{Computation, Depth, Reference, VectorRange, batches_of, is_countable};

/// The reference that computes with the emulator in SIMD lanes.
pub struct EmulatorReference;

/// The number of consecutive vectors in a sample: all values of the last operand, beside some of the others.
const RUN: u64 = 1 << 8;

impl Reference for EmulatorReference {
    fn name(&self) -> &'static str {
        "emulator"
    }

    fn excluded(&self, variant: &Variant) -> Option<&'static str> {
        let uncountable = "too many inputs to try them all";
        let missing = "no kernel";
        match is_countable(variant) {
            false => Some(uncountable),
            true => Kernel::of(variant, Backend::Lanes).is_none().then_some(missing),
        }
    }

    fn batches(&self, variant: &Variant, depth: &Depth) -> Vec<VectorRange> {
        if let Some(batches) = depth.exhaustive_ranges(variant) {
            return batches;
        }
        let sweep = Sweep::exhaustive();
        let Length::Finite(all) = sweep.length(variant) else { return Vec::new() };
        let runs = (depth.vectors / RUN).max(1);
        // An odd step visits every run once; a step near the golden ratio spreads the first few well.
        let step = 0x9e37_79b9;
        let starts = (0..runs).map(|run| run * step % (all / RUN) * RUN);
        starts.flat_map(|first| batches_of(sweep, first, RUN)).collect()
    }

    fn computation(&self, variant: &Variant) -> Computation {
        let kernel = Kernel::of(variant, Backend::Lanes).expect("not excluded");
        Box::new(move |operands, results| kernel.run(operands, results))
    }
}
