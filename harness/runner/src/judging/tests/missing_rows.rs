//! Tests of batches in which an implementation gives no result for some rows: because it failed, because it says that
//! it has none, or because it broke as a whole.

use formats::RowBits;
use implementations::unwritten::PATTERNS;
use implementations::{FailureKind, RowFailure};

use super::*;

/// The number of the first vector of a batch: another than 0, so that the numbers of rows and of vectors differ.
const FIRST: u64 = 100;
/// The number of vectors of a batch.
const ROWS: usize = 8;

/// An implementation that computes as the emulator does, and then denies having results for some rows, whose columns it
/// overwrites.
#[derive(Default)]
struct Lacking {
    /// The rows that the implementation says it failed on, in order.
    faults: Vec<RowFailure>,
    /// The rows of which the implementation says that it has no result, and that this is no fault.
    unanswered: Vec<usize>,
    /// The bits in the column of results at all rows without a result.
    written: u64,
    /// The row whose result is wrong, if there is one.
    wrong: Option<usize>,
    /// The number of results beyond those that were asked for.
    more: usize,
}

impl Worker for Lacking {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        Emulator::lanes().run(variant, operands, results)?;
        let failed = self.faults.iter().map(|fault| fault.row);
        failed.chain(self.unanswered.iter().copied()).for_each(|row| results[0].set(row, self.written));
        self.wrong.iter().for_each(|&row| results[0].set(row, 0x1234));
        let rows = results[0].rows();
        results[0].resize(rows + self.more);
        Ok(())
    }

    fn faults(&mut self) -> Vec<RowFailure> {
        self.faults.clone()
    }

    fn unanswered(&mut self) -> Vec<usize> {
        self.unanswered.clone()
    }
}

/// Judges what an implementation gives for the negations of the numbers with the bits 0 to 7, in f16.
fn judged(mut worker: Lacking) -> Result<Tally> {
    let mut judge = BlockJudge::new(Subject::named("neg.f16").unwrap(), Judging::Screened);
    let rows: Vec<Vec<RowBits>> = (0..ROWS as u64).map(|row| vec![RowBits::from(row)]).collect();
    judge.run_rows(&rows, FIRST, &mut worker)
}

#[test]
fn what_was_tried_last_can_be_looked_at() {
    let mut judge = BlockJudge::new(Subject::named("neg.f16").unwrap(), Judging::Screened);
    judge.run_rows(&[vec![0x3c00.into()], vec![0x8001.into()]], FIRST, &mut Emulator::lanes()).unwrap();
    let bits = |columns: &[Column]| [0, 1].map(|row| columns[0].get(row));
    assert_eq!(bits(judge.operands()), [0x3c00, 0x8001]);
    assert_eq!(bits(judge.results()), [0xbc00, 0x0001]);
}

