//! Tests of `report merge`: parts come to the whole, and sets of parts that are no whole are refused.

mod refused;

use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use super::{conformance, findings, output, plain, report};
use crate::common::{assert_refused, sealed_state};
use crate::processes::faulty;

/// Arguments for variants with mismatches of several causes, choices and errors in units of the last place.
#[rustfmt::skip]
const ASKED: [&str; 12] = [
    "--only", "mul.r?.f16", "--only", "fma.rn.f16", "--only", "tanh.approx.f32",
    "--only", "sin.approx*.f32", "--only", "testp.*.f32", "--only", "cvt.rn.f16.f32",
];

/// A folder with parts of runs.
struct Cluster(TempDir);

impl Cluster {
    fn new() -> Cluster {
        Cluster(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs a part of the run, or all of it, into a directory of the given name.
    fn run(&self, name: &str, implementation: &str, more: &[&str]) -> PathBuf {
        let out = self.path(name);
        let asked = ["conformance", "--quiet", "--impl", implementation];
        let run = output(&[&asked[..], &ASKED, more].concat(), &out);
        assert_ne!(run.status.code(), Some(2), "{}", String::from_utf8_lossy(&run.stderr));
        out
    }

    fn part(&self, implementation: &str, shard: &str) -> PathBuf {
        let name = format!("{implementation}-{}", shard.replace('/', "-of-"));
        self.run(&name, implementation, &["--shard", shard])
    }

    fn parts(&self, implementation: &str, count: u64) -> Vec<PathBuf> {
        (1..=count).map(|index| self.part(implementation, &format!("{index}/{count}"))).collect()
    }

    fn merge(&self, parts: &[PathBuf], more: &[&str]) -> (Output, PathBuf) {
        let out = self.path("merged");
        let parts: Vec<&str> = parts.iter().map(|part| part.to_str().unwrap()).collect();
        (output(&[&["report", "merge", "--quiet"], &parts[..], more].concat(), &out), out)
    }

    fn refused(&self, parts: &[PathBuf], words: &[&str]) {
        let (merged, out) = self.merge(parts, &[]);
        assert_refused(&merged, words);
        assert!(!out.exists(), "a refused merge leaves nothing");
    }
}

/// Replaces a text in the state of a part, and seals it with the checksum that fits.
fn change(part: &Path, from: &str, to: &str) {
    let path = part.join("state.json");
    let state = std::fs::read_to_string(&path).unwrap();
    let changed = state.replacen(from, to, 1);
    assert_ne!(state, changed, "{from} is not in the state");
    std::fs::write(path, sealed_state(&changed)).unwrap();
}

/// Writes the state of a part, with the checksum that fits.
fn write_state(path: &Path, mut state: Value) {
    state.as_object_mut().unwrap().remove("checksum");
    let text = state.to_string();
    let text = format!("{},\"checksum\":\"\"}}", text.strip_suffix('}').unwrap());
    std::fs::write(path, sealed_state(&text)).unwrap();
}

/// Returns the classes of all variants of a report.
fn classes(report: &Value) -> impl Iterator<Item = &Value> {
    let variants = report["variants"].as_array().unwrap().iter();
    variants.flat_map(|variant| variant["classes"].as_array().unwrap())
}

/// Any split gives the report of the whole run, byte for byte, except for when it was and how long it took.
#[test]
fn any_split_gives_the_report_of_the_whole() {
    let cluster = Cluster::new();
    let whole = findings(report(&cluster.run("whole", "canary", &[])));
    for count in [2, 3, 5, 12] {
        let mut parts = cluster.parts("canary", count);
        // Each count of parts is given in an order of its own.
        parts.rotate_left(count as usize / 2);
        parts.swap(0, 1);
        let (merged, out) = cluster.merge(&parts, &["--impl", "canary"]);
        assert_eq!(merged.status.code(), Some(1), "{}", String::from_utf8_lossy(&merged.stderr));
        let merged = findings(report(&out));
        assert_eq!(merged.to_string(), whole.to_string(), "{count} parts");
    }
}

/// Parts that agree are merged without the implementation: where nothing is wrong, nothing has to be asked again.
#[test]
fn what_agrees_is_merged_without_the_implementation() {
    let cluster = Cluster::new();
    let whole = findings(report(&cluster.run("whole", "emulator", &[])));
    let (merged, out) = cluster.merge(&cluster.parts("emulator", 4), &[]);
    assert_eq!(merged.status.code(), Some(0), "{}", String::from_utf8_lossy(&merged.stderr));
    assert_eq!(findings(report(&out)).to_string(), whole.to_string());
}

/// Mismatches are merged without the implementation: the sums are those of the whole, and the causes that every
/// part found are told.
#[test]
fn mismatches_are_merged_without_the_implementation() {
    let cluster = Cluster::new();
    let whole = report(&cluster.run("whole", "canary", &[]));
    let (_, out) = cluster.merge(&cluster.parts("canary", 3), &[]);
    let merged = report(&out);
    assert_eq!(merged["totals"], whole["totals"]);
    assert!(merged["reduced"].to_string().contains("Merged without the implementation"));
    let all = |report: &Value, field: &str| -> Vec<Value> {
        classes(report).map(|class| class.pointer(field).cloned().unwrap_or_default()).collect()
    };
    for field in ["/id", "/count", "/examples", "/explanation/flaws"] {
        assert_eq!(all(&merged, field), all(&whole, field), "{field}");
    }
}

/// Answers that changed in a part are told of the whole, though no implementation is there to be asked again.
#[test]
fn answers_that_changed_in_a_part_are_told_of_the_whole() {
    let (directory, faulty) = faulty();
    let cluster = Cluster(directory);
    let name = format!("exec:{faulty} wavers");
    // All vectors are in one block, so the second part has none.
    let parts = [("1/2", 1), ("2/2", 2)].map(|(shard, code)| {
        let out = cluster.path(&shard.replace('/', "-of-"));
        let asked = ["conformance", "--quiet", "--jobs", "1", "--only", "neg.f16", "--shard", shard];
        let run = output(&[&asked[..], &["--impl", &name]].concat(), &out);
        assert_eq!(run.status.code(), Some(code), "{}", String::from_utf8_lossy(&run.stderr));
        out
    });
    let (merged, out) = cluster.merge(&parts, &[]);
    assert_eq!(merged.status.code(), Some(1), "{}", String::from_utf8_lossy(&merged.stderr));
    let merged = report(&out);
    let wavered =
        classes(&merged).find(|class| class["id"] == "neg.f16/unstable").expect("a class of its own");
    assert_eq!(wavered["count"], 1);
}

/// Parts may be named in any order. Of the fields that are no sums, times are the earliest, details are those of
/// all parts, and causes are those that the part of the lowest number found.
#[test]
fn parts_are_named_in_any_order() {
    let cluster = Cluster::new();
    let parts = cluster.parts("canary", 3);
    let days = [2, 1, 3].map(|day| format!("2026-01-0{day}T00:00:00Z"));
    for (part, day) in parts.iter().zip(&days) {
        let path = part.join("report.json");
        let mut report = reports::load(&path).unwrap();
        report.times.started.clone_from(day);
        let last = day.contains("03").to_string();
        report.implementation.details =
            [("clock".into(), "1 GHz".into()), ("is last".into(), last)].into();
        reports::save(&report, &path).unwrap();
    }
    let merged = [[0, 1, 2], [2, 1, 0], [1, 2, 0]].map(|order| {
        let (merged, out) = cluster.merge(&order.map(|at: usize| parts[at].clone()), &[]);
        assert_eq!(merged.status.code(), Some(1), "{}", String::from_utf8_lossy(&merged.stderr));
        report(&out)
    });
    for report in &merged {
        assert_eq!(report["times"]["started"], days[1]);
        assert_eq!(report["implementation"]["details"], serde_json::json!({ "clock": "1 GHz" }));
    }
    let simplest = |report: &Value| -> Vec<(Value, Value)> {
        classes(report).map(|class| (class["id"].clone(), class["simplest"].clone())).collect()
    };
    let [of_first, of_last, of_all] = [&report(&parts[0]), &report(&parts[2]), &merged[0]].map(simplest);
    assert!(of_first.iter().all(|class| of_all.contains(class)), "{of_first:?}");
    assert!(of_last.iter().any(|class| !of_all.contains(class)), "they found the same");
    let [one, other, another] = merged.map(|report| findings(report).to_string());
    assert!(one == other && one == another);
}

/// Unknown fields of a part that a later suite reported, which are in no state and in no report of this suite, are
/// named where they are left out.
#[test]
fn fields_that_are_not_known_are_named_where_they_are_left_out() {
    let cluster = Cluster::new();
    let parts = cluster.parts("canary", 2);
    let path = parts[1].join("report.json");
    let mut later = report(&parts[1]);
    later["environment"]["retries"] = serde_json::json!(7);
    later.as_object_mut().unwrap().remove("checksum");
    std::fs::write(&path, later.to_string()).unwrap();
    let (_, out) = cluster.merge(&parts, &[]);
    let merged = report(&out);
    assert_eq!(merged["environment"]["retries"], Value::Null);
    let due = "Without fields that this suite does not know: `/environment/retries`.";
    assert!(merged["reduced"].as_array().unwrap().contains(&due.into()), "{}", merged["reduced"]);
}

/// Parts that were not wholly tested are merged without the implementation: variants that it does not have, or dies
/// of being asked about, and vectors that it has no result of, or is too slow for.
#[test]
fn what_was_not_tested_is_merged_without_the_implementation() {
    let cluster = Cluster::new();
    let (_directory, faulty) = faulty();
    let lacking = format!("exec,vectors=300:{faulty} lacks-some");
    let dying = format!("exec:{faulty} dies-of-questions");
    for (at, implementation) in ["host", &lacking, &dying].into_iter().enumerate() {
        let run = |name: &str, more: &[&str]| {
            cluster.run(
                &format!("{name}-{at}"),
                implementation,
                &[&["--only", "neg.f16"], more].concat(),
            )
        };
        let whole = report(&run("whole", &[]));
        let (_, out) = cluster.merge(&["1/2", "2/2"].map(|of| run(&of[..1], &["--shard", of])), &[]);
        let merged = report(&out);
        assert_eq!(merged["totals"], whole["totals"], "{implementation}");
        let told = |report: &Value| -> Vec<Value> {
            let variants = report["variants"].as_array().unwrap().iter();
            let fields = ["variant", "status", "reason", "vectors", "unanswered"];
            variants.map(|variant| fields.iter().map(|field| variant[field].clone()).collect()).collect()
        };
        assert_eq!(told(&merged), told(&whole), "{implementation}");
    }
}

/// Times and counts beyond all numbers become the largest: values that no clock and no count can come to are no bug.
#[test]
fn times_and_counts_beyond_all_numbers_are_the_largest() {
    let cluster = Cluster::new();
    let parts = cluster.parts("emulator", 2);
    for part in &parts {
        let state = std::fs::read_to_string(part.join("state.json")).unwrap();
        let seconds = state.find("\"seconds\":").unwrap();
        let end = seconds + state[seconds..].find(",\"control\"").unwrap();
        let large = format!("\"seconds\":1.7e308,\"resumed\":{}", u64::MAX);
        change(part, &state[seconds..end], &large);
    }
    let (merged, out) = cluster.merge(&parts, &[]);
    assert_eq!(merged.status.code(), Some(0), "{}", String::from_utf8_lossy(&merged.stderr));
    assert_eq!(report(&out)["times"]["resumed"], u64::MAX);
    for part in &parts {
        change(part, &format!("1.7e308,\"resumed\":{}", u64::MAX), "75.25,\"resumed\":3");
    }
    let (_, out) = cluster.merge(&parts, &[]);
    let times = report(&out)["times"].clone();
    assert_eq!((&times["seconds"], &times["resumed"]), (&150.5.into(), &6.into()));
}

#[test]
fn a_part_that_is_not_at_its_end_leaves_the_whole_unfinished() {
    let cluster = Cluster::new();
    let mut parts = cluster.parts("emulator", 2);
    let broken = cluster.path("broken");
    let asked = ["conformance", "--impl", "emulator", "--shard", "2/2", "--jobs", "1"];
    let stopped = |more: &[&str], signal: &str, sign: &str| {
        let mut run = conformance(&[&asked[..], &ASKED, more].concat(), &broken).spawn().unwrap();
        let state = || std::fs::read_to_string(broken.join("state.json")).unwrap_or_default();
        while !state().contains(sign) {
            assert!(run.try_wait().unwrap().is_none());
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        let kill = std::process::Command::new("kill").args([signal, &run.id().to_string()]).status();
        assert!(kill.unwrap().success());
        run.wait().unwrap();
    };
    stopped(&[], "-KILL", "\"resumed\":0");
    // A part whose run was killed has no report yet.
    parts[1].clone_from(&broken);
    cluster.refused(&parts, &["part 2 of 2", "cannot be read"]);
    stopped(&["--resume"], "-INT", "\"resumed\":1");
    let (merged, out) = cluster.merge(&parts, &[]);
    assert_eq!(merged.status.code(), Some(2), "{}", String::from_utf8_lossy(&merged.stdout));
    assert!(String::from_utf8_lossy(&merged.stderr).contains("Continue each with --resume"));
    let report = report(&out);
    assert_eq!(report["complete"], false);
    assert!(
        report["reduced"].to_string().contains("Part 2 of 2 is not finished: "),
        "{}",
        report["reduced"]
    );
}

/// A merge never writes over a part by mistake, and never leaves an earlier report to be taken for the merged one.
#[test]
fn a_merge_destroys_no_part_and_leaves_no_report_of_before() {
    let cluster = Cluster::new();
    let parts = cluster.path("parts");
    std::fs::create_dir(&parts).unwrap();
    for (index, from) in cluster.parts("emulator", 3).iter().enumerate() {
        std::fs::rename(from, parts.join((index + 1).to_string())).unwrap();
    }
    let all = parts.to_str().unwrap();
    let merge = |out: &Path| output(&["report", "merge", "--quiet", all], out);
    let kept = std::fs::read(parts.join("1/state.json")).unwrap();
    assert_refused(&merge(&parts.join("1")), &["parts/1 is one of the parts", "--out"]);
    assert_eq!(std::fs::read(parts.join("1/state.json")).unwrap(), kept);
    let other = cluster.run("other", "emulator", &["--shard", "1/2"]);
    assert_refused(&merge(&other), &["has the state of another run", "--out"]);
    assert!(other.join("state.json").exists());
    // The merge goes into the folder of the parts, and once more.
    for _ in 0..2 {
        let merged = merge(&parts.join("merged"));
        assert_eq!(merged.status.code(), Some(0), "{}", String::from_utf8_lossy(&merged.stderr));
    }
    std::fs::remove_dir_all(parts.join("2")).unwrap();
    assert_refused(&merge(&parts.join("merged")), &["part 2 is missing"]);
    assert!(!parts.join("merged/report.json").exists());
}
