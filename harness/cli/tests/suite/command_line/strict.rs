//! Tests of `--strict`, which refuses interpretations of open points, and of `list --relaxations`, which explains them.

use serde_json::Value;

use super::{output, plain, report};
use crate::common::assert_refused;

/// Checks that 8-bit sums in fewer bits than f32 has are right by the contract, and can be refused: the manual says "at
/// least single precision" of `mma`, and sm_89 has 14 bits.
#[test]
fn sums_in_fewer_bits_are_refused_where_they_shall_be() {
    let directory = tempfile::tempdir().unwrap();
    let run = |target: &str, strict: &[&str]| {
        let implementation = format!("emulator:{target}");
        let only = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32";
        let arguments = ["conformance", "--quiet", "--impl", &implementation, "--only", only];
        let run = output(&[&arguments, strict].concat(), directory.path());
        (run.status.code(), report(directory.path())["variants"][0].clone())
    };
    let (code, accepted) = run("sm_89", &[]);
    assert_eq!((code, accepted["status"].as_str()), (Some(0), Some("pass")));
    let relaxations = accepted["relaxations"].as_array().unwrap();
    let reduced = relaxations.iter().find(|one| one["name"] == "reduced-accumulation").unwrap();
    let reduced = reduced["answers"]["reduced"].as_u64().unwrap();
    assert!(reduced > 100, "{reduced}");

    let (code, refused) = run("sm_89", &["--strict", "reduced-accumulation"]);
    assert_eq!((code, refused["status"].as_str()), (Some(1), Some("fail")));
    let reason = refused["reason"].as_str().unwrap().replace(',', "");
    assert!(
        reason.contains(&format!("{reduced} results of reduced-accumulation are not `single`")),
        "{reason}"
    );
    // Nothing else of the report depends on the option, and who has single precision passes.
    assert_eq!((&refused["mismatches"], &refused["sweeps"]), (&Value::from(0), &accepted["sweeps"]));
    assert_eq!(run("sm_90", &["--strict", "reduced-accumulation"]).0, Some(0));
}

#[test]
fn an_interpretation_is_asked_for_by_name() {
    let directory = tempfile::tempdir().unwrap();
    let run = |strict: &str| {
        let arguments = ["conformance", "--quiet", "--only", "mul.rn.ftz.f32", "--strict", strict];
        output(&arguments, directory.path())
    };
    assert_eq!(run("ftz-tininess").status.code(), Some(0));
    assert_eq!(run("ftz-tininess=exact").status.code(), Some(0));
    assert_eq!(run("ftz-tininess=rounded").status.code(), Some(1));
    assert_refused(&run("ftz"), &["there is no relaxation `ftz`", "list --relaxations"]);
    assert_refused(&run("ftz-tininess=never"), &["one of: exact, unbounded, rounded"]);
}

#[test]
fn interpretations_are_defined_where_relaxations_are_listed() {
    let list = |arguments: &[&str]| {
        let run = plain(&[&["list", "--relaxations"], arguments].concat());
        assert_eq!(run.status.code(), Some(0));
        String::from_utf8(run.stdout).unwrap()
    };
    let text = list(&["--only", "mul.rn.ftz.f32"]);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for defined in [
        "ftz-tininess exact: a result is flushed if the exact value is below the smallest normal number",
        "unbounded: the value is rounded as if the exponent had no lower limit; the result is flushed if",
        "rounded: a result is flushed if the rounded result is subnormal the manual: `.ftz` \"flushes",
        "2 open points",
    ] {
        assert!(words.contains(defined), "{text}");
    }
    let all: Value = serde_json::from_str(&list(&["--format", "json"])).unwrap();
    let all = all.as_array().unwrap();
    assert_eq!(all.len(), isa::Relaxation::ALL.len() + isa::matrix::SumRelaxation::ALL.len());
    assert!(all.iter().all(|row| !row["interpretations"].as_array().unwrap().is_empty()));
}
