//! Tests of every kernel of the emulator against definitions on rational numbers (`reference`, `search`) and on bits
//! (`bits`), of its functions against MPFR (`approximate`), and of millions of vectors against this machine (`host`).
//! They are here, because the emulator knows neither MPFR nor floating point, in its tests neither. The definitions
//! read modifiers themselves, and so put what `Meaning` makes of them to the test.

mod approximate;
mod bits;
mod host;
mod reference;
mod search;
mod table;

use std::io::Write;

use emulator::{Backend, Kernel};
use formats::{Column, Format, column};
use isa::{LaneData, Variant, columns_for, results_for};
use sweeps::CounterRng;

/// Returns the kernel's answers to some rows, the same on every backend that this CPU has. The kernel must overwrite
/// all that was in the result columns: they are filled with ones before.
fn answers(variant: &Variant, operands: &[Column]) -> Vec<Column> {
    let run = |machine| {
        let kernel = Kernel::of(variant, machine).unwrap_or_else(|| panic!("{variant} has no kernel"));
        let mut results = results_for(variant, operands[0].rows());
        results.iter_mut().for_each(|column| column.bytes_mut().fill(0xff));
        kernel.run(operands, &mut results);
        results
    };
    let scalar = run(Backend::Scalar);
    for machine in Backend::distinct().filter(|machine| *machine != Backend::Scalar) {
        assert!(run(machine) == scalar, "{variant} on {machine:?}");
    }
    scalar
}

/// Says that lanes are not compared with scalars, where this CPU has none.
#[test]
fn lanes_are_compared_where_this_cpu_has_them() -> std::io::Result<()> {
    match Backend::distinct().count() {
        0 | 1 => writeln!(
            std::io::stderr(),
            "SKIPPED: this CPU has no lanes (AVX2 or AVX-512): only scalars are compared with definitions"
        ),
        _ => Ok(()),
    }
}

/// Returns inputs of one lane that reach the corners.
fn inputs_of_lane(random: &mut CounterRng, variant: &Variant) -> Vec<u64> {
    let formats: Vec<&Format> = variant.inputs().iter().map(|input| input.format).collect();
    corner_operands::lane(random, &formats, variant.outputs()[0].format)
}

/// Compares all lanes of so many rows with their definition. With `every`, lanes count through the data of the first
/// input.
fn check(variant: &Variant, rows: usize, every: bool) {
    let mut random = CounterRng::new(rows as u64, 0);
    let mut operands = columns_for(variant, rows);
    for row in 0..rows {
        for lane in 0..variant.lanes() {
            let mut bits = inputs_of_lane(&mut random, variant);
            if every {
                bits[0] = (row * variant.lanes() + lane) as u64;
            }
            for (input, bits) in variant.inputs().iter().zip(bits) {
                let place = input.slots[lane];
                if lane == 0 || !input.is_shared() {
                    let column = &mut operands[place.register];
                    let placed = variant.operands()[place.register].ty.place(bits, place.lane);
                    column.set(row, column.get(row) | placed);
                }
            }
        }
    }
    let results = answers(variant, &operands);
    for row in 0..rows {
        let mut expected = vec![0; results.len()];
        for lane in 0..variant.lanes() {
            let read = |input: &LaneData| {
                let place = input.slots[lane];
                let register = operands[place.register].get(row);
                variant.operands()[place.register].ty.lane(register, place.lane)
            };
            let inputs: Vec<u64> = variant.inputs().iter().map(read).collect();
            let outputs = reference::expected(variant, &inputs, lane);
            for (output, bits) in variant.outputs().iter().zip(outputs) {
                let place = output.slots[lane];
                expected[place.register] |= variant.results()[place.register].ty.place(bits, place.lane);
            }
        }
        let answer = column::row(&results, row);
        if answer != expected {
            let asked = column::row(&operands, row);
            panic!("{variant} {asked:x?}: {answer:x?}, not {expected:x?}");
        }
    }
}
