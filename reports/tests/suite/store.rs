//! Tests of report files, and of what happens when they go wrong.

use std::fs;
use std::path::Path;

use reports::{LoadError, Report, SCHEMA, doubts, load, save, sealed, write_atomically};
use tempfile::tempdir;

use crate::samples;

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_report_is_saved_and_loaded() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("new/deeper/report.json");
    for report in [samples::failing(), samples::agreeing()] {
        save(&report, &path).unwrap();
        assert_eq!(load(&path).unwrap(), sealed(report));
    }
    assert_eq!(names_in(path.parent().unwrap()), ["report.json"]);
    assert!(fs::read_to_string(&path).unwrap().ends_with("}\n"));
}

#[cfg(unix)]
#[test]
fn others_may_read_a_report_as_they_may_any_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempdir().unwrap();
    let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
    write_atomically(&ours, b"1").unwrap();
    fs::write(&plain, b"1").unwrap();
    let mode = |path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&ours), mode(&plain));
}

#[test]
fn a_failed_write_leaves_everything_as_it_was() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "old").unwrap();
    let error = write_atomically(&file.join("report.json"), b"new").unwrap_err();
    assert_eq!(error.doing, "creating the folder");
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");

    // The rename fails over a folder that is not empty, after the temporary file was written.
    let occupied = folder.path().join("occupied");
    fs::create_dir(&occupied).unwrap();
    fs::write(occupied.join("inside"), "kept").unwrap();
    let error = write_atomically(&occupied, b"new").unwrap_err();
    assert_eq!(error.doing, "renaming the temporary file");
    assert_eq!(names_in(folder.path()), ["file", "occupied"]);
    assert_eq!(fs::read_to_string(occupied.join("inside")).unwrap(), "kept");

    let message = error.to_string();
    assert!(message.contains("occupied") && message.contains("choose another place"), "{message}");
    assert_eq!(message.lines().count(), 1);
}

/// Loads `text` as a report and returns the error and its message without the path.
fn failure(text: &[u8]) -> (LoadError, String) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("report.json");
    fs::write(&path, text).unwrap();
    let error = load(&path).unwrap_err();
    let message = error.to_string().replace(path.to_str().unwrap(), "REPORT");
    assert_eq!(message.lines().count(), 1);
    (error, message)
}

#[test]
fn a_missing_file_says_how_to_make_one() {
    let folder = tempdir().unwrap();
    let error = load(&folder.path().join("none.json")).unwrap_err();
    assert!(matches!(error, LoadError::Missing(_)));
    assert!(error.to_string().contains("the command `conformance` makes one"), "{error}");
    let error = load(folder.path()).unwrap_err();
    assert!(matches!(error, LoadError::Unreadable { .. }), "{error}");
}

#[test]
fn a_report_that_is_cut_short_is_called_so() {
    let text = serde_json::to_vec_pretty(&samples::failing()).unwrap();
    for end in [0, 1, 100, text.len() / 2, text.len() - 1] {
        let (error, message) = failure(&text[..end]);
        assert!(matches!(error, LoadError::CutShort { .. }), "{end}: {message}");
    }
    let (_, message) = failure(&text[..1]);
    assert_eq!(
        message,
        "`REPORT` is cut short: it ends at line 1, column 1; copy it again, or make the report again"
    );
}

/// A list in the place of an object is refused: serde reads an object from a list of its values as well, and a file
/// may hold anything.
#[test]
fn another_form_is_refused_in_words_fit_for_a_terminal() {
    let whole = serde_json::to_value(samples::failing()).unwrap();
    let with = |pointer: &str, new: serde_json::Value| {
        let mut value = whole.clone();
        *value.pointer_mut(pointer).unwrap() = new;
        failure(&serde_json::to_vec(&value).unwrap())
    };
    let (error, message) = with("/suite", serde_json::json!(["1", null]));
    assert!(matches!(error, LoadError::OtherForm { .. }), "{message}");
    assert!(message.contains("the value at `/suite` has the wrong type"), "{message}");
    // A list is refused however deep it is, and among other things that have their form.
    let lane = "/variants/1/classes/0/examples/0/operands/1/lanes/0";
    let (error, message) = with(lane, serde_json::json!(["0x3800", "0.5", "+ 2^-1 × 1.0000000000"]));
    assert!(matches!(error, LoadError::OtherForm { .. }), "{message}");
    assert!(message.contains(&format!("the value at `{lane}` has the wrong type")), "{message}");
    let (_, message) = with("/variants/1/classes/0/examples", serde_json::json!([["\n\u{1b}[2J", 1]]));
    assert!(!message.contains(char::is_control), "{message:?}");
    let mut value = whole.clone();
    value["implementation"]["details"] = serde_json::json!({});
    value["implementation"]["device"] = serde_json::json!(null);
    let folder = tempdir().unwrap();
    let path = folder.path().join("report.json");
    fs::write(&path, value.to_string()).unwrap();
    assert!(load(&path).is_ok(), "what is left out may be empty");
}

