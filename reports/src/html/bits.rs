//! Draws a vector: its operands and results as rows of bits, with their binary points below each other.

use maud::{Markup, html};

use super::fields::{Fields, cut, digits, element, width};
use super::scrolled;
use crate::text::elided;
use crate::{Datum, Example};

/// The largest number of characters of a text from a report that are drawn.
const TEXT: usize = 120;

/// A row of the drawing: one value of an operand or result.
struct DrawnValue<'a> {
    label: String,
    ty: &'a str,
    hex: String,
    value: String,
    /// The value's bits as zeros and ones, the highest first.
    bits: String,
    fields: Option<Fields>,
    /// The number of bits of the significand that are kept, if the others are rounded away.
    cut: Option<usize>,
    /// The bits of the result that this value is held against.
    other: Option<String>,
    kind: DrawnKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum DrawnKind {
    Operand,
    Expected,
    Actual,
    /// A result by the first interpretation of the manual, where another one may have been followed.
    FirstInterpretation,
    /// A result that is right, whatever was expected first.
    Given,
}

/// Draws a mismatch, with sign, exponent and significand apart, a line where an operand is rounded, and the bits
/// that are wrong marked.
pub fn drawing(example: &Example) -> Markup {
    let mut rows = operands(example);
    for (index, expected) in example.expected.iter().enumerate() {
        rows.extend(of(DrawnKind::Expected, expected, example.actual.get(index), &[]));
    }
    for (index, actual) in example.actual.iter().enumerate() {
        rows.extend(of(DrawnKind::Actual, actual, example.expected.get(index), &[]));
    }
    html! {
        (table(&rows, example))
        @if let Some(words) = &example.words {
            p.actual { (if example.actual.iter().all(|of| of.lanes.is_empty()) { "No result: " } else { "Results: " }) (words) }
        }
        @if !example.accepted.is_empty() { p { "Also accepted: " (example.accepted.join("; ")) } }
    }
}

/// Draws a vector whose results are right; nothing in it is marked.
pub fn accepted(example: &Example) -> Markup {
    let mut rows = operands(example);
    let differing =
        example.expected.iter().zip(&example.actual).filter(|(one, other)| one.bits != other.bits);
    for (first, _) in differing {
        rows.extend(of(DrawnKind::FirstInterpretation, first, None, &[]));
    }
    for given in &example.actual {
        rows.extend(of(DrawnKind::Given, given, None, &[]));
    }
    table(&rows, example)
}

/// Returns the rows of an example's operands.
fn operands(example: &Example) -> Vec<DrawnValue<'_>> {
    let of = |operand| of(DrawnKind::Operand, operand, None, &example.expected);
    example.operands.iter().flat_map(of).collect()
}

/// Draws rows as a table, with their binary points below each other, and says what is left out.
fn table(rows: &[DrawnValue], example: &Example) -> Markup {
    let all = [&example.operands, &example.expected, &example.actual];
    let leaves_out = |datum: &Datum| datum.shown_values().len() < datum.lanes.len();
    // The widest sign and exponent decide where all binary points stand.
    let before = rows
        .iter()
        .filter_map(|row| row.fields)
        .map(Fields::columns_before_significand)
        .max()
        .unwrap_or(0);
    let table = html! {
            table.bits {
                thead { tr {
                    td {} th scope="col" { "type" } th scope="col" { "bits" }
                    th scope="col" { "sign, exponent, significand" } th scope="col" { "value" }
                } }
                tbody { @for row in rows {
                    tr class=[row.kind.class()] {
                        th scope="row" { (row.label) }
                        td { (row.ty) }
                        td { code { (row.hex) } }
                        td { code { (row.cells(before)) } }
                        td { (row.value) }
                    }
                } }
            }
    };
    html! {
        (scrolled("operands and results, bit by bit", table))
        @if rows.iter().any(|row| row.cut.is_some()) {
            p.small { "Bits after " code { "|" } " are rounded away in the expected result." }
        }
        @if all.into_iter().flatten().any(leaves_out) {
            p.small { "Rows with many values are shown without zeros, and with at most sixteen values." }
        }
    }
}

