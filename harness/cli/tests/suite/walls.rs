//! The crates of the workspace use what ARCHITECTURE.md says that they may, and no more.

use std::collections::BTreeSet;
use std::path::Path;

const PAGE: &str = include_str!("../../../../ARCHITECTURE.md");

/// The workspace's crates, by folder.
const FOLDERS: [&str; 11] = [
    "vectors",
    "harness/judge",
    "harness/oracle",
    "harness/emulator",
    "harness/model",
    "harness/prover",
    "harness/ptx",
    "reports",
    "harness",
    "harness/fake-driver",
    "fuzz",
];

fn name(folder: &str) -> &str {
    folder.rsplit('/').next().unwrap_or(folder)
}

/// The crates of the workspace that a manifest lists in some of its sections.
fn listed(folder: &str, sections: &[&str]) -> BTreeSet<&'static str> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join(folder).join("Cargo.toml")).unwrap();
    let mut inside = false;
    let mut found = BTreeSet::new();
    for line in text.lines() {
        if line.starts_with('[') {
            inside = sections.contains(&line.trim_matches(['[', ']']));
        }
        let key = line.split(['.', ' ', '=']).next().unwrap_or_default();
        found.extend(FOLDERS.iter().map(|folder| name(folder)).filter(|&name| inside && key == name));
    }
    found
}

/// The row of a crate in the page's table.
fn row(folder: &str) -> Vec<&'static str> {
    let head = format!("| `{folder}` |");
    let line = PAGE.lines().find(|line| line.starts_with(&head));
    line.unwrap_or_else(|| panic!("no row of {folder}")).trim_matches('|').split('|').collect()
}

#[test]
fn each_crate_uses_what_the_page_says() {
    for folder in FOLDERS {
        let may = row(folder)[2];
        let uses = listed(folder, &["dependencies"]);
        let said: BTreeSet<&str> = match may.trim() {
            text if text.starts_with("all") => uses.clone(),
            text if text.starts_with("nothing") => BTreeSet::new(),
            text => text.split('`').skip(1).step_by(2).collect(),
        };
        assert_eq!(uses, said, "{folder}");
    }
}

/// An opinion that used another one, be it in a test, would agree with it for that reason.
#[test]
fn opinions_do_not_know_each_other() {
    let opinions = ["oracle", "emulator", "model"];
    for folder in ["harness/oracle", "harness/emulator", "harness/model", "harness/judge"] {
        let others = listed(folder, &["dependencies", "build-dependencies"]);
        assert!(others.iter().all(|other| !opinions.contains(other)), "{folder}: {others:?}");
    }
    for folder in ["harness/emulator", "harness/model"] {
        assert_eq!(listed(folder, &["dev-dependencies"]), BTreeSet::new(), "{folder}");
    }
}

/// The only crate that builds C.
#[test]
fn mpfr_is_the_oracles() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for folder in FOLDERS {
        let text = std::fs::read_to_string(root.join(folder).join("Cargo.toml")).unwrap();
        let names =
            text.lines().filter(|line| line.starts_with("rug") || line.starts_with("gmp-mpfr-sys"));
        assert_eq!(names.count() > 0, folder == "harness/oracle", "{folder}");
    }
}
