//! The place where the suite is attacked: a folder of its own for each fault, the built binary, and the
//! observations of a run.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use reports::Report;
use serde_json::Value;
use tempfile::TempDir;

use super::client::{BUSY, DefenceCase};

/// The time in which every run of the suite on these few vectors ends, whatever happens to it.
const LIMIT: Duration = Duration::from_secs(90);
/// The time after the end of the suite in which everything that it started must have ended.
const GRACE: Duration = Duration::from_secs(1);
/// The largest number of characters that are shown of an unexpected outcome.
const LONGEST: usize = 300;
/// The environment variable by which processes are recognised: children have the environment of their parents.
const MARK: &str = "CONFORMANCE_DEFENCES_MARK";

/// A folder for one attack, the binary that is attacked, and the hostile client.
pub struct Sandbox {
    binary: PathBuf,
    client: PathBuf,
    folder: TempDir,
    /// The instruction that programs under test are asked about.
    pub case: &'static DefenceCase,
}

/// A run of the suite that has begun.
pub struct Running<'a> {
    child: Child,
    mark: String,
    sandbox: &'a Sandbox,
    number: usize,
}

/// A run of the suite that has ended.
pub struct Ended {
    /// The status with which the run ended.
    pub status: ExitStatus,
    /// The text that the run wrote to standard output.
    pub out: String,
    /// The text that the run wrote to standard error.
    pub err: String,
}

impl Sandbox {
    /// Makes a new folder for an attack on a binary, with a hostile client.
    pub fn new([binary, client]: [&Path; 2], case: &'static DefenceCase) -> Result<Sandbox> {
        let folder = tempfile::Builder::new().prefix("defences-").tempdir().context("a folder")?;
        Ok(Sandbox { binary: binary.to_owned(), client: client.to_owned(), folder, case })
    }

    /// Returns a text without the paths of the programs and the folder, which differ between machines and runs, and at
    /// most [`LONGEST`] characters of it.
    pub fn without_paths(&self, text: &str) -> String {
        let binary = self.binary.display().to_string();
        let folder = self.folder.path().display().to_string();
        let client = self.client.display().to_string();
        let text = text.replace(&client, "hostile-client").replace(&binary, "conformance");
        let text = text.replace(&folder, "FOLDER");
        text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST).collect()
    }

    /// Returns a path in the folder, as text.
    pub fn path_of(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// Returns the value of `--impl` for a client with a fault, which may take `deadline` seconds for an answer.
    pub fn client(&self, fault: &str, deadline: u32) -> String {
        format!("exec,deadline={deadline},vectors=1000:{} {fault}", quoted(&self.client))
    }

    /// Returns the arguments of a run of the client with a fault, with one thread, into `out`.
    pub fn conformance(&self, fault: &str, deadline: u32) -> Vec<String> {
        let client = self.client(fault, deadline);
        let words = ["conformance", "--only", self.case.variant, "--jobs", "1", "--impl", &client];
        words.into_iter().map(str::to_owned).chain(["--out".into(), self.path_of("out")]).collect()
    }

    /// Runs the suite with one thread on an implementation of the given kind that is a shell's script. The script
    /// and the run's output stand in the folder.
    pub fn scripted(&self, kind: &str, script: &str) -> Result<Ended> {
        let path = self.path_of("script.sh");
        std::fs::write(&path, script)?;
        let implementation = format!("{kind}:sh {path}");
        let words =
            ["conformance", "--only", self.case.variant, "--jobs", "1", "--impl", &implementation];
        let mut command = self.command(&words);
        command.args(["--out", &self.path_of("out")]).current_dir(self.folder.path());
        self.run(command)
    }

    /// Returns a command that starts the binary with these arguments.
    pub fn command(&self, arguments: &[impl AsRef<str>]) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(arguments.iter().map(AsRef::as_ref));
        command
    }

    /// Returns a command that starts a shell, which does what the script says and then becomes the binary.
    pub fn command_after_script(&self, script: &str, arguments: &[impl AsRef<str>]) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{script}; exec \"$0\" \"$@\"")]).arg(&self.binary);
        command.args(arguments.iter().map(AsRef::as_ref));
        command
    }

    /// Starts a command. Its output goes to files, so that a process which holds on to its streams does not keep
    /// anybody waiting.
    pub fn start(&self, mut command: Command) -> Result<Running<'_>> {
        // Several runs may share the folder, so each has files under a number of its own.
        let number = (0..).find(|number| !self.stream(*number, "out").exists()).context("a number")?;
        let file = |name: &str| File::create(self.stream(number, name)).context("a file");
        let mark = format!("{}#{number}", self.folder.path().display());
        let (out, err) = (file("out")?, file("err")?);
        command.env(MARK, &mark).env(BUSY, self.stream(number, "busy")).stdin(Stdio::null());
        heed_signals(&mut command);
        // A fault that is about a stream has its shell replace that stream itself.
        let child = command.stdout(out).stderr(err).spawn().context("the binary does not start")?;
        Ok(Running { child, mark, sandbox: self, number })
    }

    /// Starts a command and waits for its end.
    pub fn run(&self, command: Command) -> Result<Ended> {
        self.start(command)?.end()
    }

    /// Returns the report of the run into `out`.
    pub fn report(&self) -> Result<Report> {
        Ok(reports::load(&self.folder.path().join("out/report.json"))?)
    }

    /// Returns the content of the report of the run into `out`, without the times of the run and the checksum,
    /// which covers these times, too.
    pub fn findings(&self, out: &str) -> Result<String> {
        let json = std::fs::read(self.folder.path().join(out).join("report.json"))?;
        let mut report: Value = serde_json::from_slice(&json)?;
        for time in ["times", "checksum"] {
            report.as_object_mut().context("an object")?.remove(time);
        }
        Ok(serde_json::to_string_pretty(&report)?)
    }

    /// Returns the path of a file about a run, by the number of the run in this folder.
    fn stream(&self, number: usize, name: &str) -> PathBuf {
        self.folder.path().join(format!("{number}.{name}"))
    }
}

