//! Tests of what `judge` notices: functions that are right are changed in one place, and found wrong.

use std::path::Path;
use std::process::{Command, Output};

use ptx::mutation::Edit;
use reports::thousands;
use serde_json::Value;

/// The folder of the repository, which paths in the list of functions start from.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// The functions that are tried here, one of each kind; the published score has all.
const TRIED: [&str; 6] =
    ["bf16_to_f32", "e2m1_to_f16", "f32_copysign", "f32_to_bf16", "relu_in_place", "u8_to_f32"];

fn score(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_conformance"))
        .current_dir(ROOT)
        .args(["dev", "mutants", "functions", "--format", "json"])
        .args(arguments)
        .output()
        .unwrap()
}

fn published() -> Value {
    let path = Path::new(ROOT).join("reports/published/detection/functions.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn count(of: &Value, column: &str) -> u64 {
    of[column].as_u64().unwrap()
}

/// Each mutant of some functions has the fate that the published score counts: one that was caught and now survives, or
/// is taken for one that is right, is told.
#[test]
fn mutants_of_some_functions_have_their_published_fates() {
    let only = TRIED.map(|name| format!("--only={name}"));
    let output = score(&only.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let score: Value = serde_json::from_slice(&output.stdout).unwrap();
    let functions = score["functions"].as_array().unwrap();
    assert_eq!(functions.len(), TRIED.len());
    let published = published();
    for function in functions {
        let known = published["functions"].as_array().unwrap();
        let known = known.iter().find(|known| known["name"] == function["name"]);
        assert_eq!(Some(function), known, "renew reports/published/detection/functions.json");
    }
}

/// A mutant that is not noticed needs a reason, and a reason a mutant; a function has to be right before it is changed.
#[test]
fn what_is_not_noticed_needs_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list.toml");
    let write = |name: &str, meaning: &str| {
        let file = Path::new(ROOT).join(format!("harness/cli/tests/functions/{name}.ptx"));
        let text = format!("[[judge]]\nfile = {:?}\nas = \"{meaning}\"\n", file.display().to_string());
        std::fs::write(&list, text).unwrap();
    };
    let run = || {
        let output = score(&[list.to_str().unwrap()]);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned(), output.stdout)
    };
    write("f32_relu", "max.NaN.f32(a, 0)");
    let (code, _, text) = run();
    let score: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!((code, score["survivors"].as_array().unwrap().len()), (Some(1), 1), "{score}");
    assert_eq!(score["survivors"][0]["edit"], "flushing");
    write("u8_to_f32", "cvt.rn.f32.u8");
    let reason = "[[reason]]\nfunction = 'u8_to_f32'\nwhy = 'a test'\nmutants = ['no → such']\n";
    std::fs::write(folder.path().join("survivors.toml"), reason).unwrap();
    let (code, _, text) = run();
    let score: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!((code, &score["stale"]), (Some(2), &serde_json::json!(["u8_to_f32: no → such"])));
    write("u8_to_f32", "cvt.rn.f32.s8");
    let (code, said, _) = run();
    assert_eq!(code, Some(2));
    assert!(said.contains("u8_to_f32 does not compute cvt.rn.f32.s8"), "{said}");
}

/// The published score is whole: every mutant has one fate, and none survives.
#[test]
fn the_published_score_of_functions_is_whole() {
    let score = published();
    let empty = serde_json::json!([]);
    assert_eq!((&score["survivors"], &score["refuted"], &score["stale"]), (&empty, &empty, &empty));
    let functions = score["functions"].as_array().unwrap();
    assert!(functions.len() >= 30, "{}", functions.len());
    let fates = ["caught", "refused", "proven", "explained", "limits", "survived"];
    let totals = &score["totals"];
    for counts in functions.iter().chain([totals]) {
        let all: u64 = fates.iter().map(|fate| count(counts, fate)).sum();
        assert_eq!(all, count(counts, "mutants"), "{counts}");
    }
    for column in fates.into_iter().chain(["mutants"]) {
        let all: u64 = functions.iter().map(|function| count(function, column)).sum();
        assert_eq!(all, count(totals, column), "{column}");
    }
    let list =
        std::fs::read_to_string(Path::new(ROOT).join("harness/cli/tests/functions/functions.toml"));
    let files = list.unwrap().matches("[[judge]]").count();
    assert_eq!(files, functions.len(), "the list has other functions than the published score");
}

/// The page has the figures of the published score.
#[test]
fn the_page_has_the_score_of_functions() {
    let score = published();
    let page = std::fs::read_to_string(Path::new(ROOT).join("docs/why/detection.md")).unwrap();
    let row = |name: &str, counts: &Value| {
        let columns = ["mutants", "caught", "refused", "proven", "explained", "limits"];
        let columns = columns.map(|column| thousands(count(counts, column)));
        format!("| {name} | {} |", columns.join(" | "))
    };
    let mut lines = vec![row("together", &score["totals"])];
    let edits = Edit::ALL.into_iter().chain(Edit::BY_HAND).map(Edit::name);
    let made = edits.filter(|name| score["edits"].get(name).is_some());
    lines.extend(made.map(|name| row(name, &score["edits"][name])));
    let absent: Vec<_> = lines.iter().filter(|line| !page.lines().any(|own| own == **line)).collect();
    assert!(absent.is_empty(), "docs/why/detection.md lacks {absent:#?}");
    assert_eq!(count(&score["totals"], "survived"), 0, "the page says that none survives");
    let functions = score["functions"].as_array().unwrap().len();
    assert!(page.contains(&format!("[{functions} functions and kernels]")), "{functions}");
}
