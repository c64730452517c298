//! A function or a kernel of somebody's own that a GPU executes, in the place of the suite's interpreter.

use anyhow::{Context, Error, Result, bail};
use formats::Column;
use isa::Variant;
use ptx::LaunchShape;

use super::Cuda;
use super::gpu::{Interface, LoadedKernel};
use super::request::DeviceRequest;
use super::stream::{OwnLaunches, OwnWord, Stream};
use crate::code::{Code, HandedOver, Parameter, ThoroughCode, ThreadRows};
use crate::unwritten::{self, PATTERNS};
use crate::{Description, FailureKind, Implementation, RowFailure, Support, Worker};

/// The sign between the name of some code and that of the GPU which executes it.
const ON: char = '@';
/// The word that names of GPUs begin with.
const GPU: &str = "cuda";

/// Code of somebody's own, loaded by a GPU.
pub struct DeviceCode {
    code: Code,
    cuda: Cuda,
    kernel: LoadedKernel,
    rows: ThreadRows,
}

/// Divides a name such as `code:FILE#NAME@cuda:0` into that of the code and that of the GPU; `None` if it names no GPU.
pub fn divide(name: &str) -> Option<(&str, &str)> {
    name.rsplit_once(ON).filter(|(_, gpu)| {
        gpu.strip_prefix(GPU).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ',']))
    })
}

/// Makes the implementation of a name such as `code:FILE#NAME` or `code:FILE#NAME@cuda:0`. The former also executes some
/// vectors in further launches.
///
/// # Errors
/// As [`Code::named`] and [`DeviceCode::new`].
pub fn named(name: &str) -> Result<Box<dyn Implementation>> {
    Ok(match divide(name) {
        Some((code, gpu)) => Box::new(DeviceCode::new(Code::named(code)?, gpu)?),
        None => Box::new(ThoroughCode::new(Code::named(name)?)),
    })
}

impl DeviceCode {
    /// Has a GPU load code, whose name is one such as `cuda:0`, or `cuda:0,opt=0`.
    ///
    /// # Errors
    /// If there is no driver or no such device; if the device does not run modules of the code's target; if the driver
    /// does not compile the code.
    pub fn new(code: Code, gpu: &str) -> Result<DeviceCode> {
        let request = DeviceRequest::read(gpu)?;
        if request.isolated || request.constants {
            bail!(
                "code of one's own is executed without the options `isolated` and `constants`: write cuda:{}",
                request.number
            );
        }
        let (mut module, name) = code.module_to_launch().map_err(Error::msg)?;
        let cuda = Cuda::open(&request)?;
        let (target, most) = (module.header.target, cuda.kernels.target());
        if !most.offers(target) {
            let identity = cuda.gpu.identity();
            bail!(
                "{} is for {target}, and {} ({}, compute capability {}.{}) runs what is for {most} and older plain \
                 targets: write one of these behind `.target`, or have it compiled with --target",
                code.describe().name,
                cuda.name,
                identity.name,
                identity.capability / 10,
                identity.capability % 10
            );
        }
        // Compilers write the version that they know, whatever of it they use. What the driver lacks it refuses.
        module.header.ptx = module.header.ptx.min(cuda.newest);
        let group = LaunchShape::ROWS;
        // `run_own` takes the columns as they come, so the interface names none.
        let interface = Interface { name, results: Vec::new(), operands: Vec::new(), group };
        let loaded = cuda.gpu.load(&module.to_string(), &[interface], cuda.kernels.level);
        let loaded = loaded.with_context(|| cuda.cannot_go_on())?;
        let kernels = loaded.map_err(|said| {
            Error::msg(format!(
                "the driver of {} does not compile {}: {said}",
                cuda.name,
                code.describe().name
            ))
        })?;
        let kernel = kernels.first().copied().context("the driver has loaded no kernel")?;
        let rows = code.thread_rows();
        Ok(DeviceCode { code, cuda, kernel, rows })
    }

