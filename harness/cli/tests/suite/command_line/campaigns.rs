//! Tests of `fuzz` campaigns: the artifacts that one kept are tried again and reported as a run is.

use std::path::Path;
use std::process::Output;

use findings::campaign::FuzzCase;
use isa::Variant;
use reports::{Artifact, ArtifactStatus, Campaign, Report};
use serde_json::Value;

use super::{findings, output, plain, report};
use crate::common::assert_refused;

/// Vectors on which the canary is wrong, in four classes and by three faults, one class twice: variant, kind and
/// operands.
const FOUND: [(&str, &str, &[u64]); 5] = [
    ("mul.rn.f16", "ulp-above", &[0x5880, 0x0195]),
    ("mul.rn.f16", "ulp-above-2", &[0x5480, 0x0195]),
    ("fma.rn.f16x2", "ulp-above", &[0xbc6d_6e00, 0xfcb6_c14d, 0x849a_1b4a]),
    ("fma.rn.f16x2", "zero-sign", &[0x7920_83c0, 0x8e8c_0400, 0x83fe_0000]),
    ("abs.bf16", "zero-appeared", &[0x807f]),
];

/// Writes artifacts into a folder as the fuzzer does.
fn keep(folder: &Path, implementation: &str) {
    let folder = folder.join("differential");
    std::fs::create_dir_all(&folder).unwrap();
    let mut list = String::new();
    for (text, kind, operands) in FOUND {
        let variant = Variant::all().iter().find(|variant| variant.text() == text).unwrap();
        let path = folder.join(format!("canary-{variant}-{kind}"));
        std::fs::write(path, FuzzCase::new(variant, operands).to_bytes()).unwrap();
        list += &format!("{implementation}/{variant}/{kind}: a=… expected …\n");
    }
    std::fs::write(folder.join("findings.txt"), list).unwrap();
}

fn campaign(folder: &Path, more: &[&str]) -> Output {
    let arguments = ["fuzz", "report", "--artifacts", folder.to_str().unwrap()];
    output(&[&arguments, more].concat(), &folder.join("out"))
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn loaded(folder: &Path) -> (Report, Campaign) {
    let report = reports::load(&folder.join("out/report.json")).unwrap();
    let campaign = report.campaign.clone().unwrap();
    (report, campaign)
}

/// The report of a campaign has each class once, with the simplest vector, and each fault once, with its classes;
/// nothing is claimed of vectors that were not kept.
#[test]
fn what_was_kept_becomes_the_report_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    keep(folder.path(), "canary");
    let run = campaign(folder.path(), &[]);
    assert_eq!(run.status.code(), Some(1), "{}", said(&run));
    let (report, campaign) = loaded(folder.path());
    assert_eq!(report.contradictions(), Vec::<String>::new());
    assert_eq!((&*report.plan.tier, report.totals.vectors, report.totals.mismatches), ("fuzz", 5, 5));
    assert_eq!(report.reduced, ["Only the vectors of 5 files that a fuzz campaign kept."]);
    let classes = report.variants.iter().flat_map(|variant| &variant.classes);
    let simplest: Vec<(&str, Vec<&str>)> = classes
        .map(|class| {
            let operands = &class.simplest.as_ref().unwrap().operands;
            (&*class.id, operands.iter().map(|operand| &*operand.bits).collect())
        })
        .collect();
    assert_eq!(
        simplest,
        [
            ("mul.rn.f16/ulp-above", vec!["0x4480", "0x0001"]),
            ("fma.rn.f16x2/zero-sign", vec!["0x00008040", "0x00002000", "0x00000000"]),
            ("fma.rn.f16x2/ulp-above", vec!["0x00003e00", "0x00003c01", "0x00001400"]),
            ("abs.bf16/zero-appeared", vec!["0x0001"]),
        ]
    );
    let causes: Vec<(&str, usize)> =
        campaign.causes.iter().map(|cause| (&*cause.words, cause.classes.len())).collect();
    assert_eq!(
        causes,
        [
            ("ties are rounded away from zero", 1),
            ("the product is rounded before the addition", 2),
            ("subnormal inputs are flushed although they should stay", 1),
        ]
    );
    assert!(campaign.artifacts.iter().all(|artifact| artifact.status == ArtifactStatus::Fails));
}

