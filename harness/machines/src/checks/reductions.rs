//! Tests of the kernels of `redux.sync`, interpreted: what a warp makes of its threads' operands.

use std::collections::HashMap;

use emulator::{Backend, Kernel};
use isa::{Variant, columns_for, results_for};
use ptx::{column_parameter as parameter, kernel};
use sweeps::Sweep;

use super::{ALONE, memory, read_again};
use crate::interpreter::{Emulated, EntryProgram, Error, Problem, STEPS, Surroundings, WARP, WarpPlace};

/// A number of rows of whole warps, and of a part of one more.
const ROWS: usize = 518;
/// The number of threads of the block.
const THREADS: u64 = 544;

/// Runs the program of a variant's kernel on [`ROWS`] rows, in so many threads. Returns whether it stored what it
/// should, and nothing else.
fn run(variant: &Variant, program: &EntryProgram, threads: u64) -> Result<bool, Error> {
    let mut operands = columns_for(variant, ROWS);
    Sweep::named("uniform").unwrap().fill(variant, 3, 0, &mut operands);
    let mut results = results_for(variant, ROWS);
    let mut in_order = operands.clone();
    if variant.in_turn().is_some() {
        // The interpreter's lower thread comes first, and the one behind the last is the first.
        for row in (WARP - 1..ROWS).step_by(WARP) {
            let [b, c] = [1, 2].map(|operand| operands[operand].get(row));
            in_order[1].set(row, c);
            in_order[2].set(row, b);
        }
    }
    Kernel::of(variant, Backend::Scalar).unwrap().run(&in_order, &mut results);
    let registers = variant.results().iter().chain(variant.operands());
    let mut parameters: HashMap<String, u64> =
        registers.zip(1..).map(|(register, number)| (parameter(register), number << 32)).collect();
    parameters.insert("rows".into(), ROWS as u64);
    let given = memory((2..).zip(&operands).map(|(number, column)| (number << 32, column)));
    let (mut found, mut emulated) = (given.clone(), Emulated::default());
    for first in (0..threads).step_by(WARP) {
        let mut around = Surroundings {
            parameters: &parameters,
            place: WarpPlace { threads, first, ..ALONE },
            memory: &mut found,
            execute: &mut |tested, sources| emulated.execute(tested, sources),
            steps: STEPS,
        };
        program.run(&mut around)?;
    }
    let mut wanted = memory([(1 << 32, &results[0])].into_iter());
    wanted.extend(given);
    Ok(found == wanted)
}

#[test]
fn warps_go_through_the_rows_of_their_threads() {
    let variants: Vec<&Variant> = Variant::all().iter().filter(|one| one.is_of_warp()).collect();
    assert_eq!(variants.len(), 8 + 21);
    for variant in variants {
        assert_eq!(run(variant, &read_again(&kernel(variant)), THREADS), Ok(true), "{variant}");
    }
}

#[test]
fn a_part_of_a_warp_is_not_enough() {
    let variant: Variant = "redux.sync.max.f32".parse().unwrap();
    let program = read_again(&kernel(&variant));
    let problem = run(&variant, &program, THREADS - 1).unwrap_err().problem;
    assert_eq!(problem, Problem::Inactive);
}

/// Each thread has each of the operands alone at some time: whoever leaves a thread out gives wrong results.
#[test]
fn every_thread_has_operands_of_its_own() {
    let variant: Variant = "redux.sync.max.f32".parse().unwrap();
    let text = kernel(&variant).to_string();
    let program = |text: &str| EntryProgram::of(&text.parse().unwrap()).unwrap();
    for thread in 0..WARP {
        // This thread has what most of the others have.
        let left_out = format!(
            "setp.eq.u32 %beyond, %lane, {thread};\nselp.b32 %own, %c, %own, %beyond;\nredux.sync"
        );
        let wrong = text.replace("redux.sync.max.f32 %d", &format!("{left_out}.max.f32 %d"));
        assert_eq!(run(&variant, &program(&wrong), THREADS), Ok(false), "{thread}");
    }
}

#[test]
fn other_masks_are_refused() {
    let variant: Variant = "redux.sync.min.f32".parse().unwrap();
    let some = kernel(&variant).to_string().replace("%own, 0xffffffff", "%own, 0x0000ffff");
    let refused = EntryProgram::of(&some.parse().unwrap()).unwrap_err();
    assert!(matches!(refused.problem, Problem::Unsupported(_)), "{refused}");
}