    /// Returns the code, as the suite's interpreter executes it.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// Returns the code, and gives the GPU back.
    pub fn into_code(self) -> Code {
        self.code
    }

    /// Returns the same with other properties of the code.
    #[must_use]
    pub fn with_code(self, change: impl FnOnce(Code) -> Code) -> DeviceCode {
        DeviceCode { code: change(self.code), ..self }
    }

    /// Whether each vector is a launch of its own, which takes long.
    pub fn launches_each(&self) -> bool {
        self.rows == ThreadRows::LaunchEach
    }

    /// Returns the words that say what executes the code, and how vectors are divided among threads.
    pub fn in_words(&self) -> String {
        let identity = self.cuda.gpu.identity();
        let rows = match self.rows {
            ThreadRows::OneLaunch => "Each batch of vectors is one launch, with a thread for each row.",
            ThreadRows::LaunchEach => {
                "Each row is a launch of one thread, because the thread of an index does not take the elements of that \
                 index alone, or an operand is no pointer. That is slow."
            }
        };
        format!("{} executes the code: {}. {rows}", self.cuda.name, identity.name)
    }
}

impl Implementation for DeviceCode {
    fn describe(&self) -> Description {
        let (mut own, gpu) = (self.code.describe(), self.cuda.describe());
        own.name = format!("{}{ON}{}", own.name, gpu.name);
        own.details.extend(gpu.details);
        own.details.insert("not reached".into(), NOT_KNOWN.into());
        Description { device: gpu.device, driver: gpu.driver, ..own }
    }

    fn support(&self, variant: &Variant) -> Support {
        self.code.support(variant)
    }

    /// Returns as many as for the suite's own kernels: while one worker waits for the device, another keeps the
    /// processor busy.
    fn workers(&self, processors: usize) -> usize {
        self.cuda.workers(processors)
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>> {
        let stream = Stream::of(&self.cuda.gpu).with_context(|| self.cuda.cannot_go_on())?;
        Ok(Box::new(DeviceCodeWorker { own: self, stream, failures: Vec::new(), outside: Vec::new() }))
    }
}

/// The words in which a report says that a GPU does not tell which instructions it executes.
pub const NOT_KNOWN: &str = "not known: a GPU does not tell which instructions it executes";

/// Runs code on batches, on a stream of its own on a device.
struct DeviceCodeWorker<'a> {
    own: &'a DeviceCode,
    stream: Stream<'a>,
    failures: Vec<RowFailure>,
    /// The rows of the last batch that lie outside of the code's domain.
    outside: Vec<usize>,
}

