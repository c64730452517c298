//! What is published of measurements: JSON for programs, tables for people.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use vectors::Format;

use super::run::{ON_DEVICE, Subject};
use super::table::SOURCES;
use super::tally::{Example, Tally};

/// Changes when the meaning of a field does.
const VERSION: u32 = 1;

/// All that was measured of a compiler's functions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Of this record's fields.
    pub version: u32,
    /// Of the suite.
    pub suite: String,
    /// The compiler, with its version.
    pub compiler: String,
    /// The device that executed the functions, and its driver; absent where the interpreter did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// Where maxima are documented: of f32, and of half precision.
    pub sources: Vec<String>,
    /// The functions, each as often as documents, flushing or bodies tell it apart.
    pub functions: Vec<Entry>,
}

/// A function, compiled to one body, with its approximations of one way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// The settings and targets that compile to this body.
    pub under: Vec<String>,
    /// The approximate instructions in it.
    pub approximations: Vec<String>,
    /// `nearest`, `lowest` or `highest`: which of the results that PTX permits they all have; absent where there are
    /// none. `device`, of all functions, where a device executed them.
    pub way: Option<String>,
    /// The documented maximum.
    pub documented: String,
    /// Which inputs.
    pub inputs: String,
    /// Whether these are all that there are.
    pub exhaustive: bool,
    /// Whether subnormal numbers may be flushed.
    pub flush: bool,
    /// What was counted.
    pub counted: Tally,
    /// The same examples, written out: the worst, and the first beyond the documented maximum.
    pub shown: Vec<String>,
}

impl Record {
    /// One without functions.
    pub fn new(compiler: String, device: Option<String>) -> Record {
        let sources = SOURCES.map(str::to_owned).to_vec();
        let suite = env!("CARGO_PKG_VERSION").into();
        Record { version: VERSION, suite, compiler, device, sources, functions: Vec::new() }
    }

    /// Adds a function's measurements, in the place of others of that function.
    pub fn add(&mut self, subject: &Subject, tallies: Vec<Tally>) {
        let name = subject.function.name;
        self.functions.retain(|entry| entry.name != name);
        for (one, counted) in subject.measurements.iter().zip(tallies) {
            let format = subject.function.format;
            let examples = [&counted.worst, &counted.first].into_iter().flatten();
            let shown = examples.map(|example| show(format, subject.function.arity, example)).collect();
            self.functions.push(Entry {
                name: name.into(),
                under: one.under.iter().map(|(setting, target)| format!("{setting} {target}")).collect(),
                approximations: one.approximations.clone(),
                way: one.way().map(Into::into),
                documented: one.documented.says.into(),
                inputs: subject.inputs.chosen(),
                exhaustive: subject.inputs.is_all(),
                flush: one.flush,
                counted,
                shown,
            });
        }
    }

    /// The tables, in Markdown.
    pub fn tables(&self) -> String {
        let mut text = String::new();
        let mut rows = self.functions.iter().peekable();
        let ways =
            if self.device.is_some() { &[ON_DEVICE][..] } else { &["nearest", "lowest", "highest"] };
        let mut header = vec!["function", "under", "approximate instructions", "documented"];
        header.extend(ways);
        header.extend(["not correctly rounded", "beyond", "special", "inputs"]);
        let _ = writeln!(text, "| {} |", header.join(" | "));
        let _ = writeln!(text, "|{}", " --- |".repeat(header.len()));
        while let Some(first) = rows.next() {
            let mut entries = vec![first];
            // The ways of one body follow each other.
            while let Some(next) = rows.peek().filter(|next| {
                first.way.is_some() && next.name == first.name && next.under == first.under
            }) {
                entries.push(next);
                rows.next();
            }
            row(&mut text, &entries, ways);
        }
        text
    }
}

fn row(text: &mut String, entries: &[&Entry], ways: &[&str]) {
    let first = entries[0];
    let each = |of: &dyn Fn(&Tally) -> String| -> String {
        let mut all: Vec<String> = entries.iter().map(|entry| of(&entry.counted)).collect();
        all.dedup();
        all.join(", ")
    };
    let worst = |way: &str| {
        let entry = entries.iter().find(|entry| entry.way.as_deref().unwrap_or("nearest") == way);
        entry.map_or_else(String::new, |entry| match &entry.counted.worst {
            None if entry.counted.wrong == 0 => "0".into(),
            None => "special".into(),
            Some(Example { distance, error, .. }) if *error < 1e4 => format!("{distance} ({error:.3})"),
            Some(Example { distance, error, .. }) => format!("{distance} ({error:.0e})"),
        })
    };
    let special = each(&|tally: &Tally| {
        let kinds = [("NaN", tally.nan), ("∞", tally.infinite), ("−0", tally.zero_sign)];
        let some = kinds.iter().filter(|kind| kind.1 > 0);
        let some: Vec<String> = some.map(|(name, count)| format!("{count} {name}")).collect();
        if some.is_empty() { "–".into() } else { some.join(" ") }
    });
    let _ = writeln!(
        text,
        "| `{}` | {} | {} | {} | {} | {} | {} | {} | {} |",
        first.name,
        first.under.join(", "),
        if first.approximations.is_empty() {
            "–".into()
        } else {
            format!("`{}`", first.approximations.join("` `"))
        },
        first.documented,
        ways.iter().map(|way| worst(way)).collect::<Vec<_>>().join(" | "),
        each(&|tally| tally.wrong.to_string()),
        each(&|tally| tally.exceeding.to_string()),
        special,
        if first.exhaustive {
            "all".into()
        } else {
            format!("2^{:.0} of them", (first.counted.inputs as f64).log2())
        },
    );
}

/// An example for people: operands, result and the correctly rounded one.
fn show(format: &Format, arity: u32, example: &Example) -> String {
    let shown = |bits: u64| {
        let shown = format.show(bits);
        format!("{} ({})", shown.hex(), shown.decimal())
    };
    let operands: Vec<String> =
        example.operands.iter().take(arity as usize).map(|&bits| shown(bits)).collect();
    format!(
        "{} → {}, correctly rounded {}: {} ulp apart, {:.4} from the exact value",
        operands.join(", "),
        shown(example.result),
        shown(example.nearest),
        example.distance,
        example.error
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What people read is what programs do.
    #[test]
    fn the_published_table_is_that_of_the_published_record() {
        let record = include_str!("../../../../reports/published/functions/nvrtc.json");
        let page = include_str!("../../../../reports/published/FUNCTIONS.md");
        let record: Record = serde_json::from_str(record).unwrap();
        // The page says which target it is.
        let tables = record.tables().replace(" compute_90", "");
        let (_, rest) = page.split_once("## All that was measured").unwrap();
        let shown: Vec<&str> = rest.lines().filter(|line| line.starts_with('|')).collect();
        assert_eq!(shown, tables.lines().collect::<Vec<_>>());
        assert!(shown.len() > 150, "{}", shown.len());
    }
}