#[test]
fn rows_without_results_are_counted_as_what_became_of_them() {
    let kinds = [
        (FailureKind::Crashed, MismatchKind::Crashed),
        (FailureKind::Timeout, MismatchKind::Timeout),
        (FailureKind::Nonsense, MismatchKind::Nonsense),
        (FailureKind::Failed, MismatchKind::Failed),
        (FailureKind::Unwritten, MismatchKind::Unwritten),
    ];
    let lacking = |written: u64| {
        let fault = |(row, (kind, _))| RowFailure { row, kind, words: format!("row {row}") };
        let faults = kinds.into_iter().enumerate().map(fault).collect();
        // Row 2 is in both lists: it counts as a failure and not as unanswered.
        Lacking { faults, unanswered: vec![2, 6], written, ..Lacking::default() }
    };
    let whole = judged(Lacking::default()).unwrap();
    assert_eq!((whole.vectors, whole.mismatches, whole.unanswered), (8, 0, 0));
    let tally = judged(lacking(0)).unwrap();
    assert_eq!((tally.vectors, tally.mismatches, tally.unanswered), (7, 5, 1));
    for (row, (_, kind)) in kinds.into_iter().enumerate() {
        let [example] = &tally.classes[&kind].examples[..] else { panic!("{:?}", tally.classes) };
        assert_eq!(
            (example.index, example.words.as_deref()),
            (FIRST + row as u64, Some(&*format!("row {row}")))
        );
        assert_eq!(example.operands, [RowBits::from(row as u64)]);
        assert_eq!(example.expected, [RowBits::from(row as u64 ^ 0x8000)]);
        assert!(example.actual.is_empty());
    }
    assert_eq!((tally.inputs, tally.expected), (whole.inputs, whole.expected));
    // What was written at a row without a result changes nothing, not even the digest of the results.
    assert_eq!(judged(lacking(0x7777)).unwrap(), tally);
    // The digest takes a pattern for the result of such a row. Rows 0 to 4 failed, 6 is unanswered.
    let mut results = results_for(&"neg.f16".parse().unwrap(), ROWS);
    for row in 0..ROWS {
        let missing = u64::from(u16::from_ne_bytes([PATTERNS[0]; 2]));
        results[0].set(row, if matches!(row, 5 | 7) { row as u64 ^ 0x8000 } else { missing });
    }
    assert_eq!(tally.results, digest(FIRST, &results));
}

#[test]
fn rows_with_results_are_judged_beside_those_without() {
    let lacking = Lacking { unanswered: vec![0, 3], wrong: Some(5), ..Lacking::default() };
    let tally = judged(lacking).unwrap();
    assert_eq!((tally.vectors, tally.mismatches, tally.unanswered), (6, 1, 2));
    let examples: Vec<u64> =
        tally.classes.values().flat_map(|class| &class.examples).map(|example| example.index).collect();
    assert_eq!(examples, [FIRST + 5]);
}

/// A block with a row without a result is judged without that row, whether the emulator, series or MPFR were to judge
/// the block.
#[test]
fn a_block_with_a_row_without_a_result_is_judged_without_it() {
    // A run has the emulator judge the first of these variants, and series the second.
    let request = RunRequest::of(Tier::Nightly, vec!["cvt.rn.f16.f32".into(), "ex2.approx.f32".into()]);
    let plan = Plan::new(request, &Emulator::lanes()).unwrap();
    for judge in [JudgedBy::Emulator, JudgedBy::Series] {
        let task = plan.tasks.iter().find(|task| task.judged_by == judge).unwrap();
        // No sample is taken of block 1, so it is not MPFR's anyway.
        let block = block(1);
        for task in [task.clone(), Task { judged_by: JudgedBy::Mpfr, ..task.clone() }] {
            let mut worker = Lacking { unanswered: vec![3], written: 0x1234, ..Lacking::default() };
            let mut judge = BlockJudge::new(task.subject(), Judging::Screened);
            let tally = judge.run_block(&task, block, 0, &mut worker).unwrap();
            let counted = (tally.vectors, tally.mismatches, tally.unanswered);
            assert_eq!(counted, (block.rows as u64 - 1, 0, 1), "{:?}", task.judged_by);
        }
    }
}

/// An implementation that is broken as a whole: it computes no batch.
struct Broken;

impl Worker for Broken {
    fn run(&mut self, _: &Variant, _: &[Column], _: &mut [Column]) -> Result<()> {
        bail!("it is gone")
    }
}

#[test]
fn what_an_implementation_broke_on_is_named() {
    let plan = plan(Judging::Screened);
    let task = &plan.tasks[0];
    let error = BlockJudge::new(task.subject(), Judging::Screened)
        .run_block(task, block(1), 0, &mut Broken)
        .unwrap_err();
    assert_eq!(
        format!("{error:#}"),
        format!("the implementation failed on {}: it is gone", task.subject())
    );
}

#[test]
fn more_results_than_vectors_are_refused() {
    let error = judged(Lacking { more: 1, ..Lacking::default() }).unwrap_err().to_string();
    assert_eq!(error, "it gave 9 results for 8 vectors");
}
