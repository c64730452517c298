//! `report merge`: parts come to the whole, and what is no whole is refused.

use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use super::{conformance, findings, output, plain, report};
use crate::common::{assert_refused, sealed_state};

/// Variants with mismatches of several causes, choices and errors in units of the last place.
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

    /// Runs a part, or all of it, into a directory of that name.
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

/// Changes the state of a part.
fn change(part: &Path, from: &str, to: &str) {
    let path = part.join("state.json");
    let state = std::fs::read_to_string(&path).unwrap();
    let changed = state.replacen(from, to, 1);
    assert_ne!(state, changed, "{from} is not in the state");
    std::fs::write(path, sealed_state(&changed)).unwrap();
}

/// Byte for byte, but for when it was and how long it took.
#[test]
fn any_split_gives_the_report_of_the_whole() {
    let cluster = Cluster::new();
    let whole = findings(report(&cluster.run("whole", "canary", &[])));
    for count in [2, 3, 5, 12] {
        let mut parts = cluster.parts("canary", count);
        // In an order of its own each time.
        parts.rotate_left(count as usize / 2);
        parts.swap(0, 1);
        let (merged, out) = cluster.merge(&parts, &["--impl", "canary"]);
        assert_eq!(merged.status.code(), Some(1), "{}", String::from_utf8_lossy(&merged.stderr));
        let merged = findings(report(&out));
        assert_eq!(merged.to_string(), whole.to_string(), "{count} parts");
    }
}

/// Where nothing is wrong, nobody has to be asked again.
#[test]
fn what_agrees_is_merged_without_the_implementation() {
    let cluster = Cluster::new();
    let whole = findings(report(&cluster.run("whole", "emulator", &[])));
    let (merged, out) = cluster.merge(&cluster.parts("emulator", 4), &[]);
    assert_eq!(merged.status.code(), Some(0), "{}", String::from_utf8_lossy(&merged.stderr));
    assert_eq!(findings(report(&out)).to_string(), whole.to_string());
}

/// The sums are those of the whole, and of the causes is told what every part found.
#[test]
fn mismatches_are_merged_without_the_implementation() {
    let cluster = Cluster::new();
    let whole = report(&cluster.run("whole", "canary", &[]));
    let (_, out) = cluster.merge(&cluster.parts("canary", 3), &[]);
    let merged = report(&out);
    assert_eq!(merged["totals"], whole["totals"]);
    assert!(merged["reduced"].to_string().contains("Merged without the implementation"));
    let classes = |report: &Value, field: &str| -> Vec<Value> {
        let variants = report["variants"].as_array().unwrap().iter();
        let classes = variants.flat_map(|variant| variant["classes"].as_array().unwrap());
        classes.map(|class| class.pointer(field).cloned().unwrap_or_default()).collect()
    };
    for field in ["/id", "/count", "/examples", "/explanation/flaws"] {
        assert_eq!(classes(&merged, field), classes(&whole, field), "{field}");
    }
}

#[test]
fn a_lost_or_doubled_part_is_named() {
    let cluster = Cluster::new();
    let parts = cluster.parts("emulator", 5);
    let [one, two, .., five] = &parts[..] else { unreachable!() };
    let some = [one, two, five].map(Clone::clone);
    cluster.refused(&some, &["of 5 parts", "2 are missing (3 to 4)", "--shard"]);
    cluster.refused(&parts[..4], &["part 5 is missing"]);
    let copy = cluster.path("copy");
    std::fs::create_dir(&copy).unwrap();
    for file in ["state.json", "report.json"] {
        std::fs::copy(two.join(file), copy.join(file)).unwrap();
    }
    let doubled = [&parts[..], &[copy]].concat();
    cluster.refused(&doubled, &["part 2 of 5 is there twice", "emulator-2-of-5", "copy"]);
}

#[test]
fn parts_of_other_runs_are_refused() {
    let cluster = Cluster::new();
    let parts = cluster.parts("emulator", 2);
    let with = |other: PathBuf| [parts[0].clone(), other];
    let seed = cluster.run("seed", "emulator", &["--shard", "2/2", "--seed", "7"]);
    cluster.refused(&with(seed), &["no parts of one run", "--seed is `0x7` of one and `0x0`"]);
    let count = cluster.run("count", "emulator", &["--shard", "2/3"]);
    cluster.refused(&with(count), &["one has 3 parts, the other 2"]);
    let other = cluster.part("emulator:scalar", "2/2");
    cluster.refused(&with(other), &["--impl is `emulator:scalar", "of one and `emulator"]);
    let fewer = cluster.run("fewer", "emulator", &["--shard", "2/2", "--skip", "mul.*"]);
    cluster.refused(&with(fewer), &["--skip is `mul.*`"]);
    change(&parts[1], "\"program\":\"0x", "\"program\":\"0x0");
    cluster.refused(&parts, &["no parts of one run", "program"]);
    // The implementation that is at hand is another one.
    let (merged, _) = cluster.merge(&parts[..1], &["--impl", "canary"]);
    assert_refused(&merged, &["does not fit what is here", "--impl is `emulator"]);
}

