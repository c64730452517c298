//! Tests of drivers and devices that are there, that are not, and that fail.

use std::process::Command;

use reports::{Status, Verdict};

use super::{FakeMachine, bits, report, said, variant};
use crate::common::assert_refused;

/// Asserts that a machine with these settings refuses a run.
fn assert_refuses(settings: &str, implementation: &str, words: &[&str]) {
    let machine = FakeMachine::with(settings);
    let output = machine.command().args(["conformance", "--impl", implementation]).output().unwrap();
    assert_refused(&output, words);
}

#[test]
fn devices_that_are_not_there_are_refused_in_one_line() {
    assert_refuses("devices=0", "cuda:0", &["finds no GPU", "CUDA_VISIBLE_DEVICES"]);
    assert_refuses("", "cuda:1", &["the only one is cuda:0"]);
    assert_refuses("devices=2", "cuda:2", &["cuda:0 to cuda:1"]);
    assert_refuses("closed", "cuda:0", &["cuda:0 does not start", "CUDA_ERROR_DEVICE_UNAVAILABLE"]);
    assert_refuses("lost-at-load=0", "cuda:0", &["does not start", "CUDA_ERROR_ILLEGAL_ADDRESS"]);
    assert_refuses("ptx=1.4", "cuda:0", &["capability 9.0", "install another driver"]);
}

/// A library that lacks functions of a driver, and a file that is no library, are refused in one line.
#[test]
fn drivers_that_are_none_are_refused_in_one_line() {
    let machine = FakeMachine::with("");
    let library = machine.path().join("libcuda.so.1");
    let refused = |words: &[&str]| {
        let output = machine.command().args(["qualify", "--probe"]).output().unwrap();
        assert_refused(&output, words);
    };
    std::fs::remove_file(&library).unwrap();
    let source = machine.path().join("old.c");
    std::fs::write(&source, "int cuInit(unsigned flags) { return flags; }\n").unwrap();
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let made =
        Command::new(compiler).args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status();
    assert!(made.unwrap().success());
    refused(&["lacks cuGetErrorName", "CUDA 11.4"]);
    std::fs::write(&library, "no library").unwrap();
    refused(&["the CUDA driver (libcuda.so.1) is not on this machine"]);
}

#[test]
fn a_device_is_described_and_says_what_it_lacks() {
    let machine = FakeMachine::with("devices=2;ptx=8.4");
    let only = ["--only", "add.rn.f32", "--only", "add.f32x2", "--only", "cast.rn.e4m3fnuz.f32"];
    let (_, report) = machine.run("cuda:1,opt=3", &only);
    let described = &report.implementation;
    assert_eq!(described.name, "cuda:1,opt=3");
    let device = "Fake 1 (GPU-00000000-0000-0000-0000-000000000000), compute capability 9.0";
    assert_eq!(described.device.as_deref(), Some(device));
    assert_eq!(described.driver.as_deref(), Some("CUDA 13.0, PTX 8.4"));
    assert_eq!(variant(&report, "add.rn.f32").status, Status::Pass);
    for (text, reason) in [
        ("add.f32x2", "sm_90a does not have it; first to have it: sm_100"),
        ("cast.rn.e4m3fnuz.f32", "a cast: PTX does not have it"),
    ] {
        let variant = variant(&report, text);
        assert_eq!((variant.status, variant.reason.as_deref()), (Status::Unsupported, Some(reason)));
    }
}

/// A device that is lost ends the run; what was found stays, and another run goes on from there.
#[test]
fn a_device_that_is_lost_ends_the_run_with_what_was_found() {
    // The first loads ask for the version, and 9.5 to 9.0 are six.
    for (fault, vectors) in [("lost-at-launch=4", true), ("lost-at-load=6", false)] {
        let mut machine = FakeMachine::with(fault);
        let only = ["--only", "mul.f16", "--only", "mul.rn.f16", "--only", "fma.rn.f16"];
        let (output, report) = machine.run("cuda:0", &only);
        assert_eq!(output.status.code(), Some(2));
        for words in
            ["cuda:0 failed and cannot be used further", "--resume", "CUDA_ERROR_ILLEGAL_ADDRESS"]
        {
            assert!(said(&output).contains(words), "no {words} in {}", said(&output));
        }
        assert_eq!(report.verdict(), Verdict::Incomplete);
        assert_eq!(report.totals.vectors > 0, vectors);
        let before = report.totals.vectors;
        machine.settings = String::new();
        let (output, report) = machine.run("cuda:0", &[&only[..], &["--resume"]].concat());
        assert_eq!((output.status.code(), report.verdict()), (Some(0), Verdict::Agree));
        assert!(before < report.totals.vectors);
    }
}

/// A device that hangs ends the run with what was found: nothing waits for ever, and nothing is asked of a device
/// that does not answer.
#[test]
fn a_device_that_hangs_ends_the_run_with_what_was_found() {
    let mut machine = FakeMachine::with("hangs-at-launch=5");
    let only = ["--only", "mul.f16", "--only", "mul.rn.f16", "--only", "fma.rn.f16"];
    let (output, report) = machine.run("cuda:0,deadline=1", &only);
    assert_eq!((output.status.code(), report.verdict()), (Some(2), Verdict::Incomplete));
    for words in [
        "cuda:0 failed and cannot be used further",
        "--resume",
        "within 1 s; allow more with `deadline=`",
    ] {
        assert!(said(&output).contains(words), "no {words} in {}", said(&output));
    }
    assert!(report.totals.vectors > 0);
    machine.settings = String::new();
    let (_, report) = machine.run("cuda:0", &[&only[..], &["--resume"]].concat());
    assert_eq!(report.verdict(), Verdict::Agree);
    let machine = FakeMachine::with("hangs-at-launch=2");
    let (output, _) = machine.run("cuda:0,constants,deadline=1", &["--only", "fma.rn.f32"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
}

/// Rows that change where a batch is run twice are mismatches of their own kind.
#[test]
fn a_device_that_wavers_is_found_out() {
    let report = report("flickers", &["abs.f16"]);
    let classes = &variant(&report, "abs.f16").classes;
    let unstable = classes.iter().find(|class| class.id == "abs.f16/unstable").unwrap();
    let example = &unstable.examples[0];
    // The changing rows are those of thread 3 of each warp.
    assert_eq!((unstable.count, example.index % 32), (2048, 3));
    let [before, now] = [&example.expected, &example.actual].map(|datum| bits(&datum[0]));
    assert_eq!(before ^ now, 1);
}
