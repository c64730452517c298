//! `qualify`, and the script that asks a GPU everything.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use vectors::isa::Relaxation;

use super::{Machine, said};

const ONLY: [&str; 4] = ["--only", "fma.rn.bf16", "--only", "tanh.approx.f32"];

#[test]
fn a_record_has_the_device_as_it_was_found_and_can_be_compared() {
    let mut machine = Machine::with("");
    let asked = machine.path().join("nvidia-smi");
    let answer = "#!/bin/sh\necho '96.00.89.00.01, 345 MHz, 1980 MHz, 2619 MHz, 2619 MHz, Enabled'\n";
    std::fs::write(&asked, answer).unwrap();
    std::fs::set_permissions(&asked, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", machine.path().display(), std::env::var("PATH").unwrap());
    let record = |machine: &Machine, out: &str| {
        let mut command = machine.command();
        command.env("PATH", &path).args(["qualify", "--impl", "cuda:0", "--out", out]).args(ONLY);
        command.output().unwrap()
    };
    let output = record(&machine, "one");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let page = std::fs::read_to_string(machine.path().join("one/summary.md")).unwrap();
    for words in ["Fake 0 (GPU-ffffffff-", "CUDA 13.0, PTX 9.0", "VBIOS 96.00.89.00.01", "ECC Enabled"] {
        assert!(page.contains(words), "no {words} in {page}");
    }
    // A second record of it does not replace the first.
    assert_eq!(record(&machine, "one").status.code(), Some(2));
    machine.settings = "wrong=fma.rn.bf16".into();
    assert_eq!(record(&machine, "two").status.code(), Some(1));
    let compare = |others: [&str; 2]| {
        machine.command().args(["qualify", "--compare"]).args(others).output().unwrap()
    };
    assert_eq!(compare(["one", "one"]).status.code(), Some(0));
    let differ = compare(["one", "two"]);
    assert_eq!(differ.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&differ.stdout).contains("fma.rn.bf16"));
}

/// It has the driver answer each point, and says which interpretation each answer follows.
#[test]
fn points_that_the_manual_leaves_open_are_asked() {
    let machine = Machine::with("");
    let output = machine.command().args(["qualify", "--probe"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.starts_with("# cuda:0; Fake 0") && text.contains("mul.rn.ftz.f32"), "{text}");
}

/// It ends in time, notes how each step ended, and leaves what was found. On a busy machine the first
/// steps take longer, so it has more time until they are done.
#[test]
fn one_script_asks_everything_in_a_given_time() {
    let asked = ["8", "20", "60", "180"].iter().any(|seconds| asks_in(seconds));
    assert!(asked, "not even the quick tier of one variant was done in three minutes");
}

/// Whether the quick tier was done in so many seconds; what came behind it is tested then.
fn asks_in(seconds: &str) -> bool {
    let machine = Machine::with("");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.ci/gpu");
    let mut command = machine.program(script.to_str().unwrap());
    command.args([env!("CARGO_BIN_EXE_conformance"), "out"]);
    command.env("SECONDS_MAX", seconds).env("ONLY", "fma.rn.bf16").env("PARTS", "2");
    command.env("MATRICES", "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32");
    let output = command.output().unwrap();
    let times = std::fs::read_to_string(machine.path().join("out/times.txt")).unwrap();
    let noted = |line: &str| times.lines().any(|found| found.starts_with(line));
    if !noted("quick: exit code 0") || noted("space-mul.f16: no time left") {
        return false;
    }
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    // All pairs of operands take longer than there is time.
    for line in ["matrices-0: exit code 0", "model-0: exit code 0", "identify: exit code 0"] {
        assert!(noted(line), "no {line} in {times}");
    }
    for line in ["opt-3: exit code 0", "constants-2: exit code 0", "constants-merged: exit code 0"] {
        assert!(noted(line), "no {line} in {times}");
    }
    for line in ["probe: exit code 0", "space-mul.f16: exit code 124", "functions: no time left"] {
        assert!(noted(line), "no {line} in {times}");
    }
    for report in ["record", "constants-merged", "space-mul.f16"].map(|of| format!("{of}/report.json")) {
        reports::load(&machine.path().join("out").join(report)).unwrap();
    }
    true
}

/// What the table says of a device is what its published record counted: each answer there is one that it names, and
/// it names none that is not there.
#[test]
fn what_was_seen_of_a_device_is_in_its_record() {
    let mut counted = BTreeSet::new();
    let page = include_str!("../../../../reports/published/cuda-h200-2026-11-26/summary.md");
    let answers = page
        .lines()
        .filter_map(|line| line.strip_prefix("- ")?.strip_suffix(" times")?.split_once(": "));
    counted.extend(answers.map(|(name, answer)| {
        let (answer, _) = answer.rsplit_once(", ").unwrap();
        (name.to_owned(), answer.to_owned())
    }));
    let spaces = include_str!("../../../../reports/published/cuda-h200-2026-11-26/spaces.json");
    let spaces: serde_json::Value = serde_json::from_str(spaces).unwrap();
    for variant in spaces["variants"].as_array().unwrap() {
        for choice in variant["relaxations"].as_array().into_iter().flatten() {
            let name = choice["name"].as_str().unwrap();
            let answers = choice["answers"].as_object().unwrap();
            counted.extend(answers.keys().map(|answer| (name.to_owned(), answer.clone())));
        }
    }
    let mut compared = 0;
    for relaxation in Relaxation::ALL {
        let seen = relaxation
            .seen()
            .iter()
            .find(|(device, _)| *device == "NVIDIA H200")
            .map_or("", |seen| seen.1);
        let answers: Vec<&str> = counted
            .iter()
            .filter(|(name, _)| name == relaxation.name())
            .map(|(_, answer)| &**answer)
            .collect();
        let says = |answer: &str| answer.split(" or ").any(|one| seen.contains(one));
        assert!(
            answers.iter().all(|answer| says(answer)),
            "{}: {seen}, and not {answers:?}",
            relaxation.name()
        );
        let named = relaxation.interpretations().iter().filter(|one| seen.contains(**one));
        let missing: Vec<_> =
            named.filter(|one| !answers.iter().any(|answer| answer.contains(**one))).collect();
        // The summary has the first twenty answers; of how near a function comes one may be behind them.
        let known = answers.is_empty() || !relaxation.is_of_sentence();
        assert!(known || missing.is_empty(), "{}: {missing:?}, of {answers:?}", relaxation.name());
        compared += usize::from(!answers.is_empty());
    }
    assert_eq!(compared, 16);
}
