//! The binary as a user has it: exit codes, one-line errors, and that nothing found is lost.

mod common;

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use common::{assert_refused, sealed_state};

fn conformance(arguments: &[&str], out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
    command.args(arguments).arg("--out").arg(out);
    command
}

fn output(arguments: &[&str], out: &Path) -> Output {
    conformance(arguments, out).output().unwrap()
}

/// A command that has no directory of its own.
fn plain(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_conformance")).args(arguments).output().unwrap()
}

fn report(out: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(out.join("report.json")).unwrap()).unwrap()
}

/// What a run found, without when it ran and how long it took, which the checksum is of, too.
fn findings(mut report: Value) -> Value {
    for time in ["times", "checksum"] {
        report.as_object_mut().unwrap().remove(time).unwrap();
    }
    report["environment"].as_object_mut().unwrap().remove("threads").unwrap();
    report
}

#[test]
fn reports_fit_the_schema_and_exit_codes_tell_the_verdict() {
    let directory = tempfile::tempdir().unwrap();
    let schema: Value = serde_json::from_str(reports::SCHEMA_JSON).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (implementation, code, status) in [("emulator", 0, "pass"), ("canary", 1, "fail")] {
        let run =
            output(&["conformance", "--impl", implementation, "--only", "mul.rn.f16"], directory.path());
        assert_eq!(run.status.code(), Some(code), "{}", String::from_utf8_lossy(&run.stderr));
        let report = report(directory.path());
        let errors: Vec<String> =
            validator.iter_errors(&report).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(report["variants"][0]["status"], status);
        assert!(!directory.path().join("state.json").exists(), "a finished run leaves no state");
    }
}

/// What the README shows is what is printed.
#[test]
fn the_readmes_example_is_real() {
    let readme = include_str!("../../README.md");
    let block = readme.split("```").nth(1).unwrap();
    let mut shown = block.lines().filter(|line| !line.is_empty() && *line != "…");
    let command = shown.next().unwrap().strip_prefix("$ cargo xtask ").unwrap();
    let directory = tempfile::tempdir().unwrap();
    let run = output(&command.split(' ').collect::<Vec<_>>(), directory.path());
    let printed = String::from_utf8(run.stdout).unwrap();
    let printed = printed.replace(directory.path().to_str().unwrap(), "target/conformance");
    for line in shown {
        assert!(printed.lines().any(|other| other == line), "`{line}` is not in:\n{printed}");
    }
}

/// Equal digests mean equal questions and equal answers, however many threads there were.
#[test]
fn digests_tell_equal_runs_from_others() {
    let directory = tempfile::tempdir().unwrap();
    let digests = |implementation: &str, more: &[&str]| {
        let only = ["conformance", "--only", "mul.rn.f16", "--impl", implementation];
        output(&[&only, more].concat(), directory.path());
        let report = report(directory.path());
        let sweeps = report["variants"][0]["sweeps"].as_array().unwrap().clone();
        let column = |name: &str| sweeps.iter().map(|sweep| sweep[name].clone()).collect::<Vec<Value>>();
        (column("inputs"), column("results"))
    };
    let emulator = digests("emulator", &["--jobs", "1"]);
    assert_eq!(digests("emulator:scalar", &["--jobs", "3"]), emulator);
    let canary = digests("canary", &[]);
    assert_eq!(canary.0, emulator.0);
    assert_ne!(canary.1, emulator.1);
    assert_ne!(digests("emulator", &["--seed", "1"]).0, emulator.0);
}

