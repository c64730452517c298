//! Tests of what is made of what a device says of triples.

use std::collections::BTreeSet;

use formats::digests::triples::{self, Weights};
use isa::columns_for;
use selection::subject::VectorSource;
use sweeps::Sweep;

use super::*;

/// Number of vectors that are looked at together.
const PART: u64 = ptx::TRIPLES_OF_WARP;

/// A worker that judges triples as a device does, and gives wrong results for some.
struct TriplesDevice {
    emulator: Emulator,
    wrong: BTreeSet<u64>,
    /// The number of times it has been asked, where it gives wrong results only the first time.
    wavers: Option<u64>,
}

impl TriplesDevice {
    fn wrong_about(wrong: impl IntoIterator<Item = u64>) -> TriplesDevice {
        TriplesDevice { emulator: Emulator::lanes(), wrong: wrong.into_iter().collect(), wavers: None }
    }
}

impl Worker for TriplesDevice {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        self.emulator.run(variant, operands, results)?;
        if self.wavers.is_some_and(|asked| asked > 1) {
            return Ok(());
        }
        let number = |row: usize| {
            let lane = |column: &Column| column.get(row) & 0xffff;
            lane(&operands[0]) << 32 | lane(&operands[1]) << 16 | lane(&operands[2])
        };
        let (first, rows) = (number(0), operands[0].rows());
        assert_eq!(number(rows - 1), first + rows as u64 - 1, "rows that follow each other");
        for wrong in self.wrong.range(first..first + rows as u64) {
            let row = (wrong - first) as usize;
            let other = results[0].get(row) ^ 1;
            results[0].set(row, other);
        }
        Ok(())
    }

    fn screen(
        &mut self,
        variant: &Variant,
        first: u64,
        rows: usize,
        results: Option<&mut [Column]>,
    ) -> Result<Option<Screening>> {
        if results.is_some() {
            return Ok(None);
        }
        self.wavers = self.wavers.map(|asked| asked + 1);
        let mut operands = columns_for(variant, rows);
        Sweep::exhaustive().fill(variant, 0, first, &mut operands);
        let (mut right, mut own) = (results_for(variant, rows), results_for(variant, rows));
        self.emulator.run(variant, &operands, &mut right)?;
        self.run(variant, &operands, &mut own)?;
        let weights = Weights::of(&operands);
        let differing = u64::from(own != right);
        Ok(Some(Screening { inputs: weights.inputs(), results: weights.results(&own[0]), differing }))
    }

    fn is_physical(&self) -> bool {
        true
    }
}

fn judged(name: &str, (number, parts): (u64, u64), device: &mut TriplesDevice) -> Result<Tally, String> {
    let variant = Variant::all().iter().find(|variant| variant.text() == name).unwrap();
    let asked = VectorSource::Lanes(variant, Sweep::exhaustive());
    let (judged_by, proven) = (JudgedBy::Emulator, None);
    let task = Task { asked, vectors: triples::ALL, judged_by, proven };
    let block = Block { task: 0, number, first: number << 32, rows: (parts * PART) as usize };
    let mut judge = BlockJudge::new(task.subject(), Judging::Screened);
    judge.run_block(&task, block, 0, device).map_err(|error| format!("{error:#}"))
}

#[test]
fn what_differs_is_found_and_judged() {
    // A block of which no sample is taken.
    let number = 0x3c01;
    assert!(!is_sample(number, SAMPLE));
    for name in ["fma.rn.f16", "fma.rn.relu.bf16x2"] {
        let right = judged(name, (number, 4), &mut TriplesDevice::wrong_about([])).unwrap();
        let rows = 4 * PART;
        assert_eq!((right.vectors, right.on_device, right.mismatches), (rows, rows, 0));
        assert_eq!((right.results, right.confirmed), (right.expected, 0));

        let wrong = [7, PART + 8, 3 * PART + 0x1_2345].map(|at| (number << 32) + at);
        let found = judged(name, (number, 4), &mut TriplesDevice::wrong_about(wrong)).unwrap();
        assert_eq!((found.vectors, found.on_device, found.mismatches), (rows, rows, 3), "{name}");
        let examples = found.classes.values().flat_map(|class| &class.examples);
        let numbers: BTreeSet<u64> = examples.map(|example| example.index).collect();
        assert_eq!(numbers, wrong.into());
        assert_eq!((found.inputs, found.expected), (right.inputs, right.expected), "{name}");
        assert_ne!(found.results, right.results);
    }
}

/// Where much is wrong, some parts are judged and show what; other parts that differ do not count as judged.
#[test]
fn what_is_not_looked_at_does_not_count_as_judged() {
    let wrong = (0..18).map(|part| (1 << 32) + part * PART);
    let found = judged("fma.rn.f16", (1, 20), &mut TriplesDevice::wrong_about(wrong)).unwrap();
    assert_eq!((found.mismatches, found.vectors), (16, 18 * PART));
}

#[test]
fn of_a_sample_of_the_blocks_mpfr_judges_a_part() {
    let number = (0..SAMPLE).find(|&number| is_sample(number, SAMPLE)).unwrap();
    let mut device = TriplesDevice::wrong_about([]);
    let found = judged("fma.rn.f16", (number, 3), &mut device).unwrap();
    assert_eq!((found.vectors, found.confirmed, found.mismatches), (3 * PART, PART, 0));
    assert_eq!(found.results, found.expected);

    // Another part of another block. What is wrong elsewhere has MPFR judge that part as well.
    let number = (2 * SAMPLE..3 * SAMPLE).find(|&number| is_sample(number, SAMPLE)).unwrap();
    for (part, confirmed) in [(0, 2 * PART), (1, 2 * PART), (2 * 37 % 3, PART)] {
        let mut device = TriplesDevice::wrong_about([(number << 32) + part * PART + 9]);
        let found = judged("fma.rn.f16", (number, 3), &mut device).unwrap();
        assert_eq!((found.vectors, found.mismatches), (3 * PART, 1));
        assert_eq!(found.confirmed, confirmed, "part {part}");
    }
}

#[test]
fn a_device_that_says_something_else_the_next_time_is_not_relied_on() {
    let mut device = TriplesDevice { wavers: Some(0), ..TriplesDevice::wrong_about([(1 << 32) + 5]) };
    let error = judged("fma.rn.f16", (1, 2), &mut device).unwrap_err();
    assert!(error.contains("cannot be relied on"), "{error}");
}
