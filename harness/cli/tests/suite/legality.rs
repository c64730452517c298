//! Tests of `legality` as a user has it, with scripts in the place of assemblers.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::assert_refused;

/// The beginning of every false ptxas: it introduces itself. In what follows, `$module` is the module's path.
const INTRODUCTION: &str = r#"#!/bin/sh
case "$1" in --version) echo "ptxas: an assembler, release 13.5, V13.5.37"; exit 0;; esac
module="$3"
"#;

/// The part of a false ptxas that complains about `.version` 1.5 and about the lines of the module that `$wrong`
/// selects.
const COMPLAINS: &str = r#"
grep -n '^.version 1.5' "$module" | sed 's/:.*//; s/.*/ptxas m, line &; error   : too early/' >&2
grep -nE "$wrong" "$module" | sed 's/:.*//; s/.*/ptxas m, line &; error   : not this/' >&2
echo "ptxas fatal   : that was it" >&2
exit 255
"#;

fn script(directory: &Path, text: &str) -> PathBuf {
    let path = directory.join("ptxas");
    crate::common::program(&path, text);
    path
}

/// Runs `legality` with a false ptxas; `body` is what the ptxas does with a module.
fn run(body: &str, arguments: &[&str]) -> Output {
    let directory = tempfile::tempdir().unwrap();
    let ptxas = script(directory.path(), &format!("{INTRODUCTION}{body}"));
    let only = ["legality", "--only", "testp.finite.f32", "--ptxas"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
    command.args(only).arg(ptxas).args(arguments).output().unwrap()
}

fn conformance(arguments: &[&str], path: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
    command.arg("legality").args(arguments).env_remove("PTXAS").env("PATH", path);
    command.current_dir(path).output().unwrap()
}

#[test]
fn an_assembler_that_is_not_there_is_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| conformance(arguments, directory.path());
    assert_refused(&run(&[]), &["not found", "conformance setup ptxas", "--ptxas"]);
    assert_refused(&run(&["--ptxas", "/nowhere/ptxas"]), &["/nowhere/ptxas cannot be started"]);
    let text = directory.path().join("text");
    std::fs::write(&text, "no program").unwrap();
    assert_refused(&run(&["--ptxas", text.to_str().unwrap()]), &["text cannot be started"]);
    let other = script(directory.path(), "#!/bin/sh\necho another program, V1\n");
    assert_refused(&run(&[]), &[other.to_str().unwrap(), "is not ptxas by its own account"]);
    assert_refused(&run(&["--deadline", "0"]), &["--deadline"]);
}

#[test]
fn an_assembler_that_is_set_up_is_taken_by_its_version() {
    let directory = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| conformance(arguments, directory.path());
    let set_up = |environment: &str, text: &str| {
        let bin = "venv/lib/python3.11/site-packages/nvidia/any/bin";
        let bin = directory.path().join("target/third-party").join(environment).join(bin);
        std::fs::create_dir_all(&bin).unwrap();
        script(&bin, &format!("#!/bin/sh\necho {text}\n"));
    };
    assert_refused(&run(&["--ptxas", "ptxas@12.9.86"]), &["conformance setup ptxas@12.9.86"]);
    assert_refused(&run(&["--ptxas", "ptxas@12.9"]), &["`12.9`", "12.9.86"]);
    set_up("ptxas", "the newest");
    set_up("ptxas@12.9.86", "an older one");
    let says = |arguments: &[&str], place: &str| {
        assert_refused(&run(arguments), &[place, "is not ptxas by its own account"]);
    };
    says(&[], "third-party/ptxas/venv");
    says(&["--ptxas", "ptxas"], "third-party/ptxas/venv");
    says(&["--ptxas", "ptxas@12.9.86"], "third-party/ptxas@12.9.86/venv");
}

#[test]
fn an_assembler_that_dies_hangs_or_babbles_gives_no_verdict() {
    assert_refused(&run("kill -SEGV $$", &[]), &["signal: 11", "PTX 9.5", "--only"]);
    assert_refused(&run("exit 0", &[]), &["exit status: 0", "add.f33"]);
    assert_refused(&run("echo Guru Meditation", &[]), &["`Guru Meditation`", "message.rs"]);
    let line = "echo 'ptxas m, line 14; fatal   : no idea'";
    assert_refused(&run(line, &[]), &["no idea", "message.rs"]);
    assert_refused(&run("echo 'ptxas fatal   : no memory'", &[]), &["gives up", "no memory"]);
    let started = Instant::now();
    assert_refused(&run("sleep 60", &["--deadline", "1"]), &["within 1 seconds", "--deadline"]);
    assert!(started.elapsed() < Duration::from_secs(30));
}

/// A ptxas that accepts all but the guard disagrees about everything illegal, and about the targets.
#[test]
fn what_is_accepted_and_not_in_the_table_is_reported() {
    let report = run(&format!("wrong=f33{COMPLAINS}"), &["--reduced", "--format", "json"]);
    assert_eq!(report.status.code(), Some(1), "{}", String::from_utf8_lossy(&report.stderr));
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!((&report["agrees"], &report["ptx"]), (&false.into(), &"9.5".into()));
    let rows = report["disagreements"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["ptxas"] == "accepts" && row["message"].is_null()));
    assert_eq!(rows[0]["subject"], "the target itself");
    assert_eq!(report["reduced"].as_array().unwrap().len(), 2, "{}", report["reduced"]);
}