#[test]
fn wrong_arguments_are_one_line_and_exit_code_2() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path();
    let run = |arguments: &[&str]| output(&[&["conformance"], arguments].concat(), out);
    assert_refused(
        &run(&["--only", "mul.sat.bf16"]),
        &["`mul.bf16` does not take `.sat`", "`mul.bf16`"],
    );
    assert_refused(&run(&["--only", "dot.*"]), &["`dot.*` matches no variant", "cargo xtask list"]);
    assert_refused(&run(&["--only", "add.f32.*", "--target", "sm_90"]), &["sm_90 has none"]);
    assert_refused(&run(&["--target", "sm90"]), &["`sm90` is no target", "sm_90"]);
    assert_refused(&run(&["--target", "sm_999"]), &["no target `sm_999`", "`sm_121`"]);
    assert_refused(&run(&["--target", "sm_55"]), &["no target `sm_55`", "`sm_53`, `sm_60`"]);
    assert_refused(&run(&["--shard", "5/4"]), &["no part 5 of 4"]);
    assert_refused(&run(&["--impl", "vapour"]), &["no implementation `vapour`", "emulator"]);
    assert_refused(&run(&["--tier", "daily"]), &["daily", "quick"]);
    assert_refused(&run(&["--jobs", "0"]), &["--jobs"]);
    assert_refused(&run(&["--seed", "0xfog"]), &["seed"]);
    assert_refused(&run(&["--resume"]), &["nothing to resume", "without --resume"]);
    assert!(!out.join("report.json").exists());
}

#[test]
fn a_directory_that_cannot_be_written_is_refused_before_the_run() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    std::fs::write(&file, "not a directory").unwrap();
    let run = output(&["conformance", "--only", "mul.f16"], &file.join("below"));
    assert_refused(&run, &["below", "--out"]);
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
        &["damaged", "not what was written"],
    );
}

/// A run that takes some seconds on one thread, as its state is saved every second, and has mismatches.
#[rustfmt::skip]
const KILLED: &[&str] = &[
    "conformance", "--impl", "canary", "--only", "fma.rn.*f16", "--only", "fma.rn.ftz*f16x2",
    // Of these there are errors in units of the last place.
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

#[test]
fn shards_add_up_to_the_whole() {
    let vectors = |report: &Value| report["totals"]["vectors"].as_u64().unwrap();
    let mismatches = |report: &Value| report["totals"]["mismatches"].as_u64().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let mut sums = (0, 0);
    let run = |more: &[&str]| {
        let arguments = [&["conformance", "--impl", "canary", "--only", "mul.rn.f16"], more].concat();
        output(&arguments, directory.path());
        report(directory.path())
    };
    for shard in ["1/3", "2/3", "3/3"] {
        let report = run(&["--shard", shard]);
        assert!(report["reduced"].as_array().unwrap().len() >= 2, "{}", report["reduced"]);
        sums = (sums.0 + vectors(&report), sums.1 + mismatches(&report));
    }
    let whole = run(&[]);
    assert_eq!(sums, (vectors(&whole), mismatches(&whole)));
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
    // Twice, as `timeout` does that: to the process, and to its group.
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

/// `/dev/full` takes no byte: what is printed cannot be, and the run says so.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error_and_the_report_is_safe() {
    let directory = tempfile::tempdir().unwrap();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut run = conformance(&["conformance", "--only", "mul.f16"], directory.path());
    let run = run.stdout(full).output().unwrap();
    assert_refused(&run, &["standard output", "the report is safe in"]);
    assert_eq!(report(directory.path())["complete"], true);
}

/// A limit on the size of files, between that of the state and that of the report, acts like a disk
/// that fills up in between: the summary is printed, and with room the run is taken up from its end.
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

#[test]
fn replay_runs_the_mismatches_of_a_class_again() {
    let directory = tempfile::tempdir().unwrap();
    output(&["conformance", "--impl", "canary", "--only", "mul.rn.f16"], directory.path());
    let path = directory.path().join("report.json");
    let replay = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
        command.arg("replay").arg(&path).args(more).output().unwrap()
    };
    let again = replay(&["--class", "mul.rn.f16/ulp-above"]);
    let text = String::from_utf8_lossy(&again.stdout).into_owned();
    assert_eq!(again.status.code(), Some(1), "{text}");
    // The simplest and four others.
    assert!(text.contains("MISMATCH  mul.rn.f16  a=0x") && text.contains("5 of 5"), "{text}");
    assert_eq!(replay(&["--impl", "emulator"]).status.code(), Some(0));
    assert_refused(&replay(&["--class", "mul.rn.f16/nonsense"]), &["no class"]);
}