impl Running<'_> {
    /// Sends a signal to the suite, and to no other process.
    pub fn signal(&self, name: &str) -> Result<()> {
        let mut kill = Command::new("kill");
        let status = kill.args([&format!("-{name}"), &self.child.id().to_string()]).status();
        ensure!(status.context("kill")?.success(), "SIG{name} could not be sent");
        Ok(())
    }

    /// Waits until a condition holds; fails if the suite ends before or it takes longer than [`LIMIT`].
    pub fn wait_until(&mut self, what: &str, is_so: impl Fn() -> bool) -> Result<()> {
        let started = Instant::now();
        while !is_so() {
            ensure!(self.child.try_wait()?.is_none(), "it ended before {what}");
            ensure!(started.elapsed() < LIMIT, "it took too long until {what}");
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    /// Waits until a client of this run has got a batch.
    pub fn until_busy(&mut self) -> Result<()> {
        let busy = self.sandbox.stream(self.number, "busy");
        self.wait_until("a batch had come to the program", || busy.exists())
    }

    /// Sends a signal to the suite and to everything that it has started.
    pub fn signal_all(&self, name: &str) {
        for pid in living_processes(&self.mark) {
            // A process may have ended by now.
            let _ = Command::new("kill").args([&format!("-{name}"), &pid.to_string()]).status();
        }
    }

    /// Waits for the end of the run, and checks what must hold however a run ends: it took at most [`LIMIT`], it did
    /// not panic, no raw control character reached a terminal, and [`GRACE`] later nothing that it started is alive.
    pub fn end(mut self) -> Result<Ended> {
        let started = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait()? {
                break status;
            }
            if started.elapsed() > LIMIT {
                // The run is reported as one without an end in any case, even if it ends just now.
                let _ = self.child.kill();
                let _ = self.child.wait();
                put_down(&self.mark);
                bail!("it did not end in {} s", LIMIT.as_secs());
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let ended = Instant::now();
        while !living_processes(&self.mark).is_empty() && ended.elapsed() < GRACE {
            std::thread::sleep(Duration::from_millis(20));
        }
        let left = put_down(&self.mark);
        let read = |name: &str| {
            let bytes = std::fs::read(self.sandbox.stream(self.number, name)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let (out, err) = (read("out"), read("err"));
        for text in [&out, &err] {
            let raw = |letter: &char| {
                *letter != '\n' && reports::printable(&letter.to_string()) != letter.to_string()
            };
            let raw = text.chars().find(|letter| *letter != ' ' && raw(letter));
            ensure!(raw.is_none(), "{raw:?} reached the terminal");
        }
        ensure!(!err.contains("bug in the suite") && !err.contains("panicked"), "it panicked: {err}");
        let many = reports::counted(left as u64, "process");
        ensure!(left == 0, "a second after its end, {many} that it had started lived");
        Ok(Ended { status, out, err })
    }
}

/// Returns a path, quoted as a word for a shell.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    shlex::try_quote(&text).map_or_else(|_| text.clone(), Into::into)
}

/// Returns the ids of the processes that carry a mark, where the system tells.
fn living_processes(mark: &str) -> Vec<u32> {
    let entry = format!("{MARK}={mark}");
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = processes.filter_map(|process| process.file_name().to_str()?.parse().ok());
    let marked = |pid: &u32| {
        // The environment of a process that has ended and was not waited for is empty.
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == entry.as_bytes())
    };
    pids.filter(marked).collect()
}

/// Kills the processes that carry a mark, and returns how many there were.
fn put_down(mark: &str) -> usize {
    let left = living_processes(mark);
    for pid in &left {
        // A process may have ended by now, which is as well.
        let _ = Command::new("kill").args(["-KILL", &pid.to_string()]).status();
    }
    left.len()
}

impl Ended {
    /// Returns the exit code; fails if the run was ended by a signal.
    pub fn code(&self) -> Result<i32> {
        self.status.code().with_context(|| format!("it ended by {}", self.status))
    }

    /// Checks that the run was refused: exit code 2 and one line on standard error that has these words.
    pub fn refused(&self, words: &[&str]) -> Result<String> {
        let code = self.code()?;
        ensure!(code == 2, "exit code {code}: {}", self.err.trim());
        ensure!(self.err.lines().count() == 1, "more than a line: {}", self.err.trim());
        for word in words {
            ensure!(self.err.contains(word), "no `{word}` in: {}", self.err.trim());
        }
        Ok(format!("exit code 2, one line: “{}”", words.join(" … ")))
    }

    /// Checks that the exit code is one of these, and returns it.
    pub fn code_among(&self, codes: &[i32]) -> Result<i32> {
        let code = self.code()?;
        ensure!(codes.contains(&code), "exit code {code}: {}", self.err.trim());
        Ok(code)
    }
}

/// Makes a command heed signals that whoever runs the defences ignores, as `nohup` and the background of a shell
/// without job control do.
fn heed_signals(command: &mut Command) {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        let heed = || {
            for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM] {
                // SAFETY: no handler is installed, and none can run.
                unsafe { libc::signal(signal, libc::SIG_DFL) };
            }
            Ok(())
        };
        // SAFETY: between fork and exec it makes four system calls, and allocates nothing.
        unsafe { command.pre_exec(heed) };
    }
    #[cfg(not(unix))]
    let _ = command;
}
