//! Tables and lists of vectors.

use crate::model::{Datum, Example};
use crate::terminal::markdown::{code, escaped};
use crate::text::{elided, printable};

use super::exact;

/// The largest number of rows of a table.
const ROWS: usize = 12;
/// The largest number of characters of a cell: what the bits of a register of 128 bits need, and a bit more.
const CELL: usize = 40;
/// The largest number of characters of an operand in a list.
const WORD: usize = 24;

/// Returns a table of a vector: its operands, and the expected and the actual result, each as bits, as a decimal number
/// and exactly.
pub fn table(example: &Example) -> String {
    let mut rows = Vec::new();
    let named = [("expected ", &example.expected), ("actual ", &example.actual)];
    let results = named.iter().flat_map(|(word, data)| data.iter().map(move |datum| (*word, datum)));
    for (word, datum) in example.operands.iter().map(|datum| ("", datum)).chain(results) {
        let values = datum.shown_values();
        let is_packed = datum.lanes.len() > 1;
        for (place, lane) in &values {
            let name = match is_packed {
                true => format!("{word}{}, lane {place}", datum.name),
                false => format!("{word}{}", datum.name),
            };
            rows.push([name, datum.ty.clone(), lane.bits.clone(), lane.value.clone(), exact(lane)]);
        }
        // Bits without values, as a hostile report or one of zeros has them.
        if values.is_empty() {
            rows.push([
                format!("{word}{}", datum.name),
                datum.ty.clone(),
                datum.bits.clone(),
                String::new(),
                String::new(),
            ]);
        }
    }
    let mut out = "\n| | type | bits | value | exactly |\n| --- | --- | --- | --- | --- |\n".to_owned();
    for [name, ty, bits, value, exact] in rows.iter().take(ROWS) {
        let cell = |text: &str| escaped(&elided(&printable(text), CELL));
        let bits = code(&elided(&printable(bits), CELL));
        let [name, ty, value, exact] = [name, ty, value, exact].map(|text| cell(text));
        out += &format!("| {name} | {ty} | {bits} | {value} | {exact} |\n");
    }
    if let Some(left) = rows.len().checked_sub(ROWS).filter(|left| *left > 0) {
        out += &format!("\n{left} more rows are in the report.\n");
    }
    if example.actual.is_empty() {
        let words = example.words.as_deref().unwrap_or("no result came");
        out += &format!("\nActual: {}\n", escaped(&elided(&printable(words), 200)));
    }
    out
}

/// Returns a list of vectors, a line each; empty if there is none.
pub fn list<'a>(examples: impl Iterator<Item = &'a Example>) -> String {
    let lines = examples.map(|example| {
        let [expected, actual] = [&example.expected, &example.actual].map(|data| bits(data, ""));
        let operands = bits(&example.operands, " = ");
        format!("- {operands}: expected {expected}, actual {actual}\n")
    });
    let lines: String = lines.collect();
    if lines.is_empty() { lines } else { format!("\nOther inputs that show it:\n\n{lines}") }
}

/// Returns the bits of operands or results, with their names if something is to stand behind these.
fn bits(data: &[Datum], behind_name: &str) -> String {
    let datum = |datum: &Datum| {
        let bits = code(&elided(&printable(&datum.bits), WORD));
        match behind_name {
            "" => bits,
            between => format!("{}{between}{bits}", escaped(&elided(&printable(&datum.name), WORD))),
        }
    };
    match data {
        [] => "none".into(),
        data => data.iter().take(4).map(datum).collect::<Vec<_>>().join(", "),
    }
}
