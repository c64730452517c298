//! Tests of rows of machine code on a compiler whose faults are known, and on the real ones where they are
//! installed.

use compilers::promises::PromiseSelection;
use compilers::replay::replay;
use compilers::report::{Started, of_machine};
use compilers::{CompileOutcome, CompileRequest, Compiler, machine};
use implementations::bundled::compilers::Want;
use reports::Verdict;
use reports::compilers::{CompilerReport, Standing};

use super::real::installed;
use super::{request, suite};

fn assembler(faults: &str) -> Compiler {
    suite();
    let command = format!("exec,deadline=60:python3 harness/cli/tests/compilers/assembler.py {faults}");
    Compiler::connect(&command, 2).unwrap()
}

fn summary(compiler: &Compiler, only: &str, targets: &[&str]) -> CompilerReport {
    let options = PromiseSelection {
        only: vec![only.into()],
        targets: targets.iter().map(|target| (*target).to_owned()).collect(),
        settings: Vec::new(),
    };
    let source = machine::source(compiler).unwrap();
    let cells = machine::compile(compiler, source, &options).unwrap();
    of_machine(compiler, source, &options, &cells, Started::now())
}

/// Returns in how many cells a document permitted something, and the compiler did it or not, as `class` says.
fn choices(found: &CompilerReport, class: &str) -> u64 {
    found.findings.iter().filter(|finding| finding.class == class).map(|finding| finding.cells).sum()
}

/// Returns what fails, as the first parts of classes, each once.
fn classes(faults: &str, only: &str) -> Vec<String> {
    let found = summary(&assembler(faults), only, &[]);
    let mut classes: Vec<String> = found
        .findings
        .iter()
        .filter(|finding| finding.status == Standing::Fail)
        .filter_map(|finding| finding.class.split('.').next().map(str::to_owned))
        .collect();
    classes.sort();
    classes.dedup();
    classes
}

#[test]
fn a_right_assembler_keeps_all_promises() {
    let found = summary(&assembler(""), "*", &[]);
    assert_eq!(found.verdict(), Verdict::Agree, "{found:?}");
    assert!(found.totals.cells > 1400 && found.totals.right == found.totals.cells, "{found:?}");
    // The compiler contracts nothing, which is its right.
    assert_eq!(choices(&found, "taken/contract"), 0);
    assert!(choices(&found, "left/contract") > 100, "{found:?}");
}

#[test]
fn a_modifier_that_is_lost_is_told() {
    for modifier in ["FTZ", "RZ", "SAT", "RELU", "OOB", "NAN"] {
        let found = summary(&assembler(&format!("drops={modifier}")), "modifier/*", &["sm_90"]);
        assert_eq!(found.verdict(), Verdict::Mismatches, "{modifier}");
        for finding in found.findings.iter().filter(|finding| finding.status == Standing::Fail) {
            let [promised, came] =
                [finding.promised.clone().unwrap(), finding.sequences[0].instructions.join(" ")];
            assert!(promised.contains(modifier) && !came.contains(modifier), "{finding:?}");
        }
        // No row is kept that has the modifier.
        assert_eq!(found.totals.right + broken(&found), found.totals.cells);
        let has = |row: &&machine::rows::MachineRow| {
            row.due_text.contains(modifier) && row.name.starts_with("modifier/")
        };
        let cells = machine::rows::all().iter().filter(has).filter(|row| row.targets.contains(&"sm_90"));
        assert_eq!(broken(&found), cells.map(|row| row.options.len() as u64).sum::<u64>(), "{modifier}");
    }
}

fn broken(found: &CompilerReport) -> u64 {
    let failing = found.findings.iter().filter(|finding| finding.status == Standing::Fail);
    failing.map(|finding| finding.cells).sum()
}

#[test]
fn what_is_contracted_where_it_must_not_is_told_and_where_it_may_not() {
    let found = summary(&assembler("contracts"), "contract/*", &[]);
    assert_eq!(found.verdict(), Verdict::Agree, "{found:?}");
    assert_eq!(choices(&found, "taken/contract"), found.totals.cells);
    let found = summary(&assembler("contracts"), "apart/*", &[]);
    assert_eq!((found.totals.right, broken(&found)), (0, found.totals.cells), "{found:?}");
    let class = "selected/apart/rn-on-product/add.f32";
    let finding = found.findings.iter().find(|finding| finding.class == class).unwrap();
    assert_eq!(finding.sequences[0].instructions, ["FFMA"]);
    // The faulty compiler does again what it did, and the right one does not.
    for (faults, fails) in [("contracts", true), ("", false)] {
        let again = replay(&assembler(faults), &found, finding, None).unwrap();
        assert!(!again.is_empty() && again.iter().all(|of| of.fails == fails), "{again:?}");
    }
}

#[test]
fn what_must_be_refused_and_is_taken_is_told() {
    assert_eq!(classes("cutile accepts", "tile/refused/div*"), ["accepted/tile/refused/div"]);
    let found = summary(&assembler("cutile accepts"), "tile/refused/*", &[]);
    assert_eq!(found.totals.right, 0, "{found:?}");
    // A refusal for another reason is not the one that is due.
    assert_eq!(
        classes("cutile 'refuses=No such file'", "tile/refused/div*"),
        ["refused/tile/refused/div"]
    );
    let found =
        summary(&assembler("cutile 'refuses=can only be used for float32'"), "tile/refused/div*", &[]);
    assert_eq!(found.verdict(), Verdict::Agree, "{found:?}");
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
    let options = PromiseSelection { only: vec!["operator/*".into()], ..PromiseSelection::default() };
    let error = machine::compile(&compiler, machine::source(&compiler).unwrap(), &options).unwrap_err();
    assert!(error.to_string().contains("compilers list"), "{error}");
}

/// Real assemblers refuse what they do not know, in their own words.
#[test]
fn ptxas_refuses_what_it_does_not_know() {
    let Some(compiler) = installed("ptxas") else { return };
    let request = |source: &str, options: &[&str], target: &str| CompileRequest {
        want: Want::Code,
        ..request("ptx", source, options, target)
    };
    let empty = ".version 8.6\n.target sm_90\n";
    let requests = [
        request(empty, &[], "sm_90"),
        request(empty, &["--nonsense"], "sm_90"),
        request(empty, &[], "sm_1"),
        request(&format!("{empty}.entry f() {{ frobnicate.f32; }}"), &[], "sm_90"),
        CompileRequest { want: Want::Ptx, ..request(empty, &[], "sm_90") },
    ];
    let outcomes = compiler.compile(&requests).unwrap();
    assert!(matches!(outcomes[0], CompileOutcome::Code(_)), "{outcomes:?}");
    for (outcome, words) in
        outcomes[1..].iter().zip(["nonsense", "sm_1", "frobnicate", "ptxas gives code"])
    {
        assert!(matches!(outcome, CompileOutcome::Refused(said) if said.contains(words)), "{outcome:?}");
    }
}

/// Real compilers keep their promises in a few rows of each kind: all of them are `cargo xtask compilers --compiler
/// ptxas --compiler tile`.
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
        assert_eq!(found.verdict(), Verdict::Agree, "{found:?}");
    }
}
