//! Starting a program: under a supervisor where the system has what that takes, so that nothing of the program
//! outlives the suite.

use std::io;
use std::path::Path;
use std::process::{self, Command, Stdio};

use anyhow::{Error, anyhow};

use super::failure::Ended;
#[cfg(unix)]
use super::guard::{Start, SupervisorGuard};

/// A program that runs, or has run.
pub struct Running {
    process: process::Child,
    #[cfg(unix)]
    guard: Option<SupervisorGuard>,
}

impl Running {
    /// Starts a program with all three streams as pipes.
    ///
    /// # Errors
    /// If the program cannot be started; the words say what to do.
    pub fn start(name: &str, arguments: &[&str]) -> Result<Running, Error> {
        let piped = |command: &mut Command| {
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        };
        #[cfg(unix)]
        match SupervisorGuard::start(name, arguments, piped) {
            Ok(Start::Guarded(process, guard)) => return Ok(Running { process, guard: Some(guard) }),
            Ok(Start::Alone) => {}
            Err(error) => return Err(refused(name, &error)),
        }
        let mut command = Command::new(name);
        piped(command.args(arguments));
        // In a group of its own: Ctrl-C is the suite's, and what it starts itself ends with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let process = command.spawn().map_err(|error| refused(name, &error))?;
        Ok(Running {
            process,
            #[cfg(unix)]
            guard: None,
        })
    }

    /// Takes the program's streams, which are there to be taken once.
    pub fn streams(&mut self) -> (process::ChildStdin, process::ChildStdout, process::ChildStderr) {
        let process = &mut self.process;
        match (process.stdin.take(), process.stdout.take(), process.stderr.take()) {
            (Some(stdin), Some(stdout), Some(stderr)) => (stdin, stdout, stderr),
            _ => unreachable!("all three are piped, and taken once"),
        }
    }

    /// Returns how the program ended, if it has ended, and with it whatever it started.
    pub fn ended(&mut self) -> Option<Ended> {
        #[cfg(unix)]
        if let Some(guard) = &mut self.guard {
            return guard.ended(&mut self.process);
        }
        match self.process.try_wait() {
            Ok(status) => status.map(Ended::By),
            // What cannot be waited for is not there any more.
            Err(_) => Some(Ended::Unknown),
        }
    }

    /// Ends the program at once, and what it has started with it; returns how it ended, if it had.
    pub fn stop(&mut self) -> Ended {
        // Once it has been waited for, its number may be another's.
        if let Some(ended) = self.ended() {
            return ended;
        }
        #[cfg(unix)]
        if let Some(guard) = &mut self.guard {
            return guard.stop(&mut self.process);
        }
        #[cfg(unix)]
        if let Some(group) = rustix::process::Pid::from_raw(self.process.id().cast_signed()) {
            // What ends by itself meanwhile need not be ended.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
        Ended::Stopped
    }
}

/// Runs a command to its end, with the suite's streams; whatever it starts does not outlive the suite.
///
/// # Errors
/// If the command cannot be started, or the system does not report how it ended.
pub fn run(mut command: Command) -> io::Result<process::ExitStatus> {
    #[cfg(unix)]
    {
        let settings = |supervisor: &mut Command| {
            for (name, value) in command.get_envs() {
                match value {
                    Some(value) => supervisor.env(name, value),
                    None => supervisor.env_remove(name),
                };
            }
        };
        let arguments: Vec<_> = command.get_args().collect();
        if let Start::Guarded(process, guard) =
            SupervisorGuard::start(command.get_program(), &arguments, settings)?
        {
            let mut running = Running { process, guard: Some(guard) };
            loop {
                match running.ended() {
                    // Nobody waits for milliseconds of what takes minutes.
                    None => std::thread::sleep(std::time::Duration::from_millis(20)),
                    Some(Ended::By(status)) => return Ok(status),
                    Some(_) => return Err(io::Error::other("the system does not report how it ended")),
                }
            }
        }
    }
    command.status()
}

/// Returns why a program cannot be started, and what to do.
fn refused(name: &str, error: &io::Error) -> Error {
    let is_there = name.contains(std::path::MAIN_SEPARATOR) && Path::new(name).exists();
    match error.kind() {
        io::ErrorKind::NotFound if is_there => {
            anyhow!(
                "`{name}` exists, but the interpreter or loader that it names does not: install that"
            )
        }
        io::ErrorKind::NotFound => anyhow!("command not found: `{name}`; give its path"),
        io::ErrorKind::PermissionDenied => {
            anyhow!("`{name}` cannot be executed: make it executable, or name its interpreter")
        }
        io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory => anyhow!(
            "`{name}` cannot be started because the system has no room for another process: use fewer \
             --jobs (`ulimit -u` shows the limit)"
        ),
        _ => match errno(error) {
            Some(Errno::Exec) => anyhow!(
                "`{name}` is not a program that this system can execute; run a script as `python3 \
                 script.py`"
            ),
            Some(Errno::Files) => anyhow!(
                "`{name}` cannot be started because too many files are open: use fewer --jobs, or \
                 allow more files (`ulimit -n` shows the limit)"
            ),
            None => anyhow!("`{name}` cannot be started: {error}"),
        },
    }
}

/// Errors of the system that the standard library has no kind for.
enum Errno {
    Exec,
    Files,
}

/// Returns which of these errors an error is, if it is one.
#[cfg(unix)]
fn errno(error: &io::Error) -> Option<Errno> {
    match rustix::io::Errno::from_io_error(error)? {
        rustix::io::Errno::NOEXEC => Some(Errno::Exec),
        rustix::io::Errno::MFILE | rustix::io::Errno::NFILE => Some(Errno::Files),
        _ => None,
    }
}

#[cfg(not(unix))]
fn errno(_: &io::Error) -> Option<Errno> {
    None
}
