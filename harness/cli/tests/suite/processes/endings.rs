//! Tests that nothing that the suite has started outlives it, however it ends, and that it ends in order where it
//! can.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::faulty;
use crate::common;

/// A client that leaves processes behind in every way that there is, and writes down their ids.
const LEAVES: &str = "#!/bin/sh
sleep 1000 </dev/null >/dev/null 2>&1 &
echo $! >> PIDS
sleep 1000 &
echo $! >> PIDS
setsid sleep 1000 </dev/null >/dev/null 2>&1 &
echo $! >> PIDS
(setsid sh -c 'echo $$ >> PIDS; exec sleep 1000' </dev/null >/dev/null 2>&1 &)
echo $$ >> PIDS
";
/// The number of lines that each start of the client writes.
const LEFT: usize = 5;

/// A client that leaves processes behind, a directory for its run, and the file to which it writes their ids.
struct Leaving {
    directory: TempDir,
    _client: TempDir,
    program: PathBuf,
}

impl Leaving {
    /// Makes a client that leaves processes behind, then runs some lines of a shell, and then goes on as `mode` of
    /// the client that fails.
    fn new(lines: &str, mode: &str) -> Leaving {
        let (client, faulty) = faulty();
        let directory = tempfile::tempdir().unwrap();
        let program = directory.path().join("leaves");
        let pids = directory.path().join("pids");
        let text = format!("{LEAVES}{lines}\nexec '{faulty}' {mode}\n");
        common::program(&program, &text.replace("PIDS", pids.to_str().unwrap()));
        Leaving { directory, _client: client, program }
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Returns the command of a run, for `options` of the program.
    fn run(&self, options: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
        let name = format!("exec{options}:{}", self.program.display());
        command.args(["conformance", "--jobs", "1", "--only", "neg.f16", "--impl", &name, "--out"]);
        command.arg(self.path()).env(MARK, self.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Starts a run, and returns when a worker's program has been started.
    fn running(&self, options: &str) -> Child {
        let run = self.run(options).spawn().unwrap();
        let state = self.path().join("state.json");
        // These are the lines of the child that is asked questions, and of the one that computes.
        wait_until("the program runs", || self.pids().len() >= 2 * LEFT && state.exists());
        wait_until("its processes are known by their mark", || self.is_left());
        run
    }

    fn pids(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.path().join("pids")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Whether some process that the client has left behind is alive.
    fn is_left(&self) -> bool {
        self.pids().iter().any(|pid| is_alive(pid, self.path()))
    }

    /// Waits until all processes that the client has left behind have ended.
    fn is_over(&self) {
        assert!(!self.pids().is_empty());
        wait_until("nothing is left", || !self.is_left());
    }
}

/// The environment variable whose value only the processes of one run have.
const MARK: &str = "PTX_CONFORMANCE_ENDING";

/// Whether a process of the run that `mark` was given to is alive. A number alone could by now be that of another
/// process; one that has ended, and that nobody has asked about, has no environment any more. Nor has one for a moment
/// while it becomes another program.
fn is_alive(pid: &str, mark: &Path) -> bool {
    let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    let entry = format!("{MARK}={}", mark.display());
    environment.split(|byte| *byte == 0).any(|part| part == entry.as_bytes())
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "in vain: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn signal(run: &Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &run.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// Waits for the end of a run, and returns its status and its standard error.
fn end(run: Child) -> (ExitStatus, String) {
    let output = run.wait_with_output().unwrap();
    (output.status, String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Nothing outlives a suite that is ended by a signal that nobody can catch, or that says: at once.
#[test]
fn nothing_outlives_a_suite_that_is_ended_at_once() {
    // A shell without job control has what it starts in the background ignore SIGQUIT, which nothing undoes.
    let heard = |name: &&str| *name != "QUIT" || !ignores(std::process::id(), QUIT);
    for name in ["KILL", "QUIT", "ABRT"].into_iter().filter(heard) {
        let leaving = Leaving::new("", "hangs");
        let run = leaving.running(",deadline=1000");
        signal(&run, name);
        assert!(end(run).0.code().is_none());
        leaving.is_over();
    }
    let leaving = Leaving::new("", "hangs");
    let run = leaving.running(",deadline=1000");
    for _ in 0..2 {
        signal(&run, "INT");
        // A second signal that comes too fast would count as the first.
        std::thread::sleep(Duration::from_millis(500));
    }
    assert_eq!(end(run).0.code(), Some(2));
    leaving.is_over();
}

/// Nothing outlives a suite that cannot have its supervisor end the program, because the program has stopped that
/// supervisor.
#[test]
fn nothing_outlives_a_suite_whose_supervisor_was_stopped() {
    let leaving = Leaving::new("(sleep 1; kill -STOP $PPID; echo stopped >> MARK) &", "hangs");
    let mark = leaving.path().join("mark");
    let text = std::fs::read_to_string(&leaving.program).unwrap();
    std::fs::write(&leaving.program, text.replace("MARK", mark.to_str().unwrap())).unwrap();
    let run = leaving.running(",deadline=1000");
    wait_until("its supervisors are stopped", || {
        std::fs::read_to_string(&mark).unwrap_or_default().lines().count() == 2
    });
    signal(&run, "KILL");
    end(run);
    leaving.is_over();
}

/// Signals that ask for an end let the work in hand end, for at most a deadline, and leave a report, whether or not
/// there is anybody left to be told.
#[test]
fn signals_that_ask_for_an_end_leave_a_report_and_nothing_else() {
    // A process that is started as this test was started ignores what this test ignores.
    let heard = |name: &&str| *name != "HUP" || !ignores(std::process::id(), HUP);
    for name in ["INT", "TERM", "HUP"].into_iter().filter(heard) {
        let leaving = Leaving::new("", "hangs");
        let mut run = leaving.running(",deadline=2");
        let unheard = name == "HUP";
        if unheard {
            drop((run.stdout.take(), run.stderr.take()));
        }
        signal(&run, name);
        let (status, said) = end(run);
        assert!(matches!(status.code(), Some(1 | 2)), "{name}: {status} {said}");
        assert!(unheard || said.contains("--resume"), "{name}: {said}");
        let report = reports::load(&leaving.path().join("report.json")).unwrap();
        assert!(!report.complete, "{name}");
        assert!(leaving.path().join("state.json").exists(), "{name}: it can be taken up");
        leaving.is_over();
    }
}

/// A run that ignores the end of its terminal, as under `nohup`, goes on ignoring it.
#[test]
fn a_run_that_ignores_the_end_of_its_terminal_goes_on_ignoring_it() {
    let leaving = Leaving::new("", "hangs");
    let run = leaving.run(",deadline=1000");
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]).arg(run.get_program()).args(run.get_args());
    let run = shell.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("the program runs", || leaving.pids().len() >= 2 * LEFT);
    assert!(ignores(run.id(), HUP));
    signal(&run, "KILL");
    end(run);
    leaving.is_over();
}

/// The number of SIGHUP; those of SIGINT and SIGQUIT follow.
const HUP: u32 = 1;
const INT: u32 = 2;
const QUIT: u32 = 3;

/// Returns whether a process ignores a signal.
fn ignores(process: u32, signal: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() >> (signal - 1) & 1 == 1
}

/// Processes that a program leaves behind when it ends by itself end with it.
#[test]
fn nothing_outlives_a_program_that_ends() {
    for mode in ["crashes", "ends-early", "floods-errors"] {
        let leaving = Leaving::new("", mode);
        let output = leaving.run("").output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{mode}: {output:?}");
        assert!(reports::load(&leaving.path().join("report.json")).unwrap().complete, "{mode}");
        leaving.is_over();
    }
}

/// Nothing outlives a program that ends or stops its supervisor, whose process id it knows as its parent's. What
/// that supervisor should have ended, the suite ends.
#[test]
fn nothing_outlives_a_program_that_ends_or_stops_its_supervisor() {
    let attacked = |attack: &str| {
        let leaving = Leaving::new(attack, "hangs");
        let mut run = leaving.run(",start=2,deadline=2,vectors=4");
        let run = run.arg("--only").arg("abs.f16").spawn().unwrap();
        let (status, said) = end(run);
        assert!(status.code().is_some(), "{attack}: {status}: {said}");
        leaving.is_over();
    };
    std::thread::scope(|scope| {
        for name in ["KILL", "STOP", "TERM"] {
            scope.spawn(move || attacked(&format!("kill -{name} $PPID")));
            scope.spawn(move || attacked(&format!("(sleep 1; kill -{name} $PPID) &")));
        }
    });
}

/// No assembler outlives the suite.
#[test]
fn no_assembler_outlives_the_suite() {
    let directory = tempfile::tempdir().unwrap();
    let (ptxas, pid) = (directory.path().join("ptxas"), directory.path().join("pid"));
    common::program(&ptxas, &format!("#!/bin/sh\necho $$ > {}\nexec sleep 1000\n", pid.display()));
    let mut run = Command::new(env!("CARGO_BIN_EXE_conformance"));
    run.args(["legality", "--only", "mul.f16", "--ptxas"]).arg(&ptxas).env(MARK, directory.path());
    let run = run.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let read = || std::fs::read_to_string(&pid).unwrap_or_default();
    wait_until("the assembler runs", || read().ends_with('\n'));
    wait_until("it is known by its mark", || is_alive(read().trim(), directory.path()));
    signal(&run, "KILL");
    end(run);
    wait_until("nothing is left", || !is_alive(read().trim(), directory.path()));
}

/// No process that sets something up outlives the suite, nor does anything that it has started.
#[test]
fn nothing_that_is_set_up_outlives_the_suite() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(directory.path().join("harness/third-party")).unwrap();
    let (cargo, pids) = (directory.path().join("cargo"), directory.path().join("pids"));
    let text = "#!/bin/sh\nsetsid sleep 1000 &\necho $! > PIDS\necho $$ >> PIDS\nexec sleep 1000\n";
    common::program(&cargo, &text.replace("PIDS", pids.to_str().unwrap()));
    // A process that a shell without job control has started ignores Ctrl-C, and so does what it starts.
    let heard = |name: &&str| *name != "INT" || !ignores(std::process::id(), INT);
    for name in ["KILL", "TERM", "INT"].into_iter().filter(heard) {
        let _ = std::fs::remove_file(&pids);
        let mut run = Command::new(env!("CARGO_BIN_EXE_conformance"));
        run.args(["setup", "half"])
            .current_dir(&directory)
            .env("CARGO", &cargo)
            .env(MARK, directory.path());
        let run = run.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let read = || std::fs::read_to_string(&pids).unwrap_or_default();
        wait_until("what sets it up runs", || read().lines().count() == 2);
        wait_until("both are known by their mark", || {
            read().lines().all(|pid| is_alive(pid, directory.path()))
        });
        signal(&run, name);
        assert!(!end(run).0.success());
        wait_until("nothing is left", || !read().lines().any(|pid| is_alive(pid, directory.path())));
    }
}
