//! The differences from PTX that are a processor's own, as `README.md` explains them.

use super::architecture;

/// A row of a table of `README.md`: a pattern of variants whose results differ from PTX here, and the kind of the
/// mismatch that shows it.
pub struct ExplainedDifference {
    /// Pattern of variants.
    pub pattern: &'static str,
    /// Kind of mismatch.
    pub kind: &'static str,
}

/// Returns the rows of `README.md` about this machine's architecture. Tests hold runs on this machine to them.
///
/// # Panics
/// If the page has no section about the architecture, or a row without a reason: tests read all of it.
pub fn explained_differences() -> Vec<ExplainedDifference> {
    let heading = format!("## {}\n", architecture::NAME);
    let (_, section) = include_str!("README.md").split_once(&heading).expect("its section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let cells = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | `"));
    let row = |(pattern, rest): (&'static str, &'static str)| {
        let (kind, why) = rest.split_once("` | ").expect("three cells");
        assert!(why.len() > " |".len(), "`{pattern}` is not explained");
        ExplainedDifference { pattern, kind }
    };
    cells.map(row).collect()
}
