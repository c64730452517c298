//! `cargo xtask fuzz TARGET`: builds a fuzz target and runs it, with coverage where the suite itself is searched.
//!
//! Only the workspace's crates are built with coverage, so that all others are those of the release build. Cargo calls
//! this program in the compiler's place for the workspace's crates, and keeps what it builds apart.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use crate::help::{self, SEE};

/// The words after `fuzz` that the suite's own binary handles.
pub const OF_SUITE: [&str; 2] = ["programs", "report"];

/// Flags for the compiler, one a line, so that libFuzzer sees which branches an input takes: flags of LLVM's passes
/// that stable Rust accepts.
const COVERAGE: &str = include_str!("../../fuzz/coverage.flags");
/// Flags for the compiler, beside those of coverage, that turn on the checks that tests have.
const CHECKS: [&str; 2] = ["-Cdebug-assertions=on", "-Coverflow-checks=on"];

/// The environment variable that says that this program is called in the compiler's place.
pub const WRAPS: &str = "CONFORMANCE_FUZZ_COVERAGE";

/// Options for libFuzzer.
///
/// They tell it that the targets say themselves how far they are, and that what ends a process is a finding like
/// others. They say how long inputs may be, that inputs need not begin short, and to look now and then for what other
/// processes have found.
const OPTIONS: [&str; 8] = [
    "-verbosity=0",
    "-print_funcs=0",
    "-error_exitcode=1",
    "-timeout_exitcode=1",
    "-timeout=60",
    "-max_len=16384",
    "-len_control=0",
    "-reload=10",
];

/// Largest size in bytes of a file that is tried; inputs that the search makes have at most 16 KiB.
const FILE_MAX: u64 = 16 << 20;

/// Arguments for Cargo, so that the target `files` can hold reports against their schemas.
///
/// All targets with coverage are built with them: they then have one build.
const SCHEMA: [&str; 2] = ["--features", "schema"];

/// A request that a command line makes: the target to run, and how.
struct FuzzRequest {
    target: String,
    /// The implementation that `differential` tests.
    implementation: String,
    /// Whether the implementation is a library that the target loads into its own process.
    in_process: bool,
    /// Whether the branches of the suite itself count as coverage.
    covered: bool,
    seconds: u64,
    /// Number of processes that search at once and share a corpus.
    jobs: u64,
    /// The folder of the corpus and of what is found, if it is not the folder of the sources.
    out: Option<PathBuf>,
    /// Files of inputs that are tried in place of the search.
    files: Vec<String>,
}

/// Runs the fuzz target that the arguments ask for, or prints the help. Returns the exit code, the highest one of several
/// processes.
///
/// # Errors
/// In words, if the arguments ask for nothing that there is, or if the target cannot be started.
pub fn run(root: &Path, cargo: &Path, arguments: &[String]) -> Result<u8, String> {
    if help::is_asked_for(arguments) {
        print!("{}", help::text(root, &targets(root)));
        return Ok(0);
    }
    if arguments.is_empty() {
        eprintln!("{}", help::text(root, &targets(root)));
    }
    let request = FuzzRequest::read(arguments, &targets(root))?;
    if !request.in_process {
        return carry_out(&request, root, cargo);
    }
    // A library that ends the process leaves libFuzzer's file of the input, which is then tried in another process.
    let artifacts = request.folder(root, "artifacts")?;
    // Files of earlier runs are not tried again.
    let before = fatal(&artifacts);
    let code = carry_out(&request, root, cargo)?;
    let files: Vec<String> = fatal(&artifacts).difference(&before).cloned().collect();
    if files.is_empty() {
        return Ok(code);
    }
    eprintln!("The library ended the process: {} is tried in a process of its own.", files.join(", "));
    carry_out(&FuzzRequest { in_process: false, files, ..request }, root, cargo)
}

/// Returns the paths of the inputs that ended a process, which it knows by libFuzzer's names for them.
fn fatal(artifacts: &Path) -> BTreeSet<String> {
    let files = std::fs::read_dir(artifacts).into_iter().flatten().flatten();
    let fatal = |name: &str| ["crash-", "timeout-", "oom-"].iter().any(|kind| name.starts_with(kind));
    files
        .filter(|file| file.file_name().to_str().is_some_and(fatal))
        .filter_map(|file| Some(file.path().to_str()?.to_owned()))
        .collect()
}

/// Starts as many processes as are asked for, waits for all of them, and returns the highest exit code.
fn carry_out(request: &FuzzRequest, root: &Path, cargo: &Path) -> Result<u8, String> {
    let mut processes = Processes::start((0..request.jobs).map(|_| request.command(root, cargo)))?;
    let mut code = 0;
    for process in &mut processes.0 {
        let status = process.wait().map_err(|error| format!("a process got lost: {error}"))?;
        // A process that a signal ended has no exit code, and has found something.
        code = code.max(status.code().map_or(1, |code| code.try_into().unwrap_or(1)));
    }
    Ok(code)
}

