//! Tests of the table of worked examples in `MATRIX_SWEEPS.md` against the code.

use super::*;

const DOCUMENT: &str = include_str!("../../../../MATRIX_SWEEPS.md");

/// Returns a row of a sweep as hexadecimal numbers, one for each column.
fn row(sweep: &str, variant: &str, seed: u64, index: u64) -> String {
    let variant: MatrixVariant = variant.parse().unwrap();
    let sweep = DotSweep::named(sweep).unwrap_or_else(|| panic!("no sweep {sweep}"));
    let mut columns = columns_for(&variant, 1);
    sweep.fill(&variant, seed, index, &mut columns);
    let hex = |column: &Column| {
        let bytes = column.row_bytes_of(0).iter().rev();
        bytes.map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    columns.iter().map(hex).collect::<Vec<_>>().join(" ")
}

#[test]
fn vectors_are_the_documents() {
    let rows: Vec<Vec<&str>> = DOCUMENT
        .lines()
        .skip_while(|line| *line != "| sweep | variant | seed | vector | columns |")
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(|c| c.trim().trim_matches('`')).collect())
        .collect();
    for row in &rows {
        let made = self::row(row[0], row[1], row[2].parse().unwrap(), row[3].parse().unwrap());
        assert_eq!(made, row[4], "{row:?}");
    }
    for sweep in DotSweep::all() {
        assert!(rows.iter().filter(|row| row[0] == sweep.name).count() >= 3, "{}", sweep.name);
    }
}

/// The document has a section for every sweep, in running order.
#[test]
fn sections_are_the_sweeps() {
    let sections: Vec<&str> = DOCUMENT.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    assert_eq!(sections, DotSweep::all().iter().map(|sweep| sweep.name).collect::<Vec<_>>());
}
