//! Tests of runs that are killed, interrupted, or cannot write: nothing that was found is lost.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{conformance, findings, output, report};
use crate::common::{assert_refused, sealed_state};

/// The arguments of a run that takes some seconds on one thread, as its state is saved every second, and has
/// mismatches.
#[rustfmt::skip]
const KILLED: &[&str] = &[
    "conformance", "--impl", "canary", "--only", "fma.rn.*f16", "--only", "fma.rn.ftz*f16x2",
    // These variants have errors in units of the last place.
    "--only", "tanh.approx.f32", "--only", "rsqrt.approx.f32",
];

/// Starts the run, kills it once its state has blocks in it, and returns the state.
fn killed_run(out: &Path) -> Vec<u8> {
    let mut run = conformance(KILLED, out)
        .arg("--jobs=1")
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let path = out.join("state.json");
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        assert!(Instant::now() < deadline, "the run never saved its state");
        assert!(run.try_wait().unwrap().is_none(), "the run ended before it could be killed");
        let before = |state: &Value| state["progress"]["before"].as_u64().unwrap();
        let state = std::fs::read(&path).unwrap_or_default();
        if serde_json::from_slice(&state).is_ok_and(|state| before(&state) > 0) {
            run.kill().unwrap();
            run.wait().unwrap();
            return std::fs::read(&path).unwrap();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn state_of_another_run_or_a_damaged_one_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path();
    let state = killed_run(out);
    let other = ["conformance", "--impl", "canary", "--only", "fma.rn.f16", "--resume"];
    assert_refused(&output(&other, out), &["another run", "--only"]);
    assert_refused(&output(&["conformance", "--resume"], out), &["another run", "--impl is `canary"]);
    let arguments = [KILLED, &["--resume", "--seed", "5"]].concat();
    assert_refused(&output(&arguments, out), &["another run", "--seed", "0x5"]);
    let text = String::from_utf8(state.clone()).unwrap();
    let other_program = text.replacen("\"program\":\"0x", "\"program\":\"0x0", 1);
    std::fs::write(out.join("state.json"), sealed_state(&other_program)).unwrap();
    assert_refused(&output(&[KILLED, &["--resume"]].concat(), out), &["another run", "program"]);
    std::fs::write(out.join("state.json"), &state[..state.len() / 2]).unwrap();
    assert_refused(&output(&[KILLED, &["--resume"]].concat(), out), &["damaged", "without --resume"]);
    let digit = text.replacen("\"seed\":0", "\"seed\":1", 1);
    assert_ne!(digit, text);
    std::fs::write(out.join("state.json"), digit).unwrap();
    assert_refused(
        &output(&[KILLED, &["--resume"]].concat(), out),
        &["damaged", "changed after it was written"],
    );
}

#[test]
fn a_killed_run_resumes_to_the_report_of_one_that_was_not() {
    let whole = tempfile::tempdir().unwrap();
    let broken = tempfile::tempdir().unwrap();
    assert_eq!(output(KILLED, whole.path()).status.code(), Some(1));
    killed_run(broken.path());
    assert!(!broken.path().join("report.json").exists());
    let resumed = output(&[KILLED, &["--resume"]].concat(), broken.path());
    assert_eq!(resumed.status.code(), Some(1));
    let report_of_resumed = report(broken.path());
    assert_eq!(report_of_resumed["times"]["resumed"], 1);
    assert_eq!(findings(report_of_resumed), findings(report(whole.path())));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_ends_with_a_report_that_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let mut run = conformance(KILLED, directory.path());
    let mut run = run.arg("--jobs=1").stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    while !directory.path().join("state.json").exists() {
        assert!(run.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(5));
    }
    // The signal is sent twice, as `timeout` does that: to the process, and to its group.
    for _ in 0..2 {
        let signalled = Command::new("kill").arg("-INT").arg(run.id().to_string()).status().unwrap();
        assert!(signalled.success());
    }
    let code = run.wait().unwrap().code();
    let report = report(directory.path());
    assert_eq!(report["complete"], false);
    assert!(report["reduced"].to_string().contains("Broken off after"), "{}", report["reduced"]);
    assert!(directory.path().join("state.json").exists(), "an interrupted run can go on");
    assert!(matches!(code, Some(1 | 2)), "{code:?}");
}

/// Output that cannot be written is an error that the run tells: `/dev/full` takes no byte. The report is safe.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error_and_the_report_is_safe() {
    let directory = tempfile::tempdir().unwrap();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut run = conformance(&["conformance", "--only", "mul.f16"], directory.path());
    let run = run.stdout(full).output().unwrap();
    assert_refused(&run, &["standard output", "the report is in"]);
    assert_eq!(report(directory.path())["complete"], true);
}

/// A full disk loses nothing that was found. A limit on the size of files, between that of the state and that of
/// the report, acts like a disk that fills up in between: the summary is printed, and with room the run is resumed
/// from its end.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing_that_was_found() {
    let whole = tempfile::tempdir().unwrap();
    let full = tempfile::tempdir().unwrap();
    let arguments = ["conformance", "--impl", "canary", "--only", "mul.rn.f16"];
    assert_eq!(output(&arguments, whole.path()).status.code(), Some(1));
    let limited = Command::new("sh")
        .args(["-c", r#"trap "" XFSZ; ulimit -f 24; exec "$0" "$@""#, env!("CARGO_BIN_EXE_conformance")])
        .args(arguments)
        .arg("--out")
        .arg(full.path())
        .output()
        .unwrap();
    assert_refused(&limited, &["report.json", "free space", "--resume"]);
    let summary = String::from_utf8_lossy(&limited.stdout).into_owned();
    assert!(summary.contains("mul.rn.f16/ulp-above") && summary.contains("disagrees"), "{summary}");
    assert!(!full.path().join("report.json").exists());
    assert_eq!(output(&[&arguments[..], &["--resume"]].concat(), full.path()).status.code(), Some(1));
    assert_eq!(findings(report(full.path())), findings(report(whole.path())));
}
