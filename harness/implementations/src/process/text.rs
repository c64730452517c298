//! The dialect of lines of digits, in which a process is started for each batch.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

use formats::{Column, RowBits, column};

use super::child::{Child, quoted};
use super::deadline::Deadline;
use super::failure::Failure;

/// Word in the place of a variant that asks a command to list the variants that it has.
pub const LIST: &str = "variants";
/// Mark in the place of results where there are none.
const NONE: &str = "-";

/// Reads the list of variants from a command that was started for that.
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

/// Has some rows of a batch computed by a command that was started for it; returns the rows that there is no
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
    // The end of its input tells the command that there are no more lines.
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

/// Returns the number of hexadecimal digits of a datum of a column.
fn digits(column: &Column) -> usize {
    2 * column.row_bytes()
}

/// Reads the results of a row from a line.
fn read(line: &str, results: &mut [Column], row: usize) -> Result<(), Failure> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let bits = |(word, column): (&&str, &Column)| {
        // A datum is written with all of its digits, leading zeros included.
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

/// Checks that a command, whose output is over, ends with exit code 0.
fn ended_well(child: &mut Child, behind: &str) -> Result<(), Failure> {
    let ended = child.end();
    match ended.is_failure() {
        true => Err(ended.failure(&format!(" after {behind}"))),
        false => Ok(()),
    }
}
