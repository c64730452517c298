//! Tests of a library in the fuzzer's own process; `.ci/needle` checks that libFuzzer sees its branches.

use std::path::Path;
use std::process::Command;

use formats::RowBits;
use implementations::{Implementation, Support, library};
use isa::Variant;
use runner::{BlockJudge, Judging};
use selection::subject::Subject;

fn variant(text: &str) -> &'static Variant {
    Variant::all().iter().find(|variant| variant.text() == text).unwrap()
}

#[test]
fn a_library_is_called_where_it_was_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("needle.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/needle/needle.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-O1", "-shared", "-fPIC", "-o"]).arg(&library).arg(source).arg("-lm");
    assert!(compiler.status().unwrap().success());
    let needle = library::in_process(&format!("lib:{}", library.display())).unwrap();
    assert_eq!(needle.describe().version, "needle 1.0");
    assert!(
        matches!(needle.support(variant("mul.f16")), Support::No(reason) if reason.contains("alone"))
    );
    let fma = variant("fma.rn.f16");
    assert_eq!(needle.support(fma), Support::Yes);
    let mut worker = needle.worker().unwrap();
    let mut judge = BlockJudge::new(Subject::Variant(fma), Judging::Mpfr);
    let rows = [[0x5a3c, 0x1c97, 0xb46f], [0x5a3c, 0x1c97, 0xb46e], [0x7c00, 0, 0x3c00]];
    let rows = rows.map(|row| row.map(RowBits::from).to_vec());
    let tally = judge.run_rows(&rows, 0, worker.as_mut()).unwrap();
    assert_eq!((tally.confirmed, tally.mismatches), (3, 1));
    assert_eq!(tally.classes.values().next().unwrap().examples[0].index, 1);
}

#[test]
fn what_is_no_library_is_said_in_one_line() {
    for name in ["emulator", "exec:./client", "lib,deadline=3:./libmine.so", "lib:/nowhere.so"] {
        let error = library::in_process(name).err().unwrap();
        let text = format!("{error:#}");
        assert!(text.lines().count() == 1 && text.contains(name.trim_start_matches("lib:")), "{text}");
    }
}
