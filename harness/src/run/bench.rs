//! The bench that batches of one variant are tried on.

use anyhow::{Context, Result, bail};
use vectors::{Column, Variant};

use super::plan::{Block, Judging, Task};
use crate::emulator::{Kernel, Machine};
use crate::implementation::Worker;
use crate::judge::{Judge, Tally, Trial, digest};
use crate::oracle::{Oracle, Truth};

/// Every byte of a result that nobody wrote.
const UNWRITTEN: u8 = 0xa5;

/// Of the blocks that the emulator screens, one in so many is judged by MPFR all the same.
pub const SAMPLE: u64 = 64;
/// Of the blocks that series judge, one in so many is judged by MPFR, and both must say the same.
pub const SERIES_SAMPLE: u64 = 1024;

/// Whether MPFR judges this block, as it does one of `every` so many, at a place that wanders, so that
/// shards share them.
fn is_sample(block: u64, every: u64) -> bool {
    block % every == block / every * 37 % every
}

/// All that judging batches of one variant takes, made once per thread and variant.
pub struct Bench {
    variant: Variant,
    oracle: Oracle,
    truth: Truth,
    judge: Judge,
    operands: Vec<Column>,
    results: Vec<Column>,
    /// Made when a block is first screened.
    screen: Option<Screen>,
    /// Made when a block is first judged by series.
    series: Option<(Oracle, Truth)>,
}

/// What comparing with the emulator takes.
struct Screen {
    kernel: Kernel,
    results: Vec<Column>,
    /// The rows that differ: their operands, their results, and how far behind the first they are.
    differing: (Vec<Column>, Vec<Column>, Vec<u64>),
}

impl Bench {
    /// For a variant.
    pub fn new(variant: &Variant, judging: Judging) -> Bench {
        let oracle = match judging {
            Judging::Screened | Judging::Mpfr => Oracle::new(variant),
            Judging::Runs => Oracle::by_runs(variant),
        };
        Bench {
            variant: variant.clone(),
            oracle,
            truth: Oracle::truth(variant),
            judge: Judge::new(variant),
            operands: vectors::sweep::columns_for(variant, 0),
            results: result_columns(variant),
            screen: None,
            series: None,
        }
    }

    /// The variant that is tried.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// Generates a block, has it computed, and judges it.
    pub fn run_block(
        &mut self,
        task: &Task,
        block: Block,
        seed: u64,
        worker: &mut dyn Worker,
    ) -> Result<Tally> {
        self.operands.iter_mut().for_each(|column| column.resize(block.rows));
        task.sweep.fill(&self.variant, seed, block.first, &mut self.operands);
        let computed = self.compute(worker);
        computed.with_context(|| format!("the implementation broke on {}", self.variant))?;
        match task.proven {
            _ if task.series => self.by_series(block),
            Some(_) if !is_sample(block.number, SAMPLE) => Ok(self.screened(block.first)),
            _ => Ok(self.judged(block.first)),
        }
    }

    /// Has given operands computed, and judges them; `first` is the first row's number.
    pub fn run_rows(&mut self, rows: &[Vec<u64>], first: u64, worker: &mut dyn Worker) -> Result<Tally> {
        for (index, column) in self.operands.iter_mut().enumerate() {
            column.resize(rows.len());
            rows.iter().enumerate().for_each(|(row, operands)| column.set(row, operands[index]));
        }
        self.compute(worker)?;
        Ok(self.judged(first))
    }

    fn compute(&mut self, worker: &mut dyn Worker) -> Result<()> {
        let rows = self.operands[0].rows();
        self.results.iter_mut().for_each(|column| column.resize(rows));
        // What an implementation leaves out must not look like the answers of the batch before.
        self.results.iter_mut().for_each(|column| column.bytes_mut().fill(UNWRITTEN));
        worker.run(&self.variant, &self.operands, &mut self.results)?;
        if let Some(column) = self.results.iter().find(|column| column.rows() != rows) {
            bail!("it gave {} results for {rows} vectors", column.rows());
        }
        Ok(())
    }

    /// Every row is judged by MPFR.
    fn judged(&mut self, first: u64) -> Tally {
        self.oracle.expect(&self.operands, &mut self.truth);
        self.tally(first, &self.truth)
    }

