//! Compilers as clients: programs that turn a source into PTX for a target, under options, and speak the
//! protocol of `harness/protocol/compilers.md`. Those that come with the suite are in
//! `harness/third-party/python`; `cargo xtask setup` installs what they take.
//!
//! A [`Compiler`] is such a program, as one process for each thread. What a compiler makes of a request is an
//! [`Outcome`], be it that it crashes: that is for its client to survive. What the client itself does wrong is
//! an error, [`Broken`].

mod client;
mod contraction;
mod execute;
pub mod judged;
pub mod language;
pub mod machine;
mod message;
pub mod module;
pub mod program;
pub mod promises;
pub mod replay;
pub mod report;
pub mod rows;
pub mod search;
pub mod setting;
mod together;
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
pub use message::{Introduction, Opt, Outcome, Request, Target};

/// How long an answer may take. A client allows 60 s for a compilation, and tries what a process of its did
/// not survive a second time.
const DEADLINE: Duration = Duration::from_secs(150);
/// How many requests a process is sent at a time, at most.
const AHEAD: usize = 64;

/// A client that did not do as the protocol says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Its name, as it was given.
    pub name: String,
    /// What it did.
    pub kind: FailureKind,
    /// The same in words, its own last.
    pub words: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Broken { name, words, .. } = self;
        write!(f, "the compiler `{name}` broke the protocol of harness/protocol/compilers.md: {words}")
    }
}

impl std::error::Error for Broken {}

/// A compiler that answers.
pub struct Compiler {
    name: String,
    /// The command and its arguments.
    words: Vec<String>,
    limits: Limits,
    jobs: usize,
    introduction: Introduction,
    /// Processes that wait for requests.
    idle: Mutex<Vec<Client>>,
}

/// Whether a name has a command in it, `exec:COMMAND`.
fn is_command(name: &str) -> bool {
    name.split([':', ',']).next() == Some("exec")
}

impl Compiler {
    /// The compiler that a name like `nvrtc`, `nvvm@12.9.86`, `exec:COMMAND` or `exec,deadline=60:COMMAND`
    /// means, of which at most `jobs` processes run at once.
    ///
    /// # Errors
    /// If there is none of this name, if it is not set up, or if it does not start and introduce itself.
    pub fn connect(name: &str, jobs: usize) -> Result<Compiler> {
        let limits = Limits { deadline: DEADLINE, ..Limits::default() };
        let (limits, words) = match is_command(name) {
            true => {
                let (limits, command) = options(name, limits)?;
                (limits, words(command)?)
            }
            false => match compilers::find(name)? {
                Some(known) => (limits, known.command()?),
                None => bail!("there is no compiler `{name}`: {}, exec:COMMAND", compilers::names()),
            },
        };
        if limits.vectors.is_some() {
            bail!("`{name}` is no compiler: `vectors` is an option of implementations");
        }
        let (client, introduction) = Client::start(name, &words, &limits)?;
        let idle = Mutex::new(vec![client]);
        Ok(Compiler { name: name.into(), words, limits, jobs, introduction, idle })
    }

    /// The name that it was connected by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name and version of what compiles for a target: a library may have two compilers.
    pub fn compiles_for(&self, target: &str) -> Option<&str> {
        let targets = &self.introduction.targets;
        targets.iter().find(|of| of.name == target).map(|of| &*of.compiler)
    }

    /// What it says of itself.
    pub fn introduction(&self) -> &Introduction {
        &self.introduction
    }

    /// What becomes of each request, in their order.
    ///
    /// # Errors
    /// If a process of it cannot be started, or is [`Broken`]; and [`Interrupted`].
    pub fn compile(&self, requests: &[Request]) -> Result<Vec<Outcome>> {
        // Small parts where there are few requests, so that all processes have some.
        let part = requests.len().div_ceil(4 * self.jobs.max(1)).clamp(1, AHEAD);
        let parts: Vec<&[Request]> = requests.chunks(part).collect();
        let pool = Pool::new(self.jobs).until(interrupt::flag());
        let outcomes = pool.map(&parts, |requests| self.compile_part(requests)).all()?;
        Ok(outcomes.concat())
    }

    /// Has some requests compiled by a process that waits, or a new one, which waits again afterwards.
    fn compile_part(&self, requests: &[Request]) -> Result<Vec<Outcome>> {
        let waiting = self.idle().pop();
        let mut client = match waiting {
            Some(client) => client,
            None => Client::start(&self.name, &self.words, &self.limits)?.0,
        };
        let outcomes = client.compile(requests, &self.limits)?;
        self.idle().push(client);
        Ok(outcomes)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Client>> {
        lock(&self.idle)
    }
}
