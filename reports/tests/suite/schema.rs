//! Tests that the committed schema belongs to the types, takes what they write and refuses the rest.

use reports::schema::COMPILERS_JSON;
use reports::{AnyReport, Report, SCHEMA_JSON, schema};
use serde_json::{Value, json};

use crate::samples;

#[test]
fn the_committed_schemas_are_current() {
    is_current("report", schema::generate());
    is_current("compiler-report", schema::generate_compilers());
}

fn is_current(name: &str, current: String) {
    let path = format!("{}/schema/{name}.schema.json", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(path, current).unwrap();
        return;
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    assert!(
        committed.replace("\r\n", "\n") == current,
        "{path} does not belong to the types any more; renew it: UPDATE_SCHEMA=1 cargo test -p ptx-conformance-reports"
    );
}

fn validator() -> jsonschema::Validator {
    validator_of(SCHEMA_JSON)
}

fn validator_of(schema: &str) -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(schema).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

#[test]
fn reports_fit_the_schema_and_read_back() {
    let validator = validator();
    for report in [samples::agreeing(), samples::failing(), samples::interrupted(), samples::partial()] {
        let value = serde_json::to_value(&report).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{errors:#?}");
        assert_eq!(serde_json::from_value::<Report>(value).unwrap(), report);
    }
}

/// Published reports are of the schema's form, whole, and small.
#[test]
fn published_reports_fit_the_schema() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/published");
    let (report, compilers) = (validator(), validator_of(COMPILERS_JSON));
    for (folder, validator, is_of_compilers) in [
        (folder.to_owned(), &report, false),
        (format!("{folder}/compilers"), &compilers, true),
        (format!("{folder}/programs"), &compilers, true),
    ] {
        let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        for path in paths.filter(|path| path.extension().is_some_and(|extension| extension == "json")) {
            let text = std::fs::read_to_string(&path).unwrap();
            let value: Value = serde_json::from_str(&text).unwrap();
            let error = validator.iter_errors(&value).next();
            assert!(error.is_none(), "{}: {}", path.display(), error.unwrap());
            let read = reports::load_any(&path).unwrap();
            assert_eq!(matches!(read, AnyReport::Compiler(_)), is_of_compilers, "{}", path.display());
            assert!(text.len() < 3 << 19, "{}", path.display());
        }
    }
}

/// The page of runs has the figures of the published reports.
#[test]
fn the_page_of_runs_has_the_figures_of_the_reports() {
    let results = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/results");
    let page = std::fs::read_to_string(format!("{results}/runs.md")).unwrap();
    let mut rows = 0;
    for line in page.lines().filter(|line| line.contains(".json): ")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let file = cells[1].split(['(', ')']).nth(1).unwrap();
        let totals = reports::load(format!("{results}/{file}").as_ref()).unwrap().totals;
        let figures = [totals.passed + totals.failed, totals.passed, totals.mismatches];
        let shown: Vec<u64> =
            cells[2..5].iter().map(|cell| cell.replace(',', "").parse().unwrap()).collect();
        assert_eq!(shown, figures, "{file}");
        let without = cells[1].strip_suffix(" vectors have no result");
        let without = without.map_or("0", |cell| cell.rsplit(' ').next().unwrap()).replace(',', "");
        assert_eq!(without.parse(), Ok(totals.unanswered), "{file}");
        rows += 1;
    }
    assert!(rows > 6, "{rows}");
}

/// Breaks a report in one place and expects that the schema and the reader both refuse it.
fn refused(pointer: &str, replacement: Value) {
    let mut value = serde_json::to_value(samples::failing()).unwrap();
    *value.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = replacement.clone();
    assert!(!validator().is_valid(&value), "the schema takes {replacement} at {pointer}");
    let read = serde_json::from_value::<Report>(value);
    assert!(read.is_err(), "the reader takes {replacement} at {pointer}");
}

#[test]
fn bits_are_hex_strings() {
    let datum = "/variants/1/classes/0/examples/0/operands/0";
    for pointer in [
        &format!("{datum}/bits"),
        &format!("{datum}/lanes/0/bits"),
        "/plan/seed",
        "/variants/0/sweeps/0/inputs",
        "/variants/0/sweeps/0/results",
    ] {
        for wrong in
            [json!(1024), json!("1024"), json!("0x"), json!("0xAB"), json!("0x12 "), json!(null)]
        {
            refused(pointer, wrong);
        }
    }
}

#[test]
fn unknown_words_are_refused() {
    refused("/variants/1/status", json!("failed"));
    refused("/variants/1/judge", json!("gut feeling"));
    refused("/variants/1/vectors", json!("1000000"));
    refused("/variants/1/vectors", json!(-1));
}

/// A report without the count `unanswered` reads as one of before the field was there.
#[test]
fn a_count_of_nothing_is_left_out() {
    let unanswered = |report: &Report| {
        let text = serde_json::to_string(report).unwrap();
        text.matches("\"unanswered\":").count()
    };
    assert_eq!(unanswered(&samples::failing()), 0);
    assert_eq!(unanswered(&samples::partial()), 5, "two variants, their sweeps, and the totals");
}

/// A reader ignores what it does not know; the schema is of what this build writes.
#[test]
fn the_schema_has_no_place_for_other_fields() {
    let validator = validator();
    let whole = serde_json::to_value(samples::failing()).unwrap();
    for pointer in ["", "/suite", "/plan", "/times", "/totals", "/variants/1", "/variants/1/sweeps/0"] {
        let names: Vec<String> =
            whole.pointer(pointer).unwrap().as_object().unwrap().keys().cloned().collect();
        for name in names.iter().filter(|name| !["revision", "reason"].contains(&name.as_str())) {
            let mut value = whole.clone();
            value.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(name);
            assert!(!validator.is_valid(&value), "without {pointer}/{name}");
            assert!(serde_json::from_value::<Report>(value).is_err(), "without {pointer}/{name}");
        }
        let mut value = whole.clone();
        value.pointer_mut(pointer).unwrap()["surplus"] = json!(1);
        assert!(!validator.is_valid(&value), "with {pointer}/surplus");
    }
}

#[test]
fn the_schema_names_its_own_version_only() {
    let mut value = serde_json::to_value(samples::agreeing()).unwrap();
    value["schema"] = json!("ptx-conformance-report/1");
    assert!(!validator().is_valid(&value));
}
