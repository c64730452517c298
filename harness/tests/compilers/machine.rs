//! Rows of machine code on a compiler whose faults are known, and on the real ones where they are installed.

use harness::compilers::machine::{self, Summary};
use harness::compilers::promises::Options;
use harness::compilers::{Compiler, Outcome, Request, Want};

use super::real::installed;
use super::{request, suite};

fn assembler(faults: &str) -> Compiler {
    suite();
    let command = format!("exec,deadline=60:python3 harness/tests/compilers/assembler.py {faults}");
    Compiler::connect(&command, 2).unwrap()
}

fn summary(compiler: &Compiler, only: &str, targets: &[&str]) -> Summary {
    let options = Options {
        only: vec![only.into()],
        targets: targets.iter().map(|target| (*target).to_owned()).collect(),
        settings: Vec::new(),
    };
    let source = machine::source(compiler).unwrap();
    let cells = machine::compile(compiler, source, &options).unwrap();
    Summary::of(compiler.name(), "1", &cells)
}

/// What is found, as the first parts of classes, each once.
fn classes(faults: &str, only: &str) -> Vec<String> {
    let found = summary(&assembler(faults), only, &[]);
    let mut classes: Vec<String> = found
        .findings
        .iter()
        .filter_map(|finding| finding.class.split('.').next().map(str::to_owned))
        .collect();
    classes.sort();
    classes.dedup();
    classes
}

#[test]
fn a_right_assembler_keeps_all_promises() {
    let found = summary(&assembler(""), "*", &[]);
    assert!(found.is_right(), "{}", found.text());
    assert!(found.cells > 1400 && found.kept == found.cells, "{}", found.text());
    // It contracts nothing, which is its right.
    assert_eq!(found.choices["contract"].taken, 0);
    assert!(found.choices["contract"].cells > 100, "{}", found.text());
    assert!(found.text().contains("contract: 0 of "), "{}", found.text());
}

#[test]
fn a_modifier_that_is_lost_is_told() {
    for modifier in ["FTZ", "RZ", "SAT", "RELU", "OOB", "NAN"] {
        let found = summary(&assembler(&format!("drops={modifier}")), "modifier/*", &["sm_90"]);
        assert!(!found.is_right(), "{modifier}");
        for finding in &found.findings {
            assert!(finding.due.contains(modifier) && !finding.found.contains(modifier), "{finding:?}");
        }
        // And no row is kept that has it.
        assert_eq!(found.kept + broken(&found), found.cells);
        let has = |row: &&machine::rows::Row| {
            row.due_text.contains(modifier) && row.name.starts_with("modifier/")
        };
        let cells = machine::rows::all().iter().filter(has).filter(|row| row.targets.contains(&"sm_90"));
        assert_eq!(broken(&found), cells.map(|row| row.options.len()).sum::<usize>(), "{modifier}");
    }
}

fn broken(found: &Summary) -> usize {
    found.findings.iter().map(|finding| finding.places.len()).sum()
}

#[test]
fn what_is_contracted_where_it_must_not_is_told_and_where_it_may_not() {
    let found = summary(&assembler("contracts"), "contract/*", &[]);
    assert!(found.is_right(), "{}", found.text());
    assert_eq!(found.choices["contract"].taken, found.cells);
    let found = summary(&assembler("contracts"), "apart/*", &[]);
    assert_eq!((found.kept, broken(&found)), (0, found.cells), "{}", found.text());
    let text = found.text();
    assert!(
        text.contains("selected/apart/rn-on-product/add.f32") && text.contains("compiled  FFMA"),
        "{text}"
    );
}

#[test]
fn what_must_be_refused_and_is_taken_is_told() {
    assert_eq!(classes("cutile accepts", "tile/refused/div*"), ["accepted/tile/refused/div"]);
    let found = summary(&assembler("cutile accepts"), "tile/refused/*", &[]);
    assert_eq!(found.kept, 0, "{}", found.text());
    // Nor is a refusal for another reason the one that is due.
    assert_eq!(
        classes("cutile 'refuses=No such file'", "tile/refused/div*"),
        ["refused/tile/refused/div"]
    );
    let found =
        summary(&assembler("cutile 'refuses=can only be used for float32'"), "tile/refused/div*", &[]);
    assert!(found.is_right(), "{}", found.text());
}

#[test]
fn refusals_deaths_and_kernels_that_are_lost_are_told() {
    assert_eq!(classes("refuses", "modifier/add.rn.f32"), ["refused/modifier/add"]);
    assert_eq!(classes("dies", "modifier/*.rn.f32"), ["died/modifier/fma"]);
    assert_eq!(classes("loses", "modifier/add.rn.f32"), ["died/modifier/add"]);
}

#[test]
fn what_is_not_selected_is_an_error() {
    let compiler = assembler("");
    let options = Options { only: vec!["operator/*".into()], ..Options::default() };
    let error = machine::compile(&compiler, machine::source(&compiler).unwrap(), &options).unwrap_err();
    assert!(error.to_string().contains("list --rows"), "{error}");
}

/// In their own words.
#[test]
fn ptxas_refuses_what_it_does_not_know() {
    let Some(compiler) = installed("ptxas") else { return };
    let request = |source: &str, options: &[&str], target: &str| Request {
        want: Want::Code,
        ..request("ptx", source, options, target)
    };
    let empty = ".version 8.6\n.target sm_90\n";
    let requests = [
        request(empty, &[], "sm_90"),
        request(empty, &["--nonsense"], "sm_90"),
        request(empty, &[], "sm_1"),
        request(&format!("{empty}.entry f() {{ frobnicate.f32; }}"), &[], "sm_90"),
        Request { want: Want::Ptx, ..request(empty, &[], "sm_90") },
    ];
    let outcomes = compiler.compile(&requests).unwrap();
    assert!(matches!(outcomes[0], Outcome::Code(_)), "{outcomes:?}");
    for (outcome, words) in
        outcomes[1..].iter().zip(["nonsense", "sm_1", "frobnicate", "ptxas gives code"])
    {
        assert!(matches!(outcome, Outcome::Refused(said) if said.contains(words)), "{outcome:?}");
    }
}

/// A few rows of each kind: all of them are `cargo xtask compilers --compiler ptxas --compiler tile`.
#[test]
fn real_compilers_keep_their_promises() {
    for (name, only) in [
        ("ptxas", "contract/*.f32"),
        ("ptxas", "apart/rn-on-*/add.f16x2"),
        ("tile", "tile/contract/explicit.rz.f32"),
        ("tile", "tile/refused/div.full.f16"),
        ("tile", "tile/mma-scaled/e2m1.e4m3.16"),
    ] {
        let Some(compiler) = installed(name) else { continue };
        let found = summary(&compiler, only, &[]);
        assert!(found.is_right(), "{}", found.text());
    }
}
