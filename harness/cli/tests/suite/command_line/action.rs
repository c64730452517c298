//! Tests of the GitHub action's shell script, started as the action's runner starts it.

use std::path::Path;
use std::process::{Command, Output};

const RUN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.github/actions/conformance/run.sh");

/// Runs the step with what the runner hands to it: every input, empty where the workflow gives none.
fn step(folder: &Path, inputs: &[(&str, &str)]) -> Output {
    let mut command = Command::new(RUN);
    for empty in ["ONLY", "SKIP", "TARGET", "WAIVERS"] {
        command.env(empty, "");
    }
    command.env("TIER", "quick").env("OUT", folder.join("out"));
    command.env("CONFORMANCE", env!("CARGO_BIN_EXE_conformance"));
    command.env("GITHUB_OUTPUT", folder.join("output"));
    command.env("GITHUB_STEP_SUMMARY", folder.join("summary"));
    command.envs(inputs.iter().copied()).output().unwrap()
}

fn text(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).unwrap_or_default()
}

#[test]
fn a_red_run_is_annotated_and_summed_up_and_its_code_is_an_output() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let inputs = [("IMPLEMENTATION", "canary"), ("ONLY", "mul.r?.f16\n\nabs.f16"), ("SKIP", "mul.rz.*")];
    let run = step(folder, &inputs);
    let said = String::from_utf8(run.stdout).unwrap();
    assert!(run.status.success(), "{said}");
    assert_eq!(text(folder, "output"), "code=1\n");
    assert!(said.contains("\n::error title="), "{said}");
    assert!(text(folder, "summary").starts_with("### PTX conformance: something disagrees"));
    assert!(text(folder, "out/report.html").contains("variants disagree"));
    let report = text(folder, "out/report.json");
    assert!(report.contains("\"abs.f16\"") && !report.contains("\"mul.rz.f16\""));
}

/// A run that cannot be made is an error of its own: text that would mean something to a shell stays text, and a
/// report from before is not taken for this run's.
#[test]
fn a_run_that_cannot_be_made_is_an_error_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::create_dir(folder.join("out")).unwrap();
    for file in ["out/report.json", "out/report.html"] {
        std::fs::write(folder.join(file), "{}").unwrap();
    }
    let run = step(folder, &[("IMPLEMENTATION", "$(touch /tmp/x); `id` '\"")]);
    assert!(run.status.success());
    assert_eq!(text(folder, "output"), "code=2\n");
    let said = String::from_utf8(run.stdout).unwrap();
    assert!(said.contains("::error title=PTX conformance::The run could not be made"), "{said}");
    assert_eq!(text(folder, "summary"), "");
    assert!(!folder.join("out/report.json").exists() && !folder.join("out/report.html").exists());
}

/// The judgements of a repository are carried out in the place of a run, and each has a report.
#[test]
fn judgements_of_a_file_are_annotated_and_summed_up() {
    const NEGATES: &str = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .func (.param .b32 r) f(.param .b32 a)\n\
                           {\n.reg .f32 %f<3>;\nld.param.f32 %f1, [a]; neg.f32 %f2, %f1; st.param.f32 [r], %f2;\nret;\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("f.ptx"), NEGATES).unwrap();
    let list = folder.join("conformance.toml");
    let one = |meaning: &str| format!("[[judge]]\nfile = 'f.ptx'\nas = '{meaning}'\ntier = 'quick'\n");
    std::fs::write(&list, one("neg.f32") + &one("abs.f32")).unwrap();
    let inputs = [("IMPLEMENTATION", ""), ("JUDGE", list.to_str().unwrap())];
    let run = step(folder, &inputs);
    let said = String::from_utf8(run.stdout).unwrap();
    assert!(run.status.success(), "{said}");
    assert_eq!(text(folder, "output"), "code=1\n", "{said}");
    assert!(said.contains("2 judgements: 1 agree, 1 disagree, 0 without a verdict."), "{said}");
    assert!(said.contains("\n::error title="), "{said}");
    let summary = text(folder, "summary");
    assert!(
        summary.contains("abs.f32") && summary.matches("### PTX conformance").count() == 2,
        "{summary}"
    );
    assert!(text(folder, "out/2/report.html").contains("abs.f32"));
    let neither = step(folder, &[("IMPLEMENTATION", "")]);
    assert!(String::from_utf8(neither.stdout).unwrap().contains("Give one of the inputs"));
}

#[test]
fn known_mismatches_are_waived() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let waivers = folder.join("waivers.json");
    let waived = |class: &str| {
        serde_json::json!({
            "implementation": "canary", "variant": "mul.rn.f16", "class": class, "reason": "planted",
        })
    };
    let waived = ["zero-lost", "ulp-above"].map(waived);
    let all = serde_json::json!({ "waivers": waived });
    std::fs::write(&waivers, all.to_string()).unwrap();
    let inputs =
        [("IMPLEMENTATION", "canary"), ("ONLY", "mul.rn.f16"), ("WAIVERS", waivers.to_str().unwrap())];
    assert!(step(folder, &inputs).status.success());
    assert_eq!(text(folder, "output"), "code=0\n");
    assert!(text(folder, "summary").contains("waived"), "{}", text(folder, "summary"));
}

/// A stranger's program that is tested gives GitHub no commands: what it prints is no command, and a folder's name
/// no option.
#[test]
fn what_is_tested_gives_github_no_commands() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run =
        step(folder, &[("IMPLEMENTATION", "emulator"), ("ONLY", "abs.f16\n  \n"), ("OUT", "-out")]);
    // The folder is where the run was started.
    std::fs::remove_dir_all("./-out").unwrap();
    let said = String::from_utf8(run.stdout).unwrap();
    assert_eq!(text(folder, "output"), "code=0\n", "{said}");
    let lines: Vec<&str> = said.lines().collect();
    let word = lines[0].strip_prefix("::stop-commands::").expect("before the run");
    assert_eq!(word.len(), 32);
    let end = lines.iter().position(|line| *line == format!("::{word}::")).expect("after the run");
    assert!(lines[1..end].iter().any(|line| line.contains("1 variant agrees")), "{said}");
    assert!(lines[end..].iter().any(|line| line.starts_with("::notice")), "{said}");
    let empty = step(folder, &[("IMPLEMENTATION", "emulator"), ("OUT", "")]);
    let said = String::from_utf8(empty.stdout).unwrap();
    assert!(empty.status.success() && said.contains("The input out is empty"), "{said}");
    assert_eq!(text(folder, "output"), "code=0\ncode=2\n");
}
