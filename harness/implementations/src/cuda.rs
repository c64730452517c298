//! A GPU as an implementation: kernels of one instruction each, compiled and run by its driver. It also executes the
//! functions of compilers.

mod buffer;
mod compile;
mod condition;
mod dots;
mod driver;
mod error;
mod executor;
mod gpu;
pub mod isolated;
mod kernels;
pub mod own_code;
mod request;
mod stream;
mod worker;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use anyhow::{Context, Result, bail};
use base::locks::lock;
use isa::matrix::MatrixVariant;
use isa::{PtxVersion, Target, Variant};
use ptx::{Device, Header, LaunchShape, Placement, VersionHistory};
use selection::subject::Subject;

use super::{Description, Implementation, Support, Worker};
use dots::DotKernels;
use driver::Driver;
use gpu::{Gpu, Interface, LoadedKernel};
use kernels::{DeviceKernels, compile_each};
use request::DeviceRequest;
use worker::CudaWorker;

pub use executor::{Calls, Executor, LoadedFunction};

/// Number of vectors that the device judges at a time, or a multiple: two warps' worth.
const SCREENED: u32 = 2 * ptx::WARP * ptx::ROWS_EACH;

/// Number of vectors that stand in the text of a kernel.
const CONSTANTS: usize = 64;
/// Most vectors of a sweep where operands stand in the text of kernels: a driver compiles some thousands a
/// second.
const CONSTANTS_OF_A_SWEEP: u64 = 64;

/// A GPU as an implementation.
pub struct Cuda {
    name: String,
    gpu: Gpu,
    /// Newest version of PTX that the GPU's driver reads.
    newest: PtxVersion,
    kernels: DeviceKernels,
    dots: DotKernels,
    /// Kernel that does nothing: a device that can go on runs it.
    idle: LoadedKernel,
    /// Messages of the driver about kernels that it did not run, by the name of the variant, behind which
    /// `, judged` stands for a kernel that judges.
    failed: Mutex<HashMap<String, String>>,
}

/// Opens the GPU that a name such as `cuda:0` or `cuda:0,isolated` stands for.
///
/// # Errors
/// If there is no driver or no such device, or if it does not start.
pub fn named(name: &str) -> Result<Box<dyn Implementation>> {
    let request = DeviceRequest::read(name)?;
    Ok(match request.isolated {
        true => Box::new(isolated::start(request)?),
        false => Box::new(Cuda::open(&request)?),
    })
}

impl Cuda {
    /// Opens the GPU that is asked for, with its driver in this process.
    ///
    /// # Errors
    /// If there is no driver or no such device, or if it does not start.
    fn open(request: &DeviceRequest) -> Result<Cuda> {
        let &DeviceRequest { number, level, constants, deadline, .. } = request;
        let driver = Driver::load()?;
        let count = driver.count()?;
        match count {
            0 => bail!(
                "the CUDA driver finds no GPU: install one, or make one visible to this process \
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
        let Newest { version: newest, device, idle } = newest.with_context(|| {
            format!(
                "the driver of cuda:{number} ({}) takes no PTX for a device of compute capability \
                 {}.{}: install another driver",
                gpu.identity().driver,
                capability / 10,
                capability % 10,
            )
        })?;
        let dots = DotKernels::new(device.clone(), level);
        let kernels = DeviceKernels::new(device, level, constants);
        let failed = Mutex::default();
        Ok(Cuda { name: request.name(), gpu, newest, kernels, dots, idle, failed })
    }

    /// Locks and returns the messages about kernels that the driver did not run.
    fn failed(&self) -> MutexGuard<'_, HashMap<String, String>> {
        // Entries are added whole, so a thread that panicked under the lock left none half done.
        lock(&self.failed)
    }

    /// Returns what to do about a device that does not answer as it should.
    fn cannot_go_on(&self) -> String {
        format!(
            "{} failed and cannot be used further; see the system's log, and continue the run with \
             --resume",
            self.name
        )
    }
}

/// Newest version of PTX that a device's driver reads, and what is known of the device once it is found.
struct Newest {
    version: PtxVersion,
    device: Device,
    /// Kernel of that version of PTX, which does nothing.
    idle: LoadedKernel,
}

/// Finds the newest version of PTX that a device's driver reads, by asking it, since no document promises which
/// it is.
fn newest(gpu: &Gpu) -> Result<Option<Newest>> {
    let capability = gpu.identity().capability;
    let mut newest = None;
    VersionHistory::until(|version| {
        // A version that is older than every target that the device runs is not asked about.
        let Some(device) = Device::of(capability, version) else { return anyhow::Ok(false) };
        let idle = idle(gpu, device.targets().0, version)?.ok();
        newest = idle.map(|idle| Newest { version, device, idle });
        Ok(newest.is_some())
    })?;
    Ok(newest)
}

/// Loads a kernel that does nothing; the inner error is what the compiler says of it.
fn idle(gpu: &Gpu, target: Target, ptx: PtxVersion) -> Result<Result<LoadedKernel, String>> {
    let header = Header { ptx, target };
    let module = format!("{header}.visible .entry nothing()\n{{\nret;\n}}\n");
    let group = LaunchShape::ROWS;
    let interface =
        Interface { name: "nothing".into(), results: Vec::new(), operands: Vec::new(), group };
    Ok(gpu.load(&module, &[interface], None)?.map(|functions| functions[0]))
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
        compile_each(&matrices, |variant| {
            // What came of it is kept, and asked for when it is needed.
            // One call compiles the kernels of both placements.
            let _ = self.dots.get(&self.gpu, variant, Placement::Diagonal);
        });
    }

    fn support(&self, variant: &Variant) -> Support {
        if let Some(lack) = self.kernels.lack(variant) {
            return Support::No(lack.to_string());
        }
        if self.kernels.constants && !ptx::has_constants(variant) {
            return Support::No("what a warp executes has no operands in the text".into());
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

    fn judges_triples(&self, variant: &Variant) -> bool {
        let judging = || self.kernels.screen(&self.gpu, variant);
        !self.kernels.constants && sweeps::has_all_triples(variant) && matches!(judging(), Ok(Some(_)))
    }

    /// Returns twice the number of processors: while one worker waits for the device, another keeps the processor
    /// busy.
    fn workers(&self, processors: usize) -> usize {
        2 * processors
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>> {
        Ok(Box::new(CudaWorker::new(self)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// There may be a GPU or none where the tests run.
    #[test]
    fn a_driver_that_is_not_there_is_asked_for() {
        if let Err(error) = named("cuda:0") {
            let text = format!("{error:#}");
            assert_eq!(text.lines().count(), 1, "{text}");
            assert!(text.contains("driver"), "{text}");
        }
    }
}