    /// Every row is judged by what series enclose; in a sample of the blocks MPFR judges, too.
    fn by_series(&mut self, block: Block) -> Result<Tally> {
        if self.series.is_none() {
            let oracle = Oracle::by_series(&self.variant);
            self.series = oracle.map(|oracle| (oracle, Oracle::truth(&self.variant)));
        }
        // Taken while in use, so that the rest of the bench is free.
        let Some((mut oracle, mut truth)) = self.series.take() else {
            return Ok(self.judged(block.first));
        };
        oracle.expect(&self.operands, &mut truth);
        let tally = self.compared(block, &truth);
        self.series = Some((oracle, truth));
        tally
    }

    /// Judges by the `truth` that series give, and in a sample of the blocks by MPFR's.
    fn compared(&mut self, block: Block, truth: &Truth) -> Result<Tally> {
        if !is_sample(block.number, SERIES_SAMPLE) {
            return Ok(Tally { confirmed: 0, ..self.tally(block.first, truth) });
        }
        self.oracle.expect(&self.operands, &mut self.truth);
        if let Some(row) = truth.departs_from(&self.truth) {
            let input = self.operands[0].get(row);
            bail!(
                "series and MPFR disagree about {} of {input:#010x}, which is a bug of the suite, not \
                 of the implementation: run with --judge mpfr, and tell the suite's makers",
                self.variant
            );
        }
        Ok(self.tally(block.first, &self.truth))
    }

    /// Judges the results by what is known of them.
    fn tally(&self, first: u64, truth: &Truth) -> Tally {
        let mut tally = Tally {
            inputs: digest(first, &self.operands),
            results: digest(first, &self.results),
            expected: digest(first, &truth.results),
            ..Tally::default()
        };
        let trial = Trial { first, offsets: None, operands: &self.operands, results: &self.results };
        self.judge.judge(truth, trial, &mut tally);
        tally
    }

    /// Rows are compared with the emulator's, and MPFR judges those that differ.
    fn screened(&mut self, first: u64) -> Tally {
        if self.screen.is_none() {
            self.screen = Screen::new(&self.variant);
        }
        let Some(screen) = &mut self.screen else { return self.judged(first) };
        let rows = self.operands[0].rows();
        screen.results.iter_mut().for_each(|column| column.resize(rows));
        screen.kernel.run(&self.operands, &mut screen.results);
        let results = digest(first, &self.results);
        let mut tally = Tally {
            vectors: rows as u64,
            inputs: digest(first, &self.operands),
            results,
            expected: results,
            ..Tally::default()
        };
        if self.results != screen.results {
            tally.expected = digest(first, &screen.results);
            screen.gather(&self.operands, &self.results);
            let (operands, results, offsets) = &screen.differing;
            self.oracle.expect(operands, &mut self.truth);
            let trial = Trial { first, offsets: Some(offsets), operands, results };
            self.judge.judge(&self.truth, trial, &mut tally);
            tally.vectors = rows as u64;
        }
        tally
    }
}

/// Columns for the results of a variant, still without rows.
fn result_columns(variant: &Variant) -> Vec<Column> {
    variant.results().iter().map(|result| Column::new(result.ty.row_bytes(), 0)).collect()
}

impl Screen {
    /// For a variant; `None` if the emulator has no kernel of it.
    fn new(variant: &Variant) -> Option<Screen> {
        let operands = vectors::sweep::columns_for(variant, 0);
        Some(Screen {
            kernel: Kernel::of(variant, Machine::Lanes)?,
            results: result_columns(variant),
            differing: (operands, result_columns(variant), Vec::new()),
        })
    }

    /// Collects the rows in which `results` differ from the emulator's.
    fn gather(&mut self, operands: &[Column], results: &[Column]) {
        let rows = 0..results[0].rows();
        let differs =
            |&row: &usize| results.iter().zip(&self.results).any(|(a, b)| a.get(row) != b.get(row));
        let differing: Vec<usize> = rows.filter(differs).collect();
        let collect = |from: &[Column], into: &mut [Column]| {
            for (from, into) in from.iter().zip(into) {
                into.resize(differing.len());
                differing.iter().enumerate().for_each(|(at, &row)| into.set(at, from.get(row)));
            }
        };
        collect(operands, &mut self.differing.0);
        collect(results, &mut self.differing.1);
        self.differing.2 = differing.iter().map(|&row| row as u64).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implementation::Emulator;
    use crate::judge::Kind;
    use crate::run::{BLOCK, Plan, Request, Tier};

    fn plan(judging: Judging) -> Plan {
        let only = vec!["*.approx*.f32".into()];
        let request = Request { judging, ..Request::of(Tier::Nightly, only) };
        Plan::new(request, &Emulator::lanes()).unwrap()
    }

    fn block(number: u64) -> Block {
        Block { task: 0, number, first: number * BLOCK, rows: BLOCK as usize }
    }

    /// The emulator with another answer for one row.
    struct Wrong(Emulator, usize, u64);

    impl Worker for Wrong {
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
            spaces.map(|task| task.series).collect::<Vec<_>>()
        };
        assert_eq!(exhaustive(Judging::Screened), [true; 15]);
        assert_eq!(exhaustive(Judging::Mpfr), [false; 15]);
    }

