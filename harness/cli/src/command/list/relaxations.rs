//! `conformance list --relaxations`: the open points of the manual, with what each interpretation means.

use std::collections::BTreeSet;
use std::process::ExitCode;

use base::terminal;
use isa::matrix::SumRelaxation;
use isa::{InterpretationMeaning, Relaxation};
use serde::Serialize;

use crate::command::{AGREE, Ending, Format, print as print_text, print_json};

/// A relaxation, for programs.
#[derive(Serialize)]
struct Row {
    relaxation: &'static str,
    interpretations: Vec<Meaning>,
    manual: &'static str,
}

/// What one or several interpretations mean.
#[derive(Serialize)]
struct Meaning {
    names: &'static [&'static str],
    meaning: &'static str,
}

/// Returns the row of a relaxation of this name.
fn row(relaxation: &'static str, manual: &'static str) -> Row {
    let meanings = InterpretationMeaning::of(relaxation);
    let meaning =
        |row: &InterpretationMeaning| Meaning { names: row.interpretations, meaning: row.meaning };
    Row { relaxation, interpretations: meanings.map(meaning).collect(), manual }
}

/// Prints relaxations of lanes, and then those of sums of products.
pub fn print(lanes: &BTreeSet<Relaxation>, sums: &BTreeSet<SumRelaxation>, format: Format) -> Ending {
    let of_lanes = lanes.iter().map(|relaxation| row(relaxation.name(), relaxation.reason()));
    let of_sums = sums.iter().map(|relaxation| row(relaxation.name(), relaxation.reason()));
    let rows: Vec<Row> = of_lanes.chain(of_sums).collect();
    match format {
        Format::Json => print_json(&(serde_json::to_string_pretty(&rows)? + "\n"))?,
        Format::Text => {
            let columns = terminal::columns();
            let mut text = String::new();
            for Row { relaxation, interpretations, manual } in &rows {
                text += &format!("{relaxation}\n");
                for Meaning { names, meaning } in interpretations {
                    let line = format!("{}: {meaning}", names.join(", "));
                    text += &reports::wrapped(&line, 2, columns);
                }
                text += &reports::wrapped(&format!("the manual: {manual}"), 2, columns);
            }
            text += &format!("{} open points\n", rows.len());
            print_text(&text)?;
        }
    }
    Ok(ExitCode::from(AGREE))
}
