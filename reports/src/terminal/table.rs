//! The table of variants: passing ones in groups, every other one on a line of its own.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::{Report, Status, VariantReport};

use super::Style;
use super::classes::is_own_meaning;
use super::page::Page;
use crate::text::{counted, elided, thousands};

/// The number of failing or waived variants, and of variants not tested to the end, that are listed before the rest
/// is counted.
const LISTED: usize = 30;

/// The largest number of reasons that are told why variants are unsupported.
const REASONS: usize = 3;

/// A row of the table: a group of passing variants, or one other variant.
struct TableRow {
    name: String,
    variants: u64,
    status: Status,
    vectors: u64,
    mismatches: u64,
    unanswered: u64,
    max_ulp: Option<f64>,
    reason: Option<String>,
}

/// Returns the table of variants. Unsupported ones are listed where that is asked for, and otherwise counted.
pub(super) fn variants(report: &Report, style: &Style, page: Page) -> String {
    let variants = report.variants.as_slice();
    let mut rows = groups(variants);
    let (mut failing, mut untested) = (0, 0);
    for variant in variants {
        let (listed, most) = match variant.status {
            Status::Pass => continue,
            Status::Unsupported if style.unsupported => (&mut untested, usize::MAX),
            Status::Unsupported => continue,
            Status::Incomplete => (&mut untested, LISTED),
            Status::Fail | Status::Waived => (&mut failing, LISTED),
        };
        *listed += 1;
        if *listed > most {
            continue;
        }
        rows.push(TableRow {
            name: variant.variant.clone(),
            variants: 1,
            status: variant.status,
            vectors: variant.vectors,
            mismatches: variant.mismatches,
            unanswered: variant.unanswered,
            max_ulp: variant.worst(),
            reason: variant.reason.clone(),
        });
    }
    let mut out = if rows.is_empty() { String::new() } else { lines(&rows, report.gap(), page) };
    let untested = if style.unsupported { 0 } else { untested };
    for (listed, what) in [(failing, "failing or waived"), (untested, "incomplete")] {
        if listed > LISTED {
            let left_out = thousands((listed - LISTED) as u64);
            out += &page.wrapped(&format!("and {left_out} more {what} ones in the report"), 2, 4);
        }
    }
    if style.unsupported { out } else { out + &unsupported(variants, page) }
}

/// Says how many variants are unsupported, and why most of them are.
fn unsupported(variants: &[VariantReport], page: Page) -> String {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for variant in variants.iter().filter(|variant| variant.status == Status::Unsupported) {
        *counts.entry(variant.reason.as_deref().unwrap_or("no reason given")).or_default() += 1;
    }
    let mut counts: Vec<(&str, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|&(reason, count)| (Reverse(count), reason));
    let of = |count: u64| counted(count, "unsupported variant");
    match counts[..] {
        [] => String::new(),
        [(reason, count)] => page.wrapped(&format!("{}: {reason}", of(count)), 2, 4),
        _ => {
            let all = counts.iter().map(|(_, count)| count).sum();
            let told = counts.iter().take(REASONS);
            let told = told.map(|(reason, count)| format!("{}: {reason}", thousands(*count)));
            let rest: u64 = counts.iter().skip(REASONS).map(|(_, count)| count).sum();
            let rest = (rest > 0).then(|| format!("{} for other reasons", thousands(rest)));
            let lines = told.chain(rest).map(|line| page.wrapped(&line, 4, 6));
            page.wrapped(&format!("{}; `report show --unsupported` lists them:", of(all)), 2, 4)
                + &lines.collect::<String>()
        }
    }
}

/// The largest number of rows of passing variants: a screen has no more.
const GROUPS_MAX: usize = 40;
/// The most characters of a meaning that the table shows.
const MEANING_MAX: usize = 100;

/// Groups the passing variants into one row for each instruction and format, or where those are too many, one for
/// each instruction.
fn groups(variants: &[VariantReport]) -> Vec<TableRow> {
    let fine = grouped(variants, false);
    if fine.len() > GROUPS_MAX { grouped(variants, true) } else { fine }
}

