//! Shared libraries that export what `harness/protocol/ptx_conformance.h` declares. Each worker loads
//! the library in a process of its own, so that one that crashes does not take the run with it.

mod abi;
mod in_process;
pub(super) mod messages;
mod serve;

use std::path::Path;

use anyhow::{Context, Result};

use super::process::{Limits, Process, options};

pub(super) use abi::{function, open, text};
pub use in_process::InProcess;
pub use serve::{ServingSide, converse, serve};

/// Command of this binary that loads a library and speaks for it.
pub const SERVE: &str = "serve-library";

/// Starts the implementation that `lib:PATH` or `lib,deadline=60:PATH` names.
///
/// # Errors
/// If the name is written otherwise, or if the library cannot be loaded, lacks a function, or was made for
/// another version of the interface.
pub fn named(name: &str) -> Result<Process> {
    let (limits, path) = options(name, Limits::default())?;
    start_named(name, Path::new(path), limits)
}

/// Loads the library that `lib:PATH` names into this process.
///
/// # Errors
/// If the name is written otherwise, or as [`named`].
pub fn in_process(name: &str) -> Result<InProcess> {
    let path = name.strip_prefix("lib:").with_context(|| {
        format!("`{name}` cannot be loaded into this process: write lib:PATH, without options")
    })?;
    InProcess::load(name, Path::new(&absolute(Path::new(path))?))
}

/// Starts an implementation of another name that a library computes.
///
/// # Errors
/// If the library cannot be loaded, lacks a function, or was made for another version.
pub fn start_named(name: &str, path: &Path, limits: Limits) -> Result<Process> {
    Process::start_named(name, served(&[&absolute(path)?])?, limits)
}

/// Returns the command of this binary that serves something, as words.
///
/// # Errors
/// If this binary does not find itself, or the path to it is not UTF-8.
pub(super) fn served(arguments: &[&str]) -> Result<Vec<String>> {
    let this = std::env::current_exe().context("the path of this program is not known")?;
    let this = this.to_str().with_context(|| format!("`{}` is not UTF-8", this.display()))?;
    Ok([this, SERVE].iter().chain(arguments).map(|&word| word.to_owned()).collect())
}

/// Returns the whole path of a library: a name without a directory would be looked for among the system's.
///
/// # Errors
/// If `path` is no path, or not UTF-8.
pub(super) fn absolute(path: &Path) -> Result<String> {
    let whole = std::path::absolute(path)
        .with_context(|| format!("`{}` is not a valid path", path.display()))?;
    let text = whole.to_str().with_context(|| format!("`{}` is not UTF-8", path.display()))?;
    Ok(text.to_owned())
}
