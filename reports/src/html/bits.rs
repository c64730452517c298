//! A mismatch, drawn: its operands and results as rows of bits, with their binary points below each other.

use maud::{Markup, html};

use super::scrolled;
use crate::terminal::elided;
use crate::{Datum, Example};

/// How many values of an operand are drawn.
const LANES: usize = 16;
/// How many values a packed register has at most; of more, zeros tell nothing.
const PACKED: usize = 4;

/// How many bits a value has at most.
const WIDTH: usize = 64;
/// How many characters of a text from a report are drawn.
const TEXT: usize = 120;

/// How many bits each field of a format has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fields {
    sign: usize,
    exponent: usize,
    significand: usize,
    /// Of the lowest, how many are not read.
    unread: usize,
}

/// One value.
struct Row<'a> {
    label: String,
    ty: &'a str,
    hex: String,
    value: String,
    /// Zeros and ones, the highest first.
    bits: String,
    fields: Option<Fields>,
    /// The bits of the result that it is held against.
    other: Option<String>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Operand,
    Expected,
    Actual,
}

/// The drawing: a row for each value, its sign, exponent and significand apart, a line where the significand of the
/// result ends, and the bits that are wrong marked.
pub fn drawing(example: &Example) -> Markup {
    let mut rows = Vec::new();
    for operand in &example.operands {
        rows.extend(of(Kind::Operand, operand, None));
    }
    for (index, expected) in example.expected.iter().enumerate() {
        rows.extend(of(Kind::Expected, expected, example.actual.get(index)));
    }
    for (index, actual) in example.actual.iter().enumerate() {
        rows.extend(of(Kind::Actual, actual, example.expected.get(index)));
    }
    let before = rows.iter().filter_map(|row| row.fields).map(Fields::before).max().unwrap_or(0);
    let results = rows.iter().filter(|row| row.kind == Kind::Expected);
    let end = results.filter_map(|row| row.fields).map(|fields| fields.significand).max();
    let table = html! {
            table.bits {
                thead { tr {
                    td {} th scope="col" { "type" } th scope="col" { "bits" }
                    th scope="col" { "sign, exponent, significand" } th scope="col" { "value" }
                } }
                tbody { @for row in &rows {
                    tr class=[row.kind.class()] {
                        th scope="row" { (row.label) }
                        td { (row.ty) }
                        td { code { (row.hex) } }
                        td { code { (row.cells(before, end)) } }
                        td { (row.value) }
                    }
                } }
            }
    };
    html! {
        (scrolled("operands and results, bit by bit", table))
        @if let Some(words) = &example.words { p.actual { "No result: " (words) } }
        @if !example.accepted.is_empty() { p { "Also accepted: " (example.accepted.join("; ")) } }
    }
}

impl Kind {
    fn class(self) -> Option<&'static str> {
        match self {
            Kind::Operand => None,
            Kind::Expected => Some("expected"),
            Kind::Actual => Some("actual"),
        }
    }

    fn label(self, datum: &Datum) -> String {
        match self {
            Kind::Operand => datum.name.clone(),
            Kind::Expected => format!("expected {}", datum.name),
            Kind::Actual => format!("actual {}", datum.name),
        }
    }
}

impl Fields {
    /// Those of a format of PTX; none of integers and of what is not known.
    fn of(ty: &str) -> Option<Fields> {
        let fields =
            |sign, exponent, significand| Some(Fields { sign, exponent, significand, unread: 0 });
        match ty {
            "f16" => return fields(1, 5, 10),
            "bf16" => return fields(1, 8, 7),
            "f32" => return fields(1, 8, 23),
            "f64" => return fields(1, 11, 52),
            // The format's bits are the upper ones of a register of 32.
            "tf32" => return Some(Fields { sign: 1, exponent: 8, significand: 10, unread: 13 }),
            _ => {}
        }
        let (sign, digits) = match (ty.strip_prefix("ue"), ty.strip_prefix('e')) {
            (Some(digits), _) => (0, digits),
            (None, Some(digits)) => (1, digits),
            (None, None) => return None,
        };
        let (exponent, significand) = digits.split_once('m')?;
        let size = |digits: &str| digits.parse().ok().filter(|size| *size <= 64);
        fields(sign, size(exponent)?, size(significand)?)
    }

    fn all(self) -> usize {
        self.sign + self.exponent + self.significand + self.unread
    }

    /// Columns before the significand.
    fn before(self) -> usize {
        self.sign + usize::from(self.sign > 0) + self.exponent + 1
    }
}

/// The rows of an operand or result: one, or one for each value of a packed one.
fn of<'a>(kind: Kind, datum: &'a Datum, other: Option<&Datum>) -> Vec<Row<'a>> {
    let ty = element(&datum.ty, datum.lanes.len());
    let zero = |bits: &str| bits.trim_start_matches("0x").bytes().all(|digit| digit == b'0');
    let many = datum.lanes.len() > PACKED;
    let lanes = datum.lanes.iter().enumerate().filter(|(_, lane)| !many || !zero(&lane.bits));
    let row = |(index, lane): (usize, &'a crate::Lane)| {
        let fields = Fields::of(ty);
        let width = fields.map_or(lane.bits.len().saturating_sub(2) * 4, Fields::all).min(WIDTH);
        let other = other.and_then(|other| other.lanes.get(index));
        let label = kind.label(datum);
        Row {
            label: if datum.lanes.len() == 1 { label } else { format!("{label}, lane {index}") },
            ty,
            hex: elided(&lane.bits, TEXT),
            value: elided(&lane.value, TEXT),
            bits: digits(&lane.bits, width),
            fields,
            other: other.map(|other| digits(&other.bits, width)),
            kind,
        }
    };
    lanes.take(LANES).map(row).collect()
}