impl DrawnKind {
    /// Returns the style class of a row, which colours expected and actual results.
    fn class(self) -> Option<&'static str> {
        match self {
            DrawnKind::Expected => Some("expected"),
            DrawnKind::Actual => Some("actual"),
            DrawnKind::Operand | DrawnKind::FirstInterpretation | DrawnKind::Given => None,
        }
    }

    /// Returns the heading of a row.
    fn label(self, datum: &Datum) -> String {
        let word = match self {
            DrawnKind::Operand => return datum.name.clone(),
            DrawnKind::Expected => "expected",
            DrawnKind::Actual => "actual",
            DrawnKind::FirstInterpretation => "by the first interpretation",
            DrawnKind::Given => "given, and accepted",
        };
        format!("{word} {}", datum.name)
    }
}

/// Returns the rows of an operand or result: one, or one for each value of a packed one.
fn of<'a>(
    kind: DrawnKind,
    datum: &'a Datum,
    other: Option<&Datum>,
    results: &[Datum],
) -> Vec<DrawnValue<'a>> {
    let ty = element(&datum.ty, datum.lanes.len());
    let row = |(index, lane): (usize, &'a crate::Lane)| {
        let width = width(ty, &lane.bits);
        let other = other.and_then(|other| other.lanes.get(index));
        let label = kind.label(datum);
        let is_alone = datum.lanes.len() == 1;
        let mut hex = elided(&lane.bits, TEXT);
        // The value's bits need not be the register's lowest ones.
        if is_alone && lane.bits.trim_start_matches(ZEROS) != datum.bits.trim_start_matches(ZEROS) {
            hex += &format!(" (register {})", elided(&datum.bits, TEXT));
        }
        DrawnValue {
            label: if is_alone { label } else { format!("{label}, lane {index}") },
            ty,
            hex,
            value: elided(&lane.value, TEXT),
            bits: digits(&lane.bits, width),
            fields: Fields::of(ty),
            cut: cut(lane, results),
            other: other.map(|other| digits(&other.bits, width)),
            kind,
        }
    };
    datum.shown_values().into_iter().map(row).collect()
}

/// The characters at the beginning of a hex string that its number does not depend on.
const ZEROS: [char; 2] = ['0', 'x'];

