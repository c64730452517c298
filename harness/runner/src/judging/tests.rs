//! Tests of who judges a block, and what is made of what the judges say.

mod matrix;
mod missing_rows;
mod triples;

use formats::digests::digest;
use implementations::{Emulator, Screening};
use judge::{Accepted, MismatchKind};
use selection::budget::Tier;

use super::*;
use crate::{BLOCK, JudgedBy, Plan, RunRequest};

fn plan(judging: Judging) -> Plan {
    let only = vec!["*.approx*.f32".into()];
    let request = RunRequest { judging, ..RunRequest::of(Tier::Nightly, only) };
    Plan::new(request, &Emulator::lanes()).unwrap()
}

fn block(number: u64) -> Block {
    Block { task: 0, number, first: number * BLOCK, rows: BLOCK as usize }
}

/// The emulator with another answer for one row.
struct WrongRow(Emulator, usize, u64);

impl Worker for WrongRow {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        self.0.run(variant, operands, results)?;
        results[0].set(self.1, self.2);
        Ok(())
    }
}

#[test]
fn the_nightly_tier_has_series_judge_all_inputs_unless_mpfr_is_to() {
    let exhaustive = |judging: Judging| {
        let spaces = plan(judging).tasks.into_iter().filter(|task| task.vectors == 1 << 32);
        spaces.map(|task| task.judged_by == JudgedBy::Series).collect::<Vec<_>>()
    };
    assert_eq!(exhaustive(Judging::Screened), [true; 15]);
    assert_eq!(exhaustive(Judging::Mpfr), [false; 15]);
}

/// Series refuse numbers just outside the bound, and accept those just inside.
#[test]
fn a_result_outside_its_bound_is_a_mismatch_among_all_that_series_judge() {
    // Around 1, and where no sample is taken.
    let block = block(0x3f7f);
    assert!(!is_sample(block.number, SERIES_SAMPLE));
    for task in plan(Judging::Screened).tasks.iter().filter(|task| task.judged_by == JudgedBy::Series) {
        let row = 0x1234;
        let mut judge = BlockJudge::new(task.subject(), Judging::Screened);
        let right = judge.run_block(task, block, 0, &mut Emulator::lanes()).unwrap();
        assert_eq!((right.mismatches, right.confirmed, right.vectors), (0, 0, BLOCK));
        let Subject::Variant(variant) = task.subject() else { unreachable!() };
        let (mut oracle, mut truth) = (Oracle::new(variant), Truth::new(variant));
        oracle.expect(&judge.operands, &mut truth);
        assert_eq!(right.expected, digest(block.first, &truth.results), "{}", task.subject());
        let interval = truth.intervals()[row];
        // Far from the zeros, which have two places.
        assert!(interval.low > 1 || interval.high < -2, "{}: {interval:?}", task.subject());
        let bits = |place: i64| if place < 0 { 0x8000_0000 | !place as u64 } else { place as u64 };
        for (place, wrong) in
            [(interval.low, 0), (interval.high, 0), (interval.low - 1, 1), (interval.high + 1, 1)]
        {
            let mut worker = WrongRow(Emulator::lanes(), row, bits(place));
            let tally = judge.run_block(task, block, 0, &mut worker).unwrap();
            assert_eq!(tally.mismatches, wrong, "{} {place:#x}", task.subject());
            assert_eq!(tally.classes.contains_key(&MismatchKind::OutOfBound), wrong == 1);
            let examples = tally.classes.values().flat_map(|class| &class.examples);
            assert!(examples.into_iter().all(|example| example.index == block.first + row as u64));
        }
    }
}

