//! The functions of the driver's interface that the suite calls (CUDA Driver API, 13.0).

// The functions are C's: the manual says what their pointers must be, and the caller is what is tested.
#![allow(clippy::missing_safety_doc, clippy::undocumented_unsafe_blocks, missing_docs, non_snake_case)]

mod devices;
mod memory;
mod modules;
mod streams;

use std::ffi::c_char;

use cudarc::driver::sys::CUresult;

use crate::context::{Driver, DriverResult};

/// Runs a call of the interface, and returns its result. Every call but two needs the driver to be initialised.
fn call(of: impl FnOnce(&mut Driver) -> DriverResult) -> CUresult {
    let outcome = Driver::with_driver(|driver| match driver.initialised {
        true => of(driver),
        false => Err(CUresult::CUDA_ERROR_NOT_INITIALIZED),
    });
    outcome.err().unwrap_or(CUresult::CUDA_SUCCESS)
}

/// Writes the value that a call gives to where its caller wants it.
unsafe fn write_value<T>(to: *mut T, value: T) {
    // SAFETY: the caller's pointer, which the manual asks to be valid.
    unsafe { to.write(value) };
}

/// Writes as much of a text as there is room for, and a zero; returns the number of bytes. Without room it writes
/// nothing.
unsafe fn give_text(to: *mut c_char, size: usize, text: &str) -> usize {
    let Some(room) = size.checked_sub(1) else { return 0 };
    let length = text.len().min(room);
    // SAFETY: there is room for `size` bytes.
    unsafe {
        to.copy_from_nonoverlapping(text.as_ptr().cast(), length);
        to.add(length).write(0);
    }
    length + 1
}

/// Returns the elements that a caller gives: none if it says so, wherever its pointer points, which may then be null.
unsafe fn given<'a, T>(from: *mut T, count: usize) -> &'a mut [T] {
    match count {
        0 => &mut [],
        // SAFETY: the caller has as many elements as it says.
        count => unsafe { std::slice::from_raw_parts_mut(from, count) },
    }
}
