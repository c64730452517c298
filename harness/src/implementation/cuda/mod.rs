//! A GPU as an implementation: kernels of one instruction each, compiled and run by its driver.

mod buffer;
mod compile;
mod condition;
mod dots;
mod driver;
mod error;
mod gpu;
mod kernels;
mod request;
mod stream;

use anyhow::{Context, Result, anyhow, bail};
use vectors::matrix::MatrixVariant;
use vectors::{Column, Variant, column};

use crate::run::Subject;

use super::{Description, Implementation, Screening, Support, Worker};
use dots::{DotKernels, placement};
use driver::Driver;
use gpu::{Function, Gpu};
use kernels::{Kernels, in_parallel};
use ptx::{Device, Header, Placement, VersionHistory};
use request::Request;
use stream::Stream;

/// The device judges so many vectors at a time, or a multiple: two warps' worth.
const SCREENED: u32 = 2 * ptx::WARP * ptx::ROWS_EACH;

/// So many vectors stand in the text of a kernel.
const CONSTANTS: usize = 64;
/// Where they do, a sweep has so many vectors at most: a driver compiles some thousands a second.
const CONSTANTS_OF_A_SWEEP: u64 = 64;

/// A GPU.
pub struct Cuda {
    name: String,
    gpu: Gpu,
    /// The newest version of PTX that its driver reads.
    newest: vectors::isa::PtxVersion,
    kernels: Kernels,
    dots: DotKernels,
}

impl Cuda {
    /// The GPU that a name such as `cuda:0` stands for.
    ///
    /// # Errors
    /// If there is no driver or no such device, or if it does not start.
    pub fn named(name: &str) -> Result<Cuda> {
        let request = Request::read(name)?;
        let Request { number, level, constants, deadline } = request;
        let driver = Driver::load()?;
        let count = driver.count()?;
        match count {
            0 => bail!(
                "the CUDA driver has no device: plug a GPU in, or let this process see one \
                 (CUDA_VISIBLE_DEVICES, a container's --gpus)"
            ),
            _ if number < count => {}
            1 => bail!("there is no GPU cuda:{number}: the only one is cuda:0"),
            _ => bail!("there is no GPU cuda:{number}: there are cuda:0 to cuda:{}", count - 1),
        }
        let gpu =
            driver.open(number, deadline).with_context(|| format!("cuda:{number} does not start"))?;
        let capability = gpu.identity().capability;
        let newest = newest(&gpu).with_context(|| format!("cuda:{number} does not start"))?;
        let device = newest.and_then(|newest| Some((newest, Device::of(capability, newest)?)));
        let (newest, device) = device.with_context(|| {
            format!(
                "the driver of cuda:{number} ({}) reads no PTX for a device of compute capability \
                 {}.{}: take another driver",
                gpu.identity().driver,
                capability / 10,
                capability % 10,
            )
        })?;
        let dots = DotKernels::new(device.clone(), level);
        let kernels = Kernels::new(device, level, constants);
        Ok(Cuda { name: request.name(), gpu, newest, kernels, dots })
    }

    /// What to do about a device that does not answer as it should.
    fn cannot_go_on(&self) -> String {
        format!("{} cannot go on; see the system's log, and take the run up with --resume", self.name)
    }
}

/// The newest version of PTX that a device's driver reads: it is asked, since no document promises
/// which it is.
fn newest(gpu: &Gpu) -> Result<Option<vectors::isa::PtxVersion>> {
    let capability = gpu.identity().capability;
    let calendar = VersionHistory::until(|ptx| {
        let Some(device) = Device::of(capability, ptx) else { return anyhow::Ok(false) };
        let header = Header { ptx, target: device.targets().0 };
        let module = format!("{header}.visible .entry nothing()\n{{\nret;\n}}\n");
        Ok(gpu.load(&module, &[], None)?.is_ok())
    })?;
    Ok(calendar.map(|calendar| calendar.newest()))
}

impl Implementation for Cuda {
    fn describe(&self) -> Description {
        let identity = self.gpu.identity();
        let (whole, tenths) = (identity.capability / 10, identity.capability % 10);
        Description {
            name: self.name.clone(),
            version: env!("CARGO_PKG_VERSION").into(),
            device: Some(format!("{}, compute capability {whole}.{tenths}", identity.name)),
            driver: Some(format!("{}, PTX {}", identity.driver, self.newest)),
            details: identity.details.clone(),
        }
    }

    fn prepare(&self, subjects: &[Subject]) {
        let (mut lanes, mut matrices) = (Vec::new(), Vec::new());
        for subject in subjects {
            match *subject {
                Subject::Variant(variant) => lanes.push(variant),
                Subject::Matrix(variant) => matrices.push(variant),
            }
        }
        self.kernels.compile(&self.gpu, &lanes);
        matrices.retain(|variant| !self.kernels.constants && self.dots.lack(variant).is_none());
        in_parallel(&matrices, |variant| {
            // What came of it is kept, and asked for when it is needed.
            let _ = self.dots.get(&self.gpu, variant, Placement::Diagonal);
        });
    }

    fn support(&self, variant: &Variant) -> Support {
        if let Some(lack) = self.kernels.lack(variant) {
            return Support::No(lack.to_string());
        }
        if self.kernels.constants && ptx::is_fatal(variant) {
            return Support::No("NVIDIA's compiler dies of a constant scale of eight bits".into());
        }
        match self.kernels.get(&self.gpu, variant) {
            Ok(Err(said)) => Support::Fails(format!("the driver does not compile it: {said}")),
            // A device that cannot go on says so again when the variant is run, and ends that.
            Ok(Ok(_)) | Err(_) => Support::Yes,
        }
    }

