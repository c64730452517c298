//! The suite's side of a supervisor: a process of this binary's between the suite and a program. Both hold
//! an end of a socket. The supervisor writes how the start went and how the program ended; the suite
//! writes nothing, and when its end is closed, because the suite wants that or is no more, everything that
//! the program has started is ended.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::net::Shutdown;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{self, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::time::Duration;

use base::locks::lock;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::failure::Ended;
use super::supervisor::{SUPERVISE, children, descendants};

/// Time that a supervisor may take to end all that it supervises, which takes it milliseconds. Where a program
/// has stopped the supervisor, or the machine is slow, the suite does it itself.
const SUPERVISOR: Duration = Duration::from_secs(1);
/// Time that a supervisor may take to start a program.
const FIRST_MESSAGE: Duration = Duration::from_secs(30);

/// Binary that supervises.
static BINARY: OnceLock<PathBuf> = OnceLock::new();

/// Process numbers of the supervisors that run.
static SUPERVISORS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Has every program from now on supervised by this binary, which knows the command [`SUPERVISE`]. Without a
/// supervisor, as in somebody else's binary, a program is only ended by a suite that ends in order.
pub fn supervise_by(binary: PathBuf) {
    // A program may end its supervisor: then this process is the next to adopt what is left behind.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    // A binary that was set before stays.
    let _ = BINARY.set(binary);
}

fn supervisors() -> MutexGuard<'static, BTreeSet<u32>> {
    lock(&SUPERVISORS)
}

/// The suite's knowledge of a supervisor and its program.
pub struct SupervisorGuard {
    channel: UnixStream,
    /// Process of the program itself.
    leader: Option<Pid>,
    ended: Option<Ended>,
    /// Whether the suite has ended the program.
    stopped: bool,
}

/// Outcome of starting a program under a supervisor.
pub enum Start {
    /// The program was started by a supervisor, which is the process.
    Guarded(process::Child, SupervisorGuard),
    /// The program is not started yet: there is no supervisor.
    Alone,
}

/// Encodes the first message of a supervisor: an error of the system's or 0, and the program's number.
pub fn first_message(error: i32, leader: i32) -> [u8; 8] {
    let (error, leader) = (error.to_ne_bytes(), leader.to_ne_bytes());
    std::array::from_fn(|at| if at < 4 { error[at] } else { leader[at - 4] })
}

impl SupervisorGuard {
    /// Starts a program under a supervisor, if there is one; `streams` sets what its streams are.
    ///
    /// # Errors
    /// If the program, or the supervisor, cannot be started.
    pub fn start<S: AsRef<OsStr>>(
        name: S,
        arguments: &[S],
        streams: impl FnOnce(&mut Command),
    ) -> io::Result<Start> {
        let Some(binary) = BINARY.get() else { return Ok(Start::Alone) };
        let (mut channel, theirs) = UnixStream::pair()?;
        let theirs_at = theirs.as_raw_fd();
        let mut command = Command::new(binary);
        command.args([SUPERVISE, &theirs_at.to_string()]).arg(name).args(arguments);
        streams(&mut command);
        // Ctrl-C is the suite's.
        command.process_group(0);
        let inherit = move || {
            // SAFETY: it is open until the command has been started.
            let theirs = unsafe { BorrowedFd::borrow_raw(theirs_at) };
            rustix::io::fcntl_setfd(theirs, rustix::io::FdFlags::empty())?;
            // When the suite is no more, a supervisor that was stopped has to go on. The system sees to that, but
            // not where the signal that stops it is still on its way: this one takes that back.
            #[cfg(target_os = "linux")]
            rustix::process::set_parent_process_death_signal(Some(Signal::CONT))?;
            Ok(())
        };
        // SAFETY: between fork and exec it makes two system calls, and allocates nothing. Not before, since
        // what other threads start at the same time would inherit it too.
        unsafe { command.pre_exec(inherit) };
        let mut process = {
            let mut supervisors = supervisors();
            let process = command.spawn()?;
            supervisors.insert(process.id());
            process
        };
        drop(theirs);
        // A program may stop or end its supervisor before that has said a word.
        channel.set_read_timeout(Some(FIRST_MESSAGE))?;
        let mut first = [0; 8];
        let read = channel.read_exact(&mut first);
        let number = |at: usize| i32::from_ne_bytes(std::array::from_fn(|byte| first[at + byte]));
        let error = match read {
            Ok(()) if number(0) == 0 => {
                let leader = Pid::from_raw(number(4));
                let guard = SupervisorGuard { channel, leader, ended: None, stopped: false };
                return Ok(Start::Guarded(process, guard));
            }
            Ok(()) => io::Error::from_raw_os_error(number(0)),
            Err(_) => {
                let supervisor = Pid::from_raw(process.id().cast_signed());
                supervisor.map(descendants).into_iter().flatten().for_each(end);
                let _ = process.kill();
                abandon(None);
                io::Error::other("its supervisor process has ended, or does not answer")
            }
        };
        let _ = process.wait();
        supervisors().remove(&process.id());
        Err(error)
    }

