//! The functions of the driver's interface that the suite calls (CUDA Driver API, 13.0).

// They are C's: what their pointers must be the manual says, and the caller is what is tested.
#![allow(clippy::missing_safety_doc, clippy::undocumented_unsafe_blocks, missing_docs, non_snake_case)]

use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr::without_provenance_mut;

use cudarc::driver::sys::{
    CUcontext, CUdevice, CUdevice_attribute, CUdeviceptr, CUfunction, CUjit_option, CUmodule, CUresult,
    CUstream, CUuuid,
};

use crate::context::{CURRENT, Driver, Outcome, misuse};
use crate::kernel::Launch;
use crate::memory::Fault;
use crate::module::{self, Refusal};
use crate::stream::Operation;

/// What a call gives. Every one but two needs the driver to be initialised.
fn call(of: impl FnOnce(&mut Driver) -> Outcome) -> CUresult {
    let outcome = Driver::with(|driver| match driver.initialised {
        true => of(driver),
        false => Err(CUresult::CUDA_ERROR_NOT_INITIALIZED),
    });
    outcome.err().unwrap_or(CUresult::CUDA_SUCCESS)
}

/// Writes what a call gives to where its caller wants it.
unsafe fn give<T>(to: *mut T, value: T) {
    // SAFETY: the caller's pointer, which the manual asks to be valid.
    unsafe { to.write(value) };
}