#[test]
fn other_files_are_not_reports() {
    let (error, message) = failure(b"<html>");
    assert!(matches!(error, LoadError::NotJson { line: 1, column: 1, .. }));
    assert_eq!(
        message,
        "`REPORT` is not JSON: expected value at line 1, column 1; give the path of a report file"
    );
    let (error, _) = failure(b"\"\xff\"");
    assert!(matches!(error, LoadError::NotJson { .. }));
    for text in ["{}", "[]", "1", r#"{"schema": 1}"#, r#"{"schema": "something else"}"#] {
        let (error, message) = failure(text.as_bytes());
        assert!(matches!(error, LoadError::NotAReport { .. }), "{message}");
    }
}

#[test]
fn another_version_is_named() {
    let (error, message) = failure(br#"{"schema": "ptx-conformance-report/9", "wholly": "new"}"#);
    assert!(matches!(error, LoadError::OtherSchema { .. }));
    assert_eq!(
        message,
        format!(
            "`REPORT` has the schema `ptx-conformance-report/9`, and this build reads `{SCHEMA}`: use \
             the release of the suite that wrote the report"
        )
    );
}

#[test]
fn a_broken_field_is_named_with_its_place() {
    let text = serde_json::to_string_pretty(&samples::agreeing()).unwrap();
    let (error, message) = failure(text.replace("\"tier\"", "\"tear\"").as_bytes());
    assert!(matches!(error, LoadError::Invalid { .. }));
    assert!(message.contains("missing field `tier`") && message.contains("at line "), "{message}");
    let (_, message) = failure(text.replace("\"0x2a\"", "42").as_bytes());
    assert!(message.contains("expected a string at line "), "{message}");
    let (_, message) = failure(text.replace("\"0x2a\"", "\"42\"").as_bytes());
    assert!(message.contains("`42` is not a hex string like `0x7c00`"), "{message}");
}

/// A digit that the file system, an editor or a person has changed is noticed, though the report is still a right
/// one in all else.
#[test]
fn a_changed_digit_is_noticed() {
    let text = String::from_utf8(reports::store::to_json(&samples::failing()).unwrap()).unwrap();
    let digits = ["12001", "67142656", "4294967296", "12.34", "0x0400", "6103515625"];
    for digit in digits {
        let last = digit.len() - 1;
        let other = format!("{}7", &digit[..last]);
        let (error, message) = failure(text.replacen(digit, &other, 1).as_bytes());
        assert!(matches!(error, LoadError::Altered(_)), "{digit}: {error}");
        assert!(message.contains("checksum"), "{message}");
    }
    // A checksum is of what a file says, and not of how it is written.
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let path = Path::new("report.json");
    let report = reports::store::read(value.to_string().as_bytes(), path).unwrap();
    assert!(doubts(&report).is_empty());
}

/// Older reports have no checksum, later ones may have others: they are read, and there is something to
/// say about them.
#[test]
fn reports_with_no_known_checksum_are_read() {
    for checksum in [None, Some("sha3-1:0x00")] {
        let report = Report { checksum: checksum.map(Into::into), ..samples::failing() };
        let json = serde_json::to_vec(&report).unwrap();
        let read = reports::store::read(&json, Path::new("report.json")).unwrap();
        assert!(doubts(&read)[0].contains("a changed digit in it is not noticed"));
    }
}

/// The workspace has serde_json's feature `float_roundtrip`. Without it serde_json reads a number one unit off now
/// and then. Tests have it from jsonschema in any case; what users run has it from the workspace alone.
#[test]
fn numbers_are_read_exactly_without_tests_too() {
    let manifest = include_str!("../../../Cargo.toml");
    let line = manifest.lines().find(|line| line.starts_with("serde_json = ")).unwrap();
    assert!(line.contains("\"float_roundtrip\""), "{line}");
    for manifest in
        [include_str!("../../Cargo.toml"), include_str!("../../../harness/runner/Cargo.toml")]
    {
        assert!(manifest.contains("\nserde_json.workspace = true\n"));
    }
}

/// Numbers of all magnitudes are read as they were written, to the last bit; what a shortened copy keeps
/// is kept so, too.
#[test]
fn numbers_lose_no_digit() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let path = Path::new("report.json");
    for _ in 0..400 {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let mut report = samples::agreeing();
        report.times.seconds = f64::from_bits(state >> 1 & !(1 << 62));
        report.variants[0].max_ulp = Some(f64::from_bits(state >> 12 | 0x3fe0_0000_0000_0000));
        let read = reports::store::read(&reports::store::to_json(&report).unwrap(), path).unwrap();
        assert_eq!(read, sealed(report.clone()), "{state:#x}");
        let compact = reports::store::read(&serde_json::to_vec(&read.compact()).unwrap(), path).unwrap();
        assert_eq!(compact.variants[0].max_ulp, report.variants[0].max_ulp);
    }
}

#[cfg(unix)]
#[test]
fn a_file_without_an_end_is_no_report() {
    let error = load(Path::new("/dev/zero")).unwrap_err().to_string();
    assert!(error.contains("larger than the limit of 1024 MiB"), "{error}");
}

/// A pipe or a device is itself written to: a temporary file renamed over it would be in its place.
#[cfg(unix)]
#[test]
fn a_pipe_stays_one() {
    use std::os::unix::fs::FileTypeExt;
    let folder = tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read(pipe).unwrap()
    });
    write_atomically(&pipe, b"{}").unwrap();
    assert_eq!(reader.join().unwrap(), b"{}");
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}