/// Processes that are ended when this is dropped, unless they have ended before: a search that fails leaves none behind.
struct Processes(Vec<Child>);

impl Processes {
    /// Starts a process for each command.
    ///
    /// # Errors
    /// In words, if a command cannot be made or started. Those that were started before are ended.
    fn start(commands: impl Iterator<Item = Result<Command, String>>) -> Result<Processes, String> {
        let mut started = Processes(Vec::new());
        for command in commands {
            let process = command?.spawn();
            started.0.push(process.map_err(|error| format!("cargo could not be started: {error}"))?);
        }
        Ok(started)
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        for process in &mut self.0 {
            // A process that has ended already cannot be ended, and there is nobody to tell.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl FuzzRequest {
    /// Reads a request from the words of a command line, the target first.
    fn read(arguments: &[String], targets: &[String]) -> Result<FuzzRequest, String> {
        let Some((target, rest)) = arguments.split_first() else {
            return Err(format!("no fuzz target is named: {}; {SEE}", targets.join(", ")));
        };
        if !targets.contains(target) {
            return Err(help::unknown(target, targets));
        }
        let (target, implementation) = (target.clone(), "emulator".into());
        // An implementation is in another process or has few branches: on Linux libFuzzer is told of its results.
        let covered = target != "differential" || !cfg!(target_os = "linux");
        let (in_process, seconds, jobs, out, files) = (false, 60, 1, None, Vec::new());
        let mut request =
            FuzzRequest { target, implementation, in_process, covered, seconds, jobs, out, files };
        let mut rest = rest.iter();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().ok_or(format!("{argument} lacks its value; {SEE}"));
            let number = |value: &String| match value.parse() {
                Ok(number @ 1..) => Ok(number),
                _ => Err(format!("`{value}` is no number for {argument}; {SEE}")),
            };
            match argument.as_str() {
                "--impl" if request.target == "differential" => {
                    request.implementation.clone_from(value()?);
                }
                "--in-process" if request.target == "differential" => request.in_process = true,
                "--impl" | "--in-process" => {
                    return Err("only `differential` tests an implementation".into());
                }
                "--seconds" => request.seconds = number(value()?)?,
                "--jobs" => request.jobs = number(value()?)?,
                "--out" => {
                    let out = std::path::absolute(value()?);
                    request.out = Some(out.map_err(|error| format!("--out names no folder: {error}"))?);
                }
                flag if flag.starts_with('-') => return Err(format!("`{flag}` is not known; {SEE}")),
                file if Path::new(file).metadata().is_ok_and(|file| file.len() > FILE_MAX) => {
                    return Err(format!(
                        "`{file}` is larger than the {} MiB that are tried",
                        FILE_MAX >> 20
                    ));
                }
                file if Path::new(file).is_file() => request.files.push(file.into()),
                file => return Err(format!("there is no file `{file}`; {SEE}")),
            }
        }
        // Checked last, since the two options may come in either order.
        if request.in_process && !request.implementation.starts_with("lib:") {
            return Err("--in-process is for a library: add --impl lib:PATH".into());
        }
        Ok(request)
    }

    /// Returns the folder of the corpus, or of what is found, and makes it if it is missing.
    ///
    /// # Errors
    /// In words, if the folder cannot be made.
    fn folder(&self, root: &Path, kind: &str) -> Result<PathBuf, String> {
        let name = if self.in_process { "in-process" } else { &*self.target };
        let base = self.out.clone().unwrap_or_else(|| root.join("fuzz"));
        let folder = base.join(kind).join(name);
        let made = std::fs::create_dir_all(&folder);
        made.map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
        Ok(folder)
    }

    /// Returns the command that builds the target and runs it as the request says.
    fn command(&self, root: &Path, cargo: &Path) -> Result<Command, String> {
        let itself = std::env::current_exe()
            .map_err(|error| format!("this program does not find itself: {error}"))?;
        let mut command = Command::new(cargo);
        command
            .args(["run", "--release", "--package", "fuzz", "--bin", &self.target])
            .args(SCHEMA.iter().filter(|_| self.covered))
            .arg("--manifest-path")
            .arg(root.join("Cargo.toml"))
            .env("FUZZ_IMPL", &self.implementation)
            .arg("--")
            .args(OPTIONS)
            .arg(format!("-artifact_prefix={}/", self.folder(root, "artifacts")?.display()));
        if self.in_process {
            // Has libFuzzer also count how near comparisons of the library come to being equal.
            command.env("FUZZ_IN_PROCESS", "1").arg("-use_value_profile=1");
        }
        if let Some(out) = &self.out {
            command.env("FUZZ_OUT", out);
        }
        if self.covered {
            // Cargo keeps what a wrapper builds apart, so the release build stays as it is.
            command.env("RUSTC_WORKSPACE_WRAPPER", itself).env(WRAPS, "1");
        }
        match self.files.as_slice() {
            [] => command
                .arg(format!("-max_total_time={}", self.seconds))
                .arg(self.folder(root, "corpus")?),
            files => command.args(files),
        };
        Ok(command)
    }
}

/// Returns the command that runs the compiler with the flags for coverage, or `None` if `arguments` are empty.
///
/// `arguments` are the compiler's path and what Cargo tells it.
pub fn compiler(arguments: impl IntoIterator<Item = OsString>) -> Option<Command> {
    let mut arguments = arguments.into_iter();
    let mut compiler = Command::new(arguments.next()?);
    let arguments: Vec<OsString> = arguments.collect();
    // Questions about the compiler itself name no crate. A build script is linked with nothing that could take the
    // coverage.
    let mut names = arguments.iter().skip_while(|argument| *argument != "--crate-name").skip(1);
    let compiles = names.next().is_some_and(|name| name != "build_script_build");
    compiler.args(arguments).args(COVERAGE.lines().chain(CHECKS).filter(|_| compiles));
    Some(compiler)
}

/// Returns the sorted names of the fuzz targets, from their files.
fn targets(root: &Path) -> Vec<String> {
    let files = std::fs::read_dir(root.join("fuzz/fuzz_targets")).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        files.filter_map(|file| Some(file.path().file_stem()?.to_str()?.to_owned())).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: &str = "files";

    #[test]
    fn inputs_have_a_size_at_most_and_an_end() {
        let path = std::env::temp_dir().join(format!("xtask-fuzz-{}", std::process::id()));
        let read = |file: &str| {
            let arguments = [FILES.to_owned(), file.to_owned()];
            FuzzRequest::read(&arguments, &[FILES.to_owned()]).map(|request| request.files)
        };
        let shown = path.to_str().expect("a path");
        let file = std::fs::File::create(&path).expect("a file");
        assert_eq!(read(shown), Ok(vec![shown.to_owned()]));
        file.set_len(FILE_MAX + 1).expect("a larger file");
        assert!(read(shown).is_err_and(|error| error.contains("larger than the 16 MiB")));
        std::fs::remove_file(&path).expect("removed");
        assert!(read("/dev/zero").is_err());
    }

    /// A process that was started is ended where a later one cannot be started.
    #[cfg(unix)]
    #[test]
    fn no_process_is_left_where_another_is_not_started() {
        let path = std::env::temp_dir().join(format!("xtask-started-{}", std::process::id()));
        let mut first = Command::new("sh");
        first.args(["-c", "echo $$ > \"$1\"; exec sleep 600", "sh"]).arg(&path);
        let number = || {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            text.strip_suffix('\n').map(str::to_owned)
        };
        let second = || {
            // The first process is to be there for certain before the second is not.
            let started = std::time::Instant::now();
            while number().is_none() && started.elapsed().as_secs() < 60 {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            Command::new("/nowhere/cargo")
        };
        let commands = std::iter::once(Ok(first)).chain(std::iter::once_with(|| Ok(second())));
        let refused = Processes::start(commands).err().expect("no such program");
        assert!(refused.starts_with("cargo could not be started: "), "{refused}");
        let number = number().expect("the first process was started");
        std::fs::remove_file(&path).expect("removed");
        let asked = Command::new("sh").args(["-c", &format!("kill -0 {number} 2> /dev/null")]).status();
        assert!(!asked.expect("a shell").success(), "{number} goes on");
    }

    /// Searches with the spellings of earlier versions go on.
    #[test]
    fn every_search_of_the_pages_is_accepted() {
        let lines = include_str!("../../harness/cli/tests/suite/command_line/former.txt").lines();
        let lines: Vec<&str> = lines.filter(|line| line.starts_with("fuzz differential")).collect();
        assert!(lines.len() > 2, "{lines:?}");
        for line in lines {
            let words: Vec<String> = line.split(' ').skip(1).map(String::from).collect();
            let request = FuzzRequest::read(&words, &["differential".to_owned()]);
            assert!(request.is_ok(), "{line}: {:?}", request.err());
        }
    }

    #[test]
    fn corpus_and_findings_are_where_they_are_asked_for() {
        let base = std::env::temp_dir().join(format!("xtask-out-{}", std::process::id()));
        let read = |arguments: &[&str]| {
            let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
            FuzzRequest::read(&arguments, &[FILES.to_owned()])
        };
        let folder = |request: FuzzRequest| request.folder(&base, "corpus").expect("a folder");
        assert_eq!(folder(read(&[FILES]).expect("a request")), base.join("fuzz/corpus/files"));
        let out = base.join("mine");
        let request = read(&[FILES, "--out", out.to_str().expect("a path")]).expect("a request");
        assert_eq!(folder(request), out.join("corpus/files"));
        std::fs::remove_dir_all(&base).expect("removed");
        assert!(read(&[FILES, "--out"]).is_err_and(|error| error.contains("lacks its value")));
        assert!(read(&[FILES, "--out", ""]).is_err_and(|error| error.contains("names no folder")));
    }
}
