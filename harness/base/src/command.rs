//! Commands of others that the suite waits for, such as an assembler: each has a deadline, and none outlives the
//! suite. Programs that it speaks with are `implementations::process`'s.

#[cfg(all(test, unix))]
mod tests;

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io::{self, PipeReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// A command may print so many MiB.
const MOST_OUTPUT: u64 = 64;
/// Pauses between two looks at whether a command has ended: the first, which most need not wait for, and the longest.
const PAUSES: [Duration; 2] = [Duration::from_micros(100), Duration::from_millis(20)];
/// What the kernel has after a command was killed; one that it does not let go of is left alone.
const MERCY: Duration = Duration::from_secs(1);

/// What a command is listened to on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streams {
    /// Standard output; what goes to standard error is lost.
    Output,
    /// Standard output and standard error, in the order in which it is printed.
    Both,
}

/// How a command ended, and what it printed.
#[derive(Debug)]
pub struct Output {
    /// How it ended.
    pub status: ExitStatus,
    /// What it printed, with U+FFFD in the place of what is no UTF-8.
    pub text: String,
}

/// Why there is no output of a command: a sentence that names it.
#[derive(Debug)]
pub struct Failure {
    /// Its program, as it was given.
    program: String,
    /// What kept it from ending.
    pub kind: FailureKind,
}

/// What kept a command from ending.
#[derive(Debug)]
pub enum FailureKind {
    /// It did not start.
    NotStarted(io::Error),
    /// It, or what it started, went on past its deadline.
    Late(Duration),
    /// It printed more than any command may.
    TooMuch,
    /// The system gives no pipe or thread, or nothing more of it.
    System(io::Error),
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let program = &self.program;
        match &self.kind {
            FailureKind::NotStarted(error) => write!(f, "{program} cannot be started: {error}"),
            FailureKind::Late(deadline) => {
                write!(f, "{program} had not ended after {} seconds", deadline.as_secs_f64())
            }
            FailureKind::TooMuch => write!(f, "{program} printed more than {MOST_OUTPUT} MiB"),
            FailureKind::System(error) => write!(f, "{program} cannot be listened to: {error}"),
        }
    }
}

impl Error for Failure {}

/// Runs a command to its end, with nothing on its standard input. It is killed at its deadline, and where this thread
/// ends before it does.
///
/// # Errors
/// If it does not start or end in time, or prints too much.
pub fn output_within(
    command: &mut Command,
    streams: Streams,
    deadline: Duration,
) -> Result<Output, Failure> {
    let program = command.get_program().display().to_string();
    let failed = |kind| Failure { program, kind };
    let started = Instant::now();
    let (mut child, reader) = match start(command, streams) {
        Ok(started) => started,
        Err(kind) => return Err(failed(kind)),
    };
    let printed = listen(reader, deadline).and_then(|text| {
        let left = deadline.saturating_sub(started.elapsed());
        let status = ended(&mut child, left)?.ok_or(FailureKind::Late(deadline))?;
        Ok(Output { status, text })
    });
    printed.map_err(|kind| {
        // It may have ended by itself, which is as good.
        let _ = child.kill();
        let _ = ended(&mut child, MERCY);
        failed(kind)
    })
}

/// Starts a command; what it prints comes out of the pipe.
fn start(command: &mut Command, streams: Streams) -> Result<(Child, PipeReader), FailureKind> {
    let (reader, writer) = io::pipe().map_err(FailureKind::System)?;
    let errors = match streams {
        Streams::Output => Stdio::null(),
        Streams::Both => writer.try_clone().map_err(FailureKind::System)?.into(),
    };
    let child = tied(command).stdin(Stdio::null()).stdout(writer).stderr(errors).spawn();
    // Closes this side's ends of the pipe, so that the reader sees the child's close.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    Ok((child.map_err(FailureKind::NotStarted)?, reader))
}

/// All that comes out of a pipe. It is read by a thread that is left behind if the time is up: what the command has
/// started may hold the pipe for as long as it likes.
fn listen(reader: PipeReader, patience: Duration) -> Result<String, FailureKind> {
    let most = MOST_OUTPUT << 20;
    let (sender, receiver) = mpsc::channel();
    let read = move || {
        let mut bytes = Vec::new();
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
            Err(FailureKind::System(io::Error::other("its reader is gone")))
        }
    }
}

/// How a command ended, if it has within some time.
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

/// Has a command end, at once, with the thread that starts it: also where that is ended with SIGKILL. Only Linux can do
/// that; what the command has started itself is not told.
fn tied(command: &mut Command) -> &mut Command {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;
        let suite = rustix::process::getpid();
        let tie = move || {
            rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
            // It may have ended before that.
            match rustix::process::getppid() == Some(suite) {
                true => Ok(()),
                false => Err(rustix::io::Errno::SRCH.into()),
            }
        };
        // SAFETY: between fork and exec it makes two system calls, and allocates nothing.
        unsafe { command.pre_exec(tie) };
    }
    command
}