    /// Of the numbers just inside and just outside the bound, series refuse the latter.
    #[test]
    fn a_result_outside_its_bound_is_a_mismatch_among_all_that_series_judge() {
        // Around 1, and where no sample is taken.
        let block = block(0x3f7f);
        assert!(!is_sample(block.number, SERIES_SAMPLE));
        for task in plan(Judging::Screened).tasks.iter().filter(|task| task.series) {
            let row = 0x1234;
            let mut bench = Bench::new(task.variant, Judging::Screened);
            let right = bench.run_block(task, block, 0, &mut Emulator::lanes()).unwrap();
            assert_eq!((right.mismatches, right.confirmed, right.vectors), (0, 0, BLOCK));
            let (mut oracle, mut truth) = (Oracle::new(task.variant), Oracle::truth(task.variant));
            oracle.expect(&bench.operands, &mut truth);
            assert_eq!(right.expected, digest(block.first, &truth.results), "{}", task.variant);
            let interval = truth.intervals[row];
            // Far from the zeros, which have two places.
            assert!(interval.low > 1 || interval.high < -2, "{}: {interval:?}", task.variant);
            let bits = |place: i64| if place < 0 { 0x8000_0000 | !place as u64 } else { place as u64 };
            for (place, wrong) in
                [(interval.low, 0), (interval.high, 0), (interval.low - 1, 1), (interval.high + 1, 1)]
            {
                let mut worker = Wrong(Emulator::lanes(), row, bits(place));
                let tally = bench.run_block(task, block, 0, &mut worker).unwrap();
                assert_eq!(tally.mismatches, wrong, "{} {place:#x}", task.variant);
                assert_eq!(tally.classes.contains_key(&Kind::OutOfBound), wrong == 1);
                let examples = tally.classes.values().flat_map(|class| &class.examples);
                assert!(examples.into_iter().all(|example| example.index == block.first + row as u64));
            }
        }
    }

    /// What `--judge mpfr` says of a block, series say: the tallies differ in who confirmed, and in
    /// the last bits of the worst error.
    #[test]
    fn series_count_what_mpfr_counts() {
        for task in plan(Judging::Screened).tasks.iter().filter(|task| task.series) {
            for number in [0x3f80, 0x0001, 0x3300, 0xbe12, 0x42c8, 0x4700] {
                let mut bench = Bench::new(task.variant, Judging::Screened);
                let mut worker = Emulator::lanes();
                let tally = bench.run_block(task, block(number), 0, &mut worker).unwrap();
                let alone = Task { series: false, ..task.clone() };
                let wanted = bench.run_block(&alone, block(number), 0, &mut worker).unwrap();
                let counts = |tally: &Tally| {
                    let histograms = tally.errors.values().map(|errors| errors.histogram);
                    let sums = (tally.vectors, tally.mismatches, tally.results, tally.expected);
                    (histograms.collect::<Vec<_>>(), tally.answers.clone(), sums)
                };
                assert_eq!(counts(&tally), counts(&wanted), "{} {number:#x}", task.variant);
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
        let screened: Vec<u64> = (0..blocks).filter(|&number| is_sample(number, SAMPLE)).collect();
        assert_eq!(screened.len() as u64, blocks / SAMPLE);
        let shards: std::collections::BTreeSet<u64> =
            screened.iter().map(|number| number % 16).collect();
        assert_eq!(shards.len(), 16, "every shard of 16 has some");

        let plan = plan(Judging::Screened);
        let task = plan.tasks.iter().find(|task| task.series).unwrap();
        let block = block(samples[16]);
        let mut bench = Bench::new(task.variant, Judging::Screened);
        let mut worker = Emulator::lanes();
        let tally = bench.run_block(task, block, 0, &mut worker).unwrap();
        assert_eq!((tally.mismatches, tally.confirmed), (0, BLOCK));
        let mut truth = bench.truth.clone();
        truth.intervals[77].high += 1;
        let error = bench.compared(block, &truth).unwrap_err().to_string();
        assert!(error.contains("a bug of the suite"), "{error}");
    }
}
