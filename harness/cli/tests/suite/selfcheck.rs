//! Tests of a small self-check: it covers what it says, and it would notice a mistake.

use std::process::Command;

use isa::Variant;
use selfcheck::apfloat::Apfloat;
use selfcheck::{Computation, Depth, Reference, SelfcheckReport, SelfcheckRequest, VectorRange};

const SHALLOW: Depth = Depth { vectors: 1 << 9, exhaustive: false };

fn check(only: &[&str], references: &[Box<dyn Reference>]) -> SelfcheckReport {
    let jobs = std::thread::available_parallelism().map_or(1, |jobs| jobs.get());
    let only = only.iter().map(|&pattern| pattern.to_owned()).collect();
    let request = SelfcheckRequest { only, depth: SHALLOW, jobs };
    selfcheck::run(&request, references, &|_| {}, &|_| {}).unwrap()
}

#[test]
fn oracle_and_references_agree_on_every_variant() {
    let report = check(&[], &selfcheck::references());
    assert!(!report.differs(), "{}", report.text());
    let [apfloat, emulator, tables] = report.references.as_slice() else { panic!("three references") };
    for summary in [apfloat, emulator] {
        let excluded: u64 = summary.excluded.values().sum();
        assert_eq!(summary.variants + excluded, Variant::all().len() as u64, "{}", summary.reference);
    }
    // Excluded are square roots, approximations, instructions that are random or merely move bits, and one known
    // defect.
    assert_eq!(apfloat.excluded.values().sum::<u64>(), 90, "{:?}", apfloat.excluded);
    assert!(emulator.variants > 1400 && tables.variants == 12, "{}", report.text());
}

/// A reference that answers for `asked` what `rustc_apfloat` computes for `answered`: it has mistaken one
/// instruction for another.
struct Mistaken {
    asked: &'static str,
    answered: &'static str,
}

impl Reference for Mistaken {
    fn name(&self) -> &'static str {
        "mistaken"
    }

    fn excluded(&self, variant: &Variant) -> Option<&'static str> {
        Apfloat.excluded(variant)
    }

    fn batches(&self, variant: &Variant, depth: &Depth) -> Vec<VectorRange> {
        Apfloat.batches(variant, depth)
    }

    fn computation(&self, variant: &Variant) -> Computation {
        assert_eq!(variant.text(), self.asked);
        Apfloat.computation(&self.answered.parse().unwrap())
    }
}

#[test]
fn a_reference_that_is_mistaken_is_noticed() {
    let mistakes = [
        ("add.rn.f32", "add.rz.f32"),
        ("mul.rm.f64", "mul.rz.f64"),
        ("fma.rn.f16", "fma.rn.ftz.f16"),
        ("div.rn.f32", "div.rn.ftz.f32"),
        ("fma.rn.sat.f32.bf16", "fma.rn.f32.bf16"),
        ("mul.rn.e4m3x4.e5m2x4.e2m1x4", "mul.rn.satfinite.e4m3x4.e5m2x4.e2m1x4"),
        ("cvt.rn.f16.f32", "cvt.rz.f16.f32"),
        ("cvt.rna.tf32.f32", "cvt.rn.tf32.f32"),
        ("cvt.rni.s32.f32", "cvt.rzi.s32.f32"),
        ("cvt.rn.f32.s64", "cvt.rp.f32.s64"),
        ("cvt.rz.ue8m0x2.f32", "cvt.rp.ue8m0x2.f32"),
        ("cvt.rn.satfinite.s2f6x2.f32", "cvt.rz.satfinite.s2f6x2.f32"),
        ("cast.rn.e4m3fnuz.f32", "cast.rna.e4m3fnuz.f32"),
        ("setp.lt.f32", "setp.le.f32"),
        ("min.NaN.f16", "min.f16"),
        ("testp.normal.f64", "testp.finite.f64"),
    ];
    for (asked, answered) in mistakes {
        let report = check(&[asked], &[Box::new(Mistaken { asked, answered })]);
        assert!(report.differs(), "{answered} passes for {asked}");
        let example = &report.references[0].examples[0];
        assert!(report.text().contains(&format!("{asked} differs from mistaken: {}", example.vector)));
        assert_ne!(example.oracle, example.reference);
    }
}

#[test]
fn the_command_tells_by_its_exit_code() {
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
        command.arg("selfcheck").args(arguments).output().unwrap()
    };
    let good = run(&["--only", "cvt.rn.satfinite.e4m3x2.f16x2", "--format", "json"]);
    assert_eq!(good.status.code(), Some(0), "{}", String::from_utf8_lossy(&good.stderr));
    let report: serde_json::Value = serde_json::from_slice(&good.stdout).unwrap();
    // Both references that compute try all 2^16 inputs of a lane.
    let vectors = |at: usize| report["references"][at]["vectors"].as_u64();
    assert_eq!([vectors(0), vectors(1), vectors(2)], [Some(1 << 16), Some(1 << 16), Some(2448)]);
    for (pattern, words) in
        [("cvt.nothing", "matches no variant"), ("sqrt.rn.f32", "it has no square root")]
    {
        let bad = run(&["--only", pattern]);
        assert_eq!(bad.status.code(), Some(2));
        let text = String::from_utf8_lossy(&bad.stderr);
        assert!(text.starts_with("error: ") && text.contains(words), "{text}");
    }
}