/// The type of each of so many values of a packed type: `f16` of `f16x2`.
fn element(ty: &str, lanes: usize) -> &str {
    match ty.rsplit_once('x') {
        Some((element, count)) if count.parse() == Ok(lanes) => element,
        _ => ty,
    }
}

/// The lowest bits of a hex string as zeros and ones; empty if it is none.
fn digits(hex: &str, width: usize) -> String {
    let digits = hex.trim_start_matches("0x");
    let nibbles: Option<String> =
        digits.chars().map(|digit| digit.to_digit(16).map(|digit| format!("{digit:04b}"))).collect();
    let bits = nibbles.unwrap_or_default();
    let bits = format!("{bits:0>width$}");
    bits[bits.len() - width..].to_owned()
}

impl Row<'_> {
    /// The bits in columns: so many before the binary point; a line behind `end` bits of significand.
    fn cells(&self, before: usize, end: Option<usize>) -> Markup {
        let marked = |from: usize, to: usize| self.marked(from, to.min(self.bits.len()));
        let Some(fields) = self.fields else {
            return html! { (marked(0, self.bits.len())) };
        };
        let point = fields.sign + fields.exponent;
        let last = point + fields.significand + fields.unread;
        let end = end.map_or(last, |end| point + end);
        html! {
            (" ".repeat(before.saturating_sub(fields.before())))
            @if fields.sign > 0 { i.s { (marked(0, fields.sign)) } " " }
            i.e { (marked(fields.sign, point)) } " "
            i.m { (marked(point, last.min(end))) }
            @if end > last { (" ".repeat(end - last)) }
            i.cut title="here the result's significand ends" { "|" }
            @if last > end { i.m { (marked(end, last)) } }
        }
    }

    /// Some of the bits, those that differ from the other result's in an element of their own.
    fn marked(&self, from: usize, to: usize) -> Markup {
        let (bits, from) = (self.bits.as_bytes(), from.min(to));
        let differs = |at: usize| {
            self.other.as_ref().is_some_and(|other| other.as_bytes().get(at) != bits.get(at))
        };
        let mut runs: Vec<(bool, String)> = Vec::new();
        for (at, bit) in bits.iter().enumerate().take(to).skip(from) {
            let (is_wrong, bit) = (differs(at), char::from(*bit));
            match runs.last_mut() {
                Some((before, run)) if *before == is_wrong => run.push(bit),
                _ => runs.push((is_wrong, bit.into())),
            }
        }
        html! { @for (is_wrong, run) in runs { @if is_wrong { b { (run) } } @else { (run) } } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lane;

    fn datum(name: &str, ty: &str, bits: &[&str]) -> Datum {
        let lane =
            |bits: &&str| Lane { bits: bits.to_string(), value: "v".into(), fields: String::new() };
        Datum {
            name: name.into(),
            ty: ty.into(),
            bits: "0x0".into(),
            lanes: bits.iter().map(lane).collect(),
        }
    }

    /// What is read, without elements.
    fn text(markup: &str) -> String {
        let mut out = String::new();
        for part in markup.split('<') {
            out += part.split_once('>').map_or(part, |(_, text)| text);
        }
        out
    }

    #[test]
    fn formats_have_the_fields_that_their_names_say() {
        let widths = |ty: &str| Fields::of(ty).map(|of| (of.sign, of.exponent, of.significand));
        assert_eq!(widths("e4m3"), Some((1, 4, 3)));
        assert_eq!(widths("ue8m0"), Some((0, 8, 0)));
        assert_eq!(widths("ue5m3"), Some((0, 5, 3)));
        for other in ["u32", "s2f6", "b16", "e", "em", "e9999999999m1", "", "pred"] {
            assert_eq!(widths(other), None, "{other}");
        }
        assert_eq!(
            (element("e2m1x4", 4), element("f16x2", 2), element("f16x2", 1)),
            ("e2m1", "f16", "f16x2")
        );
    }

    #[test]
    fn points_stand_below_each_other_and_wrong_bits_are_marked() {
        let example = Example {
            sweep: "s".into(),
            index: 0,
            operands: vec![datum("a", "f32", &["0x3f801000"])],
            expected: vec![datum("d", "f16", &["0x3c00"])],
            accepted: Vec::new(),
            actual: vec![datum("d", "f16", &["0x3c01"])],
            words: None,
        };
        let drawn = drawing(&example).into_string();
        let read = text(&drawn);
        assert!(read.contains("0 01111111 0000000000|1000000000000"), "{read}");
        assert!(read.contains("   0 01111 0000000000|"), "{read}");
        assert!(drawn.contains("000000000<b>1</b></i>"), "{drawn}");
    }

    #[test]
    fn what_is_no_number_is_drawn_all_the_same() {
        let none = datum("d", "f32", &[]);
        let wide = datum("a", "f16x32", &["0x0000"; 32]);
        let odd = datum("a", "f64", &["0xzz", "0x"]);
        for (operand, actual) in [(wide, none.clone()), (odd, none)] {
            let example = Example {
                sweep: String::new(),
                index: 0,
                operands: vec![operand],
                expected: vec![datum("d", "u8", &["0x123456789"])],
                accepted: vec!["<b>".into()],
                actual: vec![actual],
                words: Some("died".into()),
            };
            let drawn = drawing(&example).into_string();
            assert!(drawn.contains("No result: died") && drawn.contains("&lt;b&gt;"), "{drawn}");
        }
    }
}
