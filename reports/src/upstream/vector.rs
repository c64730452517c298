//! Tables and lists of vectors.

use crate::model::{Datum, Example};
use crate::terminal::markdown::{code, escaped, fenced};
use crate::text::{elided, printable, printable_lines};

use super::exact;

/// The largest number of rows of a table.
const ROWS: usize = 12;
/// The largest number of characters of a cell: what the bits of a register of 128 bits need, and a bit more.
const CELL: usize = 40;
/// The largest number of characters of the bits of an operand with many values.
const REGISTER: usize = 300;
/// The largest number of characters of an operand in a list.
const WORD: usize = 24;

/// Returns a table of a vector: its operands, and the expected and the actual result, each as bits, as a decimal number
/// and exactly. Of operands with many values, as matrices have them, the values other than zero are in the table, and all
/// bits behind it.
pub fn table(example: &Example) -> String {
    let mut results = rows("expected ", &example.expected);
    results.extend(rows("actual ", &example.actual));
    results.truncate(ROWS);
    let room = ROWS - results.len();
    let mut operands = rows("", &example.operands);
    let many = operands.len() > room;
    if many {
        operands.retain(|row| !row.is_zero);
    }
    operands.truncate(room);
    let mut out =
        "\n| | type | bits | value | exact value |\n| --- | --- | --- | --- | --- |\n".to_owned();
    for Row { name, ty, bits, value, exact, .. } in operands.iter().chain(&results) {
        let cell = |text: &str| escaped(&elided(&printable(text), CELL));
        let bits = code(&elided(&printable(bits), CELL));
        let [name, ty, value, exact] = [name, ty, value, exact].map(|text| cell(text));
        out += &format!("| {name} | {ty} | {bits} | {value} | {exact} |\n");
    }
    if many {
        out += "\nThe table does not have all values of the operands. All bits of the operands:\n\n";
        let line = |datum: &Datum| format!("{} {}", datum.name, elided(&datum.bits, REGISTER));
        let lines: Vec<String> = example.operands.iter().take(4).map(line).collect();
        out += &fenced("text", &printable_lines(&lines.join("\n")));
    }
    if example.actual.is_empty() {
        let words = example.words.as_deref().unwrap_or("no result came");
        out += &format!("\nActual: {}\n", escaped(&elided(&printable(words), 200)));
    }
    out
}

/// A row of a table of a vector.
struct Row {
    name: String,
    ty: String,
    bits: String,
    value: String,
    exact: String,
    /// Whether no bit of the value is set.
    is_zero: bool,
}

/// Returns the rows of operands or results, one for each value; `word` stands before every name.
fn rows(word: &str, data: &[Datum]) -> Vec<Row> {
    let mut rows = Vec::new();
    for datum in data {
        let name = format!("{word}{}", datum.name);
        let values = datum.shown_values();
        for (place, lane) in &values {
            let name = match datum.lanes.len() {
                1 => name.clone(),
                _ => format!("{name}, value {place}"),
            };
            let (bits, value) = (lane.bits.clone(), lane.value.clone());
            let (exact, is_zero) = (exact(lane), lane.is_zero());
            rows.push(Row { name, ty: datum.ty.clone(), bits, value, exact, is_zero });
        }
        // A register without values, or with many zeros and nothing else, is one row.
        if values.is_empty() {
            let (ty, bits) = (datum.ty.clone(), datum.bits.clone());
            let (value, exact) = (String::new(), String::new());
            rows.push(Row { name, ty, bits, value, exact, is_zero: true });
        }
    }
    rows
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

/// Returns the bits of operands or results, with their names and types if something is to stand behind these.
fn bits(data: &[Datum], behind_name: &str) -> String {
    let datum = |datum: &Datum| {
        let bits = code(&elided(&printable(&datum.bits), WORD));
        match behind_name {
            "" => bits,
            between => {
                let [name, ty] =
                    [&datum.name, &datum.ty].map(|text| escaped(&elided(&printable(text), WORD)));
                format!("{name}{between}{bits} ({ty})")
            }
        }
    };
    match data {
        [] => "none".into(),
        data => data.iter().take(4).map(datum).collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Lane;

    fn datum(name: &str, values: &[u8]) -> Datum {
        let digits: String = values.iter().rev().map(|value| format!("{value:02x}")).collect();
        let lane = |value: &u8| Lane {
            bits: format!("{value:#04x}"),
            value: value.to_string(),
            ..Lane::default()
        };
        let lanes = values.iter().map(lane).collect();
        Datum { name: name.into(), ty: "u8".into(), bits: format!("0x{digits}"), lanes }
    }

    #[test]
    fn results_are_in_the_table_however_many_values_the_operands_have() {
        let mut many = [0; 32];
        many[20] = 7;
        let example = Example {
            sweep: String::new(),
            index: 0,
            operands: vec![datum("a", &many), datum("b", &[1; 32]), datum("c", &[0])],
            expected: vec![datum("d", &[8])],
            accepted: Vec::new(),
            actual: vec![datum("d", &[9])],
            words: None,
        };
        let table = table(&example);
        for part in [
            "| a, value 20 | u8 | `0x07` | 7 | 7 |\n",
            "| b, value 0 | u8 | `0x01` | 1 | 1 |\n",
            "| expected d | u8 | `0x08` | 8 | 8 |\n",
            "| actual d | u8 | `0x09` | 9 | 9 |\n",
            "does not have all values",
            "\nc 0x00\n",
        ] {
            assert!(table.contains(part), "no {part} in {table}");
        }
        let few = Example { operands: vec![datum("a", &[0, 1])], ..example };
        let table = super::table(&few);
        assert!(table.contains("| a, value 0 | u8 | `0x00` | 0 | 0 |\n"), "{table}");
        assert!(!table.contains("not have all values"), "{table}");
    }
}
