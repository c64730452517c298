//! The table of variants, which the page's script fills, filters and sorts.

use maud::{Markup, html};
use serde_json::{Value, json};

use super::front::TEXT;
use super::glossary::word;
use super::scrolled;
use crate::causes::CauseGroup;
use crate::terminal::by_instruction;
use crate::text::elided;
use crate::{Report, Status, VariantReport};

/// The columns of the table: a heading, and whether the column is of numbers.
const COLUMNS: [(&str, bool); 6] = [
    ("variant", false),
    ("result", false),
    ("vectors", true),
    ("mismatches", true),
    ("max ulp", true),
    ("classes", false),
];

/// The largest number of characters of a cause that there is room for in the list of causes.
const CAUSE: usize = 80;

/// Returns a row of the index, an array of JSON: the columns of the table, the place of the variant's page, as the
/// part and the place within it, and the numbers of the variant's causes.
pub fn row(variant: &VariantReport, place: Option<[usize; 2]>, causes: &[usize]) -> Value {
    let kinds: Vec<&str> = variant.classes.iter().map(|class| kind(&class.id)).collect();
    let worst = variant.worst().map(|ulp| if ulp.is_finite() { json!(ulp) } else { json!("inf") });
    json!([
        variant.variant,
        status_word(variant.status),
        variant.vectors,
        variant.mismatches,
        worst,
        kinds.join(" "),
        place,
        causes
    ])
}

/// Returns the short name of a class, which stands behind the variant in its name.
pub fn kind(id: &str) -> &str {
    id.rsplit_once('/').map_or(id, |(_, kind)| kind)
}

/// Returns the word for a variant's status.
pub const fn status_word(status: Status) -> &'static str {
    match status {
        Status::Pass => "agrees",
        Status::Fail => "disagrees",
        Status::Waived => "waived",
        Status::Unsupported => "unsupported",
        Status::Incomplete => "incomplete",
    }
}

/// Formats an error in units of the last place to four digits, as the page's script does in the table.
pub fn ulps(error: f64) -> String {
    let exponential = format!("{error:.3e}");
    let exponent = exponential.split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    match exponent {
        // Of these numbers JavaScript's `toPrecision(4)` writes no exponent.
        Some(exponent @ -6..4) => format!("{error:.*}", (3 - exponent) as usize),
        _ => exponential,
    }
}

/// Returns the table without its rows, and the fields that filter it.
pub fn table(report: &Report, causes: &[CauseGroup]) -> Markup {
    let any = |status| report.variants.iter().any(|variant| variant.status == status);
    let statuses = [Status::Fail, Status::Waived, Status::Incomplete, Status::Pass, Status::Unsupported];
    let table = html! { table #variants {
        thead { tr { @for (heading, is_number) in COLUMNS {
            th scope="col" .number[is_number] { button type="button" { (heading) } }
        } } }
        tbody {}
    } };
    html! {
        section #all aria-labelledby="all-heading" {
            h2 #all-heading { (word("variant", "Variants")) }
            form.filter role="search" aria-labelledby="all-heading" {
                label { "Filter " input #filter type="search" placeholder="fma ftz f16" autocomplete="off" spellcheck="false"; }
                " " label { "Instruction " select #instruction {
                    option value="" { "any" }
                    @for (name, _) in by_instruction(report) { option value=(name) { (elided(&name, TEXT)) } }
                } }
                " " label { "Result " select #status {
                    option value="" { "any" }
                    @for status in statuses.into_iter().filter(|status| any(*status)) {
                        option { (status_word(status)) }
                    }
                } }
                " " label hidden[causes.is_empty()] { "Cause " select #cause {
                    option value="" { "any" }
                    @for (number, cause) in causes.iter().enumerate() {
                        option value=(number) { (elided(&cause.words(), CAUSE).replace('`', "")) }
                    }
                } }
            }
            p.small { "Each word is looked for as a part of a name, like " code { "f16" } " (which is not in " code { "bf16" } "), \
                as several parts with dots between them, as a result or as a " (word("class", "class")) ". A word that is \
                none of these may be any piece of such a text. All words must be found." }
            p #shown role="status" {}
            (scrolled("variants", table))
            p { button #more type="button" hidden { "Show all" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ulps;

    #[test]
    fn errors_have_four_digits() {
        let due = [
            (0.5, "0.5000"),
            (7.48412, "7.484"),
            (2024.96, "2025"),
            (16_780_000.0, "1.678e7"),
            (0.0, "0.000"),
        ];
        for (error, text) in due {
            assert_eq!(ulps(error), text);
        }
        assert_eq!(ulps(f64::MAX), "1.798e308");
    }
}
