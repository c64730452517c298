//! The measuring of functions: in parts of a function's inputs, on all processors, each kept on disk once it is done.

mod prepared;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Error, Result, anyhow};
use base::interrupt;
use base::pool::Pool;
use base::store;
use compilers::setting::Setting;
use compilers::unit::Approximation;
use formats::{Column, Format};
use implementations::Description;
use implementations::cuda::{Calls, Executor, LoadedFunction};
use machines::functions::{self, Passed};
use oracle::{FunctionValue, Real};
use ptx::Header;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::inputs::Inputs;
use super::table::{Documented, LibraryFunction};
use super::tally::{Counting, Tally};
use super::truth::{Truths, value};
use super::unit::Approximations;
pub use prepared::{prepare, settings};

/// The version of kept parts. It changes when what is counted, or of which inputs, does.
const VERSION: u32 = 4;
/// The number of parts that inputs are cut into, where the size of parts then lies in [`PART`].
const PARTS: u64 = 64;
/// The range of how many inputs a part may have.
const PART: RangeInclusive<u64> = 1 << 20..=1 << 24;
/// The number of inputs that are executed at a time.
const BLOCK: u64 = 1 << 16;
/// The name of the way in which a device executes functions.
pub const ON_DEVICE: &str = "device";
/// The number of steps of one lane that are enough for any function.
const STEPS: u64 = 1 << 16;

/// The choice of functions, targets, settings and inputs that are to be measured.
#[derive(Clone, Debug, Default)]
pub struct MeasurementSelection {
    /// Patterns of which a function's name must match one; none means all.
    pub only: Vec<String>,
    /// The targets that the compiler compiles for.
    pub targets: Vec<String>,
    /// Words of which a setting must be one; none means `default`, `ftz` and `fast-math`.
    pub settings: Vec<String>,
    /// How many inputs of a function are measured at most.
    pub inputs: u64,
}

/// A function that was compiled, with its inputs and measurements.
pub struct MeasuredFunction<'a> {
    /// The function, as the table has it.
    pub function: &'static LibraryFunction,
    /// The inputs that the function is measured on.
    pub inputs: Inputs,
    /// The bodies and ways that are measured.
    pub measurements: Vec<Measurement>,
    /// The reasons why the function is not measured, for each setting and target where it is not.
    pub left_out: Vec<String>,
    /// The device that executes the function; `None` if the interpreter does.
    device: Option<&'a Executor>,
}

/// A body of a function, executed in one way.
pub struct Measurement {
    /// The settings and targets that compile to this body.
    pub under: Vec<(Setting, String)>,
    /// How exact documents say that the function is.
    pub documented: Documented,
    /// Whether subnormal numbers may be flushed.
    pub flush: bool,
    /// The approximate instructions in the body.
    pub approximations: Vec<String>,
    body: String,
    /// The header of the body's module, where a device executes it.
    header: Option<Header>,
    executed: Executed,
}

/// The executor of a body.
enum Executed {
    /// The interpreter, with approximations that all have results of one kind; `None` in a body without approximations.
    Interpreted(Arc<functions::RunnableFunction>, Option<Approximation>),
    /// A device, with what it has for approximations.
    OnDevice(LoadedFunction),
}

impl Measurement {
    /// Returns which results the approximations have: `nearest`, `lowest`, `highest` or the `device`'s. A body without
    /// approximations has `None` in the interpreter.
    pub fn way(&self) -> Option<&'static str> {
        match self.executed {
            Executed::Interpreted(_, way) => way.map(Approximation::name),
            Executed::OnDevice(_) => Some(ON_DEVICE),
        }
    }
}

