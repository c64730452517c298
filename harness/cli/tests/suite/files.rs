//! Tests of files and texts from outside, as the built binary reads and prints them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use reports::Report;
use serde_json::Value;
use sha2::Digest;

use crate::common::{assert_refused, sealed_state};

fn plain(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_conformance")).args(arguments).output().unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Makes a run of the canary that takes a moment, and returns the path of its report.
fn run_in(out: &Path) -> PathBuf {
    let run = plain(&["conformance", "--impl", "canary", "--only", "mul.rn.f16", "--out", text(out)]);
    assert_eq!(run.status.code(), Some(1), "{}", String::from_utf8_lossy(&run.stderr));
    out.join("report.json")
}

/// The lock of the first run keeps every other run out of a directory, even if this very process holds it.
#[test]
fn two_runs_in_one_directory_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let out = text(directory.path());
    let held = runner::hold(directory.path()).unwrap();
    let commands: [&[&str]; 5] = [
        &["conformance", "--only", "mul.f16"],
        &["conformance", "--only", "mul.f16", "--resume"],
        &["qualify", "--impl", "emulator", "--only", "mul.f16"],
        &["mutants", "--only", "mul.f16"],
        &["compilers", "--functions", "--only", "sqrtf"],
    ];
    for command in commands {
        let refused = plain(&[command, &["--out", out]].concat());
        assert_refused(&refused, &["another run is going on in", out, "--out"]);
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    drop(held);
    assert_eq!(plain(&[commands[0], &["--out", out]].concat()).status.code(), Some(0));
}

/// A report names the sources of its suite, and not the repository that a user happens to stand in. (These
/// tests are not built by `cargo xtask`, which tells the build what it is of.)
#[test]
fn a_report_does_not_name_the_folder_that_one_stands_in() {
    let directory = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=x", "-c", "user.email=x"];
        let mut command = Command::new("git");
        command.args(identity).args(arguments).current_dir(directory.path());
        assert!(command.output().unwrap().status.success());
    };
    git(&["init", "--quiet"]);
    git(&["commit", "--quiet", "--allow-empty", "--message", "another repository"]);
    let run = Command::new(env!("CARGO_BIN_EXE_conformance"))
        .args(["conformance", "--only", "mul.f16", "--out", "out"])
        .current_dir(directory.path())
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    let report = reports::load(&directory.path().join("out/report.json")).unwrap();
    assert_eq!(report.suite.revision.as_deref(), option_env!("PTX_CONFORMANCE_REVISION"));
}

#[test]
fn a_report_that_was_changed_is_refused_and_one_without_a_checksum_is_said_to_be() {
    let directory = tempfile::tempdir().unwrap();
    let path = run_in(directory.path());
    let report = std::fs::read_to_string(&path).unwrap();
    let (before, after) = report.split_once("\"bits\": \"0x").unwrap();
    let digit = if after.starts_with('1') { '2' } else { '1' };
    std::fs::write(&path, format!("{before}\"bits\": \"0x{digit}{}", &after[1..])).unwrap();
    for command in [&["replay", "--impl", "canary"][..], &["report", "compact"]] {
        let refused = plain(&[command, &[text(&path)]].concat());
        assert_refused(&refused, &["was changed after it was written", "checksum"]);
    }
    let mut value: Value = serde_json::from_str(&report).unwrap();
    value.as_object_mut().unwrap().remove("checksum").unwrap();
    std::fs::write(&path, value.to_string()).unwrap();
    let told = plain(&["replay", "--impl", "canary", text(&path)]);
    assert_eq!(told.status.code(), Some(1));
    let note = String::from_utf8(told.stderr).unwrap();
    assert!(note.starts_with("note: ") && note.contains("has no checksum"), "{note}");
    // A shortened copy has a checksum.
    let copy = plain(&["report", "compact", text(&path)]);
    std::fs::write(&path, copy.stdout).unwrap();
    assert_eq!(plain(&["replay", "--impl", "canary", text(&path)]).stderr, b"");
}

#[test]
fn waivers_that_cover_nothing_or_have_no_end_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("waivers.json");
    let entry = r#"{"waivers": [{"implementation": "canary", "variant": "mull.*", "class": "ulp-above", "reason": "known"}]}"#;
    std::fs::write(&path, entry).unwrap();
    let out = text(directory.path());
    let with =
        |path: &str| plain(&["conformance", "--only", "mul.f16", "--waivers", path, "--out", out]);
    assert_refused(&with(text(&path)), &["mull.*/ulp-above", "matches no variant", "conformance list"]);
    #[cfg(unix)]
    assert_refused(&with("/dev/zero"), &["larger than the limit of 16 MiB"]);
    #[cfg(unix)]
    assert_refused(
        &plain(&["replay", "--impl", "canary", "/dev/zero"]),
        &["larger than the limit of 1024 MiB"],
    );
}

