//! Tests of GPUs, from the command line down to the calls of the driver, which is a fake: it interprets the kernels
//! that it is given.
#![cfg(target_os = "linux")]

mod devices;
mod exactness;
mod functions;
mod kernels;
mod matrices;
mod own_code;
mod records;
mod triples;

use std::path::Path;
use std::process::{Command, Output};

use reports::{Datum, Report, VariantReport};
// The library is built because the tests depend on it.
use fake_driver as _;
use tempfile::TempDir;

/// A machine with the fake driver: a folder where the driver has the name of the real one, and the driver's
/// settings.
struct FakeMachine {
    directory: TempDir,
    settings: String,
}

impl FakeMachine {
    /// Makes a machine with these settings of the driver, see `fake_driver::settings`.
    fn with(settings: &str) -> FakeMachine {
        let tests = std::env::current_exe().unwrap();
        let library = tests.with_file_name("libfake_driver.so");
        let directory = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(&library, directory.path().join("libcuda.so.1")).unwrap();
        assert!(library.exists(), "no {}", library.display());
        FakeMachine { directory, settings: settings.to_owned() }
    }

    /// Returns the folder for what commands write.
    fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Returns a command of the suite's program, on this machine.
    fn command(&self) -> Command {
        self.program(env!("CARGO_BIN_EXE_conformance"))
    }

    /// Returns a command of any program, on this machine.
    fn program(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("LD_LIBRARY_PATH", self.path()).env("FAKE_DRIVER", &self.settings);
        command.current_dir(self.path());
        command
    }

    /// Makes a run on `implementation` with these further arguments, and returns its output and its report.
    fn run(&self, implementation: &str, arguments: &[&str]) -> (Output, Report) {
        let mut command = self.command();
        command.args(["conformance", "--jobs", "2", "--out", "run", "--impl", implementation]);
        let output = command.args(arguments).output().unwrap();
        let report = reports::load(&self.path().join("run/report.json"));
        let report = report.unwrap_or_else(|_| panic!("{}", said(&output)));
        (output, report)
    }
}

/// Returns what a command said on standard error.
fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Makes a run of some variants on device 0 that must reach its end, and returns its report.
fn report(settings: &str, only: &[&str]) -> Report {
    let only: Vec<&str> = only.iter().flat_map(|&only| ["--only", only]).collect();
    let (output, report) = FakeMachine::with(settings).run("cuda:0", &only);
    assert!(report.complete, "{}", said(&output));
    report
}

/// Returns a variant of a report.
fn variant<'a>(report: &'a Report, text: &str) -> &'a VariantReport {
    report.variants.iter().find(|variant| variant.variant == text).unwrap()
}

/// Returns the bits of an operand or a result.
fn bits(datum: &Datum) -> u64 {
    u64::from_str_radix(datum.bits.trim_start_matches("0x"), 16).unwrap()
}
