//! Memory that columns go through on their way to the device and back.

use std::ptr;

use anyhow::Result;
use cudarc::driver::{result as cuda, sys};

use super::error::NameCall;
use crate::unwritten::PATTERNS;

/// Memory of the device, and memory of the host that it copies from and to without another copy.
pub struct Buffer {
    /// Bytes of memory on either side.
    pub bytes: usize,
    /// Address of the memory on the device's side.
    pub device: sys::CUdeviceptr,
    host: *mut u8,
}

// SAFETY: the memory is the buffer's alone, and what belongs to a context may be used by any thread.
unsafe impl Send for Buffer {}

impl Buffer {
    /// Allocates a buffer of so many bytes, in the current context.
    pub fn new(bytes: usize) -> Result<Buffer> {
        // SAFETY: nothing is read from the memory before it has been written.
        let device = unsafe { cuda::malloc_sync(bytes) }.of("cuMemAlloc")?;
        let mut buffer = Buffer { bytes, device, host: ptr::null_mut() };
        // SAFETY: as above.
        let host = unsafe { cuda::malloc_host(bytes, 0) }.of("cuMemHostAlloc")?.cast::<u8>();
        // SAFETY: it has this many bytes, and is now initialised.
        unsafe { ptr::write_bytes(host, PATTERNS[0], bytes) };
        buffer.host = host;
        Ok(buffer)
    }

    /// Returns the first `bytes` bytes on the host's side.
    pub fn host(&mut self, bytes: usize) -> &mut [u8] {
        assert!(bytes <= self.bytes, "a buffer is as large as its column");
        // SAFETY: the memory is this buffer's alone, has as many bytes, and was initialised by `new`;
        // no copy is under way, since `Stream::run` waits for all of them before it returns.
        unsafe { std::slice::from_raw_parts_mut(self.host, bytes) }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // Where freeing fails the device is lost, and its memory with it.
        // SAFETY: it was allocated by `new`, and no copy is under way: buffers are dropped with their
        // device, when no stream is left, or by `new` itself.
        let _ = unsafe { cuda::free_sync(self.device) };
        if !self.host.is_null() {
            // SAFETY: as above.
            let _ = unsafe { cuda::free_host(self.host.cast()) };
        }
    }
}
