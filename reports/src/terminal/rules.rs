//! Renders the matrix of PTX's rules and the families of instructions.

use crate::RuleReport;

use super::page::Page;
use crate::text::FIRM;

/// Returns the families of instructions that rules are about, in their order, without those that were not run.
pub(crate) fn families(rules: &[RuleReport]) -> Vec<&str> {
    let mut families: Vec<&str> = Vec::new();
    for cell in rules.iter().flat_map(|rule| &rule.families).filter(|cell| cell.variants > 0) {
        if !families.contains(&&*cell.family) {
            families.push(&cell.family);
        }
    }
    families
}

/// Returns the matrix as a table with a line for each rule; where it does not fit, as a sentence for each rule and
/// its families.
pub(super) fn rules(rules: &[RuleReport], page: Page) -> String {
    let families = families(rules);
    if families.is_empty() {
        return String::new();
    }
    let word = |rule: &RuleReport, family: &str| {
        let cell = rule.families.iter().find(|cell| cell.family == family);
        cell.map_or("–".into(), |cell| match (cell.variants, cell.following) {
            (0, _) => "not run".into(),
            (_, 0) => "none".into(),
            (all, following) if all == following => "all".into(),
            (all, following) => format!("{following}/{all}"),
        })
    };
    let heading = "Rules of PTX, and in how many variants nothing is against them";
    let mut out = page.sentence(Page::bold, heading);
    let label = rules.iter().map(|rule| rule.rule.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = families
        .iter()
        .map(|family| {
            let cells = rules.iter().map(|rule| word(rule, family).chars().count());
            cells.max().unwrap_or(0).max(family.chars().count())
        })
        .collect();
    if 2 + label + widths.iter().map(|width| width + 2).sum::<usize>() > page.width {
        for rule in rules {
            let of_family = |family: &&str| (family.to_string(), word(rule, family));
            let cells = families.iter().map(of_family).filter(|(_, word)| word != "–");
            // A family and its count stay on one line.
            let together = |(family, word)| format!("{family} {word}").replace(' ', FIRM);
            let cells: Vec<String> = cells.map(together).collect();
            out += &page.wrapped(&format!("{}: {}", rule.rule, cells.join(", ")), 2, 4);
        }
        return out;
    }
    let line = |first: &str, cells: Vec<String>| {
        let cells: String =
            cells.iter().zip(&widths).map(|(cell, width)| format!("  {cell:>width$}")).collect();
        format!("  {first:label$}{cells}\n")
    };
    out += &line("", families.iter().map(|family| family.to_string()).collect());
    for rule in rules {
        out += &line(&rule.rule, families.iter().map(|family| word(rule, family)).collect());
    }
    out
}
