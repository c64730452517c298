//! Checks of what holds for the oracle's truths in every variant and every sweep, on a few vectors of each. The
//! emulator's results are right, alternatives are complete, and intervals hold the results they are around. More
//! vectors, and the model, are in `harness/cli/tests/suite/opinions.rs`; a change of the oracle alone is held against
//! this file at once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use emulator::{Backend, Kernel};
use formats::{Column, column};
use isa::{Contract, Relaxation, Variant, columns_for, results_for};
use judge::{Accepted, Batch, Interpretation, Judge, OpenPoints, Tally, Truth, ordinal};
use oracle::Oracle;
use sweeps::{Length, Sweep};

/// The number of vectors from the beginning of each sweep and, where it has an end, as many from there.
const ROWS: u64 = 12;

fn batches(variant: &Variant) -> Vec<Vec<Column>> {
    let mut batches = Vec::new();
    for sweep in Sweep::all() {
        let places = match sweep.length(variant) {
            Length::None => continue,
            Length::Finite(all) => vec![(0, all.min(ROWS)), (all.saturating_sub(ROWS), all.min(ROWS))],
            Length::Endless => vec![(0, 2 * ROWS)],
        };
        for (first, rows) in places {
            let mut columns = columns_for(variant, rows as usize);
            sweep.fill(variant, 0x5eed, first, &mut columns);
            batches.push(columns);
        }
    }
    batches
}

