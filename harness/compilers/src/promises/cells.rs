//! Compiles every row under every setting, for every target: each combination is a cell.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Result, bail};
use base::invocation;
use machines::functions::RunnableFunction;

use super::body::Body;
use crate::Compiler;
use crate::language::Language;
use crate::module::{CompileJob, Compiled, compile as compile_jobs};
use crate::program_verdict::function;
use crate::rows::{self, Promise, PromiseRow};
use crate::setting::Setting;
use ptx::contraction::contractions;

/// The selection of what compilers are asked for.
#[derive(Clone, Debug, Default)]
pub struct PromiseSelection {
    /// Patterns of which a row's name must match one; none means all rows.
    pub only: Vec<String>,
    /// Targets by the compiler's names; none means those of [`targets`].
    pub targets: Vec<String>,
    /// Words that each have to be true of a setting, such as `ftz` or `!prec-div`.
    pub settings: Vec<String>,
}

/// A row under a setting, for a target.
#[derive(Clone, Debug)]
pub struct PromiseCell {
    /// The row.
    pub row: &'static PromiseRow,
    /// The promise of the row under the setting.
    pub promise: Promise,
    /// The target.
    pub target: String,
    /// The setting, which decides the compiler's options.
    pub setting: Setting,
    /// The outcome of compiling the row.
    pub compilation: Compilation,
}

/// The outcome of compiling a cell.
#[derive(Clone, Debug)]
pub enum Compilation {
    /// A function that can be executed, its body, and what an assembler may make of it by contraction, which has to be
    /// right as well.
    Function(Arc<RunnableFunction>, Arc<Body>, Arc<[Contracted]>),
    /// The compiler does not take the row, in its words.
    Refused(String),
    /// The compiler died of the row: how, in words.
    Died(String),
    /// The names of what is not executed in the compiled function.
    Unexecuted(Vec<String>),
}

/// A function in which a product and a sum were fused, with its body.
pub type Contracted = (Arc<RunnableFunction>, Arc<Body>);

impl PromiseSelection {
    /// Returns the selected rows that a language has.
    pub fn rows(&self, language: Language) -> Vec<&'static PromiseRow> {
        rows::matching(&self.only).filter(|row| row.is_in(language)).collect()
    }

    /// Returns a job for each target and setting that is selected: each has all of the rows.
    ///
    /// # Errors
    /// If no setting of the language is selected.
    pub fn jobs<'a>(
        &self,
        language: Language,
        rows: &[&'a PromiseRow],
    ) -> Result<Vec<CompileJob<'a, PromiseRow>>> {
        let settings = Setting::matching(Setting::all(language), &self.settings)?;
        let targets = if self.targets.is_empty() { targets(language) } else { self.targets.clone() };
        let job = |(target, setting): (&String, Setting)| CompileJob {
            functions: rows.to_vec(),
            target: target.clone(),
            setting,
        };
        let places = |target| settings.iter().map(move |&setting| (target, setting));
        Ok(targets.iter().flat_map(places).map(job).collect())
    }

    /// Returns sentences that say what the selection is reduced to; none if it is everything.
    pub fn reductions(&self) -> Vec<String> {
        let parts = [
            ("rows that match", &self.only, " or "),
            ("settings with", &self.settings, " and "),
            ("the targets", &self.targets, ", "),
        ];
        let parts = parts.into_iter().filter(|(_, words, _)| !words.is_empty());
        parts.map(|(what, words, between)| format!("Only {what} {}.", words.join(between))).collect()
    }
}

impl Compilation {
    /// Returns the outcome for a compiled function by itself.
    pub fn of(compiled: Compiled) -> Compilation {
        Functions::default().of(compiled)
    }
}

