//! Machine code: promises about what ptxas makes of PTX, and tileiras of cuTile.
//!
//! Machine code cannot be executed, for nobody publishes what it does. So its rows are tables of names: which
//! operations stand there, with which modifiers, and what has to be refused. A row whose document says *may* has
//! several right answers, and the one that a compiler has chosen is counted and fails nothing.

mod code;
mod expected_code;
mod matrices;
mod ptx;
pub mod rows;
#[cfg(test)]
mod tests;
mod tile;

use anyhow::{Result, bail};
use base::invocation;
use implementations::bundled::compilers::Want;

use super::promises::PromiseSelection;
use code::{Operations, kernels};
use expected_code::ExpectedCode;
use rows::MachineRow;
pub use rows::Source;

use super::{CompileOutcome, CompileRequest, Compiler};

/// The largest number of kernels in a module: where one is refused, the whole module is compiled again in halves.
const MOST: usize = 64;

/// A row that is compiled for a target under options.
#[derive(Clone, Debug)]
pub struct MachineCell {
    /// The row.
    pub row: &'static MachineRow,
    /// The target.
    pub target: &'static str,
    /// The options, with blanks between them; empty if there are none.
    pub options: &'static str,
    /// The outcome of compiling the row's kernel.
    pub compilation: Compilation,
}

/// The outcome of compiling a kernel.
#[derive(Clone, Debug)]
pub enum Compilation {
    /// The operations of the kernel's machine code.
    Code(Operations),
    /// The compiler does not take the kernel, in its words.
    Refused(String),
    /// The compiler died of the kernel: how, in words.
    Died(String),
}

/// A verdict on whether a promise is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The promise is kept; of an open one, by the choice of this number.
    Kept(usize),
    /// Other operations than those that are due stand in the machine code.
    Selected,
    /// The kernel is taken where it has to be refused.
    Accepted,
    /// The kernel is refused where it has to be taken, or for another reason than it has to be.
    Refused,
    /// The compiler died.
    Died,
}

/// Returns the language that a compiler makes machine code of, if it does.
pub fn source(compiler: &Compiler) -> Option<Source> {
    let own = &compiler.introduction().languages;
    [Source::Ptx, Source::CuTile].into_iter().find(|source| own.iter().any(|name| name == source.name()))
}

/// Returns the rows of a language that the options select, each with a target and the compiler's options.
pub fn selected(
    source: Source,
    options: &PromiseSelection,
) -> Vec<(&'static MachineRow, &'static str, &'static str)> {
    let wanted = |target: &str, settings: &str| {
        let is_named = options.targets.is_empty() || options.targets.iter().any(|own| own == target);
        is_named && options.settings.iter().all(|word| settings.split(' ').any(|own| own == word))
    };
    let cells = |row: &'static MachineRow| {
        let settings = if row.options.is_empty() { &[""] } else { row.options };
        settings
            .iter()
            .flat_map(move |options| row.targets.iter().map(move |target| (row, *target, *options)))
    };
    let rows = rows::matching(&options.only).filter(|row| row.language == source);
    rows.flat_map(cells).filter(|(_, target, settings)| wanted(target, settings)).collect()
}

/// Compiles the selected rows of a language, each for all its selected targets and options.
///
/// # Errors
/// If nothing is selected, or the compiler breaks its protocol.
pub fn compile(
    compiler: &Compiler,
    source: Source,
    options: &PromiseSelection,
) -> Result<Vec<MachineCell>> {
    let mut asked = selected(source, options);
    if asked.is_empty() {
        bail!(
            "no row of machine code is selected: `{}` prints all rows",
            invocation::line("compilers list")
        );
    }
    // Rows of one target and list of options are neighbours, so that they may stand in one module.
    asked.sort_by_key(|(_, target, options)| (*target, *options));
    let requests: Vec<CompileRequest> = asked
        .iter()
        .enumerate()
        .map(|(at, (row, target, options))| CompileRequest {
            language: source.name().into(),
            source: row.kernel(&name(at), target),
            options: options.split_whitespace().map(str::to_owned).collect(),
            target: (*target).to_owned(),
            want: Want::Code,
        })
        .collect();
    // A module of cuTile has one kernel, which is always called `kernel`, so none of them are joined.
    let compilations = match source {
        Source::Ptx => compile_together(compiler, &requests)?,
        Source::CuTile => compiler.compile(&requests)?.into_iter().map(only_kernel).collect(),
    };
    let cells = asked.into_iter().zip(compilations);
    Ok(cells
        .map(|((row, target, options), compilation)| MachineCell { row, target, options, compilation })
        .collect())
}

