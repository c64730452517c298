//! `cargo xtask fuzz TARGET [--seconds N]`: builds a fuzz target with coverage and runs it.

use std::path::Path;
use std::process::Command;

/// How long a target runs unless told otherwise.
const SECONDS: u64 = 60;

/// What the compiler is told so that libFuzzer sees which branches an input takes. These are flags of
/// LLVM's passes that stable Rust accepts.
const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
     -Cllvm-args=-sanitizer-coverage-trace-compares --cfg=fuzzing -Ccodegen-units=1";

/// The command that the arguments ask for, or what is wrong with them.
pub fn command(root: &Path, cargo: &Path, arguments: &[String]) -> Result<Command, String> {
    let usage = "usage: cargo xtask fuzz TARGET [--seconds N]";
    let targets = targets(root);
    let (target, seconds) = match arguments {
        [target] => (target, SECONDS),
        [target, flag, seconds] if flag == "--seconds" => match seconds.parse() {
            Ok(seconds) => (target, seconds),
            Err(_) => return Err(format!("`{seconds}` is no number of seconds; {usage}")),
        },
        _ => return Err(format!("{usage}; targets: {}", targets.join(", "))),
    };
    if !targets.contains(target) {
        return Err(format!("there is no fuzz target `{target}`; targets: {}", targets.join(", ")));
    }
    let corpus = root.join("fuzz/corpus").join(target);
    std::fs::create_dir_all(&corpus)
        .map_err(|error| format!("{} cannot be made: {error}", corpus.display()))?;
    let artifacts = root.join("fuzz/artifacts").join(target);
    std::fs::create_dir_all(&artifacts)
        .map_err(|error| format!("{} cannot be made: {error}", artifacts.display()))?;
    let mut command = Command::new(cargo);
    command
        // A target triple keeps the flags from build scripts, a directory of its own from other builds.
        .args(["run", "--release", "--package", "fuzz", "--bin", target])
        .args(["--target", env!("HOST"), "--target-dir"])
        .arg(root.join("target/fuzz"))
        .arg("--manifest-path")
        .arg(root.join("Cargo.toml"))
        .env("RUSTFLAGS", COVERAGE)
        .arg("--")
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .arg(corpus);
    Ok(command)
}

/// The names of the targets, from their files.
fn targets(root: &Path) -> Vec<String> {
    let files = std::fs::read_dir(root.join("fuzz/fuzz_targets")).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        files.filter_map(|file| Some(file.path().file_stem()?.to_str()?.to_owned())).collect();
    names.sort();
    names
}
