//! Tests of `report upstream`: its texts, what it refuses, and that every published finding of a compiler or a library has
//! a text.

mod hostile;
mod published;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::assert_refused;

/// The largest size of a text in bytes.
const LIMIT: usize = 4_000;

/// Runs `conformance report upstream` in a folder.
fn upstream(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
    command.current_dir(folder).args(["report", "upstream"]).args(arguments).output().unwrap()
}

/// Returns the text that `conformance report upstream` prints, which has to succeed.
#[track_caller]
fn text(folder: &Path, arguments: &[&str]) -> String {
    let output = upstream(folder, arguments);
    let (text, said) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    assert!(text.len() < LIMIT, "{arguments:?}: {} bytes", text.len());
    text
}

/// Returns the folder of published reports.
fn published_reports() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports/published")
}

/// Compares a text with the file of a name beside this one, in which the suite's version is left out.
#[track_caller]
fn assert_as_kept(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/upstream").join(name);
    let own = concat!("conformance suite ", env!("CARGO_PKG_VERSION"));
    let text = text.replace(own, "conformance suite VERSION");
    if std::env::var_os("UPDATE_UPSTREAM").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        kept == text,
        "{} differs; look at the difference and renew it: UPDATE_UPSTREAM=1 cargo test -p ptx-conformance-cli \
         --test suite upstream\n{text}",
        path.display()
    );
}

#[test]
fn a_class_of_a_compiler_has_its_source_and_its_options() {
    let class = "computed/function/fma.bf16";
    let text = text(&published_reports(), &["compilers/llvm.json", "--class", class]);
    assert_as_kept("compiler.txt", &text);
}

#[test]
fn a_class_of_a_library_has_the_reproduction_of_the_finding() {
    let text = text(&published_reports(), &["half.json", "--class", "fma.rn.f16/overflow"]);
    assert_as_kept("library.txt", &text);
}

#[test]
fn a_function_that_is_less_exact_than_documented_has_its_source() {
    let class = "__expf/default@compute_90/nearest";
    let text = text(&published_reports(), &["functions/nvrtc.json", "--class", class]);
    assert_as_kept("measured.txt", &text);
    let lowest = "__expf/default@compute_90/lowest";
    let text = self::text(&published_reports(), &["functions/nvrtc.json", "--class", lowest]);
    assert!(text.contains("A GPU may be nearer"), "{text}");
    let unknown = upstream(&published_reports(), &["functions/nvrtc.json", "--class", "__expf/default"]);
    assert_refused(&unknown, &["no class `__expf/default`", "similar names: __expf/default@compute_90"]);
}

#[test]
fn a_published_finding_is_named_by_its_id() {
    assert_as_kept("finding.txt", &text(&published_reports(), &["libm-fmaf-subnormal-twice"]));
}

/// The quotient is a product with the rounded reciprocal.
const FUNCTION: &str = "\
.version 8.0
.target sm_90
.address_size 64
.visible .func (.param .b32 r) f(.param .b32 a, .param .b32 b) {
  .reg .f32 %f<4>;
  ld.param.f32 %f1, [a];
  ld.param.f32 %f2, [b];
  rcp.rn.f32 %f2, %f2;
  mul.rn.f32 %f3, %f1, %f2;
  st.param.f32 [r], %f3;
  ret;
}
";

#[test]
fn a_function_is_shown_as_long_as_it_is_what_was_judged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("f.ptx");
    std::fs::write(&file, FUNCTION).unwrap();
    let mut judge = Command::new(env!("CARGO_BIN_EXE_conformance"));
    judge.current_dir(&folder).args(["judge", "f.ptx", "--as", "div.rn.f32", "--out", "out"]);
    let judged = judge.output().unwrap();
    assert_eq!(judged.status.code(), Some(1), "{}", String::from_utf8_lossy(&judged.stderr));
    let asked = ["out/report.json", "--class", "div.rn.f32/ulp-above"];
    assert_as_kept("function.txt", &text(folder.path(), &asked));
    // Now the file has another function.
    std::fs::write(&file, FUNCTION.replace("rcp.rn", "rcp.rz")).unwrap();
    let other = text(folder.path(), &asked);
    assert!(!other.contains("rcp"), "{other}");
    assert!(other.contains("The function `f` of the file `f.ptx`, called with"), "{other}");
    std::fs::remove_file(&file).unwrap();
    assert_eq!(text(folder.path(), &asked), other);
}

#[test]
fn several_classes_are_listed_and_an_unknown_one_gets_similar_names() {
    let reports = published_reports();
    let several = upstream(&reports, &["libm.json"]);
    let said = String::from_utf8(several.stderr).unwrap();
    assert_eq!((several.status.code(), several.stdout.len()), (Some(2), 0), "{said}");
    assert!(said.contains("\nfma.rn.f64/ulp-below  one unit in the last place too small"), "{said}");
    assert!(said.ends_with("classes: name one of them with --class\n"), "{said}");

    let unknown = upstream(&reports, &["libm.json", "--class", "fma.rn.f64/ulp-belo"]);
    assert_refused(&unknown, &["no class `fma.rn.f64/ulp-belo`", "similar names: fma.rn.f64/ulp-below"]);
    let compiler = ["compilers/llvm.json", "--class", "computed/function/fma.bf1"];
    assert_refused(&upstream(&reports, &compiler), &["similar names: computed/function/fma.bf16"]);
    let nothing = upstream(&reports, &["compilers/ptxas.json"]);
    assert_refused(&nothing, &["no class of wrong results"]);
}

#[test]
fn a_finding_that_is_not_there_gets_similar_names() {
    let reports = published_reports();
    let unknown = upstream(&reports, &["libm-fmaf-subnormal"]);
    assert_refused(&unknown, &["no file libm-fmaf-subnormal", "libm-fmaf-subnormal-twice"]);
    let class = ["libm-fmaf-subnormal-twice", "--class", "fma.rn.f32/ulp-above"];
    assert_refused(&upstream(&reports, &class), &["is one class", "--class"]);
}