    /// Returns how the program ended, if it has, and its supervisor with it.
    pub fn ended(&mut self, supervisor: &mut process::Child) -> Option<Ended> {
        if self.ended.is_none() && !matches!(supervisor.try_wait(), Ok(None)) {
            self.ended = Some(self.last_message());
            supervisors().remove(&supervisor.id());
        }
        self.ended
    }

    /// Ends whatever the program has started; returns how the program ended, if it had.
    pub fn stop(&mut self, supervisor: &mut process::Child) -> Ended {
        self.stopped = true;
        // What ends by itself meanwhile need not be told to.
        let _ = self.channel.shutdown(Shutdown::Write);
        let ended = self.last_message();
        self.ended = Some(ended);
        if let (Ok(None), Some(process)) =
            (supervisor.try_wait(), Pid::from_raw(supervisor.id().cast_signed()))
        {
            // It has ended, or does not get to it.
            descendants(process).into_iter().for_each(end);
            let _ = supervisor.kill();
        }
        let _ = supervisor.wait();
        supervisors().remove(&supervisor.id());
        ended
    }

    /// Reads from the supervisor's last message how the program ended. If none comes, whatever can be found of
    /// the program is ended.
    fn last_message(&mut self) -> Ended {
        let mut status = [0; 4];
        let _ = self.channel.set_read_timeout(Some(SUPERVISOR));
        let told = self.channel.read_exact(&mut status).is_ok();
        if told {
            // Behind it, the supervisor ends all that is left, and then itself.
            let _ = self.channel.read(&mut [0]);
        } else {
            abandon(self.leader);
        }
        match told {
            _ if self.stopped => Ended::Stopped,
            true => Ended::By(ExitStatus::from_raw(i32::from_ne_bytes(status))),
            false => Ended::Unknown,
        }
    }
}

/// Ends a program whose supervisor does not, because the program has ended or stopped the supervisor. What
/// processes there are is searched for from outside.
fn abandon(leader: Option<Pid>) {
    if let Some(leader) = leader {
        let started = descendants(leader);
        let _ = kill_process_group(leader, Signal::KILL);
        end(leader);
        started.into_iter().for_each(end);
    }
    // While it is held, no process is started that is not among them.
    let supervisors = supervisors();
    let ours = |process: &Pid| supervisors.contains(&process.as_raw_nonzero().get().cast_unsigned());
    for adopted in children(rustix::process::getpid()).into_iter().filter(|process| !ours(process)) {
        descendants(adopted).into_iter().for_each(end);
        end(adopted);
        let _ = rustix::process::waitpid(Some(adopted), rustix::process::WaitOptions::empty());
    }
}

fn end(process: Pid) {
    // What ends by itself meanwhile need not be ended.
    let _ = kill_process(process, Signal::KILL);
}
