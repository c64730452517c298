//! Makes a function or a kernel of somebody's own PTX an implementation of the instruction that it should compute. It
//! is executed on this machine's processor, so nothing but its text is needed.

mod batch;
mod domain;
mod elsewhere;
mod grid;
#[cfg(test)]
mod tests;
mod thorough;
mod worker;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use anyhow::Result;
use formats::{Column, column};
use isa::{Register, Variant};
use launch::{CallShape, CodeFile, Elements, FourthThread, Launched, RoleUnit};
use machines::functions::{Argument, ExecutionUnit, NEVER_STORED, Nearest, RunnableFunction};

use super::{Description, Implementation, Support, Worker};
use worker::CodeWorker;

pub use domain::Domain;
pub use elsewhere::{HandedOver, Parameter, ThreadRows};
pub use launch::{LaunchShape, LaunchText, LaunchWord};
pub use machines::functions::{TracedInstruction, Unreached, UnreachedWay};
pub use thorough::ThoroughCode;

/// The name of the detail in which a description has the digest of the code's file.
pub const DIGEST: &str = "digest of the file";
/// The name of the detail in which a description has the condition that operands have to fulfil.
pub const DOMAIN: &str = "where";

/// A function that makes the unit which executes floating-point instructions, one for each worker.
pub type MakeUnit = Arc<dyn Fn() -> Box<dyn ExecutionUnit> + Send + Sync>;

/// A function or a kernel, ready to be run on vectors of an instruction.
pub struct Code {
    /// The name that `--impl` takes.
    name: String,
    function: RunnableFunction,
    is_kernel: bool,
    /// The function or kernel in its file, and the way it is launched.
    launched: Launched,
    unit: MakeUnit,
    /// The condition that the operands of a vector have to fulfil: other vectors have no result.
    domain: Option<Domain>,
    /// The elements of another thread.
    fourth_thread: OnceLock<Option<FourthThread>>,
    /// The place of the first register that was read and never set, in words.
    unset: OnceLock<String>,
}

impl Code {
    /// Makes the implementation of a name: `code:FILE`, `code:FILE#FUNCTION`, or `code:FILE#KERNEL(LAUNCH)`.
    ///
    /// # Errors
    /// If the file cannot be read, is not PTX, or lacks the function; if the function cannot be executed, or how the
    /// kernel is launched cannot be found out.
    pub fn named(name: &str) -> Result<Code> {
        let rest = name.strip_prefix("code:").unwrap_or(name);
        let (path, function) = match rest.rsplit_once('#') {
            Some((path, function)) => (path, Some(function)),
            None => (rest, None),
        };
        let (function, launch) = match function.and_then(|text| text.split_once('(')) {
            Some((function, launch)) => {
                (Some(function), Some(launch.strip_suffix(')').unwrap_or(launch)))
            }
            None => (function, None),
        };
        let launch = launch.map(str::parse).transpose()?;
        Code::of_file(path, function, launch.as_ref())
    }

    /// Makes the implementation of a function or kernel in a file: the only one if no name is given.
    ///
    /// # Errors
    /// As [`Code::named`].
    pub fn of_file(path: &str, function: Option<&str>, launch: Option<&LaunchText>) -> Result<Code> {
        Code::of(Arc::new(CodeFile::read(path)?), function, launch)
    }

    /// Makes the implementation of a function or kernel in a text, which came from `origin`: the only one if no name is
    /// given.
    ///
    /// # Errors
    /// As [`Code::named`].
    pub fn of_text(
        origin: &str,
        text: &str,
        function: Option<&str>,
        launch: Option<&LaunchText>,
    ) -> Result<Code> {
        Code::of(Arc::new(CodeFile::of_text(origin, text)?), function, launch)
    }

    /// Returns the name of the function or kernel that is meant in a text, which came from `origin`.
    ///
    /// # Errors
    /// If the text is not PTX, or it is not clear which function is meant.
    pub fn chosen_function(origin: &str, text: &str, function: Option<&str>) -> Result<String> {
        CodeFile::of_text(origin, text)?.choose(function)
    }

