//! A supervisor: starts one program, and ends with it whatever the program has started, in groups and
//! sessions of its own or not, when it ends or when the suite does, however that ends.
//!
//! On Linux the supervisor adopts what its descendants leave behind (`PR_SET_CHILD_SUBREAPER`), so that none of
//! them gets out of its sight, and is done when it has no child left. Elsewhere it ends the program's group; what
//! has left that group lives on.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::fd::{BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, kill_process_group};

use super::guard::first_message;

/// Command of the suite's binary that runs it as a supervisor.
pub const SUPERVISE: &str = "supervise";

/// Time for which ending what is left is tried: a process may be beyond reach, another user's, or the kernel's.
const SWEEP: Duration = Duration::from_secs(10);

/// Runs a program until it ends, or until the other end of a socket is closed. This process has inherited the
/// socket by the number `channel`.
///
/// # Errors
/// If there is no such socket. What else goes wrong is written to the socket.
pub fn supervise(channel: RawFd, words: &[OsString]) -> Result<()> {
    ensure!(channel >= 0, "a supervisor is started by the suite, with a socket");
    // SAFETY: it is no negative number, and nothing is done with it but to ask whether it is open.
    let open = rustix::io::fcntl_getfd(unsafe { BorrowedFd::borrow_raw(channel) });
    open.context("a supervisor is started by the suite, with a socket")?;
    // SAFETY: it is open, and the suite has left it to this process.
    let mut channel = UnixStream::from(unsafe { OwnedFd::from_raw_fd(channel) });
    // The program does not get it.
    rustix::io::fcntl_setfd(&channel, rustix::io::FdFlags::CLOEXEC)?;
    hear_of_ends();
    survive_signals();
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    let (name, arguments) = words.split_first().context("a command is missing")?;
    let watched = channel.try_clone()?;
    // In a group of its own: it may signal that without ending its supervisor.
    let started = Command::new(name).args(arguments).process_group(0).spawn();
    let leader = match started {
        Ok(started) => started.id().cast_signed(),
        Err(error) => {
            let error = error.raw_os_error().unwrap_or(rustix::io::Errno::INVAL.raw_os_error());
            return Ok(channel.write_all(&first_message(error, 0))?);
        }
    };
    let process = Pid::from_raw(leader).context("a process without a number")?;
    if let Err(error) = std::thread::Builder::new().spawn(move || watch(watched, process)) {
        kill_all(Some(process));
        return Err(error.into());
    }
    // From here on nothing may end this process before the program: the suite may be no more by now, and then it is
    // `watch` that ends what was started.
    let _ = close_streams();
    let _ = channel.write_all(&first_message(0, leader));
    let status = end_of(process)?;
    // The suite may be no more.
    let _ = channel.write_all(&status.to_ne_bytes());
    sweep();
    Ok(())
}

/// Waits until the suite closes its end of the socket, and then ends all that there is until this process ends
/// itself.
fn watch(mut channel: UnixStream, leader: Pid) {
    // The suite writes nothing: this is the end, or an error, which is as good.
    let _ = channel.read(&mut [0]);
    let start = Instant::now();
    while start.elapsed() < SWEEP {
        kill_all(Some(leader));
        std::thread::sleep(Duration::from_millis(2));
    }
    std::process::exit(1);
}

/// Ends everything that this process has started, and what that has started. Where `leader` has not been waited
/// for yet, it is ended with its group.
fn kill_all(leader: Option<Pid>) {
    if cfg!(not(target_os = "linux"))
        && let Some(leader) = leader
    {
        let _ = kill_process_group(leader, Signal::KILL);
    }
    // What ends by itself meanwhile need not be ended.
    let started = descendants(rustix::process::getpid());
    for process in started {
        let _ = kill_process(process, Signal::KILL);
    }
}

/// Waits for the end of the program, and for the ends of others that were adopted meanwhile. Returns the program's
/// status.
fn end_of(leader: Pid) -> Result<i32> {
    // Elsewhere the group is ended while the leader's number is still its own.
    #[cfg(not(target_os = "linux"))]
    {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let _ = waitid(WaitId::Pid(leader), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
        let _ = kill_process_group(leader, Signal::KILL);
    }
    loop {
        match rustix::process::wait(WaitOptions::empty())? {
            Some((process, status)) if process == leader => return Ok(status.as_raw()),
            _ => {}
        }
    }
}

/// Ends what the program has left behind, until there is no child any more.
fn sweep() {
    let start = Instant::now();
    while start.elapsed() < SWEEP {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Err(_) => return,
            Ok(Some(_)) => {}
            Ok(None) => {
                kill_all(None);
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

/// Returns the running descendants of a process, as far as the system tells.
pub fn descendants(of: Pid) -> Vec<Pid> {
    let parents = parents();
    let mut found = vec![of.as_raw_nonzero().get()];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        found.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(process, _)| process));
        next += 1;
    }
    found.into_iter().skip(1).filter_map(Pid::from_raw).collect()
}

/// Returns the children of a process, as far as the system tells.
pub fn children(of: Pid) -> Vec<Pid> {
    let parents = parents().into_iter().filter(|(_, parent)| *parent == of.as_raw_nonzero().get());
    parents.filter_map(|(process, _)| Pid::from_raw(process)).collect()
}

/// Returns each process with its parent, from `/proc`, where there is one.
fn parents() -> Vec<(i32, i32)> {
    let folders = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let parent = |name: OsString| {
        let process = name.to_str()?.parse().ok()?;
        let stat = std::fs::read(format!("/proc/{process}/stat")).ok()?;
        // Behind the name, which may hold anything: ` S 1 …`.
        let behind = stat.iter().rposition(|&byte| byte == b')')? + 1;
        let text = std::str::from_utf8(&stat[behind..]).ok()?;
        Some((process, text.split_ascii_whitespace().nth(1)?.parse().ok()?))
    };
    folders.filter_map(|folder| parent(folder.file_name())).collect()
}

/// Restores the default handling of SIGCHLD, which a parent may have undone that ignores the ends of children:
/// here they are needed.
fn hear_of_ends() {
    // SAFETY: the disposition is the default one, and no other thread runs yet.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
}

/// Keeps signals from ending this process. The program may send its parent what ends others; so does the system,
/// where the program has stopped this process and the suite is no more. Handlers, unlike what is ignored, are not
/// the program's too.
fn survive_signals() {
    extern "C" fn nothing(_: libc::c_int) {}
    for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM] {
        let handler: extern "C" fn(libc::c_int) = nothing;
        // SAFETY: the handler does nothing, and no other thread runs yet.
        let before = unsafe { libc::signal(signal, handler as libc::sighandler_t) };
        if before == libc::SIG_IGN {
            // SAFETY: as above.
            unsafe { libc::signal(signal, libc::SIG_IGN) };
        }
    }
}

/// Closes this process's copies of the program's streams. They are the program's own: who reads them is to see
/// the program close them.
fn close_streams() -> Result<()> {
    let nothing = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    Ok(rustix::stdio::dup2_stderr(&nothing)?)
}