    fn support_matrix(&self, variant: &MatrixVariant) -> Support {
        if self.kernels.constants {
            return Support::No("operands of matrix instructions do not stand in the text".into());
        }
        if let Some(lack) = self.dots.lack(variant) {
            return Support::No(lack);
        }
        match self.dots.get(&self.gpu, variant, Placement::Diagonal) {
            Ok(Err(said)) => Support::Fails(format!("the driver does not compile it: {said}")),
            Ok(Ok(_)) | Err(_) => Support::Yes,
        }
    }

    fn vectors_max(&self) -> Option<u64> {
        self.kernels.constants.then_some(CONSTANTS_OF_A_SWEEP)
    }

    /// While one waits for the device, another keeps the processor busy.
    fn workers(&self, processors: usize) -> usize {
        2 * processors
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>> {
        let stream = Stream::of(&self.gpu).with_context(|| self.cannot_go_on())?;
        Ok(Box::new(CudaWorker { cuda: self, stream }))
    }
}

struct CudaWorker<'a> {
    cuda: &'a Cuda,
    stream: Stream<'a>,
}

impl CudaWorker<'_> {
    fn try_run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        if self.cuda.kernels.constants {
            return self.run_constants(variant, operands, results);
        }
        let function = self.cuda.kernels.get(&self.cuda.gpu, variant)?.map_err(|said| {
            anyhow!("only supported variants are run, and {variant} does not compile: {said}")
        })?;
        self.run_kernel(function, operands, results)
    }

    fn try_run_dots(
        &mut self,
        variant: &MatrixVariant,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<()> {
        let cuda = self.cuda;
        let function = cuda.dots.get(&cuda.gpu, variant, placement(variant, operands))?;
        let function = function.map_err(|said| {
            anyhow!("only supported variants are run, and {variant} does not compile: {said}")
        })?;
        self.run_kernel(function, operands, results)
    }

    fn run_kernel(
        &mut self,
        function: Function,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<()> {
        let rows = u32::try_from(operands.first().map_or(0, Column::rows))
            .context("a batch has less than 2^32 rows")?;
        let operands: Vec<&[u8]> = operands.iter().map(Column::bytes).collect();
        let mut results: Vec<&mut [u8]> = results.iter_mut().map(Column::bytes_mut).collect();
        self.stream.run(function, rows, &operands, &mut results)
    }

    /// Has the operands stand in the text of kernels made for them.
    fn run_constants(
        &mut self,
        variant: &Variant,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<()> {
        let kernels = &self.cuda.kernels;
        let rows = operands.first().map_or(0, Column::rows);
        for start in (0..rows).step_by(CONSTANTS) {
            let rows = start..rows.min(start + CONSTANTS);
            let vectors: Vec<_> = rows.clone().map(|row| column::row(operands, row)).collect();
            let (module, interface) = kernels.of_constants(variant, &vectors)?;
            let part = |column: &'_ mut Column| -> std::ops::Range<usize> {
                rows.start * column.row_bytes()..rows.end * column.row_bytes()
            };
            let mut parts: Vec<&mut [u8]> = Vec::new();
            for column in results.iter_mut() {
                let bytes = part(column);
                parts.push(&mut column.bytes_mut()[bytes]);
            }
            let made = self.stream.run_once(
                module.text(),
                &interface,
                kernels.level,
                rows.len() as u32,
                &mut parts,
            )?;
            made.map_err(|said| anyhow!("{variant} does not compile of some constants: {said}"))?;
        }
        Ok(())
    }

    fn try_screen(
        &mut self,
        variant: &Variant,
        first: u64,
        rows: usize,
        results: Option<&mut [Column]>,
    ) -> Result<Option<Screening>> {
        let rows = u32::try_from(rows).context("a batch has less than 2^32 rows")?;
        if self.cuda.kernels.constants || !rows.is_multiple_of(SCREENED) {
            return Ok(None);
        }
        let Some(function) = self.cuda.kernels.screen(&self.cuda.gpu, variant)? else {
            return Ok(None);
        };
        let mut bytes: Option<Vec<&mut [u8]>> =
            results.map(|results| results.iter_mut().map(Column::bytes_mut).collect());
        let [inputs, results, differing] =
            self.stream.screen(function, first, rows, bytes.as_deref_mut())?;
        Ok(Some(Screening { inputs, results, differing }))
    }
}

impl Worker for CudaWorker<'_> {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        self.try_run(variant, operands, results).with_context(|| self.cuda.cannot_go_on())
    }

    fn run_dots(
        &mut self,
        variant: &MatrixVariant,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<()> {
        self.try_run_dots(variant, operands, results).with_context(|| self.cuda.cannot_go_on())
    }

    fn screen(
        &mut self,
        variant: &Variant,
        first: u64,
        rows: usize,
        results: Option<&mut [Column]>,
    ) -> Result<Option<Screening>> {
        self.try_screen(variant, first, rows, results).with_context(|| self.cuda.cannot_go_on())
    }

    fn is_physical(&self) -> bool {
        !self.cuda.kernels.constants
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the tests run there may be a GPU or none.
    #[test]
    fn a_driver_that_is_not_there_is_asked_for() {
        if let Err(error) = Cuda::named("cuda:0") {
            let text = format!("{error:#}");
            assert_eq!(text.lines().count(), 1, "{text}");
            assert!(text.contains("driver"), "{text}");
        }
    }
}
