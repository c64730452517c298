//! Tests of what the pages say of the instruction table and of the sweeps.

use std::collections::BTreeMap;

use isa::{InterpretationMeaning, Relaxation, Variant};
use sweeps::Sweep;
use sweeps::matrix::DotSweep;

const VARIANTS: &str = include_str!("../../../docs/what/variants.md");
const OPEN_POINTS: &str = include_str!("../../../docs/what/open-points.md");
const INTERPRETATIONS: &str = include_str!("../../../docs/what/interpretations.md");
const SWEEPS: &str = include_str!("../../../docs/what/sweeps.md");

/// Two other pages that say how many variants there are.
const FRONT: &str = include_str!("../../../README.md");
const SELFCHECK: &str = include_str!("../../../docs/why/selfcheck.md");

/// Returns the cells of a page's tables, row by row.
fn rows(page: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let rows = page.lines().filter(|line| line.starts_with('|'));
    rows.map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

/// Prints a number with commas, as the pages have it.
fn counted(number: usize) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", number / 1000, number % 1000),
    }
}

#[test]
fn instructions_are_counted() {
    let mut counts = BTreeMap::new();
    for variant in Variant::all().iter().filter(|variant| variant.is_ptx()) {
        *counts.entry(variant.operation().mnemonic()).or_insert(0) += 1;
    }
    let total: usize = counts.values().sum();
    let (all, casts) = (Variant::all().len(), Variant::all().len() - total);
    for page in [VARIANTS, FRONT] {
        assert!(page.contains(&format!("{} variants", counted(total))));
    }
    assert!(
        VARIANTS.contains(&format!("{casts} **casts**")) && FRONT.contains(&format!("{casts} casts"))
    );
    assert!(SELFCHECK.contains(&format!("of the {} variants", counted(all))));
    let cells: Vec<&str> = rows(VARIANTS).flatten().collect();
    for (mnemonic, count) in counts {
        let at = cells.iter().position(|cell| cell.split(", ").any(|name| name == code(mnemonic)));
        let at = at.unwrap_or_else(|| panic!("variants.md lacks {mnemonic}"));
        let shown = cells[at + 1].trim_end_matches(" each").replace(',', "");
        assert_eq!(shown, count.to_string(), "{mnemonic}");
    }
}

#[test]
fn relaxations_are_listed_with_their_interpretations() {
    for relaxation in Relaxation::ALL {
        let row = rows(OPEN_POINTS).find(|row| row[0] == code(relaxation.name()));
        let row = row.unwrap_or_else(|| panic!("open-points.md lacks {}", relaxation.name()));
        let interpretations: Vec<String> =
            relaxation.interpretations().iter().map(|text| code(text)).collect();
        assert_eq!(row[2], interpretations.join(", "), "{}", relaxation.name());
    }
}

/// The page of interpretations has the rows of the code, in their order; links on the page are text in the code.
#[test]
fn interpretations_mean_what_the_page_says() {
    let mut name = "";
    let mut listed = Vec::new();
    for row in rows(INTERPRETATIONS).filter(|row| row[1].starts_with('`')) {
        name = if row[0].is_empty() { name } else { row[0] };
        listed.push((name, row[1], row[2]));
    }
    let minimum = ("[the suite's minimum](results.md#approximate-functions)", "the suite's minimum");
    assert_eq!(listed.len(), InterpretationMeaning::ALL.len());
    for ((name, interpretations, meaning), due) in listed.into_iter().zip(InterpretationMeaning::ALL) {
        assert_eq!(name, code(due.relaxation));
        let due_interpretations: Vec<String> =
            due.interpretations.iter().map(|text| code(text)).collect();
        assert_eq!(interpretations, due_interpretations.join(", "), "{name}");
        assert_eq!(meaning.replace(minimum.0, minimum.1), due.meaning, "{name}");
    }
}

#[test]
fn sweeps_are_listed() {
    assert!(SWEEPS.contains(&format!("There are {} for scalar", Sweep::all().len())));
    assert!(SWEEPS.contains(&format!("and {} for the dot products", DotSweep::all().len())));
    for sweep in Sweep::all() {
        let listed = rows(SWEEPS).any(|row| row[0].split(", ").any(|name| name == code(sweep.name)));
        assert!(listed, "sweeps.md lacks {}", sweep.name);
    }
}
