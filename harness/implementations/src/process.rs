//! Implementations in processes of their own: any command that speaks one of the two dialects of
//! `harness/protocol/README.md`.

mod binary;
mod child;
mod deadline;
mod failure;
#[cfg(unix)]
mod guard;
pub(super) mod kernels;
mod lengths;
mod limits;
mod patience;
pub mod recorded;
mod start;
#[cfg(unix)]
mod supervisor;
mod text;
mod whole_failures;
mod worker;

use std::collections::BTreeSet;
use std::sync::{Mutex, OnceLock};

use anyhow::{Context, Result, anyhow};
use base::locks::lock;
use isa::Variant;
use isa::matrix::MatrixVariant;
use selection::subject::Subject;

use super::{Description, Implementation, Support, Worker};
pub(super) use patience::Patience;
use whole_failures::WholeFailures;
pub(super) use worker::ProcessWorker;

pub use child::{Child, quoted};
pub use deadline::Deadline;
pub use failure::{Ended, Failure};
#[cfg(unix)]
pub use guard::supervise_by;
pub use limits::{Limits, options};
pub(super) use start::run;
#[cfg(unix)]
pub use supervisor::{SUPERVISE, supervise};

/// Number of questions in a row that a command may fail to answer before it is asked no more.
const STRIKES: usize = 3;

/// A command, and how the suite speaks to it.
pub(super) struct ChildProgram {
    /// Words of the command: its name and its arguments.
    pub words: Vec<String>,
    dialect: Dialect,
    pub limits: Limits,
    /// Reason why nothing more is asked of the command, once that is so.
    given_up: OnceLock<String>,
    /// Batches that failed as a whole, on all of the suite's threads.
    whole_failures: Mutex<WholeFailures>,
}

/// Dialect in which the suite speaks to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// A single process, which exchanges frames of bytes.
    Binary,
    /// A process for each batch, with a line of text for each vector.
    Text,
    /// A single process, which takes texts of kernels and exchanges frames of bytes.
    Kernels(kernels::Head),
}

/// A command as an implementation.
pub struct Process {
    name: String,
    program: ChildProgram,
    version: String,
    has: Has,
}

/// Way in which it is known which variants a command has.
enum Has {
    /// A child is asked about each variant.
    Asked(Box<Mutex<Questions>>),
    /// The command has listed its variants.
    Listed(BTreeSet<String>),
}

/// Child that is asked which variants a command has, and how often the last answers failed to come.
struct Questions {
    child: Option<Child>,
    strikes: usize,
    patience: Patience,
}

impl Process {
    /// Starts the implementation that `exec:COMMAND`, `text:COMMAND` or `exec,deadline=60:COMMAND` names.
    ///
    /// # Errors
    /// If the name is written otherwise, or if the command does not start or does not introduce itself.
    pub fn named(name: &str) -> Result<Process> {
        let (limits, command) = options(name, Limits::default())?;
        let words = words(command)?;
        let dialect = if name.starts_with("text") { Dialect::Text } else { Dialect::Binary };
        Process::new(name, ChildProgram::new(words, dialect, limits))
    }

    /// Starts an implementation of another name whose work a command does, in frames of bytes.
    ///
    /// # Errors
    /// If the command does not start or does not introduce itself.
    pub fn start_named(name: &str, words: Vec<String>, limits: Limits) -> Result<Process> {
        Process::new(name, ChildProgram::new(words, Dialect::Binary, limits))
    }

    /// Starts a command, and learns its version and which variants it has.
    fn new(name: &str, program: ChildProgram) -> Result<Process> {
        let mut child = program.start()?;
        let refused = |child: &mut Child, failure: Failure| {
            let failure = explained(child, failure);
            anyhow!(
                "`{name}` cannot be used: {failure} (harness/protocol/README.md describes the answers)"
            )
        };
        let (version, has) = match program.dialect {
            Dialect::Binary | Dialect::Kernels(_) => {
                let version = program.introduce(&mut child);
                let version = version.map_err(|failure| refused(&mut child, failure))?;
                let questions =
                    Questions { child: Some(child), strikes: 0, patience: Patience::default() };
                (version, Has::Asked(Box::new(Mutex::new(questions))))
            }
            Dialect::Text => {
                let variants = text::list(&mut child, &mut program.limits.start_deadline());
                let variants = variants.map_err(|failure| refused(&mut child, failure))?;
                for variant in &variants {
                    let legal = Subject::named(variant).map(drop);
                    legal.with_context(|| format!("`{name}` lists a variant that does not exist"))?;
                }
                // This dialect has no greeting in which a program could state its version.
                ("not stated".into(), Has::Listed(variants))
            }
        };
        Ok(Process { name: name.into(), program, version, has })
    }
}