#[test]
fn list_has_its_filters_and_both_formats() {
    let list = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_conformance")).arg("list").args(arguments).output().unwrap()
    };
    let count = |arguments: &[&str]| {
        let output = list(&[arguments, &["--format", "json"]].concat());
        let rows: Value = serde_json::from_slice(&output.stdout).unwrap();
        rows.as_array().unwrap().len()
    };
    assert_eq!(count(&[]), 5759 + 108); // PTX, and casts
    assert_eq!(count(&["--only", "fma.rn.oob*"]), 8);
    assert_eq!(count(&["--only", "mul.bf16", "--only", "mul.bf16x2"]), 2);
    assert_eq!(count(&["--only", "setp.*"]), 504);
    // As many as NVIDIA's assembler accepts for each.
    #[rustfmt::skip] // a table
    let targets = [
        ("sm_50", 1710), ("sm_53", 3230), ("sm_80", 3314), ("sm_86", 3346), ("sm_89", 3358),
        ("sm_90", 4309), ("sm_100", 4423), ("sm_120", 4423), ("sm_103a", 5430), ("sm_107f", 4821),
        ("sm_120a", 4516),
    ];
    for (target, variants) in targets {
        assert_eq!(count(&["--target", target]), variants, "{target}");
    }
    assert_eq!(count(&["--only", "mul*.f16", "--ptx", "7.7"]), 8);
    assert_eq!(count(&["--only", "add*.f32.bf16", "--target", "sm_100", "--ptx", "8.6"]), 10);
    let text = String::from_utf8(list(&["--only", "add.rm.sat.f32.bf16"]).stdout).unwrap();
    let words: Vec<&str> = text.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(words, ["add.rm.sat.f32.bf16", "9.7.5.1", "8.6", "sm_100", "zero-sign"]);
    assert_refused(&list(&["--only", "mul.bf16", "--ptx", "7.7"]), &["PTX 7.7 has none"]);
    assert_refused(&list(&["--ptx", "seven"]), &["`seven` is no PTX version"]);
    assert_refused(&list(&["--ptx", "5.7"]), &["no PTX 5.7 is known", "`5.1`, `6.0`"]);
    assert_refused(&list(&["--ptx", "1.4"]), &["not look further back than PTX 2.0"]);
    // The manual's version, though NVIDIA's assembler takes it in 5.1; and the oldest is a floor.
    assert_eq!(count(&["--only", "neg.f16", "--ptx", "6.0"]), 1);
    assert_refused(&list(&["--only", "neg.f16", "--ptx", "5.1"]), &["PTX 5.1 has none"]);
    let text = String::from_utf8(list(&["--only", "neg.f*"]).stdout).unwrap();
    let since = |variant: &str| text.lines().find(|line| line.starts_with(variant)).unwrap().to_owned();
    assert!(since("neg.f32").contains("2.0 sm_20 or earlier"), "{text}");
    assert!(since("neg.f16").contains("6.0 sm_53") && !since("neg.f16").contains("earlier"), "{text}");
}

/// With a driver or without one.
#[test]
fn a_gpu_that_is_not_there_is_refused_in_one_line() {
    let directory = tempfile::tempdir().unwrap();
    let run = |name| output(&["conformance", "--impl", name], directory.path());
    assert_refused(&run("cuda:999"), &["no "]);
    assert_refused(&run("cuda:first"), &["`cuda:first` names no GPU", "write cuda:0"]);
    assert!(!directory.path().join("report.json").exists());
}

