//! Reports that somebody else wrote: their texts stay short, and cannot leave the place where they stand.

use std::path::Path;

use serde_json::{Value, json};

use super::{LIMIT, published_reports, text, upstream};

/// Texts that are something to Markdown, to HTML, to a terminal, or that are long.
fn texts() -> [String; 4] {
    [
        "```\n# heading\n<img src=x onerror=alert(1)>\n````\n~~~\n[link](http://example.org)\u{1b}[31m"
            .into(),
        "|&<`".repeat(3_000),
        "測".repeat(20_000),
        "\n".repeat(5_000),
    ]
}

/// Reads a published report, without the checksum that a changed report would contradict.
fn published(name: &str) -> Value {
    let text = std::fs::read_to_string(published_reports().join(name)).unwrap();
    let mut report: Value = serde_json::from_str(&text).unwrap();
    report.as_object_mut().unwrap().remove("checksum");
    report
}

/// Replaces every text of a value by `other`, except bits and the words that the form knows.
fn replace(value: &mut Value, other: &str) {
    const KEPT: [&str; 6] = ["bits", "schema", "status", "judge", "tier", "language"];
    match value {
        Value::String(text) if !text.starts_with("0x") => *text = other.to_owned(),
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, other)),
        Value::Object(fields) => {
            let fields = fields.iter_mut().filter(|(name, _)| !KEPT.contains(&name.as_str()));
            fields.for_each(|(_, value)| replace(value, other));
        }
        _ => {}
    }
}

/// Returns the lines of a text that stand in no fence; fails if one stays open.
fn outside_of_code(text: &str) -> Vec<&str> {
    let (mut fence, mut lines) = (None, Vec::new());
    for line in text.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            None if ticks > 2 => fence = Some(ticks),
            None => lines.push(line),
            Some(open) if ticks >= open && line.len() == ticks => fence = None,
            Some(_) => {}
        }
    }
    assert_eq!(fence, None, "a fence is open:\n{text}");
    lines
}

#[track_caller]
fn assert_harmless(folder: &Path, report: &Value) {
    std::fs::write(folder.join("report.json"), report.to_string()).unwrap();
    let text = text(folder, &["report.json"]);
    assert!(!text.contains('\u{1b}'), "{text:?}");
    let outside = outside_of_code(&text);
    let is_heading = |line: &&&str| line.starts_with("# ");
    assert_eq!(outside.iter().filter(is_heading).count(), 1, "{text}");
    assert!(outside.iter().all(|line| !line.contains("<img") && !line.contains("[link]")), "{text}");
}

#[test]
fn texts_of_a_run_stay_in_their_places() {
    let folder = tempfile::tempdir().unwrap();
    for hostile in texts() {
        let mut report = published("half.json");
        let variants = report["variants"].as_array_mut().unwrap();
        variants.retain(|variant| variant["variant"] == "fma.rn.f16");
        variants[0]["classes"].as_array_mut().unwrap().truncate(1);
        replace(&mut report["variants"], &hostile);
        replace(&mut report["implementation"], &hostile);
        replace(&mut report["suite"], &hostile);
        assert_harmless(folder.path(), &report);
    }
}

#[test]
fn texts_of_a_compiler_stay_in_their_places() {
    let folder = tempfile::tempdir().unwrap();
    for language in ["llvm-ir", "cuda", "nvvm-ir", "ptx", "cutile", "another"] {
        for hostile in texts() {
            let mut report = published("compilers/llvm.json");
            let findings = report["findings"].as_array_mut().unwrap();
            findings.retain(|finding| finding["class"] == "computed/function/fma.bf16");
            findings.truncate(1);
            for part in ["findings", "compiler", "suite"] {
                replace(&mut report[part], &hostile);
            }
            report["compiler"]["language"] = json!(language);
            assert_harmless(folder.path(), &report);
        }
    }
}

#[test]
fn a_report_names_no_file_that_is_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "it must not be shown").unwrap();
    let mut report = published("half.json");
    let variants = report["variants"].as_array_mut().unwrap();
    variants.retain(|variant| variant["variant"] == "fma.rn.f16");
    variants[0]["classes"].as_array_mut().unwrap().truncate(1);
    for name in ["code:secret#f", "code:secret", "code:/dev/zero#f", "code:.#f", "code:#"] {
        report["implementation"]["name"] = json!(name);
        report["implementation"]["details"] = json!({"digest of the file": "0000000000000000"});
        std::fs::write(folder.path().join("report.json"), report.to_string()).unwrap();
        let text = text(folder.path(), &["report.json"]);
        assert!(!text.contains("shown"), "{text}");
    }
}

#[test]
fn hostile_arguments_are_refused_in_one_line() {
    let long = "x".repeat(3 * LIMIT);
    for name in [&*long, "\u{1b}[31m", "", "half.json\n"] {
        let output = upstream(&published_reports(), &[name]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.lines().count() == 1 && said.len() < 1_000 && !said.contains('\u{1b}'), "{said}");
    }
}