/// A text that lives for ever, of which there are few.
fn text(text: String) -> *const c_char {
    CString::new(text).expect("no zeros").into_raw()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuInit(_flags: c_uint) -> CUresult {
    Driver::with(|driver| {
        if driver.settings.devices == 0 {
            return CUresult::CUDA_ERROR_NO_DEVICE;
        }
        driver.initialised = true;
        CUresult::CUDA_SUCCESS
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorName(error: CUresult, name: *mut *const c_char) -> CUresult {
    unsafe { give(name, text(format!("{error:?}"))) };
    CUresult::CUDA_SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorString(error: CUresult, string: *mut *const c_char) -> CUresult {
    let words = format!("{error:?}").trim_start_matches("CUDA_ERROR_").replace('_', " ");
    unsafe { give(string, text(words.to_lowercase())) };
    CUresult::CUDA_SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDriverGetVersion(version: *mut c_int) -> CUresult {
    unsafe { give(version, 13000) };
    CUresult::CUDA_SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetCount(count: *mut c_int) -> CUresult {
    call(|driver| {
        unsafe { give(count, driver.settings.devices) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGet(device: *mut CUdevice, ordinal: c_int) -> CUresult {
    call(|driver| {
        driver.device(ordinal)?;
        unsafe { give(device, ordinal) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetAttribute(
    value: *mut c_int,
    attribute: CUdevice_attribute,
    device: CUdevice,
) -> CUresult {
    use CUdevice_attribute::*;
    call(|driver| {
        driver.device(device)?;
        let capability = c_int::from(driver.settings.capability);
        let found = match attribute {
            CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR => capability / 10,
            CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR => capability % 10,
            _ => misuse(&format!("{attribute:?} is not known")),
        };
        unsafe { give(value, found) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetName(name: *mut c_char, size: c_int, device: CUdevice) -> CUresult {
    call(|driver| {
        driver.device(device)?;
        unsafe { give_text(name, size as usize, &format!("Fake {device}")) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetUuid_v2(uuid: *mut CUuuid, device: CUdevice) -> CUresult {
    call(|driver| {
        driver.device(device)?;
        unsafe { give(uuid, CUuuid { bytes: [device as c_char - 1; 16] }) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxSetFlags_v2(device: CUdevice, _flags: c_uint) -> CUresult {
    call(|driver| driver.device(device).map(drop))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRetain(to: *mut CUcontext, device: CUdevice) -> CUresult {
    call(|driver| {
        if driver.settings.closed {
            return Err(CUresult::CUDA_ERROR_DEVICE_UNAVAILABLE);
        }
        driver.device(device)?.retained += 1;
        unsafe { give(to, without_provenance_mut(Driver::handle_of(device))) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRelease_v2(device: CUdevice) -> CUresult {
    call(|driver| {
        driver.healthy()?;
        let context = driver.device(device)?;
        let left = context.retained.checked_sub(1).ok_or(CUresult::CUDA_ERROR_INVALID_CONTEXT)?;
        context.retained = left;
        if let Some(left) = context.left().filter(|_| left == 0) {
            misuse(&format!("a context was given back with {left}"));
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxSetCurrent(context: CUcontext) -> CUresult {
    call(|driver| {
        CURRENT.set(context.addr());
        driver.current().map(drop)
    })
}

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
        driver.loads += 1;
        if driver.settings.lost_at_load.is_some_and(|lost| number >= lost) {
            return Err(driver.lose(Fault::Address));
        }
        let text = unsafe { CStr::from_ptr(image.cast()) };
        let text = text.to_str().map_err(|_| CUresult::CUDA_ERROR_INVALID_PTX)?;
        let (names, values) = unsafe {
            let count = count as usize;
            (std::slice::from_raw_parts(names, count), std::slice::from_raw_parts_mut(values, count))
        };
        let read = match module::read(text, &driver.settings) {
            Ok(read) => read,
            Err(refusal) => {
                let (error, log) = match refusal {
                    Refusal::Version(log) => (CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION, log),
                    Refusal::Target(log) => (CUresult::CUDA_ERROR_INVALID_PTX, log),
                    Refusal::Text(log) => (CUresult::CUDA_ERROR_INVALID_PTX, log),
                };
                unsafe { options(names, values, &log) }?;
                return Err(error);
            }
        };
        unsafe { options(names, values, "") }?;
        let handle = driver.handle();
        driver.current()?.modules.insert(handle, read);
        unsafe { give(module, without_provenance_mut(handle)) };
        Ok(())
    })
}

/// Reads the options of a compilation, and writes its logs.
unsafe fn options(names: &[CUjit_option], values: &mut [*mut c_void], errors: &str) -> Outcome {
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

/// Writes as much of a text as there is room for, and a zero; gives the number of bytes.
unsafe fn give_text(to: *mut c_char, size: usize, text: &str) -> usize {
    let length = text.len().min(size.saturating_sub(1));
    // SAFETY: there is room for `size` bytes.
    unsafe {
        to.copy_from_nonoverlapping(text.as_ptr().cast(), length);
        to.add(length).write(0);
    }
    length + 1
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleUnload(module: CUmodule) -> CUresult {
    call(|driver| {
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
        unsafe { give(function, without_provenance_mut(handle)) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamCreate(stream: *mut CUstream, _flags: c_uint) -> CUresult {
    call(|driver| {
        let handle = driver.handle();
        driver.current()?.streams.insert(handle, Vec::new());
        unsafe { give(stream, without_provenance_mut(handle)) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamSynchronize(stream: CUstream) -> CUresult {
    call(|driver| driver.finish(stream.addr()))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamDestroy_v2(stream: CUstream) -> CUresult {
    call(|driver| {
        driver.finish(stream.addr())?;
        driver.current()?.streams.remove(&stream.addr());
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAlloc_v2(address: *mut CUdeviceptr, bytes: usize) -> CUresult {
    call(|driver| {
        let found = driver.current()?.memory.allocate(bytes);
        unsafe { give(address, found.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFree_v2(address: CUdeviceptr) -> CUresult {
    call(|driver| match driver.current()?.memory.free(address) {
        true => Ok(()),
        false => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemHostAlloc(to: *mut *mut c_void, bytes: usize, _flags: c_uint) -> CUresult {
    call(|driver| {
        let address = driver.current()?.pinned.allocate(bytes);
        let address = address.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
        unsafe { give(to, std::ptr::with_exposed_provenance_mut(address)) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFreeHost(pointer: *mut c_void) -> CUresult {
    call(|driver| {
        let context = driver.current()?;
        if context.is_due(|operation| operation.copies(pointer.addr())) {
            misuse("memory was freed before the stream that copies it was waited for");
        }
        match context.pinned.free(pointer.addr()) {
            true => Ok(()),
            false => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemsetD8Async(
    address: CUdeviceptr,
    value: u8,
    bytes: usize,
    stream: CUstream,
) -> CUresult {
    queue(address, bytes, stream, Operation::Fill { address, bytes, value }, None)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyHtoDAsync_v2(
    address: CUdeviceptr,
    from: *const c_void,
    bytes: usize,
    stream: CUstream,
) -> CUresult {
    let host = from.addr()..from.addr() + bytes;
    queue(address, bytes, stream, Operation::ToDevice { address, host: host.clone() }, Some(host))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoHAsync_v2(
    to: *mut c_void,
    address: CUdeviceptr,
    bytes: usize,
    stream: CUstream,
) -> CUresult {
    let host = to.addr()..to.addr() + bytes;
    queue(address, bytes, stream, Operation::ToHost { address, host: host.clone() }, Some(host))
}

/// Puts an operation on bytes of the device, and perhaps of the host, on a stream.
fn queue(
    address: CUdeviceptr,
    bytes: usize,
    stream: CUstream,
    operation: Operation,
    host: Option<std::ops::Range<usize>>,
) -> CUresult {
    call(|driver| {
        let context = driver.current()?;
        if context.memory.bytes(address, bytes).is_none() {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        if host.is_some_and(|host| !context.pinned.has(&host)) {
            misuse("only memory that was allocated for it is copied from and to while others go on");
        }
        context.put(stream.addr(), operation)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchKernel(
    function: CUfunction,
    blocks: c_uint,
    blocks_y: c_uint,
    blocks_z: c_uint,
    threads: c_uint,
    threads_y: c_uint,
    threads_z: c_uint,
    shared_bytes: c_uint,
    stream: CUstream,
    values: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> CUresult {
    if [blocks_y, blocks_z, threads_y, threads_z, shared_bytes] != [1, 1, 1, 1, 0] || !extra.is_null() {
        misuse("only rows of threads without shared memory are started here");
    }
    call(|driver| {
        let number = driver.launches;
        driver.launches += 1;
        let context = driver.current()?;
        let found = context.functions.get(&function.addr());
        let (module, kernel) = found.cloned().ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
        if blocks == 0 || !(1..=1024).contains(&threads) {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let mut parameters = HashMap::new();
        for (at, (name, bytes)) in kernel.parameters.iter().enumerate() {
            let mut word = [0; 8];
            // SAFETY: the caller has a pointer for each parameter, to as many bytes as it has.
            unsafe {
                let value = values.add(at).read().cast::<u8>();
                value.copy_to_nonoverlapping(word.as_mut_ptr(), *bytes);
            }
            parameters.insert(name.clone(), u64::from_le_bytes(word));
        }
        let launch = Launch { grid: (blocks, threads), parameters, number };
        context.put(stream.addr(), Operation::Launch { module, kernel, launch })
    })
}
