//! Tests that the page of statements names rows that there are.

use compilers::{machine, rows};

#[test]
fn statements_name_rows_that_there_are() {
    let page = include_str!("../../../../docs/why/statements.md");
    let heads = ["| statement ", "| document ", "| --- "];
    let is_row =
        |line: &&str| line.starts_with("| ") && !heads.iter().any(|head| line.starts_with(head));
    let table: Vec<&str> = page.lines().filter(is_row).collect();
    let mut named = 0;
    for line in &table {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
        assert_eq!(cells.len(), 3, "{line}");
        // Rows are in backquotes; commands have a space, and paths of files a dot before their slash.
        let quoted = cells[2].split('`').skip(1).step_by(2);
        let patterns: Vec<&str> =
            quoted.filter(|text| text.contains('/') && !text.contains(' ')).collect();
        for pattern in &patterns {
            let only = [(*pattern).to_owned()];
            let exists = rows::matching(&only).next().is_some()
                || machine::rows::matching(&only).next().is_some();
            assert!(exists, "no row is `{pattern}`: {line}");
            named += 1;
        }
        let said =
            !patterns.is_empty() || cells[2].contains("cargo xtask") || cells[2].contains("not asked");
        assert!(said, "neither a row nor a command: {line}");
    }
    assert!(table.len() >= 30 && named > 30, "{} statements, {named} rows", table.len());
}
