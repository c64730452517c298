//! Reads a file of PTX, and finds the function that is meant in it.

use std::fs::File;
use std::io::Read;

use anyhow::{Context, Result, bail};
use machines::functions::{Error, Grid, Launch, RunnableFunction};
use ptx::syntax::{BlockSize, Function, Module};
use xxhash_rust::xxh3::xxh3_64;

use crate::roles::{CallShape, FOURTH, FourthThread, ParameterRoles, Probed, of_fourth};
use crate::text::LaunchText;

/// The most bytes of a file: a tree takes many times as much memory.
const FILE_MAX: u64 = 1 << 26;
/// The most names that an error lists.
const NAMES_MAX: usize = 8;
/// The most problems of a function that an error lists.
const PROBLEMS_MAX: usize = 3;

/// A file of PTX that was read.
pub struct CodeFile {
    /// The path, or another word for where the text came from.
    pub origin: String,
    /// The digest of the text, in hexadecimal digits.
    pub digest: String,
    /// The text as a tree.
    pub module: Module,
}

impl CodeFile {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, is too long, or is not PTX.
    pub fn read(path: &str) -> Result<CodeFile> {
        let mut text = Vec::new();
        let file = File::open(path).with_context(|| format!("{path} cannot be opened"))?;
        let read = file.take(FILE_MAX + 1).read_to_end(&mut text);
        read.with_context(|| format!("{path} cannot be read"))?;
        if text.len() as u64 > FILE_MAX {
            bail!("{path} has more than {FILE_MAX} bytes: cut the function out of it");
        }
        let text = String::from_utf8(text)
            .ok()
            .with_context(|| format!("{path} is not text: PTX is wanted, not a compiled kernel"))?;
        CodeFile::of_text(path, &text)
    }

    /// Reads a text.
    ///
    /// # Errors
    /// If it is not PTX.
    pub fn of_text(origin: &str, text: &str) -> Result<CodeFile> {
        if !text.contains(".version") {
            bail!("{origin} is not PTX: it has no `.version`");
        }
        let module = text.parse().with_context(|| format!("{origin} cannot be read as PTX"))?;
        let digest = format!("{:016x}", xxh3_64(text.as_bytes()));
        Ok(CodeFile { origin: origin.into(), digest, module })
    }

    /// Returns the name of the function or kernel that is meant: the only one if none is named. If there are several,
    /// kernels go before functions, and functions that others see before those that they do not.
    ///
    /// # Errors
    /// If there is no such function, or more than one where none is named.
    pub fn choose(&self, name: Option<&str>) -> Result<String> {
        let CodeFile { origin, module, .. } = self;
        let kernels = module.entries.iter().map(|entry| &*entry.name);
        let defined = module.functions.iter().filter(|function| function.body.is_some());
        let all: Vec<&str> = kernels.chain(defined.map(|function| &*function.name)).collect();
        if let Some(name) = name {
            return match all.contains(&name) {
                true => Ok(name.to_owned()),
                false => bail!("{origin} has no function `{name}`: it has {}", listed(&all)),
            };
        }
        match all.as_slice() {
            [] => bail!("{origin} defines no function and no kernel"),
            [only] => Ok((*only).to_owned()),
            _ => bail!("{origin} has several functions, {}: say which, with --function", listed(&all)),
        }
    }

    /// Whether a name is that of a kernel.
    pub fn is_kernel(&self, name: &str) -> bool {
        self.module.entries.iter().any(|entry| entry.name == name)
    }