/// Calls `check` for every variant with the truth about some of its vectors. If it panics, no further variants are
/// taken, and this fails with the names of those for which it panicked.
fn every_truth(check: impl Fn(&Variant, &[Column], &Truth) + Sync) {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(variant) = Variant::all().get(next.fetch_add(1, Ordering::Relaxed)) {
            let checked = catch_unwind(AssertUnwindSafe(|| {
                let (mut oracle, mut truth) = (Oracle::new(variant), Truth::new(variant));
                for operands in batches(variant) {
                    oracle.expect(&operands, &mut truth);
                    check(variant, &operands, &truth);
                }
            }));
            if checked.is_err() {
                found.lock().unwrap().push(variant.text());
                // Enough is known.
                next.fetch_add(Variant::all().len(), Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
        (0..threads).for_each(|_| drop(scope.spawn(work)));
    });
    let found = found.into_inner().unwrap();
    assert!(found.is_empty(), "{}", found.join(", "));
}

/// Checks that the emulator's results are right, and equal the truth bit for bit where the contract promises bits:
/// that is by the first interpretation of every open point.
fn is_what_the_emulator_gives(variant: &Variant, operands: &[Column], truth: &Truth) {
    let kernel = Kernel::of(variant, Backend::Scalar).expect("every variant has one");
    let mut results = results_for(variant, operands[0].rows());
    kernel.run(operands, &mut results);
    if let Contract::Exact = variant.form().contract
        && let Some(row) = column::differing(&truth.results, &results).next()
    {
        let [operands, oracle, emulator] = [operands, &truth.results, &results]
            .map(|columns| format!("{:x?}", column::row(columns, row)));
        panic!("{variant} {operands}: oracle {oracle}, emulator {emulator}");
    }
    let mut tally = Tally::default();
    Judge::new(variant).judge(truth, Batch::new(operands, &results), &mut tally);
    assert_eq!(tally.classes.len(), 0, "{variant}: {:x?}", tally.classes);
}

/// Checks each element where a choice arises: it has every combination of the open points, each once, the first one
/// first, in order of elements.
fn has_all_combinations_of_what_is_open(variant: &Variant, operands: &[Column], truth: &Truth) {
    let Accepted::Exact(alternatives) = &truth.accepted else { return };
    assert!(alternatives.is_sorted_by_key(|alternative| alternative.element), "{variant}");
    // Where nothing matters, there is one result.
    assert!(alternatives.iter().all(|alternative| !alternative.open.is_empty()), "{variant}");
    let declared = OpenPoints::declared(variant);
    let outputs = variant.outputs();
    for group in alternatives.chunk_by(|a, b| a.element == b.element) {
        let (element, open) = (group[0].element, group[0].open);
        assert!(group.iter().all(|alternative| alternative.open == open), "{variant}");
        assert_eq!(open.and(declared), open, "{variant} leaves open what is none of its relaxations");
        let mut combinations: Vec<Interpretation> = open.interpretations().collect();
        let mut given: Vec<Interpretation> = group.iter().map(|a| a.interpretation).collect();
        assert_eq!(given[0], combinations[0], "{variant}: the first comes first");
        combinations.sort_unstable();
        given.sort_unstable();
        assert_eq!(given, combinations, "{variant} {element}");
        // The first interpretations give what is expected.
        let (row, lane) = (element / variant.lanes(), element % variant.lanes());
        assert!(row < operands[0].rows(), "{variant}");
        let slot = &outputs[0].slots[lane];
        let expected = slot.take(truth.results[slot.register].get(row));
        assert_eq!(group[0].bits, expected, "{variant} {:x?}", column::row(operands, row));
    }
}

/// Checks that an interval is around the correctly rounded result, and has the range that its operands lie in.
fn has_intervals_around_its_results(variant: &Variant, operands: &[Column], truth: &Truth) {
    let Accepted::Within(intervals) = &truth.accepted else { return };
    let Contract::Within(accuracy) = variant.form().contract else { panic!("{variant}") };
    let (rows, lanes) = (operands[0].rows(), variant.lanes());
    assert_eq!(intervals.len(), rows * lanes, "{variant}");
    for (element, interval) in intervals.iter().enumerate() {
        let (row, lane) = (element / lanes, element % lanes);
        let output = &variant.outputs()[0];
        let slot = &output.slots[lane];
        let expected = slot.take(truth.results[slot.register].get(row));
        let place = ordinal(output.format, expected);
        let shown = format!("{variant} {:x?} {interval:?}", column::row(operands, row));
        assert!(interval.low <= place && place <= interval.high, "{shown}");
        let Some(range) = interval.range else {
            assert_eq!((interval.low, interval.high), (place, place), "{shown}");
            continue;
        };
        let range = &accuracy.ranges[usize::from(range)];
        let input = &variant.inputs()[range.operand];
        let slot = &input.slots[lane];
        let bits = slot.take(operands[slot.register].get(row));
        let (significand, exponent) = input.format.decode(bits).expect("finite");
        let magnitude =
            significand as f64 * f64::powi(2.0, exponent / 2) * f64::powi(2.0, exponent - exponent / 2);
        let flushed = variant.meaning().flush.inputs[range.operand]
            && magnitude < f64::powi(2.0, input.format.exponent_min());
        let magnitude = if flushed { 0.0 } else { magnitude };
        let holds = |range: &isa::Range| range.from <= magnitude && magnitude <= range.to;
        let first = accuracy.ranges.iter().find(|range| holds(range)).expect("one is everywhere");
        assert_eq!(range.name, first.name, "{shown}");
    }
}

/// Checks the truths of all variants, and that every open point arises in some vector, so that the checks are not
/// about nothing.
#[test]
fn every_truth_is_one() {
    let arose = Mutex::new(OpenPoints::default());
    every_truth(|variant, operands, truth| {
        is_what_the_emulator_gives(variant, operands, truth);
        has_all_combinations_of_what_is_open(variant, operands, truth);
        has_intervals_around_its_results(variant, operands, truth);
        let mut arose = arose.lock().unwrap();
        truth.alternatives().iter().for_each(|alternative| *arose = arose.union(alternative.open));
        let points = truth.intervals().iter().filter_map(|interval| interval.point.relaxation());
        points.for_each(|relaxation| arose.insert(relaxation));
    });
    use Relaxation::{AnyNan, GrossTininess, IntermediateFlush, NanPayload, Tf32Layout};
    let arose = arose.into_inner().unwrap();
    // The judge alone sees which NaN a result is, which bits are unused and how near a result is. The last two points
    // arise beside one number, and in sums that cancel to one that is nearly flushed: `contracts` has them.
    let others = [AnyNan, NanPayload, Tf32Layout, GrossTininess, IntermediateFlush];
    let never = Relaxation::ALL.into_iter().filter(|&r| !arose.contains(r) && !others.contains(&r));
    assert_eq!(never.map(Relaxation::name).collect::<Vec<_>>(), [""; 0]);
}
