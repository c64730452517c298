//! Tests of shared libraries: the example, and those that cannot be used.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use findings::campaign::FuzzCase;
use isa::Variant;
use reports::Status;
use tempfile::TempDir;

use super::{class, compiled, protocol, report, run, statuses};
use crate::common::assert_refused;

fn library(source: &Path) -> (TempDir, String) {
    let (directory, path) = compiled(source, "library.so", &["-shared", "-fPIC"]);
    (directory, format!("lib:{path}"))
}

/// Compiles the example with one text replaced by another; returns its folder and the name for `--impl`.
fn changed(from: &str, to: &str) -> (TempDir, String) {
    let text = std::fs::read_to_string(protocol().join("library.c")).unwrap();
    assert!(text.contains(from));
    let directory = tempfile::tempdir().unwrap();
    let source: PathBuf = directory.path().join("changed.c");
    let text = format!("#include <stdio.h>\n#include <stdlib.h>\n{}", text.replace(from, to));
    std::fs::File::create(&source).unwrap().write_all(text.as_bytes()).unwrap();
    library(&source)
}

#[test]
fn the_example_is_right() {
    let (_directory, name) = library(&protocol().join("library.c"));
    let report = report(&name, &["max.NaN.f16x2", "min.f16x2"]);
    assert_eq!(statuses(&report), [("max.NaN.f16x2", Status::Pass), ("min.f16x2", Status::Unsupported)]);
    assert_eq!(report.implementation.version, "example 1.0");
    let reason = report.variants[0].reason.as_deref();
    assert_eq!(reason, Some("this example has max.NaN.f16x2 alone"));
}

/// A library that was compiled for a fuzzer is tested without one all the same, such as when a campaign is told.
#[cfg(target_os = "linux")]
#[test]
fn a_library_may_have_been_compiled_for_a_fuzzer() {
    let flags = ["-shared", "-fPIC", "-fsanitize-coverage=trace-pc,trace-cmp"];
    let (_directory, path) = compiled(&protocol().join("library.c"), "library.so", &flags);
    let report = report(&format!("lib:{path}"), &["max.NaN.f16x2"]);
    assert_eq!(statuses(&report), [("max.NaN.f16x2", Status::Pass)]);
}

/// Output that a library prints does not get between its results.
#[test]
fn what_a_library_prints_is_not_taken_for_results() {
    let (_directory, name) = changed("(void)variant;", "puts(variant); fflush(stdout);");
    assert_eq!(statuses(&report(&name, &["max.NaN.f16x2"])), [("max.NaN.f16x2", Status::Pass)]);
}

/// The run goes on after a library crashes, and the vector is found.
#[test]
fn a_library_that_crashes_takes_nothing_with_it() {
    let poisoned = "if ((uint16_t)a[row] == 0x7c00 && (uint16_t)b[row] == 0xfc00) abort();";
    let (_directory, name) = changed("uint32_t low", &format!("{poisoned}\nuint32_t low"));
    let report = report(&name, &["max.NaN.f16x2"]);
    let class = class(&report);
    assert_eq!(class.id, "max.NaN.f16x2/crashed");
    assert!(!class.examples.is_empty());
    for example in &class.examples {
        let low: Vec<&str> = example.operands.iter().map(|operand| &operand.bits[6..]).collect();
        assert_eq!(low, ["7c00", "fc00"]);
        assert!(example.words.as_deref().unwrap().starts_with("it ended (signal: 6 (SIGABRT)"));
    }
}

/// A vector on which a library crashes is simplified all the same, as are the vectors of a campaign.
#[test]
fn a_vector_on_which_a_library_crashes_is_simplified() {
    let poisoned = "if ((uint16_t)a[row] == 0x7c00 && (b[row] & 0x40)) abort();";
    let (_directory, name) = changed("uint32_t low", &format!("{poisoned}\nuint32_t low"));
    let folder = tempfile::tempdir().unwrap();
    let artifacts = folder.path().join("in-process");
    std::fs::create_dir(&artifacts).unwrap();
    let variant = Variant::all().iter().find(|variant| variant.text() == "max.NaN.f16x2").unwrap();
    for (file, operands) in [("crash-1", [0x1234_7c00, 0x8765_43c1]), ("crash-2", [0x8001_7c00, 0xff7f])]
    {
        std::fs::write(artifacts.join(file), FuzzCase::new(variant, &operands).to_bytes()).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
    command.args(["fuzz", "report", "--impl", &name, "--artifacts"]).arg(folder.path());
    let run = command.arg("--out").arg(folder.path()).output().unwrap();
    assert_eq!(run.status.code(), Some(1), "{}", String::from_utf8_lossy(&run.stderr));
    let report = reports::load(&folder.path().join("report.json")).unwrap();
    let class = class(&report);
    assert_eq!((&*class.id, class.count), ("max.NaN.f16x2/crashed", 2));
    let simplest = class.simplest.as_ref().unwrap();
    let operands: Vec<&str> = simplest.operands.iter().map(|operand| &*operand.bits).collect();
    assert_eq!(
        operands,
        ["0x00007c00", "0x00003c40"],
        "the other lane is nothing, and the bit alone stays"
    );
    assert!(simplest.words.as_deref().unwrap().contains("SIGABRT"));
}

#[test]
fn libraries_that_cannot_be_used_are_refused() {
    let refused = |name: &str, words: &[&str]| assert_refused(&run(name, &["max.NaN.f16x2"]).0, words);
    refused("lib:/no/such.so", &["the file /no/such.so does not exist"]);
    refused("lib:", &["has no command or path", "lib:PATH"]);
    refused("lib:/etc/hostname", &["/etc/hostname cannot be loaded"]);
    let (_directory, name) = changed("ptx_conformance_run(", "ptx_conformance_ran(");
    refused(&name, &["does not export ptx_conformance_run", "ptx_conformance.h"]);
    let (_directory, name) = changed("return PTX_CONFORMANCE_VERSION", "return 7");
    refused(&name, &["made for version 7 of the interface, not 1"]);
}
