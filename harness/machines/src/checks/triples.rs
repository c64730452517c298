//! Tests of the kernels that judge all triples, interpreted.

use std::collections::HashMap;

use emulator::{Backend, Kernel};
use formats::Column;
use formats::digests::triples::Weights;
use isa::{Variant, columns_for, results_for};
use ptx::{SUMS, TRIPLES_OF_WARP, screen};
use sweeps::Sweep;

use super::{judged, read_again};
use crate::interpreter::{Emulated, EntryProgram, Tested, Values};

/// The factors at which a warp begins: a first one, and eight second ones from there on.
const PLACES: [(u64, u64); 6] = [
    // Ties and cancellation, overflow, what is tiny, infinities beside zeros and beside NaN, the out-of-bounds NaN,
    // and where the first factor changes, and with it everything else.
    (0x3c01, 0xbffc),
    (0x7b80, 0x7bf8),
    (0x0203, 0x0000),
    (0x8000, 0x7f78),
    (0xbc00, 0x7ff4),
    (0xfbff, 0xfff8),
];

/// Returns what a warp adds up from the vector `first` on. `wrong` names an execution of the instruction whose first
/// thread is given another result, and the bits in which it differs.
fn interpreted(
    variant: &Variant,
    program: &EntryProgram,
    first: u64,
    wrong: Option<(usize, u64)>,
) -> [u64; SUMS] {
    let mut unit = Emulated::default();
    let mut executed = 0;
    let execute = |tested: &Tested, sources: &[Values]| {
        let mut given = unit.execute(tested, sources)?;
        if tested.spelling == variant.spelling() {
            if let Some((_, bits)) = wrong.filter(|&(at, _)| at == executed) {
                given[0][0] ^= bits;
            }
            executed += 1;
        }
        Ok(given)
    };
    let (sums, left) = judged(program, HashMap::from([("first".into(), first)]), 0, execute);
    assert!(left.is_empty(), "what {variant} stores");
    sums
}

/// Returns the weights of the operands of a warp's vectors, and their results.
fn wanted(variant: &Variant, first: u64) -> (Weights, Column) {
    let rows = TRIPLES_OF_WARP as usize;
    let (mut operands, mut results) = (columns_for(variant, rows), results_for(variant, rows));
    Sweep::exhaustive().fill(variant, 0, first, &mut operands);
    Kernel::of(variant, Backend::Lanes).unwrap().run(&operands, &mut results);
    (Weights::of(&operands), results.remove(0))
}

/// Every variant expects what the emulator gives, for all addends of some pairs, and digests are those of the sweep.
/// One wrong bit is found.
#[test]
fn judges_of_triples_see_what_the_emulator_sees() {
    let variants: Vec<(&Variant, EntryProgram)> = Variant::all()
        .iter()
        .filter(|variant| sweeps::has_all_triples(variant))
        .filter_map(|variant| Some((variant, read_again(&screen(variant)?))))
        .collect();
    assert_eq!(variants.len(), 24);
    let see_the_same = |number: usize, variant: &Variant, program: &EntryProgram| {
        for (place, &(a, b)) in PLACES.iter().enumerate() {
            // Each variant takes some of the places, because they take long.
            if !(place + number).is_multiple_of(3) {
                continue;
            }
            let first = a << 32 | b << 16;
            let (weights, mut results) = wanted(variant, first);
            let inputs = weights.inputs();
            let right = [inputs, weights.results(&results), 0];
            assert_eq!(interpreted(variant, program, first, None), right, "{variant} {a:#x} {b:#x}");
            if place > 2 {
                continue;
            }
            // The third row of the warp's seventh step; its first thread has the seventh addend.
            let (row, bit) = (2 << 16 | 6, 1 << (number % variant.results()[0].ty.width() as usize));
            results.set(row, results.get(row) ^ bit);
            // A step executes the instruction eight times, once for each second factor.
            let found = [inputs, weights.results(&results), 1];
            assert_eq!(interpreted(variant, program, first, Some((6 * 8 + 2, bit))), found, "{variant}");
        }
    };
    std::thread::scope(|scope| {
        for (number, (variant, program)) in variants.iter().enumerate() {
            scope.spawn(move || see_the_same(number, variant, program));
        }
    });
}
