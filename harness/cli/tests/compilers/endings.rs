//! Tests of how commands that ask compilers end.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub fn command(arguments: &[&str]) -> Command {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
    command.args(arguments).current_dir(suite);
    command
}

/// Runs a command; returns its exit code, the last line on standard error, and all of standard output, such as a
/// report.
fn ending(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = command(arguments).output().unwrap();
    let last = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().last().unwrap_or("").to_owned();
    (output.status.code(), last(&output.stderr), String::from_utf8(output.stdout).unwrap())
}

const FEW: [&str; 8] = [
    "--only",
    "operator/???.f32",
    "--only",
    "operator/reciprocal.f32",
    "--option",
    "default",
    "--vectors",
    "64",
];

/// Commands that cannot be carried out end with one line that says what to do.
#[test]
fn what_cannot_be_asked_ends_with_a_line() {
    for (compiler, words) in [
        ("nvcc", "unknown compiler `nvcc`; --compiler takes nvrtc, nvvm, llvm"),
        ("nvrtc@11.0.1", "nvrtc is not available in version `11.0.1`: choose one of 13.5.37"),
        ("exec:true", "it ended (exit status: 0)"),
        ("exec:/no/such/command", "command not found: `/no/such/command`"),
    ] {
        let (code, line, _) = ending(&[&["compilers", "--compiler", compiler][..], &FEW].concat());
        assert!(code == Some(2) && line.contains(words), "{code:?} {line}");
    }
    // This is run in a folder where nothing is set up.
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_conformance"))
        .args(["compilers", "--compiler", "nvrtc"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let line = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && line.contains("`conformance setup nvrtc`"), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
}

/// Runs a command that compiles with the fake compiler, and returns its exit code and its report. The command is
/// interrupted once that compiler has answered `after` times, unless it ends by itself.
fn interrupted(
    arguments: &[&str],
    faults: &str,
    after: Option<u32>,
) -> (Option<i32>, serde_json::Value) {
    let folder = tempfile::tempdir().unwrap();
    let [file, told] = ["report.json", "told"].map(|name| folder.path().join(name));
    let after = after.map(|after| format!("told={after}={}", told.display()));
    let compiler = format!(
        "exec:python3 harness/cli/tests/compilers/tiny.py {faults} {}",
        after.unwrap_or_default()
    );
    let mut run = command(arguments);
    run.args(["--jobs", "1", "--compiler", &compiler, "--report"]).arg(&file);
    let mut run = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    let code = loop {
        if let Some(status) = run.try_wait().unwrap() {
            break status.code();
        }
        if told.exists() {
            let signalled = Command::new("kill").arg("-INT").arg(run.id().to_string()).status();
            assert!(signalled.unwrap().success());
            // The compiler goes on once the file is gone.
            std::thread::sleep(Duration::from_millis(200));
            std::fs::remove_file(&told).unwrap();
        }
        if begun.elapsed() > Duration::from_secs(100) {
            run.kill().unwrap();
            panic!("it does not end: {arguments:?} {compiler}");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let report = std::fs::read(&file).unwrap_or_default();
    (code, serde_json::from_slice(&report).unwrap_or_default())
}

/// Returns the classes of a report that fail.
fn failing(report: &serde_json::Value) -> Vec<&str> {
    let findings = report["findings"].as_array().map(Vec::as_slice).unwrap_or_default();
    let fail = findings.iter().filter(|finding| finding["status"] == "fail");
    fail.map(|finding| finding["class"].as_str().unwrap()).collect()
}

/// Programs keep what was found where the search is interrupted or its compiler ends: while a program is made
/// simpler, looked into, and compiled once more for the report.
#[test]
fn programs_that_are_interrupted_or_whose_compiler_ends_keep_what_was_found() {
    // One of the program's eight operations is an addition.
    let programs = ["fuzz", "programs", "--first", "458", "--count", "1"];
    let programs = [&programs[..], &["--target", "sm_90", "--option", "default"]].concat();
    let one = |report: &serde_json::Value| {
        assert_eq!((&report["complete"], failing(report).len()), (&false.into(), 1), "{report}");
        let sequence = &report["findings"][0]["sequences"][0];
        assert!(sequence["ptx"].is_null(), "{report}");
        let source = sequence["source"].as_str().unwrap();
        assert!(source.contains("fadd"), "{source}");
        source.matches(" = ").count()
    };
    for (after, operations) in [(0, 8), (2, 1), (5, 1), (11, 1)] {
        let (code, report) = interrupted(&programs, "flushed", Some(after));
        assert_eq!((code, one(&report)), (Some(1), operations), "{after}: {report}");
    }
    for (faults, operations) in
        [("flushed ends=1", 8), ("flushed ends=6", 1), ("flushed ends=11", 1), ("flushed ends=12", 1)]
    {
        let (code, report) = interrupted(&programs, faults, None);
        assert_eq!((code, one(&report)), (Some(2), operations), "{faults}: {report}");
    }
}

/// Rows keep what was found where they are interrupted or their compiler ends: while cells are compiled, or the
/// sources of what fails once more.
#[test]
fn rows_that_are_interrupted_or_whose_compiler_ends_keep_what_was_found() {
    let rows = [&["compilers", "--target", "sm_90"][..], &FEW].concat();
    let (code, report) = interrupted(&rows, "flushed", Some(0));
    assert_eq!((code, &report["complete"], failing(&report).len()), (Some(2), &false.into(), 0));
    let cells = |what: &str| report["totals"][what].as_u64().unwrap();
    assert_eq!((cells("cells"), cells("right"), cells("wrong")), (5, 0, 0));
    for (faults, code, text) in [("flushed", 1, true), ("flushed ends=1", 2, false)] {
        let (ended, report) = interrupted(&rows, faults, None);
        assert_eq!((ended, failing(&report).len()), (Some(code), 1), "{report}");
        assert_eq!(report["findings"][0]["sequences"][0]["ptx"].is_string(), text, "{report}");
    }
}

/// A source that a compiler refuses is no failure, and where everything is refused, nothing was shown.
#[test]
fn what_a_compiler_refuses_is_never_red() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.json");
    let asked = |faults: &str, more: &[&str]| {
        let compiler = format!("exec:python3 harness/cli/tests/compilers/tiny.py {faults}");
        let report = ["compilers", "--report", file.to_str().unwrap(), "--compiler", &compiler];
        let (code, line, text) = ending(&[&report[..], &FEW, more].concat());
        // Lines are wrapped to a width.
        (code, (line + &text).replace("\n  ", " "))
    };
    let (code, text) = asked("refuses", &["--target", "sm_90"]);
    assert!(code == Some(0) && text.contains("2 refused"), "{code:?} {text}");
    // The report of a compiler that is a command has a number for a name.
    let compiler = "exec:python3 harness/cli/tests/compilers/tiny.py refuses";
    let out = ["compilers", "--out", folder.path().to_str().unwrap(), "--compiler", compiler];
    assert_eq!(ending(&[&out[..], &FEW, &["--target", "sm_90"]].concat()).0, Some(0));
    assert!(folder.path().join("exec-1.json").is_file());
    let (code, text) = asked("babbles", &["--target", "sm_90"]);
    assert!(code == Some(2) && text.contains("none of 5 cells was executed: 5 refused"), "{text}");
    assert!(text.contains("its answer is not PTX: what is no PTX"), "{text}");
    let (code, text) = asked("flushed", &["--target", "sm_90"]);
    assert!(code == Some(1) && text.contains("replay: conformance replay"), "{code:?} {text}");
    // The report has the compiler's command, but a file may not have it run.
    let path = file.to_str().unwrap();
    let (code, line, _) = ending(&["replay", path]);
    assert!(code == Some(2) && line.contains("name the one to test with --compiler"), "{line}");
    // A file may not choose an installed compiler either, and hand it a source.
    let mut report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    report["compiler"]["name"] = "llvm".into();
    report.as_object_mut().unwrap().remove("checksum");
    let other = file.with_file_name("other.json");
    std::fs::write(&other, report.to_string()).unwrap();
    let (code, line, _) = ending(&["replay", other.to_str().unwrap()]);
    assert!(code == Some(2) && line.contains("name the one to test with --compiler"), "{line}");
    let right = "exec:python3 harness/cli/tests/compilers/tiny.py";
    let (code, _, text) = ending(&["replay", path, "--compiler", right]);
    assert!(code == Some(0) && text.contains("0 of 1 fail"), "{text}");
    let (code, line, _) = ending(&["replay", path, "--compiler", right, "--class", "computed/x"]);
    assert!(code == Some(2) && line.contains("no class `computed/x`"), "{line}");
    let (code, line, _) = ending(&["replay", path, "--compiler", right, "--impl", "host"]);
    assert!(code == Some(2) && line.contains("`host` does not name a GPU"), "{line}");
    let (code, _, text) = ending(&["report", "show", path]);
    assert!(code == Some(0) && text.contains("computed/operator/add.f32"), "{text}");
    let (code, _, text) = ending(&["report", "html", path]);
    assert!(code == Some(0) && text.contains("<strong>computed/operator/add.f32</strong>"), "{text}");
    let (code, _, text) = ending(&["report", "diff", path, path]);
    assert!(code == Some(0) && text.contains("0 classes differ"), "{text}");
    let published = "reports/published/half.json";
    let (code, line, _) = ending(&["report", "diff", path, published]);
    assert!(code == Some(2) && line.contains("is the report of an implementation"), "{line}");
    let (code, line, _) = ending(&["replay", published, "--compiler", "llvm"]);
    assert!(code == Some(2) && line.contains("is the report of an implementation"), "{line}");
}
