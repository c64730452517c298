//! Tests of implementations that lack variants, break, or fail altogether: this is reported, and nothing is lost.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use anyhow::{Result, bail};
use findings::diagnosis::Diagnoses;
use formats::Column;
use implementations::{Description, Emulator, Implementation, Support, Worker};
use isa::Variant;
use reports::{Report, Status, Verdict};
use runner::{Display, Plan, RunOutcome, RunRequest, RunSettings, STATE_FILE};
use selection::budget::Tier;

/// The emulator, but without f16x2, and with a fault once a number of batches is done.
struct FaultyEmulator {
    batches_left: AtomicU64,
    vectors_done: AtomicU64,
    fault: Misbehaviour,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Misbehaviour {
    Breaks,
    Panics,
    AnswersShort,
}

impl Implementation for FaultyEmulator {
    fn describe(&self) -> Description {
        Description { name: "faulty".into(), version: "1".into(), ..Description::default() }
    }

    fn support(&self, variant: &Variant) -> Support {
        match variant.lanes() {
            1 => Support::Yes,
            _ => Support::No("it knows scalars only".into()),
        }
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>> {
        Ok(Box::new(FaultyWorker(self)))
    }
}

struct FaultyWorker<'a>(&'a FaultyEmulator);

impl Worker for FaultyWorker<'_> {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        let less = |left: u64| Some(left.saturating_sub(1));
        let left = self.0.batches_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        let left = left.expect("always some");
        Emulator::scalar().run(variant, operands, results)?;
        match self.0.fault {
            _ if left > 0 => {
                self.0.vectors_done.fetch_add(operands[0].rows() as u64, Ordering::Relaxed);
            }
            Misbehaviour::Breaks => bail!("the device is gone"),
            Misbehaviour::Panics => panic!("a planted panic"),
            Misbehaviour::AnswersShort => results[0].resize(operands[0].rows() - 1),
        }
        Ok(())
    }
}

/// Returns the outcome of a run, its report, how many vectors were done, and whether there is a state file.
fn run(batches: u64, fault: Misbehaviour) -> (RunOutcome, Report, u64, bool) {
    let (batches_left, vectors_done) = (AtomicU64::new(batches), AtomicU64::new(0));
    let implementation = FaultyEmulator { batches_left, vectors_done, fault };
    let only = vec!["mul.f16".into(), "mul.f16x2".into()];
    let request = RunRequest::of(Tier::Quick, only);
    let plan = Plan::new(request, &implementation).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let settings = RunSettings { jobs: 2, directory: directory.path().into(), resume: false };
    let stop = AtomicBool::new(false);
    let outcome = runner::run(&plan, &implementation, &settings, &stop, &Display::hidden()).unwrap();
    let started = std::time::SystemTime::UNIX_EPOCH;
    let report =
        findings::report::build(&plan, &implementation, &settings, &outcome, &Diagnoses::new(), started);
    let done = implementation.vectors_done.into_inner();
    (outcome, report, done, directory.path().join(STATE_FILE).exists())
}

#[test]
fn variants_that_an_implementation_lacks_are_reported_with_the_reason() {
    let (outcome, report, ..) = run(u64::MAX, Misbehaviour::Breaks);
    assert!(outcome.complete && outcome.error.is_none());
    assert_eq!(report.verdict(), Verdict::Agree);
    let find = |text| report.variants.iter().find(|variant| variant.variant == text).unwrap();
    assert_eq!(find("mul.f16").status, Status::Pass);
    assert_eq!(find("mul.f16x2").status, Status::Unsupported);
    assert_eq!(find("mul.f16x2").reason.as_deref(), Some("it knows scalars only"));
    assert_eq!((report.totals.variants, report.totals.unsupported), (2, 1));
}

#[test]
fn an_implementation_that_breaks_ends_the_run_with_what_was_found() {
    for (fault, words) in [
        (Misbehaviour::Breaks, "failed on mul.f16: the device is gone"),
        (Misbehaviour::Panics, "bug"),
        (Misbehaviour::AnswersShort, "failed on mul.f16: it gave "),
    ] {
        let (outcome, report, done, state) = run(5, fault);
        let error = format!("{:#}", outcome.error.expect("the run was broken off"));
        assert!(error.contains(words), "{error}");
        assert!(!outcome.complete && state);
        assert_eq!(report.verdict(), Verdict::Incomplete);
        assert_eq!(report.totals.vectors, outcome.progress.asked());
        assert!(done > 0);
        assert_eq!(report.totals.vectors, done, "the batches before the fault");
        assert!(report.reduced.iter().any(|sentence| sentence.starts_with("Broken off after")));
    }
}
