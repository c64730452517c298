//! Tests of programs and libraries as implementations: the clients that come with the protocol, and every way to
//! fail.

mod bundled;
mod changing;
mod clients;
mod consistency;
mod emulators;
mod endings;
mod faults;
mod lengths;
mod libraries;
mod matrix;
mod replay;

pub use faults::faulty;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use reports::{Class, Report, Status};
use tempfile::TempDir;

/// Returns the folder of the protocol.
fn protocol() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol")
}

/// Compiles a file of C; returns the folder that the result `name` is in, and its path.
fn compiled(source: &Path, name: &str, flags: &[&str]) -> (TempDir, String) {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join(name).to_str().unwrap().to_owned();
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let status = Command::new(&compiler)
        .args(["-std=c99", "-D_POSIX_C_SOURCE=200809L", "-O2", "-Wall", "-Wextra", "-Werror"])
        .args(flags)
        .arg("-I")
        .arg(protocol())
        .args(["-o", &program])
        .arg(source)
        .arg("-lm")
        .status()
        .unwrap_or_else(|error| panic!("these tests take a C compiler, and `{compiler}`: {error}"));
    assert!(status.success());
    (directory, program)
}

/// Makes a quick run of some variants, and returns its output and its report if there is one.
pub fn run(implementation: &str, only: &[&str]) -> (Output, Option<Report>) {
    let directory = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
    command.args(["conformance", "--jobs", "1", "--impl", implementation]);
    only.iter().for_each(|only| {
        command.args(["--only", only]);
    });
    let output = command.arg("--out").arg(directory.path()).output().unwrap();
    let report = reports::load(&directory.path().join("report.json")).ok();
    (output, report)
}

/// Makes a run that must reach its end, and returns its report.
pub fn report(implementation: &str, only: &[&str]) -> Report {
    let (output, report) = run(implementation, only);
    let said = String::from_utf8_lossy(&output.stderr);
    let report = report.unwrap_or_else(|| panic!("{implementation}: {said}"));
    assert!(report.complete, "{implementation}: {said}");
    report
}

/// Returns each variant with its status, in the order of their names.
fn statuses(report: &Report) -> Vec<(&str, Status)> {
    let statuses = report.variants.iter().map(|variant| (&*variant.variant, variant.status));
    let mut statuses: Vec<_> = statuses.collect();
    statuses.sort();
    statuses
}

/// Returns the one class of the one variant that fails.
pub fn class(report: &Report) -> &Class {
    let classes: Vec<&Class> = report.variants.iter().flat_map(|variant| &variant.classes).collect();
    let [class] = classes[..] else {
        panic!("{:?}", classes.iter().map(|class| &class.id).collect::<Vec<_>>())
    };
    class
}
