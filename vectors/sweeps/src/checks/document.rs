//! Tests of the tables of worked examples in `SWEEPS.md` against the code.

use formats::FLOATS;
use isa::Family;

use super::*;
use crate::random::{fnv1a, key, nth};

const DOCUMENT: &str = include_str!("../../../SWEEPS.md");

/// Returns the rows of the table with these column titles, each a list of cells without code marks.
fn table(titles: &[&str]) -> Vec<Vec<&'static str>> {
    let cells = |line: &'static str| -> Vec<&'static str> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect()
    };
    let mut lines = DOCUMENT.lines().skip_while(|line| cells(line) != titles);
    assert!(lines.next().is_some(), "no table {titles:?}");
    lines.skip(1).take_while(|line| line.starts_with('|')).map(cells).collect()
}

fn number(text: &str) -> u64 {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).unwrap(),
        None => text.parse().unwrap(),
    }
}

#[test]
fn random_numbers_are_the_documents() {
    let rows = table(&["expression", "value"]);
    for row in &rows {
        let (function, arguments) = row[0].trim_end_matches(')').split_once('(').unwrap();
        let arguments: Vec<&str> = arguments.split(", ").collect();
        let value = match function {
            "nth" => nth(number(arguments[0]), number(arguments[1])),
            "fnv1a" => fnv1a(arguments[0].as_bytes()),
            "key" => key(number(arguments[0]), arguments[1], number(arguments[2]) as usize),
            other => panic!("no function {other}"),
        };
        assert_eq!(format!("{value:#018x}"), row[1], "{}", row[0]);
    }
    assert!(rows.len() >= 4);
}

#[test]
fn boundary_magnitudes_are_the_documents() {
    let rows = table(&["operand", "magnitudes"]);
    let format = |name: &str| *FLOATS.iter().find(|format| format.name == name).expect("a format");
    for row in &rows {
        let (wide, narrow) = row[0].split_once(" beside ").unwrap_or((row[0], row[0]));
        let narrow = (narrow != wide).then(|| format(narrow));
        let listed: Vec<u64> =
            row[1].split(' ').map(|hex| u64::from_str_radix(hex, 16).unwrap()).collect();
        assert_eq!(tables::magnitudes(format(wide), narrow), listed, "{}", row[0]);
    }
    assert!(rows.len() >= 4);
}

#[test]
fn boundary_lengths_are_the_documents() {
    let rows = table(&["variant", "boundary vectors"]);
    for row in &rows {
        let length = Sweep::named("boundary").unwrap().length(&row[0].parse().unwrap());
        assert_eq!(length, Length::Finite(number(row[1])), "{}", row[0]);
    }
    assert!(rows.len() >= 10);
}

#[test]
fn vectors_are_the_documents() {
    let rows = table(&["sweep", "variant", "seed", "vector", "operands"]);
    for row in &rows {
        let variant: Variant = row[1].parse().unwrap();
        let mut columns = columns_for(&variant, 1);
        let sweep = Sweep::named(row[0]).unwrap_or_else(|| panic!("no sweep {}", row[0]));
        sweep.fill(&variant, number(row[2]), number(row[3]), &mut columns);
        let hex =
            |column: &Column| format!("{:0digits$x}", column.get(0), digits = 2 * column.row_bytes());
        let made: Vec<String> = columns.iter().map(hex).collect();
        assert_eq!(made.join(" "), row[4], "{row:?}");
    }
    let documented: HashSet<&str> = rows.iter().map(|row| row[0]).collect();
    assert!(Sweep::all().iter().all(|sweep| documented.contains(sweep.name)), "{documented:?}");
}

/// The document has a section for every sweep, in running order.
#[test]
fn sections_are_the_sweeps() {
    let sections: Vec<&str> = DOCUMENT.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    assert_eq!(sections, Sweep::all().iter().map(|sweep| sweep.name).collect::<Vec<_>>());
}

/// Each mnemonic stands in the family that the sweeps ask it as; `atom`, `red`, `multimem` and `redux` are asked
/// as what they do.
#[test]
fn families_are_the_documents() {
    let names = [
        (Family::SumsAndProducts, "Terms"),
        (Family::QuotientsAndRoots, "Inverse"),
        (Family::Convert, "Convert"),
        (Family::Compare, "Compare"),
        (Family::Function, "Function"),
    ];
    let line = DOCUMENT.lines().find(|line| line.contains("five *families*")).unwrap();
    let listed = |name: &str| {
        let (_, behind) = line.split_once(&format!("*{name}*: ")).unwrap();
        behind
            .split('.')
            .next()
            .unwrap()
            .split(", ")
            .map(|name| name.trim_matches('`'))
            .collect::<Vec<_>>()
    };
    let (_, by_modifier) = line.split_once("A modifier says").unwrap();
    let (by_modifier, _) = by_modifier.split_once(':').unwrap();
    for variant in Variant::all() {
        let (family, mnemonic) = (variant.meaning().op.family(), variant.mnemonic());
        if by_modifier.contains(&format!("`{mnemonic}`")) {
            let adds = variant.text().split(['.', '(']).any(|word| word == "add");
            let due = if adds { Family::SumsAndProducts } else { Family::Compare };
            assert_eq!(family, due, "{variant}");
            continue;
        }
        let (_, name) = names.iter().find(|(one, _)| *one == family).unwrap();
        assert!(listed(name).contains(&mnemonic), "SWEEPS.md lacks {mnemonic} in {name}");
    }
}