    /// Returns the way in which operands reach a function or kernel of this name, and results leave it.
    ///
    /// # Errors
    /// As [`ParameterRoles::find`]; `threads` are those of a block that the program executes. A function that returns something, and whose roles are neither said nor found, is
    /// given its operands as parameters.
    pub fn call(
        &self,
        name: &str,
        program: &RunnableFunction,
        launch: Option<&LaunchText>,
        threads: Option<u64>,
    ) -> Result<CallShape> {
        if let Some(entry) = self.module.entries.iter().find(|entry| entry.name == name) {
            let (parameters, body) = (&*entry.parameters, &*entry.body);
            let probed = Probed { program, parameters, body, is_kernel: true, threads };
            return ParameterRoles::find(probed, launch).map(CallShape::Roles);
        }
        let is_meant = |function: &&Function| function.name == name && function.body.is_some();
        let Some(function) = self.module.functions.iter().find(is_meant) else {
            return Ok(CallShape::Function);
        };
        let parameters = &*function.parameters;
        // A structure may have pointers, too.
        let has_pointers = parameters.iter().any(|one| !matches!(one.bytes(), 1 | 2 | 4));
        if launch.is_none() && !has_pointers {
            return Ok(CallShape::Function);
        }
        let body = function.body.as_deref().unwrap_or_default();
        let probed = Probed { program, parameters, body, is_kernel: false, threads: None };
        let found = ParameterRoles::find(probed, launch);
        match found {
            Ok(roles) if roles.has_more_than_operands() || roles.slots.has_structures() => {
                Ok(CallShape::Roles(roles))
            }
            Err(error) if launch.is_some() || function.results.is_empty() => Err(error),
            Ok(_) | Err(_) => Ok(CallShape::Function),
        }
    }

    /// Returns the elements that the fourth thread of a kernel reads and writes; `None` if that thread cannot be executed.
    pub fn fourth_thread(&self, name: &str, roles: &ParameterRoles) -> Option<FourthThread> {
        let program = RunnableFunction::of_kernel(&self.module, name, FOURTH).ok()?;
        of_fourth(&program, roles)
    }

    /// Returns a kernel of this name as a program of which a row is one thread.
    ///
    /// # Errors
    /// As [`CodeFile::runnable`].
    pub fn runnable_thread(&self, name: &str, launch: Launch) -> Result<RunnableFunction> {
        self.checked(RunnableFunction::of_kernel(&self.module, name, launch))
    }

    /// Returns the size of the blocks that a kernel is launched with, if its text says it.
    pub fn block(&self, name: &str) -> Option<[u32; 3]> {
        self.block_size(name).map(|block| block.threads)
    }

    /// Returns what the text of a kernel says of the size of its blocks.
    pub fn block_size(&self, name: &str) -> Option<BlockSize> {
        self.module.entries.iter().find(|entry| entry.name == name)?.block
    }

    /// Returns a function or kernel of this name as a program. A row of a kernel is a grid, if one is given, or else the
    /// first thread.
    ///
    /// # Errors
    /// If it has anything that cannot be executed, says what.
    pub fn runnable(&self, name: &str, grid: Option<Grid>) -> Result<RunnableFunction> {
        self.checked(match (self.is_kernel(name), grid) {
            (true, Some(grid)) => RunnableFunction::of_grid(&self.module, name, grid),
            (true, None) => RunnableFunction::of_kernel(&self.module, name, Launch::default()),
            (false, _) => RunnableFunction::of(&self.module, name),
        })
    }

    /// Returns a program, or the first problems of one that cannot be executed.
    fn checked(
        &self,
        runnable: std::result::Result<RunnableFunction, Vec<Error>>,
    ) -> Result<RunnableFunction> {
        runnable.map_err(|problems| {
            // What is declared wrongly is unknown to each instruction that uses it.
            let (declared, others): (Vec<Error>, Vec<Error>) =
                problems.into_iter().partition(|problem| problem.instruction == 0);
            let problems = if declared.is_empty() { others } else { declared };
            let words: Vec<String> =
                problems.iter().take(PROBLEMS_MAX).map(ToString::to_string).collect();
            let more = match problems.len().saturating_sub(PROBLEMS_MAX) {
                0 => String::new(),
                more => format!("; and {more} more"),
            };
            anyhow::anyhow!("{} cannot be executed here: {}{more}", self.origin, words.join("; "))
        })
    }
}

/// Returns names in a sentence, not too many of them.
fn listed(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(NAMES_MAX).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(NAMES_MAX) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
