//! Reads the text of modules as a driver does, and says what is wrong with those that it refuses.

use std::collections::HashMap;
use std::sync::Arc;

use isa::{Features, PtxVersion, Target};
use machines::interpreter::EntryProgram;
use ptx::ParseError;
use ptx::syntax::{self, Entry, Opcode};

use crate::calls::Called;
use crate::grid::GridKernel;
use crate::kernel::{FakeKernel, Work};
use crate::settings::DriverSettings;

/// The kernels of a module, by name.
pub type KernelsByName = HashMap<String, Arc<FakeKernel>>;

/// The reason why a module is refused, with what the log says.
pub enum ModuleRefusal {
    /// The version of the module is not read.
    Version(String),
    /// The text of the module is no PTX, or is of another device.
    Text(String),
}

/// Reads a module for a device.
pub fn read(text: &str, settings: &DriverSettings) -> Result<KernelsByName, ModuleRefusal> {
    let mut lines = text.lines();
    let mut directive = |name: &str| {
        let value = lines.next().and_then(|line| line.strip_prefix(name));
        value.ok_or_else(|| ModuleRefusal::Text(log(1, &format!("Missing {name}directive"))))
    };
    let version: PtxVersion = parsed(directive(".version ")?)?;
    let target: Target = parsed(directive(".target ")?)?;
    if directive(".address_size ")? != "64" {
        return Err(ModuleRefusal::Text(log(3, "Unsupported .address_size")));
    }
    if version > settings.ptx {
        let newest = settings.ptx;
        let said = format!("Unsupported .version {version}; current version is '{newest}'");
        return Err(ModuleRefusal::Version(log(1, &said)));
    }
    let known = Target::all().any(|(known, since)| known == target && since <= version);
    if !known || !runs(target, settings.capability) {
        return Err(ModuleRefusal::Text(log(2, &format!("SM version specified by .target {target}"))));
    }
    // The fault `dies`: a compiler that takes the process with it.
    if settings.dies.as_deref().is_some_and(|fatal| text.contains(fatal)) {
        std::process::abort();
    }
    // The fault `refuses`: the log names the line, as a compiler's does.
    if let Some(line) = settings.refuses.as_deref().and_then(|bad| line_of(text, bad)) {
        return Err(ModuleRefusal::Text(log(line, "Parsing error near 'here': syntax error")));
    }
    let tree: syntax::Module = text.parse().map_err(|error: ParseError| {
        ModuleRefusal::Text(log(error.line, &format!("Parsing error: {error}")))
    })?;
    let mut module = KernelsByName::new();
    for entry in &tree.entries {
        if let Some(illegal) = illegal(entry, target, version) {
            let line = line_of(text, &illegal).unwrap_or(0);
            return Err(ModuleRefusal::Text(log(line, &format!("Not legal here: '{illegal}'"))));
        }
        let line = line_of(text, &entry.name).unwrap_or(0);
        let work = match Called::called_by(entry, &tree) {
            Some(called) => called.map(Work::Call).map_err(|errors| errors[0].to_string()),
            None => work(entry, &tree),
        };
        let work = work.map_err(|words| ModuleRefusal::Text(log(line, &words)))?;
        let mut opcodes = Vec::new();
        entry.for_each_instruction(&mut |instruction| opcodes.push(instruction.opcode.to_string()));
        let parameters = entry.parameters.iter().map(|one| (one.name.clone(), one.bytes())).collect();
        let kernel = FakeKernel { parameters, opcodes, work };
        if module.insert(entry.name.clone(), Arc::new(kernel)).is_some() {
            return Err(ModuleRefusal::Text(log(line, "Duplicate definition")));
        }
    }
    Ok(module)
}

/// Returns the work of a kernel that does not only call a function. Warps execute the suite's kernels and what is alike;
/// where the threads of a warp may part, or call functions, each is executed by itself.
fn work(entry: &Entry, tree: &syntax::Module) -> Result<Work, String> {
    let in_warps = EntryProgram::of(entry);
    if in_warps.as_ref().is_ok_and(|program| !program.may_diverge()) {
        return in_warps.map(Work::Program).map_err(|error| error.to_string());
    }
    match (GridKernel::of(entry, tree), in_warps) {
        (Ok(grid), _) => Ok(Work::Grid(grid)),
        // Threads that exchange words are no kernels of the first kind, and meet again where they part.
        (Err(_), Ok(program)) => Ok(Work::Program(program)),
        (Err(_), Err(error)) => Err(error.to_string()),
    }
}

/// Returns the name of the first instruction that is not legal. It is neither the interpreter's own nor a variant or
/// matrix instruction that the target has in a version; or it moves matrices which no such instruction has.
fn illegal(entry: &Entry, target: Target, version: PtxVersion) -> Option<String> {
    let mut illegal = None;
    entry.for_each_instruction(&mut |instruction| {
        let legal = match &instruction.opcode {
            Opcode::Tested(_) => match instruction.matrix() {
                Some(matrix) => matrix.form().available(Some(target), Some(version)),
                None => {
                    let variant = instruction.variant();
                    variant.is_some_and(|variant| variant.available(Some(target), Some(version)))
                }
            },
            Opcode::Tile(tile) => tile.available(target, version),
            _ => true,
        };
        if !legal {
            illegal.get_or_insert_with(|| instruction.opcode.to_string());
        }
    });
    illegal
}

/// Whether a device runs what was made for a target.
fn runs(target: Target, capability: u16) -> bool {
    match target.features {
        Features::Baseline => target.number <= capability,
        // No test gives a device the module of another member of its family.
        _ => target.number == capability,
    }
}

/// Reads the value of a directive, or refuses the module.
fn parsed<T: std::str::FromStr>(text: &str) -> Result<T, ModuleRefusal> {
    text.parse().map_err(|_| ModuleRefusal::Text(log(1, &format!("Parsing error near '{text}'"))))
}

/// Returns the number of the first line, counted from 1, that has a text in it.
fn line_of(text: &str, part: &str) -> Option<usize> {
    text.lines().position(|line| line.contains(part)).map(|line| line + 1)
}

/// Returns what a compiler's log says of an error.
fn log(line: usize, said: &str) -> String {
    format!(
        "ptxas application ptx input, line {line}; error   : {said}\nptxas fatal   : Ptx assembly aborted\n"
    )
}
