//! Tests of emulators that take the text of kernels: the examples, one that goes wrong in every way, and those that
//! cannot be used.

use std::path::Path;
use std::process::{Command, Output};

use isa::Variant;
use reports::{Report, Status, VariantReport};
use tempfile::TempDir;

use super::{compiled, protocol};
use crate::common::assert_refused;

/// Makes a quick run in a folder, and returns its output and its report if there is one.
fn run_in(folder: &Path, implementation: &str, only: &[&str]) -> (Output, Option<Report>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
    command.current_dir(folder).args(["conformance", "--jobs", "2", "--out", "out"]);
    only.iter().for_each(|only| {
        command.args(["--only", only]);
    });
    let output = command.args(["--impl", implementation]).output().unwrap();
    (output, reports::load(&folder.join("out/report.json")).ok())
}

/// Returns the report of a run that must reach its end.
fn report(implementation: &str, only: &[&str]) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let (output, report) = run_in(folder.path(), implementation, only);
    let report = report.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    assert!(report.complete);
    report
}

fn variant<'a>(report: &'a Report, name: &str) -> &'a VariantReport {
    report.variants.iter().find(|variant| variant.variant == name).expect(name)
}

fn python() -> String {
    format!("python3 '{}'", protocol().join("emulator.py").display())
}

/// The example is judged in every variant that it says it has, and is right in each.
#[test]
fn the_example_in_python_is_right_wherever_it_says_that_it_has_a_variant() {
    let has = |variant: &&Variant| {
        let mut words = variant.spelling().split('.');
        let name = words.next().unwrap_or_default();
        let form = words.next_back().unwrap_or_default();
        let mods = ["rn", "rz", "rm", "rp", "ftz", "sat", "relu"];
        ["add", "sub", "mul", "fma", "neg", "abs"].contains(&name)
            && ["f16", "bf16", "f32", "f64"].contains(&form)
            && words.all(|word| mods.contains(&word))
    };
    let mut due: Vec<&str> = Variant::all().iter().filter(has).map(Variant::text).collect();
    let report = report(&format!("ptx,vectors=60:{}", python()), &["*"]);
    let ran = report.variants.iter().filter(|variant| variant.status != Status::Unsupported);
    let mut ran: Vec<(&str, Status)> = ran.map(|variant| (&*variant.variant, variant.status)).collect();
    due.sort_unstable();
    ran.sort();
    assert_eq!(ran, due.iter().map(|&name| (name, Status::Pass)).collect::<Vec<_>>());
    assert!(due.len() > 140, "{}", due.len());
    let reason = variant(&report, "min.f32").reason.as_deref();
    assert_eq!(reason, Some("min.f32 is not implemented"));
}

#[test]
fn the_example_in_c_is_right() {
    let (_folder, path) = compiled(
        &protocol().join("emulator.c"),
        "emulator.so",
        &["-shared", "-fPIC", "-ffp-contract=off"],
    );
    let report = report(&format!("ptx:{path}"), &["add.f32", "mul.f64", "sub.f64"]);
    let status = |name| variant(&report, name).status;
    assert_eq!(
        ["add.f32", "mul.f64", "sub.f64"].map(status),
        [Status::Pass, Status::Pass, Status::Unsupported]
    );
    assert_eq!(report.implementation.version, "example.c 1");
    let reason = variant(&report, "sub.f64").reason.as_deref();
    assert_eq!(reason, Some("neither add.f32 nor mul.f64"));
}

fn faulty() -> (TempDir, String) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/processes/faulty_emulator.c");
    compiled(&source, "faulty.so", &["-shared", "-fPIC"])
}

/// An emulator is said to lack the variants that it does not survive, and nothing else is lost by that.
#[test]
fn an_emulator_that_goes_wrong_costs_what_it_goes_wrong_in() {
    let (_folder, path) = faulty();
    let only =
        ["abs.f32", "mul.f32", "sub.f32", "add.f64", "sqrt.rn.f32", "add.f32", "neg.f32", "neg.f64"];
    let report = report(&format!("ptx,deadline=2:{path}"), &only);
    let reason = |name| {
        let variant = variant(&report, name);
        assert_eq!(variant.status, Status::Unsupported, "{name}");
        variant.reason.clone().unwrap()
    };
    assert_eq!(reason("abs.f32"), "no abs");
    assert!(reason("mul.f32").starts_with("it ended (signal: 6 (SIGABRT)"), "{}", reason("mul.f32"));
    assert!(reason("sub.f32").starts_with("it ended (exit status: 0"), "{}", reason("sub.f32"));
    assert!(reason("add.f64").starts_with("no answer in 2 s"), "{}", reason("add.f64"));
    assert!(reason("sqrt.rn.f32").starts_with("it ended (signal: 11"), "{}", reason("sqrt.rn.f32"));
    assert_eq!(reason("add.f32"), "no sums today (error 7)");
    assert_eq!(variant(&report, "neg.f32").status, Status::Pass);
    let forgetful = variant(&report, "neg.f64");
    let classes: Vec<&str> = forgetful.classes.iter().map(|class| &*class.id).collect();
    assert_eq!(classes, ["neg.f64/unwritten"]);
    let asked: u64 = forgetful.sweeps.iter().map(|sweep| sweep.vectors).sum();
    let lost = forgetful.classes[0].count;
    assert!(lost > asked / 10 && lost < asked / 10 * 9, "{lost} of {asked}");
}

