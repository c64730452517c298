//! Modules: what a driver reads of their text, and what it says of those that it refuses.

use std::collections::HashMap;
use std::sync::Arc;

use vectors::isa::{Features, PtxVersion, Target};

use crate::kernel::{Kernel, variant};
use crate::settings::Settings;
use ptx::interpreter::Program;

/// The kernels of a module, by name.
pub type Module = HashMap<String, Arc<Kernel>>;

/// Why a module is refused, and what the log says.
pub enum Refusal {
    /// Its version is not read.
    Version(String),
    /// It is no PTX, or of another device.
    Text(String),
}

/// Reads a module for a device.
pub fn read(text: &str, settings: &Settings) -> Result<Module, Refusal> {
    let mut lines = text.lines();
    let mut directive = |name: &str| {
        let value = lines.next().and_then(|line| line.strip_prefix(name));
        value.ok_or_else(|| Refusal::Text(log(1, &format!("Missing {name}directive"))))
    };
    let version: PtxVersion = parsed(directive(".version ")?)?;
    let target: Target = parsed(directive(".target ")?)?;
    if directive(".address_size ")? != "64" {
        return Err(Refusal::Text(log(3, "Unsupported .address_size")));
    }
    if version > settings.ptx {
        let newest = settings.ptx;
        let said = format!("Unsupported .version {version}; current version is '{newest}'");
        return Err(Refusal::Version(log(1, &said)));
    }
    let known = Target::all().any(|(known, since)| known == target && since <= version);
    if !known || !runs(target, settings.capability) {
        return Err(Refusal::Text(log(2, &format!("SM version specified by .target {target}"))));
    }
    if let Some(line) = settings.refuses.as_deref().and_then(|bad| line_of(text, bad)) {
        return Err(Refusal::Text(log(line, "Parsing error near 'here': syntax error")));
    }
    let mut module = Module::new();
    for entry in text.split(".visible .entry ").skip(1) {
        let (name, rest) = entry.split_once('(').expect("parameters");
        let (list, body) = rest.split_once(")\n").expect("an end of parameters");
        let parameters = list.split(", ").filter(|one| !one.is_empty()).map(parameter).collect();
        let program = Program::read(body);
        for (mnemonic, results, sources) in program.foreign() {
            let legal = variant(mnemonic, results, sources)
                .is_some_and(|variant| variant.available(Some(target), Some(version)));
            if !legal {
                let line = line_of(text, mnemonic).unwrap_or(0);
                return Err(Refusal::Text(log(line, &format!("Not legal here: '{mnemonic}'"))));
            }
        }
        let old = module.insert(name.to_owned(), Arc::new(Kernel { parameters, program }));
        if old.is_some() {
            return Err(Refusal::Text(log(line_of(text, name).unwrap_or(0), "Duplicate definition")));
        }
    }
    Ok(module)
}

/// The name of a parameter, and its bytes: `.param .u64 column_d`.
fn parameter(text: &str) -> (String, usize) {
    let (width, name) =
        text.strip_prefix(".param .u").and_then(|rest| rest.split_once(' ')).expect(text);
    (name.to_owned(), width.parse::<usize>().expect("a width") / 8)
}

/// Whether a device runs what was made for a target.
fn runs(target: Target, capability: u16) -> bool {
    match target.features {
        Features::Baseline => target.number <= capability,
        // None of these tests has a second member of a family.
        _ => target.number == capability,
    }
}

fn parsed<T: std::str::FromStr>(text: &str) -> Result<T, Refusal> {
    text.parse().map_err(|_| Refusal::Text(log(1, &format!("Parsing error near '{text}'"))))
}

/// The first line, counted from 1, that has a text in it.
fn line_of(text: &str, part: &str) -> Option<usize> {
    text.lines().position(|line| line.contains(part)).map(|line| line + 1)
}

/// What a compiler's log says.
fn log(line: usize, said: &str) -> String {
    format!(
        "ptxas application ptx input, line {line}; error   : {said}\nptxas fatal   : Ptx assembly aborted\n"
    )
}
