//! Writes the Markdown tables of a [`Record`], which show people how far the functions of CUDA are from the correctly
//! rounded result.
//!
//! A *body* is what a function compiles to; it has one row, and `under` in the row lists the settings and targets that
//! compile to it. A *way* says which of the results that PTX permits all approximate instructions of the body give: the
//! `nearest`, the `lowest` or the `highest`; where a device executes the body there is one way, `device`. The record
//! has an entry for each body and way. *Distance* is how many numbers of the format lie between a result and the
//! correctly rounded one, and one more; *error* is the distance of a result from the exact value, in units of the last
//! place. *Beyond* are results beyond the documented maximum, by either [reading](formats::UlpReading) of ulp.

use formats::UlpReading;
use reports::thousands;

use super::record::{FunctionRecord, Record};
use super::run::ON_DEVICE;
use super::table::{FUNCTIONS, Limit};
use super::tally::{Example, Tally};

impl Record {
    /// Returns the table of all that was measured, with a row for each body. The last columns count results over all
    /// inputs of a body; the columns of `beyond_columns` are among them.
    pub fn table(&self) -> String {
        let columns = [
            &["function", "under", "approximate instructions", "documented"],
            self.way_columns(),
            &["not correctly rounded"],
            self.beyond_columns(),
            &["special", "inputs"],
        ];
        let row = |body: &[FunctionRecord]| {
            let first = &body[0];
            let approximations = match &first.approximations[..] {
                [] => "–".into(),
                some => format!("`{}`", some.join("` `")),
            };
            let under = settings_and_targets(first);
            let mut row = vec![name(first), under, approximations, first.documented.clone()];
            row.extend(self.worst(body));
            row.push(count_of_each_way(body, |tally| tally.wrong.to_string()));
            row.extend(
                self.beyond(body, |count| count_of_each_way(body, |tally| count(tally).to_string())),
            );
            row.extend([count_of_each_way(body, special), inputs(first)]);
            row
        };
        markdown_table(&columns.concat(), self.bodies().map(row))
    }

    /// Returns the table of bodies that have results beyond the documented maximum of their function; `None` if there
    /// are none. The last cell of a row has the first input with such a result, in the first way that has one, and that
    /// result beside the correctly rounded one. The first by the units of the correctly rounded result is preferred.
    pub fn beyond_documented(&self) -> Option<String> {
        let columns = [
            &["function", "under", "documented"],
            self.way_columns(),
            self.beyond_columns(),
            &["inputs", "the first"],
        ];
        let row = |body: &[FunctionRecord]| {
            let in_units = body.iter().find(|entry| exceeding_in_units(&entry.counted) > 0);
            let beyond = in_units.or_else(|| body.iter().find(|entry| entry.counted.exceeding > 0))?;
            // `shown` has the worst result and then the first beyond the maximum. Of the latter an entry with a count
            // above 0 has one; without it the row stays, since its counts are what matters.
            let example = beyond.shown.last().map_or("–", String::as_str);
            // What follows the colon says how far off this result is. That is left out: the columns of the ways have
            // the worst result.
            let (example, _) = example.split_once(": ").unwrap_or((example, ""));
            let first = &body[0];
            let mut row = vec![name(first), settings_and_targets(first), first.documented.clone()];
            row.extend(self.worst(body));
            row.extend(self.beyond(body, |count| {
                let counts = body.iter().map(|entry| thousands(count(&entry.counted)));
                counts.collect::<Vec<_>>().join(" / ")
            }));
            row.extend([inputs(first), example.into()]);
            Some(row)
        };
        let mut rows = self.bodies().filter_map(row).peekable();
        rows.peek()?;
        Some(markdown_table(&columns.concat(), rows))
    }

    /// Returns the headings of the columns that have the worst result in a way, which are the names of the ways.
    fn way_columns(&self) -> &'static [&'static str] {
        if self.device.is_some() { &[ON_DEVICE] } else { &["nearest", "lowest", "highest"] }
    }

    /// Whether results beyond the maximum were counted by both readings of ulp; older records have one.
    fn has_both_readings(&self) -> bool {
        self.functions.iter().all(|entry| entry.counted.in_units.is_some())
    }

    /// Returns the headings of the columns about results beyond the documented maximum.
    ///
    /// `beyond` counts by the units of the correctly rounded result, and `beyond, in numbers` by steps from one number
    /// to the next. A record without the first count has `beyond in units, too` instead.
    fn beyond_columns(&self) -> &'static [&'static str] {
        match self.has_both_readings() {
            true => &["beyond", "beyond, in numbers"],
            false => &["beyond, in numbers", "beyond in units, too"],
        }
    }

    /// Returns the cells of these columns. `cell` writes a count of each way.
    fn beyond(
        &self,
        body: &[FunctionRecord],
        cell: impl Fn(fn(&Tally) -> u64) -> String,
    ) -> [String; 2] {
        let in_numbers = cell(|tally| tally.exceeding);
        if self.has_both_readings() {
            return [cell(exceeding_in_units), in_numbers];
        }
        let known = match () {
            () if body.iter().any(is_shown_beyond_in_units) => "yes",
            () if body.iter().all(is_settled_in_units) => "–",
            () => "not counted",
        };
        [in_numbers, known.into()]
    }

    /// Returns the entries of each body, one for each way; they follow each other in the record. A body without
    /// approximations, and so without ways, has a single entry.
    fn bodies(&self) -> impl Iterator<Item = &[FunctionRecord]> {
        self.functions
            .chunk_by(|one, next| one.way.is_some() && one.name == next.name && one.under == next.under)
    }

    /// Returns a cell for each way with the worst result, such as `2 (1.73)`: distance and error. It is `0` if all
    /// results are correctly rounded, `special` if all others differ in being NaN or in the sign of a zero, which have
    /// no distance, and empty if the body was not executed in that way.
    fn worst(&self, body: &[FunctionRecord]) -> impl Iterator<Item = String> {
        self.way_columns().iter().map(|&way| {
            // A body without approximations gives the same results in every way; they stand in the first column.
            let entry = body.iter().find(|entry| entry.way.as_deref().unwrap_or("nearest") == way);
            entry.map_or_else(String::new, |entry| match &entry.counted.worst {
                None if entry.counted.wrong == 0 => "0".into(),
                None => "special".into(),
                // From ten thousand units on, a digit and a power of ten are enough.
                Some(Example { distance, error, .. }) if *error < 1e4 => {
                    format!("{distance} ({error:.3})")
                }
                Some(Example { distance, error, .. }) => format!("{distance} ({error:.0e})"),
            })
        })
    }
}

