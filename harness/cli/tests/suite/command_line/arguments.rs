//! Tests of arguments: what they choose, and what is said of wrong ones.

use std::path::Path;
use std::process::Command;

use isa::Variant;
use serde_json::Value;

use super::{output, plain, report};
use crate::common::assert_refused;

#[test]
fn wrong_arguments_are_one_line_and_exit_code_2() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path();
    let run = |arguments: &[&str]| output(&[&["conformance"], arguments].concat(), out);
    assert_refused(
        &run(&["--only", "mul.sat.bf16"]),
        &["`mul.bf16` does not take `.sat`", "`mul.bf16`"],
    );
    assert_refused(&run(&["--only", "dot.*"]), &["`dot.*` matches no variant", "`conformance list`"]);
    let dots = ".".repeat(40_000);
    assert_refused(&run(&["--only", &dots]), &["has 40000 characters", "no name has more than 200"]);
    assert_refused(&run(&["--only", "add.f32.*", "--target", "sm_90"]), &["sm_90 has none"]);
    assert_refused(&run(&["--target", "sm90"]), &["`sm90` is not a target", "sm_90"]);
    assert_refused(&run(&["--target", "sm_999"]), &["no target `sm_999`", "`sm_121`"]);
    assert_refused(&run(&["--target", "sm_55"]), &["no target `sm_55`", "`sm_53`, `sm_60`"]);
    assert_refused(&run(&["--shard", "5/4"]), &["part 5 of 4 does not exist"]);
    assert_refused(&run(&["--impl", "vapour"]), &["unknown implementation `vapour`", "emulator"]);
    assert_refused(&run(&["--tier", "daily"]), &["daily", "quick"]);
    assert_refused(&run(&["--jobs", "0"]), &["--jobs"]);
    assert_refused(&run(&["--seed", "0xfog"]), &["seed"]);
    assert_refused(&run(&["--resume"]), &["nothing to resume", "without --resume"]);
    assert!(!out.join("report.json").exists());
}

/// A panic is one line and exit code 2, whatever the command, and whichever of its threads panics.
#[test]
fn a_panic_is_one_line_and_exit_code_2() {
    let words = ["this is a bug in the suite", "defences/client.rs:", "a planted panic"];
    let client = cli::defences::client_beside(Path::new(env!("CARGO_BIN_EXE_conformance")));
    let client =
        client.expect("`cargo build -p ptx-conformance-cli --example hostile-client` builds it");
    assert_refused(&Command::new(client).arg("bug").output().unwrap(), &words);
}

#[test]
fn a_directory_that_cannot_be_written_is_refused_before_the_run() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    std::fs::write(&file, "not a directory").unwrap();
    let run = output(&["conformance", "--only", "mul.f16"], &file.join("below"));
    assert_refused(&run, &["below", "--out"]);
}

/// The answer of `identify` is the same however many threads ask, in words and for programs.
#[test]
fn identify_names_a_target_and_is_the_same_on_any_number_of_threads() {
    let identify = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
        command.args(["identify", "--impl", "emulator:sm_80", "--vectors", "64"]);
        command.args(arguments).output().unwrap()
    };
    let asked = ["--only", "mma.sync.aligned.m16n8k*.row.col.f32.*f16*", "--format", "json"];
    let found = [["--jobs", "1"], ["--jobs", "3"]].map(|jobs| identify(&[&asked[..], &jobs].concat()));
    assert_eq!(found[0].stdout, found[1].stdout);
    let identity: Value = serde_json::from_slice(&found[0].stdout).unwrap();
    let findings = identity["findings"].as_array().unwrap();
    assert!(findings.len() > 1 && found[0].status.code() == Some(0));
    for finding in findings {
        assert_eq!(finding["known"], true);
        assert!(finding["models"][0].as_str().unwrap().contains("sm_80"), "{finding}");
    }
    let words = identify(&asked[..2]);
    assert!(String::from_utf8_lossy(&words.stdout).contains("sm_80"));
    assert_refused(&identify(&["--only", "add.f32"]), &["selects no matrix instruction", "list"]);
    let none = identify(&["--only", "mma*kind::mxf4.*"]);
    assert_refused(&none, &["emulator:sm_80 has none of the selected matrix instructions", "--impl"]);
}

