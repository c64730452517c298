#![doc = include_str!("../README.md")]
//!
//! ## How it is made
//!
//! Connects to compilers: client programs that turn a source into PTX for a target, under options, and speak the
//! protocol of `harness/protocol/compilers.md`. Those that come with the suite are in `harness/third-party/python`;
//! `cargo xtask setup` installs what they need.
//!
//! A [`Compiler`] runs such a program as one process for each thread. Its answer to a request is an [`CompileOutcome`],
//! even where the compiler crashes: the client has to survive that. What the client itself does wrong is an error,
//! [`BrokenProtocol`].

mod batching;
mod client;
mod execute;
pub mod language;
pub mod machine;
mod message;
pub mod module;
pub mod program;
pub mod program_verdict;
pub mod promises;
pub mod replay;
pub mod report;
pub mod rows;
pub mod search;
pub mod setting;
pub mod unit;

use std::fmt;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use anyhow::{Result, bail};
use base::interrupt;
use base::locks::lock;
use base::pool::Pool;
use implementations::FailureKind;
use implementations::bundled::compilers;
use implementations::process::{Limits, options, words};

use client::Client;
pub use message::{CompileOutcome, CompileRequest, CompilerTarget, Introduction, Opt};

/// The time that an answer may take. A client allows 60 s for a compilation, and tries for a second time what one of
/// its processes did not survive.
const DEADLINE: Duration = Duration::from_secs(150);
/// The largest number of requests that are sent to a process at a time.
const AHEAD: usize = 64;

/// The error of a client that broke the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenProtocol {
    /// The compiler's name, as the caller gave it.
    pub name: String,
    /// The kind of failure.
    pub kind: FailureKind,
    /// The failure in words; the client's own words come last.
    pub words: String,
}

impl fmt::Display for BrokenProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BrokenProtocol { name, words, .. } = self;
        write!(f, "the compiler `{name}` broke the protocol of harness/protocol/compilers.md: {words}")
    }
}

impl std::error::Error for BrokenProtocol {}

/// A compiler whose client has introduced itself and answers requests.
pub struct Compiler {
    name: String,
    /// The command and its arguments.
    words: Vec<String>,
    limits: Limits,
    jobs: usize,
    introduction: Introduction,
    /// The processes that wait for requests.
    idle: Mutex<Vec<Client>>,
}

/// Whether a compiler's name has a command in it, as `exec:COMMAND` does.
fn is_command(name: &str) -> bool {
    name.split([':', ',']).next() == Some("exec")
}

impl Compiler {
    /// Connects to the compiler that a name like `nvrtc`, `nvvm@12.9.86`, `exec:COMMAND` or `exec,deadline=60:COMMAND`
    /// means. At most `jobs` of its processes run at once.
    ///
    /// # Errors
    /// If there is no compiler of this name, if it is not set up, or if it does not start and introduce itself.
    pub fn connect(name: &str, jobs: usize) -> Result<Compiler> {
        let limits = Limits { deadline: DEADLINE, ..Limits::default() };
        let (limits, words) = match is_command(name) {
            true => {
                let (limits, command) = options(name, limits)?;
                (limits, words(command)?)
            }
            false => match compilers::find(name)? {
                Some(known) => (limits, known.command()?),
                None => bail!(
                    "unknown compiler `{name}`; --compiler takes {}, exec:COMMAND",
                    compilers::names()
                ),
            },
        };
        if limits.vectors.is_some() {
            bail!("`{name}`: `vectors` is an option of implementations, not of compilers");
        }
        let (client, introduction) = Client::start(name, &words, &limits)?;
        let idle = Mutex::new(vec![client]);
        Ok(Compiler { name: name.into(), words, limits, jobs, introduction, idle })
    }

    /// Returns the name that the compiler was connected by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name and version of the compiler that serves a target, since a library may have two compilers;
    /// `None` if the client's introduction lacks the target.
    pub fn compiles_for(&self, target: &str) -> Option<&str> {
        let targets = &self.introduction.targets;
        targets.iter().find(|of| of.name == target).map(|of| &*of.compiler)
    }

    /// Returns what the client said of its compiler: name, version, languages, targets and options.
    pub fn introduction(&self) -> &Introduction {
        &self.introduction
    }

    /// Compiles requests, and returns the outcome of each, in their order.
    ///
    /// # Errors
    /// If a process of the compiler cannot be started, or is [`BrokenProtocol`]; and
    /// [`Interrupted`](base::interrupt::Interrupted).
    pub fn compile(&self, requests: &[CompileRequest]) -> Result<Vec<CompileOutcome>> {
        // Small parts where there are few requests, so that all processes have some.
        let part = requests.len().div_ceil(4 * self.jobs.max(1)).clamp(1, AHEAD);
        let parts: Vec<&[CompileRequest]> = requests.chunks(part).collect();
        let pool = Pool::new(self.jobs).stopped_by(interrupt::flag());
        let outcomes = pool.map(&parts, |requests| self.compile_part(requests)).all()?;
        Ok(outcomes.concat())
    }

    /// Has a process compile some requests: one that waits for requests, or else a new one. It waits again afterwards.
    fn compile_part(&self, requests: &[CompileRequest]) -> Result<Vec<CompileOutcome>> {
        // A statement of its own, so that the lock is free again while a process is started and asked.
        let waiting = self.idle().pop();
        let mut client = match waiting {
            Some(client) => client,
            None => Client::start(&self.name, &self.words, &self.limits)?.0,
        };
        // A client that fails is not put back, and ends where it is dropped.
        let outcomes = client.compile(requests, &self.limits)?;
        self.idle().push(client);
        Ok(outcomes)
    }

    /// Locks the list of processes that wait for requests.
    fn idle(&self) -> MutexGuard<'_, Vec<Client>> {
        lock(&self.idle)
    }
}