/// Returns the name of a list of options in reports.
pub fn setting(options: &str) -> &str {
    if options.is_empty() { "default" } else { options }
}

/// Compiles a row again, for one of its targets and under one of its lists of options, which `name` names as reports
/// do.
///
/// # Errors
/// If the row has no such target or options, or the compiler breaks its protocol.
pub fn recompile(
    compiler: &Compiler,
    row: &'static MachineRow,
    target: &str,
    name: &str,
) -> Result<MachineCell> {
    let lists = if row.options.is_empty() { &[""] } else { row.options };
    let options = lists.iter().copied().find(|options| setting(options) == name);
    let target = row.targets.iter().copied().find(|own| *own == target);
    let (Some(options), Some(target)) = (options, target) else {
        bail!("the row {} does not have this target with these options", row.name);
    };
    let request = CompileRequest {
        language: row.language.name().into(),
        source: row.kernel("f", target),
        options: options.split_whitespace().map(str::to_owned).collect(),
        target: target.to_owned(),
        want: Want::Code,
    };
    let compilation = only_kernel(compiler.compile(&[request])?.remove(0));
    Ok(MachineCell { row, target, options, compilation })
}

/// Returns the name of the kernel of a request, which tells kernels of one module apart.
fn name(at: usize) -> String {
    format!("kernel_{at}")
}

/// Returns the outcome of the only kernel of a module.
fn only_kernel(outcome: CompileOutcome) -> Compilation {
    match outcome {
        CompileOutcome::Code(text) => Compilation::Code(
            kernels(&text).into_iter().flat_map(|(_, operations)| operations).collect(),
        ),
        outcome => failed(outcome),
    }
}

/// Compiles kernels, many in a module, and returns the outcome of each.
fn compile_together(compiler: &Compiler, requests: &[CompileRequest]) -> Result<Vec<Compilation>> {
    let mut all = Vec::new();
    for (part, outcome) in compiler.compile_together(requests, MOST)? {
        // A kernel that is refused is alone by now, because modules of several are compiled again in halves.
        let CompileOutcome::Code(text) = outcome else {
            all.extend(part.map(|_| failed(outcome.clone())));
            continue;
        };
        let kernels = kernels(&text);
        for at in part {
            let own = kernels.iter().find(|(kernel, _)| *kernel == name(at));
            all.push(match own {
                Some((_, operations)) => Compilation::Code(operations.clone()),
                None => Compilation::Died("its machine code does not contain the kernel".into()),
            });
        }
    }
    Ok(all)
}

/// Returns the outcome of a kernel that is not machine code.
fn failed(outcome: CompileOutcome) -> Compilation {
    match outcome {
        CompileOutcome::Died(words) => Compilation::Died(words),
        CompileOutcome::Refused(words) => Compilation::Refused(words),
        CompileOutcome::Ptx(_) | CompileOutcome::Code(_) => {
            Compilation::Died("it answered with something other than machine code".into())
        }
    }
}

impl MachineCell {
    /// Judges whether the promise is kept.
    pub fn verdict(&self) -> Verdict {
        match (&self.row.due, &self.compilation) {
            (_, Compilation::Died(_)) => Verdict::Died,
            (ExpectedCode::Refused(due), Compilation::Refused(words)) if words.contains(due) => {
                Verdict::Kept(0)
            }
            (_, Compilation::Refused(_)) => Verdict::Refused,
            (ExpectedCode::Refused(_), Compilation::Code(_)) => Verdict::Accepted,
            (due, Compilation::Code(operations)) => {
                due.choice(operations).map_or(Verdict::Selected, Verdict::Kept)
            }
        }
    }
}
