//! Tests with implementations that answer otherwise the next time, or alone, or not at all.

use anyhow::bail;
use implementations::{Description, FailureKind, RowFailure, Support};
use isa::{Variant, columns_for};
use judge::Tally;
use selection::budget::Tier;
use sweeps::Sweep;

use super::*;
use crate::{JudgedBy, RunRequest, Task};

/// A script of what an implementation gives, by the number of the call and the operands of the batch.
type Script = fn(usize, &[Column]) -> Option<u64>;

/// An implementation that gives one result for all rows of a batch, or none.
struct Scripted(Script);

struct Acting {
    script: Script,
    calls: usize,
    failed: Vec<RowFailure>,
}

impl Implementation for Scripted {
    fn describe(&self) -> Description {
        Description::default()
    }

    fn support(&self, _: &Variant) -> Support {
        Support::Yes
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>> {
        Ok(Box::new(Acting { script: self.0, calls: 0, failed: Vec::new() }))
    }
}

impl Worker for Acting {
    fn run(&mut self, _: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        let rows = operands[0].rows();
        let given = (self.script)(self.calls, operands);
        if given == Some(BROKEN) {
            bail!("it is out of order");
        }
        self.calls += 1;
        let failure = |row| RowFailure { row, kind: FailureKind::Timeout, words: String::new() };
        self.failed = if given.is_none() { (0..rows).map(failure).collect() } else { Vec::new() };
        (0..rows).for_each(|row| results[0].set(row, given.unwrap_or(0)));
        Ok(())
    }

    fn faults(&mut self) -> Vec<RowFailure> {
        std::mem::take(&mut self.failed)
    }
}

const BROKEN: u64 = 0xffff;
/// The result that the run kept; `EXPECTED` is the one that it expected.
const SEEN: u64 = 0x1234;
const EXPECTED: u64 = 0x3c00;

fn variant(text: &str) -> &'static Variant {
    Variant::all().iter().find(|variant| variant.text() == text).expect("legal")
}

fn task(text: &str, sweep: &str) -> Task {
    let asked = VectorSource::Lanes(variant(text), Sweep::named(sweep).expect("known"));
    Task { asked, vectors: 3 * BLOCK / 2, judged_by: JudgedBy::Mpfr, proven: None }
}

fn plan(tasks: Vec<Task>) -> Plan {
    let request = RunRequest { seed: 7, ..RunRequest::of(Tier::Quick, Vec::new()) };
    let (unsupported, failing) = (Vec::new(), Vec::new());
    Plan { request, tasks, unsupported, failing, vectors_min: 0, vectors_max: None, meaning: None }
}

/// Returns a mismatch as the run kept it.
fn kept(task: &Task, index: u64) -> Mismatch {
    let mut operands = task.subject().operands(1);
    task.asked.fill(7, index, &mut operands);
    let operands = column::row_bits(&operands, 0);
    let (expected, actual) = (vec![EXPECTED.into()], vec![SEEN.into()]);
    Mismatch { index, operands, expected, accepted: vec!["any".into()], actual, words: None }
}

/// Rechecks a run of one task with one mismatch, in its second batch.
fn rechecked(script: Script) -> (Tally, Mismatch, Result<()>) {
    let plan = plan(vec![task("mul.f16", "uniform")]);
    let mut progress = Progress::new(1);
    let first = kept(&plan.tasks[0], BLOCK + 5);
    progress.tallies[0].mismatch(MismatchKind::Number, first.index, || first.clone());
    let (departures, ended) = recheck(&plan, &progress, &Scripted(script), 2, &AtomicBool::new(false));
    progress.count_departures(departures);
    (progress.tallies.remove(0), first, ended)
}

/// Returns the kind of class that a second look adds, and the answer that it shows.
fn added(script: Script) -> Option<(MismatchKind, Mismatch)> {
    let (tally, first, ended) = rechecked(script);
    ended.expect("it is in order");
    let kept = &tally.classes[&MismatchKind::Number];
    assert_eq!((kept.count, &kept.examples[..]), (1, &[first][..]), "what was found stays");
    let mut others = tally.classes.into_iter().filter(|(kind, _)| *kind != MismatchKind::Number);
    let added = others.next().map(|(kind, class)| (kind, class.examples[0].clone()));
    assert!(others.next().is_none());
    added
}

#[test]
fn an_answer_that_stays_adds_nothing() {
    assert_eq!(added(|_, _| Some(SEEN)), None);
}

/// An answer that changes in the batch, alone, or alone once more is shown beside what came first.
#[test]
fn an_answer_that_changes_with_time_is_unstable() {
    let scripts: [Script; 6] = [
        |call, _| Some(if call == 0 { 1 } else { SEEN }),
        |call, _| Some(if call == 1 { 1 } else { SEEN }),
        |call, _| Some(if call == 2 { 1 } else { SEEN }),
        |call, _| Some(if call == 3 { 1 } else { SEEN }),
        |call, _| Some(if call % 2 == 0 { 1 } else { SEEN }),
        |call, _| Some(if call % 2 == 1 { 1 } else { SEEN }),
    ];
    for script in scripts {
        let (kind, example) = added(script).expect("it changed");
        assert_eq!(kind, MismatchKind::Unstable);
        assert_eq!((example.expected, example.actual), (vec![SEEN.into()], vec![1.into()]));
        assert_eq!((example.index, example.accepted.len(), example.words), (BLOCK + 5, 0, None));
    }
}

#[test]
fn an_answer_that_changes_with_the_batch_is_told_from_one_that_changes_with_time() {
    let (kind, example) =
        added(|_, operands| Some(if operands[0].rows() == 1 { 1 } else { SEEN })).expect("it changed");
    assert_eq!((kind, example.actual), (MismatchKind::BatchDependent, vec![1.into()]));
}

