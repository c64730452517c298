//! Tests of the emulator's kernels as PTX: what is printed and interpreted computes what they compute here.

use emulator::{Backend, Kernel};
use isa::{LaneData, Variant, columns_for};
use ptx::builder::Body;
use ptx::program;
use ptx::syntax::{Entry, Scalar};
use sweeps::{Length, Sweep};

use crate::interpreter::{EntryProgram, Values, WARP};

/// The number of rows of each sweep that has as many.
const ROWS: usize = 24;

/// Every variant that has a kernel of 32 or 64 bits computes the same as PTX text.
#[test]
fn kernels_printed_and_interpreted_give_what_they_give_here() {
    let (mut printed, mut longest) = (0, 0);
    for variant in Variant::all() {
        let kernel = Kernel::of(variant, Backend::Scalar).expect("every variant has one");
        let Some(traces) = kernel.traces() else { continue };
        printed += 1;
        longest = traces.iter().map(|trace| trace.steps.len()).fold(longest, usize::max);
        let programs: Vec<(EntryProgram, String)> = traces
            .iter()
            .map(|trace| {
                let (steps, result) = program(trace);
                let mut body = Body::default();
                body.declare(Scalar::Bits(trace.bits), [("%input", trace.inputs)]);
                body.extend(steps);
                let (comment, name) = (None, "program".into());
                let body = body.statements();
                let entry = Entry { comment, name, parameters: Vec::new(), block: None, body };
                let read: Entry = entry.to_string().parse().unwrap();
                (EntryProgram::of(&read).unwrap(), result)
            })
            .collect();
        for name in ["exponents", "uniform", "boundary"] {
            check(variant, &kernel, &programs, Sweep::named(name).unwrap());
        }
    }
    assert!(printed > 4500, "only {printed} variants");
    assert!(longest < 4000, "{longest} steps");
}

/// Compares a variant's printed programs with its kernel, on the vectors of a sweep.
fn check(variant: &Variant, kernel: &Kernel, programs: &[(EntryProgram, String)], sweep: &Sweep) {
    let rows = match sweep.length(variant) {
        Length::Finite(rows) if rows < ROWS as u64 => rows as usize,
        _ => ROWS,
    };
    let mut operands = columns_for(variant, rows);
    sweep.fill(variant, 7, 0, &mut operands);
    let mut results: Vec<_> =
        variant.results().iter().map(|r| formats::Column::new(r.ty.row_bytes(), rows)).collect();
    kernel.run(&operands, &mut results);
    let lanes = variant.lanes();
    let elements = |data: &LaneData, registers, columns: &[formats::Column]| {
        let mut elements = vec![0u64; rows * lanes];
        data.gather(registers, columns, 0..rows, &mut elements);
        elements
    };
    let inputs: Vec<Vec<u64>> =
        variant.inputs().iter().map(|s| elements(s, variant.operands(), &operands)).collect();
    for ((program, result), output) in programs.iter().zip(variant.outputs()) {
        let wanted = elements(output, variant.results(), &results);
        for start in (0..wanted.len()).step_by(WARP) {
            let end = wanted.len().min(start + WARP);
            let warp = |(number, input): (usize, &Vec<u64>)| {
                let mut values = Values::default();
                values[..end - start].copy_from_slice(&input[start..end]);
                (format!("%input{number}"), values)
            };
            let inputs: Vec<_> = inputs.iter().enumerate().map(warp).collect();
            let inputs: Vec<(&str, Values)> =
                inputs.iter().map(|(name, values)| (name.as_str(), *values)).collect();
            let given = program.compute(&inputs, result).unwrap();
            let given = given.map(|bits| bits & output.format.mask());
            assert_eq!(given[..end - start], wanted[start..end], "{variant} of {inputs:x?}");
        }
    }
}
