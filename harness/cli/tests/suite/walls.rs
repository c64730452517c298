//! Tests that the crates of the workspace use what docs/build/walls.md permits and no more, and that the folders of a
//! crate use each other in no circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = include_str!("../../../../docs/build/walls.md");

/// The limit on the lines that a crate has in `src`, its tests there among them.
const LINES_MAX: usize = 15_000;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn manifest(folder: &str) -> String {
    fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap()
}

/// Returns the folders of the workspace's crates: all but `xtask`, which uses none of them.
fn folders() -> Vec<String> {
    let text = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let members =
        text.split("members = [").nth(1).and_then(|rest| rest.split(']').next()).expect("members");
    let folders = members.split('"').skip(1).step_by(2).filter(|folder| *folder != "xtask");
    folders.map(str::to_owned).collect()
}

fn name(folder: &str) -> &str {
    folder.rsplit('/').next().unwrap_or(folder)
}

/// Returns the crates of the workspace that a manifest lists in some of its sections.
fn listed(folder: &str, sections: &[&str]) -> BTreeSet<String> {
    let folders = folders();
    let mut inside = false;
    let mut found = BTreeSet::new();
    for line in manifest(folder).lines() {
        if line.starts_with('[') {
            inside = sections.contains(&line.trim_matches(['[', ']']));
        }
        let key = line.split(['.', ' ', '=']).next().unwrap_or_default();
        let named = folders.iter().map(|folder| name(folder)).filter(|&name| inside && key == name);
        found.extend(named.map(str::to_owned));
    }
    found
}

/// Returns the rows of the page's table: a crate's folder, the crates that it may use, and whether it builds C.
fn rows() -> BTreeMap<&'static str, [&'static str; 2]> {
    let cells = |line: &'static str| -> Option<(&'static str, [&'static str; 2])> {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [folder, _, may, c] = cells[..] else { return None };
        Some((folder.strip_prefix('`')?.strip_suffix('`')?, [may, c]))
    };
    let (_, table) =
        PAGE.split_once("| crate | what is in it | may use | C |\n").expect("the table of walls");
    table.lines().take_while(|line| line.starts_with('|')).filter_map(cells).collect()
}

#[test]
fn each_crate_uses_what_the_page_says() {
    let rows = rows();
    let crates = folders();
    assert_eq!(
        rows.keys().copied().collect::<BTreeSet<_>>(),
        crates.iter().map(String::as_str).collect()
    );
    for folder in &crates {
        let said: BTreeSet<String> = match rows[folder.as_str()][0] {
            "nothing of the others" => BTreeSet::new(),
            names => names.split('`').skip(1).step_by(2).map(str::to_owned).collect(),
        };
        assert_eq!(listed(folder, &["dependencies"]), said, "{folder}");
    }
}

/// The opinions do not use each other, be it in a test: an opinion that did would agree with the other for that
/// reason.
#[test]
fn opinions_do_not_know_each_other() {
    let opinions = ["oracle", "emulator", "model"];
    for folder in ["harness/oracle", "harness/emulator", "harness/model", "harness/judge"] {
        let others = listed(folder, &["dependencies", "build-dependencies"]);
        assert!(others.iter().all(|other| !opinions.contains(&other.as_str())), "{folder}: {others:?}");
    }
    for folder in ["harness/emulator", "harness/model"] {
        let others = listed(folder, &["dev-dependencies"]);
        let vectors = ["sweeps", "corner-operands"];
        assert!(others.iter().all(|other| vectors.contains(&other.as_str())), "{folder}: {others:?}");
    }
}

/// The oracle is the only crate that builds C, and the crates that rest on it are the ones that the page names.
#[test]
fn mpfr_is_the_oracles() {
    let crates = folders();
    let builds_c = |folder: &String| {
        manifest(folder).lines().any(|line| line.starts_with("rug") || line.starts_with("gmp-mpfr-sys"))
    };
    assert_eq!(crates.iter().filter(|folder| builds_c(folder)).collect::<Vec<_>>(), ["harness/oracle"]);
    let mut rest_on_c = BTreeSet::from(["oracle".to_owned()]);
    loop {
        let known = rest_on_c.len();
        for folder in &crates {
            if !listed(folder, &["dependencies", "build-dependencies"]).is_disjoint(&rest_on_c) {
                rest_on_c.insert(name(folder).to_owned());
            }
        }
        if rest_on_c.len() == known {
            break;
        }
    }
    let rows = rows();
    for folder in &crates {
        let said = match rows[folder.as_str()][1] {
            "MPFR" => true,
            "no" => false,
            other => panic!("{folder}: `{other}`"),
        };
        assert_eq!(rest_on_c.contains(name(folder)), said, "{folder}");
    }
}

