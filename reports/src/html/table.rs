//! The table of variants, which the page's script fills, filters and sorts.

use maud::{Markup, html};
use serde_json::{Value, json};

use super::scrolled;
use crate::{Report, Status, VariantReport};

/// The columns: a heading, and whether it is of numbers.
const COLUMNS: [(&str, bool); 6] = [
    ("variant", false),
    ("result", false),
    ("vectors", true),
    ("mismatches", true),
    ("max ulp", true),
    ("classes", false),
];

/// A row of the index: the columns of the table, and where the page of the variant is, as the part and the place
/// within it.
pub fn row(variant: &VariantReport, place: Option<[usize; 2]>) -> Value {
    let kinds: Vec<&str> = variant.classes.iter().map(|class| kind(&class.id)).collect();
    let worst = variant.worst().map(|ulp| if ulp.is_finite() { json!(ulp) } else { json!("inf") });
    json!([
        variant.variant,
        word(variant.status),
        variant.vectors,
        variant.mismatches,
        worst,
        kinds.join(" "),
        place
    ])
}

/// The short name of a class.
pub fn kind(id: &str) -> &str {
    id.rsplit_once('/').map_or(id, |(_, kind)| kind)
}

/// The word for a variant's status.
pub const fn word(status: Status) -> &'static str {
    match status {
        Status::Pass => "agrees",
        Status::Fail => "disagrees",
        Status::Waived => "waived",
        Status::Unsupported => "unsupported",
        Status::Incomplete => "incomplete",
    }
}

/// The table without its rows, and the fields that filter it.
pub fn table(report: &Report) -> Markup {
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
            h2 #all-heading { "Variants" }
            form.filter role="search" {
                label { "Filter " input #filter type="search" placeholder="fma ftz f16" autocomplete="off" spellcheck="false"; }
                " " label { "Result " select #status {
                    option value="" { "any" }
                    @for status in statuses.into_iter().filter(|status| any(*status)) {
                        option { (word(status)) }
                    }
                } }
                " " span #shown role="status" {}
            }
            p.small { "Words are looked for in names, results and classes, and all of them must be there." }
            (scrolled("variants", table))
            p { button #more type="button" hidden { "Show all" } }
        }
    }
}
