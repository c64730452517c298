//! Tests that emulator and model, which share no arithmetic, compute the same bits for every sum of products, in
//! every sequence that a target has for it, over all sweeps.

use emulator::dot::DotKernel;
use isa::matrix::{Lowering, columns_for, results_for};
use model::DotModel;
use sweeps::Length;
use sweeps::matrix::DotSweep;

/// The number of vectors of each sweep.
const ROWS: usize = 64;

#[test]
fn emulator_and_model_agree_on_every_sum() {
    let (mut compared, mut different) = (0, Vec::new());
    for (number, (variant, target)) in Lowering::every().into_iter().enumerate() {
        let model = DotModel::of(variant, target).expect("a model wherever there is a sequence");
        let mut kernel = DotKernel::of(variant, target).expect("a kernel, likewise");
        for sweep in DotSweep::all().iter().filter(|sweep| sweep.length(variant) != Length::None) {
            let mut operands = columns_for(variant, ROWS);
            // Each sum gets other vectors, since some sweeps repeat after a few.
            sweep.fill(variant, 1, (number * ROWS) as u64, &mut operands);
            let [mut by_kernel, mut by_model] = [(); 2].map(|()| results_for(variant, ROWS));
            kernel.run(&operands, &mut by_kernel);
            model.run(&operands, &mut by_model);
            let pairs = (0..ROWS).map(|row| (by_kernel[0].get(row), by_model[0].get(row)));
            let differ: Vec<_> = pairs.enumerate().filter(|(_, (a, b))| a != b).collect();
            if let Some((row, (by_kernel, by_model))) = differ.first() {
                let operands =
                    operands.iter().map(|column| format!("{:02x?}", column.row_bytes_of(*row)));
                different.push(format!(
                    "{variant} on {target}, {}: {} of {ROWS}, in row {row} {by_kernel:x} and {by_model:x}: {}",
                    sweep.name,
                    differ.len(),
                    operands.collect::<Vec<_>>().join(" "),
                ));
            }
            compared += ROWS;
        }
    }
    assert!(compared > 100_000, "{compared} sums alone");
    assert!(different.is_empty(), "{} sweeps differ:\n{}", different.len(), different.join("\n"));
}
