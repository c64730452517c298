//! Tests of the kernels that judge, interpreted: what they make, store and add up.

use std::collections::{BTreeMap, HashMap};

use emulator::{Backend, Kernel};
use formats::Column;
use formats::digests::digest;
use isa::{Variant, columns_for};
use ptx::column_parameter as parameter;
use ptx::syntax::{PRED, Scalar};
use ptx::{ROWS_EACH, SUMS, WARP, screen};
use sweeps::{Length, Sweep};

use super::{judged, read_again};
use crate::interpreter::{self, EntryProgram, Tested, Values};

/// The number of vectors that a warp judges.
const SCREENED: usize = (ROWS_EACH * WARP) as usize;

/// Returns what the kernel adds up over a warp's vectors, where the variant gives these results; `stored` asks for
/// columns of them.
fn interpreted(
    variant: &Variant,
    program: &EntryProgram,
    (first, warp): (u64, u64),
    operands: &[Column],
    results: &[Column],
    stored: bool,
) -> [u64; SUMS] {
    let mut round = 0;
    // Thread t is at its vector number `round`.
    let execute = |_: &Tested, sources: &[Values]| {
        let row = |thread: usize| thread * ROWS_EACH as usize + round;
        let values = |column: &Column| std::array::from_fn(|thread| column.get(row(thread)));
        assert!(sources.iter().copied().eq(operands.iter().map(values)), "operands of {variant}");
        let given = results.iter().map(values).collect();
        round += 1;
        Ok(given)
    };
    let columns = variant.results().iter().enumerate();
    let address = |number: usize| if stored { (number as u64 + 1) << 32 } else { 0 };
    let mut parameters: HashMap<String, u64> =
        columns.map(|(number, result)| (parameter(result), address(number))).collect();
    parameters.insert("first".into(), first);
    let (sums, memory) = judged(program, parameters, warp, execute);
    let mut wanted = BTreeMap::new();
    for (number, column) in results.iter().enumerate().filter(|_| stored) {
        let start = address(number) + warp * (SCREENED * column.row_bytes()) as u64;
        wanted.extend((start..).zip(column.bytes().iter().copied()));
    }
    assert!(memory == wanted, "what {variant} stores");
    sums
}

/// For every variant that can be screened: operands, digests and expectations are those of the
/// sweep and of the emulator, and a row with any bit wrong is counted.
#[test]
fn printed_judges_see_what_the_emulator_sees() {
    assert_eq!(interpreter::WARP, WARP as usize);
    let sweep = Sweep::named("exhaustive").unwrap();
    let mut screened = 0;
    for variant in Variant::all() {
        let Length::Finite(all) = sweep.length(variant) else { continue };
        if sweeps::has_all_triples(variant) {
            continue;
        }
        let Some(entry) = screen(variant).filter(|_| all >= SCREENED as u64) else { continue };
        let program = read_again(&entry);
        screened += 1;
        // Somewhere in the middle, where operands are of all kinds.
        let blocks = all / SCREENED as u64;
        let (warp, first) = (blocks.min(3) - 1, blocks / 5 * SCREENED as u64);
        let first_row = first + warp * SCREENED as u64;
        let mut operands = columns_for(variant, SCREENED);
        sweep.fill(variant, 0, first_row, &mut operands);
        let columns = variant.results().iter().map(|r| Column::new(r.ty.row_bytes(), SCREENED));
        let mut results: Vec<Column> = columns.collect();
        Kernel::of(variant, Backend::Scalar).unwrap().run(&operands, &mut results);
        let digests = |results: &[Column]| [digest(first_row, &operands), digest(first_row, results)];
        let [inputs, right] = digests(&results);
        let place = (first, warp);
        let sums = interpreted(variant, &program, place, &operands, &results, false);
        assert_eq!(sums, [inputs, right, 0], "{variant}");

        let last = results.len() - 1;
        let ty = variant.results()[last].ty;
        let width = if Scalar::of(&ty) == PRED { 1 } else { ty.width() as usize };
        // Each variant has another row and another bit wrong.
        let (row, bit) = (screened * 37 % SCREENED, screened % width);
        let wrong = results[last].get(row) ^ 1 << bit;
        results[last].set(row, wrong);
        let [inputs, wrong] = digests(&results);
        let sums = interpreted(variant, &program, place, &operands, &results, true);
        assert_eq!(sums, [inputs, wrong, 1], "{variant}");
    }
    assert!(screened > 1000, "only {screened}");
}
