//! NVIDIA's driver: its devices, and what they load. Everything unsafe about a GPU is in this file and
//! in that of its queues.

mod queue;

use std::ffi::{CStr, CString, c_void};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Error, Result, anyhow, bail};
use cudarc::driver::result::{self as cuda, DriverError, stream::StreamKind};
use cudarc::driver::sys::{self, CUdevice_attribute, CUjit_option, CUresult};

use super::condition::condition;
use super::driver::{Driver, Function, Gpu, Identity, Interface, Stream};
use queue::Queue;

/// The most that is kept of what a compiler says of a module.
const LOG: usize = 4 << 10;

/// The driver, loaded and initialised.
pub struct Nvidia(());

/// A device, its context, and what is loaded there.
struct Device {
    identity: Identity,
    device: sys::CUdevice,
    context: Shared<sys::CUcontext>,
    loaded: Mutex<Loaded>,
}

#[derive(Default)]
struct Loaded {
    modules: Vec<Shared<sys::CUmodule>>,
    functions: Vec<(Shared<sys::CUfunction>, Interface)>,
}

/// A handle of the driver.
#[derive(Clone, Copy)]
struct Shared<T>(T);

// SAFETY: a handle is a name that the driver looks up; nothing here looks behind it. Since CUDA 4.0 a
// context may be current to any number of threads at once, and so may be used what belongs to it.
unsafe impl<T> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Shared<T> {}

/// An error of the driver, on one line.
fn failed(call: &str, error: DriverError) -> Error {
    let text = |text: Result<&CStr, DriverError>| {
        text.map_or_else(|_| format!("error {}", error.0 as u32), |text| text.to_string_lossy().into())
    };
    let (name, meaning): (String, String) = (text(error.error_name()), text(error.error_string()));
    anyhow!("{call} gave {name} ({meaning})")
}

/// Gives the driver's error of a call its name.
trait Named<T> {
    fn of(self, call: &str) -> Result<T>;
}

impl<T> Named<T> for Result<T, DriverError> {
    fn of(self, call: &str) -> Result<T> {
        self.map_err(|error| failed(call, error))
    }
}

impl Nvidia {
    /// Loads the driver.
    ///
    /// # Errors
    /// If there is none, or if it does not start.
    pub fn load() -> Result<Nvidia> {
        // SAFETY: loading a library runs its initialisers; those of the driver ask for nothing.
        if !unsafe { sys::is_culib_present() } {
            bail!(
                "there is no CUDA driver on this machine (libcuda.so.1): install NVIDIA's driver, or \
                 go to a machine with a GPU"
            );
        }
        match cuda::init() {
            Ok(()) | Err(DriverError(CUresult::CUDA_ERROR_NO_DEVICE)) => Ok(Nvidia(())),
            Err(error) => Err(failed("cuInit", error))
                .context("the CUDA driver does not start; `nvidia-smi` should say why"),
        }
    }
}

impl Driver for Nvidia {
    fn count(&self) -> Result<usize> {
        match cuda::device::get_count() {
            // It was not even initialised for want of a device.
            Err(DriverError(CUresult::CUDA_ERROR_NO_DEVICE | CUresult::CUDA_ERROR_NOT_INITIALIZED)) => {
                Ok(0)
            }
            count => Ok(usize::try_from(count.of("cuDeviceGetCount")?).unwrap_or(0)),
        }
    }

    fn open(&self, number: usize) -> Result<Box<dyn Gpu>> {
        let number = i32::try_from(number).context("no machine has so many devices")?;
        let device = cuda::device::get(number).of("cuDeviceGet")?;
        let attribute = |attribute| {
            // SAFETY: the device is one that `cuDeviceGet` has given.
            let value = unsafe { cuda::device::get_attribute(device, attribute) };
            value.of("cuDeviceGetAttribute")
        };
        let major = attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        let (name, uuid) = (cuda::device::get_name(device).of("cuDeviceGetName")?, unique(device)?);
        let identity = Identity {
            name: format!("{name} ({uuid})"),
            details: condition(&uuid),
            capability: u16::try_from(10 * major + minor).context("an odd compute capability")?,
            driver: version()?,
        };
        // Threads that wait shall leave the processor to others. A context that exists already stays as
        // it is, and is as good.
        // SAFETY: the device is one that `cuDeviceGet` has given.
        let _ = unsafe {
            sys::cuDevicePrimaryCtxSetFlags_v2(
                device,
                sys::CUctx_flags::CU_CTX_SCHED_BLOCKING_SYNC as u32,
            )
        };
        // SAFETY: the device is one that `cuDeviceGet` has given. What is retained here, `Drop` releases.
        let context = unsafe { cuda::primary_ctx::retain(device) }.of("cuDevicePrimaryCtxRetain")?;
        let (context, loaded) = (Shared(context), Mutex::default());
        Ok(Box::new(Device { identity, device, context, loaded }))
    }
}

/// The driver's own version, where the system has it, and the one of CUDA that it implements.
fn version() -> Result<String> {
    let mut number = 0;
    // SAFETY: the driver writes an integer to where `number` lies.
    unsafe { sys::cuDriverGetVersion(&mut number) }.result().of("cuDriverGetVersion")?;
    let cuda = format!("CUDA {}.{}", number / 1000, number % 1000 / 10);
    let own = std::fs::read_to_string("/sys/module/nvidia/version").unwrap_or_default();
    Ok(if own.trim().is_empty() { cuda } else { format!("{}, {cuda}", own.trim()) })
}

