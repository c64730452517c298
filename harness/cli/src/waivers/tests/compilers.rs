//! Tests of waivers for compilers: of rows and of programs.

use reports::compilers::{Compiler, CompilerTotals, CompilerWork, Finding};
use reports::{Suite, Times};

use super::*;

const DIV: &str = "computed/operator/div.f32";
const MUL: &str = "computed/operator/mul.f32";

fn finding(class: &str, status: Standing) -> Finding {
    Finding { cells: 1, ..Finding::new(class, status) }
}

/// Returns the report of a whole run of all rows by `llvm`.
fn of_rows(findings: &[(&str, Standing)]) -> CompilerReport {
    CompilerReport {
        schema: reports::compilers::SCHEMA.into(),
        suite: Suite { version: String::new(), revision: None },
        compiler: Compiler { name: "llvm".into(), version: "22".into(), language: "llvm-ir".into() },
        work: CompilerWork {
            sources: Sources::Rows,
            count: 2,
            targets: vec!["sm_90".into()],
            settings: Default::default(),
            vectors: 16,
            seed: None,
            first: 0,
        },
        complete: true,
        reduced: Vec::new(),
        times: Times { started: String::new(), seconds: 0.0, resumed: 0 },
        totals: CompilerTotals::default(),
        findings: findings.iter().map(|(class, status)| finding(class, *status)).collect(),
        stale: Vec::new(),
        checksum: None,
        unknown: Default::default(),
    }
}

/// Applies one waiver to a report, with `tried` as the rows that were tried, and returns the report.
fn waived(compiler: &str, class: &str, mut report: CompilerReport, tried: &[&str]) -> CompilerReport {
    let text = serde_json::json!({"waivers": [
        {"compiler": compiler, "class": class, "reason": "known", "link": "https://a"}
    ]});
    Waivers::read(&text.to_string()).unwrap().apply_to_compiler(&mut report, tried);
    report
}

/// A known failure is waived with its reason, and nothing else is; failures that are not waived stand first.
#[test]
fn what_is_known_of_a_compiler_does_not_fail() {
    let refused = "refused/operator/div.f32";
    let report = of_rows(&[(DIV, Standing::Fail), (refused, Standing::Note), (MUL, Standing::Fail)]);
    let after = waived("llv?", "*/operator/div.*", report.clone(), &["operator/div.f32"]);
    let of = |class: &str| after.findings.iter().find(|finding| finding.class == class).unwrap();
    assert_eq!(of(DIV).status, Standing::Waived);
    let waiver = of(DIV).waiver.as_ref().unwrap();
    assert_eq!((waiver.reason.as_str(), waiver.link.as_deref()), ("known", Some("https://a")));
    for (class, status) in [(refused, Standing::Note), (MUL, Standing::Fail)] {
        assert_eq!((of(class).status, &of(class).waiver), (status, &None));
    }
    assert_eq!(after.findings[0].class, MUL);
    assert_eq!(after.stale, [""; 0]);
    let other = waived("nvvm", "*/operator/div.*", report.clone(), &["operator/div.f32"]);
    assert!(other.findings.iter().all(|finding| finding.waiver.is_none()) && other.stale.is_empty());
}

/// A waiver is stale where its rows were tried to the end and none of them fails in that way.
#[test]
fn a_waiver_of_a_compiler_that_covers_nothing_is_told() {
    let tried = ["operator/mul.f32", "operator/div.f32"];
    let stale = |report: CompilerReport, tried: &[&str]| waived("llvm", DIV, report, tried).stale;
    let without = of_rows(&[(MUL, Standing::Fail)]);
    let sentence = format!("the waiver of {DIV} for llvm covers nothing any more: remove it");
    for lacking in [without.clone(), of_rows(&[(DIV, Standing::Note)])] {
        assert_eq!(stale(lacking, &tried).join(" "), sentence);
    }
    assert_eq!(stale(of_rows(&[(DIV, Standing::Fail)]), &tried), [""; 0]);
    assert_eq!(stale(without.clone(), &tried[..1]), [""; 0], "it was not tried");
    assert_eq!(stale(without.clone(), &[]), [""; 0]);
    let stopped = CompilerReport { complete: false, ..without.clone() };
    assert_eq!(stale(stopped, &tried), [""; 0]);
    let mut programs = without;
    programs.work.sources = Sources::Programs;
    assert_eq!(stale(programs, &tried), [""; 0]);
}

/// A class names a way in which a row or a program can fail; a waiver of any other class is refused.
#[test]
fn a_waiver_of_a_compiler_is_of_rows_or_of_programs() {
    let error = |class: &str, reason: &str| {
        let text = serde_json::json!({"waivers": [
            {"compiler": "llvm", "class": class, "reason": reason}
        ]});
        Waivers::read(&text.to_string()).map(|_| ()).map_err(|error| format!("{error:#}"))
    };
    let of_rows = [DIV, "refused/operator/div.f32", "computed/operator/*", "*/operator/div.f32"];
    let of_programs = ["computed/program", "computed/program/some-flaw", "illegal/program"];
    for class in of_rows.into_iter().chain(of_programs) {
        assert_eq!(error(class, "known"), Ok(()), "{class}");
        assert!(error(class, " ").unwrap_err().contains("has no reason"), "{class}");
    }
    for class in [
        "computed/operator/nothing",
        "else/operator/div.f32",
        "operator/div.f32",
        "program",
        "else/program",
        "else/program/some-flaw",
        "computed/programs",
    ] {
        let error = error(class, "known").unwrap_err();
        assert!(error.contains(&format!("the waiver of {class} for llvm matches no row")), "{error}");
    }
}

/// An entry is for an implementation or for a compiler, and has the fields that this takes.
#[test]
fn an_entry_is_of_one_thing() {
    let error = |fields: serde_json::Value| {
        let mut entry = serde_json::json!({"class": DIV, "reason": "known"});
        entry.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let text = serde_json::json!({ "waivers": [entry] });
        format!("{:#}", Waivers::read(&text.to_string()).unwrap_err())
    };
    use serde_json::json;
    assert!(error(json!({"implementation": "libm"})).contains("missing field `variant`"));
    assert!(error(json!({"variant": "fma.*"})).contains("missing field `implementation`"));
    for fields in [
        json!({}),
        json!({"compiler": "llvm", "implementation": "libm"}),
        json!({"compiler": "llvm", "variant": "fma.*"}),
        json!({"compiler": "llvm", "implementation": "libm", "variant": "fma.*"}),
        json!({"compiler": "llvm", "tier": "quick"}),
    ] {
        let error = error(fields);
        assert!(error.contains("a waiver needs either `implementation`"), "{error}");
    }
}
