//! Tests of a compiler's functions, executed by a device.

use std::path::Path;

use functions::Record;

use super::{FakeMachine, said};
use crate::common::assert_refused;

const COMPILER: &str =
    concat!("exec:python3 ", env!("CARGO_MANIFEST_DIR"), "/tests/compilers/header.py");

/// Returns the words of a command that measures functions, in a folder of their own.
fn words<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let usual = ["compilers", "--functions", "--jobs", "2", "--compiler", COMPILER, "--target", "sm_90"];
    usual.into_iter().chain(["--out", out]).chain(more.iter().copied()).collect()
}

fn record(machine: &FakeMachine, out: &str, more: &[&str]) -> Record {
    let output = machine.command().args(words(out, more)).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let json = std::fs::read(machine.path().join(out).join("functions.json")).unwrap();
    serde_json::from_slice(&json).unwrap()
}

/// A device gives what the interpreter gives. Its driver reads no PTX as new as the compiler's; its approximations
/// are the nearest.
#[test]
fn a_device_gives_what_the_interpreter_gives() {
    let machine = FakeMachine::with("capability=90;ptx=7.8");
    let few = ["--only", "h*.f16", "--only", "sqrtf", "--inputs", "65536"];
    let on_device = record(&machine, "device", &[&few[..], &["--impl", "cuda:0"]].concat());
    let interpreted = record(&machine, "interpreter", &few);
    assert!(on_device.device.as_ref().is_some_and(|of| of.starts_with("cuda:0: Fake 0")));
    assert_eq!(interpreted.device, None);
    let nearest = |way: Option<&str>| way.is_none_or(|way| way == "nearest");
    let others: Vec<_> =
        interpreted.functions.iter().filter(|entry| nearest(entry.way.as_deref())).collect();
    assert!(others.len() >= 3, "{}", others.len());
    assert_eq!(on_device.functions.len(), others.len());
    for (one, other) in on_device.functions.iter().zip(others) {
        assert_eq!((&one.name, &one.counted), (&other.name, &other.counted));
        assert_eq!(one.way.as_deref(), Some("device"));
        assert_eq!(one.counted.inputs, 1 << 16);
    }
    let table = on_device.table();
    assert!(table.starts_with("| function | under | approximate instructions | documented | device |"));
}

/// A wrong device is seen: a result with another bit gives another digest.
#[test]
fn a_wrong_device_is_seen() {
    let only = ["--only", "sqrtf", "--inputs", "65536", "--impl", "cuda:0"];
    let [right, wrong] = ["", ";wrong=sqrt.rn.f32"].map(|fault| {
        let machine = FakeMachine::with(&format!("capability=90;ptx=9.0{fault}"));
        record(&machine, "out", &only).functions.swap_remove(0).counted
    });
    assert_eq!(right.wrong, 0);
    assert!(wrong.wrong > 0 && wrong.digest != right.digest, "{wrong:?}");
}

#[test]
fn records_of_two_executors_are_not_mixed() {
    let machine = FakeMachine::with("capability=90;ptx=9.0");
    let only = ["--only", "hfloor.f16"];
    record(&machine, "out", &only);
    let mixed = words("out", &["--only", "hfloor.f16", "--impl", "cuda:0"]);
    assert_refused(&machine.command().args(mixed).output().unwrap(), &["the interpreter", "--out"]);
}

#[test]
fn what_executes_functions_is_a_gpu() {
    let machine = FakeMachine::with("capability=90;ptx=9.0");
    for (name, word) in [("emulator", "cuda:0"), ("cuda:0,constants", "cuda:0"), ("cuda:7", "cuda:0")] {
        let words = words("out", &["--only", "hfloor.f16", "--impl", name]);
        assert_refused(&machine.command().args(words).output().unwrap(), &[word]);
    }
}

const TINY: &str = concat!("exec:python3 ", env!("CARGO_MANIFEST_DIR"), "/tests/compilers/tiny.py");

/// Replays a compiler's report on the machine's device; returns the exit code and all that is printed.
fn replayed(machine: &FakeMachine, report: &Path, compiler: &str) -> (Option<i32>, String) {
    let mut command = machine.command();
    command.arg("replay").arg(report).args(["--compiler", compiler, "--impl", "cuda:0"]);
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned() + &said(&output))
}

/// A row that a compiler made wrong is wrong on a device as well, and a device that has other targets does not
/// execute it.
#[test]
fn a_report_of_rows_is_replayed_on_a_device() {
    let machine = FakeMachine::with("capability=90;ptx=9.0");
    let tiny = format!("{TINY} flushed");
    let mut command = machine.command();
    command.args(["compilers", "--report", "report.json", "--compiler", &tiny, "--target", "sm_90"]);
    let output = command.args(["--only", "operator/add.f32"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let path = machine.path().join("report.json");
    let (code, text) = replayed(&machine, &path, &tiny);
    assert!(code == Some(1) && text.contains("executed by cuda:0: Fake 0"), "{text}");
    assert!(text.contains("MISMATCH  a=0x") && text.contains("2 of 2 fail"), "{text}");
    let older = FakeMachine::with("capability=75;ptx=9.0");
    let (code, text) = replayed(&older, &path, &tiny);
    assert!(code == Some(2) && text.contains("2 of them were not tried"), "{text}");
    // A source that the compiler refuses now is not right for that.
    let (code, text) = replayed(&machine, &path, &format!("{TINY} babbles"));
    assert!(code == Some(2) && text.contains("0 of 2 fail"), "{text}");
}

/// A program that reads memory is not handed to a device; one that has no operands is.
#[test]
fn a_report_of_programs_is_replayed_on_a_device() {
    let machine = FakeMachine::with("capability=90;ptx=9.0");
    let path = machine.path().join("report.json");
    let found = |faults: &str| {
        let tiny = format!("{TINY} {faults}");
        let mut command = machine.command();
        command.args(["fuzz", "programs", "--count", "300", "--seconds", "600", "--target", "sm_90"]);
        command.args(["--report", "report.json", "--compiler", &tiny]);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        replayed(&machine, &path, &tiny)
    };
    let (code, text) = found("forgetful");
    assert!(code == Some(2) && text.contains("it accesses memory"), "{text}");
    let (code, text) = found("reciprocal");
    assert!(code == Some(1) && text.contains("FAILS ") && !text.contains("untried"), "{text}");
    let mut report: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    report.as_object_mut().unwrap().remove("checksum");
    let findings = report["findings"].as_array_mut().unwrap();
    let fails = |of: &serde_json::Value| of["class"].as_str().unwrap().starts_with("computed/");
    findings.retain(fails);
    findings.truncate(1);
    let one = &mut findings[0];
    one["sequences"].as_array_mut().unwrap().truncate(1);
    one["sequences"][0]["source"] =
        "define float @f() {\n  %v0 = bitcast i32 1065353216 to float\n  %v1 = \
                                     fadd float %v0, %v0\n  ret float %v1\n}\n"
            .into();
    one["classes"].as_array_mut().unwrap().truncate(1);
    let example = &mut one["classes"][0]["simplest"];
    example["operands"] = serde_json::json!([]);
    example["accepted"] = serde_json::json!([]);
    example["expected"][0]["bits"] = "0x40000001".into();
    let example = example.clone();
    one["classes"][0]["examples"] = serde_json::json!([example]);
    std::fs::write(&path, report.to_string()).unwrap();
    let (code, text) = replayed(&machine, &path, TINY);
    assert!(code == Some(1) && text.contains("gives 0x40000000, permitted 0x40000001"), "{text}");
}