    fn of(file: Arc<CodeFile>, function: Option<&str>, launch: Option<&LaunchText>) -> Result<Code> {
        let chosen = file.choose(function)?;
        let launched = Launched::find(file, &chosen, launch)?;
        // What was reached while roles were looked for counts for nothing.
        let grid = launched.grid.map(|launch| launch.grid);
        let function = launched.file.runnable(&chosen, grid)?;
        let is_kernel = launched.is_kernel();
        let mut name = format!("code:{}#{chosen}", launched.file.origin);
        if let Some(launch) = launch {
            name += &format!("({launch})");
        }
        let unit: MakeUnit = Arc::new(|| Box::new(Nearest::default()));
        Ok(Code {
            name,
            launched,
            function,
            is_kernel,
            unit,
            domain: None,
            fourth_thread: OnceLock::new(),
            unset: OnceLock::new(),
        })
    }

    /// Returns further launches in which threads with other indices, and threads beyond the last element, compute vectors
    /// of an instruction, see [`Launched::other_launches`].
    pub fn other_launches(&self, variant: &Variant) -> Vec<LaunchText> {
        self.launched.other_launches(variant)
    }

    /// Returns a sentence about the places of operands in arrays, see [`Launched::places_in_words`].
    pub fn places_in_words(&self, variant: &Variant) -> Option<String> {
        self.launched.places_in_words(variant)
    }

    /// Returns the same code with another launch, and the same unit and domain.
    ///
    /// # Errors
    /// As [`Code::named`].
    pub fn relaunched(&self, launch: &LaunchText) -> Result<Code> {
        let code = Code::of(self.launched.file.clone(), Some(&self.launched.name), Some(launch))?;
        Ok(code.with_unit(self.unit.clone()).within(self.domain.clone()))
    }

    /// Has the code's floating-point instructions executed by other units: those of approximations may give any result
    /// that the manual allows.
    #[must_use]
    pub fn with_unit(self, unit: MakeUnit) -> Code {
        Code { unit, ..self }
    }

    /// Has the code executed only on vectors whose operands fulfil a condition, if there is one.
    #[must_use]
    pub fn within(self, domain: Option<Domain>) -> Code {
        Code { domain, ..self }
    }

    /// Returns the condition that the operands of a vector have to fulfil.
    pub fn domain(&self) -> Option<&Domain> {
        self.domain.as_ref()
    }

    /// Whether the code is a kernel, and no function.
    pub fn is_kernel(&self) -> bool {
        self.is_kernel
    }

    /// Returns the name of the function or kernel in its file.
    pub fn function_name(&self) -> &str {
        &self.launched.name
    }

    /// Returns a text that tells the code from other code of the same name.
    pub fn identity(&self) -> String {
        format!("{} {}", self.name, self.launched.file.digest)
    }

    /// Notes that the code has read a register that was never set, though no result depends on it as far as was tried.
    fn note_unset(&self, words: String) {
        self.unset.get_or_init(|| words);
    }

    /// Returns where the code has read a register that was never set, if it has.
    pub fn read_unset(&self) -> Option<&str> {
        self.unset.get().map(String::as_str)
    }

