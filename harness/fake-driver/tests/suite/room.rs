//! Tests that the fake driver writes no more than a caller has room for.

use std::ffi::{c_char, c_int};
use std::ptr::{null_mut, without_provenance_mut};

use cudarc::driver::sys::CUjit_option::{
    CU_JIT_ERROR_LOG_BUFFER as LOG, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES as LOG_SIZE,
};
use cudarc::driver::sys::CUresult;
use cudarc::driver::sys::cudaError_enum::{
    CUDA_ERROR_INVALID_PTX as ILLEGAL, CUDA_ERROR_INVALID_VALUE as INVALID, CUDA_SUCCESS as DONE,
};

use crate::device::{TestDevice, cuModuleLoadDataEx};
use crate::has_settings;

unsafe extern "C" {
    fn cuDeviceGetName(name: *mut c_char, size: c_int, device: c_int) -> CUresult;
}

/// A byte of memory that is not to be written.
const OTHERS: c_char = 0x55;

#[test]
fn texts_have_the_room_that_they_are_given() {
    let settings = ["capability=90;ptx=9.4".to_owned()];
    if !has_settings("room::texts_have_the_room_that_they_are_given", &settings) {
        return;
    }
    let _device = TestDevice::open();
    let name = |size: c_int| {
        let mut text = [OTHERS; 12];
        // SAFETY: no size below has more bytes than the text.
        let error = unsafe { cuDeviceGetName(text.as_mut_ptr(), size, 0) };
        (error, text.map(|byte| byte as u8 as char).iter().collect::<String>())
    };
    for (size, error, text) in [
        (-1, INVALID, "UUUUUUUUUUUU"),
        (0, INVALID, "UUUUUUUUUUUU"),
        (1, DONE, "\0UUUUUUUUUUU"),
        (4, DONE, "Fak\0UUUUUUUU"),
        (12, DONE, "Fake 0\0UUUUU"),
    ] {
        assert_eq!(name(size), (error, text.to_owned()), "{size}");
    }
    let log = |size: usize| {
        let (mut text, mut module) = ([OTHERS; 8], null_mut());
        let mut names = [LOG as c_int, LOG_SIZE as c_int];
        let mut values = [text.as_mut_ptr().cast(), without_provenance_mut(size)];
        // SAFETY: there are two options, and no size below has more bytes than the text.
        let error = unsafe {
            let image = c"no PTX".as_ptr().cast();
            cuModuleLoadDataEx(&mut module, image, 2, names.as_mut_ptr(), values.as_mut_ptr())
        };
        assert_eq!(error, ILLEGAL);
        let written = text.iter().position(|&byte| byte == OTHERS).unwrap_or(text.len());
        assert!(written == 0 || text[written - 1] == 0, "{text:?}");
        (values[1].addr(), written)
    };
    for size in [0, 1, 5] {
        assert_eq!(log(size), (size, size), "the size that is written back, and the bytes written");
    }
}
