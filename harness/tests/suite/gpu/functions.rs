//! Functions of a compiler, executed by a device.

use harness::compilers::measured::Record;

use super::{Machine, said};
use crate::common::assert_refused;

const COMPILER: &str =
    concat!("exec:python3 ", env!("CARGO_MANIFEST_DIR"), "/tests/compilers/header.py");

/// The words that measure functions, in a folder of their own.
fn words<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let usual = ["compilers", "--functions", "--jobs", "2", "--compiler", COMPILER, "--target", "sm_90"];
    usual.into_iter().chain(["--out", out]).chain(more.iter().copied()).collect()
}

fn record(machine: &Machine, out: &str, more: &[&str]) -> Record {
    let output = machine.command().args(words(out, more)).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let json = std::fs::read(machine.path().join(out).join("functions.json")).unwrap();
    serde_json::from_slice(&json).unwrap()
}

/// The device's driver reads no PTX as new as the compiler's; its approximations are the nearest.
#[test]
fn a_device_gives_what_the_interpreter_gives() {
    let machine = Machine::with("capability=90;ptx=7.8");
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
    let table = on_device.tables();
    assert!(table.starts_with("| function | under | approximate instructions | documented | device |"));
}

/// A result with another bit is another digest.
#[test]
fn a_wrong_device_is_seen() {
    let only = ["--only", "sqrtf", "--inputs", "65536", "--impl", "cuda:0"];
    let [right, wrong] = ["", ";wrong=sqrt.rn.f32"].map(|fault| {
        let machine = Machine::with(&format!("capability=90;ptx=9.0{fault}"));
        record(&machine, "out", &only).functions.swap_remove(0).counted
    });
    assert_eq!(right.wrong, 0);
    assert!(wrong.wrong > 0 && wrong.digest != right.digest, "{wrong:?}");
}

#[test]
fn records_of_two_executors_are_not_mixed() {
    let machine = Machine::with("capability=90;ptx=9.0");
    let only = ["--only", "hfloor.f16"];
    record(&machine, "out", &only);
    let mixed = words("out", &["--only", "hfloor.f16", "--impl", "cuda:0"]);
    assert_refused(&machine.command().args(mixed).output().unwrap(), &["the interpreter", "--out"]);
}

#[test]
fn what_executes_functions_is_a_gpu() {
    let machine = Machine::with("capability=90;ptx=9.0");
    for (name, word) in [("emulator", "cuda:0"), ("cuda:0,constants", "cuda:0"), ("cuda:7", "cuda:0")] {
        let words = words("out", &["--only", "hfloor.f16", "--impl", name]);
        assert_refused(&machine.command().args(words).output().unwrap(), &[word]);
    }
}

/// What a compiler made wrong is wrong on a device as well, and one that has other targets does not execute it.
#[test]
fn a_report_of_a_compiler_is_replayed_on_a_device() {
    let machine = Machine::with("capability=90;ptx=9.0");
    let tiny = concat!("exec:python3 ", env!("CARGO_MANIFEST_DIR"), "/tests/compilers/tiny.py flushed");
    let mut command = machine.command();
    command.args(["compilers", "--report", "report.json", "--compiler", tiny, "--target", "sm_90"]);
    let output = command.args(["--only", "operator/add.f32"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let replay = |machine: &Machine, path: &std::path::Path| {
        let mut command = machine.command();
        command.arg("replay").arg(path).args(["--compiler", tiny, "--impl", "cuda:0"]);
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned() + &said(&output))
    };
    let path = machine.path().join("report.json");
    let (code, text) = replay(&machine, &path);
    assert!(code == Some(1) && text.contains("executed by cuda:0: Fake 0"), "{text}");
    assert!(text.contains("MISMATCH  a=0x") && text.contains("2 of 2 fail"), "{text}");
    let older = Machine::with("capability=75;ptx=9.0");
    let (code, text) = replay(&older, &path);
    assert!(code == Some(0) && text.contains("2 of them the device does not execute"), "{text}");
}
