//! One front door: `cargo xtask …` builds the release binary and hands it the command line.

mod fuzz;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What could not be done, as the binary's own exit codes have it.
const FAILED: u8 = 2;

fn main() -> ExitCode {
    if env::var_os(fuzz::WRAPS).is_some()
        && let Some(compiler) = fuzz::compiler(env::args_os().skip(1))
    {
        return become_(compiler);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate is in the workspace");
    let cargo: PathBuf = env::var_os("CARGO").unwrap_or_else(|| "cargo".into()).into();
    let arguments: Vec<String> =
        env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    if let [first, rest @ ..] = arguments.as_slice()
        && first == "fuzz"
    {
        return fuzz::run(root, &cargo, rest).map_or_else(|text| fail(&text), ExitCode::from);
    }
    let build = Command::new(cargo)
        .args(["build", "--release", "--package", "harness", "--bin", "conformance"])
        .arg("--manifest-path")
        .arg(root.join("Cargo.toml"))
        .status();
    match build {
        Ok(status) if status.success() => hand_over(root),
        Ok(_) => fail("the suite could not be built; what Cargo says is above"),
        Err(error) => fail(&format!("cargo could not be started: {error}")),
    }
}

fn fail(text: &str) -> ExitCode {
    eprintln!("error: {text}");
    ExitCode::from(FAILED)
}

/// Runs the binary with this process's arguments.
fn hand_over(root: &Path) -> ExitCode {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    let binary = target.join("release").join(format!("conformance{}", env::consts::EXE_SUFFIX));
    let mut command = Command::new(binary);
    command.args(env::args_os().skip(1));
    become_(command)
}

/// Runs a command in this process's place, where the system can: it then gets Ctrl-C and every other
/// signal itself.
fn become_(mut command: Command) -> ExitCode {
    #[cfg(unix)]
    let error = std::os::unix::process::CommandExt::exec(&mut command);
    #[cfg(not(unix))]
    let error = match command.status() {
        Ok(status) => {
            let code = status.code().and_then(|code| code.try_into().ok());
            return ExitCode::from(code.unwrap_or(FAILED));
        }
        Err(error) => error,
    };
    fail(&format!("{} could not be started: {error}", command.get_program().display()))
}
