//! The functions of the driver's interface on streams, and the operations that are put there.

use std::collections::HashMap;
use std::ffi::{c_uint, c_void};
use std::ops::Range;
use std::ptr::without_provenance_mut;

use cudarc::driver::sys::{CUdeviceptr, CUfunction, CUresult, CUstream};

use super::{call, write_value};
use crate::kernel::Launch;
use crate::misuse::misuse;
use crate::stream::{Stream, StreamOperation};

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamCreate(stream: *mut CUstream, _flags: c_uint) -> CUresult {
    call(|driver| {
        let handle = driver.handle();
        driver.current()?.streams.insert(handle, Stream::default());
        unsafe { write_value(stream, without_provenance_mut(handle)) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamQuery(stream: CUstream) -> CUresult {
    call(|driver| driver.finish(stream.addr()))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamDestroy_v2(stream: CUstream) -> CUresult {
    call(|driver| {
        let left = driver.current()?.streams.remove(&stream.addr());
        match left.ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?.is_empty() {
            true => Ok(()),
            false => misuse("a stream was destroyed before it was waited for"),
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
    queue(address, bytes, stream, StreamOperation::Fill { address, bytes, value }, None)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyHtoDAsync_v2(
    address: CUdeviceptr,
    from: *const c_void,
    bytes: usize,
    stream: CUstream,
) -> CUresult {
    let host = from.addr()..from.addr() + bytes;
    queue(address, bytes, stream, StreamOperation::ToDevice { address, host: host.clone() }, Some(host))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoHAsync_v2(
    to: *mut c_void,
    address: CUdeviceptr,
    bytes: usize,
    stream: CUstream,
) -> CUresult {
    let host = to.addr()..to.addr() + bytes;
    queue(address, bytes, stream, StreamOperation::ToHost { address, host: host.clone() }, Some(host))
}

/// Puts an operation on bytes of the device, and perhaps of the host, on a stream.
fn queue(
    address: CUdeviceptr,
    bytes: usize,
    stream: CUstream,
    operation: StreamOperation,
    host: Option<Range<usize>>,
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
        let earlier_launches = driver.launches;
        let fails = driver.settings.fails.clone();
        // Launches that are refused below count too: settings choose a launch by its number.
        driver.launches += 1;
        let context = driver.current()?;
        let found = context.functions.get(&function.addr());
        let (module, kernel) = found.cloned().ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
        if blocks == 0 || !(1..=1024).contains(&threads) {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        if kernel.has_instruction(fails.as_ref()) {
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
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
        let launch = Launch { grid: (blocks, threads), parameters, earlier_launches };
        context.put(stream.addr(), StreamOperation::Launch { module, kernel, launch })
    })
}
