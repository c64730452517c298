//! Tests that the clients which are meant to be copied speak both dialects, and are right.

use std::process::Command;

use reports::{Report, Status};

use super::{compiled, protocol, report, run, statuses};
use crate::common::assert_refused;

/// Asserts that a run agrees on each of these variants, and lacks the last.
fn agrees(report: &Report, variants: &[&str], lacks: &str, reason: &str) {
    let mut expected: Vec<(&str, Status)> =
        variants.iter().map(|variant| (*variant, Status::Pass)).collect();
    expected.push((lacks, Status::Unsupported));
    expected.sort();
    assert_eq!(statuses(report), expected);
    let lacking = report.variants.iter().find(|variant| variant.variant == lacks).unwrap();
    assert_eq!(lacking.reason.as_deref(), Some(reason));
}

#[test]
fn the_client_in_python_speaks_both_dialects() {
    let client = protocol().join("client.py");
    let variants = ["mul.f16", "setp.lt.f32"];
    for (dialect, version, reason) in [
        ("exec", "python-client 1", "it is not among this client's functions"),
        ("text", "not stated", "the command does not list it"),
    ] {
        let name = format!("{dialect}:python3 '{}'", client.display());
        let report = report(&name, &["mul.f16", "setp.lt.f32", "sqrt.rn.f32"]);
        assert_eq!((&*report.implementation.name, &*report.implementation.version), (&*name, version));
        agrees(&report, &variants, "sqrt.rn.f32", reason);
    }
}

#[test]
fn the_client_in_c_speaks_both_dialects() {
    let (_directory, client) = compiled(&protocol().join("client.c"), "client", &[]);
    let variants = ["fma.rn.f32", "neg.f16"];
    for (dialect, reason) in
        [("exec", "it is not among this client's functions"), ("text", "the command does not list it")]
    {
        let report = report(&format!("{dialect}:{client}"), &["fma.rn.f32", "neg.f16", "abs.f16"]);
        agrees(&report, &variants, "abs.f16", reason);
    }
}

/// The client in Perl speaks both dialects; it was written by someone who knew only what the protocol's page says.
#[test]
fn the_client_in_perl_speaks_both_dialects() {
    if Command::new("perl").arg("-v").output().is_err() {
        base::terminal::say("not tested: there is no perl here");
        return;
    }
    let client = protocol().join("client.pl");
    let variants = ["copysign.f64", "max.xorsign.abs.f16", "abs.bf16", "set.ltu.u32.f32"];
    for (dialect, reason) in
        [("exec", "it is not among this client's functions"), ("text", "the command does not list it")]
    {
        let name = format!("{dialect},deadline=60:perl '{}'", client.display());
        let report = report(&name, &[&variants[..], &["abs.f16"]].concat());
        agrees(&report, &variants, "abs.f16", reason);
    }
}

/// The example on the page of the protocol shows what the client prints.
#[test]
fn the_page_s_example_is_real() {
    let page = std::fs::read_to_string(protocol().join("README.md")).unwrap();
    let example = page.split("    $ ").nth(1).unwrap();
    let mut lines = example.lines();
    let command = lines.next().unwrap().replace("./client", "python3 client.py");
    let shown: Vec<&str> = lines.map_while(|line| line.strip_prefix("    ")).collect();
    let shell = Command::new("sh").args(["-c", &command]).current_dir(protocol()).output();
    let output = shell.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed.lines().collect::<Vec<_>>(), shown);
}

/// Commands that the suite cannot speak to are refused, each in one line that says what to do.
#[test]
fn commands_that_cannot_be_spoken_to_are_refused() {
    for (name, words) in [
        ("exec:/no/such/command", &["command not found: `/no/such/command`", "path"][..]),
        ("exec:/etc", &["`/etc`", "make it executable"]),
        ("exec:./client.py", &["command not found: `./client.py`"]),
        ("exec:", &["has no command or path", "exec:COMMAND"]),
        ("exec:'sh", &["quotation mark"]),
        ("exec,deadline=0:sh", &["`deadline=0`", "deadline=SECONDS"]),
        ("exec,jobs=2:sh", &["`jobs=2`", "deadline=SECONDS"]),
        ("exec:true", &["it ended (exit status: 0)", "harness/protocol/README.md"]),
        ("exec:sh -c 'echo here >&2; exit 7'", &["(exit status: 7)", "it said: here"]),
        ("exec:echo ptx-conformance 2 x", &["`ptx-conformance 2 x`", "ptx-conformance 1 NAME VERSION"]),
        ("exec,start=1:sleep 50", &["no answer in 1 s (start=1)"]),
        ("exec,start=1,deadline=50:sleep 50", &["no answer in 1 s (start=1)"]),
        ("exec,start=0:sh", &["`start=0`", "start=SECONDS"]),
        ("text:echo", &["lists a variant that does not exist", "`variants`"]),
        ("text:false", &["it ended (exit status: 1)"]),
    ] {
        let (output, report) = run(name, &["mul.f16"]);
        assert_refused(&output, words);
        assert!(report.is_none());
    }
    let script = tempfile::NamedTempFile::new().unwrap();
    let (output, _) = run(&format!("exec:{}", script.path().display()), &["mul.f16"]);
    assert_refused(&output, &["cannot be executed", "name its interpreter"]);
}