/// A text with characters that a terminal or a program that reads lines would obey, or a reader misread.
const HOSTILE: &str = "evil\n::error::forged\n\u{1b}]0;x\u{7}\u{1b}[31m\u{9b}2J\u{202e}\u{2066}\u{200f}\rforged\u{7f}\u{200b}";

fn assert_harmless(what: &str, output: &Output) {
    for bytes in [&output.stdout, &output.stderr] {
        let text = std::str::from_utf8(bytes).unwrap_or_else(|_| panic!("{what}: {output:?}"));
        let hidden =
            |letter: char| letter != '\n' && HOSTILE.contains(letter) && !letter.is_ascii_graphic();
        let found =
            text.chars().find(|letter| hidden(*letter) || letter.is_control() && *letter != '\n');
        assert_eq!(found, None, "{what}: {text:?}");
        assert!(!text.lines().any(|line| line.starts_with("::error::forged")), "{what}: {text:?}");
    }
    assert!(output.status.code().is_some(), "{what}: {output:?}");
}

/// Returns a report with a hostile text in the place of every free one.
fn hostile(report: &Report) -> Report {
    let mut report = report.clone();
    let text = || HOSTILE.to_owned();
    report.implementation.version = text();
    report.implementation.device = Some(text());
    report.implementation.driver = Some(text());
    report.implementation.details.insert(text(), text());
    report.environment.cpu = text();
    report.suite.revision = Some(text());
    report.suite.version = text();
    report.reduced.push(text());
    report.plan.tier = text();
    report.times.started = text();
    for variant in &mut report.variants {
        variant.reason = Some(text());
        for class in &mut variant.classes {
            class.diagnosis = text();
            class.id += HOSTILE;
            for example in &mut class.examples {
                example.words = Some(text());
                example.operands.iter_mut().for_each(|operand| operand.name = text());
            }
        }
    }
    reports::sealed(report)
}

/// Makes a record whose files have hostile texts.
fn hostile_record(directory: &Path, report: &Report) {
    let probe = format!("# {HOSTILE}\n  {HOSTILE}\n");
    let json = reports::store::to_json(report).unwrap();
    let files = [("report.json", &json[..]), ("summary.md", b"#"), ("probe.txt", probe.as_bytes())];
    let mut sums = String::new();
    for (name, bytes) in files {
        std::fs::write(directory.join(name), bytes).unwrap();
        let sum: String = sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        sums += &format!("{sum}  {name}\n");
    }
    std::fs::write(directory.join("SHA256SUMS"), sums).unwrap();
}