    /// Returns a worker for one thread whose floating-point instructions another unit executes.
    pub fn worker_with(&self, unit: Box<dyn ExecutionUnit>) -> Box<dyn Worker + '_> {
        Box::new(CodeWorker::new(self, unit))
    }

    /// Returns the PTX of the code and of all that its module has beside it.
    pub fn text(&self) -> String {
        self.launched.file.module.to_string()
    }

    /// Returns the constants of the code, see [`RunnableFunction::constants`].
    pub fn constants(&self) -> Vec<u64> {
        self.function.constants()
    }

    /// Counts the instructions of the code, and of what it calls.
    pub fn instructions(&self) -> usize {
        self.function.instructions()
    }

    /// Runs the code on one vector of an instruction, and returns the first `most` instructions that it executes, with
    /// the registers that each sets. A kernel's thread has the same operands in the place of each of its vectors.
    pub fn trace(&self, variant: &Variant, operands: &[Column], most: usize) -> Vec<TracedInstruction> {
        let Ok(each) = self.vectors_of_thread(variant) else { return Vec::new() };
        let rows = vec![0; each];
        let operands = column::select(operands, &rows);
        let Ok(elements) = self.elements(variant) else { return Vec::new() };
        let of = (variant, elements, NEVER_STORED);
        let arguments = batch::arguments(self, &operands, each, 0..each, of);
        let thread = match (self.launched.grid, elements) {
            (Some(launch), Some(elements)) => grid::thread_of(launch, &operands, elements),
            _ => 0,
        };
        let arguments = self.assembled(&arguments, 1);
        self.function.trace(&mut *(self.unit)(), &arguments, worker::STEPS, most, thread)
    }

    /// Returns what no vector has reached so far, see [`RunnableFunction::unreached`].
    pub fn unreached(&self) -> Vec<Unreached> {
        self.function.unreached()
    }

    /// Lists the floating-point instructions of the code, and of all that it calls.
    pub fn variants(&self) -> impl Iterator<Item = &'static Variant> + '_ {
        self.function.variants()
    }

    /// Returns what each parameter is given, as `--launch` takes it; `None` for a function whose parameters are its
    /// operands.
    pub fn launch(&self) -> Option<String> {
        self.launched.text().map(|text| text.to_string())
    }

    /// Returns the launch in which what is overwritten is no operand, see [`Launched::text_without_reading_back`].
    pub fn launch_without_reading_back(&self) -> Option<String> {
        self.launched.text_without_reading_back().map(|text| text.to_string())
    }

    /// Whether an operand is passed by value.
    pub fn has_values(&self) -> bool {
        self.launched.has_values()
    }

    /// Returns the blocks and threads of a launch, in words, if each row is a launch of many threads.
    pub fn threads(&self) -> Option<String> {
        let grid = self.launched.grid?.grid;
        let count =
            |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
        let (blocks, threads) = (grid.blocks as usize, grid.threads_of_block());
        Some(format!("{} of {}", count(blocks, "block"), count(threads, "thread")))
    }

    /// Returns how many threads each row executes.
    pub fn threads_of_row(&self) -> usize {
        self.launched.grid.map_or(1, |launch| launch.grid.all_threads())
    }

    /// Returns a sentence about the elements that the fourth thread of a kernel reads and writes; `None` for a function, and
    /// if that thread cannot be executed.
    pub fn fourth_thread(&self) -> Option<String> {
        self.find_fourth_thread().map(|fourth| fourth.words.clone())
    }

    fn find_fourth_thread(&self) -> Option<&FourthThread> {
        let found = || {
            let CallShape::Roles(roles) = &self.launched.call else { return None };
            let is_thread = self.is_kernel && self.launched.grid.is_none();
            is_thread.then(|| self.launched.file.fourth_thread(&self.launched.name, roles)).flatten()
        };
        self.fourth_thread.get_or_init(found).as_ref()
    }

    /// Returns the bytes of each operand that the code takes and of each result that it gives, for one vector. For a
    /// kernel these are the bytes that one thread reads and writes, which may be several vectors.
    pub fn shape(&self) -> [Vec<usize>; 2] {
        match &self.launched.call {
            CallShape::Function => [
                self.function.parameters().map(|(_, bytes)| bytes).collect(),
                self.function.results().map(|(_, bytes)| bytes).collect(),
            ],
            CallShape::Roles(roles) => {
                let shape = roles.shape();
                // A block mostly has an element for each thread.
                let threads = match self.launched.grid {
                    Some(launch::GridLaunch { unit: RoleUnit::Block, grid, .. }) => {
                        grid.threads_of_block()
                    }
                    _ => 1,
                };
                let is_each = shape.iter().flatten().all(|bytes| bytes.is_multiple_of(threads));
                let divisor = if is_each { threads.max(1) } else { 1 };
                shape.map(|each| each.into_iter().map(|bytes| bytes / divisor).collect())
            }
        }
    }

    /// Whether the code reads no more bytes of any operand than the instruction's operand has, where [`Code::support`]
    /// also accepts narrower operands in wider parameters.
    pub fn takes_exactly(&self, variant: &Variant) -> bool {
        match &self.launched.call {
            CallShape::Roles(_) => true,
            CallShape::Function => {
                let registers = variant.operands().iter().map(|register| register.ty.row_bytes());
                self.function.loaded().into_iter().eq(registers)
            }
        }
    }

    /// Returns an argument for each parameter, and for each pointer in a structure, from those of all slots.
    fn assembled<'a>(&self, arguments: &'a [Argument], rows: usize) -> Cow<'a, [Argument]> {
        match &self.launched.call {
            CallShape::Function => Cow::Borrowed(arguments),
            CallShape::Roles(roles) => roles.slots.assembled(arguments, rows),
        }
    }

    /// Returns the elements of a launch, if a row is one.
    ///
    /// # Errors
    /// If the launch has no whole number of vectors of the instruction.
    fn elements(&self, variant: &Variant) -> Result<Option<Elements>, String> {
        self.launched.elements(variant)
    }

    /// Returns how many vectors of an instruction a thread of the code computes.
    ///
    /// # Errors
    /// If the code has other operands or results than the instruction, says which.
    fn vectors_of_thread(&self, variant: &Variant) -> Result<usize, String> {
        let [operands, results] = self.shape();
        let takes = |registers: &[Register]| -> Vec<usize> {
            registers.iter().map(|register| register.ty.row_bytes()).collect()
        };
        let wanted = [takes(variant.operands()), takes(variant.results())];
        let each = match &self.launched.call {
            CallShape::Function => {
                (fits(&operands, &wanted[0]) && fits(&results, &wanted[1])).then_some(1)
            }
            // Each row is a launch for one vector.
            CallShape::Roles(roles) if self.launched.grid.is_some() => {
                roles.elements(&wanted).map(|_| 1)
            }
            CallShape::Roles(roles) => roles.vectors(&wanted),
        };
        each.ok_or_else(|| {
            format!(
                "the code takes {} and gives {}, but {variant} takes {} and gives {}",
                in_bytes(&operands),
                in_bytes(&results),
                in_bytes(&wanted[0]),
                in_bytes(&wanted[1])
            )
        })
    }
}