/// A record is the report, a page and their digests, and is never overwritten.
#[test]
fn a_record_has_a_summary_and_the_digest_of_every_file() {
    use sha2::Digest as _;
    let directory = tempfile::tempdir().unwrap();
    let qualify = ["qualify", "--impl", "canary", "--only", "mul.rn.f16", "--only", "sin.approx.f32"];
    let record = output(&qualify, directory.path());
    assert_eq!(record.status.code(), Some(1), "{}", String::from_utf8_lossy(&record.stderr));
    let read = |file: &str| std::fs::read(directory.path().join(file)).unwrap();
    let sums = String::from_utf8(read("SHA256SUMS")).unwrap();
    let files = ["report.json", "summary.md", "probe.txt"];
    assert_eq!(sums.lines().count(), files.len());
    for (line, file) in sums.lines().zip(files) {
        let digest: Vec<String> =
            sha2::Sha256::digest(read(file)).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(line, format!("{}  {file}", digest.concat()));
    }
    let summary = String::from_utf8(read("summary.md")).unwrap();
    for part in
        ["of canary", "2 variants: 1 pass, 1 fail", "`mul.rn.f16/", "`sin.approx.f32`: ", "any-nan: "]
    {
        assert!(summary.contains(part), "no {part} in {summary}");
    }
    assert_refused(&output(&qualify, directory.path()), &["has a record already", "--out"]);
}

/// What differs between two records is said variant by variant; a record that was changed is none.
#[test]
fn records_are_compared() {
    let record = |implementation: &str| {
        let directory = tempfile::tempdir().unwrap();
        let qualify = ["qualify", "--impl", implementation, "--only", "mul.rn.f16", "--only", "abs.f16"];
        output(&qualify, directory.path());
        directory
    };
    let [right, same, wrong] = ["emulator", "emulator:scalar", "canary"].map(record);
    let compare = |one: &tempfile::TempDir, other: &tempfile::TempDir| {
        let [one, other] = [one, other].map(|directory| directory.path().to_str().unwrap());
        plain(&["qualify", "--compare", one, other])
    };
    let text = |output: &Output| String::from_utf8(output.stdout.clone()).unwrap();
    let equal = compare(&right, &same);
    assert_eq!(equal.status.code(), Some(0), "{}", text(&equal));
    assert!(text(&equal).contains("No difference"));
    let different = compare(&right, &wrong);
    assert_eq!(different.status.code(), Some(1));
    let lines = text(&different);
    let line = lines
        .lines()
        .find(|line| line.starts_with("mul.rn.f16: pass and fail; 0 and "))
        .expect("a line");
    assert!(line.contains(" mismatches; other answers to the same vectors ("), "{line}");
    assert!(!lines.contains("abs.f16"), "{lines}");

    std::fs::write(wrong.path().join("summary.md"), "all is well").unwrap();
    assert_refused(&compare(&right, &wrong), &["summary.md is not what it was"]);
    let nothing = tempfile::tempdir().unwrap();
    assert_refused(&compare(&nothing, &right), &["is no record", "SHA256SUMS"]);
}

/// Each vector has an answer, with the interpretation that it follows.
#[test]
fn what_the_manual_leaves_open_is_asked() {
    let probe = |implementation: &str| plain(&["qualify", "--probe", "--impl", implementation]);
    let text = |output: &Output| String::from_utf8(output.stdout.clone()).unwrap();
    let answers = probe("emulator");
    assert_eq!(answers.status.code(), Some(0));
    for line in [
        "# emulator",
        "mul.rn.ftz.f32 00800400 3f7ff800: 0x0 (ftz-tininess: exact)",
        "cvt.rp.ftz.f16.f32 00000001: 0x0 (ftz-ignored: flushed)",
    ] {
        assert!(text(&answers).contains(line), "no {line} in {}", text(&answers));
    }
    let both = plain(&["qualify", "--probe", "--compare", "a", "b"]);
    assert_eq!(both.status.code(), Some(2));
    assert_eq!(plain(&["qualify"]).status.code(), Some(2), "--out is asked for");
}
