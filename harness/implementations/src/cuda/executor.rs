//! Executes functions of compiled modules on a GPU: a kernel of the suite's calls each on the rows of columns.

use anyhow::{Context, Result, bail, ensure};
use formats::Column;
use ptx::LaunchShape;
use ptx::syntax::{Function as Source, Module, Parameter};

use super::Cuda;
use super::gpu::{Interface, LoadedKernel};
use super::request::DeviceRequest;
use super::stream::Stream;
use crate::{Description, Implementation};

/// A GPU that executes functions of compiled modules.
pub struct Executor {
    cuda: Cuda,
}

/// A function that an [`Executor`] has loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadedFunction {
    kernel: LoadedKernel,
    /// Bytes of each parameter.
    given: Vec<usize>,
    /// Bytes of the result.
    result: usize,
}

/// Calls that one thread makes.
pub struct Calls<'a> {
    executor: &'a Executor,
    stream: Stream<'a>,
}

impl LoadedFunction {
    /// Whether the function's parameters and its result have rows of so many bytes.
    pub fn is_of(&self, bytes: usize) -> bool {
        self.given.iter().chain([&self.result]).all(|&own| own == bytes)
    }
}

impl Executor {
    /// Makes the executor of a name such as `cuda:0`, or `cuda:0,opt=0`.
    ///
    /// # Errors
    /// If there is no driver or no such device, or if it does not start.
    pub fn named(name: &str) -> Result<Executor> {
        let request = DeviceRequest::read(name)?;
        if request.isolated || request.constants {
            bail!(
                "functions are executed without the options `isolated` and `constants`: write cuda:{}",
                request.number
            );
        }
        Ok(Executor { cuda: Cuda::open(&request)? })
    }

    /// Returns the description of the GPU and its driver.
    pub fn describe(&self) -> Description {
        self.cuda.describe()
    }

    fn cannot_go_on(&self) -> String {
        format!("{} failed and cannot be used further; see the system's log", self.cuda.name)
    }

    /// Has a function of a module compiled; the inner error is what the driver's compiler says of it.
    ///
    /// A module of a version of PTX that the driver does not read is given it as one of the newest that it does:
    /// compilers write the version that they know, whatever of it they use. What the driver lacks it refuses.
    ///
    /// # Errors
    /// If the device is unable to go on.
    pub fn load(&self, module: &Module, name: &str) -> Result<Result<LoadedFunction, String>> {
        let is_it = |function: &&Source| function.name == name && function.body.is_some();
        let Some(function) = module.functions.iter().find(is_it) else {
            return Ok(Err(format!("the module has no body of {name}")));
        };
        let Some(entry) = ptx::caller(function) else {
            return Ok(Err(format!(
                "the parameters and the result of {name} are not values of 1, 2, 4 or 8 bytes"
            )));
        };
        let result = function.results.iter().map(Parameter::bytes).sum();
        let given: Vec<usize> = function.parameters.iter().map(Parameter::bytes).collect();
        let interface = Interface {
            name: entry.name.clone(),
            results: vec![result],
            operands: given.clone(),
            group: LaunchShape::ROWS,
        };
        let mut module = module.clone();
        module.header.ptx = module.header.ptx.min(self.cuda.newest);
        module.entries = vec![entry];
        let Cuda { gpu, kernels, .. } = &self.cuda;
        let loaded = gpu.load(&module.to_string(), &[interface], kernels.level);
        let loaded = loaded.with_context(|| self.cannot_go_on())?;
        Ok(loaded.map(|kernels| LoadedFunction { kernel: kernels[0], given, result }))
    }

    /// Returns the means to make calls from this thread.
    ///
    /// # Errors
    /// If the device is unable to go on.
    pub fn calls(&self) -> Result<Calls<'_>> {
        let stream = Stream::of(&self.cuda.gpu).with_context(|| self.cannot_go_on())?;
        Ok(Calls { executor: self, stream })
    }
}

impl Calls<'_> {
    /// Calls a function on all rows of the results: of each parameter and of the result there is a column, with rows
    /// of its bytes.
    ///
    /// # Errors
    /// If a column does not fit, or the device is unable to go on.
    pub fn run(
        &mut self,
        function: &LoadedFunction,
        given: &[Column],
        results: &mut [Column],
    ) -> Result<()> {
        let [result] = results else { bail!("a function has one result, not {}", results.len()) };
        let rows = u32::try_from(result.rows()).context("a batch has less than 2^32 rows")?;
        let (takes, count) = (function.given.len(), given.len());
        ensure!(takes == count, "a function that takes {takes} values is given {count}");
        let widths = given.iter().chain([&*result]).map(Column::row_bytes);
        let due = function.given.iter().chain([&function.result]);
        // The kernel reads and writes rows of its own widths, whatever the columns are.
        ensure!(
            widths.eq(due.copied()),
            "the widths of the given values are not those of the function's"
        );
        let given: Vec<&[u8]> = given.iter().map(Column::bytes).collect();
        let ran = self.stream.run(function.kernel, rows, &given, &mut [result.bytes_mut()]);
        ran.with_context(|| self.executor.cannot_go_on())
    }

    /// Returns what a function gives of one value of each parameter.
    ///
    /// # Errors
    /// If there are not so many values, or the device is unable to go on.
    pub fn run_once(&mut self, function: &LoadedFunction, values: &[u64]) -> Result<u64> {
        let in_one_row = |(&bytes, &value): (&usize, &u64)| {
            let mut column = Column::new(bytes, 1);
            column.set(0, value);
            column
        };
        let (takes, count) = (function.given.len(), values.len());
        ensure!(takes == count, "a function that takes {takes} values is given {count}");
        let given: Vec<Column> = function.given.iter().zip(values).map(in_one_row).collect();
        let mut results = [Column::new(function.result, 1)];
        self.run(function, &given, &mut results)?;
        Ok(results[0].get(0))
    }
}