/// Whether parameters have room for the registers of an instruction, one for each: compilers pass what is narrower than
/// 32 bits in 32.
fn fits(parameters: &[usize], registers: &[usize]) -> bool {
    let fit = |(&own, &due): (&usize, &usize)| own == due || own == 4 && due < 4;
    parameters.len() == registers.len() && parameters.iter().zip(registers).all(fit)
}

/// Returns sizes as words: `4 and 4 bytes`.
fn in_bytes(sizes: &[usize]) -> String {
    let words: Vec<String> = sizes.iter().map(usize::to_string).collect();
    match words.split_last() {
        None => "nothing".into(),
        Some((last, [])) => format!("{last} bytes"),
        Some((last, before)) => format!("{} and {last} bytes", before.join(", ")),
    }
}

impl Implementation for Code {
    fn describe(&self) -> Description {
        let header = &self.launched.file.module.header;
        let mut details = BTreeMap::from([
            (DIGEST.to_owned(), self.launched.file.digest.clone()),
            ("PTX".to_owned(), format!("version {}, target {}", header.ptx, header.target)),
        ]);
        details.extend(self.launch().map(|launch| ("launch".to_owned(), launch)));
        details.extend(self.fourth_thread().map(|words| ("other threads".to_owned(), words)));
        details.extend(self.domain.as_ref().map(|domain| (DOMAIN.to_owned(), domain.to_string())));
        Description { name: self.name.clone(), details, ..Description::default() }
    }

    fn support(&self, variant: &Variant) -> Support {
        let fits = self.vectors_of_thread(variant).map(|_| ());
        let checked = |()| self.domain.as_ref().map_or(Ok(()), |domain| domain.check(variant));
        let has_elements = |()| self.elements(variant).map(|_| ());
        match fits.and_then(checked).and_then(has_elements) {
            Ok(()) => Support::Yes,
            Err(why) => Support::No(why),
        }
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>> {
        Ok(self.worker_with((self.unit)()))
    }
}