impl DrawnValue<'_> {
    /// Returns the bits in columns, with `before` columns before the binary point.
    fn cells(&self, before: usize) -> Markup {
        let marked = |from: usize, to: usize| self.marked(from, to.min(self.bits.len()));
        let Some(fields) = self.fields else {
            return html! { (marked(0, self.bits.len())) };
        };
        let (point, last) = (fields.sign + fields.exponent, fields.all());
        html! {
            (" ".repeat(before.saturating_sub(fields.columns_before_significand())))
            @if fields.sign > 0 { i.s { (marked(0, fields.sign)) } " " }
            i.e { (marked(fields.sign, point)) } " "
            @match self.cut {
                Some(kept) => {
                    i.m { (marked(point, point + kept)) } i.cut { "|" } i.m { (marked(point + kept, last)) }
                }
                None => i.m { (marked(point, last)) },
            }
        }
    }

    /// Returns the bits from one place to another, those that differ from the other result's in an element of their
    /// own.
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

    fn datum(name: &str, ty: &str, bits: &[&str], fields: &str) -> Datum {
        let lane = |bits: &&str| Lane {
            bits: bits.to_string(),
            value: "v".into(),
            fields: fields.into(),
            ..Lane::default()
        };
        Datum {
            name: name.into(),
            ty: ty.into(),
            bits: bits.first().unwrap_or(&"0x0").to_string(),
            lanes: bits.iter().map(lane).collect(),
        }
    }

    /// Returns the text of some markup, without its elements.
    fn text(markup: &str) -> String {
        let mut out = String::new();
        for part in markup.split('<') {
            out += part.split_once('>').map_or(part, |(_, text)| text);
        }
        out
    }

    fn example(operand: Datum, expected: Datum, actual: Datum) -> Example {
        Example {
            sweep: "s".into(),
            index: 0,
            operands: vec![operand],
            expected: vec![expected],
            accepted: Vec::new(),
            actual: vec![actual],
            words: None,
        }
    }

    fn rounded() -> Example {
        let operand = datum("a", "f32", &["0x3f801000"], "+1.00000000001×2^0");
        let expected = datum("d", "f16", &["0x3c00"], "+1.0000000000×2^0");
        example(operand, expected, datum("d", "f16", &["0x3c01"], ""))
    }

    #[test]
    fn points_stand_below_each_other_and_wrong_bits_are_marked() {
        let drawn = drawing(&rounded()).into_string();
        let read = text(&drawn);
        assert!(read.contains("0 01111111 0000000000|1000000000000"), "{read}");
        assert!(read.contains("   0 01111 0000000000v") && read.contains("Bits after |"), "{read}");
        assert!(drawn.contains("000000000<b>1</b></i>"), "{drawn}");
        // No bit of this operand was rounded away.
        let sum = Example { operands: vec![datum("a", "f32", &["0x40001000"], "")], ..rounded() };
        assert!(!drawing(&sum).into_string().contains('|'));
    }

    #[test]
    fn what_is_accepted_is_no_mismatch() {
        let drawn = accepted(&rounded()).into_string();
        assert!(
            drawn.contains("by the first interpretation d") && drawn.contains("given, and accepted d"),
            "{drawn}"
        );
        assert!(!drawn.contains("class=\"actual\"") && !drawn.contains("<b>"), "{drawn}");
    }

    #[test]
    fn values_are_drawn_by_their_own_format() {
        let tf32 = |bits: &str, register: &str| Datum {
            bits: register.into(),
            ..datum("d", "tf32", &[bits], "")
        };
        let operand = datum("a", "pred", &["0x1"], "");
        let read = text(
            &drawing(&example(operand, tf32("0x1fc01", "0x3f802000"), tf32("0x1fc00", "0x3f800000")))
                .into_string(),
        );
        assert!(read.contains("0x1fc01 (register 0x3f802000)0 01111111 0000000001"), "{read}");
        assert!(read.contains("apred0x11v"), "{read}");
    }

    /// All values of a packed register are drawn; of a row with more, those that are not zero, sixteen at most.
    #[test]
    fn values_that_are_left_out_are_told() {
        let drawn = |lanes: &[&str]| {
            let read = text(
                &drawing(&example(
                    datum("a", "f16", lanes, ""),
                    datum("d", "f16", &["0x0"], ""),
                    datum("d", "f16", &["0x1"], ""),
                ))
                .into_string(),
            );
            (read.matches("a, lane ").count(), read.contains("shown without zeros"))
        };
        assert_eq!(drawn(&["0x0", "0x1", "0x0", "0x0"]), (4, false));
        let nine = ["0x0", "0x1", "0x0", "0x0", "0x2", "0x0", "0x0", "0x0", "0x0"];
        assert_eq!(drawn(&nine[..8]), (8, false));
        assert_eq!(drawn(&nine), (2, true));
        assert_eq!(
            [15, 16, 17].map(|lanes| drawn(&["0x1"; 17][..lanes])),
            [(15, false), (16, false), (16, true)]
        );
    }

    #[test]
    fn what_is_no_number_is_drawn_all_the_same() {
        let none = datum("d", "f32", &[], "");
        let wide = datum("a", "f16x32", &["0x0000"; 32], "");
        let odd = datum("a", "f64", &["0xzz", "0x"], "");
        for (operand, actual) in [(wide, none.clone()), (odd, none)] {
            let example = Example {
                accepted: vec!["<b>".into()],
                words: Some("died".into()),
                ..example(operand, datum("d", "u8", &["0x123456789"], ""), actual)
            };
            let drawn = drawing(&example).into_string();
            assert!(drawn.contains("No result: died") && drawn.contains("&lt;b&gt;"), "{drawn}");
        }
    }
}
