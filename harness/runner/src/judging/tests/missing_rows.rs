//! Tests of rows that have no result, for every reason that there is.

use formats::RowBits;
use implementations::unwritten::PATTERNS;
use implementations::{FailureKind, RowFailure};

use super::*;

const FIRST: u64 = 100;
const ROWS: usize = 8;

/// The emulator without results for some rows, where something else is written.
#[derive(Default)]
struct Lacking {
    faults: Vec<RowFailure>,
    unanswered: Vec<usize>,
    written: u64,
    /// The row whose result is wrong, if there is one.
    wrong: Option<usize>,
    /// Number of results beyond those that were asked for.
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
        // Row 2 failed first, and was said to have no result later.
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
    // Whatever stands there is no result.
    assert_eq!(judged(lacking(0x7777)).unwrap(), tally);
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

/// A block with a row without a result is judged without that row, whoever judges the others.
#[test]
fn a_block_with_a_row_without_a_result_is_judged_without_it() {
    let request = RunRequest::of(Tier::Nightly, vec!["cvt.rn.f16.f32".into(), "ex2.approx.f32".into()]);
    let plan = Plan::new(request, &Emulator::lanes()).unwrap();
    for judge in [JudgedBy::Emulator, JudgedBy::Series] {
        let task = plan.tasks.iter().find(|task| task.judged_by == judge).unwrap();
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

/// An implementation that ends in the midst of a run.
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
        format!("the implementation broke on {}: it is gone", task.subject())
    );
}

#[test]
fn as_many_results_are_taken_as_there_are_vectors() {
    let error = judged(Lacking { more: 1, ..Lacking::default() }).unwrap_err().to_string();
    assert_eq!(error, "it gave 9 results for 8 vectors");
}
