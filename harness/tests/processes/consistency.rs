//! Programs that read one sentence of the manual in two ways.

use reports::Status;

use super::{run, statuses};

/// `.sat` of numbers and of numbers rounded to integers, where `KEPT` says which zeros stay negative.
const CLIENT: &str = r#"
import sys
variant = sys.argv[1]
if variant == "variants":
    print("cvt.sat.f16.f16\ncvt.sat.f32.f32\ncvt.rni.sat.f16.f16")
    sys.exit()
wide = variant.endswith("f32")
sign, one, infinity = (1 << 31, 0x3f800000, 0x7f800000) if wide else (1 << 15, 0x3c00, 0x7c00)
for line in sys.stdin:
    a = int(line, 16)
    magnitude = a & (sign - 1)
    zero = magnitude <= 0x3800 if "rni" in variant else magnitude == 0
    if magnitude > infinity:
        result = 0
    elif zero:
        result = a & sign if KEPT else 0
    elif a & sign:
        result = 0
    else:
        result = one if "rni" in variant else min(a, one)
    print("%0*x" % (8 if wide else 4, result))
"#;

fn client(kept: &str) -> (tempfile::TempDir, String) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("client.py");
    std::fs::write(&path, CLIENT.replace("KEPT", kept)).unwrap();
    let command = format!("text,deadline=60:python3 {}", path.display());
    (directory, command)
}

/// Each result is right by some interpretation, and all by none.
#[test]
fn a_variant_that_is_read_in_two_ways_is_told() {
    let (_directory, command) = client("magnitude % 2");
    let (output, report) = run(&command, &["cvt.rni.sat.f16.f16"]);
    let report = report.unwrap();
    let variant = &report.variants[0];
    assert_eq!((variant.status, variant.mismatches, output.status.code()), (Status::Pass, 0, Some(0)));
    let [inconsistency] = &report.inconsistencies[..] else { panic!("{:?}", report.inconsistencies) };
    assert_eq!(inconsistency.scope, "cvt.rni.sat.f16.f16");
    let shown: Vec<(&str, u64)> = inconsistency
        .answers
        .iter()
        .map(|answer| {
            let [operand, result] = [&answer.example.operands, &answer.example.actual]
                .map(|data| data[0].lanes[0].bits.clone());
            assert_eq!(answer.answer == "-0", result == "0x8000", "{operand} {result}");
            (&*answer.answer, answer.count)
        })
        .collect();
    assert!(matches!(shown[..], [("+0", 1..), ("-0", 1..)]), "{shown:?}");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("where one interpretation should hold"), "{said}");
}

/// What is read one way in each variant, and not in all, is told and fails nothing.
#[test]
fn variants_of_a_section_that_are_read_apart_are_told() {
    let (_directory, command) = client("wide");
    let only = ["cvt.sat.f16.f16", "cvt.sat.f32.f32", "cvt.rni.sat.f16.f16"];
    let (output, report) = run(&command, &only);
    let report = report.unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(statuses(&report).iter().all(|(_, status)| *status == Status::Pass));
    let [inconsistency] = &report.inconsistencies[..] else { panic!("{:?}", report.inconsistencies) };
    assert_eq!((&*inconsistency.scope, &*inconsistency.relaxation), ("PTX ISA 9.7.10.24", "zero-sign"));
    let variants: Vec<_> =
        inconsistency.answers.iter().map(|a| (&*a.answer, a.variant.contains("f32"))).collect();
    assert_eq!(variants, [("+0", false), ("-0", true)]);
}

#[test]
fn one_interpretation_throughout_is_consistent() {
    for kept in ["True", "False"] {
        let (_directory, command) = client(kept);
        let (output, report) = run(&command, &["cvt.rni.sat.f16.f16", "cvt.sat.f*"]);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(report.unwrap().inconsistencies, []);
    }
}
