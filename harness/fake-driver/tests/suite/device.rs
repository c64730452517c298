//! Uses the fake device of a test's process, by calls of the driver. The environment says what a test wants of the
//! device.

use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::ptr::null_mut;

use cudarc::driver::sys::CUresult;
use cudarc::driver::sys::cudaError_enum::{CUDA_ERROR_NOT_READY as NOT_READY, CUDA_SUCCESS as DONE};
// Linked for its functions, which are declared below.
use fake_driver as _;

unsafe extern "C" {
    fn cuInit(flags: c_uint) -> CUresult;
    fn cuDevicePrimaryCtxRetain(context: *mut *mut c_void, device: c_int) -> CUresult;
    fn cuCtxSetCurrent(context: *mut c_void) -> CUresult;
    pub fn cuModuleLoadDataEx(
        module: *mut *mut c_void,
        image: *const c_void,
        count: c_uint,
        names: *mut c_int,
        values: *mut *mut c_void,
    ) -> CUresult;
    fn cuModuleUnload(module: *mut c_void) -> CUresult;
    fn cuModuleGetFunction(
        function: *mut *mut c_void,
        module: *mut c_void,
        name: *const c_char,
    ) -> CUresult;
    fn cuMemAlloc_v2(address: *mut u64, bytes: usize) -> CUresult;
    fn cuMemHostAlloc(to: *mut *mut c_void, bytes: usize, flags: c_uint) -> CUresult;
    fn cuMemcpyHtoDAsync_v2(
        address: u64,
        from: *const c_void,
        bytes: usize,
        stream: *mut c_void,
    ) -> CUresult;
    fn cuMemcpyDtoHAsync_v2(
        to: *mut c_void,
        address: u64,
        bytes: usize,
        stream: *mut c_void,
    ) -> CUresult;
    fn cuStreamCreate(stream: *mut *mut c_void, flags: c_uint) -> CUresult;
    fn cuStreamQuery(stream: *mut c_void) -> CUresult;
    fn cuLaunchKernel(
        function: *mut c_void,
        blocks: c_uint,
        blocks_y: c_uint,
        blocks_z: c_uint,
        threads: c_uint,
        threads_y: c_uint,
        threads_z: c_uint,
        shared_bytes: c_uint,
        stream: *mut c_void,
        values: *mut *mut c_void,
        extra: *mut *mut c_void,
    ) -> CUresult;
}

/// Device 0, with a stream.
pub struct TestDevice {
    stream: *mut c_void,
}

/// A module that was loaded.
pub struct TestModule(*mut c_void);

/// Memory of the device, and as much of the host that is copied to and from it.
pub struct Buffer {
    pub address: u64,
    host: *mut u8,
    bytes: usize,
}

impl TestDevice {
    pub fn open() -> TestDevice {
        let (mut context, mut stream) = (null_mut(), null_mut());
        // SAFETY: pointers are to what the calls write.
        unsafe {
            assert_eq!(cuInit(0), DONE);
            assert_eq!(cuDevicePrimaryCtxRetain(&mut context, 0), DONE);
            assert_eq!(cuCtxSetCurrent(context), DONE);
            assert_eq!(cuStreamCreate(&mut stream, 0), DONE);
        }
        TestDevice { stream }
    }

    pub fn load(&self, text: &str) -> Result<TestModule, CUresult> {
        let (image, mut module) = (CString::new(text).unwrap(), null_mut());
        // SAFETY: no options are given, so their pointers may be null, and the text ends with a zero.
        let error =
            unsafe { cuModuleLoadDataEx(&mut module, image.as_ptr().cast(), 0, null_mut(), null_mut()) };
        if error == DONE { Ok(TestModule(module)) } else { Err(error) }
    }

    /// Unloads a module, of which nothing runs any more.
    pub fn unload(&self, module: TestModule) {
        // SAFETY: the module was loaded, and is not used again.
        assert_eq!(unsafe { cuModuleUnload(module.0) }, DONE);
    }

    pub fn buffer(&self, bytes: usize) -> Buffer {
        let (mut address, mut host) = (0, null_mut());
        // SAFETY: pointers are to what the calls write.
        unsafe {
            assert_eq!(cuMemAlloc_v2(&mut address, bytes), DONE);
            assert_eq!(cuMemHostAlloc(&mut host, bytes, 0), DONE);
        }
        Buffer { address, host: host.cast(), bytes }
    }

    pub fn write(&self, buffer: &Buffer, from: &[u8]) {
        assert!(from.len() <= buffer.bytes);
        // SAFETY: the memory of the host has as many bytes, and nothing is left that copies it.
        unsafe {
            buffer.host.copy_from_nonoverlapping(from.as_ptr(), from.len());
            let host = buffer.host.cast_const().cast();
            assert_eq!(cuMemcpyHtoDAsync_v2(buffer.address, host, from.len(), self.stream), DONE);
        }
        self.wait();
    }

    pub fn read(&self, buffer: &Buffer, bytes: usize) -> Vec<u8> {
        assert!(bytes <= buffer.bytes);
        let host = buffer.host.cast();
        // SAFETY: the memory of the host has as many bytes, all written once the stream is done.
        unsafe {
            assert_eq!(cuMemcpyDtoHAsync_v2(host, buffer.address, bytes, self.stream), DONE);
            self.wait();
            std::slice::from_raw_parts(buffer.host, bytes).to_vec()
        }
    }

    /// Runs a kernel in so many blocks and threads of each, with the values of its parameters.
    pub fn run(&self, module: &TestModule, name: &str, grid: [u32; 2], parameters: &[u64]) {
        let (name, mut function) = (CString::new(name).unwrap(), null_mut());
        let values = parameters.iter().map(|value| std::ptr::from_ref(value).cast_mut().cast());
        let mut values: Vec<*mut c_void> = values.collect();
        // SAFETY: pointers are to what the calls write or read; no parameter has more bytes than a word.
        unsafe {
            assert_eq!(cuModuleGetFunction(&mut function, module.0, name.as_ptr()), DONE);
            let ([blocks, threads], values) = (grid, values.as_mut_ptr());
            let stream = self.stream;
            let launched =
                cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, values, null_mut());
            assert_eq!(launched, DONE);
        }
        self.wait();
    }

    fn wait(&self) {
        loop {
            // SAFETY: the stream is this device's.
            match unsafe { cuStreamQuery(self.stream) } {
                NOT_READY => {}
                ended => return assert_eq!(ended, DONE),
            }
        }
    }
}
