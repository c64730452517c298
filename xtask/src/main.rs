//! The one front door of the project: `cargo xtask …` builds the release binary and hands it the command line.

mod fuzz;
mod help;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The exit code if the work could not be done, the same as the binary's own.
const FAILED: u8 = 2;

/// Acts as the compiler where Cargo calls for one, runs a fuzz target, or builds the suite and hands over to it.
fn main() -> ExitCode {
    // Cargo calls this program in the compiler's place, with the compiler's path before its arguments.
    if env::var_os(fuzz::WRAPS).is_some()
        && let Some(compiler) = fuzz::compiler(env::args_os().skip(1))
    {
        return become_(compiler);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate is in the workspace");
    let cargo: PathBuf = env::var_os("CARGO").unwrap_or_else(|| "cargo".into()).into();
    // A copy in Unicode, for the choices made here: the suite's binary gets the arguments as they are.
    let arguments: Vec<String> =
        env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    // The suite's own binary makes programs for compilers and the report of a campaign; libFuzzer runs the targets.
    if let [first, rest @ ..] = arguments.as_slice()
        && first == "fuzz"
        && rest.first().is_none_or(|target| !fuzz::OF_SUITE.contains(&&**target))
    {
        return fuzz::run(root, &cargo, rest).map_or_else(|text| fail(&text), ExitCode::from);
    }
    let mut build = Command::new(cargo);
    // A report names the sources that its suite was built from, wherever it runs.
    match revision(root) {
        Some(revision) => build.env(REVISION, revision),
        // A revision that the environment happens to have is not that of these sources.
        None => build.env_remove(REVISION),
    };
    let build = build
        .args(["build", "--release", "--package", "ptx-conformance-cli", "--bin", "conformance"])
        .args(more(&arguments))
        .args(env::var_os(SYSTEM_MPFR).map(|_| "--features=ptx-conformance-cli/system-mpfr"))
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

/// The environment variable that has the build take the system's GMP and MPFR: whoever has them waits a minute less.
const SYSTEM_MPFR: &str = "PTX_CONFORMANCE_SYSTEM_MPFR";

/// The environment variable that tells the build the revision of its sources.
const REVISION: &str = "PTX_CONFORMANCE_REVISION";

/// Returns the git revision of the sources in a folder, if they are a repository of their own.
///
/// Sources that were unpacked inside of another repository have none.
fn revision(root: &Path) -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let top = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?);
    if top.canonicalize().ok()? != root.canonicalize().ok()? {
        return None;
    }
    git(&["describe", "--always", "--dirty", "--abbrev=12"])
}

/// Returns what Cargo is to build beside the suite's binary: the hostile client, for the command that attacks with it.
fn more(arguments: &[String]) -> &'static [&'static str] {
    let words: Vec<&str> = arguments.iter().map(String::as_str).take(2).collect();
    match words[..] {
        ["defences", ..] | ["dev", "defences"] => HOSTILE_CLIENT,
        _ => &[],
    }
}

/// The arguments that have Cargo build the hostile client too.
const HOSTILE_CLIENT: &[&str] =
    &["--package", "ptx-conformance-hostile-client", "--bin", "hostile-client"];

/// The environment variable that tells the suite's binary that this program has started it.
const CALLER: &str = "PTX_CONFORMANCE_XTASK";

/// Runs the suite's binary with this process's arguments.
fn hand_over(root: &Path) -> ExitCode {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    let binary = target.join("release").join(format!("conformance{}", env::consts::EXE_SUFFIX));
    let mut command = Command::new(binary);
    command.args(env::args_os().skip(1)).env(CALLER, "1");
    become_(command)
}

/// Runs a command in this process's place, where the system can: the command then gets Ctrl-C and every other signal
/// itself.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The variable that is set is the one that the suite reads.
    #[test]
    fn the_suite_knows_the_variable_that_names_its_caller() {
        let reads = include_str!("../../harness/base/src/invocation.rs");
        assert!(reads.contains(&format!("\"{CALLER}\"")));
    }

    #[test]
    fn the_hostile_client_is_built_for_the_command_that_attacks_with_it() {
        let more = |line: &str| more(&line.split(' ').map(String::from).collect::<Vec<_>>());
        for line in ["defences", "defences --write", "dev defences --only x"] {
            assert_eq!(more(line), HOSTILE_CLIENT, "{line}");
        }
        for line in ["dev", "dev mutants", "list --only defences"] {
            assert_eq!(more(line), [""; 0], "{line}");
        }
    }

    /// Checks that a revision is that of the sources, wherever one stands and whatever repository is around them.
    #[test]
    fn a_revision_is_that_of_the_sources() {
        let folder = env::temp_dir().join(format!("xtask-revision-{}", std::process::id()));
        let (inner, below) = (folder.join("inner"), folder.join("inner/below"));
        std::fs::create_dir_all(&below).expect("a folder");
        let git = |root: &Path, arguments: &[&str]| {
            let identity = ["-c", "user.name=x", "-c", "user.email=x"];
            let done = Command::new("git").arg("-C").arg(root).args(identity).args(arguments).output();
            assert!(done.expect("git starts").status.success(), "{arguments:?}");
        };
        for root in [&folder, &inner] {
            git(root, &["init", "--quiet"]);
            git(root, &["commit", "--quiet", "--allow-empty", "--message", &root.display().to_string()]);
        }
        let (outer, own) = (revision(&folder).expect("one"), revision(&inner).expect("one"));
        assert_ne!(outer, own);
        assert!(own.len() >= 12 && own.chars().all(|digit| digit.is_ascii_hexdigit()), "{own}");
        assert_eq!(revision(&below), None, "a folder of a repository is not one");
        std::fs::write(inner.join("file"), "").expect("written");
        git(&inner, &["add", "file"]);
        assert_eq!(revision(&inner), Some(own + "-dirty"));
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
