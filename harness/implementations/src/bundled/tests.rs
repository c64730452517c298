//! Tests that whatever is fetched is pinned, with its hashes.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::Stdio;

use isa::{Register, Variant};

use super::*;

fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the packages of a locked list, `name==version`, each with the number of its hashes.
fn locked(text: &str) -> BTreeMap<String, usize> {
    let mut packages = BTreeMap::new();
    let mut last = String::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let line = line.trim_end_matches('\\').trim();
        if let Some(hash) = line.strip_prefix("--hash=sha256:") {
            assert!(hash.len() == 64 && hash.bytes().all(|digit| digit.is_ascii_hexdigit()), "{line}");
            *packages.get_mut(&last).expect("a hash is of a package") += 1;
        } else {
            last = line.split(';').next().unwrap_or_default().trim().to_owned();
            assert!(
                last.split_once("==").is_some_and(|(_, version)| !version.contains(['*', ','])),
                "{line}"
            );
            packages.insert(last.clone(), 0);
        }
    }
    packages
}

/// Returns every compiler in every version.
fn installed() -> Vec<known::Installed> {
    let names = known::KNOWN
        .iter()
        .flat_map(|known| known.versions.iter().map(|version| format!("{}@{version}", known.name)));
    names.map(|name| known::find(&name).expect("a version").expect("a compiler")).collect()
}

/// Returns every list of packages: those of `setup`, and that of the tool that asks for advisories.
fn lists() -> Vec<String> {
    let python = |bundled: &&Bundled| !matches!(bundled.made, BuildMethod::Crate(_));
    let of_bundled = BUNDLED.iter().filter(python);
    let mut environments: Vec<Environment> = of_bundled.map(Bundled::environment).collect();
    environments.extend(installed().into_iter().map(|installed| installed.environment));
    let of_setup = environments.iter().map(|each| format!("{SOURCES}/{}", each.requirements()));
    of_setup.chain([".ci/advisories/requirements.txt".into()]).collect()
}

#[test]
fn every_package_is_pinned_with_its_hashes_and_all_that_are_asked_for_are() {
    for list in lists() {
        let packages = locked(&file(&list));
        assert!(!packages.is_empty(), "{list}");
        for (package, hashes) in &packages {
            assert!(*hashes > 0, "{list}: {package} has no hash");
        }
        let asked = file(&list.replace(".txt", ".in"));
        for line in asked.lines().filter(|line| !line.starts_with('#')) {
            assert!(packages.contains_key(&line.replace('_', "-")), "{list} lacks {line}");
        }
    }
}

#[test]
fn the_packages_of_a_compiler_are_of_its_version() {
    let mut seen = Vec::new();
    for known in known::KNOWN {
        for version in known.versions {
            let installed = known::find(&format!("{}@{version}", known.name)).unwrap().unwrap();
            let list = format!("{SOURCES}/{}", installed.environment.requirements());
            // A package of LLVM has a number of its own.
            let pinned = file(&list).contains(&format!("=={version} "));
            assert!(pinned || known.name == "llvm", "{list} has no {version}");
            assert!(!seen.contains(&list), "{list} is of two versions");
            seen.push(list);
        }
        let newest = known::find(known.name).unwrap().unwrap().environment.requirements();
        assert!(newest.ends_with(&format!("/{}.txt", known.name)), "{newest}");
    }
}

#[test]
fn setup_installs_what_is_pinned() {
    let set_up = |name: &str| {
        let commands = setup(name, false).expect(name).commands;
        commands.iter().map(|command| format!("{command:?}").replace('"', "")).collect::<Vec<String>>()
    };
    assert!(set_up("nvrtc@12.8.93")[1].ends_with("requirements/nvrtc@12.8.93.txt"));
    for bundled in BUNDLED {
        let commands = set_up(bundled.name);
        let has = |words: &str| commands.iter().any(|command| command.contains(words));
        if matches!(bundled.made, BuildMethod::Crate(_)) {
            assert!(has("--locked"), "{commands:?}");
            let lock = file(&format!("{SOURCES}/{}/Cargo.lock", bundled.name));
            let (sources, sums) =
                (lock.matches("\nsource = ").count(), lock.matches("\nchecksum = ").count());
            assert_eq!(sources, sums, "{}: each crate that is fetched has its checksum", bundled.name);
        } else {
            assert!(has("-m venv --clear"), "{commands:?}");
            assert!(has("--require-hashes --only-binary :all: --requirement"), "{commands:?}");
        }
    }
}

/// The clients of compilers know the bytes of registers by names alone: a new form has to be what they take it for.
#[test]
fn names_say_of_operands_what_the_table_says() {
    let program = "import sys\nfrom variants import BITS, types\nfor name in sys.stdin.read().split():\n    \
                   for each in types(name) or (): print(*[-(-BITS[kind] // 8) for kind in each], sep='+', end=' ')\n    print()\n";
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../third-party/python");
    let mut python = Command::new("python3");
    python.args(["-B", "-c", program]).current_dir(folder);
    let variants: Vec<&Variant> = Variant::all().iter().filter(|variant| variant.is_ptx()).collect();
    let names: Vec<&str> = variants.iter().map(|variant| variant.text()).collect();
    let mut child = python.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("python3");
    child.stdin.take().expect("piped").write_all(names.join("\n").as_bytes()).expect("it reads");
    let said = String::from_utf8(child.wait_with_output().expect("it ends").stdout).expect("a text");
    assert_eq!(said.lines().count(), variants.len());
    let mut known = 0;
    for (variant, said) in variants.iter().zip(said.lines()).filter(|(_, said)| !said.is_empty()) {
        let bytes = |registers: &[Register]| {
            let each = registers.iter().map(|register| register.ty.row_bytes().to_string());
            each.collect::<Vec<String>>().join("+")
        };
        let own = format!("{} {}", bytes(variant.operands()), bytes(variant.results()));
        assert_eq!(own, said.trim_end(), "{}", variant.text());
        known += 1;
    }
    assert!(known > 1000, "{known}");
}

/// A tag can be moved to another commit by whoever owns the action.
#[test]
fn actions_of_workflows_are_pinned_to_commits() {
    let github = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.github");
    let workflows = std::fs::read_dir(github.join("workflows")).expect("the workflows");
    let workflows = workflows.map(|workflow| workflow.expect("a workflow").path());
    // Its own action is run in workflows of others.
    let own = github.join("actions/conformance/action.yml");
    let mut actions = 0;
    for path in workflows.chain([own]) {
        let text = std::fs::read_to_string(&path).expect("a workflow");
        for line in text.lines().filter_map(|line| line.split_once("uses: ").map(|(_, rest)| rest)) {
            let commit = line.split(' ').next().and_then(|action| action.split_once('@'));
            let digits = commit.map(|(_, commit)| commit).unwrap_or_default();
            let is_commit = digits.len() == 40 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            assert!(is_commit && line.contains(" # v"), "{}: {line}", path.display());
            actions += 1;
        }
    }
    assert!(actions > 0);
}
