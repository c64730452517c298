//! Tests of the kernels of every variant, interpreted: what is loaded, executed and stored.

mod bulk;
mod dots;
pub mod fragments;
mod guards;
mod hostile;
mod machines;
mod matrices;
mod matrix_case;
mod misled;
mod printed_fragments;
mod program;
mod reductions;
mod screen;
mod shared;
mod triples;
mod warp;
mod wmma;

use std::collections::{BTreeMap, HashMap};

use emulator::{Backend, Kernel};
use formats::{Column, column};
use isa::{Variant, columns_for, results_for};
use ptx::column_parameter as parameter;
use ptx::syntax::Entry;
use ptx::{SUMS, constants, has_constants, has_kernel, kernel};
use sweeps::Sweep;

use crate::interpreter::{EntryProgram, Memory, STEPS, Surroundings, Tested, Values, WARP, WarpPlace};

/// A number of rows that is less than a warp has threads.
const ROWS: usize = 20;

/// Returns operands of a variant, and the results that they give.
fn vectors_of(variant: &Variant) -> (Vec<Column>, Vec<Column>) {
    let mut operands = columns_for(variant, ROWS);
    Sweep::named("uniform").unwrap().fill(variant, 3, 0, &mut operands);
    let mut results = results_for(variant, ROWS);
    Kernel::of(variant, Backend::Scalar).unwrap().run(&operands, &mut results);
    (operands, results)
}

/// Returns the program of an entry's text, and checks that the text reads back as the entry.
fn read_again(entry: &Entry) -> EntryProgram {
    let read: Entry = entry.to_string().parse().unwrap();
    assert!(read == *entry, "what is read of {}", entry.name);
    EntryProgram::of(&read).unwrap()
}

/// The place of a warp that is alone in its grid.
const ALONE: WarpPlace = WarpPlace { block: 0, threads: WARP as u64, first: 0 };

/// Returns the bytes of columns in memory, each column at an address of its own.
fn memory<'a>(columns: impl Iterator<Item = (u64, &'a Column)>) -> BTreeMap<u64, u8> {
    columns.flat_map(|(address, column)| (address..).zip(column.bytes().iter().copied())).collect()
}

/// Runs a warp of a kernel that judges: returns the sums that it adds up, and what else it leaves in memory.
/// `parameters` are those beside the address of the sums.
fn judged(
    program: &EntryProgram,
    mut parameters: HashMap<String, u64>,
    block: u64,
    mut execute: impl FnMut(&Tested, &[Values]) -> Result<Vec<Values>, String>,
) -> ([u64; SUMS], BTreeMap<u64, u8>) {
    const ADDRESS: u64 = 0x1000;
    parameters.insert("sums".into(), ADDRESS);
    // The sums are zero before.
    let mut memory: BTreeMap<u64, u8> = (ADDRESS..).zip([0; 8 * SUMS]).collect();
    let mut around = Surroundings {
        parameters: &parameters,
        place: WarpPlace { block, ..ALONE },
        memory: &mut memory,
        execute: &mut execute,
        steps: STEPS,
    };
    program.run(&mut around).unwrap();
    let sums = std::array::from_fn(|sum| memory.load(ADDRESS + 8 * sum as u64, 8).unwrap());
    memory.retain(|&address, _| !(ADDRESS..ADDRESS + 8 * SUMS as u64).contains(&address));
    (sums, memory)
}

/// Every row is computed from its operands, and nothing behind the last row is touched.
#[test]
fn kernels_load_execute_and_store_their_rows() {
    let threads_apart = |variant: &&Variant| has_kernel(variant) && !variant.is_of_warp();
    for variant in Variant::all().iter().filter(threads_apart) {
        let (operands, results) = vectors_of(variant);
        let parts = variant.lane_signature().parts;
        let [given, wanted] = [&operands, &results].map(|columns| column::join(columns, parts));
        let words = variant.results().chunks(parts).chain(variant.operands().chunks(parts));
        let mut parameters: HashMap<String, u64> =
            words.zip(1..).map(|(word, number)| (parameter(&word[0]), number << 32)).collect();
        parameters.insert("rows".into(), ROWS as u64);
        let address = |number: usize| (number as u64 + 1) << 32;
        let given = given.iter().enumerate();
        let given = memory(given.map(|(number, column)| (address(wanted.len() + number), column)));
        let in_warp = |column: &Column| -> Values {
            std::array::from_fn(|thread| if thread < ROWS { column.get(thread) } else { 0 })
        };
        let mut execute = |tested: &Tested, sources: &[Values]| {
            assert_eq!(tested.spelling, variant.spelling());
            assert!(sources.iter().copied().eq(operands.iter().map(in_warp)), "operands of {variant}");
            Ok(results.iter().map(in_warp).collect())
        };
        let mut found = given.clone();
        let mut around = Surroundings {
            parameters: &parameters,
            place: ALONE,
            memory: &mut found,
            execute: &mut execute,
            steps: STEPS,
        };
        read_again(&kernel(variant)).run(&mut around).unwrap();
        let mut wanted = memory(wanted.iter().enumerate().map(|(number, c)| (address(number), c)));
        wanted.extend(given);
        assert!(found == wanted, "what {variant} stores");
    }
}

/// Kernels that have their operands in the text compute every row, too, and touch nothing else.
#[test]
fn kernels_of_constants_execute_them_in_order_and_store_every_row() {
    for variant in Variant::all().iter().filter(|variant| has_constants(variant)) {
        let (operands, results) = vectors_of(variant);
        let vectors: Vec<_> = (0..ROWS).map(|row| column::row(&operands, row)).collect();
        let address = |number: usize| (number as u64 + 1) << 32;
        let parts = variant.lane_signature().parts;
        let words = variant.results().chunks(parts).enumerate();
        let parameters = words.map(|(number, word)| (parameter(&word[0]), address(number))).collect();
        let mut row = 0;
        let mut execute = |tested: &Tested, sources: &[Values]| {
            assert_eq!(tested.spelling, variant.spelling());
            let sources: Vec<u64> = sources.iter().map(|values| values[0]).collect();
            assert_eq!(sources, vectors[row], "row {row} of {variant}");
            let given = results.iter().map(|column| [column.get(row); WARP]).collect();
            row += 1;
            Ok(given)
        };
        let mut found = BTreeMap::new();
        // One thread executes all vectors.
        let mut around = Surroundings {
            parameters: &parameters,
            place: WarpPlace { threads: 1, ..ALONE },
            memory: &mut found,
            execute: &mut execute,
            steps: STEPS,
        };
        read_again(&constants(variant, "k", &vectors)).run(&mut around).unwrap();
        let wanted = column::join(&results, parts);
        let wanted = memory(wanted.iter().enumerate().map(|(number, c)| (address(number), c)));
        assert!(found == wanted, "what {variant} stores");
    }
}
