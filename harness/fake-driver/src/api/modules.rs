//! The functions of the driver's interface on modules and their kernels.

use std::ffi::{CStr, c_char, c_uint, c_void};
use std::ptr::without_provenance_mut;

use cudarc::driver::sys::{CUfunction, CUjit_option, CUmodule, CUresult};
use machines::interpreter::MemoryError;

use super::{call, give_text, given, write_value};
use crate::context::DriverResult;
use crate::misuse::misuse;
use crate::module::{self, ModuleRefusal};

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleLoadDataEx(
    module: *mut CUmodule,
    image: *const c_void,
    count: c_uint,
    names: *mut CUjit_option,
    values: *mut *mut c_void,
) -> CUresult {
    call(|driver| {
        driver.current()?;
        let number = driver.loads;
        // Modules that are refused below count too: settings choose a load by its number.
        driver.loads += 1;
        if driver.settings.lost_at_load.is_some_and(|lost| number >= lost) {
            return Err(driver.lose(MemoryError::Address));
        }
        let text = unsafe { CStr::from_ptr(image.cast()) };
        let text = text.to_str().map_err(|_| CUresult::CUDA_ERROR_INVALID_PTX)?;
        let (names, values) = unsafe { (given(names, count as usize), given(values, count as usize)) };
        let read = match module::read(text, &driver.settings) {
            Ok(read) => read,
            Err(_) if driver.settings.silent => return Err(CUresult::CUDA_ERROR_UNKNOWN),
            Err(refusal) => {
                let (error, log) = match refusal {
                    ModuleRefusal::Version(log) => (CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION, log),
                    ModuleRefusal::Text(log) => (CUresult::CUDA_ERROR_INVALID_PTX, log),
                };
                unsafe { options(names, values, &log) }?;
                return Err(error);
            }
        };
        unsafe { options(names, values, "") }?;
        let handle = driver.handle();
        driver.current()?.modules.insert(handle, read);
        unsafe { write_value(module, without_provenance_mut(handle)) };
        Ok(())
    })
}

/// Reads the options of a compilation, and writes its logs.
unsafe fn options(names: &[CUjit_option], values: &mut [*mut c_void], errors: &str) -> DriverResult {
    use CUjit_option::*;
    let place = |option| names.iter().position(|&name| name == option);
    for (name, value) in names.iter().zip(&*values) {
        match name {
            CU_JIT_OPTIMIZATION_LEVEL if value.addr() <= 4 => {}
            CU_JIT_OPTIMIZATION_LEVEL => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
            CU_JIT_ERROR_LOG_BUFFER | CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES => {}
            CU_JIT_INFO_LOG_BUFFER | CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES => {}
            _ => misuse(&format!("{name:?} is not known")),
        }
    }
    for (buffer, size, text) in [
        (CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, errors),
        (CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, ""),
    ] {
        if let (Some(buffer), Some(size)) = (place(buffer), place(size)) {
            // A driver writes back how much there was.
            let written = unsafe { give_text(values[buffer].cast(), values[size].addr(), text) };
            values[size] = without_provenance_mut(written);
        }
    }
    Ok(())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleUnload(module: CUmodule) -> CUresult {
    call(|driver| {
        driver.waits();
        let context = driver.current()?;
        let handle = module.addr();
        if context.is_due(|operation| operation.calls(handle)) {
            misuse("a module was unloaded before the stream that runs it was waited for");
        }
        context.functions.retain(|_, (of, _)| *of != handle);
        context.modules.remove(&handle).map(drop).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleGetFunction(
    function: *mut CUfunction,
    module: CUmodule,
    name: *const c_char,
) -> CUresult {
    call(|driver| {
        let name = unsafe { CStr::from_ptr(name) }.to_str().unwrap_or_default();
        let handle = driver.handle();
        let context = driver.current()?;
        let of = context.modules.get(&module.addr()).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
        let kernel = of.get(name).ok_or(CUresult::CUDA_ERROR_NOT_FOUND)?.clone();
        context.functions.insert(handle, (module.addr(), kernel));
        unsafe { write_value(function, without_provenance_mut(handle)) };
        Ok(())
    })
}
