//! Frames of bytes: one process answers batch after batch.

use std::ops::Range;
use std::time::{Duration, Instant};

use vectors::{Column, Variant};

use super::child::{Child, Failure, quoted};

/// The version that is spoken.
const VERSION: &str = "ptx-conformance 1";

/// Has a child introduce itself; gives its name and version.
pub fn introduce(child: &mut Child, limit: Duration) -> Result<String, Failure> {
    child.write(format!("{VERSION}\n").into_bytes());
    let line = answer(child, Instant::now(), limit)?;
    match line.strip_prefix(VERSION).and_then(|rest| rest.strip_prefix(' ')) {
        Some(name) if !name.trim().is_empty() => Ok(name.trim().to_owned()),
        _ => Err(instead(&line, "ptx-conformance 1 NAME VERSION")),
    }
}

/// Whether a command has a variant; the inner error is its reason why not.
pub fn support(
    child: &mut Child,
    variant: &Variant,
    limit: Duration,
) -> Result<Result<(), String>, Failure> {
    child.write(format!("supports {variant}\n").into_bytes());
    let line = answer(child, Instant::now(), limit)?;
    match line.split_once(' ') {
        _ if line == "yes" => Ok(Ok(())),
        Some(("no", reason)) => Ok(Err(reason.to_owned())),
        _ => Err(instead(&line, "yes, or no REASON")),
    }
}

/// Has some rows of a batch computed.
pub fn run(
    child: &mut Child,
    variant: &Variant,
    operands: &[Column],
    results: &mut [Column],
    rows: Range<usize>,
    limit: Duration,
) -> Result<(), Failure> {
    let start = Instant::now();
    if child.is_ahead() {
        return Err(Failure::nonsense("it wrote more than it was asked for"));
    }
    let widths = |columns: &[Column]| {
        let widths: Vec<String> = columns.iter().map(|column| column.row_bytes().to_string()).collect();
        widths.join(",")
    };
    let line = format!("run {variant} {} {} {}\n", rows.len(), widths(operands), widths(results));
    let parts = [line.as_bytes()].into_iter();
    let parts = parts.chain(operands.iter().map(|column| column.bytes_of(rows.clone())));
    child.write(parts.collect::<Vec<_>>().concat());
    let line = answer(child, start, limit)?;
    if let Some(reason) = line.strip_prefix("failed") {
        return Err(Failure::nonsense(format!("it says that it failed:{reason}")));
    }
    if line != "results" {
        return Err(instead(&line, "results"));
    }
    for column in results {
        child.bytes(column.bytes_of_mut(rows.clone()), start, limit)?;
    }
    Ok(())
}

/// The line that a child is to answer with.
fn answer(child: &mut Child, start: Instant, limit: Duration) -> Result<String, Failure> {
    match child.line(start, limit)? {
        Some(line) => Ok(line),
        None => Err(Failure::crashed(format!("it ended ({})", child.end()))),
    }
}

fn instead(line: &str, due: &str) -> Failure {
    Failure::nonsense(format!("it answered {} instead of: {due}", quoted(line)))
}