impl DeviceCodeWorker<'_> {
    /// Runs the code on all rows of a batch, and returns the failures.
    ///
    /// # Errors
    /// If the code has other operands than the instruction, or the device is unable to go on.
    fn run_all(
        &mut self,
        variant: &Variant,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<Vec<RowFailure>> {
        let rows = operands.first().map_or(0, Column::rows);
        unwritten::fill(results, PATTERNS[0]);
        let mut failures = match self.run_over(variant, operands, results, PATTERNS[0]) {
            Ok(failures) => failures,
            Err(error) => {
                let words = self.outlive(error)?;
                let kind = FailureKind::Failed;
                return Ok((0..rows)
                    .map(|row| RowFailure { row, kind, words: words.clone() })
                    .collect());
            }
        };
        let suspected = unwritten::suspected(results);
        if !suspected.is_empty() {
            let mut again = results.to_vec();
            unwritten::fill(&mut again, PATTERNS[1]);
            self.run_over(variant, operands, &mut again, PATTERNS[1])
                .with_context(|| self.own.cuda.cannot_go_on())?;
            failures.extend(unwritten::confirmed(suspected, &again));
        }
        failures.sort_by_key(|failure| failure.row);
        failures.dedup_by_key(|failure| failure.row);
        Ok(failures)
    }

    /// Runs the code on all rows of a batch, whose results hold bytes of `pattern` where nothing is stored.
    fn run_over(
        &mut self,
        variant: &Variant,
        operands: &[Column],
        results: &mut [Column],
        pattern: u8,
    ) -> Result<Vec<RowFailure>> {
        let mut over = self.own.code.hand_over(variant, operands, pattern).map_err(Error::msg)?;
        let HandedOver { columns, parameters, threads, .. } = &mut over;
        let (blocks, block) = match self.own.rows {
            ThreadRows::OneLaunch => {
                let block = LaunchShape::ROWS.block;
                (
                    u32::try_from(*threads).context("a batch has less than 2^32 rows")?.div_ceil(block),
                    block,
                )
            }
            ThreadRows::LaunchEach => (1, 1),
        };
        // Threads of the last block have memory, too: a kernel need not know where the last element is.
        let padded = match self.own.rows {
            ThreadRows::OneLaunch => blocks as usize * block as usize,
            ThreadRows::LaunchEach => *threads,
        };
        columns.iter_mut().for_each(|column| column.resize(padded));
        let sizes: Vec<usize> = columns.iter().map(Column::row_bytes).collect();
        let step = |column: usize| match self.own.rows {
            ThreadRows::OneLaunch => 0,
            ThreadRows::LaunchEach => sizes.get(column).copied().unwrap_or_default(),
        };
        let words: Vec<OwnWord> = parameters.iter().map(|one| word(one, step)).collect();
        let launches = match self.own.rows {
            ThreadRows::OneLaunch => 1,
            ThreadRows::LaunchEach => *threads,
        };
        let launches = OwnLaunches { words: &words, launches, blocks, block };
        self.stream.run_own(self.own.kernel, columns, launches)?;
        let threads = *threads;
        columns.iter_mut().for_each(|column| column.resize(threads));
        Ok(self.own.code.take_back(over, variant, operands, results))
    }

    /// Returns in words what becomes of a batch that was not run, if the device still works.
    ///
    /// # Errors
    /// If the device is unable to go on.
    fn outlive(&mut self, error: Error) -> Result<String> {
        let words = format!("the driver does not run it: {error:#}");
        match self.stream.idle(self.own.cuda.idle) {
            Ok(()) => Ok(words),
            Err(_) => Err(error.context(self.own.cuda.cannot_go_on())),
        }
    }
}

/// Returns a parameter as a launch takes it; `step` returns the bytes between the places of two launches in a column.
fn word(parameter: &Parameter, step: impl Fn(usize) -> usize) -> OwnWord<'_> {
    match parameter {
        Parameter::Column(column) => OwnWord::Address { column: *column, step: step(*column) },
        Parameter::Number(number) => OwnWord::Number(*number),
        Parameter::Each(each) => OwnWord::Each(each),
    }
}

impl Worker for DeviceCodeWorker<'_> {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        self.outside.clear();
        let code = &self.own.code;
        (self.failures, self.outside) =
            code.run_in_domain(variant, operands, results, |operands, results| {
                self.run_all(variant, operands, results)
            })?;
        Ok(())
    }

    fn unanswered(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.outside)
    }

    fn faults(&mut self) -> Vec<RowFailure> {
        std::mem::take(&mut self.failures)
    }

    fn is_physical(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::divide;

    #[test]
    fn a_gpu_stands_behind_the_last_sign() {
        for (name, parts) in [
            ("code:a.ptx#f@cuda:0", Some(("code:a.ptx#f", "cuda:0"))),
            ("code:a.ptx#f(a, &d)@cuda", Some(("code:a.ptx#f(a, &d)", "cuda"))),
            ("code:a@b.ptx@cuda,opt=0", Some(("code:a@b.ptx", "cuda,opt=0"))),
            ("code:a@b.ptx#f", None),
            ("code:a@cuda.ptx#f", None),
            ("code:a.ptx", None),
        ] {
            assert_eq!(divide(name), parts, "{name}");
        }
    }
}
