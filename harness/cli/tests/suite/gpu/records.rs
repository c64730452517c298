//! Tests of `qualify` on a GPU, and of the script that asks a GPU everything.

use std::path::{Path, PathBuf};

use isa::Relaxation;
use isa::matrix::SumRelaxation;
use reports::observed_answers::ObservedAnswers;

use super::{FakeMachine, said};

/// The name of the point that was demanded when the first records were judged, and is open since; the devices gave
/// what was demanded.
const DEMANDED: &str = "zero-dividend";

const ONLY: [&str; 4] = ["--only", "fma.rn.bf16", "--only", "tanh.approx.f32"];

#[test]
fn a_record_has_the_device_as_it_was_found_and_can_be_compared() {
    let mut machine = FakeMachine::with("");
    let asked = machine.path().join("nvidia-smi");
    let answer = "#!/bin/sh\necho '96.00.89.00.01, 345 MHz, 1980 MHz, 2619 MHz, 2619 MHz, Enabled'\n";
    crate::common::program(&asked, answer);
    let path = format!("{}:{}", machine.path().display(), std::env::var("PATH").unwrap());
    let record = |machine: &FakeMachine, out: &str| {
        let mut command = machine.command();
        command
            .env("PATH", &path)
            .args(["qualify", "--impl", "cuda:0", "--jobs", "2", "--out", out])
            .args(ONLY);
        command.output().unwrap()
    };
    let output = record(&machine, "one");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let page = std::fs::read_to_string(machine.path().join("one/summary.md")).unwrap();
    let of_nan = page.lines().filter(|line| line.starts_with("- any-nan: canonical "));
    assert!(of_nan.count() == 1 && page.matches("any-nan").count() == 1, "{page}");
    for words in ["Fake 0 (GPU-ffffffff-", "CUDA 13.0, PTX 9.0", "VBIOS 96.00.89.00.01", "ECC Enabled"] {
        assert!(page.contains(words), "no {words} in {page}");
    }
    // A second record of the machine does not replace the first.
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

/// The probe has the driver answer each point that the manual leaves open, and says which interpretation each
/// answer follows.
#[test]
fn points_that_the_manual_leaves_open_are_asked() {
    let machine = FakeMachine::with("");
    let output = machine.command().args(["qualify", "--probe"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.starts_with("# cuda:0; Fake 0") && text.contains("mul.rn.ftz.f32"), "{text}");
}

/// The script ends in time, notes how each step ended, and leaves what was found. On a busy machine the first steps
/// take longer, so it has more time until they are done.
#[test]
fn one_script_asks_everything_in_a_given_time() {
    let asked = ["8", "20", "60", "180"].iter().any(|seconds| asks_in(seconds));
    assert!(asked, "not even the quick tier of one variant was done in three minutes");
}

/// Returns whether the script did the quick tier in so many seconds; if it did, this tests what came behind that
/// tier.
fn asks_in(seconds: &str) -> bool {
    let machine = FakeMachine::with("");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.ci/gpu");
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
    // All pairs of operands take longer than there is time for.
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

/// The answers that are told of devices are those that the published record of each counted. Each answer there is
/// one that is named, and none is named that is not there; where all answers are those of one interpretation, it
/// alone is named.
#[test]
fn what_was_seen_of_devices_is_in_their_records() {
    let mut records = 0;
    for seen in reports::observed_answers::observed_answers() {
        for (folder, points) in &seen.records {
            let counted = published().join(folder).join("choices.txt");
            let counted = std::fs::read_to_string(&counted).unwrap_or_else(|_| panic!("{folder}"));
            assert_eq!(holds_what_was_counted(&counted, seen), *points, "{folder}");
            records += 1;
        }
    }
    assert!(records >= 3);
}

#[test]
fn what_was_seen_is_of_choices_that_the_manual_leaves() {
    let names: Vec<&str> = choices().map(|(name, _)| name).collect();
    for seen in reports::observed_answers::observed_answers() {
        for name in seen.answers.keys() {
            assert!(names.contains(&name.as_str()), "{}: {name}", seen.device);
        }
    }
}

/// The last column of the pages' tables has a device in its head, and what was seen of it beside each choice.
#[test]
fn pages_say_what_was_seen_of_a_device() {
    let pages = [
        include_str!("../../../../../docs/what/open-points.md"),
        include_str!("../../../../../docs/what/matrix-results.md"),
    ];
    let mut found = 0;
    for page in pages {
        let lines = page.lines().filter(|line| line.starts_with('|'));
        let rows: Vec<Vec<&str>> =
            lines.map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect()).collect();
        for (name, _) in choices() {
            let Some(at) = rows.iter().position(|row| row[0] == format!("`{name}`")) else { continue };
            let head = rows[..at].iter().rfind(|row| row[0] == "relaxation").expect("a head");
            let device = head.last().copied().unwrap_or_default();
            let seen =
                reports::observed_answers::observed_answers().iter().find(|seen| seen.device == device);
            let seen = seen.unwrap_or_else(|| panic!("nothing was seen of {device}"));
            let answer = seen.answers.get(name).map_or("–", String::as_str);
            assert_eq!(rows[at].last(), Some(&answer), "{name}");
            found += 1;
        }
    }
    assert_eq!(found, choices().count());
}

/// Returns every choice, of both tables, with its interpretations.
fn choices() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    let scalar = Relaxation::ALL.into_iter().map(|one| (one.name(), one.interpretations()));
    scalar.chain(SumRelaxation::ALL.iter().map(|one| (one.name(), one.answers())))
}

fn published() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports/published")
}

