//! Tests of reports of a later suite, which have fields that this one does not know.

use std::path::Path;

use reports::terminal::{compare, junit, markdown};
use reports::{
    AnyReport, CompilerReport, Document, LoadError, Report, Style, compiler_summary, doubts, html,
    sealed, store, summary,
};
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use crate::{compilers, samples};

/// The name of a field that no suite has had so far.
const NEW: &str = "retries";

/// Whether the keys of a field's object are names that a report gives something, and not the fields of a type.
fn is_by_name(field: &str) -> bool {
    ["details", "answers", "other_words", "settings"].contains(&field)
}

/// Returns a value as JSON with a new field in every object, before all others. `comma` and `colon` stand between
/// its tokens.
fn text(value: &Value, field: &str, [comma, colon]: [&str; 2]) -> String {
    let list = |parts: Vec<String>| parts.join(comma);
    match value {
        Value::Object(fields) => {
            let new = format!("\"{NEW}\"{colon}[1.5{comma}{{\"×\"{colon}null}}]");
            let fields = fields.iter().map(|(name, value)| {
                format!("{}{colon}{}", json!(name), text(value, name, [comma, colon]))
            });
            let new = (!is_by_name(field)).then_some(new);
            format!("{{{}}}", list(new.into_iter().chain(fields).collect()))
        }
        Value::Array(items) => {
            format!("[{}]", list(items.iter().map(|item| text(item, "", [comma, colon])).collect()))
        }
        other => other.to_string(),
    }
}

/// Returns the file of a report with a new field in every object, without and with spaces, and with the checksum of
/// all of it.
fn files(report: &impl Document) -> [String; 2] {
    let mut value = serde_json::to_value(report).unwrap();
    value.as_object_mut().unwrap().remove("checksum");
    let digest = xxh3_64(text(&value, "", [",", ":"]).as_bytes());
    [[",", ":"], [" ,\n\t", " : "]].map(|between| {
        let whole = text(&value, "", between);
        let without_brace = whole.strip_suffix('}').unwrap();
        format!("{without_brace},\"checksum\":\"xxh3-1:{digest:#018x}\"}}")
    })
}

fn read<D: Document>(text: &str) -> Result<D, LoadError> {
    store::read_as(text.as_bytes(), Path::new("report.json"))
}

/// Returns what is read of a report's files, once it is seen that each is read alike and names the new fields.
fn taken<D: Document + PartialEq + std::fmt::Debug>(report: &D) -> D {
    let [one, other] = files(report).map(|file| read::<D>(&file).unwrap());
    assert_eq!(one, other);
    let mut known = one.clone();
    *known.unknown_mut() = Default::default();
    assert_eq!(sealed(known), sealed(report.clone()), "what is known is what it was");
    let [doubt] = &doubts(&one)[..] else { panic!("one is told") };
    assert!(
        doubt.starts_with("has fields that this version of the suite does not know and ignores: "),
        "{doubt}"
    );
    assert!(doubt.contains(&format!("`/{NEW}`")), "{doubt}");
    one
}

#[test]
fn they_are_read_and_shown_like_those_of_this_suite() {
    let style = Style::default();
    for report in [samples::failing(), samples::agreeing(), samples::fuzzed(), samples::crowded()] {
        let later = taken(&report);
        assert!(later.unknown.names().contains(&format!("`/implementation/{NEW}`")));
        assert_eq!(summary(&later, &style), summary(&report, &style));
        let page = |report| html::page(report, &style, &|_, _| None);
        assert_eq!(page(&later), page(&report));
        assert_eq!(later.contradictions(), report.contradictions());
        let [later, report] = [later, report].map(|of| AnyReport::Implementation(Box::new(of)));
        assert_eq!(junit::page(&later, &style), junit::page(&report, &style));
        let markdown = |report| markdown::page(report, &style, markdown::COMMENT);
        assert_eq!(markdown(&later), markdown(&report));
    }
    let report = compilers::sample();
    let later = taken(&report);
    assert!(later.unknown.names().contains(&format!("`/findings/*/sequences/*/{NEW}`")));
    assert_eq!(compiler_summary(&later, &style), compiler_summary(&report, &style));
}

/// A changed digit is noticed in a field that is known, and in one that is not.
#[test]
fn their_changed_digits_are_noticed() {
    for file in files(&samples::failing()) {
        for (before, after) in [("12.34", "12.35"), ("1.5", "1.6")] {
            assert!(file.contains(before));
            let error = read::<Report>(&file.replacen(before, after, 1)).unwrap_err();
            assert!(matches!(error, LoadError::Altered(_)), "{error}");
        }
        let added = file.replacen('{', "{\"note\":\"mine\",", 1);
        assert!(matches!(read::<Report>(&added), Err(LoadError::Altered(_))));
    }
}

