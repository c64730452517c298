//! Every row under every setting, for every target.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Result, bail};
use machines::functions::Function;

use super::body::Body;
use crate::Compiler;
use crate::contraction::contractions;
use crate::judged::function;
use crate::language::Language;
use crate::module::{Compiled, Job, compile as compile_jobs};
use crate::rows::{self, Promise, Row};
use crate::setting::Setting;

/// What is to be asked.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Patterns of which a row's name must match one; none means all rows.
    pub only: Vec<String>,
    /// The compiler's targets; none means those of [`targets`].
    pub targets: Vec<String>,
    /// Words of which a setting must have each: `ftz`, `!prec-div`.
    pub settings: Vec<String>,
}

/// A row under a setting, for a target.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The row.
    pub row: &'static Row,
    /// What it promises there.
    pub promise: Promise,
    /// The target.
    pub target: String,
    /// The options.
    pub setting: Setting,
    /// What became of it.
    pub compilation: Compilation,
}

/// What became of a cell.
#[derive(Clone, Debug)]
pub enum Compilation {
    /// A function that can be executed, and what an assembler may make of it, which has to be right as well.
    Function(Arc<Function>, Arc<Body>, Arc<[Contracted]>),
    /// The compiler does not take it, in its words.
    Refused(String),
    /// The compiler died of it.
    Died(String),
    /// What there is in it that is not executed.
    Unexecuted(Vec<String>),
}

/// A function of which a product and a sum were fused, with its body.
pub type Contracted = (Arc<Function>, Arc<Body>);

impl Options {
    /// The rows that a language has.
    fn rows(&self, language: Language) -> Vec<&'static Row> {
        rows::matching(&self.only).filter(|row| row.is_in(language)).collect()
    }

    /// Why it is less than all, in sentences.
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
    /// What became of a function alone.
    pub fn of(compiled: Compiled) -> Compilation {
        Functions::default().of(compiled)
    }
}

/// The targets that are asked for where none is named: the oldest, the newest of a compiler's first part, and the
/// first of its second.
pub fn targets(language: Language) -> Vec<String> {
    let names: &[&str] = match language {
        Language::Cuda | Language::Nvvm => &["compute_75", "compute_90", "compute_100"],
        Language::Llvm => &["sm_75", "sm_80", "sm_90", "sm_100"],
    };
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// The language of a compiler that rows are written in.
///
/// # Errors
/// If it has none of them.
pub fn language(compiler: &Compiler) -> Result<Language> {
    let own = &compiler.introduction().languages;
    let known =
        Language::ALL.into_iter().find(|language| own.iter().any(|name| name == language.name()));
    match known {
        Some(language) => Ok(language),
        None => bail!(
            "{} compiles {}, and rows are written in {}",
            compiler.name(),
            own.join(" and "),
            Language::ALL.map(Language::name).join(", ")
        ),
    }
}

/// Whether a compiler has one of the rows and one of the settings that are to be asked.
///
/// # Errors
/// If rows are not written in its language.
pub fn is_asked(compiler: &Compiler, options: &Options) -> Result<bool> {
    let language = language(compiler)?;
    let has_row = !options.rows(language).is_empty();
    Ok(has_row && Setting::matching(Setting::all(language), &options.settings).is_ok())
}

/// Has all cells compiled.
///
/// # Errors
/// If nothing is selected, or the compiler breaks its protocol.
pub fn compile(compiler: &Compiler, options: &Options) -> Result<Vec<Cell>> {
    let language = language(compiler)?;
    let rows = options.rows(language);
    if rows.is_empty() {
        bail!(
            "--only selects no row that {} has: `cargo xtask list --rows` prints all",
            compiler.name()
        );
    }
    let settings = Setting::matching(Setting::all(language), &options.settings)?;
    let targets = if options.targets.is_empty() { targets(language) } else { options.targets.clone() };
    let jobs: Vec<Job<Row>> = targets
        .iter()
        .flat_map(|target| {
            settings.iter().map(|&setting| Job {
                functions: rows.clone(),
                target: target.clone(),
                setting,
            })
        })
        .collect();
    let all = compile_jobs(compiler, language, &jobs)?;
    let mut functions = Functions::default();
    let mut cells = Vec::new();
    for (job, compiled) in jobs.iter().zip(all) {
        for (&row, compiled) in rows.iter().zip(compiled) {
            let Some(promise) = row.promise(language, job.setting) else { continue };
            let compilation = match functions.of(compiled) {
                // Who is asked for an instruction that the target does not have may refuse as it likes.
                Compilation::Died(words) if !promise.is_on(&job.target) => Compilation::Refused(words),
                compilation => compilation,
            };
            let (target, setting) = (job.target.clone(), job.setting);
            cells.push(Cell { row, promise, target, setting, compilation });
        }
    }
    Ok(cells)
}

/// Functions by their bodies: many cells have the same.
#[derive(Default)]
struct Functions(BTreeMap<String, Known>);

/// A function, its body, and what an assembler may make of it.
type Known = (Arc<Function>, Arc<Body>, Arc<[Contracted]>);

impl Functions {
    fn of(&mut self, compiled: Compiled) -> Compilation {
        let (ptx, name) = match compiled {
            Compiled::Ptx(ptx, name) => (ptx, name),
            Compiled::Refused(words) => return Compilation::Refused(words),
            Compiled::Died(words) => return Compilation::Died(words),
        };
        let unread = |words: String| Compilation::Unexecuted(vec![words]);
        let module = match &ptx.tree {
            Ok(module) => module,
            Err(error) => return unread(format!("a module that cannot be read: {error}")),
        };
        let Some(body) = Body::of(module, &name) else {
            return unread("a module without the function".into());
        };
        let known = match self.0.get(body.text()) {
            Some(known) => Ok(known.clone()),
            None => function(&ptx, &name).map(|function| {
                let contracted = contractions(&body.module, &name).into_iter().filter_map(|module| {
                    let function = Function::of(&module, &name).ok()?;
                    Some((Arc::new(function), Arc::new(Body::of(&module, &name)?)))
                });
                let known = (Arc::new(function), Arc::new(body.clone()), contracted.collect());
                self.0.insert(body.text().to_owned(), known.clone());
                known
            }),
        };
        match known {
            Ok((function, body, contracted)) => Compilation::Function(function, body, contracted),
            Err(names) => Compilation::Unexecuted(names),
        }
    }
}