/// What tells a device from all others, as `nvidia-smi -L` prints it.
fn unique(device: sys::CUdevice) -> Result<String> {
    let id = cuda::device::get_uuid(device).of("cuDeviceGetUuid")?;
    let digits: String =
        id.bytes.iter().flat_map(|byte| byte.to_ne_bytes()).map(|byte| format!("{byte:02x}")).collect();
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &digits[part]);
    Ok(format!("GPU-{}", parts.join("-")))
}

impl Device {
    /// Makes the device's context that of this thread, which most calls need.
    fn enter(&self) -> Result<()> {
        // SAFETY: the context is retained until `self` is dropped.
        unsafe { cuda::ctx::set_current(self.context.0) }.of("cuCtxSetCurrent")
    }

    /// Compiles a module; see [`Gpu::load`].
    fn compile(&self, module: &str, level: Option<u8>) -> Result<Result<sys::CUmodule, String>> {
        self.enter()?;
        let text = CString::new(module).context("PTX text has no zeros")?;
        let (mut errors, mut remarks) = (vec![0_u8; LOG], vec![0_u8; LOG]);
        // A value is a pointer, or a number in a pointer's place.
        let mut options = vec![
            (CUjit_option::CU_JIT_ERROR_LOG_BUFFER, errors.as_mut_ptr().cast()),
            (CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, number(LOG)),
            (CUjit_option::CU_JIT_INFO_LOG_BUFFER, remarks.as_mut_ptr().cast()),
            (CUjit_option::CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, number(LOG)),
        ];
        options
            .extend(level.map(|level| (CUjit_option::CU_JIT_OPTIMIZATION_LEVEL, number(level.into()))));
        let (mut names, mut values): (Vec<CUjit_option>, Vec<*mut c_void>) = options.into_iter().unzip();
        let mut loaded = ptr::null_mut();
        // SAFETY: the text ends with a zero; `names` and `values` are as long as they are said to be;
        // the buffers live through the call and are as large as their options say.
        let outcome = unsafe {
            sys::cuModuleLoadDataEx(
                &mut loaded,
                text.as_ptr().cast(),
                names.len() as u32,
                names.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        if let Err(error) = outcome.result() {
            let (said, remarked) = (one_line(&errors), one_line(&remarks));
            // Whatever the compiler has something to say about is about the module.
            if said.is_empty() && !is_refusal(error.0) {
                return Err(failed("cuModuleLoadDataEx", error));
            }
            let mut all = vec![failed("cuModuleLoadDataEx", error).to_string(), said, remarked];
            all.retain(|text| !text.is_empty());
            return Ok(Err(all.join(": ")));
        }
        Ok(Ok(loaded))
    }

    /// A kernel of a module.
    ///
    /// # Safety
    /// The module must be loaded.
    unsafe fn kernel(module: sys::CUmodule, kernel: &Interface) -> Result<sys::CUfunction> {
        let name = CString::new(kernel.name.as_str()).context("names have no zeros")?;
        // SAFETY: the caller's.
        unsafe { cuda::module::get_function(module, name) }.of("cuModuleGetFunction")
    }

    fn loaded(&self) -> std::sync::MutexGuard<'_, Loaded> {
        // Whoever held it has added whole entries, or none.
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether an error is about the module, and not about the device.
fn is_refusal(error: CUresult) -> bool {
    use CUresult::*;
    matches!(
        error,
        CUDA_ERROR_INVALID_IMAGE
            | CUDA_ERROR_INVALID_PTX
            | CUDA_ERROR_INVALID_SOURCE
            | CUDA_ERROR_NO_BINARY_FOR_GPU
            | CUDA_ERROR_UNSUPPORTED_PTX_VERSION
    )
}

impl Gpu for Device {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn load(
        &self,
        module: &str,
        kernels: &[Interface],
        level: Option<u8>,
    ) -> Result<Result<Vec<Function>, String>> {
        let loaded = match self.compile(module, level)? {
            Ok(loaded) => loaded,
            Err(said) => return Ok(Err(said)),
        };
        let mut all = self.loaded();
        all.modules.push(Shared(loaded));
        let mut functions = Vec::new();
        for kernel in kernels {
            // SAFETY: the module was loaded just now, and is not unloaded before `self` is dropped.
            let function = unsafe { Device::kernel(loaded, kernel) }?;
            functions.push(Function(all.functions.len()));
            all.functions.push((Shared(function), kernel.clone()));
        }
        Ok(Ok(functions))
    }

    fn stream(&self) -> Result<Box<dyn Stream + '_>> {
        self.enter()?;
        let queue = cuda::stream::create(StreamKind::NonBlocking).of("cuStreamCreate")?;
        Ok(Box::new(Queue::new(self, queue)))
    }
}

/// A number where the driver expects a pointer or a number.
fn number(value: usize) -> *mut c_void {
    ptr::without_provenance_mut(value)
}

/// A log, up to its first zero, its lines joined.
fn one_line(log: &[u8]) -> String {
    let text = CStr::from_bytes_until_nul(log).map_or(String::new(), |log| log.to_string_lossy().into());
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("; ")
}

impl Drop for Device {
    fn drop(&mut self) {
        // What fails here has failed before: a lost device takes everything with it.
        let _ = self.enter();
        for module in self.loaded().modules.drain(..) {
            // SAFETY: it was loaded by `load`, and no stream is left that could use it: those borrow
            // the device.
            let _ = unsafe { cuda::module::unload(module.0) };
        }
        // SAFETY: it was retained by `open`, once.
        let _ = unsafe { cuda::primary_ctx::release(self.device) };
    }
}