/// Groups the passing variants by instruction and format, or by instruction alone.
fn grouped(variants: &[VariantReport], by_instruction: bool) -> Vec<TableRow> {
    let mut keys: Vec<(String, String, BTreeSet<String>)> = Vec::new();
    let mut rows: Vec<TableRow> = Vec::new();
    let passing = || variants.iter().filter(|variant| variant.status == Status::Pass);
    let only = match (passing().next(), passing().count()) {
        (Some(only), 1) => Some(only),
        _ => None,
    };
    for variant in passing() {
        let (instruction, mut format, mut types) = spelling(&variant.variant);
        if by_instruction {
            // An empty format makes one row of all, which lists formats in the place of types.
            types = format!(".{}", std::mem::take(&mut format));
        }
        let known = keys.iter().position(|key| key.0 == instruction && key.1 == format);
        let index = known.unwrap_or_else(|| {
            keys.push((instruction, format, BTreeSet::new()));
            rows.push(TableRow {
                name: String::new(),
                variants: 0,
                status: Status::Pass,
                vectors: 0,
                mismatches: 0,
                unanswered: 0,
                max_ulp: None,
                reason: None,
            });
            rows.len() - 1
        });
        keys[index].2.insert(types);
        let row = &mut rows[index];
        row.variants += 1;
        row.vectors = row.vectors.saturating_add(variant.vectors);
        row.mismatches = row.mismatches.saturating_add(variant.mismatches);
        row.unanswered = row.unanswered.saturating_add(variant.unanswered);
        row.max_ulp = [row.max_ulp, variant.worst()].into_iter().flatten().reduce(f64::max);
    }
    let width = keys.iter().map(|key| key.0.chars().count()).max().unwrap_or(0);
    for (row, (instruction, _, types)) in rows.iter_mut().zip(keys) {
        let types: Vec<String> = types.into_iter().collect();
        row.name = match only {
            // A group of one variant is that variant, whose name may be asked for next.
            Some(only) if !is_own_meaning(&only.variant) => only.variant.clone(),
            _ => format!("{instruction:width$}  {}", types.join(" ")),
        };
    }
    rows
}

/// Returns, from a variant's text, the instruction, the format of its first type and all its types:
/// `cvt.rn.f16x2.f32` gives `cvt`, `f16` and `.f16x2.f32`.
fn spelling(variant: &str) -> (String, String, String) {
    // The meaning of a user's own code is no instruction's name, and may be long.
    if is_own_meaning(variant) {
        return (variant.chars().take(MEANING_MAX).collect(), String::new(), String::new());
    }
    // A matrix instruction's name ends in its types and lengths, in parentheses.
    let mut parts = variant.split(['.', '(', ',', ')']);
    let instruction = parts.next().unwrap_or_default().to_owned();
    let types: Vec<&str> = parts.filter(|part| is_type(part)).collect();
    let format = types.first().map_or("", |first| first.split('x').next().unwrap_or(first));
    let text = types.iter().map(|part| format!(".{part}")).collect();
    (instruction, format.to_owned(), text)
}

/// Whether a part of a variant's text names a type. Modifiers never have digits after one of the beginnings of
/// types.
fn is_type(part: &str) -> bool {
    let letters = part.trim_start_matches(|char: char| char.is_ascii_lowercase());
    let beginning = &part[..part.len() - letters.len()];
    matches!(beginning, "f" | "bf" | "tf" | "e" | "ue" | "s" | "u" | "b")
        && letters.starts_with(|char: char| char.is_ascii_digit())
}

/// Returns the rows as aligned lines under a heading; `gap` is the heading of the vectors that were not judged.
fn lines(rows: &[TableRow], gap: &'static str, page: Page) -> String {
    let with_gaps = rows.iter().any(|row| row.unanswered > 0);
    let with_ulp = rows.iter().any(|row| row.max_ulp.is_some());
    let cells = |row: &TableRow| {
        let mut cells = vec![thousands(row.variants), thousands(row.vectors), thousands(row.mismatches)];
        if with_gaps {
            cells.push(thousands(row.unanswered));
        }
        if with_ulp {
            let shown = |ulp: f64| match ulp {
                ulp if ulp < 1e6 => format!("{ulp:.3}"),
                f64::INFINITY => "inf".into(),
                // The largest number stands for anything larger.
                f64::MAX => "> 1e308".into(),
                // An error that is far off has as many digits as it likes.
                ulp => format!("{ulp:.3e}"),
            };
            cells.push(row.max_ulp.map_or(String::new(), shown));
        }
        cells
    };
    let mut headings = vec!["variants", "vectors", "mismatches"];
    headings.extend(with_gaps.then_some(gap));
    headings.extend(with_ulp.then_some("max ulp"));
    let widths: Vec<usize> = (0..headings.len())
        .map(|column| {
            let widest = rows.iter().map(|row| cells(row)[column].len()).max().unwrap_or(0);
            widest.max(headings[column].len())
        })
        .collect();
    let status_width = "unsupported".len();
    // The indent, the status and every column of numbers, each with a gap before it.
    let others = 2 + status_width + 2 + widths.iter().map(|width| width + 2).sum::<usize>();
    let longest = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let least = "instruction".len();
    if page.width < others + least {
        return rows.iter().map(|row| stacked(row, &headings, &cells(row), page)).collect();
    }
    let name_width = longest.max(least).min(page.width - others);

    let mut heading = format!("  {:name_width$}  {:>2$}", "instruction", headings[0], widths[0]);
    heading += &format!("  {:status_width$}", "result");
    for (text, width) in headings.iter().zip(&widths).skip(1) {
        heading += &format!("  {text:>width$}");
    }
    let mut out = page.bold(heading.trim_end()) + "\n";
    for row in rows {
        out += &line(row, &cells(row), name_width, &widths, status_width, page);
    }
    out
}

