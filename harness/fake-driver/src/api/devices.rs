//! The functions of the driver's interface on the driver itself, its devices and their contexts.

use std::ffi::{CString, c_char, c_int, c_uint};
use std::ptr::without_provenance_mut;

use cudarc::driver::sys::{CUcontext, CUdevice, CUdevice_attribute, CUresult, CUuuid};

use super::{call, give_text, write_value};
use crate::context::{CURRENT, Driver};
use crate::misuse::misuse;

/// Returns a text as C has it, which lives for ever; there are few such texts.
fn text(text: String) -> *const c_char {
    CString::new(text).expect("no zeros").into_raw()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuInit(_flags: c_uint) -> CUresult {
    Driver::with_driver(|driver| {
        if driver.settings.devices == 0 {
            return CUresult::CUDA_ERROR_NO_DEVICE;
        }
        driver.initialised = true;
        CUresult::CUDA_SUCCESS
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorName(error: CUresult, name: *mut *const c_char) -> CUresult {
    unsafe { write_value(name, text(format!("{error:?}"))) };
    CUresult::CUDA_SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorString(error: CUresult, string: *mut *const c_char) -> CUresult {
    let words = format!("{error:?}").trim_start_matches("CUDA_ERROR_").replace('_', " ");
    unsafe { write_value(string, text(words.to_lowercase())) };
    CUresult::CUDA_SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDriverGetVersion(version: *mut c_int) -> CUresult {
    // The number of CUDA 13.0.
    unsafe { write_value(version, 13000) };
    CUresult::CUDA_SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetCount(count: *mut c_int) -> CUresult {
    call(|driver| {
        unsafe { write_value(count, driver.settings.devices) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGet(device: *mut CUdevice, ordinal: c_int) -> CUresult {
    call(|driver| {
        driver.device(ordinal)?;
        unsafe { write_value(device, ordinal) };
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
        unsafe { write_value(value, found) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetName(name: *mut c_char, size: c_int, device: CUdevice) -> CUresult {
    call(|driver| {
        driver.device(device)?;
        let size = usize::try_from(size).ok().filter(|&size| size > 0);
        let size = size.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
        unsafe { give_text(name, size, &format!("Fake {device}")) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetUuid_v2(uuid: *mut CUuuid, device: CUdevice) -> CUresult {
    call(|driver| {
        driver.device(device)?;
        unsafe { write_value(uuid, CUuuid { bytes: [device as c_char - 1; 16] }) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRetain(to: *mut CUcontext, device: CUdevice) -> CUresult {
    call(|driver| {
        if driver.settings.closed {
            return Err(CUresult::CUDA_ERROR_DEVICE_UNAVAILABLE);
        }
        driver.device(device)?.retained += 1;
        unsafe { write_value(to, without_provenance_mut(Driver::handle_of(device))) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRelease_v2(device: CUdevice) -> CUresult {
    call(|driver| {
        driver.healthy()?;
        driver.waits();
        let context = driver.device(device)?;
        let left = context.retained.checked_sub(1).ok_or(CUresult::CUDA_ERROR_INVALID_CONTEXT)?;
        context.retained = left;
        // Nobody uses the context any more, so nothing of it may be left.
        if let Some(left) = context.unreleased().filter(|_| left == 0) {
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