/// Series say of a block what `--judge mpfr` says: the tallies differ in who confirmed, and in the last bits of the
/// worst error.
#[test]
fn series_count_what_mpfr_counts() {
    for task in plan(Judging::Screened).tasks.iter().filter(|task| task.judged_by == JudgedBy::Series) {
        for number in [0x3f80, 0x0001, 0x3300, 0xbe12, 0x42c8, 0x4700] {
            let mut judge = BlockJudge::new(task.subject(), Judging::Screened);
            let mut worker = Emulator::lanes();
            let tally = judge.run_block(task, block(number), 0, &mut worker).unwrap();
            let alone = Task { judged_by: JudgedBy::Mpfr, ..task.clone() };
            let wanted = judge.run_block(&alone, block(number), 0, &mut worker).unwrap();
            let counts = |tally: &Tally| {
                let histograms = tally.errors.values().map(|errors| errors.histogram);
                let sums = (tally.vectors, tally.mismatches, tally.results, tally.expected);
                (histograms.collect::<Vec<_>>(), tally.answers.clone(), sums)
            };
            assert_eq!(counts(&tally), counts(&wanted), "{} {number:#x}", task.subject());
            let worst = |tally: &Tally| {
                let worst = tally.errors.values().filter_map(|errors| errors.worst.as_ref()?.ulp);
                worst.fold(0.0, f64::max)
            };
            assert!((worst(&tally) - worst(&wanted)).abs() < 2f64.powi(-14));
        }
    }
}

#[test]
fn samples_are_one_block_of_so_many_and_where_series_err_the_run_ends() {
    let blocks = (1u64 << 32) / BLOCK;
    let samples: Vec<u64> = (0..blocks).filter(|&number| is_sample(number, SERIES_SAMPLE)).collect();
    assert_eq!(samples.len() as u64, blocks / SERIES_SAMPLE);
    let shards: std::collections::BTreeSet<u64> = samples.iter().map(|number| number % 64).collect();
    assert_eq!(shards.len(), samples.len(), "each in another shard of 64");
    assert_eq!(samples[30], 30 * SERIES_SAMPLE + 30 * 37 - SERIES_SAMPLE);
    let screened: Vec<u64> = (0..blocks).filter(|&number| is_sample(number, SAMPLE)).collect();
    assert_eq!(screened.len() as u64, blocks / SAMPLE);
    let shards: std::collections::BTreeSet<u64> = screened.iter().map(|number| number % 16).collect();
    assert_eq!(shards.len(), 16, "every shard of 16 has some");

    let plan = plan(Judging::Screened);
    let task = plan.tasks.iter().find(|task| task.judged_by == JudgedBy::Series).unwrap();
    let block = block(samples[16]);
    let mut judge = BlockJudge::new(task.subject(), Judging::Screened);
    let mut worker = Emulator::lanes();
    let tally = judge.run_block(task, block, 0, &mut worker).unwrap();
    assert_eq!((tally.mismatches, tally.confirmed), (0, BLOCK));
    let BatchJudge::Lanes(lane_judge) = &mut judge.batch_judge else { unreachable!() };
    let mut truth = lane_judge.truth.clone();
    let Accepted::Within(intervals) = &mut truth.accepted else { unreachable!() };
    intervals[77].high += 1;
    let error = lane_judge.compared(&judge.operands, &truth).unwrap_err().to_string();
    assert!(error.contains("a bug in the suite"), "{error}");
}

/// Ways in which a worker that judges its own results can be wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Misbehaviour {
    Nothing,
    /// Row 7 has another result in the worker's own kernel, every time.
    Finds,
    /// Row 7 has another result in the worker's own kernel, the first time only.
    Wavers,
    /// A row is counted as differing that does not differ.
    Miscounts,
    /// The vectors are others than those that were asked for.
    Strays,
}

/// The emulator as a worker that makes and judges vectors itself.
struct DeviceWorker(Emulator, Misbehaviour, usize);

