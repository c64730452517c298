//! Tests of hand-written cases of what people get wrong (`vectors/cases`).
//!
//! Each case was worked out from the manual's words. Its results must be what the oracle expects, what the oracle
//! accepts beside that, and what emulator and model compute.

use std::collections::BTreeSet;
use std::path::Path;

use emulator::{Backend, Kernel};
use formats::Column;
use isa::{Register, Variant, columns_for};
use judge::Truth;
use model::Model;
use oracle::Oracle;
use serde::Deserialize;

/// A file of cases.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "about")]
    _about: String,
    groups: Vec<CaseGroup>,
}

/// The cases that pin one idea.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseGroup {
    name: String,
    #[serde(rename = "why")]
    _why: Option<String>,
    cases: Vec<PinnedCase>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PinnedCase {
    variant: String,
    operands: Vec<String>,
    results: Vec<String>,
    /// The results that other interpretations of the manual give in some lane.
    #[serde(default)]
    other_readings: Vec<String>,
    #[serde(rename = "note")]
    _note: Option<String>,
}

fn number(text: &str) -> u64 {
    let digits = text.strip_prefix("0x").unwrap_or_else(|| panic!("`{text}` is not hexadecimal"));
    u64::from_str_radix(digits, 16).unwrap_or_else(|_| panic!("`{text}` is not a number"))
}

/// Parses registers, and asserts that each of them is written in as many hexadecimal digits as it has.
fn registers(texts: &[String], registers: &[Register], shown: &str) -> Vec<u64> {
    assert_eq!(texts.len(), registers.len(), "{shown}");
    for (text, register) in texts.iter().zip(registers) {
        let digits = register.ty.width().div_ceil(4) as usize;
        assert_eq!(text.len(), 2 + digits, "{shown}: {} is {}", register.name, register.ty.name);
    }
    texts.iter().map(|text| number(text)).collect()
}

fn check(case: &PinnedCase, wrong: &mut Vec<String>) {
    let variant: Variant = case.variant.parse().unwrap_or_else(|error| panic!("{error}"));
    let shown = format!("{} {}", case.variant, case.operands.join(" "));
    let operands = registers(&case.operands, variant.operands(), &shown);
    let expected = registers(&case.results, variant.results(), &shown);
    let others: BTreeSet<u64> = case.other_readings.iter().map(|text| number(text)).collect();
    let mut columns = columns_for(&variant, 1);
    columns.iter_mut().zip(operands).for_each(|(column, bits)| column.set(0, bits));
    let assert_results = |who: &str, results: &[Column]| {
        let results: Vec<u64> = results.iter().map(|column| column.get(0)).collect();
        assert_eq!(results, expected, "{who}: {shown} = {results:x?}, not {expected:x?}");
    };
    let mut truth = Truth::new(&variant);
    Oracle::new(&variant).expect(&columns, &mut truth);
    assert_results("oracle", &truth.results);
    let accepted = others_of(&variant, &truth);
    if accepted != others {
        wrong.push(format!("{shown}: {accepted:x?} are accepted too, not {others:x?}"));
    }
    let blank = |fill: u8| {
        let mut results = truth.results.clone();
        results.iter_mut().for_each(|column| column.bytes_mut().fill(fill));
        results
    };
    let mut results = blank(0);
    Model::new(&variant, None).run(&columns, &mut results);
    assert_results("model", &results);
    for machine in [Backend::Scalar, Backend::Lanes] {
        let mut results = blank(0xa5);
        Kernel::of(&variant, machine).unwrap().run(&columns, &mut results);
        assert_results(&format!("{machine:?} emulator"), &results);
    }
}

/// Returns the lanes' results under other interpretations of the manual, where they differ from the first one.
fn others_of(variant: &Variant, truth: &Truth) -> BTreeSet<u64> {
    let mut lanes = vec![0u64; variant.lanes()];
    variant.outputs()[0].gather(variant.results(), &truth.results, 0..1, &mut lanes);
    let differing = truth.alternatives().iter().filter(|a| a.bits != lanes[a.element]);
    differing.map(|alternative| alternative.bits).collect()
}

#[test]
fn cases_are_what_oracle_model_and_emulator_say() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/cases");
    let (mut checked, mut wrong) = (0, Vec::new());
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let file: File =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for group in &file.groups {
            assert!(!group.cases.is_empty(), "{}: {}", path.display(), group.name);
            group.cases.iter().for_each(|case| check(case, &mut wrong));
            checked += group.cases.len();
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let page = include_str!("../../../../vectors/README.md");
    assert!(page.contains(&format!("has {checked} vectors")), "{checked} cases");
}
