//! Lines of digits: a process for each batch.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

use formats::{Column, RowBits, column};

use super::child::{Child, quoted};
use super::deadline::Deadline;
use super::failure::Failure;

/// What stands in the place of a variant when a command is to list those that it has.
pub const LIST: &str = "variants";
/// What stands in the place of results where there are none.
const NONE: &str = "-";

/// The variants that a command lists, which was started for that.
pub fn list(child: &mut Child, deadline: &mut Deadline) -> Result<BTreeSet<String>, Failure> {
    child.close();
    let mut variants = BTreeSet::new();
    while let Some(line) = child.line(deadline)? {
        if !line.trim().is_empty() {
            variants.insert(line.trim().to_owned());
        }
    }
    ended_well(child, "listing its variants")?;
    Ok(variants)
}

/// Has some rows of a batch computed by a command that was started for it; gives those that there is no
/// result of.
pub fn run(
    child: &mut Child,
    operands: &[Column],
    results: &mut [Column],
    rows: Range<usize>,
    deadline: &mut Deadline,
) -> Result<Vec<usize>, Failure> {
    let mut text = String::new();
    for row in rows.clone() {
        for (index, column) in operands.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            let digits = digits(column);
            write!(text, "{space}{:0digits$x}", column.row_bits(row)).expect("a String takes all text");
        }
        text.push('\n');
    }
    child.write(text.into_bytes());
    child.close();
    let due = rows.len();
    let mut unanswered = Vec::new();
    for row in rows.clone() {
        let Some(line) = child.line(deadline)? else {
            let done = row - rows.start;
            ended_well(child, &format!("line {done} of {due}"))?;
            return Err(Failure::nonsense(format!("it wrote {done} lines for {due}")));
        };
        if line.trim_ascii() == NONE {
            unanswered.push(row);
        } else {
            read(&line, results, row)?;
        }
    }
    if child.line(deadline)?.is_some() {
        return Err(Failure::nonsense(format!("it wrote more than {due} lines for {due}")));
    }
    ended_well(child, "its last line")?;
    Ok(unanswered)
}

/// Hexadecimal digits of a datum.
fn digits(column: &Column) -> usize {
    2 * column.row_bytes()
}

/// Reads the results of a row.
fn read(line: &str, results: &mut [Column], row: usize) -> Result<(), Failure> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let bits = |(word, column): (&&str, &Column)| {
        RowBits::from_hex(word, column.row_bytes()).ok().filter(|_| word.len() == digits(column))
    };
    let read: Option<Vec<RowBits>> = words.iter().zip(&*results).map(bits).collect();
    match read.filter(|_| words.len() == results.len()) {
        Some(read) => {
            column::set_row_bits(results, row, &read);
            Ok(())
        }
        None => {
            let due = results.iter().map(|column| format!("{} digits", digits(column)));
            let due = due.collect::<Vec<_>>().join(" and ");
            Err(Failure::nonsense(format!("it wrote {} instead of {due}", quoted(line))))
        }
    }
}

/// Whether a command whose output has ended has ended with exit code 0.
fn ended_well(child: &mut Child, behind: &str) -> Result<(), Failure> {
    let ended = child.end();
    match ended.is_failure() {
        true => Err(ended.failure(&format!(" behind {behind}"))),
        false => Ok(()),
    }
}
