//! Shared libraries that export what `harness/protocol/ptx_conformance.h` declares. Each worker loads
//! the library in a process of its own, so that one that crashes does not take the run with it.

mod abi;
mod serve;

use std::path::Path;

use anyhow::{Context, Result};

use super::process::{Limits, Process, options};

pub(super) use abi::{function, open, text};
pub use serve::{Side, converse, serve};
pub(super) use serve::{answers, columns, questions};

/// The command of this binary that loads a library and speaks for it.
pub const SERVE: &str = "serve-library";

/// The implementation that `lib:PATH` or `lib,deadline=60:PATH` names.
///
/// # Errors
/// If it is written otherwise, or if the library cannot be loaded, lacks a function, or was made for
/// another version of the interface.
pub fn named(name: &str) -> Result<Process> {
    let (limits, path) = options(name, Limits::default())?;
    behind(name, Path::new(path), limits)
}

/// An implementation of another name that a library computes.
///
/// # Errors
/// If the library cannot be loaded, lacks a function, or was made for another version.
pub fn behind(name: &str, path: &Path, limits: Limits) -> Result<Process> {
    // A name without a directory would be looked for among the system's libraries.
    let path = std::path::absolute(path).with_context(|| format!("`{}` is no path", path.display()))?;
    let this = std::env::current_exe().context("this program does not find itself")?;
    let text = |path: &Path| {
        let text = path.to_str().with_context(|| format!("`{}` is not UTF-8", path.display()))?;
        Ok::<String, anyhow::Error>(text.to_owned())
    };
    Process::behind(name, vec![text(&this)?, SERVE.into(), text(&path)?], limits)
}