impl MeasuredFunction<'_> {
    /// Returns the number of parts that the inputs are cut into.
    fn parts(&self) -> u64 {
        self.inputs.count.div_ceil(part_size(self.inputs.count))
    }

    /// Returns the folder that the parts are kept in. Parts of another body, or of other inputs, have another folder.
    fn directory(&self, directory: &Path) -> PathBuf {
        let own = |one: &Measurement| {
            let Measurement { flush, documented, body, header, .. } = one;
            format!("{:?} {flush} {} {body} {header:?}", one.way(), documented.says)
        };
        let bodies: Vec<String> = self.measurements.iter().map(own).collect();
        let device = self.device.map(device_name);
        let all = format!("{VERSION} {:?} {device:?} {bodies:?}", self.inputs);
        directory.join(format!("{}-{:016x}", self.function.name, xxh3_64(all.as_bytes())))
    }

    /// Measures the parts that are not yet measured, and returns the tally of each measurement. Without `resume` all
    /// parts are measured anew. `done` is told the number of inputs of each part.
    ///
    /// # Errors
    /// If a part cannot be kept, or a function does what it may not; and [`Interrupted`](base::interrupt::Interrupted).
    pub fn measure(
        &self,
        directory: &Path,
        resume: bool,
        jobs: usize,
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<Tally>> {
        let directory = self.directory(directory);
        if !resume && directory.exists() {
            std::fs::remove_dir_all(&directory).with_context(|| directory.display().to_string())?;
        }
        std::fs::create_dir_all(&directory).with_context(|| directory.display().to_string())?;
        let numbers: Vec<u64> = (0..self.parts()).collect();
        let calls = || self.device.map(Executor::calls).transpose();
        let measured = |calls: &mut Option<Calls>, part: &u64| {
            let path = directory.join(format!("{part:03}.json"));
            let tallies = match saved_tallies(&path, self.measurements.len()) {
                Some(tallies) => tallies,
                None => {
                    let tallies = self.part(*part, calls.as_mut())?;
                    keep(&path, &tallies)?;
                    tallies
                }
            };
            // All measurements of a part have the same inputs.
            done(tallies.first().map_or(0, |tally| tally.inputs));
            Ok(tallies)
        };
        let parts = Pool::new(jobs)
            .stopped_by(interrupt::flag())
            .run_on_each(&numbers, calls, measured)
            .all()?;
        let mut tallies = vec![Tally::default(); self.measurements.len()];
        // In the order of inputs: `merge` keeps the first example that it meets.
        for part in &parts {
            tallies.iter_mut().zip(part).for_each(|(sum, tally)| sum.merge(tally));
        }
        let LibraryFunction { real, format, .. } = *self.function;
        let mut truths = Truths::new(real, format);
        tallies.iter_mut().for_each(|tally| tally.settle(format, &mut truths));
        Ok(tallies)
    }

    /// Measures a part, and returns its tally of each measurement. A device executes functions by `calls`.
    fn part(&self, part: u64, mut calls: Option<&mut Calls>) -> Result<Vec<Tally>> {
        let LibraryFunction { real, format, arity, .. } = *self.function;
        let size = part_size(self.inputs.count);
        let end = self.inputs.count.min((part + 1) * size);
        let mut truths = Truths::new(real, format);
        let countings: Vec<Counting> =
            self.measurements.iter().map(|one| one.counting(real, format)).collect();
        let mut units = Approximation::ALL.map(Approximations::new);
        let mut tallies = vec![Tally::default(); self.measurements.len()];
        for first in (part * size..end).step_by(BLOCK as usize) {
            let numbers = first..end.min(first + BLOCK);
            let operands: Vec<[u64; 2]> = numbers.map(|number| self.inputs.operands(number)).collect();
            // All bodies share the truth of a block, for which MPFR may have to be asked.
            let of = |bits: &[u64; 2]| truths.of(bits.map(|bits| value(format, bits)));
            let known: Vec<FunctionValue> = operands.iter().map(of).collect();
            let columns: Vec<Column> = (0..arity as usize)
                .map(|at| column(format, operands.iter().map(|row| row[at])))
                .collect();
            for ((one, counting), tally) in self.measurements.iter().zip(&countings).zip(&mut tallies) {
                let mut results = [Column::new(columns[0].row_bytes(), operands.len())];
                let ran = match (&one.executed, calls.as_deref_mut()) {
                    (Executed::Interpreted(function, way), _) => {
                        // A body without approximations asks for no approximation, so that any of the units will do.
                        let unit = &mut units[way.unwrap_or(Approximation::Nearest) as usize];
                        let mut passed: Vec<Passed> = columns.iter().map(Passed::Value).collect();
                        function.run(unit, &mut passed, &mut results, STEPS).map_err(Error::from)
                    }
                    (Executed::OnDevice(function), Some(calls)) => {
                        calls.run(function, &columns, &mut results)
                    }
                    (Executed::OnDevice(_), None) => Err(anyhow!("its device is not available")),
                };
                ran.with_context(|| self.function.name.to_owned())?;
                let add = |tally: &mut Tally, row: usize, result| {
                    tally.add(counting, operands[row], known[row], result);
                };
                match results[0].row_bytes() {
                    2 => {
                        for (row, &bits) in results[0].elements::<u16>().iter().enumerate() {
                            add(tally, row, bits.into());
                        }
                    }
                    _ => {
                        for (row, &bits) in results[0].elements::<u32>().iter().enumerate() {
                            add(tally, row, bits.into());
                        }
                    }
                }
            }
        }
        Ok(tallies)
    }
}