/// Asserts that what was seen is what a record counted, and returns how many points have been compared.
fn holds_what_was_counted(counted: &str, seen: &ObservedAnswers) -> usize {
    let counted: Vec<Vec<&str>> = counted.lines().map(|line| line.split('\t').collect()).collect();
    let mut compared = 0;
    for (name, possible) in choices() {
        let seen = seen.answers.get(name).map_or("", String::as_str);
        let of_point = counted.iter().filter(|row| row[0] == "memory" && row[1] == name);
        let answers: Vec<Vec<&str>> = of_point.map(|row| row[2].split(" or ").collect()).collect();
        if name == DEMANDED && answers.is_empty() {
            assert_eq!(seen, possible[0]);
            continue;
        }
        let named: Vec<&str> = possible.iter().copied().filter(|one| is_named(seen, one)).collect();
        assert_eq!(seen.is_empty(), answers.is_empty(), "{name}");
        for answer in &answers {
            assert!(answer.iter().any(|one| named.contains(one)), "{name}: {seen}, and not {answer:?}");
        }
        for one in &named {
            assert!(answers.iter().any(|answer| answer.contains(one)), "{name}: nothing is {one}");
        }
        let always = possible.iter().find(|one| answers.iter().all(|answer| answer.contains(one)));
        if let Some(always) = always.filter(|_| !answers.is_empty()) {
            assert_eq!(named, [*always], "{name}");
        }
        compared += usize::from(!answers.is_empty());
    }
    compared
}

/// Records have the sums that are published with them, so that readers can tell that a record is what was
/// published.
#[test]
fn records_have_the_sums_that_are_published_with_them() {
    let folders = std::fs::read_dir(published()).unwrap().map(|entry| entry.unwrap().path());
    let records: Vec<_> = folders.filter(|folder| folder.join("SHA256SUMS").exists()).collect();
    assert!(records.len() >= 4, "{records:?}");
    for record in records {
        let mut check = std::process::Command::new("sha256sum");
        let output =
            check.args(["--check", "--quiet", "SHA256SUMS"]).current_dir(&record).output().unwrap();
        assert!(output.status.success(), "{}: {}", record.display(), said(&output));
        let listed = std::fs::read_to_string(record.join("SHA256SUMS")).unwrap().lines().count();
        assert_eq!(listed + 1, std::fs::read_dir(&record).unwrap().count(), "{}", record.display());
    }
}

/// Returns whether a text has something as words of its own.
fn is_named(text: &str, words: &str) -> bool {
    let is_apart = |beside: Option<char>| !beside.is_some_and(char::is_alphanumeric);
    text.match_indices(words).any(|(at, _)| {
        let behind = text[at + words.len()..].chars().next();
        is_apart(text[..at].chars().next_back()) && is_apart(behind)
    })
}

/// The script holds functions and kernels to the interpreter, and notices a device that gives other bits.
#[test]
fn the_script_compares_a_device_with_the_interpreter() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.ci/gpu");
    let noted = |settings: &str| {
        let machine = FakeMachine::with(settings);
        let mut command = machine.program(script.to_str().unwrap());
        command.args([env!("CARGO_BIN_EXE_conformance"), "out"]);
        command.env("STEPS", "own-*").env("OWN", "f32_to_bf16 multiply_add");
        let output = command.output().unwrap();
        let times = std::fs::read_to_string(machine.path().join("out/times.txt")).unwrap();
        let lines: Vec<String> =
            times.lines().filter_map(|line| Some(line.split_once(" after")?.0.to_owned())).collect();
        (output.status.code(), lines)
    };
    let agree = ["own-f32_to_bf16: exit code 0", "own-multiply_add: exit code 0"].map(str::to_owned);
    assert_eq!(noted(""), (Some(0), agree.to_vec()));
    let differ = ["own-f32_to_bf16: exit code 0", "own-multiply_add: exit code 1"].map(str::to_owned);
    assert_eq!(noted("wrong=fma.rn.f32"), (Some(1), differ.to_vec()));
}
