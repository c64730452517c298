//! Reasons why a file of the store is not used, in the words that a person reads.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::Path;

use anyhow::anyhow;
use reports::printable;

/// The reason why a file of the store is not used.
#[derive(Debug)]
pub enum StoreRefusal {
    /// There is no such file.
    Missing,
    /// The system does not give the file, or the file is larger than any of its kind.
    Unreadable(io::Error),
    /// The file is not what was written, or cannot have been: why, in a sentence without its end.
    Damaged(String),
    /// Another version of the suite wrote the file, in another form.
    OtherVersion {
        /// The form that the file has.
        found: u32,
        /// The form that this version of the suite reads.
        due: u32,
        /// The version of the suite that wrote the file, where the file says so.
        suite: Option<String>,
    },
    /// The file is as it was written, and has no form that is known: what the parser says.
    OtherForm(String),
    /// The file was written by the same build, for something else than what is being done.
    OfAnother {
        /// The job that is being done, like `run`.
        job: &'static str,
        /// The difference, in a sentence without its end.
        difference: String,
    },
}

/// The purpose for which a file was to be read, which decides what its reader can do instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Going on with what was broken off, as `--resume` asks.
    Resume,
    /// Putting the parts of a whole together.
    Merge,
}

impl StoreRefusal {
    /// Returns the whole sentence about the file at `path`, with what to do.
    pub fn to_error(&self, path: &Path, purpose: Purpose) -> anyhow::Error {
        let (shown, remedy) = (path.display(), self.remedy(purpose));
        let before = match (self, purpose) {
            (StoreRefusal::Missing, Purpose::Resume) => "there is nothing to resume: ",
            _ => "",
        };
        anyhow!("{before}{shown} {self}; {remedy}")
    }

    /// Returns what a person can do about the refusal, as the end of a sentence.
    fn remedy(&self, purpose: Purpose) -> &'static str {
        match (self, purpose) {
            (StoreRefusal::OtherVersion { .. } | StoreRefusal::OtherForm(_), Purpose::Resume) => {
                "resume with the build that wrote it, or run without --resume"
            }
            (StoreRefusal::OfAnother { .. }, Purpose::Resume) => {
                "give the same arguments, another --out, or run without --resume"
            }
            (_, Purpose::Resume) => "run without --resume",
            (StoreRefusal::OtherVersion { .. } | StoreRefusal::OtherForm(_), Purpose::Merge) => {
                "merge it with the build that wrote it"
            }
            (StoreRefusal::Missing, Purpose::Merge) => "name the directories of finished parts",
            (_, Purpose::Merge) => "run that part again",
        }
    }
}

/// Shows the words that are said of the file, to go on after its name or after "it".
impl Display for StoreRefusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            StoreRefusal::Missing => f.write_str("does not exist"),
            StoreRefusal::Unreadable(error) => write!(f, "could not be read: {error}"),
            StoreRefusal::Damaged(why) => write!(f, "is damaged: {}", printable(why)),
            StoreRefusal::OtherVersion { found, due, suite } => {
                f.write_str("was written by another version of the suite: ")?;
                if let Some(suite) = suite {
                    write!(f, "by {}, ", printable(suite))?;
                }
                let ours = env!("CARGO_PKG_VERSION");
                write!(f, "in form {found}, while this version, {ours}, reads form {due}")
            }
            StoreRefusal::OtherForm(error) => {
                write!(f, "is damaged or from another version ({})", printable(error))
            }
            StoreRefusal::OfAnother { job, difference } => {
                write!(f, "belongs to another {job}: {}", printable(difference))
            }
        }
    }
}

impl Error for StoreRefusal {}
