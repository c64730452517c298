//! The tables of a record, in Markdown.

use reports::thousands;

use super::record::{FunctionRecord, Record};
use super::run::ON_DEVICE;
use super::tally::{Example, Tally};

impl Record {
    /// Returns the table of all that was measured.
    pub fn table(&self) -> String {
        let columns = [
            &["function", "under", "approximate instructions", "documented"],
            self.ways(),
            &["not correctly rounded", "beyond", "special", "inputs"],
        ];
        let row = |body: &[FunctionRecord]| {
            let first = &body[0];
            let approximations = match &first.approximations[..] {
                [] => "–".into(),
                some => format!("`{}`", some.join("` `")),
            };
            let mut row = vec![name(first), under(first), approximations, first.documented.clone()];
            row.extend(self.worst(body));
            row.extend([
                count_of_each_way(body, |tally| tally.wrong.to_string()),
                count_of_each_way(body, |tally| tally.exceeding.to_string()),
                count_of_each_way(body, special),
                inputs(first),
            ]);
            row
        };
        written(&columns.concat(), self.bodies().map(row))
    }

    /// Returns the table of functions beyond their documented maximum, with the first such input of the first way that
    /// has one; `None` if no function is.
    pub fn beyond_documented(&self) -> Option<String> {
        let columns =
            [&["function", "under", "documented"], self.ways(), &["beyond", "inputs", "the first"]];
        let row = |body: &[FunctionRecord]| {
            let mut beyond = body.iter().filter(|entry| entry.counted.exceeding > 0);
            let example = beyond.next()?.shown.last()?;
            // The worst result, in another column, says how far the function is beyond its maximum.
            let (example, _) = example.split_once(": ")?;
            let first = &body[0];
            let counts = body.iter().map(|entry| thousands(entry.counted.exceeding));
            let mut row = vec![name(first), under(first), first.documented.clone()];
            row.extend(self.worst(body));
            row.extend([counts.collect::<Vec<_>>().join(" / "), inputs(first), example.into()]);
            Some(row)
        };
        let mut rows = self.bodies().filter_map(row).peekable();
        rows.peek()?;
        Some(written(&columns.concat(), rows))
    }

    fn ways(&self) -> &'static [&'static str] {
        if self.device.is_some() { &[ON_DEVICE] } else { &["nearest", "lowest", "highest"] }
    }

    /// Returns the entries of each body; the ways of one body follow each other in the record.
    fn bodies(&self) -> impl Iterator<Item = &[FunctionRecord]> {
        self.functions
            .chunk_by(|one, next| one.way.is_some() && one.name == next.name && one.under == next.under)
    }

    /// Returns the worst result of each way, as a cell of the table.
    fn worst(&self, body: &[FunctionRecord]) -> impl Iterator<Item = String> {
        self.ways().iter().map(|&way| {
            let entry = body.iter().find(|entry| entry.way.as_deref().unwrap_or("nearest") == way);
            entry.map_or_else(String::new, |entry| match &entry.counted.worst {
                None if entry.counted.wrong == 0 => "0".into(),
                None => "special".into(),
                Some(Example { distance, error, .. }) if *error < 1e4 => {
                    format!("{distance} ({error:.3})")
                }
                Some(Example { distance, error, .. }) => format!("{distance} ({error:.0e})"),
            })
        })
    }
}

fn written(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut text = format!("| {} |\n|{}\n", header.join(" | "), " --- |".repeat(header.len()));
    text.extend(rows.map(|row| format!("| {} |\n", row.join(" | "))));
    text
}

fn name(entry: &FunctionRecord) -> String {
    format!("`{}`", entry.name)
}

fn under(entry: &FunctionRecord) -> String {
    entry.under.join(", ")
}

fn inputs(entry: &FunctionRecord) -> String {
    match entry.exhaustive {
        true => "all".into(),
        false => format!("2^{:.0} of them", (entry.counted.inputs as f64).log2()),
    }
}

/// Returns a count of each way, in a cell of the table, and once where neighbours are the same.
fn count_of_each_way(body: &[FunctionRecord], of: impl Fn(&Tally) -> String) -> String {
    let mut all: Vec<String> = body.iter().map(|entry| of(&entry.counted)).collect();
    all.dedup();
    all.join(", ")
}

fn special(tally: &Tally) -> String {
    let kinds = [("NaN", tally.nan), ("∞", tally.infinite), ("−0", tally.zero_sign)];
    let some = kinds.iter().filter(|kind| kind.1 > 0);
    let some: Vec<String> = some.map(|(name, count)| format!("{count} {name}")).collect();
    if some.is_empty() { "–".into() } else { some.join(" ") }
}