/// Commands that print stay harmless, with hostile texts wherever they take any.
#[cfg(unix)]
#[test]
fn no_text_from_outside_reaches_a_terminal_raw() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(format!("{name}{HOSTILE}"));
    let (out, reported, record, other) = (at("out"), at("report.json"), at("record"), at("other"));
    let original = run_in(directory.path());
    let honest = reports::load(&original).unwrap();
    let report = hostile(&honest);
    reports::save(&report, &reported).unwrap();
    for directory in [&out, &record, &other] {
        std::fs::create_dir(directory).unwrap();
    }
    hostile_record(&record, &report);
    hostile_record(&other, &honest);
    let waivers = at("waivers.json");
    let entry = serde_json::json!({"waivers": [
        {"implementation": HOSTILE, "variant": HOSTILE, "class": HOSTILE, "reason": HOSTILE}]});
    std::fs::write(&waivers, entry.to_string()).unwrap();
    // The client prints hostile texts wherever it may print something.
    let client = at("client.sh");
    let script = format!(
        "if [ \"$1\" = variants ]; then echo mul.f16; exit; fi\nprintf '%s' '{HOSTILE}' >&2\n\
         while read -r line; do printf '%s\\n' '{HOSTILE}'; done\nexit 3\n"
    );
    std::fs::write(&client, script).unwrap();
    let quoted = format!("'{}'", text(&client));
    let lines = format!("text,vectors=2:sh {quoted}");
    let frames = format!("exec,deadline=5:sh {quoted}");
    let nothing = format!("exec:./{HOSTILE}");
    let (out, reported, record, other) = (text(&out), text(&reported), text(&record), text(&other));
    let id = format!("mul.rn.f16/{HOSTILE}");
    let commands: &[&[&str]] = &[
        &["conformance", "--impl", &lines, "--out", out],
        &["conformance", "--impl", &frames, "--out", out],
        &["conformance", "--impl", &nothing, "--out", out],
        &["conformance", "--impl", HOSTILE, "--out", out],
        &["conformance", "--only", HOSTILE, "--out", out],
        &["conformance", "--only", "mul.rn.f16", "--impl", "canary", "--out", out],
        &["conformance", "--target", HOSTILE, "--out", out],
        &["conformance", "--shard", HOSTILE, "--out", out],
        &["conformance", "--tier", HOSTILE, "--out", out],
        &["conformance", "--waivers", text(&waivers), "--out", out],
        &["conformance", "--waivers", HOSTILE, "--out", out],
        &["conformance", "--only", "mul.f16", "--resume", "--out", HOSTILE],
        &["conformance", "--only", "mul.f16", "--out", reported],
        &["qualify", "--probe", "--impl", &lines],
        &["qualify", "--impl", "emulator", "--only", "mul.f16", "--out", record],
        &["qualify", "--compare", record, other],
        &["qualify", "--compare", out, HOSTILE],
        &["replay", "--impl", "canary", reported],
        &["replay", "--impl", &lines, reported],
        &["replay", "--impl", HOSTILE, reported],
        &["replay", reported],
        &["replay", "--impl", "canary", reported, "--class", &id],
        &["replay", HOSTILE],
        &["report", "compact", reported],
        &["report", "compact", HOSTILE],
        &["report", "show", reported],
        &["report", "show", HOSTILE],
        &["report", "validate", reported],
        &["report", "validate", HOSTILE],
        &["report", "markdown", reported],
        &["report", "annotations", reported],
        &["report", "junit", reported],
        &["report", "diff", reported, text(&original)],
        &["report", "diff", text(&original), reported],
        &["report", "diff", reported, HOSTILE],
        &["report", "html", HOSTILE],
        &["report", "merge", HOSTILE, record],
        &["compilers", "--compiler", HOSTILE],
        &["compilers", "--only", HOSTILE],
        &["compilers", "--compiler", "nvrtc", "--option", HOSTILE],
        &["identify", "--impl", &lines],
        &["identify", "--impl", HOSTILE],
        &["cluster", "slurm", "--impl", HOSTILE],
        &["fuzz", HOSTILE],
        &["vectors", "blocks", HOSTILE],
        &["list", "--only", HOSTILE],
        &["list", "--target", HOSTILE],
        &["explain", HOSTILE, "0"],
        &["explain", "mul.f16", HOSTILE, "0"],
        &["vectors", "export", HOSTILE],
        &["vectors", "kernel", HOSTILE],
        &["setup", HOSTILE],
        &["mutants", "--only", HOSTILE],
        &["selfcheck", "--only", HOSTILE],
        &["legality", "--ptxas", HOSTILE],
        &[HOSTILE],
    ];
    // Some of the texts are paths, and none of them is to become a folder.
    let empty = tempfile::tempdir().unwrap();
    for command in commands {
        let mut run = Command::new(env!("CARGO_BIN_EXE_conformance"));
        let output = run.args(*command).current_dir(empty.path()).output().unwrap();
        assert_harmless(&format!("{command:?}"), &output);
        let silent = output.stdout.is_empty() && output.stderr.is_empty();
        assert!(!silent, "{command:?} printed nothing: {output:?}");
    }
    assert_eq!(std::fs::read_dir(empty.path()).unwrap().count(), 0);
    let compact = plain(&["report", "compact", reported]);
    let copy: Report = serde_json::from_slice(&compact.stdout).unwrap();
    assert_eq!(copy, report.compact(), "what is printed is the same value");
}

/// A state file is refused in harmless words, though it may have any text in it.
#[test]
fn a_hostile_state_is_refused_in_harmless_words() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path();
    let arguments = ["conformance", "--impl", "canary", "--only", "mul.rn.f16", "--out", text(out)];
    // A run whose report cannot be written keeps its state.
    std::fs::create_dir(out.join("report.json")).unwrap();
    assert_eq!(plain(&arguments).status.code(), Some(2));
    let state = std::fs::read_to_string(out.join("state.json")).unwrap();
    let quoted = serde_json::to_string(HOSTILE).unwrap();
    let hostile = state.replacen("\"quick\"", &quoted, 1);
    std::fs::write(out.join("state.json"), sealed_state(&hostile)).unwrap();
    let refused = plain(&[&arguments[..], &["--resume"]].concat());
    assert_harmless("--resume", &refused);
    assert_refused(&refused, &["another run", "--tier", "evil"]);
}
