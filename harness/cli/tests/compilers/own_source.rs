//! Tests of `compilers --show`, and of `compilers --source`, on a compiler whose faults are known.

use std::path::Path;

use serde_json::Value;

use super::endings::command;

/// Runs `compilers` with the tiny compiler, and returns the exit code, standard output and standard error.
fn run(faults: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let compiler = tiny(faults);
    let output = command(&["compilers", "--compiler", &compiler, "--target", "sm_90"])
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn tiny(faults: &str) -> String {
    format!("exec:python3 harness/cli/tests/compilers/tiny.py {faults}")
}

/// Returns a text with one blank in place of every gap between its words.
fn flowing(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_outcome_is_shown_once_with_its_settings() {
    let (code, text, _) = run("", &["--show", "--only", "operator/add.f32"]);
    assert_eq!(code, Some(0), "{text}");
    let flat = flowing(&text);
    for said in [
        "compiled add.rn.f32: as promised for sm_90 under `default`, `!prec-div`,",
        "compiled add.rn.ftz.f32: as promised for sm_90 under `ftz`,",
        "given: define float @f(float %a, float %b)",
        "%r = fadd float %a, %b",
        ".visible .func (.param .f32 func_retval0) f(.param .f32 f_param_0, .param .f32 f_param_1) {",
        "With --show, nothing is judged.",
    ] {
        assert!(flat.contains(said), "no `{said}`: {text}");
    }
    // What stands before a function is not part of it.
    assert!(!text.contains(".version"), "{text}");
    // Each of the 18 settings stands in one piece.
    let (_, json, _) = run("", &["--show", "--only", "operator/add.f32", "--format", "json"]);
    let pieces: Vec<Value> = serde_json::from_str(&json).unwrap();
    let settings = pieces.iter().flat_map(|piece| piece["places"][0]["settings"].as_array().unwrap());
    let mut settings: Vec<&str> = settings.map(|name| name.as_str().unwrap()).collect();
    settings.sort_unstable();
    settings.dedup();
    assert_eq!(settings.len(), 18, "{json}");
    let added = pieces.iter().filter(|piece| piece["instructions"][0] == "add.rn.f32").count();
    assert!(added >= 1 && pieces.iter().all(|piece| piece["ptx"].is_string()), "{json}");
}

#[test]
fn other_instructions_than_the_promised_are_told_apart() {
    let few = ["--show", "--only", "operator/add.f32", "--option", "default"];
    let (code, text, _) = run("flushed", &few);
    let said = "add.rn.ftz.f32: other than the promised instructions";
    assert!(code == Some(0) && flowing(&text).contains(said), "{text}");
    let (_, json, _) = run("flushed", &[&few[..], &["--format", "json"]].concat());
    let pieces: Vec<Value> = serde_json::from_str(&json).unwrap();
    assert_eq!(pieces.len(), 1);
    assert_eq!(
        [&pieces[0]["promised"], &pieces[0]["is_promised"]],
        [&"add.rn.f32".into(), &Value::from(false)]
    );
}

#[test]
fn many_pieces_are_announced_and_refusals_are_among_them() {
    let (code, text, _) = run("", &["--show", "--only", "operator/*", "--only", "function/*"]);
    let first = text.lines().next().unwrap();
    assert!(
        code == Some(0) && first.contains(" distinct pieces follow. For fewer, name rows with"),
        "{first}"
    );
    assert!(text.contains("  refused, in the compiler's words:\n    only float\n"), "{text}");
}

#[test]
fn a_source_is_held_to_its_meaning_and_the_finding_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.json");
    let path = file.to_str().unwrap();
    let few = ["--vectors", "256", "--report", path];
    let of = |faults: &str, rest: &[&str]| run(faults, &[&few[..], rest].concat());
    let add = ["--source", "fadd float %a, %b", "--as", "add.rn{.ftz}.f32"];
    // The tiny compiler flushes operands wherever it flushes results.
    let (code, text, _) = of("", &[&add[..], &["--option", "!ftz-results"]].concat());
    assert!(code == Some(0) && text.contains("17 cells: 17 right"), "{text}");
    assert!(text.contains("REDUCED: Only the source line `fadd float %a, %b`."), "{text}");
    let default = ["--option", "default"];
    let (code, text, _) = of("flushed", &[&add[..], &default].concat());
    let flat = flowing(&text);
    assert!(code == Some(1) && flat.contains("computed/own/source source fadd float %a, %b"), "{text}");
    assert!(flat.contains("promised add.rn.f32: --as add.rn{.ftz}.f32"), "{text}");
    assert!(flat.contains("expected d") && flat.contains("actual d"), "{text}");
    let replayed = |faults: &str| {
        let output = command(&["replay", path, "--compiler", &tiny(faults)]).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, text) = replayed("flushed");
    assert!(code == Some(1) && text.contains("MISMATCH"), "{text}");
    let (code, text) = replayed("");
    assert!(code == Some(0) && text.contains("0 of 1 fail"), "{text}");
    // A report is somebody else's file: what it says of the meaning is read like a command line.
    let report = std::fs::read_to_string(&file).unwrap();
    let changed = report.replace("--as add.rn{.ftz}.f32", "--as add.rn{.ftz}.f99");
    let mut changed: Value = serde_json::from_str(&changed).unwrap();
    changed.as_object_mut().unwrap().remove("checksum").expect("a checksum");
    std::fs::write(&file, changed.to_string()).unwrap();
    let output = command(&["replay", path, "--compiler", &tiny("")]).output().unwrap();
    let line = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.code() == Some(2) && line.contains("expected the name of an instruction"),
        "{line}"
    );
}

