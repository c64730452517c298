//! Tests that hold every variant of the table, run as a function, against the emulator's kernel.

use emulator::{Backend, Kernel};
use isa::{Variant, columns_for, results_for};
use sweeps::Sweep;

use super::{STEPS, function};
use crate::functions::{Nearest, Passed};

/// The number of rows of each sweep that has as many.
const ROWS: u64 = 512;

/// The emulator computes both sides, by different backends: what else is compared is how operands and results get to
/// their places.
#[test]
fn every_variant_is_executed_as_a_function() {
    let mut unit = Nearest::default();
    let alone = |variant: &&Variant| variant.is_ptx() && variant.is_of_registers();
    for variant in Variant::all().iter().filter(alone) {
        let function = function(&ptx::function(variant), "f");
        let kernel = Kernel::of(variant, Backend::Scalar).unwrap();
        for sweep in Sweep::all() {
            let rows = sweep.length(variant).at_most(ROWS) as usize;
            if rows == 0 {
                continue;
            }
            let mut operands = columns_for(variant, rows);
            sweep.fill(variant, 5, 0, &mut operands);
            let [mut expected, mut given] = [(); 2].map(|()| results_for(variant, rows));
            kernel.run(&operands, &mut expected);
            let mut passed: Vec<Passed> = operands.iter().map(Passed::Value).collect();
            let ran = function.run(&mut unit, &mut passed, &mut given, STEPS);
            assert_eq!(ran, Ok(()), "{variant}");
            assert_eq!(given, expected, "{variant}, {sweep:?}");
        }
    }
}