/// A state without the mismatches that its report has is not taken for that of a part that agrees.
#[test]
fn a_state_that_knows_less_than_its_report_is_refused() {
    let cluster = Cluster::new();
    let parts = cluster.parts("canary", 2);
    let state = std::fs::read_to_string(parts[0].join("state.json")).unwrap();
    let mut json: Value = serde_json::from_str(&state).unwrap();
    for tally in json["progress"]["tallies"].as_array_mut().unwrap() {
        (tally["mismatches"], tally["classes"]) = (0.into(), serde_json::json!({}));
    }
    json.as_object_mut().unwrap().remove("checksum");
    let text = json.to_string();
    let text = format!("{},\"checksum\":\"\"}}", text.strip_suffix('}').unwrap());
    std::fs::write(parts[0].join("state.json"), sealed_state(&text)).unwrap();
    cluster.refused(&parts, &["the state of one run and the report of another"]);
}

/// What no clock and no count can come to is no bug.
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
}

/// Control vectors that were answered otherwise: in one part, another device stood in.
#[test]
fn two_devices_are_noticed() {
    let cluster = Cluster::new();
    let parts = cluster.parts("emulator", 2);
    let state: Value =
        serde_json::from_slice(&std::fs::read(parts[1].join("state.json")).unwrap()).unwrap();
    let control = state["progress"]["control"].as_array().unwrap();
    assert!(control.len() > 20, "{control:?}");
    let last = control.last().unwrap().to_string();
    change(&parts[1], &format!("{last}]"), "17]");
    cluster.refused(&parts, &["two devices", "control vectors of"]);
    for part in &parts {
        let state = std::fs::read_to_string(part.join("state.json")).unwrap();
        let control = state.find(",\"control\":[").unwrap();
        let end = control + state[control..].find(']').unwrap() + 1;
        let without = format!("{}{}", &state[..control], &state[end..]);
        std::fs::write(part.join("state.json"), sealed_state(&without)).unwrap();
    }
    cluster.refused(&parts, &["has not the control vectors of its plan"]);
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
    // A part that was killed has no report yet.
    parts[1].clone_from(&broken);
    cluster.refused(&parts, &["part 2 of 2", "has no report"]);
    stopped(&["--resume"], "-INT", "\"resumed\":1");
    let (merged, out) = cluster.merge(&parts, &[]);
    assert_eq!(merged.status.code(), Some(2), "{}", String::from_utf8_lossy(&merged.stdout));
    assert!(String::from_utf8_lossy(&merged.stderr).contains("--resume goes on with each"));
    let report = report(&out);
    assert_eq!(report["complete"], false);
    assert!(
        report["reduced"].to_string().contains("Part 2 of 2 is not at its end: "),
        "{}",
        report["reduced"]
    );
}

#[test]
fn what_is_no_part_is_refused_in_one_line() {
    let cluster = Cluster::new();
    let parts = cluster.parts("emulator", 2);
    let with = |other: &Path| [parts[0].clone(), other.to_owned()];
    cluster.refused(&with(&cluster.path("nowhere")), &["has no state.json", "--shard I/N"]);
    let whole = cluster.run("whole", "emulator", &[]);
    cluster.refused(&with(&whole), &["has no state.json"]);
    let (inside, _) = (plain(&["report", "merge"]), ());
    assert_eq!(inside.status.code(), Some(2));
    let out = parts[1].to_str().unwrap();
    let among = plain(&["report", "merge", parts[0].to_str().unwrap(), out, "--out", out]);
    assert_refused(&among, &["is one of the parts"]);

    let swapped = cluster.path("swapped");
    std::fs::create_dir(&swapped).unwrap();
    std::fs::copy(parts[1].join("state.json"), swapped.join("state.json")).unwrap();
    std::fs::copy(parts[0].join("report.json"), swapped.join("report.json")).unwrap();
    cluster.refused(&with(&swapped), &["the state of one run and the report of another"]);
    let state = std::fs::read_to_string(parts[1].join("state.json")).unwrap();
    std::fs::write(parts[1].join("state.json"), state.replacen("\"before\":", "\"before\":1", 1))
        .unwrap();
    cluster.refused(&parts, &["is damaged: it is not what was written"]);
    std::fs::write(
        parts[1].join("state.json"),
        sealed_state(&state.replacen("\"version\":6", "\"version\":5", 1)),
    )
    .unwrap();
    cluster.refused(&parts, &["written by another version", "form 5"]);
    // More blocks than there are.
    let more = state.replacen("\"before\":", "\"before\":9", 1);
    std::fs::write(parts[1].join("state.json"), sealed_state(&more)).unwrap();
    cluster.refused(&parts, &["counts other vectors than part 2 of 2 has"]);
}

/// What is there is never written over by mistake, and what was there is never taken for what was merged.
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
    // Into the midst of them, and once more.
    for _ in 0..2 {
        let merged = merge(&parts.join("merged"));
        assert_eq!(merged.status.code(), Some(0), "{}", String::from_utf8_lossy(&merged.stderr));
    }
    std::fs::remove_dir_all(parts.join("2")).unwrap();
    assert_refused(&merge(&parts.join("merged")), &["part 2 is missing"]);
    assert!(!parts.join("merged/report.json").exists());
}