/// Splits a command into its words, as a shell does.
pub fn words(command: &str) -> Result<Vec<String>> {
    let words = shlex::split(command).filter(|words| !words.is_empty());
    words.with_context(|| format!("`{command}` is not a command line: is a quotation mark missing?"))
}

/// Ends a child, and returns its failure with the child's last words added.
pub fn explained(child: &mut Child, failure: Failure) -> Failure {
    child.kill();
    failure.with_last_words(&child.words())
}

impl ChildProgram {
    pub fn new(words: Vec<String>, dialect: Dialect, limits: Limits) -> ChildProgram {
        ChildProgram {
            words,
            dialect,
            limits,
            given_up: OnceLock::new(),
            whole_failures: Mutex::default(),
        }
    }

    /// Has a child that is spoken to in frames introduce itself, and returns its name and version.
    pub fn introduce(&self, child: &mut Child) -> Result<String, Failure> {
        let version = match self.dialect {
            Dialect::Kernels(_) => kernels::VERSION,
            Dialect::Binary | Dialect::Text => binary::VERSION,
        };
        binary::introduce(child, version, &mut self.limits.start_deadline())
    }

    /// Starts a child that waits for its first message.
    pub fn start(&self) -> Result<Child> {
        let words = self.words.iter().map(String::as_str);
        match self.dialect {
            Dialect::Binary | Dialect::Kernels(_) => Child::start(words),
            Dialect::Text => Child::start(words.chain([text::LIST])),
        }
    }

    /// Starts a child that waits for a batch of a variant.
    pub fn start_for(&self, variant: &str) -> Result<Result<Child, Failure>> {
        if self.dialect == Dialect::Text {
            let words = self.words.iter().map(String::as_str);
            return Child::start(words.chain([variant])).map(Ok);
        }
        let mut child = self.start()?;
        Ok(match self.introduce(&mut child) {
            Ok(_) => Ok(child),
            Err(failure) => {
                let Failure { kind, words, .. } = explained(&mut child, failure);
                Err(Failure { kind, words: format!("at its start, {words}"), at_start: true })
            }
        })
    }

    /// Asks a child whether it has a variant; the inner error is the child's reason why not.
    fn ask(&self, questions: &mut Questions, variant: &str) -> Result<Result<(), String>, Failure> {
        let unable = |error: anyhow::Error| Failure::crashed(format!("{error:#}"));
        // A child that fails is not put back, and the next question starts another.
        let mut child = match questions.child.take() {
            Some(child) => child,
            None => self.start_for(variant).map_err(unable)??,
        };
        let answer = binary::support(&mut child, variant, &mut self.limits.answer_deadline())
            .map_err(|failure| explained(&mut child, failure))?;
        questions.child = Some(child);
        Ok(answer)
    }
}

impl Implementation for Process {
    fn describe(&self) -> Description {
        Description { name: self.name.clone(), version: self.version.clone(), ..Description::default() }
    }

    fn support(&self, variant: &Variant) -> Support {
        self.support_named(variant.text())
    }

    fn support_matrix(&self, variant: &MatrixVariant) -> Support {
        self.support_named(variant.text())
    }

    fn vectors_max(&self) -> Option<u64> {
        self.program.limits.vectors
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>> {
        Ok(Box::new(ProcessWorker::new(&self.program)))
    }
}

impl Process {
    /// Returns whether the command has the variant of this name.
    fn support_named(&self, variant: &str) -> Support {
        let questions = match &self.has {
            Has::Listed(variants) if variants.contains(variant) => return Support::Yes,
            Has::Listed(_) => return Support::No("the command does not list it".into()),
            Has::Asked(questions) => questions,
        };
        let mut questions = lock(questions);
        if questions.strikes >= STRIKES {
            return Support::Fails(format!(
                "not asked: {STRIKES} questions before this one ended or hung the program"
            ));
        }
        if let Some(exhausted) = questions.patience.exhausted(&self.program.limits) {
            return Support::Fails(format!("not asked: {exhausted}"));
        }
        match self.program.ask(&mut questions, variant) {
            Ok(answer) => {
                questions.strikes = 0;
                questions.patience.answered();
                answer.map_or_else(Support::No, |()| Support::Yes)
            }
            Err(failure) => {
                questions.strikes += 1;
                questions.patience.lose(self.program.limits.lost(&failure));
                Support::Fails(format!("when asked whether it has the variant: {failure}"))
            }
        }
    }
}
