//! Commands of others that the suite waits for, such as an assembler: each has a deadline, and none outlives
//! the suite. Programs that the suite speaks with are in `implementations::process`.

#[cfg(all(test, unix))]
mod tests;

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io::{self, PipeReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// The most that a command may print, in MiB.
const MOST_OUTPUT: u64 = 64;
/// Pauses between two looks at whether a command has ended: the first, which most need not wait for, and the longest.
const PAUSES: [Duration; 2] = [Duration::from_micros(100), Duration::from_millis(20)];
/// Time that the kernel has to end a command after it was killed; a command that it does not let go of is left
/// alone.
const MERCY: Duration = Duration::from_secs(1);

/// The streams on which a command is listened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streams {
    /// Standard output alone; what goes to standard error is lost.
    Output,
    /// Standard output and standard error together, in the order in which the command prints.
    Both,
}

/// The output of a command: how it ended, and what it printed.
#[derive(Debug)]
pub struct Output {
    /// The status with which the command ended.
    pub status: ExitStatus,
    /// The text that the command printed, with U+FFFD in the place of what is no UTF-8.
    pub text: String,
}

/// The reason why there is no output of a command, shown as a sentence that names the command.
#[derive(Debug)]
pub struct CommandFailure {
    /// The command's program, as it was given.
    program: String,
    /// The cause that kept the command from ending.
    pub kind: FailureKind,
}

/// The cause that kept a command from ending.
#[derive(Debug)]
pub enum FailureKind {
    /// The command did not start.
    NotStarted(io::Error),
    /// The command, or what it started, went on past its deadline.
    Late(Duration),
    /// The command printed more than any command may.
    TooMuch,
    /// The system gives no pipe or thread for the command, or nothing more of one.
    System(io::Error),
}

impl Display for CommandFailure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let program = &self.program;
        match &self.kind {
            FailureKind::NotStarted(error) => write!(f, "{program} cannot be started: {error}"),
            FailureKind::Late(deadline) => {
                write!(f, "{program} did not finish within {} seconds", deadline.as_secs_f64())
            }
            FailureKind::TooMuch => write!(f, "{program} printed more than {MOST_OUTPUT} MiB"),
            FailureKind::System(error) => write!(f, "the output of {program} cannot be read: {error}"),
        }
    }
}

impl Error for CommandFailure {}

/// Runs a command to its end, with nothing on its standard input. The command is killed at its deadline, and
/// where this thread ends before the command does.
///
/// # Errors
/// If the command does not start or end in time, or prints too much.
pub fn output_within(
    command: &mut Command,
    streams: Streams,
    deadline: Duration,
) -> Result<Output, CommandFailure> {
    let program = command.get_program().display().to_string();
    let failed = |kind| CommandFailure { program, kind };
    let started = Instant::now();
    let (mut child, reader) = match start(command, streams) {
        Ok(started) => started,
        Err(kind) => return Err(failed(kind)),
    };
    let printed = listen(reader, deadline).and_then(|text| {
        // A command may close its output long before it ends, so the deadline counts for both waits together.
        let left = deadline.saturating_sub(started.elapsed());
        let status = ended(&mut child, left)?.ok_or(FailureKind::Late(deadline))?;
        Ok(Output { status, text })
    });
    printed.map_err(|kind| {
        // The command may have ended by itself, which is as good.
        let _ = child.kill();
        // Waiting takes the ended process off the system. If that fails too, the first failure is the one to tell.
        let _ = ended(&mut child, MERCY);
        failed(kind)
    })
}

/// Starts a command, and returns it with the pipe that gives what it prints.
fn start(command: &mut Command, streams: Streams) -> Result<(Child, PipeReader), FailureKind> {
    let (reader, writer) = io::pipe().map_err(FailureKind::System)?;
    let errors = match streams {
        Streams::Output => Stdio::null(),
        Streams::Both => writer.try_clone().map_err(FailureKind::System)?.into(),
    };
    let child = kill_with_parent(command).stdin(Stdio::null()).stdout(writer).stderr(errors).spawn();
    // Closes this side's ends of the pipe, so that the reader sees the child's close.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    Ok((child.map_err(FailureKind::NotStarted)?, reader))
}

/// Reads all that comes out of a pipe, as text. A thread reads it, and is left behind if the time is up: what
/// the command has started may hold the pipe for as long as it likes.
fn listen(reader: PipeReader, patience: Duration) -> Result<String, FailureKind> {
    let most = MOST_OUTPUT << 20;
    let (sender, receiver) = mpsc::channel();
    let read = move || {
        let mut bytes = Vec::new();
        // One byte more than permitted tells a command that prints too much from one that prints just enough.
        let read = reader.take(most + 1).read_to_end(&mut bytes);
        // Nobody listens any more if the time is up.
        let _ = sender.send(read.map(|_| bytes));
    };
    Builder::new().spawn(read).map_err(FailureKind::System)?;
    match receiver.recv_timeout(patience) {
        Ok(Ok(bytes)) if bytes.len() as u64 > most => Err(FailureKind::TooMuch),
        Ok(Ok(bytes)) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Ok(Err(error)) => Err(FailureKind::System(error)),
        Err(RecvTimeoutError::Timeout) => Err(FailureKind::Late(patience)),
        Err(RecvTimeoutError::Disconnected) => {
            Err(FailureKind::System(io::Error::other("the thread that reads it has ended")))
        }
    }
}

/// Waits for a command to end and returns how it did; `None` if it has not ended within `patience`.
fn ended(child: &mut Child, patience: Duration) -> Result<Option<ExitStatus>, FailureKind> {
    let started = Instant::now();
    let [mut pause, longest] = PAUSES;
    loop {
        if let Some(status) = child.try_wait().map_err(FailureKind::System)? {
            return Ok(Some(status));
        }
        if started.elapsed() >= patience {
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = longest.min(pause * 2);
    }
}

/// Has a command end, at once, with the thread that starts it, also where that thread is ended with SIGKILL.
/// Only Linux can do that. What the command has started itself is not told.
fn kill_with_parent(command: &mut Command) -> &mut Command {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;
        let suite = rustix::process::getpid();
        let tie = move || {
            rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
            // The suite may have ended before the signal was set.
            match rustix::process::getppid() == Some(suite) {
                true => Ok(()),
                false => Err(rustix::io::Errno::SRCH.into()),
            }
        };
        // SAFETY: between fork and exec `tie` makes two system calls, and allocates nothing.
        unsafe { command.pre_exec(tie) };
    }
    command
}
