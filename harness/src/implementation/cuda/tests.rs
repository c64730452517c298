//! The implementation with a driver that has no GPU.

use std::sync::atomic::AtomicBool;

use reports::{Report, Status, Verdict};

use super::fake::{Fake, Faults};
use super::*;
use crate::diagnosis::Diagnoses;
use crate::run::{self, Display, Plan, Settings, Tier};

fn hopper(faults: Faults) -> Fake {
    Fake { devices: 2, capability: 90, newest: "8.4", faults }
}

fn open(driver: &Fake, name: &str) -> Result<Cuda> {
    Cuda::open(driver, Request::read(name)?)
}

fn refusal(driver: &Fake, name: &str) -> String {
    let error = open(driver, name).map(|cuda| cuda.name).unwrap_err();
    let text = format!("{error:#}");
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

/// A run on device 0, and its report.
fn run(faults: Faults, only: &[&str]) -> (run::Outcome, Report) {
    let cuda = open(&hopper(faults), "cuda:0").unwrap();
    let only = only.iter().map(|&text| text.into()).collect();
    let request = run::Request::of(Tier::Quick, only);
    let plan = Plan::new(request, &cuda).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let settings = Settings { jobs: 2, directory: directory.path().into(), resume: false };
    let stop = AtomicBool::new(false);
    let outcome = run::run(&plan, &cuda, &settings, &stop, &Display::hidden()).unwrap();
    let started = std::time::SystemTime::UNIX_EPOCH;
    let report = run::report(&plan, &cuda, &settings, &outcome, &Diagnoses::new(), started);
    (outcome, report)
}

fn status(report: &Report, text: &str) -> (Status, String) {
    let variant = report.variants.iter().find(|variant| variant.variant == text).unwrap();
    (variant.status, variant.reason.clone().unwrap_or_default())
}

#[test]
fn names_are_read_or_refused_with_an_example() {
    let read = |name: &str| {
        let request = Request::read(name).unwrap();
        (request.number, request.level, request.constants, request.name())
    };
    assert_eq!(read("cuda"), (0, None, false, "cuda:0".into()));
    assert_eq!(read("cuda:3"), (3, None, false, "cuda:3".into()));
    assert_eq!(read("cuda:1,opt=0"), (1, Some(0), false, "cuda:1,opt=0".into()));
    assert_eq!(read("cuda,constants,opt=4"), (0, Some(4), true, "cuda:0,opt=4,constants".into()));
    for name in [
        "cuda:",
        "cuda:x",
        "cuda:-1",
        "cuda:+1",
        "cuda:0,opt=5",
        "cuda:0,opt",
        "cuda:0,",
        "cuda0",
        "cuda:0,opt=01",
        "cuda:0,opt=1,opt=1",
        "cuda:0,const",
    ] {
        let text = Request::read(name).map(drop).unwrap_err().to_string();
        assert!(text.contains(name) && text.contains("cuda:0,opt=2"), "{text}");
    }
}

#[test]
fn devices_that_are_not_there_are_refused_in_one_line() {
    let none = Fake { devices: 0, ..hopper(Faults::default()) };
    assert!(refusal(&none, "cuda:0").contains("no device"));
    let one = Fake { devices: 1, ..hopper(Faults::default()) };
    assert!(refusal(&one, "cuda:1").contains("the only one is cuda:0"));
    assert!(refusal(&hopper(Faults::default()), "cuda:2").contains("cuda:0 to cuda:1"));
    let closed = refusal(&hopper(Faults { closed: true, ..Faults::default() }), "cuda:0");
    assert!(closed.contains("cuda:0 does not start") && closed.contains("UNAVAILABLE"), "{closed}");
    let lost = refusal(&hopper(Faults { lost_at: Some(0), ..Faults::default() }), "cuda:0");
    assert!(lost.contains("does not start") && lost.contains("ILLEGAL_ADDRESS"), "{lost}");
    let ancient = Fake { newest: "1.4", ..hopper(Faults::default()) };
    assert!(refusal(&ancient, "cuda:0").contains("take another driver"));
}

#[test]
fn a_device_is_described_and_says_what_it_lacks() {
    let cuda = open(&hopper(Faults::default()), "cuda:1,opt=3").unwrap();
    let described = cuda.describe();
    assert_eq!(described.name, "cuda:1,opt=3");
    assert_eq!(described.device.as_deref(), Some("Fake 1, compute capability 9.0"));
    assert_eq!(described.driver.as_deref(), Some("CUDA 12.4, PTX 8.4"));
    let support = |text: &str| cuda.support(&text.parse().unwrap());
    assert_eq!(support("add.rn.f32"), Support::Yes);
    let Support::No(reason) = support("add.f32x2") else { panic!("sm_90 has no f32x2") };
    assert_eq!(reason, "sm_90a does not have it; first to have it: sm_100");
    assert!(matches!(support("cast.rn.e4m3fnuz.f32"), Support::No(_)));
}

#[test]
fn kernels_are_given_the_columns_of_a_batch_and_give_theirs_back() {
    let (outcome, report) = run(Faults::default(), &["setp.eq.and.f16x2", "cvt.rn.f16x2.e4m3x2"]);
    assert!(outcome.complete, "{:?}", outcome.error);
    assert_eq!((report.verdict(), report.totals.passed), (Verdict::Agree, 2));
    assert_eq!(report.implementation.name, "cuda:0");
}

/// Operands that stand in the text are as good as others, and fewer.
#[test]
fn kernels_of_constants_are_a_configuration_of_their_own() {
    let cuda = open(&hopper(Faults::default()), "cuda:0,constants").unwrap();
    let plan = Plan::new(run::Request::of(Tier::Quick, vec!["fma.rn.f32".into()]), &cuda).unwrap();
    assert!(plan.tasks.iter().all(|task| task.vectors <= CONSTANTS_OF_A_SWEEP));
    // The first vectors of a whole space would be a poor choice.
    let unary = Plan::new(run::Request::of(Tier::Quick, vec!["abs.f16".into()]), &cuda).unwrap();
    assert!(unary.tasks.len() > 2 && unary.tasks.iter().all(|task| task.sweep.name != "exhaustive"));
    let variant = "fma.rn.f32".parse().unwrap();
    let rows = CONSTANTS + 3;
    let mut operands = vectors::sweep::columns_for(&variant, rows);
    vectors::sweep::Sweep::named("uniform").unwrap().fill(&variant, 0, 0, &mut operands);
    let computed = || {
        let mut results = [Column::new(4, rows)];
        cuda.worker()?.run(&variant, &operands, &mut results)?;
        anyhow::Ok(results)
    };
    let mut wanted = [Column::new(4, rows)];
    crate::implementation::Emulator::scalar().run(&variant, &operands, &mut wanted).unwrap();
    assert_eq!(computed().unwrap(), wanted);

    let bad = Faults { bad: Some("0f7f800000"), ..Faults::default() };
    let cuda = open(&hopper(bad), "cuda:0,constants").unwrap();
    operands[1].set(rows - 1, 0x7f80_0000);
    let mut results = [Column::new(4, rows)];
    let error = cuda.worker().unwrap().run(&variant, &operands, &mut results).unwrap_err();
    assert!(format!("{error:#}").contains("not this"), "{error:#}");
}

#[test]
fn a_kernel_that_does_not_compile_fails_alone_and_with_the_log() {
    let faults = Faults { bad: Some(".entry mul_rz_f32("), ..Faults::default() };
    let (outcome, report) = run(faults, &["mul.r*.f32"]);
    assert!(outcome.complete);
    let (failed, reason) = status(&report, "mul.rz.f32");
    assert_eq!(failed, Status::Fail);
    assert_eq!(reason, "the driver does not compile it: line 7; error: not this");
    assert_eq!(status(&report, "mul.rn.f32"), (Status::Pass, String::new()));
    assert_eq!((report.totals.failed, report.verdict()), (1, Verdict::Mismatches));
    let summary = reports::summary(&report, &reports::Style { color: false, replay: None });
    assert!(summary.contains("does not compile it: line 7"), "{summary}");
    let schema = serde_json::from_str(reports::SCHEMA_JSON).unwrap();
    let report = serde_json::to_value(&report).unwrap();
    assert!(jsonschema::is_valid(&schema, &report), "{report}");
}

#[test]
fn a_device_that_is_lost_ends_the_run_with_what_was_found() {
    // Its first calls ask for the version: 9.5 to 8.4 are eleven.
    for (faults, vectors) in [
        // Two threads, each of which runs its blocks twice: one block is done by then.
        (Faults { batches: Some(4), ..Faults::default() }, true),
        (Faults { lost_at: Some(11), ..Faults::default() }, false),
    ] {
        let (outcome, report) = run(faults, &["mul.f16", "mul.rn.f16"]);
        let error = format!("{:#}", outcome.error.unwrap());
        for words in ["mul.", "cuda:0 cannot go on", "--resume", "CUDA_ERROR_ILLEGAL_ADDRESS"] {
            assert!(error.contains(words), "no {words} in {error}");
        }
        assert_eq!(report.verdict(), Verdict::Incomplete);
        assert_eq!(report.totals.vectors > 0, vectors);
    }
}

#[test]
fn vectors_are_made_and_judged_on_the_device_where_that_can_be_printed() {
    let cuda = open(&hopper(Faults::default()), "cuda:0").unwrap();
    let mut worker = cuda.worker().unwrap();
    let mut screen = |text: &str, first, rows, results: Option<&mut [Column]>| {
        worker.screen(&text.parse().unwrap(), first, rows, results).unwrap()
    };
    let (first, rows) = (3 << 16, 1 << 16);
    let mut results = [Column::new(2, rows)];
    let without = screen("cvt.rn.f16.f32", first, rows, None).unwrap();
    let with = screen("cvt.rn.f16.f32", first, rows, Some(&mut results)).unwrap();
    assert_eq!(with, without);
    assert_eq!((with.results, with.differing), (vectors::digests::digest(first, &results), 0));
    // Only whole warps are started, and 128 bits are more than is printed.
    assert_eq!(screen("cvt.rn.f16.f32", first, 100, None), None);
    assert_eq!(screen("add.f64", first, rows, None), None);
    // What the driver does not take the host judges.
    let bad = Faults { bad: Some(".entry screen_"), ..Faults::default() };
    let cuda = open(&hopper(bad), "cuda:0").unwrap();
    let variant = "cvt.rn.f16.f32".parse().unwrap();
    assert_eq!(cuda.worker().unwrap().screen(&variant, first, rows, None).unwrap(), None);
}

/// Of a batch that is run twice, rows that change are mismatches of their own kind.
#[test]
fn a_device_that_wavers_is_found_out() {
    let (outcome, report) = run(Faults { flickers: true, ..Faults::default() }, &["abs.f16"]);
    assert!(outcome.complete);
    let variant = report.variants.iter().find(|variant| variant.variant == "abs.f16").unwrap();
    let class = variant.classes.iter().find(|class| class.id == "abs.f16/unstable").unwrap();
    assert_eq!((class.count, class.examples[0].index), (1, 3));
    let [before, now] = [&class.examples[0].expected, &class.examples[0].actual];
    assert_eq!((before[0].bits.as_str(), now[0].bits.as_str()), ("0x0003", "0x0002"));
}

/// Where the tests run there may be a GPU or none.
#[test]
fn a_driver_that_is_not_there_is_asked_for() {
    if let Err(error) = Cuda::named("cuda:0") {
        let text = format!("{error:#}");
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.contains("driver"), "{text}");
    }
}
