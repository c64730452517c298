//! Tests that replay inputs that once found something, and some that a search begins with.

use std::path::Path;

use fuzz::targets::differential::TestedImplementation;
use fuzz::{ALL, Findings, FuzzTarget, Random};

/// Returns the inputs that are kept for a target, each with its file's name.
fn regressions(target: &FuzzTarget) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions").join(target.name);
    let files =
        std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = files.map(|file| file.unwrap().path());
    paths
        .map(|path| (path.file_name().unwrap().to_string_lossy().into(), std::fs::read(&path).unwrap()))
        .collect()
}

/// Returns what trying an input finds; it prints the input's name first, so that a panic says which it was.
fn attempt(target: &FuzzTarget, name: &str, bytes: &[u8]) -> Findings {
    println!("{} {name}", target.name);
    let mut findings = Findings::default();
    (target.attempt)(bytes, &mut findings);
    findings
}

/// Checks that every target's program has its target in [`ALL`], also a target that needs a feature.
#[test]
fn every_target_is_tested() {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz_targets");
    let names =
        |file: std::io::Result<std::fs::DirEntry>| file.unwrap().file_name().into_string().unwrap();
    let mut programs: Vec<String> = std::fs::read_dir(programs).unwrap().map(names).collect();
    programs.sort();
    assert_eq!(programs, ALL.iter().map(|target| format!("{}.rs", target.name)).collect::<Vec<_>>());
}

#[test]
fn regressions_find_nothing_any_more() {
    for target in ALL {
        let files = regressions(target);
        assert!(!files.is_empty(), "{}", target.name);
        for (name, bytes) in files {
            assert_eq!(attempt(target, &name, &bytes).found, [], "{} {name}", target.name);
        }
    }
}

/// Checks that the canary still shows each class that was found in it; the file's name is the class's.
#[test]
fn the_canary_still_has_what_was_found_in_it() {
    let mut canary = TestedImplementation::new("canary").unwrap();
    let files = regressions(ALL.iter().find(|target| target.name == "differential").unwrap());
    let of_canary: Vec<_> = files.iter().filter(|(name, _)| name.starts_with("canary-")).collect();
    assert!(of_canary.len() > 2);
    for (class, bytes) in of_canary {
        let mut findings = Findings::default();
        canary.attempt(bytes, &mut findings).unwrap();
        assert!(findings.found.iter().any(|found| found.class.replace('/', "-") == *class), "{class}");
    }
}

/// Checks that every target's seeds amount to something, that most of their changes are other inputs, and that some of
/// the changed inputs amount to something as well.
#[test]
fn seeds_and_their_changes_are_tried() {
    for target in ALL {
        let mut random = Random::new(0);
        let seeds = (target.seeds)();
        let (mut findings, mut same) = ([0, 0], 0);
        for (number, seed) in seeds.iter().enumerate().step_by(1 + seeds.len() / 60) {
            let changed = (target.mutate)(seed, &mut random);
            same += u64::from(changed == *seed);
            for (bytes, tried) in [seed, &changed].into_iter().zip(&mut findings) {
                let found = attempt(target, &format!("seed {number}"), bytes);
                assert_eq!(found.found, [], "{} seed {number}", target.name);
                *tried += u64::from(found.tried > 0);
            }
        }
        let [seeds, changed] = findings;
        assert!(seeds > 5 && changed > 0 && same < seeds / 2, "{} {findings:?} {same}", target.name);
    }
}
