//! Renders the open points that were answered in more than one way.

use crate::Inconsistency;

use super::page::Page;
use crate::text::thousands;

/// The largest number of open points that are printed.
const SHOWN: usize = 10;

/// Returns the open points, each with a vector for every answer.
pub(super) fn inconsistencies(inconsistencies: &[Inconsistency], page: Page) -> String {
    if inconsistencies.is_empty() {
        return String::new();
    }
    let heading = "Answered in more than one way, where one interpretation should hold";
    let mut out = page.sentence(Page::bold, heading);
    for Inconsistency { relaxation, scope, answers } in inconsistencies.iter().take(SHOWN) {
        out += &page.wrapped(&format!("{scope}: {relaxation}"), 2, 4);
        for answer in answers {
            let bits = |data: &[crate::Datum]| {
                data.iter().map(|datum| datum.bits.clone()).collect::<Vec<_>>().join(" ")
            };
            let (operands, actual) = (bits(&answer.example.operands), bits(&answer.example.actual));
            let text = format!(
                "{}: {} {operands} = {actual} ({} like it)",
                answer.answer,
                answer.variant,
                thousands(answer.count)
            );
            out += &page.wrapped(&text, 4, 6);
        }
    }
    if inconsistencies.len() > SHOWN {
        let more = thousands((inconsistencies.len() - SHOWN) as u64);
        out += &page.wrapped(&format!("and {more} more in the report"), 2, 4);
    }
    out
}
