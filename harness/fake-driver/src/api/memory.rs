//! The functions of the driver's interface on memory of the device, and on memory of the host for copies.

use std::ffi::{c_uint, c_void};
use std::ptr::with_exposed_provenance_mut;

use cudarc::driver::sys::{CUdeviceptr, CUresult};

use super::{call, write_value};
use crate::misuse::misuse;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAlloc_v2(address: *mut CUdeviceptr, bytes: usize) -> CUresult {
    call(|driver| {
        let found = driver.current()?.memory.allocate(bytes);
        unsafe { write_value(address, found.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFree_v2(address: CUdeviceptr) -> CUresult {
    call(|driver| {
        driver.waits();
        match driver.current()?.memory.free(address) {
            true => Ok(()),
            false => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemHostAlloc(to: *mut *mut c_void, bytes: usize, _flags: c_uint) -> CUresult {
    call(|driver| {
        let address = driver.current()?.pinned.allocate(bytes);
        let address = address.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
        unsafe { write_value(to, with_exposed_provenance_mut(address)) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFreeHost(pointer: *mut c_void) -> CUresult {
    call(|driver| {
        driver.waits();
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
