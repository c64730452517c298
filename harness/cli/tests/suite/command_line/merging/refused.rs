//! Tests of sets of parts that are no whole: parts that are lost, doubled, damaged, of other runs or of other
//! devices.

use super::*;

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
    cluster.refused(&doubled, &["part 2 of 5 is given twice", "emulator-2-of-5", "copy"]);
}

#[test]
fn parts_of_other_runs_are_refused() {
    let cluster = Cluster::new();
    let parts = cluster.parts("emulator", 2);
    let with = |other: PathBuf| [parts[0].clone(), other];
    let seed = cluster.run("seed", "emulator", &["--shard", "2/2", "--seed", "7"]);
    cluster.refused(&with(seed), &["not parts of one run", "--seed is `0x7` in one and `0x0`"]);
    let count = cluster.run("count", "emulator", &["--shard", "2/3"]);
    cluster.refused(&with(count), &["one has 3 parts and the other 2"]);
    let other = cluster.part("emulator:scalar", "2/2");
    cluster.refused(&with(other), &["--impl is `emulator:scalar", "in one and `emulator"]);
    let fewer = cluster.run("fewer", "emulator", &["--shard", "2/2", "--skip", "mul.*"]);
    cluster.refused(&with(fewer), &["--skip is `mul.*`"]);
    change(&parts[1], "\"program\":\"0x", "\"program\":\"0x0");
    cluster.refused(&parts, &["not parts of one run", "program"]);
    // The implementation that is at hand is not the one of the parts.
    let (merged, _) = cluster.merge(&parts[..1], &["--impl", "canary"]);
    assert_refused(&merged, &["does not match this build or implementation", "--impl is `emulator"]);
}

/// A state without the mismatches that its report has is refused, and not taken for that of a part that agrees.
#[test]
fn a_state_that_knows_less_than_its_report_is_refused() {
    let cluster = Cluster::new();
    let parts = cluster.parts("canary", 2);
    let state = std::fs::read_to_string(parts[0].join("state.json")).unwrap();
    let mut json: Value = serde_json::from_str(&state).unwrap();
    for tally in json["progress"]["tallies"].as_array_mut().unwrap() {
        (tally["mismatches"], tally["classes"]) = (0.into(), serde_json::json!({}));
    }
    write_state(&parts[0].join("state.json"), json);
    cluster.refused(&parts, &["the state of one run and the report of another"]);
}

/// Two devices are noticed by control vectors that were answered otherwise: in one part, another device stood in.
#[test]
fn two_devices_are_noticed() {
    let cluster = Cluster::new();
    let many = ["--only", "mul.*.f16", "--shard"];
    let parts = ["1/2", "2/2"].map(|of| cluster.run(&of[..1], "emulator", &[&many[..], &[of]].concat()));
    let text = std::fs::read_to_string(parts[1].join("state.json")).unwrap();
    let state: Value = serde_json::from_str(&text).unwrap();
    let tasks = state["identity"]["tasks"].as_array().unwrap();
    let control = state["progress"]["control"].as_array().unwrap();
    // Some tasks have control vectors, at equal distances.
    let step = tasks.len().div_ceil(64);
    assert!(step > 1 && control.len() > 20, "{} {}", tasks.len(), control.len());
    let named = |task: usize| format!("control vectors of {}", tasks[task][0].as_str().unwrap());
    let last = format!(",{}]", control.last().unwrap());
    change(&parts[1], &last, ",17]");
    cluster.refused(&parts, &["different devices", &named((control.len() - 1) * step)]);
    change(&parts[1], ",17]", "]");
    cluster.refused(&parts, &["different devices", &named(0)]);
    for part in &parts {
        let state = std::fs::read_to_string(part.join("state.json")).unwrap();
        let control = state.find(",\"control\":[").unwrap();
        let end = control + state[control..].find(']').unwrap() + 1;
        let without = format!("{}{}", &state[..control], &state[end..]);
        std::fs::write(part.join("state.json"), sealed_state(&without)).unwrap();
    }
    cluster.refused(&parts, &["its control vectors are not those of its plan"]);
}

/// Two implementations of one name are noticed: both parts tested vectors of the same variant alone, but they did not
/// leave the other variant out for the same reason.
#[test]
fn two_implementations_of_one_name_are_noticed() {
    let cluster = Cluster::new();
    let (directory, faulty) = faulty();
    let mark = directory.path().join("mark");
    let client = format!("exec:{faulty} has-neg {}", mark.display());
    let parts = ["1/2", "2/2"].map(|of| {
        let asked = ["--only", "abs.f16", "--only", "neg.f16", "--shard", of];
        let part = cluster.run(&of[..1], &client, &asked);
        // From now on the client dies of the question whether it has the variant.
        std::fs::write(&mark, "").unwrap();
        part
    });
    cluster.refused(&parts, &["made with different implementations", "only one of them has abs.f16"]);
}

/// A part with more vectors than its blocks have is refused, whether it is at its end or not.
#[test]
fn a_part_that_counts_other_vectors_is_refused() {
    let cluster = Cluster::new();
    let parts = cluster.parts("emulator", 2);
    let path = parts[1].join("state.json");
    let whole = std::fs::read_to_string(&path).unwrap();
    for blocks in [None, Some(1)] {
        let mut state: Value = serde_json::from_str(&whole).unwrap();
        let progress = &mut state["progress"];
        if let Some(blocks) = blocks {
            progress["before"] = blocks.into();
        }
        let vectors = &mut progress["tallies"][0]["vectors"];
        *vectors = (vectors.as_u64().unwrap() + 1).into();
        write_state(&path, state);
        cluster.refused(&parts, &["is damaged: its counts do not fit part 2 of 2"]);
    }
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
    cluster.refused(&parts, &["is damaged: it was changed after it was written"]);
    std::fs::write(
        parts[1].join("state.json"),
        sealed_state(&state.replacen("\"version\":6", "\"version\":5", 1)),
    )
    .unwrap();
    cluster.refused(&parts, &["written by another version", "form 5"]);
    // This state has more blocks done than there are.
    let more = state.replacen("\"before\":", "\"before\":9", 1);
    std::fs::write(parts[1].join("state.json"), sealed_state(&more)).unwrap();
    cluster.refused(&parts, &["is damaged: its list of finished blocks does not fit its plan"]);
}