impl Worker for DeviceWorker {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        self.0.run(variant, operands, results)
    }

    fn screen(
        &mut self,
        variant: &Variant,
        first: u64,
        rows: usize,
        results: Option<&mut [Column]>,
    ) -> Result<Option<Screening>> {
        let mut operands = isa::columns_for(variant, rows);
        sweeps::Sweep::named("exhaustive").unwrap().fill(variant, 0, first, &mut operands);
        let mut own = results_for(variant, 0);
        own.iter_mut().for_each(|column| column.resize(rows));
        self.0.run(variant, &operands, &mut own)?;
        let wrong = self.1 == Misbehaviour::Finds || self.1 == Misbehaviour::Wavers && self.2 == 0;
        if wrong {
            let other = own[0].get(7) ^ 1;
            own[0].set(7, other);
        }
        self.2 += 1;
        let differing = u64::from(wrong || self.1 == Misbehaviour::Miscounts);
        let inputs = digest(first, &operands) ^ u64::from(self.1 == Misbehaviour::Strays);
        let found = Screening { inputs, results: digest(first, &own), differing };
        if let Some(results) = results {
            results.clone_from_slice(&own);
        }
        Ok(Some(found))
    }

    fn is_physical(&self) -> bool {
        true
    }
}

/// A worker that judges its own results is believed where nothing speaks against it.
#[test]
fn judges_on_a_device_are_held_to_what_is_found_here() {
    let request = RunRequest::of(Tier::Nightly, vec!["cvt.rn.f16.f32".into()]);
    let plan = Plan::new(request, &Emulator::lanes()).unwrap();
    let task = plan.tasks.iter().find(|task| task.judged_by == JudgedBy::Emulator).unwrap();
    let samples: Vec<u64> = (0..200).filter(|&number| is_sample(number, SAMPLE)).collect();
    let (sample, other) = (samples[1], samples[1] + 1);
    let run = |number: u64, fault: Misbehaviour| {
        let mut judge = BlockJudge::new(task.subject(), Judging::Screened);
        let mut worker = DeviceWorker(Emulator::lanes(), fault, 0);
        judge.run_block(task, block(number), 0, &mut worker).map_err(|error| error.to_string())
    };
    let vectors = |number: u64| format!("vectors {} to {}", number * BLOCK, number * BLOCK + BLOCK - 1);
    let kinds = |tally: &Tally| tally.classes.keys().copied().collect::<Vec<_>>();
    for number in [sample, other] {
        let plain = BlockJudge::new(task.subject(), Judging::Screened)
            .run_block(task, block(number), 0, &mut Emulator::lanes())
            .unwrap();
        let tally = run(number, Misbehaviour::Nothing).unwrap();
        assert_eq!((plain.on_device, tally.on_device), (0, BLOCK));
        assert_eq!(Tally { on_device: 0, ..tally }, plain);

        for fault in [Misbehaviour::Miscounts, Misbehaviour::Strays] {
            // What is not looked at again passes until the digests of the whole are compared.
            if number == sample || fault == Misbehaviour::Miscounts {
                let error = run(number, fault).unwrap_err();
                assert!(
                    error.contains("a bug in the suite") && error.contains(&vectors(number)),
                    "{error}"
                );
            }
        }
    }
    // The worker is not asked to judge where MPFR is to.
    let alone = Task { judged_by: JudgedBy::Mpfr, ..task.clone() };
    let mut judge = BlockJudge::new(task.subject(), Judging::Mpfr);
    let mut worker = DeviceWorker(Emulator::lanes(), Misbehaviour::Nothing, 0);
    let tally = judge.run_block(&alone, block(other), 0, &mut worker).unwrap();
    assert_eq!((tally.on_device, tally.confirmed), (0, BLOCK));
    // The worker's own kernel is what is judged; in a sample it is compared with the other kernel, and that shows.
    let tally = run(other, Misbehaviour::Finds).unwrap();
    assert_eq!((tally.mismatches, tally.vectors, tally.confirmed), (1, BLOCK, 1));
    assert!(!kinds(&tally).contains(&MismatchKind::Unstable));
    assert_eq!(tally.classes.values().next().unwrap().examples[0].index, other * BLOCK + 7);
    let tally = run(sample, Misbehaviour::Finds).unwrap();
    assert_eq!((kinds(&tally), tally.mismatches), (vec![MismatchKind::Unstable], 1));
    assert_eq!(tally.classes[&MismatchKind::Unstable].examples[0].index, sample * BLOCK + 7);
    for number in [sample, other] {
        let error = run(number, Misbehaviour::Wavers).unwrap_err();
        assert!(error.contains("cannot be relied on") && error.contains(&vectors(number)), "{error}");
    }
}
