//! Measuring: parts of a function's inputs, on all processors, each kept on disk once it is done.

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
use implementations::cuda::{Calls, Executor, Loaded};
use machines::functions::{self, Passed};
use oracle::{Known, Real};
use ptx::Header;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::inputs::Inputs;
use super::table::{Documented, Function};
use super::tally::{Counting, Tally};
use super::truth::{Truths, value};
use super::unit::Approximations;
pub use prepared::{prepare, settings};

/// Changes when what is counted, or of which inputs, does.
const VERSION: u32 = 3;
/// Into how many parts inputs are cut, where the parts then have …
const PARTS: u64 = 64;
/// … so many inputs.
const PART: RangeInclusive<u64> = 1 << 20..=1 << 24;
/// Inputs that are executed at a time.
const BLOCK: u64 = 1 << 16;
/// The way of what a device executes.
pub const ON_DEVICE: &str = "device";
/// Steps of one lane that are enough.
const STEPS: u64 = 1 << 16;

/// What is to be measured.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Patterns of which a function's name must match one; none means all.
    pub only: Vec<String>,
    /// The compiler's targets.
    pub targets: Vec<String>,
    /// Words of which a setting must be one; none means `default`, `ftz` and `fast-math`.
    pub settings: Vec<String>,
    /// How many inputs of a function at most.
    pub inputs: u64,
}

/// A function that was compiled.
pub struct Subject<'a> {
    /// What it is.
    pub function: &'static Function,
    /// The inputs that it is measured on.
    pub inputs: Inputs,
    /// What is measured.
    pub measurements: Vec<Measurement>,
    /// For each setting and target where it is not measured, why.
    pub left_out: Vec<String>,
    /// What executes it, if not the interpreter.
    device: Option<&'a Executor>,
}

/// One body of a function, executed in one way.
pub struct Measurement {
    /// The settings and targets that compile to it.
    pub under: Vec<(Setting, String)>,
    /// What is documented.
    pub documented: Documented,
    /// Whether subnormal numbers may be flushed.
    pub flush: bool,
    /// The approximate instructions that it takes.
    pub approximations: Vec<String>,
    body: String,
    /// Of its module, where a device has that.
    header: Option<Header>,
    executed: Executed,
}

/// What executes a body.
enum Executed {
    /// The interpreter, with approximations that all have results of one kind; without them there is no such thing.
    Interpreted(Arc<functions::Function>, Option<Approximation>),
    /// A device, with what it has for approximations.
    OnDevice(Loaded),
}

impl Measurement {
    /// Which results its approximations have: `nearest`, `lowest`, `highest` or the `device`'s; without approximations
    /// the interpreter knows no such thing.
    pub fn way(&self) -> Option<&'static str> {
        match self.executed {
            Executed::Interpreted(_, way) => way.map(Approximation::name),
            Executed::OnDevice(_) => Some(ON_DEVICE),
        }
    }
}

impl Subject<'_> {
    fn parts(&self) -> u64 {
        self.inputs.count.div_ceil(part_size(self.inputs.count))
    }

    /// Where its parts are kept: what another body, or others of its inputs, gave lies elsewhere.
    fn directory(&self, directory: &Path) -> PathBuf {
        let own = |one: &Measurement| {
            let Measurement { flush, documented, body, header, .. } = one;
            format!("{:?} {flush} {} {body} {header:?}", one.way(), documented.says)
        };
        let bodies: Vec<String> = self.measurements.iter().map(own).collect();
        let device = self.device.map(on);
        let all = format!("{VERSION} {:?} {device:?} {bodies:?}", self.inputs);
        directory.join(format!("{}-{:016x}", self.function.name, xxh3_64(all.as_bytes())))
    }

    /// Measures what is not yet measured; what is counted of each measurement. Without `resume` all is measured
    /// anew. `done` is told of inputs.
    ///
    /// # Errors
    /// If a part cannot be kept, or a function does what it may not; and [`Interrupted`].
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
            let tallies = match kept(&path, self.measurements.len()) {
                Some(tallies) => tallies,
                None => {
                    let tallies = self.part(*part, calls.as_mut())?;
                    keep(&path, &tallies)?;
                    tallies
                }
            };
            done(tallies.first().map_or(0, |tally| tally.inputs));
            Ok(tallies)
        };
        let parts = Pool::new(jobs).until(interrupt::flag()).each(&numbers, calls, measured).all()?;
        let mut tallies = vec![Tally::default(); self.measurements.len()];
        for part in &parts {
            tallies.iter_mut().zip(part).for_each(|(sum, tally)| sum.merge(tally));
        }
        let Function { real, format, .. } = *self.function;
        let mut truths = Truths::new(real, format);
        tallies.iter_mut().for_each(|tally| tally.settle(format, &mut truths));
        Ok(tallies)
    }

    /// Measures a part; what a device executes is called by `calls`.
    fn part(&self, part: u64, mut calls: Option<&mut Calls>) -> Result<Vec<Tally>> {
        let Function { real, format, arity, .. } = *self.function;
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
            let of = |bits: &[u64; 2]| truths.of(bits.map(|bits| value(format, bits)));
            let known: Vec<Known> = operands.iter().map(of).collect();
            let columns: Vec<Column> = (0..arity as usize)
                .map(|at| column(format, operands.iter().map(|row| row[at])))
                .collect();
            for ((one, counting), tally) in self.measurements.iter().zip(&countings).zip(&mut tallies) {
                let mut results = [Column::new(columns[0].row_bytes(), operands.len())];
                let ran = match (&one.executed, calls.as_deref_mut()) {
                    (Executed::Interpreted(function, way), _) => {
                        let unit = &mut units[way.unwrap_or(Approximation::Nearest) as usize];
                        let mut passed: Vec<Passed> = columns.iter().map(Passed::Value).collect();
                        function.run(unit, &mut passed, &mut results, STEPS).map_err(Error::from)
                    }
                    (Executed::OnDevice(function), Some(calls)) => {
                        calls.run(function, &columns, &mut results)
                    }
                    (Executed::OnDevice(_), None) => Err(anyhow!("its device is not there")),
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
    fn counting(&self, real: Real, format: &'static Format) -> Counting {
        let mut truths = Truths::new(real, format);
        let of_zero = [0.0, -0.0].map(|zero| truths.exact([zero, 0.0]).nearest);
        Counting { format, limit: self.documented.limit, flush: self.flush, of_zero }
    }
}

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

/// How many inputs a part has, of so many.
fn part_size(inputs: u64) -> u64 {
    (inputs / PARTS).clamp(*PART.start(), *PART.end())
}

/// A device, and what compiles for it.
pub fn on(device: &Executor) -> String {
    let Description { name, device, driver, .. } = device.describe();
    let of = |part: Option<String>| part.unwrap_or_default();
    format!("{name}: {}, driver {}", of(device), of(driver))
}

/// What the file of a part holds. Its version is in the name of its folder.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    tallies: Vec<Tally>,
}

impl store::Kept for Kept {
    const FORM: u32 = VERSION;
    const LARGEST: u64 = 1;
}

/// The tallies of a part that was measured before, if there is nothing wrong with their file.
fn kept(path: &Path, count: usize) -> Option<Vec<Tally>> {
    let Kept { tallies } = store::load(path).ok()?;
    (tallies.len() == count).then_some(tallies)
}

/// Keeps the tallies of a part: a file of this name is whole.
fn keep(path: &Path, tallies: &[Tally]) -> Result<()> {
    store::save(path, &Kept { tallies: tallies.to_vec() })
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