/// A meaning that does not flush is wrong where the compiler is told to flush, unless flushing is left to it.
#[test]
fn a_meaning_holds_under_every_setting() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.json");
    let path = file.to_str().unwrap();
    let of = |faults: &str, meaning: &str, option: &str| {
        let line =
            ["--vectors", "256", "--report", path, "--source", "fadd float %a, %b", "--as", meaning];
        run(faults, &[&line[..], &["--option", option]].concat())
    };
    for (meaning, option, due) in [
        ("add.rn.f32", "ftz", 1),
        ("add.rn{.ftz}.f32", "ftz", 0),
        ("add.rn.ftz.f32", "ftz", 0),
        ("add.rn.f32 or add.rn.ftz.f32", "ftz", 0),
        ("add.rn.f32(b, a); nsz", "default", 0),
        ("mul.rn.f32", "default", 1),
    ] {
        let (code, text, error) = of("", meaning, option);
        assert_eq!(code, Some(due), "{meaning} {option}: {text} {error}");
    }
}

#[test]
fn without_a_meaning_the_instructions_are_named_that_a_source_agrees_with() {
    let line = ["--source", "%d = fdiv float %a, %b", "--option", "default"];
    let (code, text, _) = run("", &line);
    let said = "compiled div.rn.f32 agrees on all vectors tried with div.rn.f32, div.full.f32";
    assert!(code == Some(2) && flowing(&text).contains(said), "{text}");
    assert!(
        text.contains("Nothing was promised, so nothing was judged: say the meaning with --as."),
        "{text}"
    );
    let (_, json, _) = run("", &[&line[..], &["--format", "json"]].concat());
    let pieces: Vec<Value> = serde_json::from_str(&json).unwrap();
    assert_eq!(pieces[0]["agrees"][0], "div.rn.f32");
    assert!(pieces[0]["promised"].is_null());
    // With the nearest results, a quotient within 2 ulp is that of `div.rn.f32`, and PTX does not promise the nearest.
    let (_, text, _) = run("approximate", &line);
    let said = "compiled div.full.f32 agrees on all vectors tried with div.full.f32 for";
    assert!(flowing(&text).contains(said), "{text}");
    // To see what the line became costs no comparison.
    let (code, text, _) = run("", &[&line[..], &["--show"]].concat());
    assert!(code == Some(0) && text.contains("div.rn.f32 ") && !text.contains("agrees"), "{text}");
}

#[test]
fn a_source_that_the_compiler_refuses_has_no_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let path = path.to_str().unwrap();
    let line =
        ["--source", "fdiv float %a, %b", "--as", "div.rn.f32", "--option", "default", "--report", path];
    let (code, _, error) = run("refuses", &line);
    assert_eq!(code, Some(2), "{error}");
    assert!(
        error.contains("The source is refused for sm_90 under `default`:\n  no division\n"),
        "{error}"
    );
    assert!(Path::new(path).exists());
}

#[test]
fn a_source_that_is_no_line_or_does_not_fit_is_refused() {
    let long = "a".repeat(5000);
    for (arguments, said) in [
        (&["--source", " "][..], "--source is empty"),
        (&["--source", &long], "more than 4096 bytes"),
        (&["--source", "a\nb"], "--source has more than one line"),
        (&["--source", "a; } float g() { return 0"], "--source has a brace"),
        (&["--source", "a\u{1b}[2J"], "--source has '\\u{1b}'"),
        (&["--source", "a / b;"], "leave the `;` out"),
        (&["--source", "a / b"], "--source is CUDA C++, but"),
        (&["--source", "%a / %b"], "is no instruction of LLVM IR"),
        (&["--source", "fadd float %x, %a"], "--source uses %x"),
        (&["--source", "fadd half %a, %b", "--as", "add.rn.f32"], "as half, but in --as it is f32"),
        (
            &["--source", "fadd float %a, %c", "--as", "add.rn.f32"],
            "--source uses `c`, but --as has 2 operands",
        ),
        (&["--source", "fptrunc float %a to half", "--as", "cvt.rn.bf16.f32"], "--source gives half"),
        (&["--source", "fadd float %a, %b", "--as", "add.rn.f3"], "the nearest legal spelling is"),
        (&["--source", "fadd float %a, %b", "--as", "add.rn{.ftz}.f64"], "found `add.rn.ftz.f64`"),
        (&["--source", "fadd float %a, %b", "--as", "add.rn.f32(a, b"], "expected `)`"),
        (
            &["--source", "fadd float %a, %b", "--as", "within 1 ulp of add.rn.f32"],
            "held to instructions and expressions of them",
        ),
        (&["--source", "fadd float %a, %b", "--types", "f32 -> "], "is not one to three types"),
        (&["--source", "fcmp olt float %a, %b"], "--source gives i1"),
        (&["--source", "fadd float %b, %b"], "--source does not use `a`"),
        (&["--source", "a", "--only", "x"], "cannot be used with"),
        (&["--as", "add.rn.f32"], "--source <SOURCE>"),
        (
            &["--source", "fadd float %a, %b", "--as", "x", "--types", "f32 -> f32"],
            "cannot be used with",
        ),
    ] {
        let (code, _, error) = run("", arguments);
        assert!(code == Some(2) && error.contains(said), "{arguments:?}: {code:?} {error}");
        assert!(!error.contains("panicked") && !error.contains('\u{1b}'), "{error}");
    }
}
