//! Tests of programs that read one sentence of the manual in two ways.

use reports::Status;

use super::{run, statuses};

/// A client that computes `.sat` of numbers and of numbers rounded to integers; `KEPT` says which zeros stay
/// negative.
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

/// A variant is reported where each of its results is right by some interpretation, but no interpretation makes all
/// of them right.
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
    let [("+0", 1..), ("+0 or clamped first", 1..), ("-0", 1..)] = shown[..] else {
        panic!("{shown:?}")
    };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("where one interpretation should hold"), "{said}");
}

/// Variants of a section that are read in one way each, but not all in the same, are reported, and nothing fails
/// for it.
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
    let expected = [("+0", false), ("+0 or clamped first", false), ("-0 or clamped first", true)];
    assert_eq!(variants, expected);
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

/// A client that computes `cvt.rz.ue5m3x2.f32`. Numbers just beyond the largest are too large before they are
/// rounded, so that NaN or the largest number stands for them, by one interpretation or another. The client gives the
/// largest number; where `TURNS` is true it gives the two by turns, which no interpretation does.
const BY_TURNS: &str = r#"
import sys
if sys.argv[1] == "variants":
    print("cvt.rz.ue5m3x2.f32")
    sys.exit()
def narrowed(bits):
    bits &= 0x7fffffff
    if bits > 0x7f800000:
        return 0xff
    if bits >= 0x47f00000:
        return 0xff
    if bits > 0x47e00000:
        return 0xff if bits % 2 and TURNS else 0xfe
    if bits < 0x38800000:
        # Subnormal: in units of 2^-17.
        exponent = max(bits >> 23, 1)
        significand = bits & 0x7fffff | (1 << 23 if bits >> 23 else 0)
        return significand << 17 >> 150 - exponent if 150 - exponent < 64 else 0
    return (bits >> 20) - (127 - 15 << 3)
for line in sys.stdin:
    a, b = (int(word, 16) for word in line.split())
    print("%04x" % (narrowed(a) << 8 | narrowed(b)))
"#;

/// Points that meet in one answer are looked at together: here each answer shares an interpretation of each point
/// with every other answer, and no interpretation of both points fits all.
#[test]
fn points_that_meet_are_looked_at_together() {
    for turns in ["True", "False"] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("client.py");
        std::fs::write(&path, BY_TURNS.replace("TURNS", turns)).unwrap();
        let command = format!("text,deadline=60:python3 {}", path.display());
        let (output, report) = run(&command, &["cvt.rz.ue5m3x2.f32"]);
        let report = report.unwrap();
        assert_eq!(output.status.code(), Some(0), "{:?}", report.variants[0].classes);
        let told = &report.inconsistencies[..];
        if turns == "False" {
            assert_eq!(told, []);
            continue;
        }
        let [inconsistency] = told else { panic!("{told:?}") };
        assert_eq!(inconsistency.scope, "cvt.rz.ue5m3x2.f32");
        assert!(inconsistency.relaxation.contains("overflow-boundary × overflow-result"), "{told:?}");
        assert_eq!(inconsistency.answers.len(), 2, "{told:?}");
    }
}
