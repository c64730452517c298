//! Gathers what sources became: each distinct outcome once, with the targets and settings that have it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use anyhow::Result;
use compilers::Compiler;
use compilers::language::Language;
use compilers::machine::{self, MachineCell};
use compilers::module::{CompilableFunction, CompileJob, Compiled, Ptx, compile};
use compilers::promises::{Body, PromiseSelection};
use compilers::rows::PromiseRow;
use ptx::syntax::Module;
use reports::compilers::TargetSettings;
use serde::Serialize;

/// The name of every function that is shown.
const NAME: &str = "f";

/// An outcome of a source, with the targets and settings that have it.
#[derive(Serialize)]
pub struct Piece {
    /// The compiler's name and version.
    pub compiler: String,
    /// The name of the row.
    pub row: String,
    /// The expression that the source is made of.
    pub expression: String,
    /// The promise in these places; absent if nothing is promised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promised: Option<String>,
    /// Whether the outcome is the promised instructions and no others; absent if nothing is promised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_promised: Option<bool>,
    /// The instructions that the compiler chose, without those that move values.
    pub instructions: Vec<String>,
    /// The targets and settings.
    pub places: Vec<TargetSettings>,
    /// The compiler's options in the first place.
    pub options: Vec<String>,
    /// The source as the compiler was given it in the first place.
    pub source: String,
    /// The outcome itself.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// The instructions of the table whose results the function gives, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agrees: Option<Vec<&'static str>>,
    /// The reason why the function could not be executed, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unexecuted: Option<String>,
    /// A module that has the function alone, under the name `f`; `None` if there is none that could be read.
    #[serde(skip)]
    pub module: Option<Module>,
}

/// An outcome of a source.
#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The function in PTX, with what it calls.
    Ptx(String),
    /// The operations that stand in machine code.
    Code(String),
    /// The compiler does not take the source, in its words.
    Refused(String),
    /// The compiler died of the source: how, in words.
    Died(String),
}

/// The pieces of one compiler, in the order in which they came.
#[derive(Default)]
pub struct Pieces {
    pub all: Vec<Piece>,
    /// The number of a piece by its row, promise and outcome.
    known: HashMap<(String, Option<String>, Outcome), usize>,
}