/// Returns the Rust files below a folder, with paths from there.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(sources(&path)),
            false if path.extension().is_some_and(|extension| extension == "rs") => found.push(path),
            false => {}
        }
    }
    found
}

#[test]
fn no_crate_is_too_large_to_be_known() {
    for folder in folders() {
        let files = sources(&root().join(&folder).join("src"));
        let lines: usize =
            files.iter().map(|path| fs::read_to_string(path).unwrap().lines().count()).sum();
        assert!(lines < LINES_MAX, "{folder} has {lines} lines");
    }
}

/// Returns the first names of the entries of a list in braces, up to its end.
fn heads(list: &str) -> Vec<String> {
    let (mut depth, mut begins, mut heads) = (0, true, Vec::new());
    for (at, c) in list.char_indices() {
        if begins {
            heads.push(word(&list[at..]));
        }
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            _ => {}
        }
        begins = c == ',' && depth == 0;
    }
    heads
}

/// Returns the name that a text begins with.
fn word(text: &str) -> String {
    text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// Returns the names that a file takes from its crate's root, leaving out its tests. `depth` says how many modules
/// deep the file lies.
fn named(text: &str, depth: usize) -> BTreeSet<String> {
    let production = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code: String =
        production.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let code = code.replace(&"super::".repeat(depth), "crate::");
    let names = |rest: &str| match rest.strip_prefix('{') {
        Some(list) => heads(list),
        None => vec![word(rest)],
    };
    code.split("crate::").skip(1).flat_map(names).collect()
}

/// The modules of a crate use each other in no circle: folders that did would have no order to be read in.
#[test]
fn modules_of_a_crate_use_each_other_in_no_circle() {
    let mut crates = 0;
    for folder in folders() {
        let source = root().join(&folder).join("src");
        let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for path in sources(&source) {
            let place = path.strip_prefix(&source).unwrap().with_extension("");
            let parts: Vec<&str> = place.iter().filter_map(|part| part.to_str()).collect();
            let depth = parts.iter().filter(|part| **part != "mod").count();
            if parts.iter().any(|part| ["tests", "checks", "lib", "main"].contains(part)) {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            uses.entry(parts[0].to_owned()).or_default().extend(named(&text, depth));
        }
        let modules: BTreeSet<String> = uses.keys().cloned().collect();
        uses.iter_mut().for_each(|(module, used)| {
            used.retain(|other| other != module && modules.contains(other));
        });
        crates += usize::from(!uses.is_empty());
        // A module that uses no module that is left is below all others: it is taken away, until nothing is left.
        while let Some(lowest) =
            uses.iter().find(|(_, used)| used.is_empty()).map(|(module, _)| module.clone())
        {
            uses.remove(&lowest);
            uses.values_mut().for_each(|used| {
                used.remove(&lowest);
            });
        }
        assert!(
            uses.is_empty(),
            "{folder}: these use each other in a circle, or rest on one that does: {uses:?}"
        );
    }
    assert!(crates > 20, "{crates} crates have modules");
}

/// Returns the features of every crate that is linked into a package, by the crate's name and version.
fn features(package: &str) -> BTreeMap<String, String> {
    let mut cargo = std::process::Command::new(env!("CARGO"));
    cargo.args(["tree", "--locked", "--offline", "--edges=normal", "--prefix=none"]);
    cargo.args(["--format={p} [{f}]", "--package", package]).current_dir(root());
    let output = cargo.output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("a text");
    let entry =
        |line: &str| line.trim_end_matches(" (*)").split_once(" [").map(|(n, f)| (n.into(), f.into()));
    lines.lines().filter_map(entry).collect()
}

/// Programs built beside the suite's binary share its compiled crates: no shared crate has other features there. With
/// other features Cargo would compile the crate a second time, and all crates that depend on it.
#[test]
fn what_is_built_beside_the_suite_shares_its_crates() {
    let suite = features("ptx-conformance-cli");
    for package in ["fuzz", "ptx-conformance-hostile-client"] {
        let other = features(package);
        let shared: Vec<&String> = other.keys().filter(|name| suite.contains_key(*name)).collect();
        assert!(shared.len() > 50, "{package}: {shared:?}");
        for name in shared {
            assert_eq!(other[name], suite[name], "features of {name}, for {package}");
        }
    }
}
