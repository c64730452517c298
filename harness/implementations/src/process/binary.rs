//! The dialect of frames of bytes, in which one process answers batch after batch.

use std::ops::Range;

use formats::Column;

use super::child::{Child, quoted};
use super::deadline::Deadline;
use super::failure::Failure;

/// Version of the protocol that is spoken.
pub const VERSION: &str = "ptx-conformance 1";

/// Has a child that speaks `version` introduce itself, and returns its name and version.
pub fn introduce(child: &mut Child, version: &str, deadline: &mut Deadline) -> Result<String, Failure> {
    child.write(format!("{version}\n").into_bytes());
    let line = answer(child, deadline)?;
    match line.strip_prefix(version).and_then(|rest| rest.strip_prefix(' ')) {
        Some(name) if !name.trim().is_empty() => Ok(name.trim().to_owned()),
        _ => Err(instead(&line, &format!("{version} NAME VERSION"))),
    }
}

/// Asks a command whether it has a variant; the inner error is the command's reason why not.
pub fn support(
    child: &mut Child,
    variant: &str,
    deadline: &mut Deadline,
) -> Result<Result<(), String>, Failure> {
    child.write(format!("supports {variant}\n").into_bytes());
    let line = answer(child, deadline)?;
    match line.split_once(' ') {
        _ if line == "yes" => Ok(Ok(())),
        Some(("no", reason)) => Ok(Err(reason.to_owned())),
        _ => Err(instead(&line, "yes, or no REASON")),
    }
}

/// Has some rows of a batch computed, and returns the rows that there is no result of.
pub fn run(
    child: &mut Child,
    variant: &str,
    operands: &[Column],
    results: &mut [Column],
    rows: Range<usize>,
    deadline: &mut Deadline,
) -> Result<Vec<usize>, Failure> {
    in_step(child)?;
    // Behind this point any output of the child is taken for its answer.
    let line = format!("run {variant} {} {} {}\n", rows.len(), widths(operands), widths(results.iter()));
    let parts = [line.as_bytes()].into_iter();
    let parts = parts.chain(operands.iter().map(|column| column.bytes_of(rows.clone())));
    child.write(parts.collect::<Vec<_>>().concat());
    let line = answer(child, deadline)?;
    if let Some(reason) = line.strip_prefix("failed") {
        return Err(Failure::self_reported(reason));
    }
    let unanswered = match line.strip_prefix("results but ") {
        Some(count) => {
            let count = read_count(count, rows.len())
                .ok_or_else(|| instead(&line, "results but N, where N is 1 to the number of rows"))?;
            missing(child, count, rows.clone(), deadline)?
        }
        None if line == "results" => Vec::new(),
        None => return Err(instead(&line, "results")),
    };
    columns(child, results, rows, deadline)?;
    Ok(unanswered)
}

/// Reads the columns of results, behind which no more output may stand.
pub(super) fn columns(
    child: &mut Child,
    results: &mut [Column],
    rows: Range<usize>,
    deadline: &mut Deadline,
) -> Result<(), Failure> {
    for column in results {
        child.bytes(column.bytes_of_mut(rows.clone()), deadline)?;
    }
    if child.goes_on() { Err(too_much_output()) } else { Ok(()) }
}

/// Reads a decimal number of at least 1 and at most `most`, written in its only valid form.
fn read_count(text: &str, most: usize) -> Option<usize> {
    text.parse().ok().filter(|count: &usize| (1..=most).contains(count) && count.to_string() == text)
}

/// Reads the numbers of those of `rows` that there is no result of.
fn missing(
    child: &mut Child,
    count: usize,
    rows: Range<usize>,
    deadline: &mut Deadline,
) -> Result<Vec<usize>, Failure> {
    // A number has four bytes, little-endian, as `harness/protocol/README.md` says.
    let mut numbers = Column::new(4, count);
    child.bytes(numbers.bytes_mut(), deadline)?;
    let numbers: Vec<usize> = (0..count).map(|at| numbers.get(at) as usize).collect();
    if !numbers.is_sorted_by(|one, next| one < next) {
        return Err(Failure::nonsense(
            "the numbers of the rows without a result are not in ascending order",
        ));
    }
    if let Some(number) = numbers.last().filter(|number| **number >= rows.len()) {
        return Err(Failure::nonsense(format!(
            "it says that row {number} has no result, and the rows are 0 to {}",
            rows.len() - 1
        )));
    }
    Ok(numbers.into_iter().map(|number| rows.start + number).collect())
}

/// Checks that a child has said nothing that it was not asked for.
pub(super) fn in_step(child: &mut Child) -> Result<(), Failure> {
    if child.is_ahead() { Err(too_much_output()) } else { Ok(()) }
}

/// Returns the failure of a child that wrote more than it was asked for.
fn too_much_output() -> Failure {
    Failure::nonsense("it wrote more than it was asked for")
}

/// Writes the widths of columns in bytes, with commas between them.
pub(super) fn widths<'a>(columns: impl IntoIterator<Item = &'a Column>) -> String {
    let widths = columns.into_iter().map(|column| column.row_bytes().to_string());
    widths.collect::<Vec<String>>().join(",")
}

/// Reads the line that a child is to answer with.
pub(super) fn answer(child: &mut Child, deadline: &mut Deadline) -> Result<String, Failure> {
    match child.line(deadline)? {
        Some(line) => Ok(line),
        None => Err(child.end().failure("")),
    }
}

/// Returns the failure of a child that answered `line` where `due` was to come.
pub(super) fn instead(line: &str, due: &str) -> Failure {
    Failure::nonsense(format!("it answered {} instead of: {due}", quoted(line)))
}