impl Pieces {
    /// Adds a piece, or its places to one that is the same.
    fn add(&mut self, piece: Piece, target: &str, setting: String) {
        let key = (piece.row.clone(), piece.promised.clone(), piece.outcome.clone());
        let at = match self.known.entry(key) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                new.insert(self.all.len());
                self.all.push(piece);
                self.all.len() - 1
            }
        };
        let Some(piece) = self.all.get_mut(at) else { return };
        match piece.places.iter_mut().find(|place| place.target == target) {
            Some(place) => place.settings.push(setting),
            None => {
                piece.places.push(TargetSettings { target: target.into(), settings: vec![setting] });
            }
        }
    }

    /// Compiles rows for the targets and under the settings that are selected.
    ///
    /// # Errors
    /// If no setting is selected, or the compiler breaks its protocol.
    pub fn of_rows(
        compiler: &Compiler,
        language: Language,
        rows: &[&'static PromiseRow],
        options: &PromiseSelection,
    ) -> Result<Pieces> {
        let jobs = options.jobs(language, rows)?;
        let all = compile(compiler, language, &jobs)?;
        let mut pieces = Pieces::default();
        for (job, compiled) in jobs.iter().zip(all) {
            for (&row, compiled) in rows.iter().zip(compiled) {
                pieces.row(compiler, language, row, job, compiled);
            }
        }
        Ok(pieces)
    }

    /// Adds what became of a row in a place. A setting under which a row of the tables promises nothing is left out.
    fn row(
        &mut self,
        compiler: &Compiler,
        language: Language,
        row: &PromiseRow,
        job: &CompileJob<PromiseRow>,
        compiled: Compiled,
    ) {
        let promise = row.promise(language, job.setting);
        if promise.is_none() && row.cases().next().is_some() {
            return;
        }
        let (mut instructions, mut module) = (Vec::new(), None);
        let outcome = match compiled {
            Compiled::Ptx(ptx, name) => match body(&ptx, &name) {
                Some(body) => {
                    instructions.clone_from(&body.opcodes);
                    let text = renamed(&body.module.to_string(), &name);
                    // The text was a module before its names were changed.
                    module = text.parse::<Module>().ok();
                    Outcome::Ptx(module.as_ref().map_or(text, functions))
                }
                None => Outcome::Ptx(ptx.text.clone()),
            },
            Compiled::Refused(words) => Outcome::Refused(words),
            Compiled::Died(words) => Outcome::Died(words),
        };
        let is_promised = promise.as_ref().map(|promise| match &outcome {
            Outcome::Ptx(_) => !promise.is_refusal() && promise.is_selected(&instructions),
            Outcome::Refused(_) => promise.is_refusal(),
            Outcome::Code(_) | Outcome::Died(_) => false,
        });
        let piece = Piece {
            compiler: title(compiler),
            row: row.name.clone(),
            expression: row.expression(language).unwrap_or_default().to_owned(),
            promised: promise.map(|promise| promise.text()),
            is_promised,
            instructions,
            places: Vec::new(),
            options: job.setting.options(language),
            source: row.source(language, job.setting, NAME),
            outcome,
            agrees: None,
            unexecuted: None,
            module,
        };
        self.add(piece, &job.target, job.setting.to_string());
    }

    /// Gathers what became of rows of machine code.
    pub fn of_cells(compiler: &Compiler, cells: &[MachineCell]) -> Pieces {
        let mut pieces = Pieces::default();
        for cell in cells {
            let (outcome, instructions) = match &cell.compilation {
                machine::Compilation::Code(operations) => {
                    let all: Vec<String> = operations.iter().map(ToString::to_string).collect();
                    (Outcome::Code(all.join("\n")), all)
                }
                machine::Compilation::Refused(words) => (Outcome::Refused(words.clone()), Vec::new()),
                machine::Compilation::Died(words) => (Outcome::Died(words.clone()), Vec::new()),
            };
            let piece = Piece {
                compiler: title(compiler),
                row: cell.row.name.clone(),
                expression: cell.row.text.clone(),
                promised: Some(cell.row.due_text.clone()),
                is_promised: Some(matches!(cell.verdict(), machine::Verdict::Kept(_))),
                instructions,
                places: Vec::new(),
                options: cell.options.split_whitespace().map(str::to_owned).collect(),
                source: cell.row.kernel(NAME, cell.target),
                outcome,
                agrees: None,
                unexecuted: None,
                module: None,
            };
            pieces.add(piece, cell.target, machine::setting(cell.options).to_owned());
        }
        pieces
    }
}

/// Returns the name and version of a compiler.
fn title(compiler: &Compiler) -> String {
    format!("{} {}", compiler.name(), compiler.introduction().version)
}

/// Returns the body of a function; `None` if its module cannot be read.
fn body(ptx: &Ptx, name: &str) -> Option<Body> {
    Body::of(ptx.tree.as_ref().ok()?, name)
}

/// Returns the functions and tables of a module as a text, without its header.
fn functions(module: &Module) -> String {
    let text = module.to_string();
    let header = module.header.to_string();
    text.strip_prefix(&header).unwrap_or(&text).trim_start().to_owned()
}

/// Returns a text in which a function has the name `f`, and its labels do not count the functions before it, so that
/// equal functions of different modules have equal texts.
fn renamed(text: &str, name: &str) -> String {
    const LABEL: &str = "$L__BB";
    let text = text.replace(name, NAME);
    let mut parts = text.split(LABEL);
    let mut renamed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|digit: char| digit.is_ascii_digit());
        renamed += LABEL;
        renamed += if rest.starts_with('_') { "0" } else { "" };
        renamed += if rest.starts_with('_') { rest } else { part };
    }
    renamed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_functions_of_different_modules_have_equal_texts() {
        let text =
            |name: &str, block: u32| format!("{name}({name}_param_0) bra $L__BB{block}_2; $L__BBx");
        assert_eq!(renamed(&text("f3_17", 17), "f3_17"), text("f", 0));
    }
}