impl Measurement {
    /// Returns the rules by which the results of this measurement are counted.
    fn counting(&self, real: Real, format: &'static Format) -> Counting {
        let mut truths = Truths::new(real, format);
        let of_zero = [0.0, -0.0].map(|zero| truths.exact([zero, 0.0]).nearest);
        Counting { format, limit: self.documented.limit, flush: self.flush, of_zero }
    }
}

/// Makes a column of operands of a format of 16 or 32 bits.
fn column(format: &Format, values: impl ExactSizeIterator<Item = u64>) -> Column {
    let mut column = Column::new(format.width() as usize / 8, values.len());
    match column.row_bytes() {
        2 => {
            column.elements_mut::<u16>().iter_mut().zip(values).for_each(|(to, bits)| *to = bits as u16);
        }
        _ => {
            column.elements_mut::<u32>().iter_mut().zip(values).for_each(|(to, bits)| *to = bits as u32);
        }
    }
    column
}

/// Returns how many inputs a part has, where there are `inputs` in all.
fn part_size(inputs: u64) -> u64 {
    (inputs / PARTS).clamp(*PART.start(), *PART.end())
}

/// Returns the name of a device's implementation, with the device and its driver.
pub fn device_name(device: &Executor) -> String {
    let Description { name, device, driver, .. } = device.describe();
    let of = |part: Option<String>| part.unwrap_or_default();
    format!("{name}: {}, driver {}", of(device), of(driver))
}

/// The content of the file of a part. The name of the file's folder has the version in its hash.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartFile {
    tallies: Vec<Tally>,
}

impl store::StoreContent for PartFile {
    const FORM: u32 = VERSION;
    const LARGEST: u64 = 1;
}

/// Returns the tallies of a part that was measured before, if there is nothing wrong with their file.
fn saved_tallies(path: &Path, count: usize) -> Option<Vec<Tally>> {
    // A part whose file cannot be read is measured again.
    let PartFile { tallies } = store::load(path).ok()?;
    (tallies.len() == count).then_some(tallies)
}

/// Keeps the tallies of a part, so that a file of this name is always whole.
fn keep(path: &Path, tallies: &[Tally]) -> Result<()> {
    store::save(path, &PartFile { tallies: tallies.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_neither_small_nor_large() {
        let sizes = [1 << 16, 1 << 20, 1 << 28, 1 << 30, 1 << 32].map(part_size);
        assert_eq!(sizes, [1 << 20, 1 << 20, 1 << 22, 1 << 24, 1 << 24]);
    }
}