/// Returns how many results are beyond the maximum by the units of the correctly rounded result; 0 where that was not
/// counted.
fn exceeding_in_units(tally: &Tally) -> u64 {
    tally.in_units.as_ref().map_or(0, |beyond| beyond.exceeding)
}

/// Returns the maximum that an entry was counted with; `None` if there is none, or the table has it no longer.
fn limit(entry: &FunctionRecord) -> Option<fn(f64) -> Limit> {
    let function = FUNCTIONS.iter().find(|function| function.name == entry.name)?;
    let documented = [function.documented, function.fast];
    documented.into_iter().find(|documented| documented.says == entry.documented)?.limit
}

/// Whether nothing is left open about an entry's count in units: it was counted, no result is wrong, none may be, or
/// there is no maximum.
fn is_settled_in_units(entry: &FunctionRecord) -> bool {
    let may_be_wrong = |limit: fn(f64) -> Limit| limit(1.0) != Limit::Ulp(0);
    entry.counted.in_units.is_some()
        || entry.counted.wrong == 0
        || !limit(entry).is_some_and(may_be_wrong)
}

/// Whether a result of an entry is known to be beyond the maximum by the units of the correctly rounded result, too: by
/// its count or by an example.
fn is_shown_beyond_in_units(entry: &FunctionRecord) -> bool {
    let Some(function) = FUNCTIONS.iter().find(|function| function.name == entry.name) else {
        return false;
    };
    if exceeding_in_units(&entry.counted) > 0 {
        return true;
    }
    let is_beyond = |example: &Example, is_counted: bool| {
        let operand = super::truth::value(function.format, example.operands[0]);
        limit(entry).is_some_and(|limit| match limit(operand) {
            Limit::Ulp(most) => {
                let Example { result, nearest, .. } = *example;
                let distance = UlpReading::CorrectlyRounded.distance(function.format, result, nearest);
                distance > most as f64
            }
            // Such maxima are not in ulp, so what was counted counts by both.
            Limit::Absolute(_) | Limit::Relative(_) => is_counted,
            Limit::Unsaid => false,
        })
    };
    let Tally { worst, first, .. } = &entry.counted;
    first.as_ref().is_some_and(|first| is_beyond(first, true))
        || worst.as_ref().is_some_and(|worst| is_beyond(worst, false))
}

/// Writes a table in Markdown. Each row has as many cells as the header.
fn markdown_table(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut text = format!("| {} |\n|{}\n", header.join(" | "), " --- |".repeat(header.len()));
    text.extend(rows.map(|row| format!("| {} |\n", row.join(" | "))));
    text
}

/// Returns the function's name as code in Markdown.
fn name(entry: &FunctionRecord) -> String {
    format!("`{}`", entry.name)
}

/// Returns the settings and targets that compile to the entry's body, such as `ftz compute_90`.
fn settings_and_targets(entry: &FunctionRecord) -> String {
    entry.under.join(", ")
}

/// Returns how many of the function's inputs were tried: all, or a number that is rounded to a power of two.
fn inputs(entry: &FunctionRecord) -> String {
    match entry.exhaustive {
        true => "all".into(),
        false => format!("2^{:.0} of them", (entry.counted.inputs as f64).log2()),
    }
}

/// Returns a cell with a count for each way, in the order of the ways, but equal neighbours only once. Of two counts in
/// a cell it cannot be said which of them the way in the middle has: `5, 3` stands for 5, 3, 3 and for 5, 5, 3. The
/// JSON of the record has each count; the published page depends on the short form.
fn count_of_each_way(body: &[FunctionRecord], count: impl Fn(&Tally) -> String) -> String {
    let mut all: Vec<String> = body.iter().map(|entry| count(&entry.counted)).collect();
    all.dedup();
    all.join(", ")
}

/// Returns how many results are NaN, infinite or a zero of the wrong sign where the correctly rounded result is not, or
/// the reverse; `–` if there are none.
fn special(tally: &Tally) -> String {
    let kinds = [("NaN", tally.nan), ("∞", tally.infinite), ("−0", tally.zero_sign)];
    let some = kinds.iter().filter(|kind| kind.1 > 0);
    let some: Vec<String> = some.map(|(name, count)| format!("{count} {name}")).collect();
    if some.is_empty() { "–".into() } else { some.join(" ") }
}
