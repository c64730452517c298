//! Commands of others that the suite waits for, such as an assembler: they do not outlive it either.

use std::process::Command;

/// Has a command end, at once, with the thread that starts it, which is to wait for it: also where that is
/// ended with SIGKILL. Only Linux can do that; what the command has started itself is not told.
pub fn tied(command: &mut Command) -> &mut Command {
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