#[test]
fn list_has_its_filters_and_both_formats() {
    let list = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_conformance")).arg("list").args(arguments).output().unwrap()
    };
    // Rows of matrix instructions are known by their `products`.
    let counts = |arguments: &[&str]| {
        let output = list(&[arguments, &["--format", "json"]].concat());
        let rows: Value = serde_json::from_slice(&output.stdout).unwrap();
        let rows = rows.as_array().unwrap();
        let matrices = rows.iter().filter(|row| row["products"].is_u64()).count();
        [rows.len() - matrices, matrices]
    };
    let count = |arguments: &[&str]| counts(arguments)[0];
    assert_eq!(counts(&[]), [Variant::all().len(), 3350]); // PTX and casts, and matrices
    assert_eq!(counts(&["--only", "mma.s*"]), [0, 290]);
    assert_eq!(counts(&["--only", "wgmma*", "--target", "sm_90a"]), [0, 1536]);
    assert_eq!(counts(&["--only", "wmma*", "--target", "sm_75"]), [0, 48]);
    assert_eq!(count(&["--only", "fma.rn.oob*"]), 8);
    assert_eq!(count(&["--only", "mul.bf16", "--only", "mul.bf16x2"]), 2);
    assert_eq!(count(&["--only", "setp.*"]), 672);
    // Each target has as many variants as NVIDIA's assembler accepts for it.
    #[rustfmt::skip] // a table
    let targets = [
        ("sm_50", 1887), ("sm_53", 3407), ("sm_80", 3518), ("sm_86", 3550), ("sm_89", 3562),
        ("sm_90", 4849), ("sm_100", 4994), ("sm_120", 4994), ("sm_103a", 6265), ("sm_107f", 5672),
        ("sm_120a", 5231),
    ];
    for (target, variants) in targets {
        assert_eq!(count(&["--target", target]), variants, "{target}");
    }
    assert_eq!(count(&["--only", "mul*.f16", "--ptx", "7.7"]), 8);
    assert_eq!(count(&["--only", "add*.f32.bf16", "--target", "sm_100", "--ptx", "8.6"]), 10);
    // The list has each promise of a row, with a source that the promise is of.
    let rows = plain(&["compilers", "list", "--only", "function/min.f32"]).stdout;
    let rows = String::from_utf8(rows).unwrap();
    let [cuda, other] = [0, 1].map(|at| rows.lines().nth(at).unwrap());
    assert!(
        cuda.contains("cuda: min{.ftz?}.f32(a, b); nsz ") && cuda.ends_with(" fminf(a, b)"),
        "{cuda}"
    );
    assert!(other.contains("; nsz snan ") && other.contains(" @llvm.minnum.f32("), "{other}");
    let text = String::from_utf8(list(&["--only", "add.rm.sat.f32.bf16"]).stdout).unwrap();
    let words: Vec<&str> = text.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(words, ["add.rm.sat.f32.bf16", "9.7.5.1", "8.6", "sm_100", "zero-sign"]);
    assert_refused(&list(&["--only", "mul.bf16", "--ptx", "7.7"]), &["PTX 7.7 has none"]);
    assert_refused(&list(&["--ptx", "seven"]), &["`seven` is not a PTX version"]);
    assert_refused(&list(&["--ptx", "5.7"]), &["unknown PTX version 5.7", "`5.1`, `6.0`"]);
    assert_refused(&list(&["--ptx", "1.4"]), &["the table begins with PTX 2.0"]);
    // The version is the manual's, though NVIDIA's assembler takes it in 5.1; and the oldest version is a floor.
    assert_eq!(count(&["--only", "neg.f16", "--ptx", "6.0"]), 1);
    assert_refused(&list(&["--only", "neg.f16", "--ptx", "5.1"]), &["PTX 5.1 has none"]);
    let text = String::from_utf8(list(&["--only", "neg.f*"]).stdout).unwrap();
    let since = |variant: &str| text.lines().find(|line| line.starts_with(variant)).unwrap().to_owned();
    assert!(since("neg.f32").contains("2.0 sm_20 or earlier"), "{text}");
    assert!(since("neg.f16").contains("6.0 sm_53") && !since("neg.f16").contains("earlier"), "{text}");
}

/// A GPU that is not there is refused in one line, with a driver or without one.
#[test]
fn a_gpu_that_is_not_there_is_refused_in_one_line() {
    let directory = tempfile::tempdir().unwrap();
    let run = |name| output(&["conformance", "--impl", name], directory.path());
    assert_refused(&run("cuda:999"), &["GPU"]);
    assert_refused(&run("cuda:first"), &["`cuda:first` does not name a GPU", "write cuda:0"]);
    assert!(!directory.path().join("report.json").exists());
}

/// A seed that is drawn is said and is in the report, and the same vectors can be had again by it.
#[test]
fn a_drawn_seed_is_said_and_makes_the_same_vectors_again() {
    let folders = [0; 3].map(|_| tempfile::tempdir().unwrap());
    let run = |seed: &str, folder: &tempfile::TempDir| {
        let run = output(&["conformance", "--only", "cvt.rn.bf16.f32", "--seed", seed], folder.path());
        assert_eq!(run.status.code(), Some(0));
        let said = [run.stdout, run.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
        (said, report(folder.path()))
    };
    let (said, first) = run("random", &folders[0]);
    let seed = first["plan"]["seed"].as_str().unwrap();
    assert!(
        said.contains(&format!("The seed is {seed}; --seed {seed} makes the same vectors")),
        "{said}"
    );
    let (_, second) = run("random", &folders[1]);
    assert_ne!(second["plan"]["seed"], first["plan"]["seed"]);
    let (_, again) = run(seed, &folders[2]);
    assert_eq!(again["variants"], first["variants"]);
}