/// An implementation whose answers are wrong only after other vectors is found out, for every class: each class is
/// asked of a worker that has answered nothing yet.
#[test]
fn an_answer_that_changes_with_what_came_before_is_unstable() {
    let plan = plan(vec![task("mul.f16", "uniform"), task("add.f16", "uniform")]);
    let mut progress = Progress::new(2);
    for (task, index) in [(0, 7), (1, 9)] {
        let first = kept(&plan.tasks[task], index);
        progress.tallies[task].mismatch(MismatchKind::Number, index, || first);
    }
    let worn = Scripted(|call, _| Some(if call == 0 { EXPECTED } else { SEEN }));
    let (departures, ended) = recheck(&plan, &progress, &worn, 1, &AtomicBool::new(false));
    ended.expect("it is in order");
    let found: Vec<_> = departures.iter().map(|of| (of.task, of.kind)).collect();
    assert_eq!(found, [(0, MismatchKind::Unstable), (1, MismatchKind::Unstable)]);
}

/// A vector that has no result now has another answer than before.
#[test]
fn an_answer_that_does_not_come_again_is_said_in_words() {
    let (kind, example) =
        added(|_, operands| (operands[0].rows() > 1).then_some(SEEN)).expect("it changed");
    assert_eq!((kind, example.actual.len()), (MismatchKind::BatchDependent, 0));
    assert_eq!(example.words.as_deref(), Some("the next time there was no result"));
    let (kind, _) = added(|_, _| None).expect("it changed");
    assert_eq!(kind, MismatchKind::Unstable);
}

/// The vector is asked alone, twice, then in its batch as in the run, from the first vector to the last, and alone
/// once more.
#[test]
fn the_same_vector_is_asked_in_its_batch_and_alone() {
    let of = task("mul.f16", "uniform");
    let place = VectorPlace { asked: of.asked, seed: 7, vectors: of.vectors, index: BLOCK + 5 };
    assert_eq!(place.first(), BLOCK);
    let of_variant = variant("mul.f16");
    let mut batch = columns_for(of_variant, BLOCK as usize / 2);
    Sweep::named("uniform").expect("known").fill(of_variant, 7, BLOCK, &mut batch);
    assert_eq!(place.batch(), batch);
    let whole = VectorPlace { index: 3, ..place };
    assert_eq!((whole.first(), whole.batch()[0].rows()), (0, BLOCK as usize));
    // The worker answers each row by the row's first operand.
    struct Echo(Vec<usize>);
    impl Worker for Echo {
        fn run(&mut self, _: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
            self.0.push(operands[0].rows());
            (0..operands[0].rows()).for_each(|row| results[0].set(row, operands[0].get(row)));
            Ok(())
        }
    }
    let mut echo = Echo(Vec::new());
    let answers = place.answers(&mut echo).unwrap();
    let own = Some(vec![RowBits::from(batch[0].get(5))]);
    let alone = [own.clone(), own.clone(), own.clone()];
    assert_eq!(answers, RepeatedAnswers { alone, batch: own, words: None });
    assert_eq!(echo.0, [1, 1, BLOCK as usize / 2, 1]);
}

/// The first mismatch with a result is tried again, of each class of each variant; what is unstable already is not
/// asked again.
#[test]
fn the_first_mismatch_of_each_class_is_tried() {
    let tasks = vec![task("mul.f16", "zero"), task("mul.f16", "uniform"), task("add.f16", "uniform")];
    let plan = plan(tasks);
    let mut progress = Progress::new(3);
    let mut found = |task: usize, kind, index| {
        let mismatch = kept(&plan.tasks[task], index);
        progress.tallies[task].mismatch(kind, index, || mismatch);
    };
    found(0, MismatchKind::Number, 9);
    found(0, MismatchKind::Number, 8);
    found(1, MismatchKind::Number, 1);
    found(1, MismatchKind::Sign, 4);
    found(1, MismatchKind::Unstable, 2);
    found(2, MismatchKind::Number, 6);
    let crashed = Mismatch { actual: Vec::new(), ..kept(&plan.tasks[2], 3) };
    progress.tallies[2].mismatch(MismatchKind::Crashed, 3, || crashed);
    let mut tried: Vec<(usize, u64)> = first_mismatches(&plan, &progress)
        .into_iter()
        .map(|(task, mismatch)| (task, mismatch.index))
        .collect();
    tried.sort_unstable();
    assert_eq!(tried, [(0, 8), (1, 4), (2, 6)]);
}

#[test]
fn what_breaks_ends_the_second_look_and_says_where() {
    let (tally, first, ended) = rechecked(|_, _| Some(BROKEN));
    let error = format!("{:#}", ended.unwrap_err());
    assert!(error.contains("mul.f16 could not be run again"), "{error}");
    assert_eq!(tally.classes[&MismatchKind::Number].examples, [first]);
}

/// Nothing is tried again after a stop, since whoever interrupts does not wait for it.
#[test]
fn nothing_is_tried_again_after_a_stop() {
    let plan = plan(vec![task("mul.f16", "uniform")]);
    let mut progress = Progress::new(1);
    let first = kept(&plan.tasks[0], 5);
    progress.tallies[0].mismatch(MismatchKind::Number, first.index, || first);
    let before = progress.clone();
    let never = Scripted(|_, _| Some(BROKEN));
    let (departures, ended) = recheck(&plan, &progress, &never, 1, &AtomicBool::new(true));
    assert!(departures.is_empty() && ended.is_ok());
    assert_eq!(progress, before);
}
