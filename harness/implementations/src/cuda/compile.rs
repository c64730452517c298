//! The driver's compiler: what it makes of a module, and what it says of one that it does not take.

use std::ffi::{CStr, CString, c_void};
use std::ptr;

use anyhow::{Context, Result};
use cudarc::driver::result as cuda;
use cudarc::driver::sys::{self, CUjit_option, CUresult};

use super::buffer::Buffer;
use super::error::{NameCall, failed};
use super::gpu::{Gpu, Interface};

/// Number of bytes that are kept at most of what a compiler says of a module.
const LOG: usize = 4 << 10;

impl Gpu {
    /// Compiles a module at a level of optimisation; see [`Gpu::load`].
    pub fn compile(&self, module: &str, level: Option<u8>) -> Result<Result<sys::CUmodule, String>> {
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
            // Whatever the compiler has something to say about is about the module. So is what leaves the device
            // at work: what stands in for a driver may have no words for it.
            // An allocation shows whether the device can go on.
            if said.is_empty() && !is_refusal(error.0) && Buffer::new(1).is_err() {
                return Err(failed("cuModuleLoadDataEx", error));
            }
            let mut all = vec![failed("cuModuleLoadDataEx", error).to_string(), said, remarked];
            all.retain(|text| !text.is_empty());
            return Ok(Err(all.join(": ")));
        }
        Ok(Ok(loaded))
    }

    /// Returns a kernel of a module.
    ///
    /// # Safety
    /// The module must be loaded.
    pub unsafe fn kernel(module: sys::CUmodule, kernel: &Interface) -> Result<sys::CUfunction> {
        let name = CString::new(kernel.name.as_str()).context("names have no zeros")?;
        // SAFETY: the caller's.
        unsafe { cuda::module::get_function(module, name) }.of("cuModuleGetFunction")
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

/// Returns a number in the form of a pointer, for a value that the driver takes as either of them.
fn number(value: usize) -> *mut c_void {
    ptr::without_provenance_mut(value)
}

/// Returns a log up to its first zero, with its lines joined.
fn one_line(log: &[u8]) -> String {
    let text = CStr::from_bytes_until_nul(log).map_or(String::new(), |log| log.to_string_lossy().into());
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("; ")
}