/// A ptxas that refuses legal spellings is quoted.
#[test]
fn what_is_refused_and_in_the_table_is_reported() {
    let output = run(&format!("wrong=testp.finite.f32{COMPLAINS}"), &[]);
    assert_refused(&output, &["gives up", "that was it"]);
    let report = run(&format!("wrong='f33|testp'{COMPLAINS}"), &["--format", "json"]);
    assert_eq!(report.status.code(), Some(1), "{}", String::from_utf8_lossy(&report.stderr));
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    let rows = report["disagreements"].as_array().unwrap();
    let refused = |row: &&Value| row["subject"] == "testp.finite.f32 p0, r0;";
    let row = rows.iter().find(refused).unwrap();
    // This ptxas is wrong about when all other targets began, so those are not asked about any more.
    assert_eq!(row["targets"], serde_json::json!(["sm_20"]));
    assert_eq!((&row["ptxas"], &row["message"]), (&"refuses".into(), &"not this".into()));
}

/// A false ptxas that complains in phases, as ptxas does about matrix instructions: lines that it is silent about
/// are asked again.
const PHASES: &str = r#"
complain() {
  grep -nE "$1" "$module" | sed 's/:.*//; s/.*/ptxas m, line &; error   : not this/' >&2
  echo "ptxas fatal   : that was it" >&2
  exit 255
}
grep -q '^.version 1.5' "$module" && complain '^.version 1.5'
for phase in f33 f64 m16n8k8; do grep -q "$phase" "$module" && complain "$phase"; done
exit 0
"#;

fn run_on_matrices(body: &str) -> Output {
    let directory = tempfile::tempdir().unwrap();
    let ptxas = script(directory.path(), &format!("{INTRODUCTION}{body}"));
    let only = "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32";
    let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
    command.args(["legality", "--format", "json", "--only", only, "--ptxas"]).arg(ptxas);
    command.output().unwrap()
}

#[test]
fn an_error_that_hides_others_is_not_the_last_word_on_matrix_instructions() {
    let output = run_on_matrices(PHASES);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = report["disagreements"].as_array().unwrap();
    // This ptxas is wrong about when all targets but one began, so those are not asked about any more.
    let accepted: Vec<&str> = rows
        .iter()
        .filter(|row| row["ptxas"] == "accepts" && row["targets"] == serde_json::json!(["sm_20"]))
        .filter_map(|row| row["subject"].as_str())
        .collect();
    assert!(accepted.iter().any(|text| text.contains("m16n8k128")), "{accepted:?}");
    assert!(!accepted.iter().any(|text| text.contains("m16n8k8.")), "{accepted:?}");
    assert!(!accepted.iter().any(|text| text.contains("f64")), "{accepted:?}");
    let dies = r#"grep -q f64 "$module" && { echo "ptxas fatal   : that was it" >&2; exit 255; }"#;
    let silent = PHASES.replace("for phase", &format!("{dies}\nfor phase"));
    assert_refused(&run_on_matrices(&silent), &["names no instruction", "that was it"]);
}

/// The summary shows the first disagreements, what was not asked, and where to read the rest.
#[test]
fn a_summary_says_what_was_asked_and_what_was_not() {
    let output = run(&format!("wrong=f33{COMPLAINS}"), &["--reduced"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for words in ["ptxas accepts  the target itself", "(--reduced)", "(--only)", "Not asked: `.scaled`"]
    {
        assert!(text.contains(words), "no `{words}` in: {text}");
    }
}

/// A kernel that does not become code is found among its neighbours.
#[test]
fn a_kernel_that_does_not_become_code_is_reported_alone() {
    let report = |bad: &str| {
        let assembles =
            format!(r#"case "$2" in sm_*) grep -q '{bad}' "$4" && exit 3; echo >"$6"; exit 0;; esac"#);
        let body = format!("{assembles}\nwrong=f33{COMPLAINS}");
        let output = run(&body, &["--kernels", "--reduced", "--format", "json"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let report: Value = serde_json::from_slice(&output.stdout).expect(&said);
        (output.status.code(), report)
    };
    let (code, whole) = report("nothing of the kind");
    assert_eq!((code, &whole["agrees"]), (Some(0), &true.into()));
    // These are two kernels for each of four targets, and the one that judges for those that can have it.
    assert_eq!((&whole["assembled"], &whole["refused"]), (&11.into(), &0.into()), "{whole}");
    let (code, less) = report("entry testp_finite_f32(");
    assert_eq!((code, &less["assembled"]), (Some(1), &7.into()), "{less}");
    let rows = less["disagreements"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["subject"] == "the kernel testp_finite_f32"), "{less}");
    assert_eq!(rows[0]["message"], "ptxas ended with exit status: 3");
}