/// A second run asks an emulator nothing again, unless it is told to, the emulator is another, or the file is
/// damaged.
#[test]
fn what_an_emulator_has_is_remembered_until_something_changes() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("emulator.py");
    // This emulator notes each kernel that it is given.
    let text = std::fs::read_to_string(protocol().join("emulator.py")).unwrap();
    let loading = "if verb == \"load\":\n";
    let noting = "            open(\"loads\", \"a\").write(words[0] + \"\\n\")\n";
    let text = text.replace(loading, &format!("{loading}{noting}"));
    std::fs::write(&script, &text).unwrap();
    let loads = || {
        let path = folder.path().join("loads");
        let loads = std::fs::read_to_string(&path).unwrap_or_default();
        let _ = std::fs::remove_file(path);
        loads.lines().filter(|line| *line == "testp_finite_f32").count()
    };
    let run = |implementation: &str| {
        let (output, report) = run_in(folder.path(), implementation, &["add.f32", "testp.*.f32"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let report = report.unwrap_or_else(|| panic!("{said}"));
        assert_eq!(variant(&report, "add.f32").status, Status::Pass);
        assert_eq!(variant(&report, "testp.finite.f32").status, Status::Unsupported);
        said
    };
    let plain = "ptx,vectors=20:python3 emulator.py";
    run(plain);
    assert_eq!(loads(), 1);
    let said = run(plain);
    assert!(said.contains("Using the emulator's earlier answers"), "{said}");
    assert_eq!(loads(), 0);
    run("ptx,ask,vectors=20:python3 emulator.py");
    assert_eq!(loads(), 1);
    run("ptx,vectors=20,version=4.2:python3 emulator.py");
    assert_eq!(loads(), 1, "the text of the kernel is another");
    let kept: Vec<_> = std::fs::read_dir(folder.path().join("target/emulators")).unwrap().collect();
    let [Ok(kept)] = &kept[..] else { panic!("{kept:?}") };
    let sealed = std::fs::read_to_string(kept.path()).unwrap();
    std::fs::write(kept.path(), sealed.replacen("is not implemented", "was not implemented", 1))
        .unwrap();
    let said = run(plain);
    assert!(
        said.contains("is not used, because it is damaged: it was changed after it was written"),
        "{said}"
    );
    assert_eq!(loads(), 1);
    std::fs::write(&script, text + "# another\n").unwrap();
    run(plain);
    assert_eq!(loads(), 1, "the emulator is another");
}

#[test]
fn emulators_that_cannot_be_used_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str, words: &[&str]| {
        assert_refused(&run_in(folder.path(), name, &["add.f32"]).0, words);
    };
    refused("ptx:", &["has no command or library", "ptx:COMMAND", "ptx:LIBRARY.so"]);
    refused("ptx:/no/such/command", &["command not found: `/no/such/command`"]);
    refused("ptx:/no/such.so", &["the file /no/such.so does not exist"]);
    refused(
        "ptx:echo hello",
        &["it answered `hello` instead of: ptx-emulator 1 NAME VERSION", "emulators.md"],
    );
    refused("ptx:true", &["it ended (exit status: 0)", "emulators.md"]);
    refused("ptx,patience=1:true", &["unknown option `patience=1`", "target=sm_35"]);
    refused("ptx,target=sm_1:true", &["sm_1"]);
    let (_folder, path) = compiled(&protocol().join("library.c"), "other.so", &["-shared", "-fPIC"]);
    refused(&format!("ptx:{path}"), &["does not export ptx_emulator_load", "ptx_emulator.h"]);
}

/// An emulator that answers rubbish to a question does not have the variant, and the reason says so.
#[test]
fn rubbish_is_no_support() {
    let greeting = "read line; echo ptx-emulator 1 rubbish 0; read line; echo perhaps; cat > /dev/null";
    let folder = tempfile::tempdir().unwrap();
    let (output, _) = run_in(folder.path(), &format!("ptx:sh -c '{greeting}'"), &["add.f32"]);
    let words =
        ["none of the 1 selected variants", "it answered `perhaps` instead of: loaded, or no REASON"];
    assert_refused(&output, &words);
}