/// A shortened copy is written without the fields that are not known, and says so, once.
#[test]
fn a_shortened_copy_names_what_it_lacks() {
    let is_said = |said: &String| {
        said.starts_with("Without fields that this suite does not know: `/")
            && said.contains(&format!("`/{NEW}`"))
    };
    let copy = taken(&samples::failing()).compact();
    assert_eq!(copy.reduced.iter().filter(|said| is_said(said)).count(), 1, "{:?}", copy.reduced);
    let again: Report = read(&serde_json::to_string(&copy).unwrap()).unwrap();
    assert!(again.unknown.is_empty());
    assert_eq!(again.compact().reduced.iter().filter(|said| is_said(said)).count(), 1);
    assert_eq!(samples::failing().compact().reduced.iter().filter(|said| is_said(said)).count(), 0);

    let copy = taken(&compilers::sample()).compact();
    assert_eq!(copy.reduced.iter().filter(|said| is_said(said)).count(), 1, "{:?}", copy.reduced);
    assert!(read::<CompilerReport>(&serde_json::to_string(&copy).unwrap()).is_ok());
}

#[test]
fn a_comparison_names_what_it_leaves_out() {
    let (before, after) = (samples::failing(), taken(&samples::failing()));
    let comparison = before.compare(&after).unwrap();
    assert!(comparison.variants.is_empty());
    let names = ["a.json", "b.json"];
    let text = compare::changes([&before, &after], names, &comparison, &Style::default());
    assert!(text.contains("Fields that this suite does not know are not compared: `/"), "{text}");
    let text = compare::changes([&before, &before], names, &comparison, &Style::default());
    assert!(!text.contains("not compared"), "{text}");

    let (before, after) = (compilers::sample(), taken(&compilers::sample()));
    let comparison = before.compare(&after).unwrap();
    assert!(!comparison.differs());
    let text = compare::compilers([&after, &before], &comparison);
    assert!(text.contains("\n  Fields that this suite does not know are not compared: `/"), "{text}");
}

/// Every field that a report must have, in every object of it, is missing if it has another name.
#[test]
fn a_misspelt_field_is_missing() {
    /// Collects the places of all objects.
    fn objects(value: &Value, place: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                found.push(place.to_owned());
                let parts = fields.iter().filter(|(name, _)| !is_by_name(name));
                parts.for_each(|(name, value)| objects(value, &format!("{place}/{name}"), found));
            }
            Value::Array(items) => {
                let items = items.iter().enumerate();
                items.for_each(|(at, item)| objects(item, &format!("{place}/{at}"), found));
            }
            _ => {}
        }
    }
    /// Counts the fields that a report cannot be without.
    fn required<D: Document>(report: &D) -> usize {
        let whole = serde_json::to_value(report).unwrap();
        let mut places = Vec::new();
        objects(&whole, "", &mut places);
        let mut count = 0;
        for place in places {
            let names: Vec<String> =
                whole.pointer(&place).unwrap().as_object().unwrap().keys().cloned().collect();
            for name in names.iter().filter(|name| *name != "schema") {
                let mut value = whole.clone();
                let fields = value.pointer_mut(&place).unwrap().as_object_mut().unwrap();
                let content = fields.remove(name).unwrap();
                fields.insert(format!("{name}s"), content.clone());
                match read::<D>(&value.to_string()) {
                    Ok(report) => {
                        let due = format!("/{name}s`");
                        let is_empty = [json!(0), json!([]), json!(false)].contains(&content);
                        assert!(is_empty || report.unknown().names().contains(&due), "{place}/{name}");
                    }
                    Err(error) => {
                        let message = error.to_string();
                        assert!(
                            message.contains(&format!("missing field `{name}` at line ")),
                            "{message}"
                        );
                        count += 1;
                    }
                }
            }
        }
        count
    }
    let of_report = required(&samples::failing());
    assert!(of_report > 300, "{of_report}");
    let of_compiler = required(&compilers::sample());
    assert!(of_compiler > 30, "{of_compiler}");
}

#[test]
fn another_kind_of_content_is_named_with_its_place() {
    let text = serde_json::to_string_pretty(&samples::agreeing()).unwrap();
    let error = read::<Report>(&text.replacen("\"vectors\": ", "\"vectors\": \"many\", \"x\": ", 1));
    let message = error.unwrap_err().to_string();
    assert!(message.contains("invalid type: string \"many\", expected u64 at line "), "{message}");
}

/// The number of the form decides whether a report can be read, whatever its fields are.
#[test]
fn another_form_is_not_read() {
    for file in files(&samples::failing()) {
        let other = file.replacen("ptx-conformance-report/4", "ptx-conformance-report/5", 1);
        assert!(matches!(read::<Report>(&other), Err(LoadError::OtherSchema { .. })));
    }
}

/// The names of unknown fields are bounded and fit for a terminal: whoever wrote a file may have written anything.
#[test]
fn what_is_not_known_is_bounded_and_fit_for_a_terminal() {
    let mut value = serde_json::to_value(samples::agreeing()).unwrap();
    for at in 0..1000 {
        value[format!("\u{1b}[2J{at}\n{}", "x".repeat(1000))] = json!({ "schema": [at + 1] });
    }
    let [_, doubt] = &doubts(&read::<Report>(&value.to_string()).unwrap())[..] else { panic!("two") };
    assert!(!doubt.contains(char::is_control) && doubt.len() < 3000, "{doubt:?}");
    let deep = "[".repeat(200) + &"]".repeat(200);
    let text = value.to_string().replacen('{', &format!("{{\"deep\":{deep},"), 1);
    let message = read::<Report>(&text).unwrap_err().to_string();
    assert!(message.contains("recursion limit exceeded"), "{message}");
}
