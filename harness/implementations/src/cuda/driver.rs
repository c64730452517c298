//! NVIDIA's driver, found when it is asked for. Everything unsafe about a GPU is in this file and in `gpu.rs`
//! (devices), `compile.rs` (what they compile), `buffer.rs` (their buffers) and `stream.rs` with its parts (their streams).

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use cudarc::driver::result::{self as cuda, DriverError};
use cudarc::driver::sys::{self, CUdevice_attribute, CUresult};

use super::condition::condition;
use super::error::{NameCall, failed};
use super::gpu::{DeviceIdentity, Gpu};

/// Functions of the driver that are called. All of them have been there since CUDA 11.4. cudarc looks functions up at
/// first use and panics where one is missing, so all are looked for first. Whoever calls another function adds it here.
const FUNCTIONS: [&str; 26] = [
    "cuInit",
    "cuGetErrorName",
    "cuGetErrorString",
    "cuDriverGetVersion",
    "cuDeviceGetCount",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDeviceGetName",
    "cuDeviceGetUuid_v2",
    "cuDevicePrimaryCtxRetain",
    "cuDevicePrimaryCtxRelease_v2",
    "cuCtxSetCurrent",
    "cuModuleLoadDataEx",
    "cuModuleUnload",
    "cuModuleGetFunction",
    "cuStreamCreate",
    "cuStreamQuery",
    "cuStreamDestroy_v2",
    "cuMemAlloc_v2",
    "cuMemFree_v2",
    "cuMemHostAlloc",
    "cuMemFreeHost",
    "cuMemsetD8Async",
    "cuMemcpyHtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuLaunchKernel",
];

/// The driver, loaded and initialised.
pub struct Driver(());

impl Driver {
    /// Loads the driver.
    ///
    /// # Errors
    /// If there is no driver, or if it does not start.
    pub fn load() -> Result<Driver> {
        // SAFETY: loading a library runs its initialisers; those of the driver ask for nothing.
        if !unsafe { sys::is_culib_present() } {
            bail!(
                "the CUDA driver (libcuda.so.1) is not on this machine: install NVIDIA's driver, or \
                 use a machine with a GPU"
            );
        }
        // SAFETY: it is present.
        let library = unsafe { sys::culib() };
        for function in FUNCTIONS {
            // SAFETY: the address is only looked at.
            if unsafe { library.get::<*const ()>(function) }.is_err() {
                bail!(
                    "the CUDA driver of this machine lacks {function}: install a driver of CUDA 11.4 \
                     or later"
                );
            }
        }
        match cuda::init() {
            Ok(()) | Err(DriverError(CUresult::CUDA_ERROR_NO_DEVICE)) => Ok(Driver(())),
            Err(error) => Err(failed("cuInit", error))
                .context("the CUDA driver does not start: run `nvidia-smi`, which should say why"),
        }
    }

    /// Returns how many devices the driver has.
    ///
    /// # Errors
    /// If the driver cannot count them. That it has none is no error.
    pub fn count(&self) -> Result<usize> {
        match cuda::device::get_count() {
            // It was not even initialised for want of a device.
            Err(DriverError(CUresult::CUDA_ERROR_NO_DEVICE | CUresult::CUDA_ERROR_NOT_INITIALIZED)) => {
                Ok(0)
            }
            count => Ok(usize::try_from(count.of("cuDeviceGetCount")?).unwrap_or(0)),
        }
    }

    /// Opens the device of a number below [`Driver::count`]; `deadline` is how long it has for a batch.
    ///
    /// # Errors
    /// If there is no such device, or if the driver does not describe or start it.
    pub fn open(&self, number: usize, deadline: Duration) -> Result<Gpu> {
        let number = i32::try_from(number).context("no machine has so many devices")?;
        let device = cuda::device::get(number).of("cuDeviceGet")?;
        let attribute = |attribute| {
            // SAFETY: the device is one that `cuDeviceGet` has given.
            let value = unsafe { cuda::device::get_attribute(device, attribute) };
            value.of("cuDeviceGetAttribute")
        };
        let major = attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        let name = cuda::device::get_name(device).of("cuDeviceGetName")?;
        // What only stands in for a driver may have none.
        let uuid = unique(device).ok();
        let identity = DeviceIdentity {
            name: uuid.as_ref().map_or_else(|| name.clone(), |uuid| format!("{name} ({uuid})")),
            details: uuid.map_or_else(BTreeMap::new, |uuid| condition(&uuid)),
            // 9.0 is 90, as in sm_90.
            capability: u16::try_from(10 * major + minor)
                .context("an implausible compute capability")?,
            driver: version()?,
        };
        // SAFETY: the device is one that `cuDeviceGet` has given. What is retained here, `Drop` releases.
        let context = unsafe { cuda::primary_ctx::retain(device) }.of("cuDevicePrimaryCtxRetain")?;
        Ok(Gpu::new(identity, device, context, deadline))
    }
}

/// Returns the driver's own version, where the system has it, and the version of CUDA that it implements.
fn version() -> Result<String> {
    let mut number = 0;
    // SAFETY: the driver writes an integer to where `number` lies.
    unsafe { sys::cuDriverGetVersion(&mut number) }.result().of("cuDriverGetVersion")?;
    // The number of CUDA 13.2 is 13020.
    let cuda = format!("CUDA {}.{}", number / 1000, number % 1000 / 10);
    let own = std::fs::read_to_string("/sys/module/nvidia/version").unwrap_or_default();
    Ok(if own.trim().is_empty() { cuda } else { format!("{}, {cuda}", own.trim()) })
}

/// Returns the UUID that tells a device from all others, as `nvidia-smi -L` prints it.
fn unique(device: sys::CUdevice) -> Result<String> {
    let id = cuda::device::get_uuid(device).of("cuDeviceGetUuid_v2")?;
    // The bytes are of C's `char`, which is signed on some machines.
    let digits: String =
        id.bytes.iter().flat_map(|byte| byte.to_ne_bytes()).map(|byte| format!("{byte:02x}")).collect();
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &digits[part]);
    Ok(format!("GPU-{}", parts.join("-")))
}