/// Returns the targets that are asked for where none is named: the oldest, the newest of a compiler's first part, and
/// the first of its second.
pub fn targets(language: Language) -> Vec<String> {
    let names: &[&str] = match language {
        Language::Cuda | Language::Nvvm => &["compute_75", "compute_90", "compute_100"],
        Language::Llvm => &["sm_75", "sm_80", "sm_90", "sm_100"],
    };
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Returns the language of a compiler that rows are written in.
///
/// # Errors
/// If the compiler has none of the languages that rows are written in.
pub fn language(compiler: &Compiler) -> Result<Language> {
    let own = &compiler.introduction().languages;
    let known =
        Language::ALL.into_iter().find(|language| own.iter().any(|name| name == language.name()));
    match known {
        Some(language) => Ok(language),
        None => bail!(
            "{} compiles {}, but the rows are written in {}",
            compiler.name(),
            own.join(" and "),
            Language::ALL.map(Language::name).join(", ")
        ),
    }
}

/// Whether a compiler has one of the rows and one of the settings that are to be asked.
///
/// # Errors
/// If rows are not written in a language of the compiler.
pub fn is_asked(compiler: &Compiler, options: &PromiseSelection) -> Result<bool> {
    let language = language(compiler)?;
    let has_row = !options.rows(language).is_empty();
    Ok(has_row && Setting::matching(Setting::all(language), &options.settings).is_ok())
}

/// Compiles all cells that the options select.
///
/// # Errors
/// If nothing is selected, or the compiler breaks its protocol.
pub fn compile(compiler: &Compiler, options: &PromiseSelection) -> Result<Vec<PromiseCell>> {
    let (language, rows) = selected_rows(compiler, options)?;
    compile_rows(compiler, language, &rows, options)
}

/// Returns the language of a compiler, and the rows in it that the options select.
///
/// # Errors
/// If nothing is selected, or the compiler has no language of rows.
pub fn selected_rows(
    compiler: &Compiler,
    options: &PromiseSelection,
) -> Result<(Language, Vec<&'static PromiseRow>)> {
    let language = language(compiler)?;
    let rows = options.rows(language);
    if rows.is_empty() {
        bail!(
            "--only selects no row of {}: `{}` prints all rows",
            compiler.name(),
            invocation::line("compilers list")
        );
    }
    Ok((language, rows))
}

/// Compiles rows for the targets and under the settings that the options select. A setting under which a row promises
/// nothing has no cell.
///
/// # Errors
/// If no setting is selected, or the compiler breaks its protocol.
pub fn compile_rows(
    compiler: &Compiler,
    language: Language,
    rows: &[&'static PromiseRow],
    options: &PromiseSelection,
) -> Result<Vec<PromiseCell>> {
    let jobs = options.jobs(language, rows)?;
    let all = compile_jobs(compiler, language, &jobs)?;
    let mut functions = Functions::default();
    let mut cells = Vec::new();
    for (job, compiled) in jobs.iter().zip(all) {
        for (&row, compiled) in rows.iter().zip(compiled) {
            let Some(promise) = row.promise(language, job.setting) else { continue };
            let compilation = match functions.of(compiled) {
                // A compiler that is asked for an instruction which the target does not have may refuse as it likes.
                Compilation::Died(words) if !promise.is_on(&job.target) => Compilation::Refused(words),
                compilation => compilation,
            };
            let (target, setting) = (job.target.clone(), job.setting);
            cells.push(PromiseCell { row, promise, target, setting, compilation });
        }
    }
    Ok(cells)
}

/// Functions by the texts of their bodies: many cells have the same body.
#[derive(Default)]
struct Functions(BTreeMap<String, ContractedFunction>);

/// A function, its body, and what an assembler may make of it by contraction.
type ContractedFunction = (Arc<RunnableFunction>, Arc<Body>, Arc<[Contracted]>);

impl Functions {
    /// Returns the outcome for a compiled function. Functions of equal bodies are one.
    fn of(&mut self, compiled: Compiled) -> Compilation {
        let (ptx, name) = match compiled {
            Compiled::Ptx(ptx, name) => (ptx, name),
            Compiled::Refused(words) => return Compilation::Refused(words),
            Compiled::Died(words) => return Compilation::Died(words),
        };
        let unread = |words: String| Compilation::Unexecuted(vec![words]);
        let module = match &ptx.tree {
            Ok(module) => module,
            Err(error) => return unread(format!("the module cannot be read: {error}")),
        };
        let Some(body) = Body::of(module, &name) else {
            return unread("the module lacks the function".into());
        };
        let known = match self.0.get(body.text()) {
            Some(known) => Ok(known.clone()),
            None => function(&ptx, &name).and_then(|function| {
                let modules = contractions(&body.module, &name).map_err(|many| vec![many])?;
                let contracted = modules.into_iter().filter_map(|module| {
                    let function = RunnableFunction::of(&module, &name).ok()?;
                    Some((Arc::new(function), Arc::new(Body::of(&module, &name)?)))
                });
                let known = (Arc::new(function), Arc::new(body.clone()), contracted.collect());
                self.0.insert(body.text().to_owned(), known.clone());
                Ok(known)
            }),
        };
        match known {
            Ok((function, body, contracted)) => Compilation::Function(function, body, contracted),
            Err(names) => Compilation::Unexecuted(names),
        }
    }
}