/// The report of a campaign is taken by everything that takes a report, and another try finds the same.
#[test]
fn its_report_is_one_like_others() {
    let folder = tempfile::tempdir().unwrap();
    keep(folder.path(), "canary");
    let first = {
        campaign(folder.path(), &["--jobs", "1"]);
        report(&folder.path().join("out"))
    };
    let schema: Value = serde_json::from_str(reports::SCHEMA_JSON).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(validator.is_valid(&first));
    let path = folder.path().join("out/report.json");
    let path = path.to_str().unwrap();
    let page = folder.path().join("page.html");
    for (arguments, code, words) in [
        (&["report", "validate", path][..], 0, "is a report of canary"),
        (&["report", "show", path], 1, "5 artifacts of fuzzing: 5 fail"),
        (&["report", "junit", path], 0, "what fuzzing kept"),
        (&["report", "html", path, "--out", page.to_str().unwrap()], 0, ""),
        (&["replay", path], 1, "9 of 9 mismatches occur with canary."),
    ] {
        let done = plain(arguments);
        assert!(said(&done).contains(words), "{arguments:?}: {}", said(&done));
        assert!(arguments[1] == "show" || done.status.code() == Some(code), "{arguments:?}");
    }
    assert!(std::fs::read_to_string(page).unwrap().contains("5 fail"));
    campaign(folder.path(), &["--jobs", "3"]);
    assert_eq!(findings(report(&folder.path().join("out"))), findings(first));
}

/// An artifact that fails no more is named, and its file stays.
#[test]
fn what_fails_no_more_is_named() {
    let folder = tempfile::tempdir().unwrap();
    keep(folder.path(), "canary");
    let run = campaign(folder.path(), &["--impl", "emulator"]);
    assert_eq!(run.status.code(), Some(0), "{}", said(&run));
    assert!(said(&run).contains("5 artifacts of fuzzing: 5 no longer fail\n"), "{}", said(&run));
    for (variant, kind, _) in FOUND {
        let name = format!("differential/canary-{variant}-{kind}");
        assert!(said(&run).contains(&format!("\n  agrees {name}\n")), "{}", said(&run));
        assert!(folder.path().join(name).exists());
    }
    assert!(loaded(folder.path()).1.causes.is_empty());
}

/// A damaged artifact is neither skipped nor called right: a finding that cannot be read is not said to be gone.
#[test]
fn a_damaged_artifact_is_neither_skipped_nor_right() {
    let folder = tempfile::tempdir().unwrap();
    keep(folder.path(), "canary");
    let place = |name: &str| folder.path().join("differential").join(name);
    let right = std::fs::read(place("canary-abs.bf16-zero-appeared")).unwrap();
    std::fs::write(place("cut"), &right[..9]).unwrap();
    std::fs::write(place("of-another-table"), [&[!right[0]], &right[1..]].concat()).unwrap();
    let run = campaign(folder.path(), &["--impl", "emulator"]);
    assert_eq!(run.status.code(), Some(2), "{}", said(&run));
    let (_, campaign_) = loaded(folder.path());
    let unread = campaign_.artifacts.iter().filter(|of| of.status == ArtifactStatus::Unread);
    let unread: Vec<&str> = unread.filter_map(|Artifact { reason, .. }| reason.as_deref()).collect();
    assert_eq!(
        unread,
        [
            "it has 9 bytes, and a vector of abs.bf16 has 10",
            "its first 8 bytes (of 10) name no variant of this suite",
        ]
    );
    for reason in unread {
        assert!(said(&run).contains(reason), "{}", said(&run));
    }
    assert!(said(&run).contains("2 artifacts could not be read."), "{}", said(&run));
    // Failures are told before artifacts that could not be read.
    assert_eq!(campaign(folder.path(), &[]).status.code(), Some(1));
}

#[test]
fn it_has_to_be_known_what_is_tested() {
    let folder = tempfile::tempdir().unwrap();
    let none = campaign(folder.path(), &[]);
    assert_eq!(none.status.code(), Some(0));
    assert!(said(&none).starts_with("No artifacts in "), "{}", said(&none));
    keep(folder.path(), "exec:./client --fast");
    assert_refused(
        &campaign(folder.path(), &[]),
        &["`exec:./client --fast`", "name what to test with --impl"],
    );
    let list = folder.path().join("differential/findings.txt");
    let two =
        std::fs::read_to_string(&list).unwrap().replacen("exec:./client --fast/abs", "canary/abs", 1);
    std::fs::write(&list, two).unwrap();
    assert_refused(&campaign(folder.path(), &[]), &["`canary`, `exec:./client --fast`", "--impl"]);
    std::fs::remove_file(list).unwrap();
    assert_refused(&campaign(folder.path(), &[]), &["no findings.txt says", "--impl"]);
    let nowhere = plain(&["fuzz", "report", "--artifacts", "/nowhere/at/all"]);
    assert_refused(&nowhere, &["/nowhere/at/all"]);
    for (variant, kind, _) in FOUND {
        std::fs::remove_file(folder.path().join(format!("differential/canary-{variant}-{kind}")))
            .unwrap();
    }
    std::fs::write(folder.path().join("differential/notes"), "to do").unwrap();
    let foreign = campaign(folder.path(), &["--impl", "canary"]);
    assert_refused(
        &foreign,
        &["no vector can be read from 1 file", "differential/notes: its first 8 bytes (of 5)"],
    );
}