/// Returns the word for a row's outcome, and the function that gives it its colour.
fn outcome(row: &TableRow) -> (&'static str, fn(Page, &str) -> String) {
    match row.status {
        Status::Pass => (Status::Pass.name(), Page::green),
        Status::Fail => ("FAIL", Page::red),
        other @ (Status::Unsupported | Status::Waived | Status::Incomplete) => {
            (other.name(), Page::yellow)
        }
    }
}

/// Returns a row as several lines, where the page is too narrow for columns.
fn stacked(row: &TableRow, headings: &[&str], cells: &[String], page: Page) -> String {
    let (word, color) = outcome(row);
    // A variant's name must be there in full: it is what one asks for next.
    let name: Vec<&str> = row.name.split_whitespace().collect();
    let mut out = match row.status {
        Status::Pass => page.wrapped(&name.join(" "), 0, 2),
        _ => name.join(" ") + "\n",
    };
    out += &format!("  {}\n", color(page, word));
    for (heading, cell) in headings.iter().zip(cells).filter(|(_, cell)| !cell.is_empty()) {
        out += &page.wrapped(&format!("{heading} {cell}"), 2, 4);
    }
    let reason = row.reason.as_deref().unwrap_or_default();
    if !reason.is_empty() {
        out += &page.wrapped(reason, 4, 4);
    }
    out
}

/// Returns the line of one row, and its reason where it has one.
fn line(
    row: &TableRow,
    cells: &[String],
    name_width: usize,
    widths: &[usize],
    status_width: usize,
    page: Page,
) -> String {
    let (word, color) = outcome(row);
    let colored = color(page, &format!("{word:status_width$}"));
    let mut out = String::new();
    let mut name = row.name.clone();
    if name.chars().count() > name_width {
        if row.status == Status::Pass {
            name = elided(&name, name_width);
        } else {
            // A variant's name must be there in full: it is what one asks for next.
            out += &format!("  {name}\n");
            name = String::new();
        }
    }
    out += &format!("  {name:name_width$}  {:>1$}  {colored}", cells[0], widths[0]);
    let reason = row.reason.as_deref().unwrap_or_default();
    let room = page.width.saturating_sub(2 + name_width + 2 + widths[0] + 2 + status_width + 2);
    if row.status == Status::Unsupported && row.vectors == 0 && reason.chars().count() <= room {
        // There are no numbers to show, so the reason takes their place.
        out = (out + "  " + reason).trim_end().to_owned() + "\n";
        return out;
    }
    for (cell, width) in cells.iter().zip(widths).skip(1) {
        out += &format!("  {cell:>width$}");
    }
    out = out.trim_end().to_owned() + "\n";
    if !reason.is_empty() {
        out += &page.wrapped(reason, 6, 6);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_grouped_by_instruction_and_format() {
        let of = |text: &str| {
            let (instruction, format, types) = spelling(text);
            format!("{instruction} {format} {types}")
        };
        assert_eq!(of("fma.rn.ftz.relu.f16x2"), "fma f16 .f16x2");
        assert_eq!(of("cvt.rn.satfinite.e4m3x2.f32"), "cvt e4m3 .e4m3x2.f32");
        assert_eq!(of("cvt.rz.ue8m0x2.bf16x2"), "cvt ue8m0 .ue8m0x2.bf16x2");
        assert_eq!(of("add.f32.bf16"), "add f32 .f32.bf16");
        assert_eq!(of("testp.nan.f64"), "testp f64 .f64");
        assert_eq!(of("mma.sync.aligned.m16n8k32.row.col.f32.e4m3"), "mma f32 .f32.e4m3");
        let names = "tcgen05.mma.cta_group::1.kind::f16(a-desc,f16.f16.f16,k16)";
        assert_eq!(of(names), "tcgen05 f16 .f16.f16.f16");
        assert_eq!(of("mystery"), "mystery  ");
    }
}
