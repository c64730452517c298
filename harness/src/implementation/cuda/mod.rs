//! A GPU as an implementation: kernels of one instruction each, compiled and run by its driver.

mod driver;
#[cfg(test)]
mod fake;
mod kernels;
mod nvidia;
#[cfg(test)]
mod tests;

use anyhow::{Context, Result, anyhow, bail};
use vectors::{Column, Variant};

use super::{Description, Implementation, Support, Worker};
use crate::ptx::{Calendar, Device, Header};
use driver::{Driver, Gpu, Stream};
use kernels::Kernels;

/// A GPU.
pub struct Cuda {
    name: String,
    gpu: Box<dyn Gpu>,
    /// The newest version of PTX that its driver reads.
    newest: vectors::isa::PtxVersion,
    kernels: Kernels,
}

/// What a name asks for: `cuda:1,opt=0` is device 1, its kernels compiled at level 0.
#[derive(Debug, PartialEq, Eq)]
struct Request {
    number: usize,
    level: Option<u8>,
}

impl Request {
    fn read(name: &str) -> Result<Request> {
        let wrong = || {
            anyhow!(
                "`{name}` names no GPU: write cuda:0 for the first one, and cuda:0,opt=2 to have its \
                 kernels compiled at level 2 of 0 to 4"
            )
        };
        let rest = name.strip_prefix("cuda").ok_or_else(wrong)?;
        let (number, level) = match rest.split_once(',') {
            Some((number, option)) => (number, Some(option.strip_prefix("opt=").ok_or_else(wrong)?)),
            None => (rest, None),
        };
        let digits = |text: &str| match text.bytes().all(|byte| byte.is_ascii_digit()) {
            true => text.parse::<usize>().map_err(|_| wrong()),
            false => Err(wrong()),
        };
        let number = match number.strip_prefix(':') {
            Some(number) => digits(number)?,
            None if number.is_empty() => 0,
            None => return Err(wrong()),
        };
        let level = level.map(|level| match digits(level)? {
            level @ 0..=4 => Ok(level as u8),
            _ => Err(wrong()),
        });
        Ok(Request { number, level: level.transpose()? })
    }
}

impl Cuda {
    /// The GPU that a name such as `cuda:0` stands for.
    ///
    /// # Errors
    /// If there is no driver or no such device, or if it does not start.
    pub fn named(name: &str) -> Result<Cuda> {
        let request = Request::read(name)?;
        Cuda::open(&nvidia::Nvidia::load()?, request)
    }

    fn open(driver: &dyn Driver, Request { number, level }: Request) -> Result<Cuda> {
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
        let gpu = driver.open(number).with_context(|| format!("cuda:{number} does not start"))?;
        let capability = gpu.identity().capability;
        let newest = newest(gpu.as_ref()).with_context(|| format!("cuda:{number} does not start"))?;
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
        let level_named = level.map_or(String::new(), |level| format!(",opt={level}"));
        let name = format!("cuda:{number}{level_named}");
        Ok(Cuda { name, gpu, newest, kernels: Kernels::new(device, level) })
    }
}

/// The newest version of PTX that a device's driver reads: it is asked, since no document promises
/// which it is.
fn newest(gpu: &dyn Gpu) -> Result<Option<vectors::isa::PtxVersion>> {
    let capability = gpu.identity().capability;
    let calendar = Calendar::until(|ptx| {
        let Some(device) = Device::of(capability, ptx) else { return Ok(false) };
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
        }
    }

    fn support(&self, variant: &Variant) -> Support {
        if let Some(lack) = self.kernels.lack(variant) {
            return Support::No(lack.to_string());
        }
        match self.kernels.get(self.gpu.as_ref(), variant) {
            Ok(Err(said)) => Support::Fails(format!("the driver does not compile it: {said}")),
            // A device that cannot go on says so again when the variant is run, and ends that.
            Ok(Ok(_)) | Err(_) => Support::Yes,
        }
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>> {
        let stream = self.gpu.stream().with_context(|| format!("{} cannot go on", self.name))?;
        Ok(Box::new(CudaWorker { cuda: self, stream }))
    }
}

struct CudaWorker<'a> {
    cuda: &'a Cuda,
    stream: Box<dyn Stream + 'a>,
}

impl CudaWorker<'_> {
    fn try_run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        let function = self.cuda.kernels.get(self.cuda.gpu.as_ref(), variant)?.map_err(|said| {
            anyhow!("only supported variants are run, and {variant} does not compile: {said}")
        })?;
        let rows = u32::try_from(operands.first().map_or(0, Column::rows))
            .context("a batch has less than 2^32 rows")?;
        let operands: Vec<&[u8]> = operands.iter().map(Column::bytes).collect();
        let mut results: Vec<&mut [u8]> = results.iter_mut().map(Column::bytes_mut).collect();
        self.stream.run(function, rows, &operands, &mut results)
    }
}

impl Worker for CudaWorker<'_> {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        self.try_run(variant, operands, results).with_context(|| {
            format!(
                "{} cannot go on; see the system's log, and take the run up with --resume",
                self.cuda.name
            )
        })
    }
}
